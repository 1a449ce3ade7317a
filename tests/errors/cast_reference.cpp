static inline const unsigned char &first_byte(const float &x) { return (unsigned char &)x; }
static inline const float &itself(const float &x) { return x; }

void f(int n, const float *__restrict a, float *__restrict b)
{
#pragma scop
    for (int i = 0; i < n; i++)
        b[i] = first_byte(a[i]) + itself(a[i]);
#pragma endscop
}
