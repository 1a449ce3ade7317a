//! Reads what `nvdisasm -gi -c` prints for a cubin, and what `cuobjdump -res-usage` says before it.
//!
//! Of an instruction the listing has the address, the predicate, the opcode with its modifiers, the operands, and the
//! source line: comments of the form `//## File "a.h", line 3 inlined at "b.cu", line 13` hold until the next ones.
//! A call that was inlined has one comment for each level, the innermost first.

use std::collections::BTreeMap;

use thiserror::Error;

/// A listing of one cubin.
#[derive(Clone, Debug, Default)]
pub struct Listing {
    /// The kernels and functions, in their order.
    pub sections: Vec<Section>,
    /// What kernels and functions use, by symbol; empty if the listing does not say it.
    pub resources: BTreeMap<String, Resources>,
}

/// The code of a kernel, with what the assembler put behind it, or of a function that is called.
#[derive(Clone, Debug, Default)]
pub struct Section {
    /// The mangled name.
    pub symbol: String,
    /// Whether it is a kernel.
    pub is_kernel: bool,
    /// The instructions in order of address.
    pub instructions: Vec<Instruction>,
    /// The labels, with the number of the instruction that each stands before.
    pub labels: BTreeMap<String, usize>,
}

/// One instruction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Instruction {
    /// The address in its section, in bytes.
    pub address: u64,
    /// The predicate under which lanes execute it, such as `!P0`.
    pub predicate: Option<String>,
    /// The opcode with its modifiers, such as `LDG.E.128`.
    pub opcode: String,
    /// The operands as text.
    pub operands: Vec<String>,
    /// The source line and those of the calls around it, the innermost first.
    pub places: Vec<Place>,
}

/// A line of a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The path as the compiler saw it.
    pub file: String,
    /// The line, from 1 on.
    pub line: u64,
}

/// What a kernel needs of a multiprocessor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Resources {
    /// Registers of a thread.
    pub registers: u32,
    /// Bytes of a thread's stack, where spilled registers and local arrays are.
    pub stack_bytes: u32,
    /// Bytes of shared memory that the kernel declares.
    pub shared_bytes: u32,
}

/// Why a listing cannot be used.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ListingError {
    /// There is no code in it.
    #[error("there are no instructions in the listing; `nvdisasm -gi -c FILE.cubin` prints them")]
    Empty,
    /// No instruction has a source line.
    #[error(
        "the instructions have no source lines; compile with `nvcc -lineinfo` and list with `nvdisasm -gi -c`"
    )]
    NoLines,
    /// An instruction that does not look like one.
    #[error("line {line} of the listing is no instruction: {text}")]
    Malformed {
        /// The line of the listing.
        line: usize,
        /// What stands there.
        text: String,
    },
}

impl Instruction {
    /// Returns the opcode without its modifiers.
    pub fn base(&self) -> &str {
        self.opcode.split('.').next().unwrap_or(&self.opcode)
    }

    /// Returns whether the opcode has a modifier, such as `E` or `128`.
    pub fn has(&self, modifier: &str) -> bool {
        self.opcode.split('.').skip(1).any(|part| part == modifier)
    }

    /// Returns the labels that the operands name.
    pub fn targets(&self) -> impl Iterator<Item = &str> {
        let texts =
            self.operands.iter().flat_map(|operand| operand.split(['`', '(', ')', '"', ',', ' ', '*']));
        texts.filter(|text| text.starts_with(".L_") || text.starts_with('$') || text.starts_with("_Z"))
    }
}

impl Listing {
    /// Reads a listing.
    ///
    /// # Errors
    /// If it has no instructions, none with a source line, or lines that look like instructions and are none.
    pub fn parse(text: &str) -> Result<Listing, ListingError> {
        let mut reader = Reader::default();
        for (number, line) in text.lines().enumerate() {
            reader.read(number + 1, line.trim())?;
        }
        reader.finish()
    }
}

/// The listing so far.
#[derive(Default)]
struct Reader {
    listing: Listing,
    /// The symbols that are kernels.
    kernels: Vec<String>,
    /// The function whose resources come next.
    described: Option<String>,
    places: Vec<Place>,
    /// Whether the last comment says that a call was inlined, so that the next one belongs to the same instruction.
    chain_goes_on: bool,
}

