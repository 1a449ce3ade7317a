// Another file of the same program.

#include "table.h"

size_t pieces_elsewhere()
{
    return c2cuda_residency_v1::table().pieces.size();
}

int intervals_elsewhere()
{
    return c2cuda_residency_v1::open_intervals();
}
