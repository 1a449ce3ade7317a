// mode: check
// finding: barrier_different.cu:5: kernel 'k', block \(0,0,0\): divergent barrier: thread \(0,0,0\) waits here, but thread \(1,0,0\) waits at faults/barrier_different.cu:7
__global__ void k() {
  if (threadIdx.x % 2 == 0)
    __syncthreads();
  else
    __syncthreads();
}
int main() { k<<<1, 8>>>(); }
