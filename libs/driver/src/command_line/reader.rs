//! Sorts the words of the command line.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;

use super::flags::{self, Objection};
use super::hints::{self, Takes};
use super::texts::Text;
use crate::stop::{Or, Stop};
use crate::words::{joined, rest};

/// The words of a command line.
#[derive(Debug, Default)]
pub struct Words {
    /// The options of the driver, each as one word.
    pub options: Vec<OsString>,
    /// The flags for compilers.
    pub flags: CompilerFlags,
    /// The files.
    pub inputs: Vec<OsString>,
    /// The arguments of the program that is run.
    pub program_arguments: Vec<OsString>,
}

/// The compiler flags of a command line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CompilerFlags {
    /// Flags that clan-rs needs: macros, headers, the language.
    pub language: Vec<OsString>,
    /// Flags that are used only in the commands that build a program.
    pub others: Vec<OsString>,
    /// Libraries and the folders in which they are searched for.
    pub libraries: Vec<OsString>,
    /// The rule for make.
    pub rule: Rule,
}

/// The options of the rule for make: `-MD` and related flags.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rule {
    /// `-MD`, `-MMD`, `-MP`
    pub flags: Vec<OsString>,
    /// `-MT TARGET`, `-MQ TARGET`
    pub targets: Vec<OsString>,
    /// `-MF FILE`
    pub file: Option<OsString>,
}

impl Rule {
    /// True if a rule is to be written.
    pub fn is_wanted(&self) -> bool {
        self.flags.iter().any(|flag| flag == "-MD" || flag == "-MMD")
    }
}

/// Flags of compilers whose value may also be the next word.
const VALUED: [&str; 9] =
    ["-include", "-imacros", "-isystem", "-iquote", "-idirafter", "-isysroot", "-MF", "-MT", "-MQ"];

/// Flags of one letter whose value may also be the next word.
const LETTERS: &[u8] = b"IDUlL";

/// Flags that ask a compiler for something other than a program; they are refused.
const COMPILING: [&str; 5] = ["-c", "-S", "-E", "-M", "-MM"];

impl Words {
    /// Sorts words until one asks for a text.
    pub fn read(&mut self, words: Vec<OsString>) -> Or<Option<Text>> {
        let mut words = words.into_iter();
        let mut runs = false;
        while let Some(word) = words.next() {
            match word.as_bytes() {
                b"--" if runs => {
                    self.program_arguments = words.collect();
                    break;
                }
                b"--" => {
                    let why = "arguments after -- go to the program, which only --run runs";
                    return Err(Stop::misused(why));
                }
                b"--help" => return Ok(Some(Text::Help)),
                b"-h" => return Ok(Some(Text::ShortHelp)),
                b"--version" | b"-V" => return Ok(Some(Text::Version)),
                [b'-', b'-', ..] => {
                    runs |= word == "--run" || word == "--verify";
                    self.read_long(word, &mut words)?;
                }
                [b'-', _, ..] => self.read_short(word, &mut words)?,
                [] => return Err(Stop::misused("the name of the file is empty")),
                _ => self.inputs.push(word),
            }
        }
        Ok(None)
    }

    fn read_long(&mut self, word: OsString, following: &mut impl Iterator<Item = OsString>) -> Or<()> {
        if self.flags.take_long(&word, following)? {
            return Ok(());
        }
        let bytes = word.as_bytes();
        let end = bytes.iter().position(|&byte| byte == b'=').unwrap_or(bytes.len());
        let name = String::from_utf8_lossy(&bytes[2..end]).into_owned();
        let unknown = || hints::unknown_option(&word);
        let valued = hints::takes_value(&name).ok_or_else(unknown)?;
        let value = match (valued, end < bytes.len()) {
            (Takes::Nothing | Takes::Perhaps, false) => {
                self.options.push(word);
                return Ok(());
            }
            (Takes::Nothing, true) => return Err(unknown()),
            (_, true) => OsStr::from_bytes(&bytes[end + 1..]).to_owned(),
            (Takes::Value, false) => following.next().ok_or_else(|| needs_value(&word))?,
        };
        self.push_option(&name, value)
    }

    fn push_option(&mut self, name: &str, value: OsString) -> Or<()> {
        if value.is_empty() && !name.ends_with("-options") {
            return Err(needs_value(OsStr::new(&format!("--{name}"))));
        }
        self.options.push(joined(format!("--{name}="), value));
        Ok(())
    }

