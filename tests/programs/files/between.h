void keep(double *x);
void change_kept(int t);
void there_and_back(int n, double *u, double *v);
void down(int n, double *x, int depth);
void up(int n, double *x, int depth);
void swap(double **a, double **b);
