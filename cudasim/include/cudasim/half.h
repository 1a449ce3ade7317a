// Half precision, by the compiler's _Float16.  Every operation rounds once, as on a GPU: a float
// has more than twice the digits.
#pragma once

#include "../cuda_runtime.h"

struct __half {
  __half() = default;
  __half(float x) : value(_Float16(x)) {}
  __half(double x) : value(_Float16(x)) {}
  __half(int x) : value(_Float16(x)) {}
  operator float() const { return float(value); }

  _Float16 value;
};
typedef __half half;

struct alignas(4) __half2 {
  __half x, y;
};
typedef __half2 half2;

inline __half2 make_half2(__half x, __half y) { return {x, y}; }

// ---- conversions -------------------------------------------------------------------------

inline __half __float2half(float x) { return __half(x); }
inline __half __float2half_rn(float x) { return __half(x); }
inline __half __double2half(double x) { return __half(x); }
inline __half __int2half_rn(int x) { return __half(x); }
inline float __half2float(__half x) { return float(x); }
inline int __half2int_rn(__half x) { return int(rintf(float(x))); }
inline int __half2int_rz(__half x) { return int(float(x)); }
inline unsigned short __half_as_ushort(__half x) {
  return cudasim::reinterpret_bits<unsigned short>(x);
}
inline __half __ushort_as_half(unsigned short x) { return cudasim::reinterpret_bits<__half>(x); }

inline __half2 __half2half2(__half x) { return {x, x}; }
inline __half2 __float2half2_rn(float x) { return {x, x}; }
inline __half2 __floats2half2_rn(float x, float y) { return {x, y}; }
inline __half2 __float22half2_rn(float2 v) { return {v.x, v.y}; }
inline __half2 __halves2half2(__half x, __half y) { return {x, y}; }
inline float2 __half22float2(__half2 v) { return {float(v.x), float(v.y)}; }
inline __half __low2half(__half2 v) { return v.x; }
inline __half __high2half(__half2 v) { return v.y; }
inline float __low2float(__half2 v) { return float(v.x); }
inline float __high2float(__half2 v) { return float(v.y); }

// ---- arithmetic --------------------------------------------------------------------------

#define CUDASIM_HALF_BINARY(name, symbol)                                                        \
  inline __half operator symbol(__half a, __half b) { return __half(float(a) symbol float(b)); } \
  inline __half &operator symbol##=(__half &a, __half b) { return a = a symbol b; }              \
  inline __half __h##name(__half a, __half b) { return a symbol b; }                             \
  inline __half2 operator symbol(__half2 a, __half2 b) {                                         \
    return {a.x symbol b.x, a.y symbol b.y};                                                     \
  }                                                                                              \
  inline __half2 __h##name##2(__half2 a, __half2 b) { return a symbol b; }
CUDASIM_HALF_BINARY(add, +)
CUDASIM_HALF_BINARY(sub, -)
CUDASIM_HALF_BINARY(mul, *)
#undef CUDASIM_HALF_BINARY
inline __half operator/(__half a, __half b) { return __half(float(a) / float(b)); }
inline __half __hdiv(__half a, __half b) { return a / b; }
inline __half2 __h2div(__half2 a, __half2 b) { return {a.x / b.x, a.y / b.y}; }
inline __half operator-(__half a) { return __half(-float(a)); }
inline __half __hneg(__half a) { return -a; }
inline __half __habs(__half a) { return __half(fabsf(float(a))); }
inline __half __hmax(__half a, __half b) { return __half(fmaxf(float(a), float(b))); }
inline __half __hmin(__half a, __half b) { return __half(fminf(float(a), float(b))); }
// The product of two halves is exact in a double.
inline __half __hfma(__half a, __half b, __half c) {
  return __half(double(float(a)) * double(float(b)) + double(float(c)));
}
inline __half2 __hfma2(__half2 a, __half2 b, __half2 c) {
  return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
}

#define CUDASIM_HALF_COMPARISON(name, symbol)                                              \
  inline bool operator symbol(__half a, __half b) { return float(a) symbol float(b); }     \
  inline bool __h##name(__half a, __half b) { return a symbol b; }
CUDASIM_HALF_COMPARISON(eq, ==)
CUDASIM_HALF_COMPARISON(ne, !=)
CUDASIM_HALF_COMPARISON(lt, <)
CUDASIM_HALF_COMPARISON(le, <=)
CUDASIM_HALF_COMPARISON(gt, >)
CUDASIM_HALF_COMPARISON(ge, >=)
#undef CUDASIM_HALF_COMPARISON
inline bool __hisnan(__half a) { return float(a) != float(a); }

#define CUDASIM_HALF_FUNCTION(name, expression) \
  inline __half h##name(__half a) {             \
    float x = float(a);                         \
    return __half(expression);                  \
  }
CUDASIM_HALF_FUNCTION(sqrt, sqrtf(x))
CUDASIM_HALF_FUNCTION(rsqrt, rsqrtf(x))
CUDASIM_HALF_FUNCTION(rcp, 1.0f / x)
CUDASIM_HALF_FUNCTION(exp, expf(x))
CUDASIM_HALF_FUNCTION(log, logf(x))
CUDASIM_HALF_FUNCTION(sin, sinf(x))
CUDASIM_HALF_FUNCTION(cos, cosf(x))
CUDASIM_HALF_FUNCTION(floor, floorf(x))
CUDASIM_HALF_FUNCTION(ceil, ceilf(x))
#undef CUDASIM_HALF_FUNCTION

inline __half atomicAdd(__half *address, __half value) {
  return cudasim::atomic_change<cudasim::Scope::device>(
      address, [=](__half old) CUDASIM_UNCHECKED -> __half { return old + value; });
}
inline __half2 atomicAdd(__half2 *address, __half2 value) {
  return cudasim::atomic_change<cudasim::Scope::device>(
      address, [=](__half2 old) CUDASIM_UNCHECKED -> __half2 { return old + value; });
}
