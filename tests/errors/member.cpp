struct base {
    double size;
};

class field : base {
    double &sum;
    double size;

  public:
    explicit field(double &total) : sum(total) {}
    void zero(int n, double *a)
    {
#pragma scop
        for (int i = 0; i < n; i++)
            a[i] = base::size * size;
        sum = 0;
#pragma endscop
    }
};
