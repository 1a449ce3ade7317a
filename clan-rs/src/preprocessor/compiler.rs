//! The compiler that builds the program, asked what it makes of the preprocessor.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{CString, OsStr, OsString};
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::rc::Rc;

use clang_sys::CXCursor_StringLiteral;

use crate::c::clang::{ClangError, Unit};
use crate::c::language::is_cxx;
use crate::options::Options;
use crate::options::compiler_flags::words;
use crate::preprocessor::listed;
use crate::preprocessor::reserved::{identifier_length, words_in};

/// The optimisation that is tried where none is given: it shows what depends on that.
pub const SOME_OPTIMISATION: &str = "-O2";

/// How compilers call what they read from no file.
pub const STANDARD_INPUT: &str = "<stdin>";

/// What to do where it cannot be asked.
pub const NAME_THE_COMPILER: &str =
    "name the compiler with which this file is compiled: CC or CXX for c2cuda, --compiler for clan-rs";

/// The lines that it compiles, or why it does not say.
type Lines = Result<Rc<[u8]>, String>;

/// The compiler that builds the program, asked about one file.
pub struct Compiler<'a> {
    file: &'a Path,
    /// The text of the file.
    text: &'a [u8],
    words: Vec<OsString>,
    language: Vec<OsString>,
    /// The flags that let it read more files.
    reading: Vec<OsString>,
    cxx: bool,
    /// What it said of the lines of the file, by the optimisation.
    lines: RefCell<BTreeMap<Option<&'static str>, Lines>>,
}

impl<'a> Compiler<'a> {
    /// That of the command line, or the usual one, for the file of the command line, which has this text.
    pub fn of(options: &'a Options, text: &'a [u8]) -> Self {
        let cxx = is_cxx(&options.file);
        let command = options.compiler.as_deref().unwrap_or(if cxx { "g++" } else { "gcc" });
        let mut words: Vec<OsString> = words(command).into_iter().flatten().map(OsString::from).collect();
        // What is warned of does not matter, and must not be an error.
        words.retain(|word| !word.as_bytes().starts_with(b"-pedantic") && !is_warning(word));
        let is_reading = |flag: &OsString| reads_files(flag.as_bytes());
        let (reading, language) = options.flags.language.iter().cloned().partition(is_reading);
        Self { file: &options.file, text, words, language, reading, cxx, lines: RefCell::default() }
    }

    /// Asks it for definitions; the error is the reason why it does not answer.
    ///
    /// If the lines of the file are asked for as well, what is listed before them may answer: starting a compiler
    /// takes longer than all that it does.
    pub fn answers(
        &self,
        names: &[&str],
        optimisation: Option<&'static str>,
        with_lines: bool,
    ) -> Result<Answers, String> {
        if with_lines
            && self.reading.is_empty()
            && let Ok(lines) = self.compiled_lines(optimisation)
            && let Some(answers) = listed::answers(&lines, self.file, names)
        {
            return Ok(answers);
        }
        let mut command = self.preprocessor(optimisation)?;
        let text = fed(command.args(["-P", "-"]), question(names).as_bytes())?;
        let text = String::from_utf8_lossy(&text);
        let answer = |line: &str| {
            let (number, literal) = line.trim_start().strip_prefix("char c2cuda_")?.split_once('[')?;
            let name = names.get(number.parse::<usize>().ok()?)?;
            Some(((*name).to_owned(), unquoted(literal)))
        };
        Ok(text.lines().filter_map(answer).collect())
    }

    /// The names of all macros that it predefines; none if it does not answer.
    pub fn predefined_names(&self) -> BTreeSet<String> {
        let listed = self.preprocessor(None).and_then(|mut command| fed(command.args(["-dM", "-"]), b""));
        let listed = String::from_utf8_lossy(&listed.unwrap_or_default()).into_owned();
        let name = |line: &str| line.strip_prefix("#define ")?.split([' ', '(']).next().map(str::to_owned);
        listed.lines().filter_map(name).collect()
    }

    /// The lines of the file, and of those that it includes, that it compiles, with markers of where they are from. If
    /// the text is not that of the file on the disk, its markers name [`STANDARD_INPUT`]. It is asked once.
    pub fn compiled_lines(&self, optimisation: Option<&'static str>) -> Lines {
        let known = self.lines.borrow().get(&optimisation).cloned();
        known.unwrap_or_else(|| {
            let lines = self.ask_for_lines(optimisation).map(Rc::from);
            self.lines.borrow_mut().insert(optimisation, lines.clone());
            lines
        })
    }

