//! The C or C++ file, read and parsed.

use std::collections::BTreeSet;
use std::ffi::{CString, OsStr};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use scop::{Diagnostic, Diagnostics, LineDirective, hash_text};

use crate::c::clang::{self, Message, Token, Unit, no_clang};
use crate::c::ctree::Tree;
use crate::c::language::is_cxx;
use crate::c::source::SourceText;
use crate::directives::directive::{Directive, directives};
use crate::directives::effects::EffectsClaim;
use crate::errors::{CLANG, Fault, UNREADABLE};
use crate::import::claims;
use crate::import::importer;
use crate::import::in_headers;
use crate::import::runtime_names;
use crate::import::threads;
use crate::options::Options;
use crate::options::rule::Included;
use crate::preprocessor::compiler::Compiler;
use crate::preprocessor::conditionals;
use crate::preprocessor::gcc::{self, Supplied};
use crate::preprocessor::optimised;
use crate::preprocessor::predefined::Predefined;

/// A C file without errors.
pub struct Parsed {
    /// Its functions.
    pub tree: Tree,
    /// Its text.
    pub source: SourceText,
    /// Its tokens.
    pub tokens: Vec<Token>,
    /// The parts that the preprocessor skipped.
    pub skipped: Vec<(u32, u32)>,
    /// Why no file is translated that has its attributes or directives `optimize`.
    pub optimised: Vec<Fault>,
    /// Why no program can be made of it: see [`runtime_names::check`].
    pub runtime_names: Vec<Fault>,
    /// What the user claims of functions.
    pub claims: Vec<EffectsClaim>,
    /// What is wrong with other claims.
    pub wrong_claims: Vec<Fault>,
    /// What is wrong with other directives of c2cuda in headers.
    pub in_headers: Vec<Fault>,
    /// What its directives `#line` say.
    pub lines: Vec<LineDirective>,
    /// Its path, for the document.
    pub path: String,
    /// All files that were read for it, itself first.
    pub included: Vec<Included>,
}

/// Parses the text of the file of the command line.
pub fn parse(options: &Options, bytes: Vec<u8>) -> Result<Parsed, Diagnostics> {
    let path = path_of_document(&options.file)?;
    clang::load_library().map_err(no_clang)?;
    let compiler = Compiler::of(options, &bytes);
    let Read { unit, supplied, predefined } = unit(options, &bytes, &compiler)?;
    let mut errors = unit.errors();
    errors.retain(|error| !is_in(&supplied, error));
    if !errors.is_empty() {
        errors
            .iter_mut()
            .for_each(|error| error.text = predefined.as_written(std::mem::take(&mut error.text)));
        return Err(clang_errors(errors, &options.file, &bytes, &predefined));
    }
    conditionals::check(&unit, &options.file, &compiler)?;
    let mut tokens = unit.tokens();
    predefined.rename_back(&mut tokens);
    let skipped = unit.skipped();
    let included: Vec<Included> = unit.included().into_iter().map(|file| real(file, &supplied)).collect();
    let source = SourceText { bytes, macro_uses: importer::macro_uses(&unit) };
    let (claims, wrong_claims) = claims::effects(&unit, is_cxx(&options.file));
    Ok(Parsed {
        lines: line_directives(&unit, &directives(&tokens, &skipped, &source)),
        optimised: optimised::check(&unit),
        runtime_names: runtime_names::check(&unit),
        claims,
        wrong_claims,
        in_headers: in_headers::check(&unit),
        path,
        tree: Tree {
            digest: digest(&unit, options),
            hidden_header: hidden_header(&options.file, &included),
            threads: threads::sign(options, &unit),
            ..importer::import(&unit, is_cxx(&options.file), options.flags.are_before_c99())
        },
        tokens,
        included,
        skipped,
        source,
    })
}

/// A header by whose name the file would find the one that is generated from it.
fn hidden_header(file: &Path, included: &[Included]) -> Option<String> {
    let generated = format!("{}_gpu.h", file.file_stem()?.to_str()?);
    let mut names = included.iter().map(|included| included.path.to_string_lossy());
    names
        .find(|path| Path::new(&**path).file_name().is_some_and(|name| name == generated.as_str()))
        .map(String::from)
}

fn digest(unit: &Unit, options: &Options) -> String {
    let files = unit.files_of_user().into_iter().map(|file| unit.contents(file));
    let macros = options.flags.language.iter().map(|flag| flag.as_bytes());
    let macros = macros.filter(|flag| flag.starts_with(b"-D") || flag.starts_with(b"-U"));
    hash_text(&files.chain(macros).collect::<Vec<_>>().join(&0))
}

/// What directives `#line` of a file say.
fn line_directives(unit: &Unit, directives: &[Directive]) -> Vec<LineDirective> {
    let directives = directives.iter().filter(|directive| directive.numbers_lines());
    let said = directives.map(|directive| {
        let (before, path) = unit.presumed(directive.range.end);
        LineDirective { line: directive.range.line + 1, presumed: before.wrapping_add(1), path }
    });
    said.collect()
}

/// The path as the document has it: generated files are named after it, and include each other by these names.
fn path_of_document(path: &Path) -> Result<String, Diagnostics> {
    let path = path.to_str().ok_or_else(|| {
        let message = format!("the path {path:?} is not UTF-8, which documents are written in");
        Diagnostics::from(Diagnostic::error("E0018", message).with_help("rename the file or its folder"))
    })?;
    scop::file_name(path)?;
    Ok(path.to_owned())
}

