//! The flags of compilers on the command line.
//!
//! They mean what they mean to `gcc` and `clang`: the order of definitions counts, a value is the rest of the word or
//! the next one, and `-MD` writes a rule for make. What is left of the command line is for clap.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;

/// What `--help` says of them.
pub const HELP: &str = "\
Flags of compilers:
  -I, -isystem, -iquote, -idirafter DIR, --sysroot=DIR, -include FILE,
  -D NAME[=VALUE], -U NAME, -std=VERSION, -ansi
          As for a C compiler
  -fopenmp
          Define _OPENMP, and treat the program as one with threads. The directives themselves
          are left to the compiler
  -pthread
          Treat the program as one with threads
  -MD, -MMD, -MP, -MF FILE, -MT TARGET, -MQ TARGET
          As for a C compiler: write a rule for make that lists the headers (-MMD: without
          system headers). By default its target is the output, and it goes to a file with the
          extension .d beside the output";

/// The version of OpenMP that GCC 12 says it has.
const OPENMP: &str = "-D_OPENMP=201511";

/// Flags that have a value, in the same word or the next one.
const VALUED: [&str; 9] =
    ["-I", "-D", "-U", "-include", "-imacros", "-isystem", "-iquote", "-idirafter", "-isysroot"];

/// Those of them that are said of dependencies.
const OF_RULES: [&str; 3] = ["-MF", "-MT", "-MQ"];

/// The flags of compilers on a command line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CompilerFlags {
    /// Those for libclang, in their order, each with its value in the same word.
    pub language: Vec<OsString>,
    /// The rule for make.
    pub rule: Option<Rule>,
    /// True if they are those of a program with threads.
    pub threads: bool,
}

/// A wish for a rule for make.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rule {
    /// Whether headers of the system are named.
    pub system: bool,
    /// Whether each header gets an empty rule, so that it may vanish.
    pub phony: bool,
    /// The file to write, if it is named.
    pub file: Option<PathBuf>,
    /// The targets as make reads them, if they are named.
    pub targets: Vec<OsString>,
}

impl CompilerFlags {
    /// True if they ask for a language without the functions of C99: C89, or C++ before C++11.
    pub fn are_before_c99(&self) -> bool {
        const OLD: [&str; 6] = ["89", "90", "++98", "++03", "9899:1990", "9899:199409"];
        let versions = self.language.iter().filter_map(|flag| flag.to_str());
        let mut versions = versions.filter(|flag| *flag == "-ansi" || flag.starts_with("-std="));
        versions.next_back().is_some_and(|flag| flag == "-ansi" || OLD.iter().any(|old| flag.ends_with(old)))
    }

    /// Takes the flags of compilers out of a command line, and gives back the rest.
    ///
    /// # Errors
    /// If a flag has no value.
    pub fn split(arguments: Vec<OsString>) -> Result<(Self, Vec<OsString>), String> {
        let mut split = Split::default();
        let mut arguments = arguments.into_iter();
        split.rest.extend(arguments.next());
        while let Some(argument) = arguments.next() {
            if argument == "--" {
                split.rest.push(argument);
                split.rest.extend(arguments);
                break;
            }
            split.take(argument, &mut arguments)?;
        }
        split.finish()
    }
}

#[derive(Default)]
struct Split {
    language: Vec<OsString>,
    /// `-MD` or `-MMD`: the rule, and whether it names headers of the system.
    system: Option<bool>,
    rule: Rule,
    threads: bool,
    rest: Vec<OsString>,
}

impl Split {
    fn take(
        &mut self,
        argument: OsString,
        following: &mut impl Iterator<Item = OsString>,
    ) -> Result<(), String> {
        let mut next = |name: &str| following.next().ok_or_else(|| format!("{name} needs a value"));
        let bytes = argument.as_bytes();
        match argument.to_str() {
            Some("-o" | "--output") => {
                let value = next("-o")?;
                self.rest.extend([argument, value]);
            }
            Some("-MD") => self.system = Some(true),
            Some("-MMD") => self.system = Some(false),
            Some("-MP") => self.rule.phony = true,
            Some("-fopenmp") => {
                self.threads = true;
                self.language.push(OPENMP.into());
            }
            Some("-pthread") => self.threads = true,
            Some("-ansi") => self.language.push(argument),
            Some("--std") => self.language.push(joined("-std=", &next("--std")?)),
            Some("--sysroot") => self.language.push(joined("--sysroot=", &next("--sysroot")?)),
            _ => {
                let flag = VALUED.iter().chain(&OF_RULES).filter(|flag| bytes.starts_with(flag.as_bytes()));
                if let Some(flag) = flag.max_by_key(|flag| flag.len()) {
                    let value = match &bytes[flag.len()..] {
                        [] => next(flag)?,
                        value => OsString::from_vec(value.to_vec()),
                    };
                    self.valued(flag, &value);
                } else if let Some(version) =
                    ["-std=", "--std="].iter().find_map(|flag| bytes.strip_prefix(flag.as_bytes()))
                {
                    self.language.push(joined("-std=", OsStr::from_bytes(version)));
                } else if bytes.starts_with(b"--sysroot=") {
                    self.language.push(argument);
                } else {
                    self.rest.push(argument);
                }
            }
        }
        Ok(())
    }

