//! Memory that the user holds on the device.

/// Memory that stays on the device although unknown code runs.
pub const HOLDS: &str = r#"
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
pub const DATA: &str = r#"
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
pub const API: &str = r#"
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
