/* C++: namespaces, classes, references, and code that nobody sees. What several things are called by one name, and what is
 * read by another name than it was written with. */
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

static void show(const char *name, const double *values, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum = sum * 0.75 + values[i];
    std::printf("%s: %.17g\n", name, sum);
}

static const int SIZE = 64;

/* Variables of one name in several places. */
double v[SIZE], k = 0.5;
namespace outer {
double v[SIZE], k = 1.5;
namespace {
double hidden[SIZE];
}
inline namespace versioned {
double w[SIZE];
double last;
}
namespace inner {
double v[SIZE];
}

void fill(int n)
{
    double k = 2.5;
#pragma scop
    for (int i = 0; i < n; i++) {
        v[i] = i * k + outer::k;
        ::v[i] = v[i] * ::k;
        inner::v[i] = v[i] + 1;
        hidden[i] = v[i] + 2;
    }
    last = n;
#pragma endscop
}
}
namespace shorter = outer::inner;

static void from_outside(int n)
{
    using outer::hidden;
    using namespace outer::versioned;
#pragma scop
    for (int i = 0; i < n; i++) {
        w[i] = hidden[i] + v[i];
        shorter::v[i] += ::outer::v[i];
    }
#pragma endscop
}

extern "C" {
double linked[SIZE];
void link(int n)
{
    extern double last_link;
#pragma scop
    for (int i = 0; i < n; i++)
        linked[i] = i * 0.25;
    last_link = n;
#pragma endscop
}
double last_link;
}

static void kept(int n)
{
    static double calls[SIZE];
    thread_local double sums[SIZE];
#pragma scop
    for (int i = 0; i < n; i++) {
        calls[i] = calls[i] + 1;
        sums[i] = sums[i] + calls[i];
    }
#pragma endscop
    if (n > 0 && calls[n - 1] > 1)
        show("sums", sums, n);
}

/* Members of the object, of its bases, and of the class. */
template <class T, int N> struct table {
    static T v[N];
};
template <class T, int N> T table<T, N>::v[N];
using numbers = table<double, SIZE>;

struct base {
    double size;
    double edge[SIZE];
};

class field : public base {
    double *cells;
    int n;
    mutable double read;
    static double v[SIZE];
    static constexpr int scale = 3;
    enum { shift = 5 };
    enum class kind : short { none = 7 };

  public:
    field(double *cells_, int n_) : cells(cells_), n(n_), read(0)
    {
#pragma scop
        for (int i = 0; i < n; i++)
            cells[i] = i * scale + shift + static_cast<int>(kind::none);
        size = n_;
#pragma endscop
    }

    void run(double factor)
    {
#pragma scop
        for (int i = 0; i < n; i++) {
            edge[i] = this->cells[i] * factor;
            v[i] = edge[i] + ::v[i];
        }
#pragma endscop
    }

    double operator[](int position) const
    {
        double local[SIZE] = {};
#pragma scop
        for (int i = 0; i < n; i++)
            local[i] = cells[i] * position;
        read = position;
#pragma endscop
        return n > 0 ? local[n - 1] + read : read;
    }

    static void statics(int n)
    {
#pragma scop
        for (int i = 0; i < n; i++) {
            field::v[i] = field::v[i] * 2;
            numbers::v[i] = field::v[i];
        }
#pragma endscop
        show("statics", v, n);
    }

    friend void befriended(field &f)
    {
#pragma scop
        for (int i = 0; i < f.n; i++)
            f.edge[i] = field::v[i] + f.size;
#pragma endscop
        show("befriended", f.edge, f.n);
    }
};
double field::v[SIZE];

struct small {
    double x;
};
struct large : small {
    double y[3];
};

static void derived(int n, large *p, large (&all)[SIZE])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        p[i].x = i;
        all[i].x = p[i].x + 1;
        all[i].y[2] = i * 0.5;
    }
#pragma endscop
}

/* Locals that are read by other names. */
struct guard {
    double &sum;
    const double *values;
    int n;
    ~guard() { std::printf("%.17g %.17g\n", sum, n > 0 ? values[n - 1] : 0); }
};

