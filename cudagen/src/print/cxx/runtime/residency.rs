//! The table of the memory that the device holds between regions (`host/residency.rs`).
//!
//! It is one table for a program, even if several generated files belong to it: inline functions of a namespace define
//! it, and the linker keeps one of each. A later version that changes anything here needs another namespace.
//!
//! A piece is a contiguous part of the host's memory of which a device holds a copy. The pieces of a device do not
//! overlap. For each byte of a piece, one side has the newer value, or both agree. Two lists of ranges say so; no byte
//! is in both. If several devices hold a byte, at most one of them has a newer value than the host; all others then
//! consider the host's value the newer one, which they get only after it has been copied back.
//!
//! A region that runs holds its pieces: they neither move nor leave. A region of another thread that needs a larger
//! piece waits for it before it holds anything itself, so no two regions wait for each other.

use std::collections::BTreeSet;

use crate::host::calls::HostCall;
use crate::host::file::{FileResidency, GpuFile};
use crate::host::operation::{HostOp, ResidencyOp};

/// Returns the definitions that a file needs.
pub fn text(residency: &FileResidency, file: &GpuFile) -> String {
    let mut functions: BTreeSet<&str> = residency.calls.iter().flat_map(|(call, _)| of_call(*call)).collect();
    functions.extend([READS, WRITES, HOLDS].into_iter().filter(|_| residency.is_held));
    let bodies = file.regions.iter().flat_map(|region| &region.body);
    bodies.for_each(|stmt| stmt.visit(&mut |op| functions.extend(of_operation(op))));
    let functions: String = FUNCTIONS.iter().filter(|text| functions.contains(*text)).copied().collect();
    let classes = format!(
        "\nnamespace gpu_residency = c2cuda_residency_v2;\n\n\
         // The addresses of these bytes stand for the classes of memory of this file.\n\
         [[maybe_unused]] static char gpu_classes[{}];\n",
        residency.classes
    );
    let api = if residency.is_held { API } else { "" };
    let at_exit = if residency.runs_at_exit { AT_EXIT } else { "" };
    [TABLE, REGIONS, &functions, END, &classes, api, at_exit].concat()
}

/// Returns the definitions that any file may need.
#[cfg(test)]
pub fn all() -> String {
    [TABLE, REGIONS, &FUNCTIONS.concat(), END, "\nnamespace gpu_residency = c2cuda_residency_v2;\n", API]
        .concat()
}

/// The definitions that only some files need.
const FUNCTIONS: [&str; 11] =
    [READS, WRITES, OVERWRITES, READS_CLASS, WRITES_CLASS, FREES, FORGET, RELEASE, INTERVALS, HOLDS, DATA];

/// Returns the definitions of the functions that a host function calls, apart from those of [`REGIONS`].
fn of_operation(op: &HostOp) -> Vec<&'static str> {
    let of_one = |op: &ResidencyOp| match op {
        ResidencyOp::Reads(_) => Some(READS),
        ResidencyOp::Writes(_) => Some(WRITES),
        ResidencyOp::ReadsClass(_) => Some(READS_CLASS),
        ResidencyOp::WritesClass(_) => Some(WRITES_CLASS),
        _ => None,
    };
    match op {
        HostOp::Residency(op) => of_one(op).into_iter().collect(),
        HostOp::Decline { before, .. } => before.iter().filter_map(of_one).collect(),
        _ => Vec::new(),
    }
}

/// Returns the definitions for a function that code outside of regions calls.
fn of_call(call: HostCall) -> Vec<&'static str> {
    vec![match call {
        HostCall::Begin | HostCall::End | HostCall::Leave | HostCall::Back => INTERVALS,
        HostCall::BeginData | HostCall::Hold | HostCall::HoldClass | HostCall::EndData => {
            return vec![HOLDS, DATA];
        }
        HostCall::Reads => READS,
        HostCall::Writes => WRITES,
        HostCall::Overwrites => OVERWRITES,
        HostCall::ReadsClass => READS_CLASS,
        HostCall::WritesClass => WRITES_CLASS,
        HostCall::Frees => FREES,
        HostCall::Forget => FORGET,
        HostCall::Release => RELEASE,
    }]
}

