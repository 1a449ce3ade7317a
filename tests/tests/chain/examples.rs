//! Every program of `examples/`: what it prints after translation is, bit for bit, what it prints as plain C.

use std::fs;
use std::path::{Path, PathBuf};

use chain_tests::{Call, Scratch, driver, find_nvcc, gcc, root, tool};

/// One test for each program. `runs` are the macros that it is compiled with and, after them, the arguments of each run,
/// with `/` between; among them are sizes that fit tiles and sizes that do not. `checked` is the same at a size
/// that the checking simulator manages quickly.
macro_rules! examples {
    ($($name:ident: runs $runs:expr, checked $checked:expr;)*) => {
        $(#[test]
        fn $name() {
            Example { name: stringify!($name), scratch: Scratch::new(stringify!($name)) }.test(&$runs, $checked);
        })*

        #[test]
        fn none_is_left_out() {
            let tested = [$(concat!(stringify!($name), ".c")),*];
            let names = chain_tests::names_in(&root().join("examples"));
            let missing: Vec<_> = names.iter().filter(|name| name.ends_with(".c") && !tested.contains(&name.as_str())).collect();
            assert!(missing.is_empty(), "examples without a row in the table: {missing:?}");
        }
    };
}

examples! {
    matmul: runs [("", "45 37 29 / 64 96 32 / 1 1 1 / 0 0 0 / 33 0 5 / 5 7 0")], checked ("", "19 35 7");
    tmv: runs [("-DN=75", ""), ("-DN=128", ""), ("-DN=1", "")], checked ("-DN=37", "");
    covariance: runs [("", "45 37 / 64 64 / 1 1 / 0 0 / 0 5 / 5 0")], checked ("", "11 19");
    lu: runs [("", "45 / 64 / 2 / 1 / 0")], checked ("", "19");
    stencil: runs [("", "77 / 128 / 1 / 0")], checked ("", "37");
    seidel2d: runs [("-DN=45 -DSTEPS=7", ""), ("-DN=66 -DSTEPS=4", ""), ("-DN=3 -DSTEPS=1", "")],
        checked ("-DN=19 -DSTEPS=3", "");
    jacobi2d: runs [("", "75 5 / 66 4 / 3 1 / 1 1 / 0 0 / 20 0")], checked ("", "35 2");
    heat3d: runs [("", "19 3 / 34 2 / 3 1 / 1 1 / 0 0")], checked ("", "11 2");
    fdtd2d: runs [("", "45 37 5 / 64 64 4 / 1 1 1 / 0 0 0 / 1 9 3 / 9 1 3")], checked ("", "19 35 2");
    nbody: runs [("", "77 / 128 / 1 / 0")], checked ("", "37");
    cp: runs [("", "2 / 1 / 0"), ("-DVOLX=45 -DVOLY=37 -DNATOMS=29", "3"), ("-DVOLX=1 -DVOLY=1 -DNATOMS=1", "1")],
        checked ("-DVOLX=35 -DVOLY=5 -DNATOMS=7", "2");
}

/// A program, and the folder in which it is translated and built.
struct Example {
    name: &'static str,
    scratch: Scratch,
}

/// The macros of a translation, and the arguments of the runs of what is built from it.
type Runs = (&'static str, &'static str);

impl Example {
    fn test(&self, runs: &[Runs], checked: Runs) {
        for (number, &(macros, arguments)) in runs.iter().enumerate() {
            let build = self.translate(&number.to_string(), macros);
            if number == 0 {
                build.check_kernels();
                build.check_schedule();
                build.check_with_nvcc();
            }
            build.compare(arguments, &[]);
            if macros == checked.0 {
                build.compare(checked.1, &["--check"]);
            }
        }
        if runs.iter().all(|(macros, _)| *macros != checked.0) {
            self.translate("checked", checked.0).compare(checked.1, &["--check"]);
        }
    }

    fn translate(&self, folder: &str, macros: &'static str) -> Build {
        let source = format!("examples/{}.c", self.name);
        let macros: Vec<&str> = macros.split_whitespace().collect();
        let folder = self.scratch.at(folder);
        let call = driver().args(&macros).args(["-q", "--keep"]).arg(&folder).arg("-o").arg(&folder);
        call.arg(&source).run().succeeded();
        let build = Build { name: self.name, source, macros, folder };
        build.check_host();
        build
    }
}