    fn ask_for_lines(&self, optimisation: Option<&str>) -> Result<Vec<u8>, String> {
        let (file, text) = (self.file, self.text);
        let is_there = std::fs::read(file).is_ok_and(|there| there == text);
        // Macros are not expanded by compilers that can leave them, so that no line seems to be empty.
        let ask = |how: &str| {
            let mut command = self.preprocessor(optimisation)?;
            command.args(&self.reading).arg(how);
            if is_there {
                command.arg(no_option(file)).stdin(Stdio::null());
                return output_of(command.spawn().map_err(|error| error.to_string())?);
            }
            if let Some(folder) = file.parent().filter(|folder| !folder.as_os_str().is_empty()) {
                command.arg("-iquote").arg(folder);
            }
            fed(command.arg("-"), text)
        };
        ask("-fdirectives-only").or_else(|_| ask("-dD"))
    }

    /// The words of the macros that flags define, by their names.
    pub fn definitions_of_flags(&self) -> BTreeMap<String, BTreeSet<String>> {
        let mut definitions: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let flags = self.words.iter().chain(&self.language).map(|flag| flag.as_bytes());
        for flag in flags {
            let flag = flag.strip_prefix(b"-D").unwrap_or(flag);
            let (name, text) = flag.split_at(identifier_length(flag));
            let name = String::from_utf8_lossy(name).into_owned();
            definitions.entry(name).or_default().extend(words_in(text));
        }
        definitions
    }

    fn preprocessor(&self, optimisation: Option<&str>) -> Result<Command, String> {
        let (program, flags) = self.words.split_first().ok_or("it has no name")?;
        let mut command = Command::new(program);
        command.args(flags).args(&self.language).args(optimisation);
        command.args(["-E", "-x", if self.cxx { "c++" } else { "c" }]);
        command.stdout(Stdio::piped()).stderr(Stdio::null());
        Ok(command)
    }

    /// True if its command says how much it optimises.
    pub fn has_optimisation(&self) -> bool {
        self.words.iter().any(|word| word.as_bytes().starts_with(b"-O"))
    }

    /// True for GCC and clang without flags of their own that define something: all that they define themselves, but
    /// for some old names of systems, is reserved. Other commands may stand for any flags.
    pub fn adds_only_reserved_names(&self) -> bool {
        let Some((program, flags)) = self.words.split_first() else { return false };
        let name = Path::new(program).file_name().unwrap_or_default().to_string_lossy();
        let name =
            name.trim_end_matches(|character: char| character.is_ascii_digit() || "-.".contains(character));
        let is_harmless = |flag: &OsString| {
            let flag = flag.as_bytes();
            [&b"-O"[..], b"-g", b"-std=", b"-march="].iter().any(|start| flag.starts_with(start))
        };
        ["gcc", "g++", "clang", "clang++"].contains(&name) && flags.iter().all(is_harmless)
    }

    /// Its command, for messages.
    pub fn shown(&self) -> String {
        let words: Vec<_> = self.words.iter().map(|word| word.to_string_lossy()).collect();
        words.join(" ")
    }
}

/// A path that does not look like an option.
fn no_option(file: &Path) -> PathBuf {
    if file.as_os_str().as_bytes().starts_with(b"-") { Path::new(".").join(file) } else { file.to_owned() }
}

/// The output of a command that reads a text.
fn fed(command: &mut Command, text: &[u8]) -> Result<Vec<u8>, String> {
    let mut child = command.stdin(Stdio::piped()).spawn().map_err(|error| error.to_string())?;
    let Some(mut input) = child.stdin.take() else { return output_of(child) };
    std::thread::scope(|scope| {
        // A compiler that does not read has an answer that is missing.
        scope.spawn(move || drop(input.write_all(text)));
        output_of(child)
    })
}

fn output_of(child: Child) -> Result<Vec<u8>, String> {
    let output = child.wait_with_output().map_err(|error| error.to_string())?;
    if output.status.success() { Ok(output.stdout) } else { Err(output.status.to_string()) }
}

/// A C text with a variable for each of the macros that is defined; its value is the text of the definition.
fn question(names: &[&str]) -> String {
    let mut text =
        "#define c2cuda_text_(...) #__VA_ARGS__\n#define c2cuda_text(...) c2cuda_text_(__VA_ARGS__)\n"
            .to_owned();
    for (number, name) in names.iter().enumerate() {
        // Those that ask for features cannot be written without an argument.
        let value =
            if name.starts_with("__has_") || name.starts_with("__is_") || name.starts_with("__building_") {
                "\"\"".to_owned()
            } else {
                format!("c2cuda_text({name})")
            };
        text += &format!("#ifdef {name}\nchar c2cuda_{number}[] = {value};\n#endif\n");
    }
    text
}

/// What the definitions are, of those that are defined.
pub type Answers = BTreeMap<String, String>;

