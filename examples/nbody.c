/* Gravity: the acceleration of each of n bodies by all others. The softening keeps bodies that meet
 * from dividing by zero, and a body from needing to leave itself out.
 *
 * Usage: nbody [n]      (by default 500)
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void accelerate(int n, double softening, const double *restrict x, const double *restrict y,
                       const double *restrict z, const double *restrict mass,
                       double *restrict accel_x, double *restrict accel_y, double *restrict accel_z)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        double ax = 0.0;
        double ay = 0.0;
        double az = 0.0;
        for (int j = 0; j < n; j++) {
            double dx = x[j] - x[i];
            double dy = y[j] - y[i];
            double dz = z[j] - z[i];
            double d2 = dx * dx + dy * dy + dz * dz + softening;
            double pull = mass[j] / (d2 * sqrt(d2));
            ax += pull * dx;
            ay += pull * dy;
            az += pull * dz;
        }
        accel_x[i] = ax;
        accel_y[i] = ay;
        accel_z[i] = az;
    }
#pragma endscop
}

/* The size given as argument number `which`, or else the default. */
static int size(int argc, char **argv, int which, int otherwise)
{
    int value = which < argc ? atoi(argv[which]) : otherwise;
    return value > 0 ? value : 0;
}

static void *allocate(size_t count, size_t element)
{
    void *memory = calloc(count > 0 ? count : 1, element);
    if (memory == NULL) {
        perror("allocate");
        exit(EXIT_FAILURE);
    }
    return memory;
}

/* One line on which a difference in any bit of the array shows. */
static void print_array(const char *name, size_t count, const double *values)
{
    const unsigned char *bytes = (const unsigned char *)values;
    uint64_t checksum = 14695981039346656037u;
    for (size_t b = 0; b < count * sizeof *values; b++)
        checksum = (checksum ^ bytes[b]) * 1099511628211u;
    printf("%s: %zu values, checksum %016" PRIx64, name, count, checksum);
    if (count > 0)
        printf(", first %a, middle %a, last %a", values[0], values[count / 2], values[count - 1]);
    putchar('\n');
}

int main(int argc, char **argv)
{
    int n = size(argc, argv, 1, 500);
    double *x = allocate(n, sizeof *x);
    double *y = allocate(n, sizeof *y);
    double *z = allocate(n, sizeof *z);
    double *mass = allocate(n, sizeof *mass);
    double *ax = allocate(n, sizeof *ax);
    double *ay = allocate(n, sizeof *ay);
    double *az = allocate(n, sizeof *az);

    for (int i = 0; i < n; i++) {
        x[i] = 7 * i % 101 / 101.0;
        y[i] = 11 * i % 103 / 103.0;
        z[i] = 13 * i % 107 / 107.0;
        mass[i] = 1.0 + i % 5;
    }

    accelerate(n, 0.01, x, y, z, mass, ax, ay, az);
    print_array("ax", n, ax);
    print_array("ay", n, ay);
    print_array("az", n, az);

    free(x);
    free(y);
    free(z);
    free(mass);
    free(ax);
    free(ay);
    free(az);
    return 0;
}
