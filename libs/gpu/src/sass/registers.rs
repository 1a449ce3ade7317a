//! Which registers an instruction reads and writes, as far as its text shows.
//!
//! Registers are numbered: `R0` and so on, then the uniform registers, then the predicates of both kinds. An operand
//! that stands for 64 or 128 bits uses the registers that follow as well.

use super::class::{Class, width};
use super::listing::Instruction;

/// A register; see the head of the file.
pub type Register = u16;

const UNIFORM: Register = 256;
const PREDICATES: Register = 512;
const UNIFORM_PREDICATES: Register = 520;

/// What an instruction depends on and what depends on it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Uses {
    /// The registers that it reads.
    pub reads: Vec<Register>,
    /// The registers that it writes.
    pub writes: Vec<Register>,
}

/// Returns the registers of an instruction.
pub fn uses(instruction: &Instruction) -> Uses {
    let mut uses = Uses::default();
    uses.reads.extend(instruction.predicate.as_deref().and_then(predicate));
    let results = results(instruction);
    for (place, operand) in instruction.operands.iter().enumerate() {
        if place < results {
            write(instruction, operand, &mut uses);
        } else {
            read(instruction, place - results, operand, &mut uses);
        }
    }
    uses
}

/// Returns how many of the first operands are results: predicates, then a register, then the predicates of carries.
fn results(instruction: &Instruction) -> usize {
    if writes_nothing(instruction) {
        return 0;
    }
    let is_predicate = |at: usize| {
        instruction
            .operands
            .get(at)
            .is_some_and(|operand| predicate(operand).is_some() || operand == "PT" || operand == "UPT")
    };
    let mut count = (0..2).take_while(|&at| is_predicate(at)).count();
    if writes_predicates_only(instruction.base()) {
        return count;
    }
    if instruction
        .operands
        .get(count)
        .is_some_and(|operand| register(operand).is_some() || operand.ends_with("RZ"))
    {
        count += 1;
        if is_predicate(count) && has_carry(instruction) {
            count += 1;
        }
    }
    count
}

fn writes_nothing(instruction: &Instruction) -> bool {
    let nothing = matches!(
        Class::of(instruction.base()),
        Some(
            Class::GlobalStore
                | Class::LocalStore
                | Class::SharedStore
                | Class::AsyncCopy
                | Class::Barrier
                | Class::Branch
        )
    );
    nothing || matches!(instruction.base(), "RED" | "REDG" | "NOP" | "DEPBAR" | "LDGDEPBAR" | "ARRIVES")
}

fn writes_predicates_only(base: &str) -> bool {
    base.ends_with("SETP")
        || base.ends_with("PLOP3")
        || matches!(base, "FCHK" | "R2P" | "UR2UP" | "PSETP" | "HSETP2")
}

/// Sums may write their carry behind the result; other instructions read the predicate that stands there.
fn has_carry(instruction: &Instruction) -> bool {
    let adds = matches!(instruction.base(), "IADD3" | "UIADD3" | "LEA" | "ULEA" | "IADD" | "IMAD" | "UIMAD");
    // `IMAD.X R9, RZ, RZ, R9, P0` and `LEA.HI.X` read theirs, which stand at the end.
    adds && instruction.operands.len() > 3
}

fn write(instruction: &Instruction, operand: &str, uses: &mut Uses) {
    if let Some(predicate) = predicate(operand) {
        uses.writes.push(predicate);
    } else if let Some(first) = register(operand) {
        uses.writes.extend((0..result_registers(instruction)).map(|i| first + i));
    }
}

/// Returns how many registers the result takes.
fn result_registers(instruction: &Instruction) -> Register {
    let base = instruction.base();
    let class = Class::of(base);
    if class.is_some_and(Class::has_width) {
        return (width(instruction) as Register).div_ceil(4);
    }
    let is_wide = match class {
        Some(Class::Fp64) => true,
        Some(Class::IntegerMultiply) => instruction.has("WIDE"),
        Some(Class::Uniform) => instruction.has("WIDE") || instruction.has("64"),
        Some(Class::Conversion) => {
            let to = instruction.opcode.split('.').nth(1).unwrap_or_default();
            matches!(to, "F64" | "S64" | "U64")
        }
        _ => base == "CS2R" && !instruction.has("32"),
    };
    if is_wide { 2 } else { 1 }
}

fn read(instruction: &Instruction, place: usize, operand: &str, uses: &mut Uses) {
    if let Some(predicate) = predicate(operand.trim_start_matches(['!', '~'])) {
        uses.reads.push(predicate);
        return;
    }
    let whole = register(operand).is_some();
    for (first, wide) in registers_in(operand) {
        let count = if whole { operand_registers(instruction, place) } else { 1 + Register::from(wide) };
        uses.reads.extend((0..count).map(|i| first + i));
    }
}

