// int2, double4, dim3 and their makers.
#pragma once

#define CUDASIM_VECTOR1(name, type, alignment)            \
  struct name { type x; };                                \
  inline name make_##name(type x) { return {x}; }
#define CUDASIM_VECTOR2(name, type, alignment)            \
  struct alignas(alignment) name { type x, y; };          \
  inline name make_##name(type x, type y) { return {x, y}; }
#define CUDASIM_VECTOR3(name, type, alignment)            \
  struct name { type x, y, z; };                          \
  inline name make_##name(type x, type y, type z) { return {x, y, z}; }
#define CUDASIM_VECTOR4(name, type, alignment)            \
  struct alignas(alignment) name { type x, y, z, w; };    \
  inline name make_##name(type x, type y, type z, type w) { return {x, y, z, w}; }

#define CUDASIM_VECTORS(base, type, size)                                           \
  CUDASIM_VECTOR1(base##1, type, size)                                              \
  CUDASIM_VECTOR2(base##2, type, 2 * size)                                          \
  CUDASIM_VECTOR3(base##3, type, size)                                              \
  CUDASIM_VECTOR4(base##4, type, (4 * size < 16 ? 4 * size : 16))

CUDASIM_VECTORS(char, signed char, 1)
CUDASIM_VECTORS(uchar, unsigned char, 1)
CUDASIM_VECTORS(short, short, 2)
CUDASIM_VECTORS(ushort, unsigned short, 2)
CUDASIM_VECTORS(int, int, 4)
CUDASIM_VECTORS(uint, unsigned, 4)
CUDASIM_VECTORS(long, long, 8)
CUDASIM_VECTORS(ulong, unsigned long, 8)
CUDASIM_VECTORS(longlong, long long, 8)
CUDASIM_VECTORS(ulonglong, unsigned long long, 8)
CUDASIM_VECTORS(float, float, 4)
CUDASIM_VECTORS(double, double, 8)

// Four values of 8 bytes, at multiples of 16 or of 32 bytes.
#define CUDASIM_WIDE_VECTORS(base, type)   \
  CUDASIM_VECTOR4(base##4_16a, type, 16)   \
  CUDASIM_VECTOR4(base##4_32a, type, 32)

CUDASIM_WIDE_VECTORS(long, long)
CUDASIM_WIDE_VECTORS(ulong, unsigned long)
CUDASIM_WIDE_VECTORS(longlong, long long)
CUDASIM_WIDE_VECTORS(ulonglong, unsigned long long)
CUDASIM_WIDE_VECTORS(double, double)

#undef CUDASIM_WIDE_VECTORS
#undef CUDASIM_VECTORS
#undef CUDASIM_VECTOR4
#undef CUDASIM_VECTOR3
#undef CUDASIM_VECTOR2
#undef CUDASIM_VECTOR1

struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr operator uint3() const { return uint3{x, y, z}; }
};
