//! A whole program: several functions with and without regions, and the memory that they share.
//!
//! A program is defined in C by construction:
//!
//! - **Extents.** Each array has at least `n * m` elements, for the parameters `n` and `m` of the function that uses it;
//!   `n >= 1` and `m >= 2`. Arrays of constant length have `N * M`. A part of an array is passed with a smaller `n`.
//! - **Lifetimes.** Only [`Statement::Reallocate`] and the end of [`Statement::Temporary`] free memory. Neither happens
//!   while another pointer to that memory is in scope: functions with arrays as parameters, and blocks with an alias,
//!   reallocate nothing but their own temporaries, and call no function that does. Memory that is not freed by early
//!   exits stays allocated.
//! - **Values.** Reals are combined with factors whose sum is at most 1, integers modulo 1009: nothing overflows.
//!
//! Everything holds for each part of a program as well, so reducing one cannot make it undefined, as long as names are in
//! scope (`valid.rs`).

use crate::options::Choice;
use crate::program::Type;
use crate::setting::Language;

/// A random program.
#[derive(Debug, Clone, PartialEq)]
pub struct Program {
    /// Its number under the seed.
    pub number: u64,
    pub language: Language,
    /// Where the structure of pointers is.
    pub world: World,
    /// Allocates with `new` instead of `malloc`.
    pub with_new: bool,
    /// The variables of the file, and the members of the structure.
    pub globals: Vec<Variable>,
    /// Functions that call only those before them and themselves.
    pub functions: Vec<Function>,
    /// The body of `main` between the supply of all memory and the last output.
    pub main: Vec<Statement>,
    /// The options of the tools.
    pub choices: Vec<Choice>,
    /// The values of `n` and `m` at which it is run.
    pub runs: Vec<(i64, i64)>,
}

/// Where the structure of pointers is. Unless it is a variable of the file, each function has a parameter for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum World {
    Global,
    InMain,
    Allocated,
}

/// Names a variable in the whole program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct VariableId(pub usize);

/// Names a loop of host code in the whole program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct LoopId(pub usize);

/// Names a function in the whole program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct FunctionId(pub usize);

/// A variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Variable {
    pub id: VariableId,
    pub element: Type,
    pub kind: Kind,
    pub how: How,
    /// With internal linkage, if it is a variable of the file.
    pub is_static: bool,
}

/// What a variable is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// `a[N * M]`
    Line,
    /// `a[N][M]`
    Grid,
    /// `a[n * m]`, in C
    VariableLine,
    /// `a[n][m]`, in C; also as a parameter
    VariableGrid,
    /// `static a[N * M]` of a function
    StaticLine,
    /// A `static` pointer of a function to memory that is allocated once and never freed.
    Kept,
    /// A pointer to allocated memory of twice the length.
    Pool,
    /// A pointer to allocated memory.
    Pointer,
    /// A pointer to allocated memory in the structure.
    Member,
    /// An array of so many pointers to allocated memory.
    Bank {
        slots: i64,
        in_world: bool,
    },
    /// A pointer to the beginning of an array of constant length.
    Cursor(VariableId),
    /// A parameter that is a pointer.
    Parameter,
    /// A second pointer to an array.
    Alias,
    Scalar,
    /// A pointer to an element of an array of constant length.
    Spot(VariableId),
}

/// How memory is supplied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// Filled with different values.
    Filled,
    /// All zero.
    Zero,
    /// By a function that allocates and fills.
    Helper,
    /// By `realloc`, which keeps the values; filled at first.
    Resized,
}

/// An array or a scalar as it is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Handle {
    pub variable: VariableId,
    /// Which pointer of a bank.
    pub slot: Slot,
}

/// Which pointer of a bank is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Slot {
    Fixed(i64),
    /// `(t + k) % slots` with the iterator of a loop
    Turning(LoopId, i64),
}

/// An element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Element {
    pub of: Handle,
    pub place: Place,
}

