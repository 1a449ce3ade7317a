//! Arrays that stay on the device from one region to the next.
//!
//! Each thread of the host has a list of the pieces of memory that the device holds for it, by their addresses on the
//! host. A region takes the piece that has its slice, or adds one; what it needs is copied if it is not there, and
//! what it wrote is noted. Behind the last region of a stay the C source calls a function that brings home what is
//! newer on the device, and frees it.
//!
//! Different names of the same memory find the same piece. Regions of a stay that transfer an array in another way,
//! or read it on the host, bring its pieces home first, and so does a function that declines, because the original
//! region then runs on the host.

use std::collections::BTreeSet;

use scop::c_text::Dialect;
use scop::{Array, Program, Region, Scanned, Stay, StayId};

use crate::code::frame::Frame;
use crate::host::checks::range_text;
use crate::host::slices;
use crate::model::data::{Datum, HostForm};
use crate::print::layout::Stmt;

/// The functions that generated code calls.
pub const RUNTIME: &str = r#"
// A piece of the host's memory that the device holds between regions.
struct CudaPiece {
    int stay;      // at the end of which it leaves; -1 for any
    int home;      // at the end of which the host needs what is newer
    char *host;
    size_t bytes;
    char *device;
    bool complete; // the device has all values
    bool newer;    // the host has not
    bool in_use;   // by the region that runs
};

// The pieces of a thread, which do not overlap, by where they begin on the host.
static thread_local std::map<const char *, CudaPiece> cuda_pieces;
typedef std::map<const char *, CudaPiece>::iterator CudaPlace;

// The first piece that ends behind an address.
static CudaPlace cuda_piece_behind(const void *start)
{
    CudaPlace place = cuda_pieces.upper_bound((const char *)start);
    if (place != cuda_pieces.begin()) {
        CudaPlace before = std::prev(place);
        if ((const char *)start < before->second.host + before->second.bytes)
            return before;
    }
    return place;
}

// The piece that has an address; NULL if there is none.
static CudaPiece *cuda_piece_at(const void *start)
{
    CudaPlace place = cuda_piece_behind(start);
    return place != cuda_pieces.end() && place->first <= (const char *)start ? &place->second : NULL;
}

static void cuda_piece_fill(CudaPiece &piece)
{
    if (!piece.complete)
        cuda_check(cudaMemcpy(piece.device, piece.host, piece.bytes, cudaMemcpyHostToDevice));
    piece.complete = true;
}

static void cuda_piece_home(CudaPiece &piece)
{
    if (piece.newer)
        cuda_check(cudaMemcpy(piece.host, piece.device, piece.bytes, cudaMemcpyDeviceToHost));
    piece.newer = false;
}

static CudaPlace cuda_piece_leave(CudaPlace place)
{
    cuda_piece_home(place->second);
    cuda_check(cudaFree(place->second.device));
    return cuda_pieces.erase(place);
}

// The end of a stay; of all with -1.
static void cuda_stay_end(int stay)
{
    for (CudaPlace place = cuda_pieces.begin(); place != cuda_pieces.end();) {
        CudaPiece &piece = place->second;
        if (piece.home == stay)
            cuda_piece_home(piece);
        place = stay < 0 || piece.stay < 0 || piece.stay == stay ? cuda_piece_leave(place) : std::next(place);
    }
}

// Before memory is used on the host, or copied in another way.
static void cuda_stay_release(const void *start, size_t bytes)
{
    const char *end = (const char *)start + bytes;
    CudaPlace place = cuda_piece_behind(start);
    while (place != cuda_pieces.end() && place->first < end)
        place = cuda_piece_leave(place);
}

// Memory of the device. If there is none left, pieces that no region uses at the moment make room.
template <class T> static cudaError_t cuda_stay_malloc(T **pointer, size_t bytes)
{
    const cudaError_t error = cudaMalloc(pointer, bytes);
    if (error != cudaErrorMemoryAllocation)
        return error;
    cudaGetLastError();
    for (CudaPlace place = cuda_pieces.begin(); place != cuda_pieces.end();)
        place = place->second.in_use ? std::next(place) : cuda_piece_leave(place);
    return cudaMalloc(pointer, bytes);
}

// Sees to it that one piece has all of some memory. A region reserves all that it uses before it looks any of it up.
static void cuda_stay_reserve(int stay, const void *start, size_t bytes)
{
    char *first = (char *)start, *end = first + bytes;
    CudaPlace place = cuda_piece_behind(start);
    const bool grows = place != cuda_pieces.end() && place->first < end && bytes > 0;
    if (bytes == 0)
        return;
    for (; place != cuda_pieces.end() && place->first < (const char *)start + bytes; place++) {
        CudaPiece &piece = place->second;
        stay = piece.stay == stay ? stay : -1;
        if (piece.host <= first && end <= piece.host + piece.bytes) {
            if (piece.bytes != bytes)
                cuda_piece_fill(piece);
            piece.stay = stay;
            piece.in_use = true;
            return;
        }
        first = std::min(first, piece.host);
        end = std::max(end, piece.host + piece.bytes);
    }
    cuda_stay_release(start, bytes);
    CudaPiece piece = {stay, stay, first, (size_t)(end - first), NULL, false, false, true};
    cuda_check(cuda_stay_malloc(&piece.device, piece.bytes));
    if (grows)
        cuda_piece_fill(piece);
    cuda_pieces[piece.host] = piece;
}

