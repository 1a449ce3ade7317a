//! Expressions of the loop program, with names replaced by places of a frame.

use std::collections::BTreeMap;

use scop::ast::{AstExpr, AstOp};

/// The lanes of a warp.
pub const LANES: usize = 32;

/// The place of a variable in a [`Frame`].
pub type Slot = usize;

/// The values of all variables, for each lane of a warp.
#[derive(Debug, Clone)]
pub struct Frame {
    values: Vec<[i64; LANES]>,
}

impl Frame {
    /// Creates a frame of zeros.
    pub fn new(slots: usize) -> Self {
        Self { values: vec![[0; LANES]; slots] }
    }

    /// Gives a variable the same value in all lanes.
    pub fn set(&mut self, slot: Slot, value: i64) {
        self.values[slot] = [value; LANES];
    }

    /// Gives a variable a value in each lane.
    pub fn set_lanes(&mut self, slot: Slot, values: [i64; LANES]) {
        self.values[slot] = values;
    }

    /// Returns the values of all variables in the first lane.
    pub fn first_lane(&self) -> impl Iterator<Item = i64> {
        self.values.iter().map(|values| values[0])
    }
}

/// What a compiler knows of variables: those of unrolled loops have their values, and a number without a pattern stands
/// for each of the others.
#[derive(Debug, Clone)]
pub struct Symbols {
    values: Vec<i64>,
}

impl Symbols {
    /// Creates variables of which nothing is known.
    pub fn new(slots: usize) -> Self {
        Self { values: (0..slots).map(unknown).collect() }
    }

    /// Gives a variable a value.
    pub fn set(&mut self, slot: Slot, value: i64) {
        self.values[slot] = value;
    }

    /// Makes a variable one of which nothing is known.
    pub fn forget(&mut self, slot: Slot) {
        self.values[slot] = unknown(slot);
    }
}

fn unknown(slot: Slot) -> i64 {
    combined([slot as i64].into_iter())
}

/// Returns a number that is another one for other numbers (FNV-1a).
pub fn combined(numbers: impl Iterator<Item = i64>) -> i64 {
    let bytes = numbers.flat_map(i64::to_le_bytes);
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    }) as i64
}

/// An expression whose names are places of a frame.
#[derive(Debug, Clone)]
pub enum Compiled {
    /// A constant.
    Int(i64),
    /// A variable; true if its value may differ between the lanes of a warp.
    Slot(Slot, bool),
    /// An operation; true if its value may differ between the lanes of a warp.
    Op(AstOp, Vec<Compiled>, bool),
}

impl Compiled {
    /// True if the value may differ between the lanes of a warp.
    pub fn varies(&self) -> bool {
        match self {
            Self::Int(_) => false,
            Self::Slot(_, varies) | Self::Op(_, _, varies) => *varies,
        }
    }

    /// True if the value depends on a variable.
    pub fn depends_on(&self, variable: Slot) -> bool {
        match self {
            Self::Int(_) => false,
            Self::Slot(slot, _) => *slot == variable,
            Self::Op(_, operands, _) => operands.iter().any(|operand| operand.depends_on(variable)),
        }
    }

    /// Returns the value in one lane. Numbers that do not fit wrap, and division by zero gives zero: a prediction for
    /// absurd sizes is absurd, but it is no error.
    pub fn value(&self, frame: &Frame, lane: usize) -> i64 {
        match self {
            Self::Int(value) => *value,
            Self::Slot(slot, _) => frame.values[*slot][lane],
            Self::Op(operator, operands, _) => result(*operator, operands.len(), |position| {
                operands.get(position).map_or(0, |operand| operand.value(frame, lane))
            }),
        }
    }

