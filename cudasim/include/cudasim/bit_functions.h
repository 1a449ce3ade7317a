// Integer intrinsics, reinterpretation of bits, and cached loads and stores.
#pragma once

inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
inline int __clz(int x) { return x ? __builtin_clz(unsigned(x)) : 32; }
inline int __clzll(long long x) { return x ? __builtin_clzll((unsigned long long)x) : 64; }
inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __ffsll(long long x) { return __builtin_ffsll(x); }
CUDASIM_UNCHECKED inline unsigned __brev(unsigned x) {
  unsigned reversed = 0;
  for (int bit = 0; bit < 32; ++bit) reversed |= (x >> bit & 1u) << (31 - bit);
  return reversed;
}
CUDASIM_UNCHECKED inline unsigned long long __brevll(unsigned long long x) {
  return (unsigned long long)__brev(unsigned(x)) << 32 | __brev(unsigned(x >> 32));
}
inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
  return unsigned(((unsigned long long)high << 32 | low) << (shift & 31) >> 32);
}
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
  return unsigned(((unsigned long long)high << 32 | low) >> (shift & 31));
}
// Four bytes of the eight in x and y, each chosen by four bits of the selector.
CUDASIM_UNCHECKED inline unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
  unsigned long long bytes = (unsigned long long)y << 32 | x;
  unsigned result = 0;
  for (int i = 0; i < 4; ++i)
    result |= (unsigned(bytes >> 8 * (selector >> 4 * i & 7)) & 0xff) << 8 * i;
  return result;
}
CUDASIM_UNCHECKED inline int __dp4a(int a, int b, int sum) {
  for (int i = 0; i < 4; ++i)
    sum += int((signed char)(a >> 8 * i)) * int((signed char)(b >> 8 * i));
  return sum;
}
inline unsigned __usad(unsigned x, unsigned y, unsigned sum) {
  return sum + (x > y ? x - y : y - x);
}
inline int __sad(int x, int y, unsigned sum) {
  return int(sum + unsigned(x > y ? x - y : y - x));
}
inline int __mul24(int a, int b) { return ((a << 8) >> 8) * ((b << 8) >> 8); }
inline unsigned __umul24(unsigned a, unsigned b) { return (a & 0xffffff) * (b & 0xffffff); }
inline int __mulhi(int a, int b) { return int((long long)a * b >> 32); }
inline unsigned __umulhi(unsigned a, unsigned b) {
  return unsigned((unsigned long long)a * b >> 32);
}

namespace cudasim {
template <class To, class From>
__forceinline__ To reinterpret_bits(From from) {
  static_assert(sizeof(To) == sizeof(From), "bits are kept");
  To to;
  __builtin_memcpy(&to, &from, sizeof to);
  return to;
}
}  // namespace cudasim

inline int __float_as_int(float x) { return cudasim::reinterpret_bits<int>(x); }
inline unsigned __float_as_uint(float x) { return cudasim::reinterpret_bits<unsigned>(x); }
inline float __int_as_float(int x) { return cudasim::reinterpret_bits<float>(x); }
inline float __uint_as_float(unsigned x) { return cudasim::reinterpret_bits<float>(x); }
inline long long __double_as_longlong(double x) { return cudasim::reinterpret_bits<long long>(x); }
inline double __longlong_as_double(long long x) { return cudasim::reinterpret_bits<double>(x); }
inline unsigned __float2uint_rn(float x) { return unsigned(rintf(x)); }
inline float __int2float_rn(int x) { return float(x); }
inline float __uint2float_rn(unsigned x) { return float(x); }
inline int __double2int_rn(double x) { return int(rint(x)); }
inline int __double2int_rz(double x) { return int(x); }
inline int __double2hiint(double x) {
  return int(cudasim::reinterpret_bits<long long>(x) >> 32);
}
inline int __double2loint(double x) { return int(cudasim::reinterpret_bits<long long>(x)); }
inline double __hiloint2double(int high, int low) {
  return cudasim::reinterpret_bits<double>((long long)high << 32 | unsigned(low));
}
inline int __float2int_rn(float x) { return int(rintf(x)); }
inline int __float2int_rz(float x) { return int(x); }
inline int __float2int_rd(float x) { return int(floorf(x)); }
inline int __float2int_ru(float x) { return int(ceilf(x)); }
inline double __int2double_rn(int x) { return double(x); }
inline float __double2float_rn(double x) { return float(x); }

namespace cudasim {

#ifdef CUDASIM_OBSERVED

void observe_read_past_l1(const void *address, size_t bytes, const void *caller);

// Not inlined, so that the return address is the place of the user's call.
template <class Type>
CUDASIM_UNCHECKED __noinline__ Type read_past_l1(const Type *address) {
  observe_read_past_l1(address, sizeof(Type), __builtin_return_address(0));
  return *address;
}

#else

template <class Type>
__forceinline__ Type read_past_l1(const Type *address) { return *address; }

#endif

}  // namespace cudasim

template <class Type>
__forceinline__ Type __ldg(const Type *address) { return *address; }
template <class Type>
__forceinline__ Type __ldcg(const Type *address) { return cudasim::read_past_l1(address); }
template <class Type>
__forceinline__ Type __ldca(const Type *address) { return *address; }
template <class Type>
__forceinline__ Type __ldcs(const Type *address) { return *address; }
template <class Type>
__forceinline__ Type __ldlu(const Type *address) { return *address; }
template <class Type>
__forceinline__ Type __ldcv(const Type *address) { return cudasim::read_past_l1(address); }
template <class Type>
__forceinline__ void __stwb(Type *address, Type value) { *address = value; }
template <class Type>
__forceinline__ void __stwt(Type *address, Type value) { *address = value; }
template <class Type>
__forceinline__ void __stcs(Type *address, Type value) { *address = value; }
template <class Type>
__forceinline__ void __stcg(Type *address, Type value) { *address = value; }

inline long long clock64() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000LL + now.tv_nsec;
}
inline void __nanosleep(unsigned) {}
inline void __trap(CUDASIM_HERE) { cudasim::trap({file, line}); }
