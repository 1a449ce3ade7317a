/* Steps in steps, and what they certainly do. */
#include <math.h>

void both_branches(const double x[restrict 9], double a[restrict 12], double b[restrict 12])
{
#pragma scop
    for (int i = 0; i < 9; i++) {
        if (x[i] > 0) {
            a[i] = 1;
            b[i] = 2;
        } else {
            a[i] = 3;
            b[i + 1] = 4;
        }
        if (x[i] > 1)
            a[i] = 5;
        else if (x[i] > 2)
            a[i] += 6;
        else
            a[i] = 7;
        if (x[i] > 3) {
            if (x[i] > 4)
                a[i] = 8;
        } else
            a[i] = 9;
        if (x[i] > 5)
            a[i] = 10;
        else
            b[i] = 11;
        if (x[i] > 6)
            a[i] = b[i];
        else
            b[i] = a[i];
        if (i > 5)
            while (a[i] > 12)
                if (x[i] > 7)
                    a[i] = 12;
                else
                    a[i] = 13;
    }
#pragma endscop
}

/* Which loops count with a variable that nothing else uses. */
void counting(const int c[restrict 10], int a[restrict 100])
{
    int k, s, m;
#pragma scop
    for (int i = 0; i < 9; i++) {
        for (k = c[i]; k < c[i + 1]; k++)
            a[i] += 1;
        for (k = c[i]; k < c[i + 1]; k++)
            if (c[i] > 3)
                k++;
        for (k = c[i], s = 0; k; k /= 2, s++)
            a[i] += s;
        for (k = c[i]; k < 9; k += 4)
            for (k = c[k]; k < 7; k += 3)
                a[i] += 5;
        for (k = c[i]; a[i] < 9; a[i]++)
            a[i] += k;
        for (k = c[i]; k < 9; k += (m = 2))
            a[i] += m;
    }
#pragma endscop
}

/* What is in the condition of a loop happens each time. */
void conditions(const int c[restrict 10], int a[restrict 100])
{
#pragma scop
    for (int i = 0; i < 9; i++) {
        int k = c[i];
        do
            a[i] += 1;
        while (k-- > 0);
        while (a[i] > 2) {
            if (i > 100)
                a[i] = 3;
            if (i > 4)
                a[i] -= 4;
            else if (c[i] > 0 && i < 3)
                a[i + 1] = 5;
            a[i]--;
        }
        if (k > 3 || i < 2)
            a[i] = 6;
    }
#pragma endscop
}

/* An `if` on data around loops: its condition is kept, and that of those in it depends on it. */
void kept(int n, const int c[restrict 100], double a[restrict 100], double b[restrict 100])
{
#pragma scop
    for (int i = 0; i < 9; i++) {
        if (c[i] > 0) {
            double t = a[i];
            double u = t + c[i];
            double none;
            for (int j = 0; j < 3; j++)
                t += b[j];
            none = u;
            if (c[i + 1] > 1) {
                for (int j = 0; j < 4; j++)
                    a[j] += t + none;
            } else
                for (int j = 0; j < 5; j++)
                    b[j] += u;
        } else {
            const double half = 0.5;
            for (int j = 0; j < 6; j++)
                a[j] *= half;
        }
    }
#pragma endscop
}

/* What is declared in steps: a name for an index, an array, and what a counter has at the time. */
void declared(const int c[restrict 101], double a[restrict 100])
{
    int i;
#pragma scop
    for (i = 0; i < 9; i++)
        a[i] = 0;
    for (int j = 0; j < 99; j++)
        if (c[j] > 0) {
            int next = j + 1;
            double pair[2];
            pair[0] = c[j];
            pair[1] = 2;
            a[next] = pair[0] * pair[1];
        }
    for (int j = 0; j < 100; j++)
        for (i = c[j]; i < c[j + 1]; i++) {
            int now = i;
            a[now] = now;
        }
#pragma endscop
}

/* A register and an array below two kept conditions. */
void kept_twice(const int c[restrict 100], double a[restrict 100], double b[restrict 100][9])
{
#pragma scop
    for (int i = 0; i < 100; i++) {
        if (c[i] > 0) {
            for (int j = 0; j < 3; j++)
                b[i][j] = 1;
        } else {
            if (c[i] > -3)
                for (int j = 0; j < 3; j++)
                    b[i][j] = 2;
            else {
                for (int j = 0; j < 3; j++)
                    b[i][j] = 3;
                double unused = fabs(a[i]);
                double row[3];
                for (int j = 0; j < 3; j++)
                    row[j] = j;
                for (int j = 0; j < 3; j++)
                    b[i][j] *= row[j];
            }
        }
    }
#pragma endscop
}
