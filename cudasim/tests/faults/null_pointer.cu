// mode: check
// finding: null_pointer.cu:4: kernel 'k', block \(0,0,0\) thread \(0,0,0\): bad pointer: write through a null pointer
// finding: kernel 'k', block \(0,0,0\) thread \(0,0,0\): the kernel accessed an address that does not exist
__global__ void k(int *a) { a[threadIdx.x] = 1; }
int main() { k<<<1, 1>>>(NULL); }
