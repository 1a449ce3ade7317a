// Exceptions that are caught in many places, with arrays and vectors on the device.
#include <cstdio>
#include <stdexcept>
#include <utility>
#include <vector>
static void step(int n, double *u) {
#pragma scop
    for (int i = 0; i < n; i++)
        u[i] = 0.5 * u[i] + 1;
#pragma endscop
}
static void mix(int n, const double *__restrict u, double *__restrict v) {
#pragma scop
    for (int i = 0; i < n; i++)
        v[i] = 0.25 * (u[i] + u[n - 1 - i]) + 1;
#pragma endscop
}
static double table[40], other[40];
struct Counted {
    int k;
    explicit Counted(int k) : k(k) { table[k] += 1; }
    Counted(const Counted &from) : k(from.k) { table[k] += 10; }
    ~Counted() { other[k] = table[k] * 2; }
};
static void refuse(int t, double value) {
    if (t % 3 == 2)
        throw std::runtime_error("third");
    if (value > 1e6)
        throw value;
}
// The interval is in the function that the exception leaves; its vectors die on the way.
static double run(int n, int steps, double *u) {
    std::vector<double> v(n), w(n);
    double all = 0;
    for (int t = 0; t < steps; t++) {
        mix(n, u, v.data());
        mix(n, v.data(), w.data());
        refuse(t, w[1]);
        all += w[2];
    }
    return all;
}
static double nested(int n, std::vector<double> &u) {
    double all = 0;
    for (int t = 0; t < 6; t++) {
        try {
            step(n, u.data());
            try {
                step(n, u.data());
                refuse(t, u[0]);
                if (t == 3)
                    continue;
                step(n, u.data());
            } catch (const std::exception &error) {
                u[1] += 1;
                throw;
            }
            if (t == 4)
                throw t;
            step(n, u.data());
        } catch (int number) {
            all += number + u[2];
            break;
        } catch (...) {
            all += u[3];
            step(n, u.data());
        }
        step(n, u.data());
    }
    return all;
}
static double inside(int n) {
    std::vector<double> u(n), v(n);
    double all = 0;
    for (int t = 0; t < 9; t++)
        try {
            mix(n, u.data(), v.data());
            if (t % 4 == 3)
                throw t;
            std::swap(u, v);
        } catch (int number) {
            all += v[number];
            v[0] = 7;
        }
    for (int t = 0; t < 4; t++)
        step(n, u.data());
    return all + u[2] + v[0];
}
static double returns(int n, int k) {
    std::vector<double> u(n, k);
    try {
        for (int t = 0; t < 5; t++) {
            step(n, u.data());
            if (t == k)
                return u[1];
        }
        refuse(k, u[2]);
    } catch (const std::runtime_error &) {
        return u[3] + 100;
    }
    return u[4] + 200;
}
static double objects(int n) {
    double all = 0;
    for (int t = 0; t < 6; t++) {
        try {
            step(n, table);
            step(n, other);
            if (t % 2)
                throw Counted(t);
            step(n, table);
        } catch (Counted caught) {
            all += table[caught.k];
            step(n, table);
        }
        all += other[t];
    }
    return all;
}
static double thrown_over(int n, int steps) {
    double all = 0;
    for (int t = 0; t < steps; t++) {
        try {
            std::vector<double> u(n, t), v(n, t + 1);
            for (int k = 0; k < 4; k++) {
                mix(n, u.data(), v.data());
                step(n, u.data());
                if (k == 2 && t % 2)
                    u.at(n + t) = 1;
            }
            all += u[1] + v[2];
        } catch (const std::out_of_range &) {
            std::vector<double> w(n, 3);
            for (int k = 0; k < 3; k++)
                step(n, w.data());
            all += w[n - 1];
        }
    }
    return all;
}
struct Whole {
    double value;
    explicit Whole(int n) try : value(n) { step(n, table); refuse(2, 0); } catch (...) { table[3] += 1; }
};
int main() {
    int n = 40;
    std::vector<double> u(n, 1.0);
    double all = 0;
    for (int k = 0; k < 5; k++) {
        try {
            all += run(n, k, u.data());
        } catch (const std::exception &error) {
            std::printf("%s %g\n", error.what(), u[2]);
            u[3] += 1;
        }
        step(n, u.data());
    }
    try {
        for (int t = 0; t < 50; t++) {
            step(n, u.data());
            if (t == 20)
                throw std::runtime_error("twentieth");
        }
    } catch (const std::exception &error) {
        std::printf("%s\n", error.what());
    }
    for (int t = 0; t < 20; t++)
        step(n, u.data());
    try {
        Whole w(n);
    } catch (const std::exception &error) {
        all += table[3];
    }
    all += nested(n, u) + inside(n) + objects(n) + thrown_over(n, 6);
    for (int k = 0; k < 7; k++)
        all += returns(n, k);
    for (int i = 0; i < n; i++)
        all += u[i] * i + table[i] + other[i];
    std::printf("%.17g\n", all);
}
