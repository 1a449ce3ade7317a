// Tests of the table of the memory on the device. Expectations that fail are printed.

#include "table.h"

#include <atomic>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace c2cuda_residency_v2;

// Of another file that is linked with this one.
size_t pieces_elsewhere();
int intervals_elsewhere();

static char classes[3];

#define expect(condition) ((condition) ? (void)0 : (void)printf("line %d: %s\n", __LINE__, #condition))

// A region that uses a slice of an array.
struct Region {
    Slice slices[1];

    Region(double *start, size_t count, int memory_class = 0, bool bounded = false, bool announced = false)
        : slices{{start, count * sizeof *start, classes + memory_class, bounded, announced}}
    {
        reserve(slices);
    }

    ~Region() { done(slices); }

    double *device() const { return (double *)memory(slices[0].start); }
    void needs() const { c2cuda_residency_v2::needs(slices[0].start, slices[0].bytes); }
    void wrote() const { c2cuda_residency_v2::wrote(slices[0].start, slices[0].bytes); }
};

static void runs(double *start, size_t count, bool reads, double value, int memory_class = 0, bool bounded = false,
    bool announced = false)
{
    const Region region(start, count, memory_class, bounded, announced);
    if (reads)
        region.needs();
    for (size_t i = 0; i < count; i++)
        region.device()[i] = reads ? region.device()[i] + value : value;
    region.wrote();
}

// Fills an array with its indices.
template <size_t count> void number(double (&a)[count])
{
    for (size_t i = 0; i < count; i++)
        a[i] = (double)i;
}

static size_t pieces()
{
    return table().pieces.size();
}

static void reset()
{
    for_pieces_of(NULL, [](Piece &piece) {
        piece.newer_on_device.begins.clear();
        drop(piece);
    });
    expect(pieces() == 0 && fake_devices[0].allocations.empty() && fake_devices[1].allocations.empty());
    to_device = to_host = within_device = {0, 0};
    fake_devices[0].free_bytes = fake_devices[1].free_bytes = (size_t)1 << 30;
}

static void what_agrees_is_not_copied()
{
    static double a[8];
    number(a);
    runs(a, 8, true, 10);
    expect((to_device == Copies{1, 64}) && (to_host == Copies{0, 0}));
    runs(a, 8, true, 10);
    expect((to_device == Copies{1, 64}) && a[3] == 3);
    reads(a + 3, 8);
    expect((to_host == Copies{1, 8}) && a[3] == 23 && a[2] == 2);
    reads(a + 3, 8), reads(a, 0), reads(a, -8);
    expect((to_host == Copies{1, 8}));
    reads(a - 1, 80);
    expect((to_host == Copies{2, 8 + 64}) && a[0] == 20 && a[7] == 27);
}

static void one_element_of_the_host_is_one_copy()
{
    static double a[100000];
    number(a);
    runs(a, 100000, true, 0.5);
    writes(a + 5, 8), a[5] = 100;
    expect((to_host == Copies{1, 8}));
    { const Region region(a, 100000); region.needs(); expect(region.device()[5] == 100 && region.device()[6] == 6.5); }
    expect((to_device == Copies{2, 800008}));
    overwrites(a + 2, 8), overwrites(a + 1, 8), overwrites(a + 3, 8), overwrites(a + 2, 8);
    expect(table().pieces.begin()->second.newer_on_host.begins.size() == 1);
    { const Region region(a, 8); region.needs(); }
    to_device = {2, 800008};
    // Nearby elements take one copy, if both sides agree on what lies between.
    reads(a, 48), overwrites(a + 1, 8), overwrites(a + 4, 8), a[1] = a[4] = 7;
    { const Region region(a, 100000); region.needs(); expect(region.device()[1] == 7 && region.device()[4] == 7); }
    expect((to_device == Copies{3, 800008 + 32}));
    overwrites(a + 6, 8), overwrites(a + 8, 8), a[6] = a[8] = 9;
    { const Region region(a, 100000); region.needs(); expect(region.device()[7] == 7.5); }
    expect((to_device == Copies{5, 800008 + 32 + 16}));
    reads(a, sizeof a), overwrites(a, 8), overwrites(a + 50000, 8);
    { const Region region(a, 100000); region.needs(); }
    expect((to_device == Copies{7, 800008 + 32 + 32}) && table().pieces.begin()->second.newer_on_host.begins.empty());
}

