// min and max in the global namespace, for exactly the pairs of types that CUDA has.  They
// are no templates, so that std::min may be in sight too.
#pragma once

#define CUDASIM_MIN_MAX(result, left, right)                                                  \
  inline result min(left a, right b) { return (result)a < (result)b ? (result)a : (result)b; } \
  inline result max(left a, right b) { return (result)a < (result)b ? (result)b : (result)a; }

CUDASIM_MIN_MAX(int, int, int)
CUDASIM_MIN_MAX(unsigned, unsigned, unsigned)
CUDASIM_MIN_MAX(unsigned, int, unsigned)
CUDASIM_MIN_MAX(unsigned, unsigned, int)
CUDASIM_MIN_MAX(long, long, long)
CUDASIM_MIN_MAX(unsigned long, unsigned long, unsigned long)
CUDASIM_MIN_MAX(unsigned long, long, unsigned long)
CUDASIM_MIN_MAX(unsigned long, unsigned long, long)
CUDASIM_MIN_MAX(long long, long long, long long)
CUDASIM_MIN_MAX(unsigned long long, unsigned long long, unsigned long long)
CUDASIM_MIN_MAX(unsigned long long, long long, unsigned long long)
CUDASIM_MIN_MAX(unsigned long long, unsigned long long, long long)
#undef CUDASIM_MIN_MAX

// A NaN beside a number gives the number.
inline float min(float a, float b) { return fminf(a, b); }
inline float max(float a, float b) { return fmaxf(a, b); }
inline double min(double a, double b) { return fmin(a, b); }
inline double max(double a, double b) { return fmax(a, b); }
inline double min(float a, double b) { return fmin(double(a), b); }
inline double max(float a, double b) { return fmax(double(a), b); }
inline double min(double a, float b) { return fmin(a, double(b)); }
inline double max(double a, float b) { return fmax(a, double(b)); }

inline unsigned umin(unsigned a, unsigned b) { return min(a, b); }
inline unsigned umax(unsigned a, unsigned b) { return max(a, b); }
inline long long llmin(long long a, long long b) { return min(a, b); }
inline long long llmax(long long a, long long b) { return max(a, b); }
