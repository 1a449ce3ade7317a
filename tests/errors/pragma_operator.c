#define PRAGMA(text) _Pragma(#text)
#define BEGIN _Pragma("scop")

void f(int n, double *a)
{
    BEGIN
    for (int i = 0; i < n; i++)
        a[i] = 1.0;
    PRAGMA(endscop)
}
