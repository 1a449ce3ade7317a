//! What code outside of regions calls before it touches memory, before memory ceases to exist, and at the ends of
//! intervals.

/// Host code reads memory.
pub const READS: &str = r#"
inline void reads(const void *start, long bytes)
{
    char *const from = (char *)start, *const to = from + std::max(bytes, 0L);
    const Lock held(table().lock);
    for_pieces_in(from, to, [&](Piece &piece) { copy_back(piece, from, to); });
}
"#;

/// Host code writes memory.
pub const WRITES: &str = r#"
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
pub const OVERWRITES: &str = r#"
inline void overwrites(const void *start, long bytes)
{
    char *const from = (char *)start, *const to = from + std::max(bytes, 0L);
    const Lock held(table().lock);
    for_pieces_in(from, to, [&](Piece &piece) { outdate(piece, from, to); });
}
"#;

/// Host code reads memory of a class.
pub const READS_CLASS: &str = r#"
// NULL stands for all classes.
inline void reads_class(const void *memory_class)
{
    const Lock held(table().lock);
    for_pieces_of(memory_class, [](Piece &piece) { copy_back(piece, piece.start, piece.end); });
}
"#;

/// Host code writes memory of a class.
pub const WRITES_CLASS: &str = r#"
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
pub const FREES: &str = r#"
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
pub const FORGET: &str = r#"
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
pub const RELEASE: &str = r#"
inline void release(const void *start, long bytes)
{
    char *const from = (char *)start, *const to = from + std::max(bytes, 0L);
    const Lock held(table().lock);
    for_pieces_in(from, to, [](Piece &piece) { drop(piece); });
}
"#;

/// Intervals.
pub const INTERVALS: &str = r#"
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

/// Exceptions that leave intervals.
pub const EXCEPTIONS: &str = r#"
// How many intervals are open, and calls of unknown code in them, as one number.
inline long depth()
{
    return open_intervals() * 65536L + calls_outside();
}

// An exception has left those that were opened since then. What they kept on the device left it before the exception.
inline void caught(long depth)
{
    open_intervals() = (int)(depth / 65536);
    calls_outside() = (int)(depth % 65536);
}
"#;
