struct vector {
    union {
        struct {
            double x, y, z;
        };
        double v[3];
    };
};

void raise(int n, struct vector *p)
{
#pragma scop
    for (int i = 0; i < n; i++)
        p[i].z += 1;
#pragma endscop
}
