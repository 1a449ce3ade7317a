//! The command line: splits its words into options, compiler flags, and files.
//!
//! Compilers have their own syntax of options (`-DN=5`, `-isystem DIR`, `-fopenmp`), which clap cannot read. The
//! words are therefore sorted first ([`mod@reader`]); clap then reads the options of the driver ([`mod@options`]).

mod compilers;
mod database;
mod flags;
mod hints;
mod options;
mod reader;
mod texts;

use std::collections::BTreeMap;
use std::ffi::OsString;

use crate::stages::Stage;
use crate::stop::{Or, Stop};
use crate::talk::{MessageFormat, Talk};
use crate::words;

pub use compilers::{Compiler, Compilers};
pub use database::Database;
pub use options::{Language, Machine, Options, Swap};
pub use reader::CompilerFlags;
pub use texts::Text;

use reader::Words;

/// The words of the command line, sorted and parsed, but not yet checked against each other.
pub struct CommandLine {
    /// The options of the driver.
    pub options: Options,
    /// The flags for compilers.
    pub flags: CompilerFlags,
    /// Further arguments for the tools.
    pub more: BTreeMap<Stage, Vec<OsString>>,
    /// The files.
    pub inputs: Vec<OsString>,
    /// The arguments of the program that is run.
    pub program_arguments: Vec<OsString>,
    /// The compilers that the environment names.
    pub compilers: Compilers,
}

/// What the user asks for.
pub enum Request {
    /// A text about the driver itself.
    Text(Text),
    /// The explanation of a message.
    Explanation(OsString),
    /// A translation.
    Work(Box<CommandLine>),
}

/// Returns the form of messages that the words ask for, even if the command line is wrong.
pub fn talk(arguments: &[OsString]) -> Talk {
    use clap::ValueEnum;
    let words: Vec<_> =
        arguments.iter().take_while(|word| *word != "--").map(|w| w.to_string_lossy()).collect();
    let name = "--message-format";
    let apart = words.iter().skip_while(|word| *word != name).nth(1);
    let value =
        words.iter().find_map(|word| word.strip_prefix(name)?.strip_prefix('=')).or(apart.map(|w| &**w));
    let format = value.and_then(|value| MessageFormat::from_str(value, false).ok()).unwrap_or_default();
    Talk { format, ..Talk::default() }
}

/// Reads the words of the command line.
pub fn read(arguments: Vec<OsString>) -> Or<Request> {
    let mut words = Words::default();
    let text = words.read(arguments)?;
    if let Some(text) = text {
        return Ok(Request::Text(text));
    }
    let matches = options::parse(std::mem::take(&mut words.options))?;
    let options = options::typed(&matches)?;
    let more = more_arguments(&matches)?;
    let compilers = Compilers::of_the_environment()?;
    if let Some(code) = options.explain {
        return Ok(Request::Explanation(code));
    }
    if let Some(shell) = options.completions {
        return Ok(Request::Text(Text::Completions(shell)));
    }
    if options.header {
        return Ok(Request::Text(Text::Header));
    }
    let Words { flags, inputs, program_arguments, .. } = words;
    let line = CommandLine { options, flags, more, inputs, program_arguments, compilers };
    Ok(Request::Work(Box::new(line)))
}

/// Returns the arguments that tools get beyond those that the driver adds itself: the words of `--STAGE-options` and
/// the wishes, in the order of the command line.
fn more_arguments(matches: &clap::ArgMatches) -> Or<BTreeMap<Stage, Vec<OsString>>> {
    let mut more = BTreeMap::new();
    for (stage, option, value) in options::of_stages(matches) {
        let arguments: &mut Vec<OsString> = more.entry(stage).or_default();
        match option {
            None => arguments.extend(words::split(&value).ok_or_else(|| {
                let value = value.display();
                Stop::misused(format!("--{stage}-options has an unclosed quote: {value}"))
            })?),
            Some(option) if value.as_encoded_bytes().contains(&b'\'') => {
                let value = value.display();
                let why = "names a variable, a member or an element, which cannot contain a quote";
                return Err(Stop::misused(format!("--{option} {why}: {value}")));
            }
            Some(option) => arguments.push(words::joined(format!("--{option}="), value)),
        }
    }
    if matches.get_flag("verify") {
        more.entry(Stage::Cudagen).or_default().push("--verify".into());
    }
    Ok(more)
}
