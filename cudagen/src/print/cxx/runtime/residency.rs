//! The functions for arrays that remain on the device from one region to the next (`host/residency.rs`).

/// Their text.
pub const TEXT: &str = r#"
// A piece of the host's memory that the device holds between regions.
struct GpuPiece {
    int residency;  // at its end the piece is freed; -1: at the end of any
    int back_after; // at its end newer values are copied back
    char *host;
    size_t bytes;
    char *device;
    bool complete;  // the device has all values
    bool newer;     // the device has newer values than the host
    bool in_use;    // by the region that is running
};

// The pieces of a thread by their addresses on the host. They do not overlap.
static thread_local std::map<const char *, GpuPiece> gpu_pieces;
typedef std::map<const char *, GpuPiece>::iterator GpuPlace;

// Returns the first piece that ends after an address.
static GpuPlace gpu_piece_after(const void *start)
{
    GpuPlace place = gpu_pieces.upper_bound((const char *)start);
    if (place != gpu_pieces.begin()) {
        GpuPlace before = std::prev(place);
        if ((const char *)start < before->second.host + before->second.bytes)
            return before;
    }
    return place;
}

// Returns the piece that contains an address; NULL if there is none.
static GpuPiece *gpu_piece_at(const void *start)
{
    GpuPlace place = gpu_piece_after(start);
    return place != gpu_pieces.end() && place->first <= (const char *)start ? &place->second : NULL;
}

static void gpu_piece_fill(GpuPiece &piece)
{
    if (!piece.complete)
        gpu_check(gpuMemcpy(piece.device, piece.host, piece.bytes, gpuMemcpyHostToDevice));
    piece.complete = true;
}

static void gpu_piece_copy_back(GpuPiece &piece)
{
    if (piece.newer)
        gpu_check(gpuMemcpy(piece.host, piece.device, piece.bytes, gpuMemcpyDeviceToHost));
    piece.newer = false;
}

static GpuPlace gpu_piece_leave(GpuPlace place)
{
    gpu_piece_copy_back(place->second);
    gpu_check(gpuFree(place->second.device));
    return gpu_pieces.erase(place);
}

// Ends a residency; -1 ends all.
static void gpu_residency_end(int residency)
{
    for (GpuPlace place = gpu_pieces.begin(); place != gpu_pieces.end();) {
        GpuPiece &piece = place->second;
        if (piece.back_after == residency)
            gpu_piece_copy_back(piece);
        const bool ends = residency < 0 || piece.residency < 0 || piece.residency == residency;
        place = ends ? gpu_piece_leave(place) : std::next(place);
    }
}

// To be called before memory is used on the host or copied in another way.
static void gpu_residency_release(const void *start, size_t bytes)
{
    const char *end = (const char *)start + bytes;
    GpuPlace place = gpu_piece_after(start);
    while (place != gpu_pieces.end() && place->first < end)
        place = gpu_piece_leave(place);
}

// Allocates memory on the device. If there is not enough, pieces that no region is using are freed.
template <class T> static gpuError_t gpu_residency_malloc(T **pointer, size_t bytes)
{
    const gpuError_t error = gpuMalloc(pointer, bytes);
    if (error != OUT_OF_MEMORY)
        return error;
    FORGET_ERROR;
    for (GpuPlace place = gpu_pieces.begin(); place != gpu_pieces.end();)
        place = place->second.in_use ? std::next(place) : gpu_piece_leave(place);
    return gpuMalloc(pointer, bytes);
}

// Ensures that one piece contains all of some memory. A region reserves all memory that it uses before it looks up any.
static void gpu_residency_reserve(int residency, const void *start, size_t bytes)
{
    char *first = (char *)start, *end = first + bytes;
    GpuPlace place = gpu_piece_after(start);
    const bool grows = place != gpu_pieces.end() && place->first < end && bytes > 0;
    if (bytes == 0)
        return;
    for (; place != gpu_pieces.end() && place->first < (const char *)start + bytes; place++) {
        GpuPiece &piece = place->second;
        residency = piece.residency == residency ? residency : -1;
        if (piece.host <= first && end <= piece.host + piece.bytes) {
            if (piece.bytes != bytes)
                gpu_piece_fill(piece);
            piece.residency = residency;
            piece.in_use = true;
            return;
        }
        first = std::min(first, piece.host);
        end = std::max(end, piece.host + piece.bytes);
    }
    gpu_residency_release(start, bytes);
    GpuPiece piece = {residency, residency, first, (size_t)(end - first), NULL, false, false, true};
    gpu_check(gpu_residency_malloc(&piece.device, piece.bytes));
    if (grows)
        gpu_piece_fill(piece);
    gpu_pieces[piece.host] = piece;
}

// Returns the address on the device of reserved memory.
static void *gpu_residency_memory(const void *start)
{
    const GpuPiece *piece = gpu_piece_at(start);
    return piece == NULL ? NULL : piece->device + ((const char *)start - piece->host);
}

// To be called before kernels that need the values of the host.
[[maybe_unused]] static void gpu_residency_needs(const void *start)
{
    if (GpuPiece *piece = gpu_piece_at(start))
        gpu_piece_fill(*piece);
}

// To be called after kernels that wrote. The values are copied back at the end of the residency `back_after`; at once
// if that is negative, or if values of the piece are to be copied back at the end of another residency.
[[maybe_unused]] static void gpu_residency_wrote(const void *start, int back_after)
{
    GpuPiece *piece = gpu_piece_at(start);
    if (piece == NULL)
        return;
    const bool at_once = back_after < 0 || (piece->newer && piece->back_after != back_after);
    piece->complete = piece->newer = true;
    piece->back_after = back_after;
    if (at_once)
        gpu_piece_copy_back(*piece);
}

// To be called at the end of a region.
static void gpu_residency_done()
{
    for (auto &place : gpu_pieces)
        place.second.in_use = false;
}
"#;
