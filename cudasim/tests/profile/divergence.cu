// Branches whose lanes part, and that accesses after them are made together again.
// mode: profile
// count: uniform | branches 2 divergent_branches 0
// count: odd | divergent_branches 2
// count: odd | global.stores | requests 2*3 lanes 2*64
// count: odd:39 | divergent_branches 2
// count: trips | divergent_branches 3
// count: trips | global.loads | requests 4+1 lanes 32*10/4+32
// count: nested | divergent_branches 3*3
// count: nested | global.loads | requests 3*4 lanes 3*32*10/4
// count: nested | global.stores | requests 3+1 lanes 3*32+32
// count: guard | divergent_branches 1
// count: early | divergent_branches 1
// count: early | global.stores | requests 2 lanes 32+20
// count: calls | divergent_branches 1
// count: calls | global.loads | requests 1 lanes 16
// count: calls | global.stores | requests 1 lanes 32
// count: leaves_loop | divergent_branches 4
// count: leaves_loop | global.stores | requests 1 lanes 32
// count: choice | divergent_branches 3
// count: choice | global.stores | requests 4+1
// count: long_loop | global.loads | requests 5000 lanes 5000*32 touched_sectors 5000*4
// count: long_loop | divergent_branches 0
// count: uneven | global.loads | requests 5000 lanes 31*2500+5000
// count: uneven | divergent_branches 1
// count: recursive | divergent_branches 3
// count: recursive | global.stores | requests 1 lanes 32
// count: waits | divergent_branches 1 warp_barriers 1
// count: waits | global.loads | requests 1000 lanes 16*1000
// count: waits | global.stores | requests 1 lanes 32
// count: either | global.loads | requests 1 lanes 19
// count: meets | warp_barriers 2 exchanges 5 barriers 1 divergent_branches 1
__global__ void uniform(int *to) {
  if (blockIdx.x == 0) to[threadIdx.x] = 1;
  else to[threadIdx.x] = 2, to[threadIdx.x + 32] = 3;
}
__global__ void odd(int *to) {

  if (threadIdx.x & 1) to[threadIdx.x] = 1;
  else to[threadIdx.x + 64] = 2;
  to[threadIdx.x + 128] = 3;
}
__global__ void trips(int *to, const int *from) {
  int lane = threadIdx.x, sum = 0;
  for (int i = 0; i < lane % 4 + 1; ++i) sum += from[i * 32 + lane];
  to[lane] = sum + from[sum + lane];
}
__global__ void nested(int *to, const int *from) {
  int lane = threadIdx.x, total = 0;
  for (int step = 0; step < 3; ++step) {
    int sum = 0;
    for (int i = 0; i < lane % 4 + 1; ++i) sum += from[i * 32 + lane];
    to[lane + 32 * step] = sum;
    total += sum;
  }
  to[lane + 128] = total;
}
__global__ void guard(int *to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = i;
}
__global__ void early(int *to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  to[i] = i;
}
__device__ __noinline__ int load(const int *from) { return *from; }
__global__ void calls(int *to, const int *from) {
  int lane = threadIdx.x, value = lane;
  if (lane < 16) value = load(from + lane);
  to[lane] = value;
}
__global__ void leaves_loop(int *to, const int *numbers) {
  int i = 0;
  while (numbers[i] != threadIdx.x % 5) ++i;
  to[threadIdx.x] = i;
}
__global__ void choice(int *to) {
  int lane = threadIdx.x;
  switch (lane % 4) {
    case 0: to[lane] = 1; break;
    case 1: to[lane + 32] = 2; break;
    case 2: to[lane + 64] = lane; break;
    case 3: to[lane + 96] = 3 * lane; break;
  }
  to[lane + 128] = 5;
}
__global__ void long_loop(int *to, const int *from) {
  int sum = 0;
  for (int i = 0; i < 5000; ++i) sum += from[32 * (i % 8) + threadIdx.x];
  to[threadIdx.x] = sum;
}
__global__ void uneven(int *to, const int *from) {
  int sum = 0, n = threadIdx.x == 31 ? 5000 : 2500;
  for (int i = 0; i < n; ++i) sum += from[32 * (i % 8) + threadIdx.x];
  to[threadIdx.x] = sum;
}
__device__ __noinline__ int down(int n) {
  if (n == 0) return 1;
  int x = down(n - 1);
  return 3 * x + (x & n);
}
__global__ void recursive(int *to) { to[threadIdx.x] = down(threadIdx.x % 4); }
// Some lanes wait while the traces of others fill up.
__global__ void waits(int *to, const int *from) {
  int lane = threadIdx.x, sum = 0;
  if (lane >= 16)
    for (int i = 0; i < 1000; ++i) sum += from[lane + i % 64];
  __syncwarp();
  to[lane] = sum;
}
// Lanes of both conditions load together, though what follows is known already for some of them.
__global__ void either(int *to, const int *from, int n) {
  int lane = threadIdx.x, value = 0;
  if ((lane > 3 && lane < n) || lane % 2) value = from[lane];
  if (lane > 3) to[lane] = value;
  else to[lane + 32] = value;
}
__global__ void meets(int *to) {
  int lane = threadIdx.x, sum = lane;
  if (lane < 16) __syncwarp(0xffff);
  else __syncwarp(0xffff0000);
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffff, sum, offset);
  __syncthreads();
  to[lane] = sum;
}
int main() {
  int *a, *b, h[1024];
  for (int i = 0; i < 1024; ++i) h[i] = i;
  cudaMalloc(&a, sizeof h), cudaMalloc(&b, sizeof h);
  cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
  uniform<<<2, 32>>>(b), odd<<<1, 64>>>(b);
  trips<<<1, 32>>>(b, a), nested<<<1, 32>>>(b, a);
  guard<<<2, 64>>>(b, 100), early<<<1, 64>>>(b, 52);
  calls<<<1, 32>>>(b, a), leaves_loop<<<1, 32>>>(b, a), choice<<<1, 32>>>(b);
  long_loop<<<1, 32>>>(b, a), uneven<<<1, 32>>>(b, a);
  waits<<<1, 32>>>(b, a);
  either<<<1, 32>>>(b, a, 10);
  recursive<<<1, 32>>>(b), meets<<<1, 32>>>(b);
  cudaFree(a), cudaFree(b);
}
