struct vec {
    double x, y;
    vec operator+(const vec &o) const { return {x + o.x, y + o.y}; }
};

void add(int n, vec *a, const vec *b)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = a[i] + b[i];
#pragma endscop
}
