class field {
    double *values;
    int n;

  public:
    void zero()
    {
#pragma scop
        for (int i = 0; i < n; i++)
            values[i] = 0.0;
#pragma endscop
    }
};
