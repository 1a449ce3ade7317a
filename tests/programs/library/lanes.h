/* A library's header, found by `-isystem`: it means what the compiler that builds the program makes of it. */
#ifdef __AVX2__
#define LANES 4
#else
#define LANES 2
#endif

#if __GNUC__ >= 8
static const int modern = 3;
#else
static const int modern = 1;
#endif

enum kind { OLD, NEW };
#ifdef __clang__
#define KIND OLD
#else
#define KIND NEW
#endif
