/*
 * Memory that stays on the GPU while code runs that c2cuda does not translate.
 *
 *     #include "c2cuda.h"
 *
 *     c2cuda_data_begin(u, n * sizeof *u);
 *     for (int t = 0; t < steps; t++)
 *         step(n, u);                              // of a file translated with `c2cuda --residency callers`
 *     c2cuda_data_reads(&u[n / 2], sizeof u[n / 2]);
 *     printf("%g\n", u[n / 2]);
 *     c2cuda_data_end(u, n * sizeof *u);
 *
 * From begin to end, regions of translated files leave the newest values of these bytes on the device. Code that c2cuda
 * does not translate must announce that it reads or writes them. The file also compiles without c2cuda, and the functions
 * then do nothing. For C and C++.
 */
#ifndef C2CUDA_H
#define C2CUDA_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Translated files define these. Where no translated file is linked, their addresses are null. */
#if defined(__GNUC__) && !defined(_WIN32)
#define C2CUDA_OPTIONAL __attribute__((weak))
#define C2CUDA_INLINE __inline__
#define C2CUDA_CALL(function, start, bytes) (function ? function(start, bytes) : (void)0)
#elif defined(C2CUDA_LINKED)
/* Other compilers: define C2CUDA_LINKED if translated files are linked. */
#define C2CUDA_OPTIONAL
#define C2CUDA_INLINE inline
#define C2CUDA_CALL(function, start, bytes) function(start, bytes)
#else
#define C2CUDA_OPTIONAL
#define C2CUDA_INLINE inline
#define C2CUDA_CALL(function, start, bytes) ((void)(start), (void)(bytes))
#endif

void c2cuda_data_begin_v1(const void *start, size_t bytes) C2CUDA_OPTIONAL;
void c2cuda_data_end_v1(const void *start, size_t bytes) C2CUDA_OPTIONAL;
void c2cuda_data_reads_v1(const void *start, size_t bytes) C2CUDA_OPTIONAL;
void c2cuda_data_writes_v1(const void *start, size_t bytes) C2CUDA_OPTIONAL;

/* These bytes stay on the device until the matching end. Calls may be nested, and their ranges may overlap. */
static C2CUDA_INLINE void c2cuda_data_begin(const void *start, size_t bytes)
{
    C2CUDA_CALL(c2cuda_data_begin_v1, start, bytes);
}

/* The host gets the newest values, unless another begin still holds them. To be called with the values of the begin,
 * before the memory is freed. */
static C2CUDA_INLINE void c2cuda_data_end(const void *start, size_t bytes)
{
    C2CUDA_CALL(c2cuda_data_end_v1, start, bytes);
}

/* The caller will read these bytes: what is newer on the device is copied back. */
static C2CUDA_INLINE void c2cuda_data_reads(const void *start, size_t bytes)
{
    C2CUDA_CALL(c2cuda_data_reads_v1, start, bytes);
}

/* The caller will write some of these bytes, before the next region runs. */
static C2CUDA_INLINE void c2cuda_data_writes(const void *start, size_t bytes)
{
    C2CUDA_CALL(c2cuda_data_writes_v1, start, bytes);
}

#undef C2CUDA_CALL
#undef C2CUDA_INLINE
#undef C2CUDA_OPTIONAL

#ifdef __cplusplus
}
#endif

#endif
