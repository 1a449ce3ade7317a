/* Arrays that are not a function's own, or that it may not change. */
static double changed[3] = {1, 2, 3};
static double doubled(double v[3], int k) { v[k] *= 2; return v[k]; }
static double at(const double v[3], int k) { return v[k]; }
static double in_part(int k) { double t[2] = {1, 2}; return at(t, k); }
static double kept(int k) { static double t[2]; t[k] += 1; return t[k]; }
static double in_order(int k) { double t[2] = {k++, k++}; return t[0]; }
static double braced(int k) { double t[2] = {{1}, 2}; return t[k]; }
static double designated(int k) { double t[2] = {[1] = 2}; return t[k]; }
static double of_variable(int k) { double t[2] = {k, changed[0]}; return t[k]; }
static double watched(int k) { volatile double t[2][2] = {{1, 2}, {3, 4}}; return t[k][1]; }
static double large(int k) { double t[1025]; t[k] = 1; return t[k]; }
extern const double elsewhere[3];
static double constant(int k) { return elsewhere[k]; }
static double variable(int k) { return changed[k]; }
static double own(int k) { double t[3] = {1, 2, 3}; return doubled(t, k); }
static double moved(const double v[3], const double w[3], int k) { v = w; return v[k]; }
static double moves(int k) { double t[3] = {1, 2, 3}; return moved(t, t, k); }

void all(int n, double a[n], double b[n][14])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        b[i][0] = own(i % 3);
        b[i][1] = at(a, 0);
        b[i][2] = in_part(i % 2);
        b[i][3] = kept(i % 2);
        b[i][4] = in_order(i);
        b[i][5] = braced(i % 2);
        b[i][6] = watched(i % 2);
        b[i][7] = large(i % 2);
        b[i][8] = constant(i % 3);
        b[i][9] = variable(i % 3);
        b[i][10] = moves(i % 3);
        b[i][11] = designated(i % 2);
        b[i][12] = of_variable(i % 2);
    }
#pragma endscop
}