// Where the device has reserved memory.
static void *cuda_stay_memory(const void *start)
{
    const CudaPiece *piece = cuda_piece_at(start);
    return piece == NULL ? NULL : piece->device + ((const char *)start - piece->host);
}

// Before kernels need the values of the host.
[[maybe_unused]] static void cuda_stay_needs(const void *start)
{
    if (CudaPiece *piece = cuda_piece_at(start))
        cuda_piece_fill(*piece);
}

// Behind kernels that wrote. The host needs it at the end of the stay `home`; at once if that is negative, or if
// others wait for the end of another.
[[maybe_unused]] static void cuda_stay_wrote(const void *start, int home)
{
    CudaPiece *piece = cuda_piece_at(start);
    if (piece == NULL)
        return;
    const bool at_once = home < 0 || (piece->newer && piece->home != home);
    piece->complete = piece->newer = true;
    piece->home = home;
    if (at_once)
        cuda_piece_home(*piece);
}

// The end of a region.
static void cuda_stay_done()
{
    for (auto &place : cuda_pieces)
        place.second.in_use = false;
}
"#;

/// The stays in which an array stays.
///
/// # Errors
/// The document names an array that it does not have.
pub fn active(program: &Program<Scanned>) -> polyhedra::Result<BTreeSet<StayId>> {
    let mut active = BTreeSet::new();
    for scop in &program.scops {
        for device in scop.stage.placed.placement.device.iter().filter(|device| device.stays) {
            let array = scop.model.array(device.array)?;
            active.extend(array.stay.into_iter().chain(array.home));
        }
    }
    Ok(active)
}

/// The stays around a region, of those in which an array stays.
pub fn around<'a>(
    program: &'a Program<Scanned>,
    active: &BTreeSet<StayId>,
    region: &Region,
) -> Vec<&'a Stay> {
    let stays = program.source.stays.iter().filter(|stay| active.contains(&stay.id));
    stays.filter(|stay| region.range.is_within(stay.range)).collect()
}

/// *Rewrite:* each region transfers what it needs itself, however gpulocalizer has it.
pub fn never(program: &mut Program<Scanned>) {
    for scop in &mut program.scops {
        for device in &mut scop.stage.placed.placement.device {
            device.stays = false;
        }
    }
}

/// The name of the function that ends a stay.
pub fn end_name(stay: &Stay) -> String {
    format!("{}_end", stay.name)
}

/// The function that ends a stay.
pub fn end(stay: &Stay) -> String {
    format!("extern \"C\" void {}(void)\n{{\n    cuda_stay_end({});\n}}\n", end_name(stay), stay.id.0)
}

/// What comes before the device pointers of a region in a stay.
pub fn reserve(frame: &Frame<'_>) -> Vec<Stmt> {
    if !frame.view.in_stay {
        return Vec::new();
    }
    let of_caller = frame.view.data.values().filter(|datum| datum.host == HostForm::Pointer);
    let (stay, others): (Vec<_>, Vec<_>) = of_caller.partition(|datum| datum.stay.is_some());
    let mut block: Vec<Stmt> = others
        .into_iter()
        .map(|datum| Stmt::line(format!("cuda_stay_release({});", range_text(frame, datum))))
        .collect();
    for datum in stay {
        let id = datum.stay.map_or(0, |id| id.0);
        block.push(Stmt::line(format!("cuda_stay_reserve({id}, {});", range_text(frame, datum))));
    }
    block
}

/// Declares the device pointer of an array that stays.
pub fn pointer(frame: &Frame<'_>, datum: &Datum<'_>, pointer: &str) -> Option<Stmt> {
    let ctype = Dialect::Cxx.type_name(datum.array.element);
    let start = slices::host_start(frame, datum, datum.slice.as_ref()?);
    frame.note(datum.array.id, false);
    Some(Stmt::declare(pointer, format!("{ctype} *{pointer} = ({ctype} *)cuda_stay_memory({start});")))
}

/// What stands in the place of a transfer.
pub fn transfer(frame: &Frame<'_>, datum: &Datum<'_>, to_device: bool) -> Option<Stmt> {
    let start = slices::host_start(frame, datum, datum.slice.as_ref()?);
    frame.note(datum.array.id, !to_device);
    Some(Stmt::line(match to_device {
        true => format!("cuda_stay_needs({start});"),
        false => format!("cuda_stay_wrote({start}, {});", home(datum.array)),
    }))
}

/// Behind which stay what a region wrote comes home; -1 for behind the region.
fn home(array: &Array) -> i64 {
    let stay = if array.read_in_stay { array.home } else { array.stay };
    stay.map_or(-1, |stay| stay.0.into())
}

/// The end of a region.
pub fn done(frame: &Frame<'_>) -> Option<Stmt> {
    let any = frame.view.data.values().any(|datum| datum.stay.is_some());
    any.then(|| Stmt::line("cuda_stay_done();"))
}

/// What a function in a stay does before it declines.
pub fn before_declining(frame: &Frame<'_>) -> Option<Stmt> {
    frame.view.in_stay.then(|| Stmt::line("cuda_stay_end(-1);"))
}
