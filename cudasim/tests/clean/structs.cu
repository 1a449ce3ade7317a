// Structures with padding are copied whole: the padding needs no value.
// Arrays of objects with constructors may be shared if there is nothing to construct.
// output: 3 24 7 12
struct Cell { double v; char c; };
struct Pair { double v; int n; };
struct Grid { Cell *cells; Pair *pairs; int n; };
__device__ void update(Cell &cell, const Cell &other) { cell = other; cell.v += 1; }
__global__ void k(Grid g) {
  __shared__ Cell tile[32];
  tile[threadIdx.x].v = 2.0;
  tile[threadIdx.x].c = 'a';
  __syncthreads();
  int i = threadIdx.x;
  if (i >= g.n) return;
  update(g.cells[i], tile[31 - i]);
  g.pairs[i].v = i;
  g.pairs[i].n = i;
}
struct Tagged { float tag; struct { float a, b; } pair; };
__global__ void tagged(Tagged *t) {
  auto pair = t[threadIdx.x].pair;
  t[7 - threadIdx.x].tag = pair.a;
}
struct Complex {
  Complex() = default;
  __host__ __device__ Complex(float re_, float im_) : re(re_), im(im_) {}
  __device__ Complex operator*(Complex other) const { return Complex(re * other.re - im * other.im, re * other.im + im * other.re); }
  float re, im;
};
__global__ void squares(Complex *out) {
  __shared__ Complex staged[32];
  staged[threadIdx.x] = Complex(threadIdx.x, 1);
  __syncthreads();
  out[threadIdx.x] = staged[31 - threadIdx.x] * staged[31 - threadIdx.x];
}
int main() {
  Grid g{nullptr, nullptr, 8};
  Cell cells[8];
  Pair pairs[8];
  cudaMalloc(&g.cells, sizeof cells), cudaMalloc(&g.pairs, sizeof pairs);
  k<<<1, 32>>>(g);
  double sum = 0;
  cudaMemcpy(cells, g.cells, sizeof cells, cudaMemcpyDeviceToHost);
  cudaMemcpy(pairs, g.pairs, sizeof pairs, cudaMemcpyDeviceToHost);
  for (const Cell &cell : cells) sum += cell.v;
  Tagged *t;
  cudaMalloc(&t, 8 * sizeof *t), cudaMemset(t, 0, 8 * sizeof *t);
  tagged<<<1, 8>>>(t);
  cudaFree(t);
  Complex *squared, result[32];
  cudaMalloc(&squared, sizeof result);
  squares<<<1, 32>>>(squared);
  cudaMemcpy(result, squared, sizeof result, cudaMemcpyDeviceToHost);
  cudaFree(squared);
  printf("%g %g %d %g\n", sum / 8, sum, pairs[7].n, result[25].im);
  cudaFree(g.cells), cudaFree(g.pairs);
}
