//! The shared memory of a kernel.
//!
//! What a block may declare is 48 KiB; GPUs since 2017 grant more to a kernel that asks at its launch. Then one array
//! without a size stands for all of it, and the buffers are parts of it.

use scop::c_text::Dialect;
use scop::{Buffer, CType, Diagnostic, Diagnostics, Layout, Memory};

use crate::code::frame::Uses;
use crate::model::view::{NamedBuffer, View};
use crate::print::layout::Stmt;

/// What a block may declare.
const STATIC_BYTES: u64 = 49_152;
/// The most that any GPU grants a block (compute capability 9.0).
const MOST_BYTES: u64 = 232_448;
/// Where a buffer may begin: a multiple of the size of every type.
const ALIGNMENT: u64 = 16;

/// The buffers of a kernel that lie in shared memory, with the bytes where each begins.
pub struct SharedMemory<'a> {
    buffers: Vec<(&'a NamedBuffer<'a>, u64)>,
    bytes: u64,
}

impl<'a> SharedMemory<'a> {
    /// Those that a kernel uses.
    ///
    /// # Errors
    /// `E0606`: no GPU has as much.
    pub fn of(view: &'a View<'a>, name: &str, uses: &Uses) -> Result<Self, Diagnostics> {
        let used = uses.buffers.iter().filter_map(|id| view.buffer(*id));
        let mut shared = Self { buffers: Vec::new(), bytes: 0 };
        let mut declared = 0u64;
        for named in used.filter(|named| named.buffer.memory == Memory::Shared) {
            let element =
                view.datum(named.buffer.array).map_or(0, |datum| u64::from(datum.array.element.size()));
            let bytes = named.buffer.elements().saturating_mul(element);
            let start = shared.bytes.checked_next_multiple_of(ALIGNMENT).unwrap_or(u64::MAX);
            shared.buffers.push((named, start));
            shared.bytes = start.saturating_add(bytes);
            declared = declared.saturating_add(bytes);
        }
        if declared <= STATIC_BYTES {
            shared.bytes = declared;
        }
        if shared.bytes <= MOST_BYTES {
            return Ok(shared);
        }
        let bytes = shared.bytes;
        let message =
            format!("{name} needs {bytes} bytes of shared memory, and no GPU has more than {MOST_BYTES}");
        let help = "give gpulocalizer a smaller `--shared-memory`, or scheduler smaller tiles";
        Err(Diagnostic::error("E0606", message).with_help(help).into())
    }

    /// The bytes that the launch has to ask for; 0 if the kernel declares what it needs.
    pub fn dynamic_bytes(&self) -> u64 {
        if self.bytes > STATIC_BYTES { self.bytes } else { 0 }
    }

    /// The array that the launch gives a size, and the buffers as its parts; nothing if the kernel declares what it
    /// needs.
    pub fn parts(&self, view: &View<'_>) -> Vec<Stmt> {
        if self.dynamic_bytes() == 0 {
            return Vec::new();
        }
        let all = view.names.clone().fresh("shared_memory");
        let text = format!("extern __shared__ __align__({ALIGNMENT}) unsigned char {all}[];");
        let mut block = vec![Stmt::declare(&all, text)];
        block.extend(self.buffers.iter().map(|(named, start)| part(view, named, &all, *start)));
        block
    }
}

/// `__shared__ double shared_A[16][33];`
pub fn declaration(view: &View<'_>, named: &NamedBuffer<'_>) -> Stmt {
    let memory = match named.buffer.memory {
        Memory::Shared => "__shared__ ",
        Memory::Private => "",
    };
    let sizes = brackets(&extents(named.buffer));
    Stmt::declare(&named.name, format!("{memory}{} {}{sizes};", element(view, named), named.name))
}

/// `double (*const shared_A)[33] = (double (*)[33])(shared_memory + 4096);`
fn part(view: &View<'_>, named: &NamedBuffer<'_>, all: &str, start: u64) -> Stmt {
    let (ctype, name, sizes) = (element(view, named), &named.name, extents(named.buffer));
    let address = if start == 0 { all.to_owned() } else { format!("({all} + {start})") };
    let row = brackets(sizes.get(1..).unwrap_or_default());
    let text = if row.is_empty() {
        format!("{ctype} *const {name} = ({ctype} *){address};")
    } else {
        format!("{ctype} (*const {name}){row} = ({ctype} (*){row}){address};")
    };
    Stmt::declare(name, text)
}

fn element(view: &View<'_>, named: &NamedBuffer<'_>) -> String {
    let ctype = view.datum(named.buffer.array).map_or(CType::Int, |datum| datum.array.element);
    Dialect::Cxx.type_name(ctype).to_owned()
}

/// The extents of a buffer in memory.
fn extents(buffer: &Buffer) -> Vec<u32> {
    let mut sizes = buffer.sizes.clone();
    match (&buffer.layout, sizes.last_mut()) {
        (Layout::Dense { elements, .. }, _) => return vec![*elements],
        (Layout::Box { padding } | Layout::Ring { padding }, Some(last)) => {
            *last = last.saturating_add(*padding);
        }
        (_, None) => {}
    }
    sizes
}

/// `[16][33]`
fn brackets(sizes: &[u32]) -> String {
    sizes.iter().map(|size| format!("[{size}]")).collect()
}
