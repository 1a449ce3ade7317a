// mode: check
// finding: barrier_exited.cu:6: kernel 'k', block \(0,0,0\): divergent barrier: thread \(0,0,0\) and 2 more wait here, but thread \(3,0,0\) and 4 more have returned
__global__ void k() {
  if (threadIdx.x > 2)
    return;
  __syncthreads();
}
int main() { k<<<1, 8>>>(); }
