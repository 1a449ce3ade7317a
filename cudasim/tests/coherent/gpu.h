/* What the programs of host code here call. */
#ifdef __cplusplus
extern "C" {
#endif
double *new_on_device(int n);
void copy_to_device(double *d, const double *a, int n);
void copy_to_host(double *a, const double *d, int n);
void add_on_device(double *d, int n, double x);
void free_on_device(double *d);
#ifdef __cplusplus
}
#endif
