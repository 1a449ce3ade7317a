/* Functions of another file that have the names of library functions, which C89 does not reserve: they read and write
   an array that would otherwise stay on the device. */
#include <stdio.h>

double A[40];

extern int is_infinite(double);
extern double trunc(double);

int main(void)
{
    int i, t;
    for (i = 0; i < 40; i++)
        A[i] = i * .25;
    for (t = 0; t < 4; t++) {
#pragma scop
        for (i = 0; i < 40; i++)
            A[i] = A[i] * .5 + t;
#pragma endscop
        printf("%d\n", is_infinite(3.5 + t));
    }
    for (t = 0; t < 4; t++) {
#pragma scop
        for (i = 0; i < 40; i++)
            A[i] = A[i] * .5 + t;
#pragma endscop
        printf("%a\n", trunc(3.5 + t));
    }
    for (i = 0; i < 8; i++)
        printf("%a\n", A[i]);
    return 0;
}