static void only_the_slice_is_copied()
{
    static double a[8];
    number(a);
    runs(a, 8, true, 0);
    overwrites(a, sizeof a);
    runs(a + 2, 3, true, 10);
    expect((to_device == Copies{2, 64 + 24}));
    a[1] = 1;
    writes(a, sizeof a);
    expect((to_host == Copies{1, 24}) && a[2] == 12 && a[4] == 14 && a[5] == 5);
}

static void pieces_grow_within_the_device()
{
    static double a[8];
    number(a);
    runs(a + 2, 2, true, 10);
    runs(a + 6, 2, true, 10);
    expect(pieces() == 2);
    runs(a, 7, true, 100);
    expect(pieces() == 1 && (within_device == Copies{2, 32}));
    // Two copies of two elements each, and then those that the device does not have yet.
    expect((to_device == Copies{4, 64}));
    reads(a, sizeof a);
    const double wanted[8] = {100, 101, 112, 113, 104, 105, 116, 17};
    expect(std::equal(a, a + 8, wanted) && (to_host == Copies{1, 64}));
}

static void neighbours_stay_apart()
{
    static double a[8];
    runs(a, 4, true, 1), runs(a + 4, 4, true, 1);
    expect(pieces() == 2 && within_device.calls == 0);
    reads(a + 3, 16);
    expect((to_host == Copies{2, 16}));
}

static void what_is_overwritten_does_not_come_home()
{
    static double a[8];
    runs(a, 8, false, 1);
    expect(to_device.calls == 0);
    overwrites(a, 32);
    std::fill(a, a + 4, 2);
    reads(a, sizeof a);
    expect((to_host == Copies{1, 32}) && a[3] == 2 && a[4] == 1);
}

static void classes_are_apart()
{
    static double a[8], b[8];
    runs(a, 8, false, 1, 0), runs(b, 8, false, 1, 1);
    reads_class(classes + 1);
    expect((to_host == Copies{1, 64}) && b[0] == 1 && a[0] == 0);
    writes_class(classes + 0), a[0] = 5;
    { const Region region(a, 8); region.needs(); expect(region.device()[0] == 5 && region.device()[1] == 1); }
    expect((to_device == Copies{1, 64}));
    // The same memory may be in classes of several files.
    runs(a, 8, false, 2, 2);
    reads_class(classes + 0);
    expect(a[0] == 2);
    runs(a, 8, false, 3, 0);
    reads_class(classes + 2);
    expect(a[0] == 3);
    // A piece that grows remains in its classes.
    release(a, sizeof a);
    runs(a, 4, false, 4, 0), runs(a, 8, false, 5, 2);
    reads_class(classes + 0);
    expect(a[0] == 5);
    runs(b, 8, false, 3, 1);
    writes_class(NULL);
    expect(b[0] == 3);
}

static void freed_memory_is_forgotten()
{
    static double b[8];
    double *const a = (double *)calloc(8, sizeof *a);
    runs(a + 4, 4, false, 1), runs(a, 2, false, 1, 1);
    runs(b, 8, false, 1);
    frees(a);
    expect(pieces() == 1 && to_host.calls == 0);
    frees(NULL);
    expect(pieces() == 1);
    runs(a, 8, false, 2);
    expect(pieces() == 2 && a[0] == 0);
    free(a);
}

static void memory_that_ends_is_forgotten()
{
    static double a[8];
    runs(a, 8, false, 1);
    forget(a, 24);
    expect(pieces() == 0 && a[2] == 0 && a[3] == 1 && (to_host == Copies{1, 40}));
    runs(a, 8, false, 2);
    release(a + 3, 0), release(a + 3, -8), forget(a + 3, 0);
    expect(pieces() == 1);
    release(a + 7, 8);
    expect(pieces() == 0 && a[0] == 2);
}

