//! What the languages spell in their own ways that are C++ with additions.

use crate::host::operation::Launch;
use crate::kernel::program::BoundedLoop;

/// A language.
pub trait Language {
    /// Its name, for readers.
    fn name(&self) -> &'static str;

    /// How the names of its runtime library begin, and those of our own functions: `cuda`.
    fn prefix(&self) -> &'static str;

    /// The macro that its compilers define.
    fn compiler(&self) -> &'static str;

    /// The directive that includes the runtime library's header; nothing if compilers include it by themselves.
    fn include(&self) -> &'static str;

    /// The error that there is no memory left.
    fn out_of_memory(&self) -> &'static str;

    /// A call that forgets the last error.
    fn forget_error(&self) -> &'static str;

    /// The launch of a kernel whose grid and arguments are these.
    fn launch(&self, launch: &Launch, grid: &[Option<String>; 3], arguments: &[String]) -> String;

    /// A kernel as an argument of the function that sets its attributes.
    fn kernel_address(&self, kernel: &str) -> String;

    /// A variable on the device as an argument of the function that copies to one.
    fn symbol(&self, variable: &str) -> String;

    /// The attribute of memory that begins at a multiple of some bytes.
    fn aligned(&self, bytes: u64) -> String;

    /// The text before the body of a loop to the smallest of several bounds.
    fn bounded_loop(&self, bounded: &BoundedLoop) -> String;

    /// The function that such loops call, if they do.
    fn bound(&self) -> &'static str;

    /// The function that adds what the threads of a warp contribute to one element.
    fn warp_sum(&self) -> &'static str;

    /// The functions `min` and `max` on the host, as far as the language lacks them.
    fn extremes(&self) -> &'static str;
}

impl dyn Language + '_ {
    /// The name of a function of the runtime library: `cudaMalloc` for `Malloc`.
    pub fn runtime(&self, name: &str) -> String {
        format!("{}{name}", self.prefix())
    }

    /// The name of a function or variable of our own: `cuda_check` for `check`.
    pub fn own(&self, name: &str) -> String {
        format!("{}_{name}", self.prefix())
    }

    /// The name of a type of our own: `CudaPiece` for `Piece`.
    pub fn own_type(&self, name: &str) -> String {
        format!("{}{name}", self.capitalised())
    }

    /// A call of the runtime library, checked.
    pub fn checked(&self, name: &str, arguments: &str) -> String {
        format!("{}({}({arguments}));", self.own("check"), self.runtime(name))
    }

    /// A text in which such names begin with `gpu` and `Gpu`, in this language.
    pub fn spelled(&self, text: &str) -> String {
        text.replace("LANGUAGE", self.name())
            .replace("FORGET_ERROR", self.forget_error())
            .replace("OUT_OF_MEMORY", self.out_of_memory())
            .replace("gpu", self.prefix())
            .replace("Gpu", &self.capitalised())
    }

    fn capitalised(&self) -> String {
        let mut letters = self.prefix().chars();
        letters
            .next()
            .map_or(String::new(), |first| first.to_ascii_uppercase().to_string() + letters.as_str())
    }
}
