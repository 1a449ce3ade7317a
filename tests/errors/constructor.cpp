struct guard { int *p; guard(int *q) : p(q) { ++*p; } ~guard() { --*p; } };
void f(int n, int *a)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        guard g(a);
        a[i] = i;
    }
#pragma endscop
}
