#include <stdio.h>

double threadIdx[8] = {1}, blockIdx[8] = {2}, gridDim = 3;
int warpSize = 4;
double open[8] = {5}, high[8] = {6}, low[8] = {7}, close[8] = {8};
int block, launch, shared, lane, start, poison = 0;

void gpu_add(double *a, int n);

int blockDim(int i) { return i; }

int main(void) {
  gpu_add(threadIdx, 8);
  printf("%g\n", threadIdx[0] + blockIdx[0] + gridDim + warpSize + open[0] + high[0] + low[0] + close[0] +
                     blockDim(block));
}