/// The parsed file, the headers of GCC's that it needs, and the macros of its compiler.
struct Read {
    unit: Unit,
    supplied: Vec<Supplied>,
    predefined: Predefined,
}

/// Reads the file until clang knows all headers and macros that it needs.
fn unit(options: &Options, bytes: &[u8], compiler: &Compiler) -> Result<Read, Diagnostics> {
    let arguments = arguments(options)?;
    let folder = clang::resource_directory().map(|folder| folder.join("include"));
    let mut supplied: Vec<Supplied> = Vec::new();
    let mut predefined = Predefined::default();
    loop {
        let all = [&arguments[..], &predefined.arguments].concat();
        let headers = supplied.iter().map(|header| (header.shown.as_path(), &header.text[..]));
        let headers: Vec<_> = headers.chain(predefined.headers()).collect();
        let unit = Unit::parse(&options.file, &predefined.shown(bytes), &all, &headers).map_err(no_clang)?;
        let missing = unit.errors().iter().find_map(|error| missing_header(&error.text).map(str::to_owned));
        let known = |name: &str| supplied.iter().any(|header| header.shown.ends_with(name));
        let header = missing.filter(|name| !known(name)).zip(folder.as_deref());
        match header.and_then(|(name, folder)| gcc::header(&name, folder)) {
            Some(header) => supplied.push(header),
            None if predefined.learn(&unit, options, &arguments, compiler)? => {}
            None => return Ok(Read { unit, supplied, predefined }),
        }
    }
}

/// The name in clang's message `'omp.h' file not found`.
fn missing_header(message: &str) -> Option<&str> {
    message.strip_suffix("' file not found")?.strip_prefix('\'')
}

/// In its own headers GCC uses attributes that clang does not know and does without.
fn is_in(supplied: &[Supplied], error: &Message) -> bool {
    let path = error.path.as_deref().map(Path::new);
    path.is_some_and(|path| supplied.iter().any(|header| header.shown == path))
}

/// The file itself for one that clang was shown elsewhere.
fn real(file: Included, supplied: &[Supplied]) -> Included {
    match supplied.iter().find(|header| *header.shown == *file.path) {
        Some(header) => Included { path: header.real.clone().into(), system: true },
        None => file,
    }
}

/// The bytes of the file.
pub fn read(path: &Path) -> Result<Vec<u8>, Diagnostics> {
    std::fs::read(path).map_err(|error| {
        Diagnostic::error(UNREADABLE, format!("cannot read {}: {}", path.display(), reason(&error))).into()
    })
}

/// The reason without the number that the system gives it.
fn reason(error: &std::io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or(&text).to_lowercase()
}

fn arguments(options: &Options) -> Result<Vec<CString>, Diagnostics> {
    let language = if is_cxx(&options.file) { c"-xc++" } else { c"-xc" };
    let mut arguments = vec![language.to_owned()];
    if let Some(directory) = clang::resource_directory() {
        arguments.push(c"-resource-dir".to_owned());
        arguments.push(c_string(directory.as_os_str())?);
    }
    for flag in &options.flags.language {
        arguments.push(c_string(flag)?);
    }
    Ok(arguments)
}

fn c_string(text: &OsStr) -> Result<CString, Diagnostics> {
    let nul = "an argument of the command line contains a NUL byte";
    CString::new(text.as_bytes()).map_err(|_| Diagnostic::error(UNREADABLE, nul).into())
}

/// What clang says, as our own messages; the first one says what to do about all.
fn clang_errors(messages: Vec<Message>, file: &Path, bytes: &[u8], predefined: &Predefined) -> Diagnostics {
    let file = file.to_string_lossy();
    let mut undeclared = BTreeSet::new();
    // As compilers do: a name that is not declared is an error once, wherever it is used.
    let is_new = |message: &Message| {
        !message.text.starts_with("use of undeclared identifier") || undeclared.insert(message.text.clone())
    };
    let mut diagnostics: Vec<Diagnostic> = messages
        .into_iter()
        .filter(is_new)
        .map(|mut message| {
            if message.path.as_deref() == Some(&*file) {
                message.range.end = message.range.end.max(end_of_word(bytes, message.range.start));
            }
            clang_error(message)
        })
        .collect();
    if let Some(first) = diagnostics.first_mut() {
        let help = if predefined.is_needed() {
            "clang reads the file with the compiler's macros (`__GNUC__` and the like), but does not support \
             everything that other compilers do: keep such code out of files with regions"
        } else {
            "the file must be free of errors; give the same flags (-I, -D, -include, -std and so on) as to the compiler"
        };
        first.help.get_or_insert_with(|| help.to_owned());
    }
    Diagnostics(diagnostics)
}

fn clang_error(message: Message) -> Diagnostic {
    let missing = missing_header(&message.text).map(str::to_owned);
    let diagnostic = Diagnostic::error(CLANG, message.text);
    let diagnostic = match message.path {
        Some(path) => diagnostic.at(&path, message.range, "clang reports this error"),
        None => diagnostic,
    };
    match missing.as_deref() {
        Some("omp.h") => {
            diagnostic.with_help("install GCC's `omp.h` (Debian: `apt install gcc`); c2cuda can read it")
        }
        Some(_) => diagnostic.with_help("name the directory of the header with -I, as for the compiler"),
        None => diagnostic,
    }
}

fn end_of_word(bytes: &[u8], start: u32) -> u32 {
    let rest = bytes.get(start as usize..).unwrap_or_default();
    let length = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    start + length as u32
}