/// What all other functions need.
const TABLE: &str = r#"
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

/// Host code reads memory.
const READS: &str = r#"
inline void reads(const void *start, long bytes)
{
    char *const from = (char *)start, *const to = from + std::max(bytes, 0L);
    const Lock held(table().lock);
    for_pieces_in(from, to, [&](Piece &piece) { copy_back(piece, from, to); });
}
"#;

/// Host code writes memory.
const WRITES: &str = r#"
inline void writes(const void *start, long bytes)
{
    char *const from = (char *)start, *const to = from + std::max(bytes, 0L);
    const Lock held(table().lock);
    for_pieces_in(from, to, [&](Piece &piece) {
        copy_back(piece, from, to);
        outdate(piece, from, to);
    });
}
"#;

/// Host code overwrites memory.
const OVERWRITES: &str = r#"
inline void overwrites(const void *start, long bytes)
{
    char *const from = (char *)start, *const to = from + std::max(bytes, 0L);
    const Lock held(table().lock);
    for_pieces_in(from, to, [&](Piece &piece) { outdate(piece, from, to); });
}
"#;

/// Host code reads memory of a class.
const READS_CLASS: &str = r#"
// NULL stands for all classes.
inline void reads_class(const void *memory_class)
{
    const Lock held(table().lock);
    for_pieces_of(memory_class, [](Piece &piece) { copy_back(piece, piece.start, piece.end); });
}
"#;

/// Host code writes memory of a class.
const WRITES_CLASS: &str = r#"
// NULL stands for all classes.
inline void writes_class(const void *memory_class)
{
    const Lock held(table().lock);
    for_pieces_of(memory_class, [](Piece &piece) {
        copy_back(piece, piece.start, piece.end);
        outdate(piece, piece.start, piece.end);
    });
}
"#;

/// Host code frees memory.
const FREES: &str = r#"
inline void frees(void *pointer)
{
    char *const from = (char *)pointer, *const to = from + (pointer ? malloc_usable_size(pointer) : 0);
    const Lock held(table().lock);
    check_unheld(from, to);
    for_pieces_in(from, to, [&](Piece &piece) {
        piece.newer_on_device.remove(from, to);
        drop(piece);
    });
}
"#;

/// Memory ceases to exist.
const FORGET: &str = r#"
inline void forget(const void *start, long bytes)
{
    char *const from = (char *)start, *const to = from + std::max(bytes, 0L);
    const Lock held(table().lock);
    check_unheld(from, to);
    for_pieces_in(from, to, [&](Piece &piece) {
        piece.newer_on_device.remove(from, to);
        drop(piece);
    });
#ifdef CUDASIM
    cudasim::host_writes(from, to - from); // another object may begin there, without a value
#endif
}
"#;

/// Memory leaves the device.
const RELEASE: &str = r#"
inline void release(const void *start, long bytes)
{
    char *const from = (char *)start, *const to = from + std::max(bytes, 0L);
    const Lock held(table().lock);
    for_pieces_in(from, to, [](Piece &piece) { drop(piece); });
}
"#;

/// Intervals.
const INTERVALS: &str = r#"
inline void begin_interval()
{
    open_intervals()++;
}

inline void end_interval()
{
    if (--open_intervals() > 0)
        return;
    const Lock held(table().lock);
    drop_bounded();
}

inline void leave_interval()
{
    calls_outside()++;
    const Lock held(table().lock);
    drop_bounded();
}

inline void return_to_interval()
{
    calls_outside()--;
}
"#;