    fn read_short(&mut self, word: OsString, following: &mut impl Iterator<Item = OsString>) -> Or<()> {
        match word.as_bytes() {
            b"-q" => self.options.push("--quiet".into()),
            b"-v" => self.options.push("--verbose".into()),
            b"-p" => {
                let value = value_of("-p", &word, following)?;
                self.push_option("compile-commands", value)?;
            }
            [b'-', b'o', ..] => {
                let value = value_of("-o", &word, following)?;
                self.push_option("output", value)?;
            }
            _ => self.flags.take(word, following)?,
        }
        Ok(())
    }
}

impl CompilerFlags {
    /// Takes a flag with two dashes if it is a compiler's, and returns whether it is.
    pub fn take_long(&mut self, word: &OsStr, following: &mut impl Iterator<Item = OsString>) -> Or<bool> {
        for name in ["--std", "--sysroot"] {
            if word == name {
                let value = following.next().filter(|value| !value.is_empty());
                let value = value.ok_or_else(|| needs_value(word))?;
                self.language.push(joined(format!("{name}="), value));
                return Ok(true);
            }
            if rest(word, name).is_some_and(|rest| rest.as_bytes().starts_with(b"=") && rest.len() > 1) {
                self.language.push(word.to_owned());
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Takes a flag with one dash, or refuses it if it may change the meaning of the program.
    pub fn take(&mut self, word: OsString, following: &mut impl Iterator<Item = OsString>) -> Or<()> {
        if let Some(flag) = VALUED.iter().find(|flag| rest(&word, flag).is_some()) {
            let value = value_of(flag, &word, following)?;
            self.take_valued(flag, value);
            return Ok(());
        }
        match word.as_bytes() {
            b"-MD" | b"-MMD" | b"-MP" => self.rule.flags.push(word),
            [b'-', letter] if LETTERS.contains(letter) => {
                let value = following.next().filter(|value| !value.is_empty());
                let value = value.ok_or_else(|| needs_value(&word))?;
                self.take_joined(joined(word, value));
            }
            [b'-', letter, ..] if LETTERS.contains(letter) => self.take_joined(word),
            bytes if bytes.starts_with(b"-std=") || bytes == b"-ansi" => self.language.push(word),
            bytes if bytes.starts_with(b"-Wp,") => self.take_for_preprocessor(&word)?,
            _ if COMPILING.iter().any(|flag| word == *flag) => {
                let flag = word.display();
                let why = "c2cuda translates but does not compile: leave out";
                return Err(Stop::misused(format!("{why} {flag}")));
            }
            _ => {
                flags::judge(&word).map_err(|objection| match objection {
                    Objection::Meaning(why) => Stop::misused(why),
                    Objection::Unknown => hints::unknown_option(&word),
                })?;
                self.others.push(word);
            }
        }
        Ok(())
    }

    fn take_valued(&mut self, flag: &str, value: OsString) {
        match flag {
            "-MF" => self.rule.file = Some(value),
            "-MT" | "-MQ" => self.rule.targets.extend([flag.into(), value]),
            _ => self.language.extend([flag.into(), value]),
        }
    }

    fn take_joined(&mut self, word: OsString) {
        match word.as_bytes().get(1) {
            Some(b'l' | b'L') => self.libraries.push(word),
            _ => self.language.push(word),
        }
    }

    /// `-Wp,-DNAME=VALUE,...`
    fn take_for_preprocessor(&mut self, word: &OsStr) -> Or<()> {
        for part in word.as_bytes()[4..].split(|&byte| byte == b',') {
            if !matches!(part, [b'-', b'I' | b'D' | b'U', _, ..]) {
                let (word, part) = (word.display(), OsStr::from_bytes(part).display());
                return Err(Stop::misused(format!("{word} hides {part} from c2cuda: give it without -Wp")));
            }
            self.language.push(OsStr::from_bytes(part).to_owned());
        }
        Ok(())
    }
}

/// Returns the value of a flag: the rest of its word, or the next word.
fn value_of(flag: &str, word: &OsStr, following: &mut impl Iterator<Item = OsString>) -> Or<OsString> {
    let value = match rest(word, flag) {
        Some(value) if !value.is_empty() => Some(value.to_owned()),
        _ => following.next(),
    };
    value.filter(|value| !value.is_empty()).ok_or_else(|| needs_value(OsStr::new(flag)))
}

fn needs_value(option: &OsStr) -> Stop {
    Stop::misused(format!("{} needs a value", option.display()))
}
