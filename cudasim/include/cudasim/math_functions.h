// What CUDA has beyond <math.h>.  The C++ <math.h> already gives the overloads: sqrt(float)
// is the float one, abs(double) works.  The fast intrinsics are computed exactly here, so
// they differ from a GPU in the last bits.
#pragma once

inline double rsqrt(double x) { return 1.0 / sqrt(x); }
inline float rsqrtf(float x) { return 1.0f / sqrtf(x); }
inline float rsqrt(float x) { return rsqrtf(x); }
inline double rcbrt(double x) { return 1.0 / cbrt(x); }
inline float rcbrtf(float x) { return 1.0f / cbrtf(x); }
inline float rcbrt(float x) { return rcbrtf(x); }
inline double sinpi(double x) { return sin(M_PI * fmod(x, 2.0)); }
inline float sinpif(float x) { return float(sinpi(double(x))); }
inline float sinpi(float x) { return sinpif(x); }
inline double cospi(double x) { return cos(M_PI * fmod(x, 2.0)); }
inline float cospif(float x) { return float(cospi(double(x))); }
inline float cospi(float x) { return cospif(x); }
inline double normcdf(double x) { return 0.5 * erfc(-x * M_SQRT1_2); }
inline float normcdff(float x) { return float(normcdf(double(x))); }
inline double rhypot(double x, double y) { return 1.0 / hypot(x, y); }
inline double norm3d(double x, double y, double z) { return sqrt(x * x + y * y + z * z); }
inline double rnorm3d(double x, double y, double z) { return 1.0 / norm3d(x, y, z); }
inline float saturate(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }
inline float __saturatef(float x) { return saturate(x); }
// glibc already has exp10, sincos and their float forms.
inline float exp10(float x) { return exp10f(x); }
inline void sincos(float x, float *s, float *c) { sincosf(x, s, c); }

inline float __sinf(float x) { return sinf(x); }
inline float __cosf(float x) { return cosf(x); }
inline float __tanf(float x) { return tanf(x); }
inline void __sincosf(float x, float *s, float *c) { sincosf(x, s, c); }
// glibc's math.h declares these three names for its own use, with C linkage.
#define __expf expf
#define __logf logf
#define __log2f log2f
#define __log10f log10f
#define __exp10f exp10f
#define __powf powf
inline float __fdividef(float x, float y) { return x / y; }
inline float fdividef(float x, float y) { return x / y; }
inline float __frsqrt_rn(float x) { return rsqrtf(x); }

// The _rn forms keep the compiler from contracting on a GPU; here nothing is contracted.
#define CUDASIM_ROUNDED(type, letter)                                                         \
  inline type __##letter##add_rn(type x, type y) { return x + y; }                            \
  inline type __##letter##sub_rn(type x, type y) { return x - y; }                            \
  inline type __##letter##mul_rn(type x, type y) { return x * y; }                            \
  inline type __##letter##div_rn(type x, type y) { return x / y; }                            \
  inline type __##letter##rcp_rn(type x) { return type(1) / x; }                              \
  inline type __##letter##sqrt_rn(type x) { return sqrt(x); }
CUDASIM_ROUNDED(double, d)
CUDASIM_ROUNDED(float, f)
#undef CUDASIM_ROUNDED
inline double __fma_rn(double x, double y, double z) { return fma(x, y, z); }
inline float __fmaf_rn(float x, float y, float z) { return fmaf(x, y, z); }
