enum color { red, green };
enum class shape { round };

void paint(int n, color last, color *colors, shape form, double *a)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        a[i] = colors[i] == red;
        a[i] = a[i] + (form == shape::round) + (last == green);
    }
    last = red;
#pragma endscop
}