static void bounded_memory_stays_in_intervals()
{
    static double a[8], b[8];
    runs(a, 8, false, 1, 0, true);
    expect(pieces() == 0 && a[0] == 1);
    begin_interval();
    runs(a, 8, false, 2, 0, true), runs(b, 8, false, 2, 1);
    begin_interval();
    expect(intervals_elsewhere() == 2);
    end_interval();
    expect(pieces() == 2 && a[0] == 1 && pieces_elsewhere() == 2);
    leave_interval();
    expect(pieces() == 1 && a[0] == 2 && b[0] == 0);
    // Unknown code may call regions. What they write is valid on the host at once.
    runs(a, 8, false, 3, 0, true), runs(b, 8, false, 3, 1);
    expect(pieces() == 1 && a[0] == 3 && b[0] == 3);
    return_to_interval();
    runs(a, 8, false, 4, 0, true), runs(b, 8, false, 4, 1);
    expect(pieces() == 2 && a[0] == 3 && b[0] == 3);
    end_interval();
    expect(pieces() == 1 && a[0] == 4 && b[0] == 3);
    // A piece remains bounded.
    begin_interval();
    runs(a, 4, false, 5, 0, true), runs(a, 8, false, 6);
    end_interval();
    expect(pieces() == 1 && a[7] == 6);
}

// A region that unknown code calls, whose memory the caller may hold.
static void called(double *start, size_t count, double value, bool reads = true)
{
    runs(start, count, reads, value, 0, true, true);
}

static void held_memory_stays_although_unknown_code_runs()
{
    static double a[8], b[8];
    number(a);
    called(a, 8, 1);
    expect(pieces() == 0 && a[3] == 4);
    c2cuda_data_begin_v1(a, sizeof a);
    called(a, 8, 1), called(b, 8, 1), called(a, 8, 1);
    expect(pieces() == 1 && a[3] == 4 && b[3] == 1 && (to_device == Copies{3, 3 * 64}));
    // Neither the end of an interval nor unknown code in one makes it leave.
    begin_interval();
    called(a, 8, 1);
    leave_interval(), called(a, 8, 1), return_to_interval();
    end_interval();
    expect(pieces() == 1 && a[3] == 4);
    c2cuda_data_reads_v1(a + 3, 8);
    expect(a[3] == 8 && a[2] == 3);
    c2cuda_data_writes_v1(a + 3, 8), a[3] = 50;
    called(a, 8, 1);
    // Holds are counted.
    c2cuda_data_begin_v1(a, sizeof a), c2cuda_data_end_v1(a, sizeof a);
    expect(pieces() == 1 && a[3] == 50);
    c2cuda_data_end_v1(a, sizeof a);
    expect(pieces() == 0 && a[3] == 51 && a[2] == 8);
    expect(table().holds.empty() && table().held.begins.empty());
    c2cuda_data_begin_v1(a, 0), c2cuda_data_end_v1(a, 0), c2cuda_data_end_v1(NULL, 0);
}

static void only_what_is_held_stays()
{
    static double a[8];
    number(a);
    c2cuda_data_begin_v1(a + 2, 16), c2cuda_data_begin_v1(a + 3, 24);
    called(a, 8, 10);
    expect(pieces() == 1 && a[1] == 11 && a[2] == 2 && a[5] == 5 && a[6] == 16 && (to_host == Copies{2, 32}));
    a[1] = 100; // unknown code
    called(a, 8, 1);
    expect(a[1] == 101 && a[2] == 2 && (to_device == Copies{3, 64 + 32}));
    c2cuda_data_end_v1(a + 2, 16);
    expect(pieces() == 1 && a[2] == 13 && a[3] == 3 && table().held.begins.size() == 1);
    called(a, 2, 1);
    expect(a[1] == 102);
    c2cuda_data_end_v1(a + 3, 24);
    expect(pieces() == 0 && a[3] == 14 && a[5] == 16);
    // Code that does not announce what it touches may use the memory after a region of its file.
    c2cuda_data_begin_v1(a, sizeof a);
    runs(a, 8, true, 1, 0, true);
    expect(pieces() == 0 && a[3] == 15);
    called(a, 4, 1), runs(a, 8, true, 1, 0, true), called(a, 8, 1);
    expect(pieces() == 1 && a[3] == 17);
    c2cuda_data_end_v1(a, sizeof a);
    expect(a[3] == 18);
}