/// What clang says.
pub fn answers_of_clang(
    names: &[&str],
    options: &Options,
    arguments: &[CString],
) -> Result<Answers, ClangError> {
    let mut kept = arguments.to_vec();
    kept.retain(|argument| !reads_files(argument.to_bytes()));
    let unit = Unit::parse(&options.file, question(names).as_bytes(), &kept, &[])?;
    let mut answers = Answers::new();
    for variable in unit.top_level() {
        let number =
            variable.spelling().strip_prefix("c2cuda_").and_then(|number| number.parse::<usize>().ok());
        let literal = variable.children().into_iter().find(|child| child.kind() == CXCursor_StringLiteral);
        if let (Some(name), Some(literal)) = (number.and_then(|number| names.get(number)), literal) {
            answers.insert((*name).to_owned(), unquoted(&literal.spelling()));
        }
    }
    Ok(answers)
}

/// True for flags that let clang read more files.
fn reads_files(argument: &[u8]) -> bool {
    [&b"-include"[..], b"-imacros"].iter().any(|flag| argument.starts_with(flag))
}

/// What a string literal without escapes of letters stands for.
fn unquoted(literal: &str) -> String {
    let inner =
        literal.split_once('"').and_then(|(_, rest)| rest.rsplit_once('"')).map_or("", |(inner, _)| inner);
    let mut text = String::new();
    let mut characters = inner.chars();
    while let Some(character) = characters.next() {
        text.extend(if character == '\\' { characters.next() } else { Some(character) });
    }
    text
}

fn is_warning(word: &OsStr) -> bool {
    let word = word.as_bytes();
    word.starts_with(b"-W") && ![&b"-Wp,"[..], b"-Wa,", b"-Wl,"].iter().any(|flag| word.starts_with(flag))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_are_read_back() {
        assert_eq!(unquoted("char c[] = \"\\\"12.2\\\" \\\\n\";"), "\"12.2\" \\n");
        assert_eq!(unquoted("\"\""), "");
    }

    #[test]
    fn only_plain_compilers_add_nothing_but_reserved_names() {
        let adds_none = |command: &str| {
            let options = Options { compiler: Some(command.to_owned()), ..Options::for_file("f.c") };
            Compiler::of(&options, b"").adds_only_reserved_names()
        };
        for command in
            ["gcc", "/usr/bin/g++-12", "gcc -Wall -O2 -std=c99", "clang++-19.1", "gcc -march=native"]
        {
            assert!(adds_none(command), "{command}");
        }
        for command in ["", "mpicc", "./gcc.sh", "gcc -DA", "gcc -I.", "clang -include a.h", "ccache gcc"] {
            assert!(!adds_none(command), "{command}");
        }
    }

    #[test]
    fn a_compiler_is_asked_with_its_flags() {
        let options =
            |command: &str| Options { compiler: Some(command.to_owned()), ..Options::for_file("f.c") };
        let names = ["__OPTIMIZE__", "__GNUC__", "__clang__"];
        let ask = |command: &str| Compiler::of(&options(command), b"").answers(&names, None, false);
        let names = |answers: Answers| answers.into_keys().collect::<Vec<_>>();
        assert_eq!(names(ask("gcc -pedantic-errors -Werror -std=c90").unwrap()), ["__GNUC__"]);
        assert_eq!(names(ask("gcc -O1").unwrap()), ["__GNUC__", "__OPTIMIZE__"]);
        assert!(ask("no-such-compiler").is_err());
        assert!(ask("false").is_err());
    }

    #[test]
    fn lists_say_what_questions_say() {
        let file = std::env::temp_dir().join(format!("listed.{}.c", std::process::id()));
        std::fs::write(&file, "int a;\n").unwrap();
        let command = "gcc -D_B -D_C=a+b '-D_D=\"a  \\\\b\"' -U__ELF__".to_owned();
        let options = Options { compiler: Some(command), ..Options::for_file(&file) };
        let compiler = Compiler::of(&options, b"int a;\n");
        for optimisation in [None, Some(SOME_OPTIMISATION)] {
            let lines = compiler.compiled_lines(optimisation).unwrap();
            let mut names = compiler.predefined_names();
            names.extend(["_A", "__ELF__"].map(str::to_owned));
            let names = names.iter().map(String::as_str);
            let names: Vec<&str> =
                names.filter(|name| listed::answers(&lines, &file, &[name]).is_some()).collect();
            assert!(names.len() > 200, "{}", names.len());
            let listed = listed::answers(&lines, &file, &names).unwrap();
            assert_eq!(listed["_D"], "\"a  \\\\b\"");
            assert_eq!(listed, compiler.answers(&names, optimisation, false).unwrap());
        }
        std::fs::remove_file(&file).unwrap();
    }
}
