//! What an instruction does, by its opcode: one table for the generations from Volta to Hopper.
//!
//! The classes follow the units that execute them, as far as NVIDIA's *CUDA C++ Programming Guide* (throughput of
//! arithmetic instructions) and the lists of opcodes in *CUDA Binary Utilities* tell them.

use serde::{Deserialize, Serialize};

use super::listing::Instruction;

/// A class of instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// Arithmetic, comparison and selection of 32-bit floating-point numbers.
    Fp32,
    /// The same of 64 bits.
    Fp64,
    /// The same of 16 bits, in pairs; also used to load constants into registers.
    Fp16,
    /// Integer and logical operations, comparisons, selections, moves between registers.
    Integer,
    /// Integer multiplication and addition, which compilers also use for moves (`IMAD.MOV`).
    IntegerMultiply,
    /// Operations that a warp executes once for all of its lanes, on uniform registers.
    Uniform,
    /// Reciprocals, roots, sines, exponentials; counting bits.
    Special,
    /// Conversions between types that the special function unit executes.
    Conversion,
    /// Products of small matrices.
    Matrix,
    /// Loads from global memory, or through a pointer that may lead to any memory.
    GlobalLoad,
    /// Stores to global memory, or through a pointer that may lead to any memory.
    GlobalStore,
    /// Atomic operations on global memory.
    GlobalAtomic,
    /// Loads from a thread's own stack: spilled registers and local arrays.
    LocalLoad,
    /// Stores to a thread's own stack.
    LocalStore,
    /// Loads from shared memory.
    SharedLoad,
    /// Stores to shared memory.
    SharedStore,
    /// Atomic operations on shared memory.
    SharedAtomic,
    /// Copies from global to shared memory that the thread does not wait for.
    AsyncCopy,
    /// Loads from constant memory, which includes a kernel's arguments.
    Constant,
    /// Accesses to textures and surfaces.
    Texture,
    /// Shuffles, votes and reductions of a warp.
    Exchange,
    /// Barriers of a block or warp, and fences.
    Barrier,
    /// Branches, calls, exits, and what keeps track of diverged lanes.
    Branch,
    /// All else: reading special registers, waiting for counters, unknown opcodes.
    Other,
}

use Class::*;

/// The opcodes of each class.
const TABLE: &[(Class, &[&str])] = &[
    (
        Fp32,
        &[
            "FADD", "FADD32I", "FADD2", "FMUL", "FMUL32I", "FMUL2", "FFMA", "FFMA32I", "FFMA2", "FMNMX",
            "FMNMX3", "FSEL", "FSET", "FSETP", "FSWZADD", "FCHK", "FCMP",
        ],
    ),
    (Fp64, &["DADD", "DMUL", "DFMA", "DMNMX", "DSET", "DSETP"]),
    (
        Fp16,
        &[
            "HADD2",
            "HADD2_32I",
            "HMUL2",
            "HMUL2_32I",
            "HFMA2",
            "HFMA2_32I",
            "HFMA2_MMA",
            "HMNMX2",
            "HSET2",
            "HSETP2",
            "HADD",
            "HMUL",
            "HFMA",
        ],
    ),
    (
        Integer,
        &[
            "IADD",
            "IADD3",
            "IADD32I",
            "IADD64",
            "VIADD",
            "VIADDMNMX",
            "VIMNMX",
            "VIMNMX3",
            "IABS",
            "IMNMX",
            "ISCADD",
            "ISCADD32I",
            "ISET",
            "ISETP",
            "ICMP",
            "LEA",
            "LOP",
            "LOP3",
            "LOP32I",
            "PLOP3",
            "PSETP",
            "PSET",
            "SHF",
            "SHL",
            "SHR",
            "BFE",
            "BFI",
            "BMSK",
            "SGXT",
            "PRMT",
            "SEL",
            "MOV",
            "MOV32I",
            "P2R",
            "R2P",
            "VABSDIFF",
            "VABSDIFF4",
            "LEPC",
            "I2FP",
            "F2FP",
            "I2IP",
            "CS2R",
            "VHMNMX",
            "MOVM",
        ],
    ),
    (IntegerMultiply, &["IMAD", "IMAD32I", "IMUL", "IMUL32I", "IDP", "IDP4A", "XMAD"]),
    (
        Uniform,
        &[
            "R2UR", "UBMSK", "UBREV", "UCLEA", "UFLO", "UIABS", "UIADD3", "UIADD3X", "UIMAD", "UIMNMX",
            "UISETP", "ULEA", "ULEPC", "ULOP", "ULOP3", "ULOP32I", "UMOV", "UP2UR", "UPLOP3", "UPOPC",
            "UPRMT", "UPSETP", "UR2UP", "USEL", "USGXT", "USHF", "USHL", "USHR", "UVIADD", "UVIMNMX",
            "UF2FP", "UFADD", "UFMUL", "UFFMA", "UFSEL", "UFSETP", "UI2FP",
        ],
    ),
    (Special, &["MUFU", "POPC", "FLO", "BREV"]),
    (Conversion, &["F2F", "F2I", "I2F", "I2I", "FRND"]),
    (
        Matrix,
        &["HMMA", "IMMA", "DMMA", "BMMA", "HGMMA", "IGMMA", "QGMMA", "BGMMA", "UTCHMMA", "WARPGROUP", "LDTM"],
    ),
    (GlobalLoad, &["LDG", "LD"]),
    (GlobalStore, &["STG", "ST"]),
    (GlobalAtomic, &["ATOM", "ATOMG", "RED", "REDG"]),
    (LocalLoad, &["LDL"]),
    (LocalStore, &["STL"]),
    (SharedLoad, &["LDS", "LDSM"]),
    (SharedStore, &["STS", "STSM", "STAS"]),
    (SharedAtomic, &["ATOMS", "REDAS"]),
    (AsyncCopy, &["LDGSTS", "UBLKCP", "UBLKPF", "UBLKRED", "UTMALDG", "UTMASTG", "UTMAREDG", "UTMAPF"]),
    (Constant, &["LDC", "LDCU", "ULDC"]),
    (Texture, &["TEX", "TLD", "TLD4", "TMML", "TXD", "TXQ", "SUATOM", "SULD", "SURED", "SUST"]),
    (Exchange, &["SHFL", "VOTE", "VOTEU", "MATCH", "REDUX", "CREDUX"]),
    (
        Barrier,
        &[
            "BAR",
            "WARPSYNC",
            "MEMBAR",
            "ERRBAR",
            "FENCE",
            "SYNCS",
            "UCGABAR_ARV",
            "UCGABAR_WAIT",
            "CCTL",
            "CCTLL",
            "CCTLT",
            "NANOSLEEP",
            "ENDCOLLECTIVE",
            "ELECT",
        ],
    ),
    (
        Branch,
        &[
            "BRA",
            "BRX",
            "BRXU",
            "JMP",
            "JMX",
            "JMXU",
            "CALL",
            "RET",
            "RTT",
            "EXIT",
            "KILL",
            "BSSY",
            "BSYNC",
            "BREAK",
            "BMOV",
            "BPT",
            "BRK",
            "YIELD",
            "RPCMOV",
            "SSY",
            "SYNC",
            "ACQBULK",
            "ACQSHMINIT",
            "PREEXIT",
        ],
    ),
    (
        Other,
        &[
            "NOP",
            "S2R",
            "S2UR",
            "B2R",
            "R2B",
            "DEPBAR",
            "LDGDEPBAR",
            "ARRIVES",
            "PMTRIG",
            "SETCTAID",
            "SETLMEMBASE",
            "GETLMEMBASE",
            "IPA",
            "AL2P",
            "ALD",
            "AST",
            "OUT",
            "PIXLD",
            "ISBERD",
            "UTMACCTL",
            "UTMACMDFLUSH",
            "USETMAXREG",
            "QSPC",
            "CGAERRBAR",
            "SETREGISTER",
            "LDGMC",
        ],
    ),
];

