// flags: clean/before_main.c
// output: main sees 7 and 5
// output: the end sees 8
// Kernels run in a constructor and in a destructor of a C++ variable, and in a constructor of a C file.
__global__ void add_one(int *a) {
  __shared__ int copies[32];
  copies[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  a[threadIdx.x] = copies[(threadIdx.x + 1) % 32] + 1;
}
static void gpu_add_one(int *a) {
  int *d;
  cudaMalloc(&d, 32 * sizeof *d);
  cudaMemcpy(d, a, 32 * sizeof *d, cudaMemcpyHostToDevice);
  add_one<<<1, 32>>>(d);
  cudaMemcpy(a, d, 32 * sizeof *d, cudaMemcpyDeviceToHost);
  cudaFree(d);
}

struct Table {
  int entries[32];
  explicit Table(int start) {
    for (int &entry : entries) entry = start;
    gpu_add_one(entries);
  }
  ~Table() {
    gpu_add_one(entries);
    printf("the end sees %d\n", entries[31]);
  }
};
static Table table(6);

static int early = 4;
extern "C" void gpu_start() {
  int a[32];
  for (int &entry : a) entry = early;
  gpu_add_one(a);
  early = a[31];
}

int main() { printf("main sees %d and %d\n", table.entries[0], early); }
