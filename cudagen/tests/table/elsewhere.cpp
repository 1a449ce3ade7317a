// Another file of the same program.

#include "table.h"

size_t pieces_elsewhere()
{
    return c2cuda_residency_v2::table().pieces.size();
}

int intervals_elsewhere()
{
    return c2cuda_residency_v2::open_intervals();
}
