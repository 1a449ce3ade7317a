// exit: 134
// at-least
#include <cooperative_groups.h>
__global__ void k() { cooperative_groups::this_grid().sync(); }
int main() { k<<<2, 32>>>(); }
