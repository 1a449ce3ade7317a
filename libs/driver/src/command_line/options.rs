//! The options of the driver itself, as clap reads them.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::PathBuf;

use clap::builder::{OsStringValueParser, PossibleValuesParser, TypedValueParser, ValueParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, ValueEnum, ValueHint};
use clap_complete::Shell;

use crate::stages::Stage;
use crate::stop::{Or, Stop};
use crate::talk::MessageFormat;

// `-h` prints the doc comments of the options that it does not hide; `--help` has a text of its own.
/// Translates the regions between `#pragma scop` and `#pragma endscop` of C files into CUDA
#[derive(Debug, Clone, Args)]
#[command(disable_help_flag = true, disable_version_flag = true)]
pub struct Options {
    /// The folder for the output; - is the standard output
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::AnyPath)]
    pub output: Option<PathBuf>,
    /// Take the flags of each file from a compile_commands.json
    #[arg(short = 'p', long = "compile-commands", value_name = "FILE", value_hint = ValueHint::AnyPath)]
    pub compile_commands: Option<PathBuf>,
    /// The language of kernels and launches: cuda or hip
    #[arg(long, value_name = "LANGUAGE", value_enum, hide_possible_values = true)]
    pub target: Option<Language>,
    /// Leave regions in C that cannot be translated
    #[arg(long)]
    pub keep_going: bool,
    /// Also find loops to translate outside marked regions
    #[arg(long)]
    pub autoscop: bool,
    /// Do not prove that the generated loops are correct
    #[arg(long, alias = "no-verify")]
    pub no_proof: bool,
    /// Write the translation even where the proof was given up
    #[arg(long, hide_short_help = true)]
    pub allow_unproved: bool,
    /// Promise that no other thread uses the arrays of a region while it runs
    #[arg(long, hide_short_help = true)]
    pub no_host_threads: bool,
    /// Build the translated program and run it
    #[arg(long)]
    pub run: bool,
    /// Where to run: gpu, cpu, or check (cpu with checks)
    #[arg(long, value_name = "MACHINE", value_enum, hide_possible_values = true)]
    pub on: Option<Machine>,
    /// Add a file to the program (.c, .cpp, .o, .a)
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub with: Vec<OsString>,
    /// Run every region in C and on the device, and compare
    #[arg(long)]
    pub verify: bool,
    /// With --verify, how far floating-point numbers may differ
    #[arg(long, value_name = "X", value_parser = number(), hide_short_help = true)]
    pub tolerance: Option<String>,
    /// With --run: count the memory traffic of a GPU
    #[arg(long)]
    pub profile: bool,
    /// Print which loops can run in parallel, and what is copied
    #[arg(long)]
    pub report: bool,
    /// Keep every document and the generated program in a folder
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub keep: Option<PathBuf>,
    /// Start with this stage; FILE is its document
    #[arg(long, value_name = "STAGE", value_parser = stage(), hide_possible_values = true)]
    pub from: Option<Stage>,
    /// End after this stage, and write its document
    #[arg(long, value_name = "STAGE", value_parser = stage(), hide_possible_values = true)]
    pub to: Option<Stage>,
    /// With --from: where the C file is now
    #[arg(long, value_name = "FILE", hide_short_help = true, value_hint = ValueHint::FilePath)]
    pub source: Option<PathBuf>,
    /// Replace a stage by a command of your own
    #[arg(long, hide_short_help = true, value_name = "STAGE=COMMAND", value_parser = swap())]
    pub stage: Vec<Swap>,
    /// Accept changes that such commands make in other sections
    #[arg(long, hide_short_help = true)]
    pub trust_stage: bool,
    /// A file of wishes (JSON)
    #[arg(long, value_name = "FILE", hide_short_help = true, value_hint = ValueHint::FilePath)]
    pub wishes: Vec<OsString>,
    /// Print the answer to each wish
    #[arg(long, hide_short_help = true)]
    pub wishes_answered: bool,
    /// Explain a message such as E0120
    #[arg(long, value_name = "CODE")]
    pub explain: Option<OsString>,
    /// The form of messages: human, short or json
    #[arg(long, value_name = "FORM", value_enum, hide_possible_values = true)]
    pub message_format: Option<MessageFormat>,
    /// Print a script that completes command lines
    #[arg(long, hide_short_help = true, value_name = "SHELL", value_parser = shell())]
    pub completions: Option<Shell>,
    /// Print c2cuda.h, for code that holds arrays on the device
    #[arg(long, hide_short_help = true)]
    pub header: bool,
    /// Do not list the files that were written
    #[arg(short, long)]
    pub quiet: bool,
    /// Show each command before it runs
    #[arg(short, long)]
    pub verbose: bool,
    /// Print help: this text with -h, all of it with --help
    #[arg(short, long)]
    pub help: bool,
    /// Print the version
    #[arg(short = 'V', long)]
    pub version: bool,
}

