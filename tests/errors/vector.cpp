#include <vector>

void zero(std::vector<double> &a)
{
#pragma scop
    for (std::size_t i = 0; i < a.size(); i++)
        a[i] = 0.0;
#pragma endscop
}
