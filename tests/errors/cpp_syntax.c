#include <vector>

void zero(std::vector<double> &a)
{
#pragma scop
    for (auto &x : a)
        x = 0.0;
#pragma endscop
}
