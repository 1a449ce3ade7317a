//! Whole programs: each is translated, built and run by itself, and what it prints is compared.

use std::fmt::Write;
use std::fs;
use std::io;

use crate::pack;
use crate::process::{Ended, How};
use crate::residency::{self, Program};
use crate::verdict::{Failure, Kind, Verdict};

use super::{Translated, Workshop, compiler, judge_run};

const FLAGS: [&str; 4] = ["-w", "-O1", "-ffp-contract=off", "-fno-ivopts"];

impl Workshop<'_> {
    /// Judges a whole program.
    pub fn judge_alone(&self, program: &Program) -> io::Result<Verdict> {
        let name = self.write_whole(program)?;
        let (has_kernels, refuted) = match self.translate_file(self.folder.join(name), &program.choices)? {
            Translated::Ended(verdict) => return Ok(verdict),
            // One region on the host is no reason to say that there are no kernels.
            Translated::Ready { refuted, .. } => (self.has_kernels(program)?, refuted),
        };
        if let Some(failure) = self.build_both(program)? {
            return Ok(Verdict::Failed(failure));
        }
        let verdict = self.compare_runs(program, has_kernels)?;
        Ok(match (verdict, refuted) {
            (Verdict::Equal(_), Some(failure)) => Verdict::Failed(failure),
            (verdict, _) => verdict,
        })
    }

    /// Runs a whole program with sanitizers: what they find is a fault of the generator. Memory may be left allocated.
    pub fn check_original_alone(&self, program: &Program) -> io::Result<Verdict> {
        let name = self.write_whole(program)?;
        let (compiler, standard, _) = compiler(program.language);
        let built = self.run(
            self.limited(compiler)
                .args([standard, "-w", "-O1", "-fno-sanitize-recover=all"])
                .args(["-fsanitize=undefined,address,float-divide-by-zero,float-cast-overflow"])
                .args(["-fsanitize-address-use-after-scope", &name, "-o", "original"]),
        )?;
        if !built.is_success() {
            return Ok(not_built(&built));
        }
        for (n, m) in &program.runs {
            let ended = self.run_alone("original", *n, *m)?;
            if !ended.is_success() {
                return Ok(judge_run(&ended, false));
            }
        }
        Ok(Verdict::Equal(crate::verdict::Work::Host))
    }

    fn write_whole(&self, program: &Program) -> io::Result<String> {
        let name = whole_name(program);
        fs::write(self.folder.join(&name), residency::text(program))?;
        Ok(name)
    }

    fn has_kernels(&self, program: &Program) -> io::Result<bool> {
        let kernels = fs::read_to_string(self.folder.join(format!("whole{}_gpu.cu", program.number)))?;
        Ok(kernels.contains("__global__"))
    }

    /// Builds `original` and `translated`.
    fn build_both(&self, program: &Program) -> io::Result<Option<Failure>> {
        let (number, name) = (program.number, whole_name(program));
        let (compiler, standard, ending) = compiler(program.language);
        let header = fs::read_to_string(self.folder.join(format!("whole{number}_gpu.h")))?;
        let mut host = format!("#include \"counted.h\"\n#include \"whole{number}_gpu.h\"\n");
        for call in pack::calls(&header) {
            let _ = writeln!(host, "#define {call}(...) counted({call}(__VA_ARGS__))");
        }
        let _ = writeln!(host, "#include \"whole{number}_host.{ending}\"");
        let counted = format!("counted.{ending}");
        fs::write(self.folder.join(&counted), host)?;
        let commands = [
            self.limited(compiler).arg(standard).args(FLAGS).args([&name, "-o", "original"]),
            self.limited(compiler).arg(standard).args(FLAGS).arg(&self.tools.watched).args([
                "-c",
                &counted,
                "-o",
                "counted.o",
            ]),
            self.limited(&self.tools.simulator)
                .env("CUDASIM_CACHE", &self.tools.cache)
                .args(["--coherence", "-O1", "-w", &format!("whole{number}_gpu.cu"), "counted.o"])
                .args(["-o", "translated"]),
        ]
        .map(|command| self.run(command));
        for ended in commands {
            let ended = ended?;
            if let Verdict::Failed(failure) = not_built(&ended)
                && !ended.is_success()
            {
                return Ok(Some(failure));
            }
        }
        Ok(None)
    }

    fn compare_runs(&self, program: &Program, has_kernels: bool) -> io::Result<Verdict> {
        let mut left_to_host = false;
        for (n, m) in &program.runs {
            let original = self.run_alone("original", *n, *m)?;
            let translated = self.run_alone("translated", *n, *m)?;
            if original.is_success()
                && translated.is_success()
                && let Some(difference) = difference(&original.stdout, &translated.stdout)
            {
                let detail = format!("differs: n = {n}, m = {m}: {difference}\n{}", translated.stderr);
                return Ok(Verdict::Failed(Failure { kind: Kind::Differs, detail }));
            }
            if let verdict @ Verdict::Failed(_) = judge_run(&translated, has_kernels) {
                return Ok(verdict);
            }
            left_to_host |= !translated.stderr.contains("left to the host: 0\n");
        }
        Ok(Verdict::Equal(super::work_done(has_kernels, left_to_host)))
    }

    fn run_alone(&self, program: &str, n: i64, m: i64) -> io::Result<Ended> {
        let mut command = self.limited(self.folder.join(program));
        command.args([n.to_string(), m.to_string()]).env("ASAN_OPTIONS", "detect_leaks=0");
        self.run(&mut command)
    }
}

fn whole_name(program: &Program) -> String {
    format!("whole{}.{}", program.number, program.language.ending())
}

fn not_built(ended: &Ended) -> Verdict {
    let kind = if ended.how == How::TooLate { Kind::TooLate("a compiler".into()) } else { Kind::NotBuilt };
    Verdict::Failed(Failure { kind, detail: ended.stderr.clone() })
}

/// The first line in which two outputs differ.
fn difference(original: &str, translated: &str) -> Option<String> {
    if original == translated {
        return None;
    }
    let (mut expected, mut found) = (original.lines(), translated.lines());
    let mut number = 0;
    loop {
        number += 1;
        let (expected, found) = (expected.next(), found.next());
        if expected != found || expected.is_none() {
            let text = |line: Option<&str>| line.unwrap_or("nothing").to_owned();
            return Some(format!("line {number} is {} instead of {}", text(found), text(expected)));
        }
    }
}
