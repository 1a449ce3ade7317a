void	gather(int n, double *restrict a, const double *restrict b)
{
#pragma scop
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
			a[i]	+=	b[i * j];
#pragma endscop
}