impl Class {
    /// Returns the class of an opcode without modifiers; nothing if the table does not have it.
    pub fn of(base: &str) -> Option<Class> {
        TABLE.iter().find(|(_, opcodes)| opcodes.contains(&base)).map(|&(class, _)| class)
    }

    /// Returns whether instructions of the class access memory, with a width.
    pub fn has_width(self) -> bool {
        matches!(
            self,
            GlobalLoad
                | GlobalStore
                | GlobalAtomic
                | LocalLoad
                | LocalStore
                | SharedLoad
                | SharedStore
                | SharedAtomic
                | AsyncCopy
                | Constant
        )
    }

    /// Returns the name as in JSON.
    pub fn name(self) -> String {
        serde_json::to_value(self).ok().and_then(|name| name.as_str().map(str::to_owned)).unwrap_or_default()
    }
}

/// Returns the bytes that one lane accesses, by the modifiers of an instruction that accesses memory.
pub fn width(instruction: &Instruction) -> u32 {
    let widths = [
        ("128", 16),
        ("64", 8),
        ("F64", 8),
        ("U16", 2),
        ("S16", 2),
        ("16", 2),
        ("U8", 1),
        ("S8", 1),
        ("8", 1),
    ];
    widths.iter().find(|(modifier, _)| instruction.has(modifier)).map_or(4, |&(_, bytes)| bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No opcode stands in two classes.
    #[test]
    fn opcodes_have_one_class() {
        let mut all: Vec<&str> = TABLE.iter().flat_map(|(_, opcodes)| opcodes.iter().copied()).collect();
        all.sort_unstable();
        let doubled: Vec<_> = all.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]).collect();
        assert!(doubled.is_empty(), "{doubled:?}");
    }

    /// Widths come from the modifiers.
    #[test]
    fn widths_are_those_of_the_modifiers() {
        let width_of =
            |opcode: &str| width(&Instruction { opcode: opcode.to_owned(), ..Instruction::default() });
        for (opcode, bytes) in [
            ("LDG.E", 4),
            ("LDG.E.128.CONSTANT", 16),
            ("LDG.E.U8", 1),
            ("STS.U16", 2),
            ("LDS.64", 8),
            ("LDGSTS.E.BYPASS.128", 16),
            ("ATOMG.E.ADD.F64.RN.STRONG.GPU", 8),
        ] {
            assert_eq!(width_of(opcode), bytes, "{opcode}");
        }
    }
}
