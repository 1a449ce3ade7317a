//! What functions of the C library do with memory. None of those listed here keeps a pointer that it is passed, or
//! calls a function of the program.

use crate::c::ctree::{Callee, Expr, Tree};
use crate::c::library::is_mathematical;
use crate::host::expressions::leads_to_numbers;

/// What a function does with one of its arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use {
    /// Nothing beyond using its value.
    Value,
    /// It reads what the argument points to.
    Reads,
    /// It may write to what the argument points to.
    Writes,
    /// It reads as many bytes as another argument says.
    ReadsBytes,
    /// It overwrites as many bytes as another argument says.
    OverwritesBytes,
    /// It may write to as many bytes as another argument says.
    WritesBytes,
    /// The argument is a number of bytes.
    Bytes,
    /// It overwrites what the argument points to, as far as a range goes that other arguments say.
    Overwrites,
    /// It frees what the argument points to.
    Frees,
    /// The argument is a stream.
    Stream,
}

/// What a function returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gives {
    /// A number that is no address.
    Number,
    /// A pointer into what its arguments point to.
    Argument,
    /// Memory that it allocates.
    New,
    /// Memory of the library or of the environment.
    Elsewhere,
}

/// Which pointers a function moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moves {
    /// None.
    Nothing,
    /// Those in what it reads, to what it writes.
    Copies,
    /// Those that it is passed, to what it writes.
    Ends,
    /// Both; addresses can be written as text.
    Text,
    /// Those in what it reads, to a file.
    ToFile,
    /// Those that it is passed and those in what it reads, to a file.
    Shows,
    /// Those in a file, to what it writes.
    FromFile,
}

/// A function of the C library.
#[derive(Debug, Clone, Copy)]
pub struct Known {
    uses: &'static str,
    /// What it returns.
    pub gives: Gives,
    /// Which pointers it moves.
    pub moves: Moves,
    /// How it ends the program, if it does.
    pub end: Option<End>,
    /// True for an algorithm of C++: its first two arguments are a range, which begins at each other pointer as well.
    pub is_algorithm: bool,
    /// True for an algorithm whose result is a place in that range.
    pub finds: bool,
}

/// How a function ends the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// It runs code first that the program has registered for that.
    Exit,
    /// It raises a signal, for which there may be a handler.
    Abort,
    /// It runs no code of the program.
    AtOnce,
}

impl Known {
    /// Returns what the function does with its argument at a position.
    pub fn use_of(&self, position: usize) -> Use {
        let letter = self.uses.chars().nth(position).or(self.uses.chars().last());
        match letter {
            Some('r') => Use::Reads,
            Some('w') => Use::Writes,
            Some('e') => Use::ReadsBytes,
            Some('d') => Use::OverwritesBytes,
            Some('D') => Use::WritesBytes,
            Some('n') => Use::Bytes,
            Some('o') => Use::Overwrites,
            Some('f') => Use::Frees,
            Some('s') => Use::Stream,
            _ => Use::Value,
        }
    }

    /// True if it never returns.
    pub fn ends(&self) -> bool {
        self.end.is_some()
    }

    /// Returns the position of the argument that is the number of bytes.
    pub fn bytes(&self) -> Option<usize> {
        self.uses.find('n')
    }

    /// True if it uses streams; without such an argument, standard ones.
    pub fn uses_streams(&self) -> bool {
        matches!(self.moves, Moves::ToFile | Moves::Shows | Moves::FromFile) || self.uses.contains('s')
    }
}

/// Functions by their names; the letters say what each does with its arguments: see [`Known::use_of`]. The last letter
/// holds for all further arguments.
const FUNCTIONS: &[(&str, &str, Gives, Moves)] = {
    use Gives::{Argument, Elsewhere, New, Number};
    use Moves::{Copies, Ends, FromFile, Nothing, Shows, Text, ToFile};
    &[
        ("malloc", "-", New, Nothing),
        ("calloc", "-", New, Nothing),
        ("aligned_alloc", "-", New, Nothing),
        ("realloc", "w-", New, Nothing),
        ("posix_memalign", "w-", Number, Nothing),
        ("free", "f", Number, Nothing),
        ("strdup", "r", New, Copies),
        ("memcpy", "den", Argument, Copies),
        ("memmove", "Den", Argument, Copies),
        ("memset", "d-n", Argument, Nothing),
        ("memcmp", "een", Number, Nothing),
        ("memchr", "e-n", Argument, Nothing),
        ("strlen", "r", Number, Nothing),
        ("strcmp", "r", Number, Nothing),
        ("strncmp", "rr-", Number, Nothing),
        ("strcpy", "wr", Argument, Copies),
        ("strncpy", "wr-", Argument, Copies),
        ("strcat", "wr", Argument, Copies),
        ("strncat", "wr-", Argument, Copies),
        ("strchr", "r-", Argument, Nothing),
        ("strrchr", "r-", Argument, Nothing),
        ("strstr", "r", Argument, Nothing),
        ("atof", "r", Number, Nothing),
        ("atoi", "r", Number, Nothing),
        ("strtod", "rw", Number, Ends),
        ("strtof", "rw", Number, Ends),
        ("abs", "-", Number, Nothing),
        ("labs", "-", Number, Nothing),
        ("llabs", "-", Number, Nothing),
        ("rand", "-", Number, Nothing),
        ("srand", "-", Number, Nothing),
        ("rand_r", "w", Number, Nothing),
        ("clock", "-", Number, Nothing),
        ("time", "w", Number, Nothing),
        ("difftime", "-", Number, Nothing),
        ("omp_get_wtime", "-", Number, Nothing),
        ("omp_get_max_threads", "-", Number, Nothing),
        ("gettimeofday", "w", Number, Nothing),
        ("clock_gettime", "-w", Number, Nothing),
        ("timespec_get", "w-", Number, Nothing),
        ("getrusage", "-w", Number, Nothing),
        ("getenv", "r", Elsewhere, Nothing),
        ("printf", "r", Number, Shows),
        ("fprintf", "sr", Number, Shows),
        ("puts", "r", Number, ToFile),
        ("fputs", "rs", Number, ToFile),
        ("putchar", "-", Number, ToFile),
        ("putc", "-s", Number, ToFile),
        ("fputc", "-s", Number, ToFile),
        ("perror", "r", Number, ToFile),
        ("fwrite", "r--s", Number, ToFile),
        ("fflush", "s", Number, Nothing),
        ("fopen", "r", New, Nothing),
        ("fclose", "s", Number, Nothing),
        ("fseek", "s-", Number, Nothing),
        ("ftell", "s", Number, Nothing),
        ("feof", "s", Number, Nothing),
        ("ferror", "s", Number, Nothing),
        ("rewind", "s", Number, Nothing),
        ("fread", "w--s", Number, FromFile),
        ("fgets", "w-s", Argument, FromFile),
        ("getc", "s", Number, FromFile),
        ("fgetc", "s", Number, FromFile),
        ("getchar", "-", Number, FromFile),
        ("scanf", "rw", Number, FromFile),
        ("__isoc99_scanf", "rw", Number, FromFile),
        ("fscanf", "srw", Number, FromFile),
        ("__isoc99_fscanf", "srw", Number, FromFile),
        ("sscanf", "rrw", Number, Text),
        ("__isoc99_sscanf", "rrw", Number, Text),
        ("sprintf", "wrw", Number, Text),
        ("snprintf", "w-rw", Number, Text),
    ]
};