static void blocks_of_data_hold_what_regions_in_them_use()
{
    static double a[8], b[8], c[8];
    begin_interval();
    called(b, 8, 1);
    begin_data(), hold_class(classes + 0), hold(c, sizeof c, true);
    called(a, 8, 1), called(c, 8, 1);
    leave_interval();
    expect(pieces() == 2 && a[0] == 0 && b[0] == 1 && c[0] == 0);
    return_to_interval();
    begin_data(), hold(a, 8, true), hold(a, 32, false), end_data();
    expect(pieces() == 2 && open_data().size() == 1);
    end_data();
    expect(pieces() == 2 && a[0] == 0);
    end_interval();
    expect(pieces() == 0 && a[0] == 1 && c[0] == 0 && table().held_classes.empty());
    begin_data(), hold(c, sizeof c, true);
    called(c, 8, 5, false);
    end_data();
    expect(pieces() == 0 && c[0] == 0);
    // What one block holds may be freed and swapped in it.
    double *p = (double *)calloc(4, 8), *q = (double *)calloc(4, 8);
    begin_data(), hold(p, 32, false), hold(q, 32, false), hold_class(classes + 0);
    called(p, 4, 1), called(q, 4, 2);
    std::swap(p, q);
    end_data();
    expect(pieces() == 0 && p[0] == 2 && q[0] == 1);
    begin_data(), hold_class(classes + 0);
    called(p, 4, 1);
    frees(p), free(p);
    end_data();
    expect(pieces() == 0);
    free(q);
}

// Runs code in another process, and returns what it says before it ends with the status 1.
template <class Code> std::string said_by(Code code)
{
    int ends[2];
    expect(pipe(ends) == 0);
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], 2);
        code();
        _exit(0);
    }
    close(ends[1]);
    std::string said;
    char part[256];
    for (ssize_t length; (length = read(ends[0], part, sizeof part)) > 0;)
        said.append(part, length);
    close(ends[0]);
    int status = 0;
    expect(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 1);
    return said;
}

static void wrong_holds_end_the_program()
{
    static double a[8];
    char place[32], inner[32];
    snprintf(place, sizeof place, "%p", (void *)a), snprintf(inner, sizeof inner, "%p", (void *)(a + 1));
    const std::string begin = "`c2cuda_data_begin(" + std::string(place) + ", 64)`";
    expect(said_by([] { c2cuda_data_end_v1(a, sizeof a); })
        == "c2cuda: `c2cuda_data_end(" + std::string(place) + ", 64)` has no `c2cuda_data_begin` with the same memory\n");
    expect(said_by([] { c2cuda_data_begin_v1(a, sizeof a), c2cuda_data_end_v1(a, 8); }).find("has no") != std::string::npos);
    expect(said_by([] { c2cuda_data_begin_v1(a, sizeof a), forget(a + 1, 8); })
        == "c2cuda: memory at " + std::string(inner) + " ends while " + begin + " holds it on the device\n");
    double *const b = (double *)malloc(64);
    expect(said_by([&] { c2cuda_data_begin_v1(b, 64), frees(b); }).find("ends while") != std::string::npos);
    free(b);
}

static void threads_hold_memory_together()
{
    static double a[64], b[64];
    c2cuda_data_begin_v1(a, sizeof a);
    std::thread([] { called(a, 64, 1); }).join();
    called(a, 64, 1);
    expect(pieces() == 1 && a[0] == 0);
    std::thread([] { c2cuda_data_reads_v1(a, 8); expect(a[0] == 2); c2cuda_data_end_v1(a, sizeof a); }).join();
    expect(pieces() == 0 && a[63] == 2);
    // Two threads with arrays of their own, and a part of one that both read.
    const auto work = [](double *mine, const double *other) {
        for (int step = 1; step <= 200; step++) {
            c2cuda_data_begin_v1(mine, 256);
            called(mine, 64, 1), called(mine, 32, 1);
            c2cuda_data_reads_v1(mine + 8, 8);
            expect(mine[8] == 2 * step && mine[40] == step);
            c2cuda_data_writes_v1(mine + 8, 8), mine[9] += 0;
            c2cuda_data_reads_v1(other + 70, 8);
            c2cuda_data_end_v1(mine, 256);
            expect(mine[31] == 2 * step && mine[32] == step);
        }
    };
    std::fill(a, a + 64, 0), std::fill(b, b + 64, 0);
    std::thread one(work, a, b), two(work, b, a);
    one.join(), two.join();
    expect(pieces() == 0 && table().holds.empty());
}

