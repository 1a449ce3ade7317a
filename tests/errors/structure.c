struct point {
    double x, y;
};

void move(int n, struct point *points)
{
#pragma scop
    for (int i = 0; i < n; i++)
        points[i].x += 1.0;
#pragma endscop
}