/// Functions that end the program.
const ENDING: &[(&str, &str, End)] = &[
    ("exit", "-", End::Exit),
    ("quick_exit", "-", End::Exit),
    ("abort", "-", End::Abort),
    ("__builtin_trap", "-", End::Abort),
    ("__assert_fail", "rr-r", End::Abort),
    ("__assert_rtn", "rr-r", End::Abort),
    ("_Exit", "-", End::AtOnce),
    ("_exit", "-", End::AtOnce),
    ("__builtin_unreachable", "-", End::AtOnce),
];

/// Algorithms of C++ that call nothing of the program if they work on numbers.
const ALGORITHMS: &[(&str, &str, Gives)] = {
    use Gives::{Argument, Number};
    &[
        ("accumulate", "rr-", Number),
        ("adjacent_difference", "rrw", Argument),
        ("copy", "rro", Argument),
        ("count", "rr-", Number),
        ("equal", "rrr", Number),
        ("fill", "oo-", Number),
        ("find", "rr-", Argument),
        ("inner_product", "rrr-", Number),
        ("iota", "oo-", Number),
        ("is_sorted", "rr", Number),
        ("lower_bound", "rr-", Argument),
        ("max_element", "rr", Argument),
        ("min_element", "rr", Argument),
        ("move", "rro", Argument),
        ("partial_sum", "rrw", Argument),
        ("replace", "ww--", Number),
        ("reverse", "ww", Number),
        ("sort", "ww", Number),
        ("stable_sort", "ww", Number),
        ("swap_ranges", "www", Argument),
        ("unique", "ww", Argument),
        ("upper_bound", "rr-", Argument),
    ]
};

/// Returns the algorithm of C++ that a call of a function of the library is, if it works on pointers and iterators to
/// numbers, and on numbers.
fn algorithm(tree: &Tree, callee: &Callee, arguments: &[Expr]) -> Option<Known> {
    let (_, uses, gives) = ALGORITHMS.iter().find(|(name, ..)| *name == callee.name)?;
    let fits = |(letter, argument): (char, &Expr)| match letter {
        '-' => argument.ctype.arithmetic().is_some(),
        _ => leads_to_numbers(tree, argument),
    };
    let finds = *gives == Gives::Argument && !uses.ends_with(['w', 'o']) || *uses == "ww";
    let is_known = tree.is_cxx && uses.len() == arguments.len() && uses.chars().zip(arguments).all(fits);
    let known = Known { uses, gives: *gives, moves: Moves::Nothing, end: None, is_algorithm: true, finds };
    is_known.then_some(known)
}

/// Returns what is known of a function that is called, if it is of the library of C, or an algorithm of that of C++.
pub fn known(tree: &Tree, callee: &Callee, arguments: &[Expr]) -> Option<Known> {
    let name = callee.name.as_str();
    if callee.of_user || callee.attribute.is_some() || tree.function(name).is_some() {
        return None;
    }
    if let Some(known) = algorithm(tree, callee, arguments) {
        return Some(known);
    }
    let plain = name.strip_prefix("__builtin_").unwrap_or(name);
    let number = Known {
        uses: "-",
        gives: Gives::Number,
        moves: Moves::Nothing,
        end: None,
        is_algorithm: false,
        finds: false,
    };
    if let Some(&(_, uses, end)) = ENDING.iter().find(|(other, ..)| [plain, name].contains(other)) {
        return Some(Known { uses, end: Some(end), ..number });
    }
    if let Some(&(_, uses, gives, moves)) = FUNCTIONS.iter().find(|(other, ..)| *other == plain) {
        return Some(Known { uses, gives, moves, ..number });
    }
    // Those with pointers, such as `frexp`, write numbers there.
    is_mathematical(name).then_some(Known { uses: "w", ..number })
}

/// True for a call of a function of the library that uses a stream which may lead to memory of the program. A stream
/// from another file is taken to lead to no array of a region.
pub fn uses_unknown_streams(tree: &Tree, known: &Known) -> bool {
    known.uses_streams() && tree.has_streams_to_memory
}