/// Memory that stays on the device although unknown code runs.
const HOLDS: &str = r#"
inline void begin_hold(const void *start, long bytes)
{
    char *const from = (char *)start, *const to = from + std::max(bytes, 0L);
    if (from == to)
        return;
    const Lock held(table().lock);
    table().holds[{from, to}]++;
    table().held.add(from, to);
}

// At the end of the outermost hold, the memory is copied back and leaves the device. What is `forgotten` is not copied.
inline void end_hold(const void *start, long bytes, bool forgotten = false)
{
    char *const from = (char *)start, *const to = from + std::max(bytes, 0L);
    if (from == to)
        return;
    const Lock held(table().lock);
    auto &holds = table().holds;
    const auto hold = holds.find({from, to});
    if (hold == holds.end()) {
        fprintf(stderr, "c2cuda: `c2cuda_data_end(%p, %ld)` has no `c2cuda_data_begin` with the same memory\n",
            (void *)from, bytes);
        exit(1);
    }
    if (--hold->second > 0)
        return;
    holds.erase(hold);
    table().held.remove(from, to);
    for (auto other = holds.begin(); other != holds.end() && other->first.first < to; ++other)
        table().held.add(std::max(from, other->first.first), std::min(to, other->first.second));
    for_pieces_in(from, to, [&](Piece &piece) {
        for_unheld_in(piece, [&](char *first, char *last) {
            if (forgotten)
                piece.newer_on_device.remove(std::max(first, from), std::min(last, to));
        });
        if (piece.bounded && (open_intervals() == 0 || calls_outside() > 0))
            drop_unheld(piece);
    });
}

inline void begin_hold_of_class(const void *memory_class)
{
    const Lock held(table().lock);
    table().held_classes[memory_class]++;
}

inline void end_hold_of_class(const void *memory_class)
{
    const Lock held(table().lock);
    if (--table().held_classes[memory_class] > 0)
        return;
    table().held_classes.erase(memory_class);
    for_pieces_of(memory_class, [&](Piece &piece) {
        if (piece.kept.erase(memory_class) > 0 && piece.bounded && (open_intervals() == 0 || calls_outside() > 0))
            drop_unheld(piece);
    });
}
"#;

/// Blocks of `data`.
const DATA: &str = r#"
// What a block of `data` holds: bytes, or all memory of a class that regions use during the block.
struct Held {
    const void *start;
    long bytes;
    bool forgotten;
    const void *memory_class;
};

// What the open blocks of this thread hold, innermost last.
inline std::vector<std::vector<Held>> &open_data()
{
    static thread_local std::vector<std::vector<Held>> open;
    return open;
}

inline void begin_data()
{
    open_data().emplace_back();
}

inline void hold(const void *start, long bytes, bool forgotten)
{
    begin_hold(start, bytes);
    open_data().back().push_back({start, bytes, forgotten, NULL});
}

inline void hold_class(const void *memory_class)
{
    begin_hold_of_class(memory_class);
    open_data().back().push_back({NULL, 0, false, memory_class});
}

inline void end_data()
{
    for (const Held &one : open_data().back()) {
        if (one.memory_class)
            end_hold_of_class(one.memory_class);
        else
            end_hold(one.start, one.bytes, one.forgotten);
    }
    open_data().pop_back();
}
"#;

/// What `c2cuda.h` declares. The program has one definition, even if several generated files contain it.
const API: &str = r#"
// What `c2cuda.h` calls.
extern "C" {

__attribute__((weak)) void c2cuda_data_begin_v1(const void *start, size_t bytes)
{
    gpu_residency::begin_hold(start, (long)bytes);
}

__attribute__((weak)) void c2cuda_data_end_v1(const void *start, size_t bytes)
{
    gpu_residency::end_hold(start, (long)bytes);
}

__attribute__((weak)) void c2cuda_data_reads_v1(const void *start, size_t bytes)
{
    gpu_residency::reads(start, (long)bytes);
}

__attribute__((weak)) void c2cuda_data_writes_v1(const void *start, size_t bytes)
{
    gpu_residency::writes(start, (long)bytes);
}

} // extern "C"
"#;

