//! A folder in which programs are translated, built and run.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use crate::options::{Choice, arguments, without_algorithm};
use crate::pack;
use crate::process::{Ended, How, limited, run};
use crate::program::Program;
use crate::setting::Language;
use crate::source;
use crate::verdict::{Failure, Kind, Verdict, Work};

mod alone;

const STAGES: [&str; 6] = ["clan-rs", "candl-rs", "scheduler", "gpulocalizer", "cloog-rs", "cudagen"];

/// How long a process may take for each second that it may use.
const WALL_TIME: Duration = Duration::from_secs(20);

/// Where the tools are.
#[derive(Debug, Clone)]
pub struct Tools {
    /// The folder of the six tools.
    pub bin: PathBuf,
    /// `cudasim-cc`
    pub simulator: PathBuf,
    /// The flag with which compilers make code whose accesses `cudasim-cc --coherence` sees.
    pub watched: String,
    /// Where `cudasim-cc` keeps its runtime.
    pub cache: PathBuf,
    /// What any process may use of a processor.
    pub seconds: u32,
}

/// A folder of one worker.
pub struct Workshop<'a> {
    tools: &'a Tools,
    folder: PathBuf,
}

/// A program with its translation, or what became of it before.
enum Translated {
    /// With what the proof of the loop program says against it.
    Ready {
        has_kernels: bool,
        refuted: Option<Failure>,
    },
    Ended(Verdict),
}

impl<'a> Workshop<'a> {
    /// A workshop in a folder that is made for it.
    pub fn new(tools: &'a Tools, folder: PathBuf) -> io::Result<Self> {
        fs::create_dir_all(&folder)?;
        pack::write_support(&folder)?;
        Ok(Self { tools, folder })
    }

    /// Judges programs of different numbers and one language. They are built together.
    pub fn judge(&self, programs: &[Program]) -> io::Result<Vec<Verdict>> {
        let translated =
            programs.iter().map(|program| self.translate(program)).collect::<io::Result<Vec<_>>>()?;
        let ready: Vec<&Program> = programs
            .iter()
            .zip(&translated)
            .filter(|(_, state)| matches!(state, Translated::Ready { .. }))
            .map(|(program, _)| program)
            .collect();
        let together = if ready.is_empty() { None } else { self.build(&ready)? };
        let verdicts = programs.iter().zip(translated).map(|(program, state)| match state {
            Translated::Ended(verdict) => Ok(verdict),
            Translated::Ready { has_kernels, refuted } => {
                let alone = if together.is_some() { self.build(&[program])? } else { None };
                let verdict = match alone {
                    Some(failure) => Verdict::Failed(failure),
                    None => self.execute(program, has_kernels)?,
                };
                Ok(match (verdict, refuted) {
                    (Verdict::Equal(_), Some(failure)) => Verdict::Failed(failure),
                    (verdict, _) => verdict,
                })
            }
        });
        verdicts.collect()
    }

    /// Compiles and runs the original with sanitizers: what they find is a fault of the generator.
    pub fn check_original(&self, programs: &[Program]) -> io::Result<Vec<Verdict>> {
        for program in programs {
            self.write_source(program)?;
        }
        pack::write_originals(&self.folder, &programs.iter().collect::<Vec<_>>())?;
        let (compiler, standard, ending) = compiler(pack::language(&programs.iter().collect::<Vec<_>>()));
        let originals = format!("originals.{ending}");
        let built = self.run(
            self.limited(compiler)
                .args([standard, "-w", "-O1", "-fno-sanitize-recover=all"])
                .args(["-fsanitize=undefined,address,float-divide-by-zero,float-cast-overflow"])
                .args([
                    "-fno-sanitize=vla-bound",
                    "-DONLY_ORIGINALS",
                    &originals,
                    "-x",
                    "c",
                    "packed.c",
                    "-x",
                    "none",
                    "-o",
                    "packed",
                    "-lm",
                ]),
        )?;
        let verdicts = programs.iter().map(|program| {
            if !built.is_success() {
                return Ok(Verdict::Failed(Failure { kind: Kind::NotBuilt, detail: built.stderr.clone() }));
            }
            self.execute(program, false)
        });
        verdicts.collect()
    }

