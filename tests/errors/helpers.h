static double total;

static double accumulate(double x)
{
    total += x;
    return total;
}

#define SQUARE_AT(a, i) ((a)[(i) * (i)])
