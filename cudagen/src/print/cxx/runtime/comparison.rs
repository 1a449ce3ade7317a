//! The class that compares what a region computes in C with what it computes on the device (`host/verification.rs`).

/// The class that saves, restores and compares. Its report is printed when the program ends, without a call.
pub const TEXT: &str = r#"
// A part of an array that a region may write: `rows` pieces of `width` bytes, `stride` bytes apart.
struct VerifiedRange {
    const char *array, *member;
    void *start;
    size_t rows, width, stride;
    // The translation assumes that nothing reads it after the region.
    bool dead;
    char kind;
    size_t size;
    // The subscripts of `array`, and how many of them come before `member`.
    int dimensions, structures;
    std::vector<long> first_and_extents;
};

// The report on all regions, which is printed when the program ends.
struct VerifiedReport {
    std::vector<std::pair<const char *, const std::atomic<long> *>> regions;

    ~VerifiedReport()
    {
        for (const auto &[place, runs] : regions)
            if (*runs == 0)
                fprintf(stderr, "c2cuda: %s: never ran on the device; nothing is verified\n", place);
            else
                fprintf(stderr, "c2cuda: %s: ran %ld time%s on the device, always as in C\n", place, runs->load(),
                        *runs == 1 ? "" : "s");
    }
};

static VerifiedReport verified_report;

// Compares what a region computes in C with what it computes on the device.
class VerifiedRegion {
public:
    explicit VerifiedRegion(const char *place) : place(place)
    {
        verified_report.regions.emplace_back(place, &runs);
    }

    void begin(int phase)
    {
        Run &run = run_of_this_thread();
        run.position = 0;
        runs += phase == 2;
        if (phase == 0)
            run.kept.clear();
        if (phase == 1)
            go_back(run);
    }

    void range(int phase, const VerifiedRange &range)
    {
        Run &run = run_of_this_thread();
        if (phase == 0)
            run.kept.push_back({range, copy_of(range), {}});
        if (phase == 2) {
            const std::vector<char> &in_c = run.kept[run.position++].after;
            if (range.dead)
                poison(range);
            else
                compare(range, in_c);
        }
    }

private:
    struct Kept {
        VerifiedRange range;
        std::vector<char> before, after;
    };

    struct Run {
        size_t position = 0;
        std::vector<Kept> kept;
    };

    const char *place;
    std::atomic<long> runs{0};
    std::mutex lock;
    std::map<std::thread::id, Run> run_of;

    // Threads of the program may run the region at the same time.
    Run &run_of_this_thread()
    {
        const std::lock_guard<std::mutex> held(lock);
        return run_of[std::this_thread::get_id()];
    }

    static char *piece(const VerifiedRange &range, size_t row)
    {
        return (char *)range.start + row * range.stride;
    }

    // Ranges may overlap, so all are kept before any is put back.
    static void go_back(Run &run)
    {
        for (Kept &one : run.kept)
            one.after = copy_of(one.range);
        for (const Kept &one : run.kept)
            for (size_t row = 0; row < one.range.rows; row++)
                memcpy(piece(one.range, row), one.before.data() + row * one.range.width, one.range.width);
    }

    // Overwrites values with NaNs, or with an integer that no program expects.
    static void poison(const VerifiedRange &range)
    {
        for (size_t row = 0; row < range.rows; row++)
            memset(piece(range, row), range.kind == 'f' || range.kind == 'c' ? 0xff : 0xa5, range.width);
    }

    static std::vector<char> copy_of(const VerifiedRange &range)
    {
        std::vector<char> copy(range.rows * range.width);
        for (size_t row = 0; row < range.rows; row++)
            memcpy(copy.data() + row * range.width, piece(range, row), range.width);
        return copy;
    }

    void compare(const VerifiedRange &range, const std::vector<char> &in_c)
    {
        const size_t per_row = range.width / range.size, count = range.rows * per_row;
        size_t different = 0, first = 0;
        for (size_t element = 0; element < count; element++) {
            const char *here = piece(range, element / per_row) + element % per_row * range.size;
            if (!same(range, in_c.data() + element * range.size, here) && different++ == 0)
                first = element;
        }
        if (different == 0)
            return;
        const char *here = piece(range, first / per_row) + first % per_row * range.size;
        fprintf(stderr, "c2cuda: %s: %s", place, range.array);
        print_index(range, first);
        fprintf(stderr, " is ");
        print_value(range, in_c.data() + first * range.size);
        fprintf(stderr, " in C and ");
        print_value(range, here);
        fprintf(stderr, " on the device, in run %ld (%zu of %zu elements of %s differ)\n", runs.load(), different, count,
                range.array);
        fflush(NULL);
        _Exit(1);
    }

    // True for equal bits, for two NaNs, and for numbers whose relative difference is within C2CUDA_TOLERANCE.
    static bool same(const VerifiedRange &range, const char *in_c, const char *here)
    {
        if (memcmp(in_c, here, range.size) == 0)
            return true;
        const size_t parts = range.kind == 'f' ? 1 : range.kind == 'c' ? 2 : 0;
        bool all_same = parts > 0;
        for (size_t part = 0; part < parts; part++) {
            const size_t size = range.size / parts;
            all_same = all_same && close(floating(size, in_c + part * size), floating(size, here + part * size));
        }
        return all_same;
    }

    static bool close(double a, double b)
    {
        static const char *const tolerance = getenv("C2CUDA_TOLERANCE");
        if (a != a || b != b)
            return a != a && b != b;
        if (a == b)
            return signbit(a) == signbit(b) || tolerance;
        return tolerance && fabs(a - b) <= atof(tolerance) * fmax(fabs(a), fabs(b));
    }

    static double floating(size_t size, const char *at)
    {
        if (size == sizeof(float)) {
            float value;
            memcpy(&value, at, sizeof(value));
            return value;
        }
        double value;
        memcpy(&value, at, sizeof(value));
        return value;
    }

    static void print_value(const VerifiedRange &range, const char *at)
    {
        const size_t half = range.size / 2;
        if (range.kind == 'f') {
            fprintf(stderr, "%.17g (%a)", floating(range.size, at), floating(range.size, at));
            return;
        }
        if (range.kind == 'c') {
            fprintf(stderr, "%.17g%+.17gi (%a, %a)", floating(half, at), floating(half, at + half),
                    floating(half, at), floating(half, at + half));
            return;
        }
        unsigned long long value = 0;
        memcpy(&value, at, range.size < sizeof(value) ? range.size : sizeof(value));
        const int above = 64 - 8 * (int)range.size;
        if (range.kind == 'i' && above >= 0)
            fprintf(stderr, "%lld", (long long)(value << above) >> above);
        else
            fprintf(stderr, "%llu", value);
    }

    static void print_index(const VerifiedRange &range, size_t element)
    {
        std::vector<long> index(range.dimensions + 1);
        long rest = (long)element;
        for (int d = range.dimensions - 1; d > 0; d--) {
            const long extent = range.first_and_extents[d] > 0 ? range.first_and_extents[d] : 1;
            index[d] = rest % extent;
            rest /= extent;
        }
        index[0] = rest + range.first_and_extents[0];
        for (int d = 0; d < range.dimensions; d++) {
            fprintf(stderr, "%s[%ld]", d == range.structures ? range.member : "", index[d]);
        }
        fprintf(stderr, "%s", range.structures >= range.dimensions ? range.member : "");
    }
};
"#;
