//! Targets of wishes.

use std::fmt;
use std::str::FromStr;

use crate::{KernelId, LoopId};

/// The target of a wish: what all of the given names refer to, or everything if there are none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Target {
    /// The name of a region.
    pub region: Option<String>,
    /// A kernel.
    pub kernel: Option<KernelId>,
    /// A loop of the source.
    pub source_loop: Option<LoopId>,
    /// An array, by its C expression.
    pub array: Option<String>,
}

impl FromStr for Target {
    type Err = String;

    /// Parses `[REGION/][KERNEL:]ARRAY`, `[REGION/]KERNEL` or `[REGION/]LOOP`.
    fn from_str(text: &str) -> Result<Self, String> {
        let (region, rest) = match text.split_once('/') {
            Some((region, rest)) => (Some(region.to_owned()), rest),
            None => (None, text),
        };
        let mut target = Self { region, ..Self::default() };
        let (kernel, array) = match rest.split_once(':') {
            Some((kernel, array)) if !array.starts_with(':') => (kernel, Some(array)),
            _ => (rest, None),
        };
        target.kernel = kernel.parse().ok();
        target.array = match (target.kernel, array) {
            (Some(_), array) => array.map(str::to_owned),
            (None, Some(_)) => {
                return Err(format!("`{kernel}` is not a kernel: kernels are called K0, K1, …"));
            }
            (None, None) => {
                target.source_loop = rest.parse().ok();
                target.source_loop.is_none().then(|| rest.to_owned())
            }
        };
        let empty = |part: &Option<String>| part.as_deref() == Some("");
        if empty(&target.array) || empty(&target.region) {
            return Err(format!("`{text}` names nothing: kernels are called K0, loops L0, arrays as in C"));
        }
        Ok(target)
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = match (&self.array, self.kernel, self.source_loop) {
            (Some(array), Some(kernel), _) => format!("`{array}` in {kernel}"),
            (Some(array), None, _) => format!("`{array}`"),
            (None, Some(kernel), _) => kernel.to_string(),
            (None, None, Some(source_loop)) => source_loop.to_string(),
            (None, None, None) => self.region.clone().unwrap_or("all".to_owned()),
        };
        f.write_str(&named)
    }
}
