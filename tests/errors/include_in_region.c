void fill(int n, double *a)
{
#pragma scop
#include "loops.inc"
#pragma endscop
}