    /// Returns a number that two expressions share if a compiler knows that their values are equal: sums and products
    /// are compared by value, and all others by their operands.
    pub fn symbol(&self, symbols: &Symbols) -> i64 {
        let (operator, operands) = match self {
            Self::Int(value) => return *value,
            Self::Slot(slot, _) => return symbols.values[*slot],
            Self::Op(operator, operands, _) => (operator, operands),
        };
        let of = |position: usize| operands.get(position).map_or(0, |operand| operand.symbol(symbols));
        match operator {
            AstOp::Add => of(0).wrapping_add(of(1)),
            AstOp::Sub => of(0).wrapping_sub(of(1)),
            AstOp::Mul => of(0).wrapping_mul(of(1)),
            AstOp::Minus => of(0).wrapping_neg(),
            operator => {
                let parts = operands.iter().map(|operand| operand.symbol(symbols));
                combined(std::iter::once(*operator as i64).chain(parts))
            }
        }
    }

    /// Returns the value in each lane. What is the same in all lanes is computed once.
    pub fn values(&self, frame: &Frame) -> [i64; LANES] {
        match self {
            Self::Slot(slot, true) => frame.values[*slot],
            Self::Op(operator, operands, true) => {
                let operands: Vec<[i64; LANES]> =
                    operands.iter().map(|operand| operand.values(frame)).collect();
                std::array::from_fn(|lane| {
                    let value = |position: usize| operands.get(position).map_or(0, |values| values[lane]);
                    result(*operator, operands.len(), value)
                })
            }
            same => [same.value(frame, 0); LANES],
        }
    }

    /// Returns the lanes of a mask in which the value is not zero.
    pub fn holds(&self, frame: &Frame, mask: u32) -> u32 {
        if !self.varies() {
            return if self.value(frame, 0) != 0 { mask } else { 0 };
        }
        let values = self.values(frame);
        lanes(mask).filter(|&lane| values[lane] != 0).fold(0, |all, lane| all | 1 << lane)
    }
}

/// Returns the lanes of a mask.
pub fn lanes(mask: u32) -> impl Iterator<Item = usize> {
    (0..LANES).filter(move |lane| mask >> lane & 1 == 1)
}

/// Returns the result of an operation on so many operands.
fn result(operator: AstOp, operands: usize, value: impl Fn(usize) -> i64) -> i64 {
    let all = || (0..operands).map(&value);
    match operator {
        AstOp::And => i64::from(value(0) != 0 && value(1) != 0),
        AstOp::Or => i64::from(value(0) != 0 || value(1) != 0),
        AstOp::Max => all().max().unwrap_or(0),
        AstOp::Min => all().min().unwrap_or(0),
        AstOp::Minus => value(0).wrapping_neg(),
        AstOp::Add => value(0).wrapping_add(value(1)),
        AstOp::Sub => value(0).wrapping_sub(value(1)),
        AstOp::Mul => value(0).wrapping_mul(value(1)),
        AstOp::Div | AstOp::FloorDiv | AstOp::PosDiv => value(0).checked_div_euclid(value(1)).unwrap_or(0),
        AstOp::PosMod | AstOp::ZeroMod => value(0).checked_rem_euclid(value(1)).unwrap_or(0),
        AstOp::Select => {
            if value(0) != 0 {
                value(1)
            } else {
                value(2)
            }
        }
        AstOp::Eq => i64::from(value(0) == value(1)),
        AstOp::Le => i64::from(value(0) <= value(1)),
        AstOp::Lt => i64::from(value(0) < value(1)),
        AstOp::Ge => i64::from(value(0) >= value(1)),
        AstOp::Gt => i64::from(value(0) > value(1)),
    }
}

/// The variables that are visible at a place of the loop program.
#[derive(Debug, Clone, Default)]
pub struct Scope {
    slots: BTreeMap<String, (Slot, bool)>,
    used: usize,
    most: usize,
}

impl Scope {
    /// Adds a variable that hides any other of its name.
    pub fn define(&mut self, name: &str, varies: bool) -> Slot {
        let slot = self.used;
        self.slots.insert(name.to_owned(), (slot, varies));
        self.used += 1;
        self.most = self.most.max(self.used);
        slot
    }