    fn write_source(&self, program: &Program) -> io::Result<()> {
        let undefined = || io::Error::other(format!("program {} is not defined in C", program.number));
        fs::write(self.source(program), source::packed(program).ok_or_else(undefined)?)
    }

    fn source(&self, program: &Program) -> PathBuf {
        self.folder.join(format!("p{}.{}", program.number, program.setting.language.ending()))
    }

    /// Runs the six tools and the proof of the loop program. A program that it refutes is built and run nevertheless:
    /// what is wrong with it should show.
    fn translate(&self, program: &Program) -> io::Result<Translated> {
        self.write_source(program)?;
        let translated = self.translate_file(self.source(program), &program.choices)?;
        let rest = without_algorithm(&program.choices);
        match translated {
            // The algorithm may be one that cannot order the region.
            Translated::Ended(Verdict::Refused(code, _))
                if code == WISH_NOT_MET && rest.len() < program.choices.len() =>
            {
                self.translate_file(self.source(program), &rest)
            }
            translated => Ok(translated),
        }
    }

    fn translate_file(&self, source: PathBuf, choices: &[Choice]) -> io::Result<Translated> {
        let mut input = source;
        let mut has_kernels = true;
        for stage in STAGES {
            let mut command = self.limited(self.tools.bin.join(stage));
            command.arg(&input).args(arguments(choices, stage)).arg("-o");
            if stage == "cudagen" {
                command.arg(&self.folder);
            } else {
                input = self.folder.join(format!("{stage}.json"));
                command.arg(&input);
            }
            let ended = self.run(&mut command)?;
            has_kernels &= !ended.stderr.contains("W0303") && !ended.stderr.contains("W0107");
            if let Some(verdict) = judge_stage(stage, ended) {
                return Ok(Translated::Ended(verdict));
            }
        }
        let mut proof = self.limited(self.tools.bin.join("candl-rs"));
        let ended = self.run(proof.arg("--check").arg(self.folder.join("cloog-rs.json")))?;
        let detail = ended.stderr.clone();
        let refuted = match ended.how {
            How::Status(PROOF_GIVEN_UP) => None,
            _ => judge_stage("candl-rs --check", ended),
        };
        let refuted = match refuted {
            Some(Verdict::Failed(failure)) => Some(failure),
            Some(_) => Some(Failure { kind: Kind::Refuted, detail }),
            None => None,
        };
        Ok(Translated::Ready { has_kernels, refuted })
    }

    /// Builds `packed`, which runs any of the programs.
    fn build(&self, programs: &[&Program]) -> io::Result<Option<Failure>> {
        pack::write(&self.folder, programs)?;
        let flags = ["-w", "-O1", "-ffp-contract=off", "-fno-ivopts", "-c"];
        let (compiler, standard, ending) = compiler(pack::language(programs));
        let watched = &self.tools.watched;
        let commands = [
            self.limited(compiler).arg(standard).args(flags).arg(format!("originals.{ending}")),
            self.limited(compiler)
                .arg(standard)
                .args(flags)
                .arg(watched)
                .arg(format!("translations.{ending}")),
            self.limited("gcc").args(flags).arg(watched).arg("packed.c"),
            // Variables with linkage have the same names in both versions.
            self.limited("objcopy").args(["--keep-global-symbol=originals", "originals.o"]),
            self.limited(&self.tools.simulator)
                .env("CUDASIM_CACHE", &self.tools.cache)
                .args([
                    "--coherence",
                    "-O1",
                    "-w",
                    "packed_gpu.cu",
                    "originals.o",
                    "translations.o",
                    "packed.o",
                ])
                .args(["-o", "packed"]),
        ]
        .map(|command| self.run(command));
        for ended in commands {
            let ended = ended?;
            if !ended.is_success() {
                let kind = if ended.how == How::TooLate {
                    Kind::TooLate("a compiler".into())
                } else {
                    Kind::NotBuilt
                };
                return Ok(Some(Failure { kind, detail: ended.stderr }));
            }
        }
        Ok(None)
    }