/// A translated program.
struct Build {
    name: &'static str,
    source: String,
    macros: Vec<&'static str>,
    folder: PathBuf,
}

impl Build {
    fn file(&self, ending: &str) -> PathBuf {
        self.folder.join(format!("{}{ending}", self.name))
    }

    /// candl-rs finds no dependence that the final order breaks.
    fn check_schedule(&self) {
        tool("candl-rs").arg("--check").arg(self.folder.join("4-gpulocalizer.json")).run().succeeded();
    }

    /// A translation that leaves everything to the CPU would compute the right result as well; at a size of 1 it may.
    fn check_kernels(&self) {
        let kernels = fs::read_to_string(self.file("_gpu.cu")).unwrap();
        assert!(kernels.contains("__global__"), "{} has no kernel:\n{kernels}", self.name);
    }

    /// The host part is the source with a call in place of each region, and C that no compiler complains about.
    fn check_host(&self) {
        let source = fs::read_to_string(root().join(&self.source)).unwrap();
        let host = fs::read_to_string(self.file("_host.c")).unwrap();
        let (before, rest) = source.split_once("#pragma scop").expect("the example marks its region");
        let (_, after) = rest.split_once("#pragma endscop").expect("the region has an end");
        assert!(host.contains(before), "text before the region changed:\n{host}");
        assert!(host.ends_with(after), "text after the region changed:\n{host}");
        assert!(
            host.contains(&format!("#include \"{}_gpu.h\"\n", self.name)),
            "the header is not included:\n{host}"
        );
        gcc()
            .args([
                "-Wall",
                "-Wextra",
                "-Werror",
                "-Wno-unknown-pragmas",
                "-Wno-unused-variable",
                "-Wno-unused-variable",
                "-c",
                "-o",
                "/dev/null",
            ])
            .args(&self.macros)
            .arg(self.file("_host.c"))
            .run()
            .succeeded();
        self.compile_strict_host(&host);
    }

    /// Where the GPU cannot do the work of a region, the host part does it as ever. Here that is a failure.
    fn compile_strict_host(&self, host: &str) {
        let mut parts = host.split("if (!");
        let first = parts.next().unwrap_or_default().to_owned();
        let strict = parts.fold(first, |text, part| {
            let is_call = part.split('(').next().is_some_and(|name| name.contains("_scop"));
            text + "if (!"
                + &if is_call { part.replacen('{', "{ __builtin_trap();", 1) } else { part.to_owned() }
        });
        fs::write(self.file("_strict.c"), strict).unwrap();
        let call = gcc().args(&self.macros).arg("-c").arg(self.file("_strict.c"));
        call.arg("-o").arg(self.file("_host.o")).run().succeeded();
    }

    fn check_with_nvcc(&self) {
        let Some(nvcc) = find_nvcc() else {
            eprintln!("nvcc is not installed: {} was not compiled with it", self.name);
            return;
        };
        let flags = ["-O2", "-arch=sm_90", "-Werror", "all-warnings", "-c", "-o", "/dev/null"];
        Call::new(nvcc).args(flags).arg(self.file("_gpu.cu")).run().succeeded();
    }

    /// Builds it for the simulator and compares what it prints with what the plain program prints.
    fn compare(&self, runs: &str, simulator_flags: &[&str]) {
        let (original, translated) = (self.file(".plain"), self.file(".translated"));
        self.build_original(&original);
        Call::new(root().join("cudasim/cudasim-cc"))
            .with("CUDASIM_CACHE", root().join("target/cudasim"))
            .args(simulator_flags)
            .args([self.file("_gpu.cu"), self.file("_host.o"), "-o".into(), translated.clone()])
            .run()
            .succeeded();
        for arguments in runs.split('/').map(str::split_whitespace) {
            let expected = Call::new(&original).args(arguments.clone()).run().succeeded();
            let actual = Call::new(&translated).args(arguments).run().succeeded();
            assert_eq!(actual.stdout, expected.stdout, "{} {:?} differs from C", actual.shown, self.macros);
            assert_eq!(actual.stderr, "", "{} {:?}", actual.shown, self.macros);
        }
    }

    fn build_original(&self, executable: &Path) {
        if !executable.exists() {
            gcc().args(&self.macros).arg(&self.source).arg("-o").arg(executable).arg("-lm").run().succeeded();
        }
    }
}
