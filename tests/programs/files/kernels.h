void smooth(int n, const double *restrict x, double *restrict y);
double correct(int n, const double *restrict x, double *restrict y);
double first(const double *x);
double total(int n, const double *x);
