/* The sizes and the type of the data of gemm. */
#ifndef _GEMM_H
#define _GEMM_H

/* The size of the run: one of these, or each of NI, NJ, NK by -D. */
#if !defined(MINI_DATASET) && !defined(SMALL_DATASET) && !defined(MEDIUM_DATASET) && \
    !defined(LARGE_DATASET) && !defined(EXTRALARGE_DATASET)
#define LARGE_DATASET
#endif

#if !defined(NI) && !defined(NJ) && !defined(NK)

#ifdef MINI_DATASET
#define NI 20
#define NJ 25
#define NK 30
#endif

#ifdef SMALL_DATASET
#define NI 60
#define NJ 70
#define NK 80
#endif

#ifdef MEDIUM_DATASET
#define NI 200
#define NJ 220
#define NK 240
#endif

#ifdef LARGE_DATASET
#define NI 1000
#define NJ 1100
#define NK 1200
#endif

#ifdef EXTRALARGE_DATASET
#define NI 2000
#define NJ 2300
#define NK 2600
#endif

#endif

#define _PB_NI POLYBENCH_LOOP_BOUND(NI, ni)
#define _PB_NJ POLYBENCH_LOOP_BOUND(NJ, nj)
#define _PB_NK POLYBENCH_LOOP_BOUND(NK, nk)

#if !defined(DATA_TYPE_IS_FLOAT) && !defined(DATA_TYPE_IS_DOUBLE)
#define DATA_TYPE_IS_DOUBLE
#endif

#ifdef DATA_TYPE_IS_FLOAT
#define DATA_TYPE float
#define SCALAR_VAL(x) x##f
#else
#define DATA_TYPE double
#define SCALAR_VAL(x) x
#endif
/* Every bit counts. */
#define DATA_PRINTF_MODIFIER "%a "

#endif