/// Which element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    First,
    Middle,
    Last,
    /// Another one in each iteration of a loop.
    Turning(LoopId, i64),
}

/// A function.
#[derive(Debug, Clone, PartialEq)]
pub struct Function {
    pub id: FunctionId,
    pub is_static: bool,
    /// Has the structure as a parameter.
    pub takes_world: bool,
    /// Has a parameter that says how often it calls itself.
    pub recursive: bool,
    pub parameters: Vec<Variable>,
    pub body: Vec<Statement>,
    /// What it returns, as a `double`.
    pub returns: Option<Element>,
}

/// A statement.
#[derive(Debug, Clone, PartialEq)]
pub enum Statement {
    Region(Region),
    /// Code that reads or writes elements.
    Host(Host),
    Loop(Loop),
    If {
        condition: Condition,
        then: Vec<Statement>,
        otherwise: Vec<Statement>,
        /// Without braces where that is possible.
        bare: bool,
    },
    /// A `switch` by an element, or by the iterator of a loop.
    Switch {
        by: Selector,
        arms: Vec<Vec<Statement>>,
        falls_through: bool,
    },
    Call(Call),
    /// The function calls itself, if it may once more.
    Recur(Vec<Handle>),
    Swap {
        first: Handle,
        second: Handle,
        by_function: bool,
    },
    /// Frees memory and allocates new.
    Reallocate(Handle, How),
    /// A variable for some statements.
    Temporary(Variable, Vec<Statement>),
    /// A second pointer to an array for some statements.
    Alias {
        variable: Variable,
        of: Origin,
        body: Vec<Statement>,
    },
    /// C++: for some statements an object that reads or writes an element when it is destroyed.
    Guard {
        element: Element,
        writes: bool,
        body: Vec<Statement>,
    },
    Exit(Exit, Condition),
}

/// What a second pointer points to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    Array(Handle),
    /// The second half of a pool.
    Upper(Handle),
    /// One of two arrays, if `n` is greater.
    Either(Handle, Handle, i64),
    /// The same, by a function.
    Picked(Handle, Handle, i64),
}

/// A loop of host code.
#[derive(Debug, Clone, PartialEq)]
pub struct Loop {
    pub id: LoopId,
    pub form: LoopForm,
    pub count: i64,
    /// Goes on only while this holds.
    pub condition: Option<Condition>,
    pub body: Vec<Statement>,
}

/// How a loop is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoopForm {
    For,
    While,
    DoWhile,
    /// `for (;;)` with a `break`
    Endless,
}

/// What decides in a `switch`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Selector {
    Turn(LoopId),
    Element(Element),
}

/// A condition.
#[derive(Debug, Clone, PartialEq)]
pub enum Condition {
    /// `t % modulus == rest`
    Turn(LoopId, i64, i64),
    /// `n > size`
    Size(i64),
    /// `element > value`
    Greater(Element, i64),
    /// The sum of the second half of an array is greater.
    PartGreater(Handle, i64),
    /// `(element += 1, condition)`
    Comma(Element, Box<Condition>),
    And(Box<Condition>, Box<Condition>),
    Or(Box<Condition>, Box<Condition>),
}

/// A way out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    Break,
    Continue,
    Return,
    /// To the end of a loop around.
    Goto(LoopId),
    /// Ends the program.
    Quit,
}

/// A call of a function of the program.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    pub function: FunctionId,
    pub arguments: Vec<Handle>,
    /// Passes all arrays without their first rows.
    pub without_row: bool,
    pub by: By,
    pub result: ResultUse,
}

/// How a function is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    Name,
    /// Through a variable.
    Pointer,
    /// `(t % 2 ? f : g)(…)` with a function of the same type.
    Either(FunctionId, LoopId),
}

/// What happens to the result, if there is one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResultUse {
    Ignored,
    Noted,
    Tested,
}

