#ifdef __cplusplus
extern "C"
#endif
void gpu_twice(int *a, int n);
