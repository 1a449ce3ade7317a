/* Calls that return more than once, so that code before a region runs again after it. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdio.h>
#include <ucontext.h>

static ucontext_t again, other;
static jmp_buf jump;
static char stack[1 << 16];
static volatile int count;

static void with_context(int n, double *restrict out)
{
    double a[4] = {1, 2, 3, 4};
    getcontext(&again);
    printf("%g %g\n", a[0], a[3]);
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 2;
    for (int i = 0; i < n; i++)
        out[i] += 1;
#pragma endscop
    if (count++ < 2)
        setcontext(&again);
}

static void resume(void)
{
    for (;;) {
        count++;
        swapcontext(&other, &again);
    }
}

static void with_swapped_context(int n)
{
    double a[4] = {1, 2, 3, 4};
    getcontext(&other);
    other.uc_stack.ss_sp = stack;
    other.uc_stack.ss_size = sizeof stack;
    makecontext(&other, resume, 0);
    swapcontext(&again, &other);
    printf("%g %g\n", a[0], a[3]);
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 2;
#pragma endscop
    if (count < 4)
        setcontext(&other);
}

static void with_jump(int n)
{
    static double kept[4];
    if (setjmp(jump) > 0)
        printf("%g %g\n", kept[0], kept[3]);
#pragma scop
    for (int i = 0; i < n; i++)
        kept[i] += i + 1.5;
#pragma endscop
    if (count++ < 2)
        longjmp(jump, 1);
}

/* A name that nobody knows, with the attribute. */
int my_getcontext(ucontext_t *) __asm__("getcontext") __attribute__((returns_twice));

static void with_attribute(int n)
{
    double a[4] = {1, 2, 3, 4};
    my_getcontext(&again);
    printf("%g %g\n", a[0], a[3]);
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 2;
#pragma endscop
    if (count++ < 2)
        setcontext(&again);
}

int main(void)
{
    double out[4] = {0};
    with_context(4, out);
    printf("%g %g\n", out[0], out[3]);
    count = 0;
    with_swapped_context(4);
    count = 0;
    with_jump(4);
    count = 0;
    with_attribute(4);
    return 0;
}
