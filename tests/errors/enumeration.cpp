enum class shape : bool { flat, round };
enum color { red, green };

struct stone {
    double weight;
    color paint;
};

void paint(int n, const shape *shapes, stone *stones, double *a)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        a[i] = shapes[i] == shape::round;
        a[i] = a[i] + (stones[i].paint == red);
    }
#pragma endscop
}
