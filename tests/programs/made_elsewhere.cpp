// Objects to which whoever made them keeps a pointer: a constructor that is written for one class of a template, and a
// function whose variable is the caller's object.
#include <cstdio>

template <class T> struct Scale {
    T factor;
    Scale(T f) : factor(f) {}
};
static Scale<double> *last_scale;
template <> struct Scale<double> {
    double factor;
    Scale(double f) : factor(f) { last_scale = this; }
};

template <class T> struct Shift {
    T by;
    Shift(T b) : by(b) {}
};
static Shift<int> *last_shift;
template <> Shift<int>::Shift(int b) : by(b) { last_shift = this; }

struct Wide {
    double factor, padding[8];
    ~Wide() {}
};
static Wide *last_wide;
static Wide wide(double f)
{
    Wide w{f, {}};
    last_wide = &w;
    return w;
}

static void specialised(int n, double *x)
{
    Scale<double> s(2), *t = last_scale;
#pragma scop
    for (int i = 0; i < n; i++) {
        t->factor = t->factor + 1;
        x[i] = s.factor * i;
    }
#pragma endscop
}

static void specialised_member(int n, double *x)
{
    Shift<int> s(2), *t = last_shift;
#pragma scop
    for (int i = 0; i < n; i++) {
        t->by = t->by + 1;
        x[i] = s.by * i;
    }
#pragma endscop
}

static void returned(int n, double *x)
{
    Wide w = wide(2), *t = last_wide;
#pragma scop
    for (int i = 0; i < n; i++) {
        t->factor = t->factor + 1;
        x[i] = w.factor * i;
    }
#pragma endscop
}

static void passed(int n, double *x, Wide w)
{
    Wide *t = last_wide;
#pragma scop
    for (int i = 0; i < n; i++) {
        t->factor = t->factor + 1;
        x[i] = w.factor * i;
    }
#pragma endscop
}

static void show(const char *what, int n, const double *x)
{
    std::printf("%s", what);
    for (int i = 0; i < n; i++)
        std::printf(" %g", x[i]);
    std::printf("\n");
}

int main()
{
    double x[20];
    specialised(20, x);
    show("specialised", 20, x);
    specialised_member(20, x);
    show("specialised member", 20, x);
    returned(20, x);
    show("returned", 20, x);
    passed(20, x, wide(3));
    show("passed", 20, x);
}
