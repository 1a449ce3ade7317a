void gpu_start(void);

__attribute__((constructor)) static void start(void) { gpu_start(); }
