// build-error: limits/inline_ptx.cu:4: inline PTX is not simulated
__device__ unsigned lane() {
  unsigned id;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(id));
  return id;
}
int main() {
  int flags;
  asm("xorl %0, %0" : "=r"(flags));
  return flags;
}
