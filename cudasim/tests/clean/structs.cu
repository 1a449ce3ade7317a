// Structures with padding are copied whole: the padding needs no value.
// output: 3 24 7
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
  printf("%g %g %d\n", sum / 8, sum, pairs[7].n);
  cudaFree(g.cells), cudaFree(g.pairs);
}