    fn execute(&self, program: &Program, has_kernels: bool) -> io::Result<Verdict> {
        let mut command = self.limited(self.folder.join("packed"));
        command.arg(program.number.to_string());
        for (n, m) in &program.runs {
            command.args([n.to_string(), m.to_string()]);
        }
        Ok(judge_run(&self.run(&mut command)?, has_kernels))
    }

    fn run(&self, command: &mut Command) -> io::Result<Ended> {
        run(command.current_dir(&self.folder), &self.folder, WALL_TIME * self.tools.seconds)
    }

    fn limited(&self, program: impl AsRef<OsStr>) -> Command {
        limited(program, self.tools.seconds.into())
    }
}

/// The code of the message that a wish cannot be met.
const WISH_NOT_MET: &str = "E0305";

/// With this status `candl-rs --check` says that it does not know.
const PROOF_GIVEN_UP: i32 = 4;

/// The compiler of a language, how it is told the language's version, and how names of sources end.
fn compiler(language: Language) -> (&'static str, &'static str, &'static str) {
    match language {
        Language::C => ("gcc", "-std=gnu11", language.ending()),
        Language::Cxx => ("g++", "-std=gnu++17", language.ending()),
    }
}

/// What the end of a tool means; `None` if the next one has its turn.
fn judge_stage(stage: &str, ended: Ended) -> Option<Verdict> {
    let failed = |kind| Some(Verdict::Failed(Failure { kind, detail: ended.stderr.clone() }));
    match ended.how {
        How::Status(0) => None,
        How::Status(1) => match code(&ended.stderr) {
            Some((code, message)) => Some(Verdict::Refused(code, message)),
            None => failed(Kind::Crash(stage.into())),
        },
        How::TooLate => failed(Kind::TooLate(stage.into())),
        How::Status(_) | How::Signal(_) => failed(Kind::Crash(stage.into())),
    }
}

/// The code and the text of the first `error[E0120]: …`.
fn code(message: &str) -> Option<(String, String)> {
    let (_, rest) = message.split_once("error[")?;
    let (code, rest) = rest.split_once("]: ")?;
    Some((code.to_owned(), rest.lines().next().unwrap_or_default().to_owned()))
}

fn judge_run(ended: &Ended, has_kernels: bool) -> Verdict {
    let said = format!("{}{}", ended.stdout, ended.stderr);
    let kind = if ended.stdout.contains("differs: ") {
        Kind::Differs
    } else {
        match ended.how {
            How::Status(0) => {
                let left_to_host = !ended.stdout.contains("left to the host: 0\n");
                return Verdict::Equal(work_done(has_kernels, left_to_host));
            }
            How::Status(98) => Kind::Finding(finding(&ended.stderr)),
            How::TooLate => Kind::TooLate("the translated program".into()),
            How::Status(_) | How::Signal(_) => Kind::Died,
        }
    };
    Verdict::Failed(Failure { kind, detail: said })
}

fn work_done(has_kernels: bool, left_to_host: bool) -> Work {
    match (has_kernels, left_to_host) {
        (false, _) => Work::Host,
        (true, false) => Work::Kernels,
        (true, true) => Work::KernelsAtTimes,
    }
}

/// What `cudasim/README.md` calls the first finding.
fn finding(stderr: &str) -> String {
    const KINDS: [&str; 15] = [
        "race",
        "which has no value yet",
        "out of bounds",
        "divergent barrier",
        "divergent warp",
        "bad pointer",
        "write to constant",
        "use after free",
        "wrong free",
        "leak",
        "wrong copy",
        "copy to the host of",
        "failed launch",
        "host memory",
        "stale value",
    ];
    let first = stderr.lines().find(|line| line.starts_with("cudasim: ")).unwrap_or_default();
    KINDS.iter().find(|kind| first.contains(*kind)).unwrap_or(&"another").to_string()
}
