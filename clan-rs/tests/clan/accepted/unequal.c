#include <stddef.h>
void f(int n, size_t m, unsigned u, double a[n], double b[m]) {
#pragma scop
  for (int i = 0; i != n; i++) a[i] = 1;
  for (size_t i = 2; i != m; i++) b[i] = 1;
  for (int i = n - 1; i != -1; i--) for (int j = i; n != j; j += 1) a[i] += j;
  for (unsigned k = u; k != 0; k--) b[k] = 2;
  for (int i = 0; i != 12; i += 3) a[i] = 3;
  for (unsigned i = 0; i != 12; i += 3) a[i] = 3;
#pragma endscop
}
