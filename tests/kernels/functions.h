/* What functions.c takes from a header of its own. */
static inline double between(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

static inline int common_divisor(int a, int b)
{
    while (b != 0) {
        int rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}
