void größe(int n, double *restrict fläche, const double *restrict höhe)
{
#pragma scop
    for (int i = 0; i < n; i++)
        /* Übergröße → ∞ */ fläche[i] = höhe[i * i];
#pragma endscop
}