static void old_pieces_make_room()
{
    static double a[8], b[8], c[8], *room;
    fake_devices[0].free_bytes = 192;
    runs(a, 8, false, 1), runs(b, 8, false, 1), runs(c, 8, false, 1), runs(a, 8, false, 2), runs(c, 8, false, 2);
    {
        const Region region(c, 8);
        expect(allocate(&room, 64) == cudaSuccess && pieces() == 2 && b[0] == 1 && a[0] == 0);
        expect(allocate(&room, 128) == cudaErrorMemoryAllocation && pieces() == 1 && a[0] == 2);
    }
    cudaFree(room);
    // A piece that is to grow leaves if there is no room for both.
    {
        fake_devices[0].free_bytes -= 40;
        const Region region(c, 8);
        runs(b, 4, false, 3);
        runs(b, 8, true, 1);
        expect(pieces() == 2 && within_device.calls == 0);
        reads(b, sizeof b);
        expect(b[0] == 4 && b[4] == 2);
        fake_devices[0].free_bytes += 40;
    }
    // The slices of one region do not displace each other.
    const Slice slices[] = {{a, sizeof a, classes, false}, {b, sizeof b, classes, false},
        {c, sizeof c, classes, false}};
    reserve(slices);
    expect(pieces() == 3);
    done(slices);
}

static void slices_of_one_region_may_overlap()
{
    static double a[8];
    number(a);
    const Slice slices[] = {{a, 40, classes, false}, {a + 3, 40, classes, false}, {a, 0, classes, false}};
    reserve(slices);
    expect(pieces() == 1 && table().pieces.begin()->second.regions == 2);
    needs(a, 40), needs(a + 3, 40);
    expect((to_device == Copies{2, 64}));
    done(slices);
    expect(table().pieces.begin()->second.regions == 0);
}

static void threads_share_pieces()
{
    static double a[8], b[8];
    number(a);
    std::thread([] { begin_interval(); runs(a, 8, true, 1, 0, true); }).join();
    expect(pieces() == 1 && intervals_elsewhere() == 0);
    runs(a, 8, false, 5, 0, true);
    expect(pieces() == 0 && a[0] == 5);
    // A region waits until another one no longer uses a piece that has to grow.
    std::atomic<int> phase{0};
    std::thread other;
    {
        const Region region(a, 4);
        { const Region same(a + 1, 2); }
        other = std::thread([&] { phase = 1; runs(a + 2, 6, true, 1); phase = 2; });
        while (phase < 1)
            std::this_thread::yield();
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        expect(phase == 1 && pieces() == 1);
        std::fill(region.device(), region.device() + 4, 7);
        region.wrote();
    }
    other.join();
    reads(a, sizeof a);
    expect(pieces() == 1 && a[1] == 7 && a[2] == 8 && a[4] == 6);
    // A piece in use leaves when its region ends.
    {
        const Region region(b, 8);
        region.needs();
        std::thread([] { release(b, sizeof b); b[0] = 3; }).join();
        expect(pieces() == 2);
        region.needs();
        expect(region.device()[0] == 3);
        std::fill(region.device(), region.device() + 8, 7);
        region.wrote();
    }
    expect(pieces() == 1 && b[0] == 7);
}

static void devices_exchange_values_through_the_host()
{
    static double a[8];
    number(a);
    runs(a, 8, true, 1);
    cudaSetDevice(1);
    runs(a, 4, true, 10);
    expect(pieces() == 2 && fake_current == 1);
    cudaSetDevice(0);
    runs(a, 8, true, 100);
    reads(a, sizeof a);
    expect(a[0] == 111 && a[7] == 108);
    cudaSetDevice(1);
    writes(a, 8), a[0] = 3;
    runs(a, 1, true, 1);
    cudaSetDevice(0);
    reads(a, 8);
    expect(a[0] == 4);
}

