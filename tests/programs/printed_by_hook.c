/* A function of the program that prints a conversion of its own, and writes to what it prints. */
#include <stdio.h>
#include <printf.h>

static double numbers[64];

static int print_numbers(FILE *file, const struct printf_info *info, const void *const *arguments)
{
    int count = 0;
    for (int i = 0; i < 64; i++)
        count += fprintf(file, "%a ", numbers[i]);
    numbers[1] += 1;
    return count;
}

static int no_arguments(const struct printf_info *info, size_t count, int *types, int *sizes)
{
    return 0;
}

int main(void)
{
    register_printf_specifier('Y', print_numbers, no_arguments);
    for (int t = 0; t < 3; t++) {
#pragma scop
        for (int i = 0; i < 64; i++)
            numbers[i] = numbers[i] * 2 + i;
#pragma endscop
        printf("%Y\n");
    }
    for (int i = 0; i < 64; i++)
        printf("%a ", numbers[i]);
    return 0;
}
