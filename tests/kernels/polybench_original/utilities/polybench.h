/* The macros that programs of the PolyBench suite are written in, with the meaning that they have there. Only
 * what the programs of this folder and others of their form need is here: no counters, no padding.
 *
 * POLYBENCH_USE_C99_PROTO   parameters have the lengths of the run (default: those of the dataset)
 * POLYBENCH_USE_SCALAR_LB   loops have the bounds of the dataset (default: those of the run)
 * POLYBENCH_USE_RESTRICT    array parameters are restrict
 * POLYBENCH_STACK_ARRAYS    arrays are objects of main (default: they are allocated)
 * POLYBENCH_DUMP_ARRAYS     what is live at the end is printed
 * POLYBENCH_DUMP_TARGET     where to (default: stderr)
 * POLYBENCH_TIME            the seconds between start and stop are printed
 */
#ifndef POLYBENCH_H
#define POLYBENCH_H

#include <stdlib.h>

#ifdef POLYBENCH_USE_C99_PROTO
#define POLYBENCH_C99_SELECT(dataset, run) run
#else
#define POLYBENCH_C99_SELECT(dataset, run) dataset
#endif

#ifdef POLYBENCH_USE_SCALAR_LB
#define POLYBENCH_LOOP_BOUND(dataset, run) dataset
#else
#define POLYBENCH_LOOP_BOUND(dataset, run) run
#endif

#ifdef POLYBENCH_USE_RESTRICT
#define POLYBENCH_RESTRICT restrict
#else
#define POLYBENCH_RESTRICT
#endif

#define POLYBENCH_1D(var, dim1, ddim1) var[POLYBENCH_RESTRICT POLYBENCH_C99_SELECT(dim1, ddim1)]
#define POLYBENCH_2D(var, dim1, dim2, ddim1, ddim2)                                                            \
    var[POLYBENCH_RESTRICT POLYBENCH_C99_SELECT(dim1, ddim1)][POLYBENCH_C99_SELECT(dim2, ddim2)]
#define POLYBENCH_3D(var, dim1, dim2, dim3, ddim1, ddim2, ddim3)                                               \
    var[POLYBENCH_RESTRICT POLYBENCH_C99_SELECT(dim1, ddim1)][POLYBENCH_C99_SELECT(dim2, ddim2)]               \
       [POLYBENCH_C99_SELECT(dim3, ddim3)]

#ifdef POLYBENCH_STACK_ARRAYS

#define POLYBENCH_ARRAY(x) x
#define POLYBENCH_FREE_ARRAY(x)
#define POLYBENCH_1D_ARRAY_DECL(var, type, dim1, ddim1) type var[POLYBENCH_C99_SELECT(dim1, ddim1)];
#define POLYBENCH_2D_ARRAY_DECL(var, type, dim1, dim2, ddim1, ddim2)                                           \
    type var[POLYBENCH_C99_SELECT(dim1, ddim1)][POLYBENCH_C99_SELECT(dim2, ddim2)];
#define POLYBENCH_3D_ARRAY_DECL(var, type, dim1, dim2, dim3, ddim1, ddim2, ddim3)                              \
    type var[POLYBENCH_C99_SELECT(dim1, ddim1)][POLYBENCH_C99_SELECT(dim2, ddim2)]                             \
            [POLYBENCH_C99_SELECT(dim3, ddim3)];

#else

#define POLYBENCH_ARRAY(x) *x
#define POLYBENCH_FREE_ARRAY(x) free((void *)x);
#define POLYBENCH_ALLOCATE(var) var = polybench_alloc_data(1, sizeof *var);
#define POLYBENCH_1D_ARRAY_DECL(var, type, dim1, ddim1)                                                        \
    type(*var)[POLYBENCH_C99_SELECT(dim1, ddim1)];                                                             \
    POLYBENCH_ALLOCATE(var)
#define POLYBENCH_2D_ARRAY_DECL(var, type, dim1, dim2, ddim1, ddim2)                                           \
    type(*var)[POLYBENCH_C99_SELECT(dim1, ddim1)][POLYBENCH_C99_SELECT(dim2, ddim2)];                          \
    POLYBENCH_ALLOCATE(var)
#define POLYBENCH_3D_ARRAY_DECL(var, type, dim1, dim2, dim3, ddim1, ddim2, ddim3)                              \
    type(*var)[POLYBENCH_C99_SELECT(dim1, ddim1)][POLYBENCH_C99_SELECT(dim2, ddim2)]                           \
              [POLYBENCH_C99_SELECT(dim3, ddim3)];                                                             \
    POLYBENCH_ALLOCATE(var)

#endif

/* Without a dump, a condition that no run meets keeps the compiler from dropping the kernel. */
#ifdef POLYBENCH_DUMP_ARRAYS
#define polybench_prevent_dce(call) (void)argc, (void)argv, call
#else
#define polybench_prevent_dce(call)                                                                            \
    if (argc > 42 && argv[0][0] == '\0')                                                                       \
    call
#endif

#ifndef POLYBENCH_DUMP_TARGET
#define POLYBENCH_DUMP_TARGET stderr
#endif
#define POLYBENCH_DUMP_START fprintf(POLYBENCH_DUMP_TARGET, "==BEGIN DUMP_ARRAYS==\n")
#define POLYBENCH_DUMP_FINISH fprintf(POLYBENCH_DUMP_TARGET, "==END   DUMP_ARRAYS==\n")
#define POLYBENCH_DUMP_BEGIN(name) fprintf(POLYBENCH_DUMP_TARGET, "begin dump: %s", name)
#define POLYBENCH_DUMP_END(name) fprintf(POLYBENCH_DUMP_TARGET, "\nend   dump: %s\n", name)

#ifdef POLYBENCH_TIME
#define polybench_start_instruments polybench_timer_start();
#define polybench_stop_instruments polybench_timer_stop();
#define polybench_print_instruments polybench_timer_print();
#else
#define polybench_start_instruments
#define polybench_stop_instruments
#define polybench_print_instruments
#endif

void polybench_timer_start(void);
void polybench_timer_stop(void);
void polybench_timer_print(void);

/* Zeros, or the end of the program. */
void *polybench_alloc_data(unsigned long long count, size_t element);

#endif
