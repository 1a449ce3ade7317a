//! The table itself: pieces, ranges of newer bytes, and copies between the two sides.

/// What all other functions need.
pub const TABLE: &str = r#"
// The memory of the host of which a device holds a copy between regions: one table for the whole program.
namespace c2cuda_residency_v2 {

// Ranges of memory that neither overlap nor touch: where each ends, and where it begins.
struct Ranges {
    std::map<char *, char *> begins;

    void remove(char *from, char *to)
    {
        for (auto next = begins.upper_bound(from); next != begins.end() && next->second < to;) {
            if (next->second < from)
                begins[from] = next->second;
            if (next->first > to)
                (next++)->second = to;
            else
                next = begins.erase(next);
        }
    }

    void add(char *from, char *to)
    {
        if (from >= to)
            return;
        remove(from, to);
        const auto before = begins.find(from);
        if (before != begins.end()) {
            from = before->second;
            begins.erase(before);
        }
        const auto after = begins.upper_bound(to);
        if (after != begins.end() && after->second == to)
            after->second = from;
        else
            begins[to] = from;
    }

    void add(const Ranges &others)
    {
        for (const auto &range : others.begins)
            add(range.second, range.first);
    }
};

// Contiguous memory of the host of which a device holds a copy.
struct Piece {
    int device;
    char *start, *end;             // on the host
    char *copy;                    // on the device
    std::set<const void *> classes;
    std::set<const void *> kept;   // the classes for which blocks of `data` hold all of it
    bool bounded;                  // unknown code may touch the memory outside of intervals
    bool unannounced;              // so may code of a file that does not always call the table before it does
    bool leaves;                   // when no region uses it any more
    int regions;                   // how many use it now
    long last_use;
    Ranges newer_on_host, newer_on_device;
};

struct Table {
    std::recursive_mutex lock;
    pthread_cond_t region_ended = PTHREAD_COND_INITIALIZER;
    std::map<std::pair<int, char *>, Piece> pieces; // by device and end
    std::map<std::pair<char *, char *>, long> holds; // what is held on the device, and how many times
    Ranges held;                                     // the same, as one set of bytes
    std::map<const void *, long> held_classes;
    long uses = 0;
    bool copies_back_at_exit = false;
};

// It is never destroyed: functions that run when the program ends may use it.
inline Table &table()
{
    static Table *const table = new Table;
    return *table;
}

typedef std::lock_guard<std::recursive_mutex> Lock;

// How many intervals are open in this thread, and how many calls of unknown code in them.
inline int &open_intervals()
{
    static thread_local int count = 0;
    return count;
}

inline int &calls_outside()
{
    static thread_local int count = 0;
    return count;
}

inline void check(gpuError_t error, const char *call)
{
    if (error == gpuSuccess)
        return;
    fprintf(stderr, "%s: %s\n", call, gpuGetErrorString(error));
    exit(1);
}

inline int current_device()
{
    int device;
    check(gpuGetDevice(&device), "gpuGetDevice");
    return device;
}

// Calls a function for each piece that overlaps a range. The function may remove the piece.
template <class Visit> void for_pieces_in(char *from, char *to, Visit visit)
{
    auto &pieces = table().pieces;
    for (auto next = pieces.begin(); from < to && next != pieces.end();) {
        const int device = next->first.first;
        next = pieces.upper_bound({device, from});
        while (next != pieces.end() && next->first.first == device && next->second.start < to)
            visit((next++)->second);
        next = pieces.lower_bound({device + 1, (char *)NULL});
    }
}

template <class Visit> void for_pieces_of(const void *memory_class, Visit visit)
{
    auto &pieces = table().pieces;
    for (auto next = pieces.begin(); next != pieces.end();) {
        Piece &piece = (next++)->second;
        if (memory_class == NULL || piece.classes.count(memory_class))
            visit(piece);
    }
}

inline void copy(const Piece &piece, char *from, char *to, bool to_device)
{
    char *const there = piece.copy + (from - piece.start);
    const int device = current_device();
    if (device != piece.device)
        check(gpuSetDevice(piece.device), "gpuSetDevice");
    check(to_device ? gpuMemcpy(there, from, to - from, gpuMemcpyHostToDevice)
                    : gpuMemcpy(from, there, to - from, gpuMemcpyDeviceToHost), "gpuMemcpy");
    if (device != piece.device)
        check(gpuSetDevice(device), "gpuSetDevice");
}

// Copies what one side has newer values of. A copy also takes along a few bytes on which both agree, because that is
// faster than two copies.
inline void copy_newer(Piece &piece, char *from, char *to, bool to_device)
{
    const ptrdiff_t few = 1 << 16;
    Ranges &newer = to_device ? piece.newer_on_host : piece.newer_on_device;
    const auto &others = (to_device ? piece.newer_on_device : piece.newer_on_host).begins;
    for (;;) {
        auto next = newer.begins.upper_bound(from);
        if (next == newer.begins.end() || next->second >= to)
            return;
        char *const start = std::max(next->second, from), *end = std::min(next->first, to);
        while (++next != newer.begins.end() && next->second < to && next->second - end <= few) {
            const auto other = others.upper_bound(end);
            if (other != others.end() && other->second < next->second)
                break;
            end = std::min(next->first, to);
        }
        copy(piece, start, end, to_device);
        newer.remove(start, end);
        from = end;
    }
}

inline void copy_back(Piece &piece, char *from, char *to)
{
    copy_newer(piece, from, to, false);
}

// From now on the values of the host are the newer ones.
inline void outdate(Piece &piece, char *from, char *to)
{
    from = std::max(from, piece.start);
    to = std::min(to, piece.end);
    piece.newer_on_device.remove(from, to);
    piece.newer_on_host.add(from, to);
}

// Copies back what is newer on the device, and frees the piece: at once, or when no region uses it any more.
inline void drop(Piece &piece)
{
    copy_back(piece, piece.start, piece.end);
    piece.leaves = true;
    if (piece.regions > 0)
        return outdate(piece, piece.start, piece.end);
    check(gpuFree(piece.copy), "gpuFree");
    table().pieces.erase({piece.device, piece.end});
}

// Calls a function for each part of a piece that unknown code may touch: no code holds it on the device.
template <class Visit> void for_unheld_in(Piece &piece, Visit visit)
{
    if (piece.unannounced)
        return visit(piece.start, piece.end);
    if (!piece.kept.empty())
        return;
    char *from = piece.start;
    const auto &held = table().held.begins;
    for (auto next = held.upper_bound(from); next != held.end() && next->second < piece.end; ++next) {
        if (from < next->second)
            visit(from, next->second);
        from = next->first;
    }
    if (from < piece.end)
        visit(from, piece.end);
}

// Makes memory valid on the host as far as unknown code may touch it. If that is all of a piece, the piece leaves.
inline void drop_unheld(Piece &piece)
{
    bool is_held = true;
    for_unheld_in(piece, [&](char *from, char *to) {
        copy_back(piece, from, to);
        outdate(piece, from, to);
        is_held = from > piece.start || to < piece.end;
    });
    if (!is_held)
        drop(piece);
}

inline void drop_bounded()
{
    for_pieces_of(NULL, [](Piece &piece) {
        if (piece.bounded)
            drop_unheld(piece);
    });
}

// Ends the program if memory that is freed is still held.
inline void check_unheld(char *from, char *to)
{
    for (const auto &entry : table().holds) {
        char *const start = entry.first.first, *const end = entry.first.second;
        if (start >= to || end <= from)
            continue;
        fprintf(stderr, "c2cuda: memory at %p ends while `c2cuda_data_begin(%p, %ld)` holds it on the device\n",
            (void *)std::max(from, start), (void *)start, (long)(end - start));
        exit(1);
    }
}
"#;