// Random operations; `truth` is what the array would hold if there were no device.
static void random_operations_lose_nothing()
{
    enum { N = 40 };
    static double a[N], truth[N];
    srand(1);
    const auto up_to = [](int most) { return rand() % (most + 1); };
    begin_interval();
    std::vector<std::pair<int, int>> holds;
    const auto end_holds = [&] {
        for (const auto &hold : holds)
            end_hold(a + hold.first, 8 * hold.second);
        holds.clear();
    };
    // Outside of intervals, unknown code may touch what no code holds, apart from memory of this file alone.
    const auto unknown_code = [&](double value) {
        for (int i = 0; i < N; i++) {
            bool is_free = true;
            for (const auto &hold : holds)
                is_free &= i < hold.first || i >= hold.first + hold.second;
            for_pieces_in((char *)(a + i), (char *)(a + i + 1), [&](Piece &piece) { is_free &= piece.bounded; });
            if (is_free) {
                expect(a[i] == truth[i]);
                a[i] = truth[i] = value;
            }
        }
    };
    for (int step = 0; step < 50000; step++) {
        if (step % 1000 == 0)
            end_holds(), reset(), fake_devices[0].free_bytes = fake_devices[1].free_bytes = 320 + 8 * up_to(60), number(a), number(truth);
        cudaSetDevice(up_to(9) == 0);
        const int from = up_to(N - 1), count = 1 + up_to(N - 1 - from), place = from + up_to(count - 1);
        const double value = step;
        const bool bounded = up_to(20) == 0;
        switch (up_to(16)) {
        case 0:
        case 1: // a region that reads all and writes all
            runs(a + from, count, true, 1, up_to(2), bounded);
            for (int i = from; i < from + count; i++)
                truth[i] += 1;
            break;
        case 2: // a region that reads some and writes some
        case 3: {
            const Region region(a + from, count, up_to(2), bounded);
            region.needs();
            expect(region.device()[place - from] == truth[place]);
            break;
        }
        case 4:
            runs(a + from, count, false, value);
            std::fill(truth + from, truth + from + count, value);
            break;
        case 5:
        case 6:
            reads(a + from, 8 * count);
            expect(std::equal(a + from, a + from + count, truth + from));
            break;
        case 7:
            writes(a + from, 8 * count);
            expect(std::equal(a + from, a + from + count, truth + from));
            a[place] = truth[place] = value;
            break;
        case 8:
            overwrites(a + from, 8 * count);
            std::fill(a + from, a + from + count, value), std::fill(truth + from, truth + from + count, value);
            break;
        case 9:
            writes_class(up_to(1) ? classes + up_to(2) : NULL);
            break;
        case 10:
            release(a + from, 8 * count);
            expect(a[place] == truth[place]);
            break;
        case 11:
            reads(a + from, 0);
            break;
        case 12:
            end_interval();
            unknown_code(value + 0.5);
            begin_interval();
            break;
        case 13:
            called(a + from, count, 1);
            for (int i = from; i < from + count; i++)
                truth[i] += 1;
            break;
        case 14:
            begin_hold(a + from, 8 * count), holds.push_back({from, count});
            break;
        case 15:
            if (!holds.empty()) {
                const auto hold = holds.begin() + up_to((int)holds.size() - 1);
                end_hold(a + hold->first, 8 * hold->second), holds.erase(hold);
            }
            break;
        case 16:
            leave_interval();
            unknown_code(value + 0.25);
            called(a + from, count, 1);
            for (int i = from; i < from + count; i++)
                truth[i] += 1;
            unknown_code(value + 0.75);
            return_to_interval();
            break;
        }
        for (auto &entry : table().pieces)
            for (auto &range : entry.second.newer_on_host.begins)
                for (auto &other : entry.second.newer_on_device.begins)
                    expect(range.first <= other.second || other.first <= range.second);
    }
    end_holds();
    end_interval();
}

// Prints nothing unless memory remains on the device when the program ends.
static void check_exit()
{
    expect(pieces() == 0 && fake_devices[0].allocations.empty() && to_host.calls == 0);
}

int main()
{
    atexit(check_exit);
    for (auto test : {what_agrees_is_not_copied, one_element_of_the_host_is_one_copy, only_the_slice_is_copied,
             pieces_grow_within_the_device, neighbours_stay_apart, what_is_overwritten_does_not_come_home,
             classes_are_apart, freed_memory_is_forgotten, memory_that_ends_is_forgotten,
             bounded_memory_stays_in_intervals, held_memory_stays_although_unknown_code_runs, only_what_is_held_stays,
             blocks_of_data_hold_what_regions_in_them_use, wrong_holds_end_the_program, threads_hold_memory_together, old_pieces_make_room, slices_of_one_region_may_overlap,
             threads_share_pieces, devices_exchange_values_through_the_host, random_operations_lose_nothing}) {
        cudaSetDevice(0);
        reset();
        test();
    }
    reset();
    static double a[8];
    runs(a, 8, false, 1);
}
