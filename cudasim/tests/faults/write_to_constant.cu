// mode: check
// finding: write_to_constant.cu:4: kernel 'k', block \(0,0,0\) thread \(0,0,0\): write to constant 'factors'
__constant__ double factors[4];
__global__ void k() { factors[threadIdx.x] = 1; }
int main() { k<<<1, 1>>>(); }
