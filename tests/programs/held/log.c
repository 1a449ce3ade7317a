// Not translated.
#include <stdio.h>

void log_step(int t)
{
    printf("step %d\n", t);
}

void look(const double *x)
{
    printf("%g\n", x[0]);
}