/// The language in which kernels are written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum Language {
    /// CUDA C++, for nvcc.
    #[default]
    Cuda,
    /// HIP C++, for hipcc.
    Hip,
}

impl Language {
    /// Returns the end of the name of the file with the kernels.
    pub fn ending(self) -> &'static str {
        match self {
            Self::Cuda => "_gpu.cu",
            Self::Hip => "_gpu.hip",
        }
    }
}

/// Where a program runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Machine {
    /// On the GPU.
    Gpu,
    /// On the CPU.
    Cpu,
    /// On the CPU, with every memory access checked.
    Check,
}

impl Machine {
    /// Returns the name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Gpu => "gpu",
            Self::Cpu => "cpu",
            Self::Check => "check",
        }
    }
}

/// A command that replaces a stage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Swap {
    /// The stage.
    pub stage: Stage,
    /// The command, to be run by the shell.
    pub command: OsString,
}

/// Returns the options as a clap command.
pub fn command() -> Command {
    let command = Options::augment_args(Command::new("c2cuda").no_binary_name(true).args_override_self(true));
    Stage::all().fold(command, |command, stage| command.args(of_stage(stage)))
}

/// Returns the options whose values go to the tool of one stage.
fn of_stage(stage: Stage) -> impl Iterator<Item = Arg> {
    let wishes = stage.wishes().iter().map(|wish| {
        let shown = matches!(wish.name, "tile-sizes" | "memory");
        many(wish.name, wish.value).help(wish.help).hide_short_help(!shown)
    });
    let more =
        many(stage.more(), "ARGUMENTS").help(format!("More arguments for {stage}")).hide_short_help(true);
    wishes.chain([more])
}

fn many(name: &'static str, value: &'static str) -> Arg {
    let parser = ValueParser::from(OsStringValueParser::new());
    let option = Arg::new(name).long(name).action(ArgAction::Append).value_parser(parser);
    match value.strip_prefix("[=") {
        Some(value) => option
            .value_name(value.trim_end_matches(']'))
            .num_args(0..=1)
            .require_equals(true)
            .default_missing_value(""),
        None => option.value_name(value),
    }
}

/// Returns the options whose values go to tools, in the order of the command line. The name is `None` for
/// `--STAGE-options`.
pub fn of_stages(matches: &ArgMatches) -> Vec<(Stage, Option<&'static str>, OsString)> {
    let mut all = Vec::new();
    for stage in Stage::all() {
        let wishes = stage.wishes().iter().map(|wish| (wish.name, Some(wish.name)));
        for (id, option) in wishes.chain([(stage.more(), None)]) {
            let values = matches.get_many::<OsString>(id).into_iter().flatten();
            let indices = matches.indices_of(id).into_iter().flatten();
            all.extend(indices.zip(values).map(|(index, value)| (index, (stage, option, value.clone()))));
        }
    }
    all.sort_by_key(|(index, _)| *index);
    all.into_iter().map(|(_, option)| option).collect()
}

/// Parses options, each of which is one word.
pub fn parse(options: Vec<OsString>) -> Or<ArgMatches> {
    command().try_get_matches_from(options).map_err(|error| misused(&error))
}

/// Returns the options as a structure.
pub fn typed(matches: &ArgMatches) -> Or<Options> {
    Options::from_arg_matches(matches).map_err(|error| misused(&error))
}

/// Rewrites an error of clap in the driver's form.
fn misused(error: &clap::Error) -> Stop {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => text.clone(),
        Some(ContextValue::Strings(texts)) => in_words(texts),
        _ => String::new(),
    };
    let option = text(ContextKind::InvalidArg);
    let name = option.split([' ', '=']).next().unwrap_or_default();
    let source = std::error::Error::source(error);
    Stop::misused(match (error.kind(), source) {
        (ErrorKind::ValueValidation, Some(source)) => source.to_string(),
        (ErrorKind::InvalidUtf8, _) => "the value of an option is not UTF-8 text".to_owned(),
        (ErrorKind::InvalidValue, _) if ["--from", "--to"].contains(&name) => {
            no_stage(OsStr::new(&text(ContextKind::InvalidValue)))
        }
        (ErrorKind::InvalidValue, _) => {
            let (value, known) = (text(ContextKind::InvalidValue), text(ContextKind::ValidValue));
            format!("{name} takes {known}, not '{value}'")
        }
        _ => error.render().to_string().trim().trim_start_matches("error: ").to_owned(),
    })
}