/// Returns how many registers an operand takes that is a register: what is stored, or a number of 64 bits.
fn operand_registers(instruction: &Instruction, place: usize) -> Register {
    match Class::of(instruction.base()) {
        Some(Class::GlobalStore | Class::LocalStore | Class::SharedStore) => {
            (width(instruction) as Register).div_ceil(4)
        }
        Some(Class::Fp64) => 2,
        Some(Class::IntegerMultiply) if instruction.has("WIDE") && place == 2 => 2,
        Some(Class::Conversion) => {
            let from = instruction.opcode.split('.').nth(2).unwrap_or_default();
            1 + Register::from(matches!(from, "F64" | "S64" | "U64"))
        }
        _ => 1,
    }
}

/// Returns the register that an operand is, which may have a sign and modifiers: `-R4.reuse`, `|R5|`, `UR4`.
fn register(operand: &str) -> Option<Register> {
    let name = operand.trim_start_matches(['-', '~', '|', '!']).split(['.', '|']).next()?;
    numbered(name)
}

fn numbered(name: &str) -> Option<Register> {
    if let Some(number) = name.strip_prefix("UR") {
        return number.parse::<Register>().ok().filter(|&number| number < 256).map(|number| UNIFORM + number);
    }
    name.strip_prefix('R')?.parse().ok().filter(|&number: &Register| number < 255)
}

fn predicate(name: &str) -> Option<Register> {
    if let Some(number) = name.strip_prefix("UP") {
        return number
            .parse::<Register>()
            .ok()
            .filter(|&number| number < 8)
            .map(|number| UNIFORM_PREDICATES + number);
    }
    name.strip_prefix('P')?
        .parse()
        .ok()
        .filter(|&number: &Register| number < 8)
        .map(|number| PREDICATES + number)
}

/// Returns the registers that an operand names, such as an address, and whether each has 64 bits.
fn registers_in(operand: &str) -> Vec<(Register, bool)> {
    let is_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '.';
    let names = operand.split(|letter: char| !is_name(letter));
    let register = |name: &str| {
        let mut parts = name.split('.');
        let number = numbered(parts.next()?)?;
        Some((number, parts.any(|part| part == "64") || operand.starts_with("desc[UR") && number >= UNIFORM))
    };
    names.filter_map(register).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uses_of(text: &str) -> (Vec<Register>, Vec<Register>) {
        let (opcode, operands) = text.split_once(' ').unwrap();
        let operands = operands.split(',').map(|operand| operand.trim().to_owned()).collect();
        let uses = uses(&Instruction { opcode: opcode.to_owned(), operands, ..Instruction::default() });
        (uses.writes, uses.reads)
    }

    /// Results come first; wide operands take several registers.
    #[test]
    fn registers_are_read_and_written() {
        let (p, up, ur) = (PREDICATES, UNIFORM_PREDICATES, UNIFORM);
        for (text, writes, reads) in [
            ("FADD R8, R8, -R5.reuse", vec![8], vec![8, 5]),
            ("ISETP.GE.AND P0, PT, R6, 0x1, PT", vec![p], vec![6]),
            ("LOP3.LUT P1, R0, R6, 0x3, RZ, 0xc0, !PT", vec![p + 1, 0], vec![6]),
            ("IADD3 R4, P1, R4, 0x1000, RZ", vec![4, p + 1], vec![4]),
            ("IMAD.X R3, RZ, RZ, R3, P1", vec![3], vec![3, p + 1]),
            ("IMAD.WIDE R2, R9, 0x4, R2", vec![2, 3], vec![9, 2, 3]),
            ("LDG.E.128 R4, desc[UR4][R2.64+0x10]", vec![4, 5, 6, 7], vec![ur + 4, ur + 5, 2, 3]),
            ("STG.E.64 desc[UR4][R2.64], R6", vec![], vec![ur + 4, ur + 5, 2, 3, 6, 7]),
            ("STS.128 [R9+0x10], R12", vec![], vec![9, 12, 13, 14, 15]),
            ("DADD R6, R2, -R4", vec![6, 7], vec![2, 3, 4, 5]),
            ("F2F.F32.F64 R6, R6", vec![6], vec![6, 7]),
            ("CS2R R4, SRZ", vec![4, 5], vec![]),
            ("SHFL.BFLY PT, R7, R0, 0x3, 0x1f", vec![7], vec![0]),
            ("UISETP.NE.AND UP0, UPT, UR4, URZ, UPT", vec![up], vec![ur + 4]),
            ("FSEL R4, R6, -R6, !P0", vec![4], vec![6, 6, p]),
            ("LDC.64 R2, c[0x0][0x218]", vec![2, 3], vec![]),
        ] {
            assert_eq!(uses_of(text), (writes, reads), "{text}");
        }
    }
}
