/* A field of numbers. */
#include <cstdlib>
class Field {
    int length;
    double *values;

  public:
    explicit Field(int n) : length(n), values((double *)std::calloc(n, sizeof(double))) {}
    ~Field() { std::free(values); }
    Field(const Field &) = delete;
    Field &operator=(const Field &) = delete;
    int size() const { return length; }
    double *data() { return values; }
    const double *data() const { return values; }
    double &operator[](int i) { return values[i]; }
    double operator[](int i) const { return values[i]; }
};