/// `a, b or c`
fn in_words(texts: &[String]) -> String {
    match texts {
        [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
        _ => texts.concat(),
    }
}

/// A message about a wrong value.
#[derive(Debug)]
struct Wrong(String);

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Wrong {}

fn known_stage(name: &OsStr) -> Result<Stage, Wrong> {
    name.to_str().and_then(Stage::named).ok_or_else(|| Wrong(no_stage(name)))
}

fn no_stage(name: &OsStr) -> String {
    format!("there is no stage '{}'; the stages are {}", name.display(), Stage::names())
}

fn stage() -> impl TypedValueParser<Value = Stage> {
    PossibleValuesParser::new(Stage::all().map(Stage::name)).try_map(|name| known_stage(OsStr::new(&name)))
}

fn shell() -> impl TypedValueParser<Value = Shell> {
    PossibleValuesParser::new(["bash", "zsh", "fish"])
        .try_map(|name| Shell::from_str(&name, false).map_err(Wrong))
}

/// `STAGE=COMMAND`
fn swap() -> impl TypedValueParser<Value = Swap> {
    use std::os::unix::ffi::OsStrExt;
    OsStringValueParser::new().try_map(|text| {
        let bytes = text.as_bytes();
        let middle = bytes.iter().position(|&byte| byte == b'=').filter(|middle| middle + 1 < bytes.len());
        let wrong = || Wrong(format!("--stage takes STAGE=COMMAND, not '{}'", text.display()));
        let middle = middle.ok_or_else(wrong)?;
        let stage = known_stage(OsStr::from_bytes(&bytes[..middle]))?;
        Ok::<_, Wrong>(Swap { stage, command: OsStr::from_bytes(&bytes[middle + 1..]).to_owned() })
    })
}

/// A number without a sign, kept as written.
fn number() -> impl TypedValueParser<Value = String> {
    OsStringValueParser::new().try_map(|text| {
        let number = text.to_str().filter(|text| is_number(text)).map(str::to_owned);
        number.ok_or_else(|| Wrong(format!("--tolerance takes a number, not '{}'", text.display())))
    })
}

fn is_number(text: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (text, None),
    };
    let exponent = exponent.map(|exponent| exponent.strip_prefix(['-', '+']).unwrap_or(exponent));
    mantissa.parse::<f64>().is_ok()
        && !mantissa.starts_with(['-', '+'])
        && exponent.is_none_or(digits)
        && mantissa.bytes().any(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_options_are_sound() {
        command().debug_assert();
    }

    #[test]
    fn values_are_what_they_should_be() {
        for (number, right) in [
            ("1e-6", true),
            ("0.5", true),
            (".5", true),
            ("1", true),
            ("-1", false),
            ("inf", false),
            ("1e", false),
            ("x", false),
        ] {
            assert_eq!(is_number(number), right, "{number}");
        }
        let said = |option: &str| parse(vec![option.into()]).map(|_| ()).unwrap_err().words;
        assert_eq!(said("--on=tpu"), ["--on takes gpu, cpu or check, not 'tpu' (see c2cuda --help)"]);
        assert_eq!(
            said("--stage=scheduler"),
            ["--stage takes STAGE=COMMAND, not 'scheduler' (see c2cuda --help)"]
        );
    }

    #[test]
    fn the_order_of_the_line_is_kept() {
        let words = ["--unroll=2", "--scheduler-options=a", "--layout=ring", "--unroll=4"];
        let matches = parse(words.map(OsString::from).to_vec()).unwrap();
        let found: Vec<_> =
            of_stages(&matches).into_iter().map(|(_, option, value)| (option, value)).collect();
        let expected = [(Some("unroll"), "2"), (None, "a"), (Some("layout"), "ring"), (Some("unroll"), "4")];
        assert_eq!(found, expected.map(|(option, value)| (option, OsString::from(value))));
    }
}
