// build-error: wrong_arguments.cu:3:.*(no match for call|too few arguments)
__global__ void k(int *a, int n) { a[0] = n; }
int main() { int *a = nullptr; k<<<1, 1>>>(a); }