/// For files with code that may run while the program ends.
const AT_EXIT: &str = "
// Code of this file may run when the program ends, and needs the newest values.
[[maybe_unused]] static const bool gpu_copies_back = gpu_residency::table().copies_back_at_exit = true;
";

/// What regions need.
const REGIONS: &str = r#"
// Allocates memory on the device. If there is not enough, pieces leave that no region uses, the least recently used one
// first.
template <class T> gpuError_t allocate(T **pointer, size_t bytes)
{
    const Lock held(table().lock);
    for (;;) {
        const gpuError_t error = gpuMalloc(pointer, bytes);
        if (error != OUT_OF_MEMORY)
            return error;
        FORGET_ERROR;
        Piece *oldest = NULL;
        for (auto &entry : table().pieces) {
            Piece &piece = entry.second;
            if (piece.device == current_device() && piece.regions == 0 && (!oldest || piece.last_use < oldest->last_use))
                oldest = &piece;
        }
        if (oldest == NULL)
            return error;
        drop(*oldest);
    }
}

// Memory that a region uses and that may stay on the device.
struct Slice {
    const void *start;
    size_t bytes;
    const void *memory_class;
    bool bounded;
    bool announced = false; // all code of the file calls the table before it touches the memory, also outside of intervals

    char *first() const { return (char *)start; }
    char *last() const { return first() + bytes; }
};

// Returns the piece of a device that contains an address; NULL if there is none.
inline Piece *piece_at(int device, const void *start)
{
    const auto found = table().pieces.upper_bound({device, (char *)start});
    const bool is_it = found != table().pieces.end() && found->first.first == device && found->second.start <= start;
    return is_it ? &found->second : NULL;
}

// Returns the piece that contains a slice; NULL if there is none.
inline Piece *piece_with(int device, const Slice &slice)
{
    Piece *const piece = piece_at(device, slice.start);
    return piece && slice.last() <= piece->end ? piece : NULL;
}

// Frees the memory on the device when the program ends. What nothing can read any more is not copied back.
inline void free_at_exit()
{
    static const int registered = atexit([] {
        const Lock held(table().lock);
        for_pieces_of(NULL, [](Piece &piece) {
            if (piece.regions > 0)
                return;
            if (table().copies_back_at_exit)
                return drop(piece);
            (void)gpuFree(piece.copy);
            table().pieces.erase({piece.device, piece.end});
        });
    });
    (void)registered;
}

// Makes one piece of a slice and of all pieces that overlap it. What the device has moves within the device.
inline Piece &grown(int device, const Slice &slice)
{
    Piece one = {};
    one.device = device;
    one.start = slice.first();
    one.end = slice.last();
    for_pieces_in(slice.first(), slice.last(), [&](Piece &old) {
        if (old.device == device) {
            one.start = std::min(one.start, old.start);
            one.end = std::max(one.end, old.end);
        }
    });
    check(allocate(&one.copy, one.end - one.start), "gpuMalloc");
#ifdef CUDASIM
    cudasim::links(one.start, one.copy, one.end - one.start);
#endif
    free_at_exit();
    one.newer_on_host.add(one.start, one.end);
    for_pieces_in(slice.first(), slice.last(), [&](Piece &old) {
        if (old.device != device)
            return;
        check(gpuMemcpy(one.copy + (old.start - one.start), old.copy, old.end - old.start, gpuMemcpyDeviceToDevice),
            "gpuMemcpy");
        check(gpuFree(old.copy), "gpuFree");
        one.newer_on_host.remove(old.start, old.end);
        one.newer_on_host.add(old.newer_on_host);
        one.newer_on_device.add(old.newer_on_device);
        one.classes.insert(old.classes.begin(), old.classes.end());
        one.kept.insert(old.kept.begin(), old.kept.end());
        one.bounded |= old.bounded;
        one.unannounced |= old.unannounced;
        one.regions += old.regions;
        table().pieces.erase({device, old.end});
    });
    return table().pieces[{device, one.end}] = one;
}

