#define MAX(x, y) ({ __typeof__(x) x_ = (x); __typeof__(y) y_ = (y); x_ > y_ ? x_ : y_; })

void floor_at(int n, double *a, double least)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = MAX(a[i], least);
#pragma endscop
}
