int position;

int where(void) { return position; }

void fill(int n, double *a)
{
#pragma scop
    for (position = 0; position < n; position++)
        a[position] = where();
#pragma endscop
}
