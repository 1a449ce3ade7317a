// mode: check
// finding: failed_launch.cu:4: host code: failed launch: kernel 'k' did not run \(invalid configuration argument\)
__global__ void k() {}
int main() { k<<<1, 1025>>>(); }
