struct vec {
    double x;
    vec &operator=(const vec &other);
};

void copy(int n, vec *to, const vec *from)
{
#pragma scop
    for (int i = 0; i < n; i++)
        to[i] = from[i];
#pragma endscop
}