static void references(int n, double *x, double &total, const double &factor)
{
    double sum = 0, part = 0, rest = 0, one = 0, other = 0, wrapped = 0, cast = 0;
    double &again = sum;
    double temporary[SIZE], row[SIZE], pair[2] = {0, 0};
    guard last{rest, temporary, n};
    auto print = [&] { std::printf("%.17g\n", part); };
    auto &[first, second] = pair;
    double *either = &(n > 3 ? one : other);
    auto reference = std::ref(wrapped);
    double &&moved = static_cast<double &&>(cast);
    double (&columns)[SIZE] = row;
#pragma scop
    for (int i = 0; i < n; i++) {
        temporary[i] = x[i] * factor;
        columns[i] = x[i] + 1;
    }
    for (int i = 0; i < n; i++) {
        sum += x[i];
        part += temporary[i];
        pair[1] = pair[1] + 1;
    }
    total += sum;
    pair[0] = total;
    rest = n;
    one = n + 1;
    other = n + 2;
    wrapped = n + 3;
    cast = n + 4;
#pragma endscop
    print();
    std::printf("%.17g %.17g %.17g %.17g %.17g %.17g\n", again, first, second, *either, reference.get(), moved);
    for (double &value : row)
        value = &value - row < n ? value : 0;
    show("row", row, SIZE);
}

static void in_a_condition(int n, double *x)
{
    double sum = 0;
    if (int half = n / 2; half > 1) {
#pragma scop
        for (int i = 0; i < half; i++)
            x[i] = x[i] * half;
        sum = x[0];
#pragma endscop
    } else {
        sum = -1;
    }
    try {
#pragma scop
        for (int i = 0; i < n; i++)
            x[i] = x[i] + 1;
        sum = sum + n;
#pragma endscop
        if (n > 2)
            throw n;
        sum = 0;
    } catch (int) {
        std::printf("%.17g\n", sum);
    }
}

/* Functions of one name. */
static double square(double x) { return x * x; }
static float square(float x) { return x * x + 1; }
template <class T> T twice(T x)
{
    if (x > 10)
        return x;
    return x + x;
}
template <> int twice(int x) { return 3 * x; }
static auto same(double x) -> decltype(x++) { return x; }
namespace mine {
double sqrt(double x) { return x + 100; }
}

static void calls(int n, double *x, float *f)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        x[i] = square(x[i]) + mine::sqrt(x[i]) + std::sqrt(std::abs(x[i])) + twice(x[i]) + twice(i) + same(i);
        f[i] = square(f[i]) + std::fabs(f[i]) + twice(f[i]);
    }
#pragma endscop
}

static void vectors(int n, int steps)
{
    std::vector<double> a(n + 2, 1.0), b(n + 2, 0.5);
    double *from = a.data(), *to = b.data();
    for (int step = 0; step < steps; step++) {
#pragma scop
        for (int i = 1; i <= n; i++)
            to[i] = from[i - 1] + from[i] * 0.5 + step;
#pragma endscop
        std::swap(from, to);
        a[0] += 1;
    }
    show("from", from, n + 2);
    show("to", to, n + 2);
}

/* Overloads of functions that are macros in C, and constants of the library and of templates. */
template <typename T>
constexpr T third = T(1) / 3;
template <typename T>
const int bits = sizeof(T) * 8;

static void numeric(int n, const double *x, const float *f, double *y)
{
    using limits = std::numeric_limits<double>;
#pragma scop
    for (int i = 0; i < n; i++) {
        double of_x = std::isnan(x[i]) + 2 * std::isfinite(x[i]) + 4 * std::signbit(x[i]) + 8 * std::isinf(x[i]);
        double of_f = std::isnan(f[i]) + 2 * std::isfinite(f[i]) + 4 * std::signbit(f[i]) + 8 * std::isnormal(f[i]);
        y[i] = of_x + 16 * of_f + 256 * std::isinf(i) + 512 * std::signbit(i - 5);
        y[i] += std::clamp(i, 3, 7) + std::lround(i * 0.5) + std::lrint(i * 0.5f) + third<double> + third<float>;
        y[i] += bits<float> + limits::epsilon() + std::numeric_limits<float>::min() + std::numeric_limits<int>::max();
        y[i] += std::numeric_limits<long>::digits + std::numeric_limits<unsigned char>::lowest();
        if (i % 4 == 3)
            y[i] = i % 8 == 3 ? limits::infinity() : i % 16 == 7 ? limits::lowest() : limits::quiet_NaN();
    }
#pragma endscop
}

enum tone : short { low = -3, middle = 4, high = 500 };
enum class kind : unsigned char { first, second = 200, third };
enum plain { none, some = 7 };

struct counted {
    static int count;
    static const int step = 3;
    int own;
    void add(int n, int *to);
};
int counted::count = 5;

