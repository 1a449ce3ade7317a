// Entries and iterations of loops: nested, of different lengths, left early, and of parted warps.
// mode: profile
// count: nest:loop:17 | entries 2 iterations 2*3
// count: nest:loop:14 | entries 2*3 iterations 2*3*5
// count: nest:loop:15 | entries 2*3*5 iterations 3*5*(2+1)
// count: triangle:loop:20 | entries 1 iterations 4
// count: triangle:loop:21 | entries 4 iterations 1+2+3+4
// count: leaves:loop:28 | entries 3 iterations 3*7
// count: parts:loop:34 | entries 2 iterations 4+9
// Of the first warp, lanes 0 and 1 make two iterations of the innermost loop, the others one.
__global__ void nest(float *to, int rows, int columns) {
  int row = 0;
  do
    for (int column = 0; column < columns; ++column)
      for (int i = threadIdx.x; i < 34; i += 32)
        if (row + column >= 0) to[i] += row * column;
  while (++row < rows);
}
__global__ void triangle(float *to, int n) {
  for (int row = 0; row < n; ++row)
    for (int column = 0; column <= row; ++column)
      to[threadIdx.x] += row * column;
}
// Seven iterations pass the condition that warps leave the loop by.
__global__ void leaves(float *to, int n) {
  for (int i = 0; i < n; ++i) {
    to[threadIdx.x] += 1;
    if (i == 7) break;
    to[threadIdx.x] *= 2;
  }
}
__global__ void parts(float *to) {
  if (threadIdx.x & 1) to[threadIdx.x] = 1;
  for (int i = 0; i < (threadIdx.x < 32 ? 4 : 9); ++i)
    to[threadIdx.x] += i;
}
int main() {
  float *a;
  cudaMalloc(&a, 4096);
  cudaMemset(a, 0, 4096);
  nest<<<1, 64>>>(a, 3, 5);
  triangle<<<1, 32>>>(a, 4);
  leaves<<<3, 32>>>(a, 10);
  parts<<<1, 64>>>(a);
}
// Lines of innermost loops.
// count: nest:14 | innermost_loop 0
// count: nest:16 | innermost_loop 15
// count: triangle:20 | innermost_loop 0
// count: triangle:22 | innermost_loop 21
// count: leaves:29 | innermost_loop 28
// count: parts:33 | innermost_loop 0
