// The functions of effects.cpp.
#include <vector>
struct Grid { int n; double *u; double at(int k) const; static void scale(Grid &g, double by); };
namespace io {
double total(int n, const double *x) { double s = 0; for (int i = 0; i < n; i++) s += x[i]; return s; }
void bump(double &x) { x += 1; }
}
double Grid::at(int k) const { return u[k]; }
void Grid::scale(Grid &g, double by) { for (int i = 0; i < g.n; i++) g.u[i] *= by; }
double second(const std::vector<double> &v) { return v[1]; }