impl Reader {
    fn read(&mut self, number: usize, line: &str) -> Result<(), ListingError> {
        if let Some(comment) = line.strip_prefix("//## File ") {
            self.read_place(comment);
        } else if let Some(code) = line.strip_prefix("/*") {
            self.read_instruction(number, code)?;
        } else if let Some(section) = line.strip_prefix(".section") {
            self.begin_section(section.trim());
        } else if let Some(symbol) =
            line.strip_prefix(".other").filter(|rest| rest.contains("STO_CUDA_ENTRY"))
        {
            self.kernels.push(symbol.trim().split(',').next().unwrap_or_default().to_owned());
        } else if let Some(name) = line.strip_prefix("Function ") {
            self.described = Some(name.trim_end_matches(':').to_owned());
        } else if line.starts_with("REG:") {
            self.read_resources(line);
        } else if let Some(label) = line.strip_suffix(':') {
            self.read_label(label);
        }
        Ok(())
    }

    fn read_place(&mut self, comment: &str) {
        if !self.chain_goes_on {
            self.places.clear();
        }
        self.chain_goes_on = comment.contains(" inlined at ");
        let innermost = comment.split(" inlined at ").next().unwrap_or_default();
        if let Some((file, line)) = innermost.rsplit_once(", line ")
            && let Ok(line) = line.trim().parse()
        {
            self.places.push(Place { file: file.trim_matches('"').to_owned(), line });
        }
    }

    fn read_instruction(&mut self, number: usize, code: &str) -> Result<(), ListingError> {
        let Some((address, rest)) = code.split_once("*/") else { return Ok(()) };
        let Some((text, _)) = rest.split_once(';') else { return Ok(()) };
        let malformed = || ListingError::Malformed { line: number, text: rest.trim().to_owned() };
        let address = u64::from_str_radix(address.trim(), 16).map_err(|_| malformed())?;
        let instruction = instruction(address, text.trim(), &self.places).ok_or_else(malformed)?;
        if let Some(section) = self.listing.sections.last_mut() {
            section.instructions.push(instruction);
        }
        self.chain_goes_on = false;
        Ok(())
    }

    fn begin_section(&mut self, section: &str) {
        if let Some(symbol) = section.split(',').next().and_then(|name| name.strip_prefix(".text.")) {
            self.listing.sections.push(Section { symbol: symbol.to_owned(), ..Section::default() });
            self.places.clear();
        }
    }

    fn read_label(&mut self, label: &str) {
        if let Some(section) = self.listing.sections.last_mut() {
            section.labels.insert(label.to_owned(), section.instructions.len());
        }
    }

    fn read_resources(&mut self, line: &str) {
        let Some(symbol) = self.described.take() else { return };
        let number = |name: &str| {
            let field = line.split_whitespace().find_map(|field| field.strip_prefix(name));
            field.and_then(|value| value.parse().ok()).unwrap_or(0)
        };
        let resources = Resources {
            registers: number("REG:"),
            stack_bytes: number("STACK:"),
            shared_bytes: number("SHARED:"),
        };
        self.listing.resources.insert(symbol, resources);
    }

    fn finish(mut self) -> Result<Listing, ListingError> {
        let sections = &mut self.listing.sections;
        for section in sections.iter_mut() {
            section.is_kernel = self.kernels.contains(&section.symbol);
        }
        sections.retain(|section| !section.instructions.is_empty());
        if sections.is_empty() {
            return Err(ListingError::Empty);
        }
        if sections.iter().all(|section| section.instructions.iter().all(|code| code.places.is_empty())) {
            return Err(ListingError::NoLines);
        }
        Ok(self.listing)
    }
}

/// Reads `@!P0 LDG.E R2, desc[UR4][R2.64]`.
fn instruction(address: u64, text: &str, places: &[Place]) -> Option<Instruction> {
    let (predicate, text) = match text.strip_prefix('@') {
        Some(guarded) => guarded.split_once(' ').map(|(predicate, rest)| (Some(predicate), rest.trim()))?,
        None => (None, text),
    };
    let (opcode, operands) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    if !opcode.starts_with(|first: char| first.is_ascii_uppercase()) {
        return None;
    }
    let operands = operands.split(',').map(str::trim).filter(|operand| !operand.is_empty());
    Some(Instruction {
        address,
        predicate: predicate.filter(|&predicate| predicate != "PT").map(str::to_owned),
        opcode: opcode.to_owned(),
        operands: operands.map(str::to_owned).collect(),
        places: places.to_vec(),
    })
}