    /// Returns the slots that a frame needs.
    pub fn slots(&self) -> usize {
        self.most
    }

    /// Replaces the names of an expression.
    ///
    /// # Errors
    /// Returns a name that is not defined.
    pub fn compile(&self, expression: &AstExpr) -> Result<Compiled, String> {
        Ok(match expression {
            AstExpr::Int(value) => Compiled::Int(*value),
            AstExpr::Name(name) => {
                let (slot, varies) = self.slots.get(name).ok_or_else(|| name.clone())?;
                Compiled::Slot(*slot, *varies)
            }
            AstExpr::Op(operator, operands) => {
                let operands: Vec<_> =
                    operands.iter().map(|operand| self.compile(operand)).collect::<Result<_, _>>()?;
                let varies = operands.iter().any(Compiled::varies);
                Compiled::Op(*operator, operands, varies)
            }
        })
    }

    /// Replaces the names of some expressions.
    ///
    /// # Errors
    /// As [`Self::compile`].
    pub fn compile_all(&self, expressions: &[AstExpr]) -> Result<Vec<Compiled>, String> {
        expressions.iter().map(|expression| self.compile(expression)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(name: &str) -> AstExpr {
        AstExpr::Name(name.to_owned())
    }

    #[test]
    fn lanes_have_values_of_their_own() {
        let mut scope = Scope::default();
        let (n, tx) = (scope.define("n", false), scope.define("tx", true));
        let mut frame = Frame::new(scope.slots());
        frame.set(n, 70);
        frame.set_lanes(tx, std::array::from_fn(|lane| lane as i64));
        let index = AstExpr::Op(AstOp::Add, vec![AstExpr::Int(64), name("tx")]);
        let below = scope.compile(&AstExpr::Op(AstOp::Lt, vec![index, name("n")])).unwrap();
        assert_eq!(below.holds(&frame, u32::MAX), 0b11_1111);
        let uniform = AstExpr::Op(AstOp::FloorDiv, vec![name("n"), AstExpr::Int(-32)]);
        assert_eq!(scope.compile(&uniform).unwrap().values(&frame), [-2; LANES]);
        assert_eq!(scope.compile(&name("m")).unwrap_err(), "m");
    }

    #[test]
    fn compilers_see_equal_sums_but_no_chance() {
        let mut scope = Scope::default();
        let (i, k, ty) = (scope.define("i", false), scope.define("k", false), scope.define("ty", true));
        let (mut frame, mut symbols) = (Frame::new(scope.slots()), Symbols::new(scope.slots()));
        for (slot, value) in [(i, 7), (k, 7), (ty, 0)] {
            frame.set(slot, value);
        }
        let op = |operator, operands: &[AstExpr]| AstExpr::Op(operator, operands.to_vec());
        let compiled = |text: &AstExpr| scope.compile(text).unwrap();
        let alike = |symbols: &Symbols, one: &AstExpr, other: &AstExpr| {
            assert_eq!(compiled(one).value(&frame, 0), compiled(other).value(&frame, 0));
            compiled(one).symbol(symbols) == compiled(other).symbol(symbols)
        };
        let sum = op(AstOp::Add, &[op(AstOp::Sub, &[name("i"), AstExpr::Int(1)]), AstExpr::Int(1)]);
        assert!(alike(&symbols, &sum, &name("i")));
        assert!(!alike(&symbols, &name("i"), &name("k")), "they agree by chance");
        let is_first = op(AstOp::Eq, &[name("ty"), AstExpr::Int(0)]);
        let either = op(AstOp::Select, &[is_first, name("k"), name("i")]);
        assert!(!alike(&symbols, &either, &name("k")));
        assert!(alike(&symbols, &either, &either.clone()));
        symbols.set(i, 7);
        assert!(alike(&symbols, &name("i"), &AstExpr::Int(7)), "a loop that is unrolled");
        symbols.forget(i);
        assert!(!alike(&symbols, &name("i"), &AstExpr::Int(7)));
    }
}
