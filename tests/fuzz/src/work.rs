//! The work: programs are taken in packs by several threads.

use std::fs;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use crate::command_line::Arguments;
use crate::generate::generate;
use crate::options::for_driver;
use crate::pack::PACK;
use crate::program::Program;
use crate::report;
use crate::residency;
use crate::sample::Sample;
use crate::setting::Language;
use crate::summary::Summary;
use crate::verdict::{Failure, Kind, Verdict};
use crate::workshop::{Tools, Workshop};

/// Prints one program.
pub fn print(arguments: &Arguments, number: u64) -> io::Result<bool> {
    let language = arguments.lang.of(number);
    if arguments.is_residency(number) {
        show(&residency::draw(arguments.seed, number, language));
    } else {
        show(&generate(arguments.seed, number, language));
    }
    Ok(true)
}

fn show(program: &impl Sample) {
    println!("/* options: {}*/", for_driver(program.choices()));
    println!("/* n and m: {:?} */", program.runs());
    print!("{}", program.text());
}

/// Judges all programs; true if none failed.
pub fn work(arguments: &Arguments) -> io::Result<bool> {
    let (first, count) = arguments.only.map_or((arguments.first, arguments.count), |only| (only, 1));
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let crew = Crew {
        arguments,
        tools: tools(arguments)?,
        scratch: std::env::temp_dir().join(format!("fuzz-{}", std::process::id())),
        next: AtomicU64::new(first),
        end: first + count,
        started: Instant::now(),
        summary: Mutex::new(Summary::default()),
    };
    let outcome = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..arguments.jobs.unwrap_or(processors).max(1))
            .map(|worker| {
                scope.spawn({
                    let crew = &crew;
                    move || crew.work(worker)
                })
            })
            .collect();
        let ended = workers
            .into_iter()
            .map(|worker| worker.join().unwrap_or_else(|_| Err(io::Error::other("a worker panicked"))));
        ended.collect::<Vec<io::Result<()>>>().into_iter().collect::<io::Result<()>>()
    });
    let _ = fs::remove_dir_all(&crew.scratch);
    outcome?;
    let summary = crew.summary.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    if io::stderr().is_terminal() {
        eprintln!();
    }
    println!("{summary}");
    Ok(summary.failed() == 0)
}

/// The tools of this checkout.
fn tools(arguments: &Arguments) -> io::Result<Tools> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize()?;
    let bin = std::env::var_os("C2CUDA_BIN").map_or_else(|| root.join("target/release"), PathBuf::from);
    Ok(Tools {
        bin: bin.canonicalize()?,
        simulator: root.join("cudasim/cudasim-cc"),
        watched: format!("@{}", root.join("cudasim/host-flags").display()),
        cache: root.join("target/cudasim"),
        seconds: arguments.limit,
    })
}

/// What the workers share.
struct Crew<'a> {
    arguments: &'a Arguments,
    tools: Tools,
    scratch: PathBuf,
    next: AtomicU64,
    end: u64,
    started: Instant,
    summary: Mutex<Summary>,
}

impl Crew<'_> {
    /// Takes packs until none is left.
    fn work(&self, worker: usize) -> io::Result<()> {
        loop {
            let first = self.next.fetch_add(PACK, Ordering::Relaxed);
            if first >= self.end {
                return Ok(());
            }
            let folder = self.scratch.join(format!("{worker}-{first}"));
            self.judge(&folder, first..self.end.min(first + PACK))?;
            fs::remove_dir_all(&folder)?;
        }
    }

    fn judge(&self, folder: &Path, numbers: std::ops::Range<u64>) -> io::Result<()> {
        let language = |number| self.arguments.lang.of(number);
        for wanted in [Language::C, Language::Cxx] {
            let own = numbers.clone().filter(|number| language(*number) == wanted);
            let (whole, others): (Vec<u64>, Vec<u64>) =
                own.partition(|number| self.arguments.is_residency(*number));
            let seed = self.arguments.seed;
            let others = others.into_iter().map(|number| generate(seed, number, wanted)).collect();
            self.judge_pack::<Program>(folder, others)?;
            let whole = whole.into_iter().map(|number| residency::draw(seed, number, wanted)).collect();
            self.judge_pack::<residency::Program>(folder, whole)?;
        }
        Ok(())
    }

    fn judge_pack<S: Sample>(&self, folder: &Path, programs: Vec<S>) -> io::Result<()> {
        if programs.is_empty() {
            return Ok(());
        }
        let workshop = Workshop::new(&self.tools, folder.join("pack"))?;
        let verdicts = if self.arguments.check_originals {
            S::check_originals(&workshop, &programs)?
        } else {
            S::judge(&workshop, &programs)?
        };
        for (program, verdict) in programs.into_iter().zip(verdicts) {
            let number = program.number();
            if let Verdict::Failed(failure) = &verdict {
                self.examine(folder, program, failure)?;
            }
            if let (true, Verdict::Refused(code, first)) = (self.arguments.refused, &verdict) {
                self.say(&format!("program {number}: {code}: {first}"));
            }
            self.count(&verdict);
        }
        Ok(())
    }

    /// Makes a failing program smaller, and keeps it.
    fn examine<S: Sample>(&self, folder: &Path, program: S, failure: &Failure) -> io::Result<()> {
        let workshop = Workshop::new(&self.tools, folder.join("small"))?;
        let mut seen = failure.clone();
        let smallest = if self.arguments.check_originals {
            program.clone()
        } else {
            // Each attempt at one that takes too long may take as long.
            let slow = matches!(failure.kind, Kind::TooLate(_));
            let attempts = self.arguments.attempts / if slow { 10 } else { 1 };
            program.clone().shrink(attempts, |candidate| {
                let verdict = S::judge(&workshop, std::slice::from_ref(candidate)).map(|mut all| all.pop());
                match verdict {
                    Ok(Some(Verdict::Failed(new))) if new.kind == failure.kind => {
                        seen = new;
                        true
                    }
                    _ => false,
                }
            })
        };
        let kept = report::keep(&self.arguments.keep, self.arguments.seed, &program, &smallest, &seen)?;
        self.say(&format!("program {}: {}: {}", program.number(), failure.kind, kept.display()));
        Ok(())
    }

    fn count(&self, verdict: &Verdict) {
        let mut summary = self.summary.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        summary.add(verdict);
        let (programs, refused, failed) = (summary.programs(), summary.refused(), summary.failed());
        let seconds = self.started.elapsed().as_secs();
        let progress = format!("{programs} programs, {refused} refused, {failed} failed, {seconds} s");
        if io::stderr().is_terminal() {
            eprint!("\r{progress} ");
        } else if programs % 500 == 0 {
            eprintln!("{progress}");
        }
    }

    fn say(&self, line: &str) {
        if io::stderr().is_terminal() {
            eprintln!();
        }
        println!("{line}");
    }
}
