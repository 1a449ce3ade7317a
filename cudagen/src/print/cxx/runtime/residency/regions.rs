//! What the functions of regions call: slices are reserved, brought up to date, and noted as written.

/// What regions need.
pub const REGIONS: &str = r#"
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
