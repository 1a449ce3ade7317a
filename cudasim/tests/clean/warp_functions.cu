// Every form of shuffle, vote, match and reduction, on all types, with and without width.
// output: 0 wrong
__device__ int wrong;
#define EXPECT(condition) do { if (!(condition)) { atomicAdd(&wrong, 1); printf("line %d, lane %d\n", __LINE__, lane); } } while (0)
template <class T> __device__ void shuffles(int lane) {
  T value = T(lane), got;
  got = __shfl_sync(~0u, value, 5);
  EXPECT(got == T(5));
  got = __shfl_sync(~0u, value, 35);
  EXPECT(got == T(3));
  got = __shfl_sync(~0u, value, 1, 8);
  EXPECT(got == T(lane / 8 * 8 + 1));
  got = __shfl_up_sync(~0u, value, 2);
  EXPECT(got == T(lane < 2 ? lane : lane - 2));
  got = __shfl_up_sync(~0u, value, 1, 4);
  EXPECT(got == T(lane % 4 ? lane - 1 : lane));
  got = __shfl_down_sync(~0u, value, 3);
  EXPECT(got == T(lane + 3 < 32 ? lane + 3 : lane));
  got = __shfl_down_sync(~0u, value, 8, 16);
  EXPECT(got == T(lane % 16 < 8 ? lane + 8 : lane));
  got = __shfl_xor_sync(~0u, value, 1);
  EXPECT(got == T(lane ^ 1));
  got = __shfl_xor_sync(~0u, value, 16, 16);
  EXPECT(got == T(lane < 16 ? lane : lane ^ 16));
}
__global__ void all() {
  int lane = threadIdx.x % warpSize;
  shuffles<int>(lane), shuffles<unsigned>(lane), shuffles<long>(lane), shuffles<unsigned long long>(lane);
  shuffles<float>(lane), shuffles<double>(lane);
  EXPECT(__ballot_sync(~0u, lane & 1) == 0xaaaaaaaau);
  EXPECT(__any_sync(~0u, lane == 31) && !__any_sync(~0u, lane == 32));
  EXPECT(__all_sync(~0u, lane < 32) && !__all_sync(~0u, lane < 31));
  EXPECT(__match_any_sync(~0u, lane % 4) == 0x11111111u << lane % 4);
  int same;
  EXPECT(__match_all_sync(~0u, 2.5, &same) == ~0u && same);
  EXPECT(__match_all_sync(~0u, lane, &same) == 0 && !same);
  EXPECT(__reduce_add_sync(~0u, lane) == 496 && __reduce_min_sync(~0u, lane - 7) == -7);
  EXPECT(__reduce_max_sync(~0u, unsigned(lane)) == 31 && __reduce_xor_sync(~0u, 1u << lane) == ~0u);
  EXPECT(__reduce_and_sync(~0u, ~(1u << lane)) == 0 && __reduce_or_sync(~0u, 1u << lane) == ~0u);
  if (lane < 12) {
    unsigned mask = __activemask();
    EXPECT(mask == 0xfff && __reduce_add_sync(mask, 1) == 12);
    if (lane % 2) EXPECT(__activemask() == 0xaaa);
  }
  EXPECT(__syncthreads_count(lane < 3) == 3 * int(blockDim.x / 32));
  EXPECT(__syncthreads_or(lane == 40) == 0 && __syncthreads_and(lane < 40));
}
__global__ void part() {
  int lane = threadIdx.x;
  int got = __shfl_down_sync(0xfffff, lane, 1);
  EXPECT(lane == 19 || got == lane + 1);
  EXPECT(__activemask() == 0xfffff && __ballot_sync(0xfffff, 1) == 0xfffff);
}
int main() {
  int count;
  all<<<2, 64>>>();
  part<<<1, 20>>>();
  cudaMemcpyFromSymbol(&count, wrong, sizeof count);
  printf("%d wrong\n", count);
}