    fn valued(&mut self, flag: &str, value: &OsStr) {
        match flag {
            "-MF" => self.rule.file = Some(value.into()),
            "-MT" => self.rule.targets.push(value.to_owned()),
            "-MQ" => self.rule.targets.push(quoted_for_make(value)),
            _ => self.language.push(joined(flag, value)),
        }
    }

    fn finish(self) -> Result<(CompilerFlags, Vec<OsString>), String> {
        let Self { language, system, rule, threads, rest } = self;
        let rule = match system {
            Some(system) => Some(Rule { system, ..rule }),
            None if rule == Rule::default() => None,
            None => return Err("-MF, -MT, -MQ and -MP need -MD or -MMD".to_owned()),
        };
        Ok((CompilerFlags { language, rule, threads }, rest))
    }
}

fn joined(flag: &str, value: &OsStr) -> OsString {
    OsString::from_vec([flag.as_bytes(), value.as_bytes()].concat())
}

/// The words of a command, quoted as in a shell; nothing if there are none, or if a quote is not closed.
pub fn words(command: &str) -> Option<Vec<String>> {
    shlex::split(command).filter(|words| !words.is_empty())
}

/// A name as make reads it.
pub fn quoted_for_make(name: &OsStr) -> OsString {
    let mut quoted = Vec::new();
    let mut backslashes = 0;
    for &byte in name.as_bytes() {
        match byte {
            // Backslashes before a blank count double.
            b' ' | b'\t' => quoted.extend(std::iter::repeat_n(b'\\', backslashes + 1)),
            b'#' => quoted.push(b'\\'),
            b'$' => quoted.push(b'$'),
            _ => {}
        }
        backslashes = if byte == b'\\' { backslashes + 1 } else { 0 };
        quoted.push(byte);
    }
    OsString::from_vec(quoted)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(arguments: &[&str]) -> Result<(CompilerFlags, Vec<OsString>), String> {
        CompilerFlags::split(["clan-rs"].iter().chain(arguments).map(OsString::from).collect())
    }

    #[test]
    fn values_are_joined_or_apart() {
        let expected = ["-Ia", "-isystemb", "-includec.h", "-UX", "-DX=1", "-std=c99", "--sysroot=/r"];
        let joined = ["-Ia", "-isystemb", "-includec.h", "-UX", "-DX=1", "--std=c99", "--sysroot=/r", "f.c"];
        let apart = [
            "-I",
            "a",
            "-isystem",
            "b",
            "-include",
            "c.h",
            "-U",
            "X",
            "f.c",
            "-D",
            "X=1",
            "--std",
            "c99",
            "--sysroot",
            "/r",
        ];
        for arguments in [&joined[..], &apart] {
            let (flags, rest) = split(arguments).unwrap();
            assert_eq!(flags.language, expected);
            assert_eq!(rest, ["clan-rs", "f.c"]);
        }
        assert_eq!(split(&["-fopenmp", "-ansi"]).unwrap().0.language, [OPENMP, "-ansi"]);
        for (flag, threads) in [("-fopenmp", true), ("-pthread", true), ("-ansi", false)] {
            assert_eq!(split(&[flag]).unwrap().0.threads, threads, "{flag}");
        }
    }

    #[test]
    fn what_is_no_flag_is_left() {
        let arguments = ["-o", "-MD", "--autoscop", "-oout", "--", "-Ia"];
        let (flags, rest) = split(&arguments).unwrap();
        assert_eq!((flags, &rest[1..]), (CompilerFlags::default(), &arguments.map(OsString::from)[..]));
        for wrong in [&["f.c", "-I"][..], &["-MF"], &["-MF", "x", "f.c"], &["-MP"]] {
            assert!(split(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn commands_are_quoted_as_in_a_shell() {
        let expected = ["my gcc", "-DX=a b", "-DY=\"c\"", ""];
        assert_eq!(words("my\\ gcc '-DX=a b'  -DY=\"\\\"c\\\"\" ''").unwrap(), expected);
        for wrong in ["", " ", "gcc 'x", "gcc \"x", "gcc \\"] {
            assert_eq!(words(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn rules_are_as_compilers_write_them() {
        let rule = Rule {
            system: false,
            phony: true,
            file: Some("x.d".into()),
            targets: vec!["a b".into(), "a\\ b$$\\#".into()],
        };
        let (flags, _) = split(&["-MMD", "-MFx.d", "-MP", "-MT", "a b", "-MQ", "a b$#", "f.c"]).unwrap();
        assert_eq!(flags.rule, Some(rule));
        assert_eq!(quoted_for_make(OsStr::new("a\\ b")), "a\\\\\\ b");
    }
}
