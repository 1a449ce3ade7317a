struct point {
    double x, y;
};

void move(int n, struct point *points, struct point by)
{
#pragma scop
    for (int i = 0; i < n; i++)
        points[i] = by;
#pragma endscop
}