// To be called once at the beginning of a region, with all its slices.
template <size_t count> void reserve(const Slice (&slices)[count])
{
    const Lock held(table().lock);
    const int device = current_device();
    const auto is_free = [&](const Slice &slice) {
        bool is_free = true;
        if (slice.bytes > 0 && !piece_with(device, slice))
            for_pieces_in(slice.first(), slice.last(),
                [&](Piece &piece) { is_free &= piece.device != device || piece.regions == 0; });
        return is_free;
    };
    while (!std::all_of(slices, slices + count, is_free))
        pthread_cond_wait(&table().region_ended, table().lock.native_handle());
    const auto use = [&](Piece &piece, const Slice &slice) {
        piece.classes.insert(slice.memory_class);
        if (table().held_classes.count(slice.memory_class))
            piece.kept.insert(slice.memory_class);
        piece.bounded |= slice.bounded;
        piece.unannounced |= slice.bounded && !slice.announced;
        piece.regions++;
        piece.last_use = ++table().uses;
    };
    // Pieces that are large enough are in use first, so that they do not leave to make room for others.
    bool is_used[count] = {};
    for (size_t i = 0; i < count; i++) {
        Piece *const piece = piece_with(device, slices[i]);
        is_used[i] = piece || slices[i].bytes == 0;
        if (piece && slices[i].bytes > 0)
            use(*piece, slices[i]);
    }
    for (size_t i = 0; i < count; i++) {
        if (is_used[i])
            continue;
        Piece *const piece = piece_with(device, slices[i]);
        use(piece ? *piece : grown(device, slices[i]), slices[i]);
    }
}

// Returns the address on the device of reserved memory.
inline void *memory(const void *start)
{
    const Lock held(table().lock);
    const Piece *const piece = piece_at(current_device(), start);
    return piece ? piece->copy + ((const char *)start - piece->start) : NULL;
}

// To be called before kernels that need the newest values of reserved memory.
inline void needs(const void *start, size_t bytes)
{
    char *const from = (char *)start, *const to = from + bytes;
    const Lock held(table().lock);
    for_pieces_in(from, to, [&](Piece &piece) {
        if (piece.device != current_device())
            copy_back(piece, from, to);
    });
    for_pieces_in(from, to, [&](Piece &piece) {
        if (piece.device == current_device())
            copy_newer(piece, from, to, true);
    });
}

// To be called after kernels that wrote reserved memory.
inline void wrote(const void *start, size_t bytes)
{
    char *const from = (char *)start, *const to = from + bytes;
    const Lock held(table().lock);
    for_pieces_in(from, to, [&](Piece &piece) {
        outdate(piece, from, to);
        if (piece.device == current_device()) {
            piece.newer_on_host.remove(from, to);
            piece.newer_on_device.add(from, to);
        }
    });
}

// To be called at the end of a region, with all its slices.
template <size_t count> void done(const Slice (&slices)[count])
{
    const Lock held(table().lock);
    const int device = current_device();
    for (const Slice &slice : slices)
        if (Piece *const piece = slice.bytes > 0 ? piece_at(device, slice.start) : NULL)
            piece->regions--;
    for (const Slice &slice : slices) {
        Piece *const piece = slice.bytes > 0 ? piece_at(device, slice.start) : NULL;
        if (piece == NULL)
            continue;
        if (calls_outside() > 0)
            for_unheld_in(*piece, [&](char *from, char *to) { copy_back(*piece, from, to); });
        if (piece->leaves)
            drop(*piece);
        else if (piece->bounded && (open_intervals() == 0 || calls_outside() > 0))
            drop_unheld(*piece);
    }
    pthread_cond_broadcast(&table().region_ended);
}
"#;

/// The end of the namespace.
const END: &str = "\n} // namespace c2cuda_residency_v2\n";
