//! The differences between the languages that extend C++.

use crate::host::operation::Launch;
use crate::kernel::program::BoundedLoop;

/// A language that extends C++.
pub trait Language {
    /// Returns its name, for readers.
    fn name(&self) -> &'static str;

    /// Returns the prefix of the names of its runtime library and of our own functions: `cuda`.
    fn prefix(&self) -> &'static str;

    /// Returns the macro that its compilers define.
    fn compiler(&self) -> &'static str;

    /// Returns the directive that includes the runtime library's header; empty if compilers include it by themselves.
    fn include(&self) -> &'static str;

    /// Returns the error code for lack of memory.
    fn out_of_memory(&self) -> &'static str;

    /// Returns a call that clears the last error.
    fn forget_error(&self) -> &'static str;

    /// Returns the launch of a kernel with this grid and these arguments.
    fn launch(&self, launch: &Launch, grid: &[Option<String>; 3], arguments: &[String]) -> String;

    /// Returns a kernel as an argument of the function that sets its attributes.
    fn kernel_address(&self, kernel: &str) -> String;

    /// Returns a device variable as an argument of the function that copies to it.
    fn symbol(&self, variable: &str) -> String;

    /// Returns the attribute that aligns memory to a multiple of some bytes.
    fn aligned(&self, bytes: u64) -> String;

    /// Returns the head of a loop to the minimum of several bounds.
    fn bounded_loop(&self, bounded: &BoundedLoop) -> String;

    /// Returns the function that such loops call; empty if they call none.
    fn bound(&self) -> &'static str;

    /// Returns the function that adds the values of a warp's threads to one element.
    fn warp_sum(&self) -> &'static str;

    /// Returns the `value` of the thread whose number along x differs in the bit `lanes`, of 32 threads.
    fn exchange(&self) -> &'static str;

    /// Returns the `value` of the thread number `lane` along x, of 32 threads.
    fn value_of_lane(&self) -> &'static str;

    /// Returns the functions `min` and `max` for the host, if the language lacks them.
    fn extremes(&self) -> &'static str;
}

impl dyn Language + '_ {
    /// Returns the name of a function of the runtime library: `cudaMalloc` for `Malloc`.
    pub fn runtime(&self, name: &str) -> String {
        format!("{}{name}", self.prefix())
    }

    /// Returns the name of a function or variable of ours: `cuda_check` for `check`.
    pub fn own(&self, name: &str) -> String {
        format!("{}_{name}", self.prefix())
    }

    /// Returns the name of a type of ours: `CudaPiece` for `Piece`.
    pub fn own_type(&self, name: &str) -> String {
        format!("{}{name}", self.capitalised())
    }

    /// Returns a checked call of the runtime library.
    pub fn checked(&self, name: &str, arguments: &str) -> String {
        format!("{}({}({arguments}));", self.own("check"), self.runtime(name))
    }

    /// Returns a text in this language; in `text`, the prefix of names is `gpu` or `Gpu`.
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