/// A region.
#[derive(Debug, Clone, PartialEq)]
pub struct Region {
    pub nests: Vec<Nest>,
    /// Pointers in structures and banks are used as they are, instead of through local copies.
    pub direct: bool,
}

/// One nest of loops with one statement.
#[derive(Debug, Clone, PartialEq)]
pub struct Nest {
    pub shape: Shape,
    pub work: Work,
    pub target: Handle,
    pub sources: Vec<Source>,
    pub constant: i64,
}

/// Which elements a nest visits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// All rows and columns.
    All,
    /// Without the first and last ones: subscripts may be shifted by one.
    Inner,
    /// As `Inner`, twice in a loop of the region.
    Repeated,
    /// The first half of the rows.
    Half,
    /// Every second column.
    Striped,
    /// Row by row, in a loop over columns.
    Transposed,
    RightHalf,
    FirstRow,
    FirstColumn,
}

/// What a nest does with the sum of its sources.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    Set,
    /// Half of the old value is added.
    Update,
    /// Only if the first source is positive; the target has a constant length.
    Conditional,
    /// The target is a scalar.
    Sum,
    /// The target is a scalar.
    Maximum,
}

/// An operand: the element at a distance in rows and columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Source {
    pub of: Handle,
    pub rows: i64,
    pub columns: i64,
}

/// Code that reads or writes elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Host {
    Read(Element, Reading),
    Write(Element, Writing, i64),
    ReadAll(Handle, Range),
    WriteAll(Handle, Range),
    /// Reads each element and then writes it.
    Modify(Handle, Range),
    /// `memset`
    Clear(Handle),
    /// `memcpy` or `memmove` of the first array to the second; `true` for arrays that cannot be the same.
    Copy {
        from: Handle,
        to: Handle,
        distinct: bool,
        half: bool,
    },
    /// `memcmp`
    Compare(Handle, Handle),
    /// `qsort`, of all or of the last row
    Sort(Handle, bool),
}

/// How one element is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    Plain,
    Initialiser,
    Argument,
    Ternary,
    ShortCircuit,
    Comma,
    Address,
    Copied,
    Macro,
    Part,
    /// Its first byte, as such.
    Byte,
    /// By `snprintf`.
    Formatted,
    /// In C++, in a lambda expression.
    Lambda,
    LoopHeader,
    /// In C++, a reference; in C, a pointer.
    Reference,
}

/// How one element is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Writing {
    Plain,
    Add,
    Increment,
    Address,
    Copied,
    Macro,
    Function,
    InCondition,
    LoopStep,
    Ternary,
    /// In C++, in a lambda expression.
    Lambda,
    /// In C++, a reference; in C, a pointer.
    Reference,
}

/// Which elements a loop of host code visits, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Range {
    Up,
    Down,
    Strided,
    Prefix,
    Suffix,
    Walk,
    While,
    Nested,
    /// Through an array of pointers to rows.
    Rows,
    Function,
}

impl Handle {
    /// A variable that is no bank.
    pub fn of(variable: VariableId) -> Self {
        Self { variable, slot: Slot::Fixed(0) }
    }
}

impl Kind {
    /// True for arrays whose elements have two subscripts.
    pub fn is_grid(self) -> bool {
        matches!(self, Self::Grid | Self::VariableGrid)
    }

    /// True for arrays of constant length.
    pub fn is_constant(self) -> bool {
        matches!(self, Self::Line | Self::Grid)
    }

    /// True for what has `n * m` elements.
    pub fn is_array(self) -> bool {
        !matches!(self, Self::Scalar | Self::Spot(_))
    }

    /// True for pointers that own what they point to.
    pub fn is_owner(self) -> bool {
        matches!(self, Self::Pointer | Self::Member | Self::Bank { .. })
    }

    /// True for parts of the structure.
    pub fn is_in_world(self) -> bool {
        matches!(self, Self::Member | Self::Bank { in_world: true, .. })
    }
}
