// Members of structures by the ways that lead to them, and values of enumerations.
enum Kind : short { ROUND, FLAT };

struct Part {
    int n;
    double v[8];
    Kind kind;
};

// A reference may lead to anything, a copy to nothing else.
void by_reference(Part &part, const Part &other, double *__restrict__ a)
{
#pragma scop
    for (int i = 0; i < part.n; i++)
        a[i] = part.v[i & 7] + other.v[i & 7];
#pragma endscop
}

void writes_by_reference(Part &part, double *a)
{
#pragma scop
    for (int i = 0; i < 8; i++)
        part.v[i] = a[i];
#pragma endscop
}

void copies(Part part, double *__restrict__ a)
{
#pragma scop
    for (int i = 0; i < part.n; i++)
        a[i] = part.v[i & 7];
    part.v[0] = a[0];
#pragma endscop
    a[1] = part.v[0];
}

void elements(int n, Part (&parts)[9], double *__restrict__ a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = parts[i].v[1];
    parts[3].n = n;
#pragma endscop
}

void counts(Kind kind, Kind *__restrict__ kinds, Kind &last, double *__restrict__ a)
{
#pragma scop
    for (int i = 0; i < kind; i++)
        a[i] = kinds[i] + last;
#pragma endscop
}