// Enumerations in memory, as values, and in bounds.
static tone enumerations(int n, tone *__restrict tones, kind (*__restrict kinds)[3], const plain *plains, kind last, plain *found)
{
    tone highest = low;
    static kind of_file[4];
#pragma scop
    for (int i = 0; i < n; i++) {
        kind here = kinds[i][1];
        if (tones[i] < middle && here != kind::third)
            tones[i] = static_cast<tone>(tones[i] + i);
        kinds[i][0] = here == last ? kind::second : kinds[i][2];
        kinds[i][2] = plains[i] == some ? kind(i % 3 + 200) : here < kind::second ? kind::third : here;
    }
    if (last == kind::second)
        for (int i = 0; i < n; i++)
            kinds[i][1] = last;
    for (int i = 0; i < 4; i++)
        of_file[i] = i < n ? kinds[i][0] : kind::first;
    *found = plains[0] == none ? some : none;
    for (int i = 0; i < n; i++)
        if (tones[i] > highest)
            highest = tones[i];
#pragma endscop
    for (kind one : of_file)
        std::printf("%d ", static_cast<int>(one));
    return highest;
}

// A static member through objects, a pointer to one, and `this`.
static void one_for_all(int n, counted object, counted *pointer, int *__restrict to)
{
#pragma scop
    for (int i = 0; i < n; i++)
        to[i] += object.count * i + pointer->count + object.step;
    object.count = n;
#pragma endscop
}

void counted::add(int n, int *to)
{
#pragma scop
    for (int i = 0; i < n; i++)
        to[i] += this->count;
#pragma endscop
}

static void show_bits(const double *values, int count)
{
    unsigned long long sum = 0;
    for (int i = 0; i < count; i++) {
        unsigned long long bits;
        std::memcpy(&bits, &values[i], sizeof bits);
        sum = sum * 31 + bits;
    }
    std::printf("%llx\n", sum);
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? std::atoi(argv[1]) : 20;
    std::vector<double> x(SIZE);
    std::vector<float> f(SIZE);
    for (int i = 0; i < SIZE; i++) {
        x[i] = i * 0.37 - 3;
        f[i] = i * 0.41f - 2;
    }
    outer::fill(n);
    from_outside(n);
    show("v", v, n);
    show("outer::v", outer::v, n);
    show("outer::inner::v", outer::inner::v, n);
    show("outer::w", outer::w, n);
    link(n);
    show("linked", linked, n);
    std::printf("%.17g %.17g\n", outer::last, last_link);
    kept(n);
    kept(n);

    std::vector<double> cells(SIZE);
    field object(cells.data(), n);
    object.run(0.5);
    show("cells", cells.data(), n);
    show("edge", object.edge, n);
    std::printf("%.17g %.17g\n", object[4], object.size);
    field::statics(n);
    show("table", table<double, SIZE>::v, n);
    befriended(object);

    std::vector<large> part(SIZE);
    static large all[SIZE];
    derived(n, part.data(), all);
    show("part", &part[0].x, 4 * n);
    show("all", &all[0].x, 4 * n);

    double total = 2;
    references(n, x.data(), total, 1.5);
    std::printf("%.17g\n", total);
    in_a_condition(n, x.data());
    calls(n, x.data(), f.data());
    show("x", x.data(), n);
    double sum = 0;
    for (float value : f)
        sum = sum * 0.75 + value;
    std::printf("%.17g\n", sum);
    vectors(n, 3);

    std::vector<double> y(SIZE);
    x[1] = -std::numeric_limits<double>::infinity();
    x[4] = std::nan("");
    f[2] = std::numeric_limits<float>::denorm_min();
    f[5] = -std::numeric_limits<float>::quiet_NaN();
    numeric(n, x.data(), f.data(), y.data());
    show_bits(y.data(), n);

    std::vector<tone> tones(SIZE);
    std::vector<plain> plains(SIZE);
    static kind kinds[SIZE][3];
    for (int i = 0; i < SIZE; i++) {
        tones[i] = i % 3 == 0 ? low : i % 3 == 1 ? middle : high;
        plains[i] = i % 4 == 1 ? some : none;
        for (int j = 0; j < 3; j++)
            kinds[i][j] = (i + j) % 3 == 0 ? kind::first : (i + j) % 5 ? kind::second : kind::third;
    }
    plain found = none;
    const tone highest = enumerations(n, tones.data(), kinds, plains.data(), kind::second, &found);
    std::printf("%d %d:", highest, found);
    for (int i = 0; i < n; i++)
        std::printf(" %d %d%d%d", tones[i], int(kinds[i][0]), int(kinds[i][1]), int(kinds[i][2]));

    std::vector<int> to(SIZE);
    counted counter;
    one_for_all(n, counter, &counter, to.data());
    counter.add(n, to.data());
    for (int i = 0; i < n; i++)
        std::printf(" %d", to[i]);
    std::printf("\n");
    return 0;
}
