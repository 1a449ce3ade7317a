//! The options of the command line, and the arguments that the tools get from them.

use super::*;

#[test]
fn report_names_the_flags_and_folders_of_the_user() {
    let stage = Stage::new("report");
    let outcome = stage.run(&["-DN=5", "-O3", "-lm", "-o", "out put", "file.c"]).succeeded();
    assert_eq!(stage.names("out put"), OUTPUTS);
    let build = "build:\n  gcc -O2 -iquote . -DN=5 -O3 -c 'out put/file_host.c' -o file.o\n  \
                 nvcc -O2 -arch=native -fmad=false 'out put/file_gpu.cu' file.o -lm -o file\n";
    assert!(outcome.stdout.ends_with(build), "{}", outcome.stdout);
    assert_eq!(stage.run(&["-q", "file.c"]).succeeded().stdout, "");
    let outcome = stage.run(&["--target", "hip", "-fopenmp", "-o", "out", "file.c"]).succeeded();
    assert_eq!(stage.names("out"), ["file_gpu.h", "file_gpu.hip", "file_host.c"]);
    let build =
        "hipcc -O2 --offload-arch=native -ffp-contract=off -fopenmp out/file_gpu.hip file.o -o file\n";
    assert!(outcome.stdout.ends_with(build), "{}", outcome.stdout);
}

#[test]
fn tools_get_the_options_that_concern_them() {
    let stage = Stage::new("options");
    let table: [(&[&str], &str); 18] = [
        (&["-D", "N=5", "-I", "a b", "-UX"], "clan-rs: -DN=5 -Ia b -UX file.c -o "),
        (
            &["-std=gnu99", "-Wall", "-O2", "-lm", "-fopenmp"],
            "clan-rs: --compiler=gcc -Wall -O2 -fopenmp -std=gnu99 -fopenmp file.c -o ",
        ),
        (&["--autoscop", "-DN=5"], "clan-rs: --keep-going --autoscop -DN=5 file.c -o "),
        (&["--scheduler-options", "--tile-sizes 16,16"], "scheduler: --tile-sizes 16,16 /"),
        (&["--cudagen-options='a b' c"], "cudagen: a b c -o "),
        (&["--cloog-rs-options=a", "--cloog-rs-options=b"], "cloog-rs: a b /"),
        (&["--clan-rs-options=--x"], "clan-rs: --x file.c -o "),
        (&["-v"], "/gpulocalizer "),
        (&["--no-verify"], "clan-rs: --no-verify file.c -o "),
        (&["--no-verify"], "cudagen: --no-verify -o "),
        (&["--scheduler-options", ""], "scheduler: /"),
        (&["--scheduler-options="], "scheduler: /"),
        (&["-isystem", "a", "-iquoteb"], "clan-rs: -isystem a -iquote b file.c -o "),
        (&["-include", "a.h", "-idirafter", "b"], "clan-rs: -include a.h -idirafter b file.c -o "),
        (&["--std=c99", "--sysroot=/r"], "clan-rs: --std=c99 --sysroot=/r file.c -o "),
        (&["--sysroot", "/r", "-ansi"], "clan-rs: --sysroot=/r -ansi file.c -o "),
        (&["--keep-going"], "gpulocalizer: --keep-going /"),
        (&["--keep-going"], "cudagen: --keep-going -o "),
    ];
    for (arguments, said) in table {
        let outcome = stage.run(&[arguments, &["file.c"]].concat()).succeeded();
        let commands = outcome.stderr.replace("--compiler=gcc -", "-").replace("--compiler=gcc file", "file");
        assert!(
            outcome.stderr.contains(said) || commands.contains(said),
            "{} says\n{}",
            outcome.shown,
            outcome.stderr
        );
    }
}

/// What is simulated runs on the device, unless the environment says something else.
#[test]
fn the_environment_says_where_regions_run() {
    let stage = Stage::new("offload");
    let scheduler = |value: &str, arguments: &[&str]| {
        let said = stage.driver(arguments).with("C2CUDA_OFFLOAD", value).run().stderr;
        let line = said.lines().find(|line| line.starts_with("scheduler:")).map(str::to_owned);
        line.unwrap_or_else(|| panic!("{said}"))
    };
    let simulated = ["--run", "--on", "check", "file.c"];
    for (value, arguments, expected) in [
        ("", &simulated[..], "scheduler: --offload=always /"),
        ("auto", &simulated, "scheduler: /"),
        ("", &["file.c"], "scheduler: /"),
        ("never", &["file.c"], "scheduler: --offload=never /"),
        ("always", &["--offload", "never", "file.c"], "scheduler: --offload=always --offload=never /"),
    ] {
        let line = scheduler(value, arguments);
        assert!(line.starts_with(expected), "{value} {arguments:?}: {line}");
    }
}

#[test]
fn wrong_usage_is_told_apart() {
    let stage = Stage::new("usage");
    let table: [(&[&str], &str); 48] = [
        (&["/dev/null"], "'/dev/null' is not a regular file: the C file is read more than once"),
        (&[], "which file?"),
        (&["--kep", "file.c"], "unknown option '--kep'; did you mean --keep?"),
        (&["-keep", "file.c"], "unknown option '-keep'; did you mean --keep?"),
        (&["-Z", "file.c"], "unknown option '-Z'"),
        (&["-c", "file.c"], "c2cuda translates but does not compile: leave out -c"),
        (&["file.c", "-o"], "-o needs a value"),
        (&["file.c", "--keep"], "--keep needs a value"),
        (&["file.c", "--keep="], "--keep needs a value"),
        (&["-o", "file.cu", "file.c"], "-o takes a folder"),
        (&["--to", "scheduler", "-o", "./file.c", "file.c"], "would overwrite the source"),
        (&["--from", "clan", "file.c"], "there is no stage 'clan'; the stages are clan-rs candl-rs"),
        (&["--from", "cudagen", "--to", "candl-rs", "file.c"], "--from cudagen comes after --to candl-rs"),
        (&["file.json"], "'file.json' looks like a document: --from STAGE says which stage reads it"),
        (&["-"], "the C file cannot come from the standard input"),
        (&["file.c", "--", "5"], "arguments after -- go to the program, which only --run runs"),
        (&["--on", "cpu", "file.c"], "--on says where to run: it needs --run"),
        (&["--run", "--on", "tpu", "file.c"], "--on takes gpu, cpu or check, not 'tpu'"),
        (&["--profile", "file.c"], "--profile counts while the program runs: it needs --run"),
        (&["--run", "--profile", "--on", "gpu", "file.c"], "it cannot be combined with --on gpu"),
        (&["--with", "x.c", "file.c"], "it needs --run"),
        (&["--run", "--to", "scheduler", "file.c"], "--run needs the whole chain"),
        (&["--run", "--target", "hip", "file.c"], "--run builds CUDA"),
        (&["--to", "scheduler", "--target", "hip", "file.c"], "stage cudagen does not run"),
        (&["--stage", "scheduler", "file.c"], "--stage takes STAGE=COMMAND, not 'scheduler'"),
        (&["--stage", "foo=cat", "file.c"], "there is no stage 'foo'"),
        (&["--to", "candl-rs", "--stage", "scheduler=cat", "file.c"], "stage scheduler does not run"),
        (&["--scheduler-options", "'a", "file.c"], "--scheduler-options has an unclosed quote"),
        (&["--from", "candl-rs", "--autoscop", "file.json"], "--autoscop is for clan-rs, which does not run"),
        (&["-funsigned-char", "file.c"], "-funsigned-char changes types"),
        (&["-fwrapv", "file.c"], "-fwrapv defines what signed overflow does"),
        (&["-fno-signed-char", "file.c"], "-fno-signed-char changes types"),
        (&["-fshort-wchar", "file.c"], "-fshort-wchar changes types"),
        (&["-mms-bitfields", "file.c"], "-mms-bitfields changes types"),
        (&["-fsso-struct=big-endian", "file.c"], "-fsso-struct=big-endian changes types"),
        (&["-fsingle-precision-constant", "file.c"], "changes the results of floating-point computations"),
        (&["-fexec-charset=IBM1047", "file.c"], "-fexec-charset=IBM1047 changes how characters are encoded"),
        (&["-fno-strict-aliasing", "file.c"], "lets objects of different types share memory"),
        (&["-fnot-known", "file.c"], "-fnot-known is not known to leave the meaning"),
        (&["-mnot-known", "file.c"], "-mnot-known is not known to leave the meaning"),
        (&["-Wp,-DK=3,-MD,x", "file.c"], "-Wp,-DK=3,-MD,x hides -MD from c2cuda"),
        (&["-isystem"], "-isystem needs a value"),
        (&["-MF", "x.d", "file.c"], "-MF, -MT and -MQ need -MD or -MMD"),
        (&["-MD", "--run", "file.c"], "-MD writes a rule for the generated files: it needs -o here"),
        (&["-MD", "--to", "candl-rs", "file.c"], "it needs -o here"),
        (&["-MD", "--from", "candl-rs", "file.json"], "-MD is for clan-rs, which does not run"),
        (&["-M", "file.c"], "leave out -M"),
        (&["--from", "candl-rs", "-DN=5", "file.json"], "-DN=5 is for clan-rs, which does not run"),
    ];
    for (arguments, said) in table {
        let outcome = stage.run(arguments).ended_with(2);
        assert!(outcome.stderr.starts_with("c2cuda: "), "{}", outcome.stderr);
        assert!(outcome.stderr.contains(said), "{} says {}", outcome.shown, outcome.stderr);
        assert_eq!(outcome.stdout, "");
        assert_eq!(stage.names(""), ["file.c"]);
    }
}

#[test]
fn help_and_version_go_to_the_standard_output() {
    let stage = Stage::new("help");
    for (option, said) in
        [("--help", "Usage: c2cuda"), ("-h", "Usage: c2cuda"), ("--version", "c2cuda 0.1.0\n")]
    {
        let outcome = stage.run(&[option]).succeeded();
        assert!(outcome.stdout.contains(said), "{}", outcome.stdout);
        assert_eq!(outcome.stderr, "");
    }
}

/// The completions contain all options.
#[test]
fn help_names_every_option_and_stage() {
    let stage = Stage::new("help");
    let help = stage.run(&["--help"]).succeeded().stdout;
    let script = stage.run(&["--completions", "bash"]).succeeded().stdout;
    let options: Vec<&str> = script
        .lines()
        .filter_map(|line| line.trim_start().strip_prefix("opts=\""))
        .flat_map(|line| line.split(['"', ' ']))
        .filter(|word| word.starts_with("--") && !word.ends_with("-options"))
        .collect();
    assert!(options.len() > 30, "the options are listed in the completions: {options:?}");
    for word in options.into_iter().chain(STAGES) {
        assert!(help.contains(word), "--help does not name {word}");
    }
}

/// `CC` may contain flags, and those of the user's flags that the linker needs are in both commands.
#[test]
fn compilers_may_be_called_with_flags() {
    let stage = Stage::new("compilers");
    let call = stage.driver(&["-fopenmp", "-O3", "file.c"]).with("CC", "gcc -m64 -DX='a b' -std=gnu11");
    let outcome = call.run().succeeded();
    let build = "build:\n  gcc -m64 '-DX=a b' -std=gnu11 -O2 -fopenmp -O3 -c file_host.c -o file.o\n  \
                 nvcc -O2 -arch=native -fmad=false -Xcompiler=-m64 -Xcompiler=-fopenmp file_gpu.cu file.o -o file\n";
    assert!(outcome.stdout.ends_with(build), "{}", outcome.stdout);
    let said = "clan-rs: --compiler=gcc -m64 '-DX=a b' -std=gnu11 -fopenmp -O3 -DX=a b -std=gnu11 -fopenmp file.c -o ";
    assert!(outcome.stderr.contains(said), "{}", outcome.stderr);
    let call =
        stage.driver(&["-Wp,-DL=1,-UM", "file.c"]).with("CC", "ccache gcc -D K=4 -include k.h -Wp,-DN");
    let outcome = call.run().succeeded();
    let said = " -DK=4 -include k.h -DN -DL=1 -UM file.c -o ";
    assert!(outcome.stderr.contains(said), "{}", outcome.stderr);
    for (compiler, words) in [
        ("gcc 'x", "CC has an unclosed quote: gcc 'x"),
        ("gcc -m32", "in CC: -m32 changes types"),
        ("gcc -fnot-known", "in CC: -fnot-known is not known to leave the meaning"),
        ("gcc -nostdinc", "in CC: unknown option '-nostdinc'"),
        ("gcc -o x", "in CC: -o cannot be part of the name of a compiler"),
    ] {
        let outcome = stage.driver(&["file.c"]).with("CC", compiler).run().ended_with(2);
        assert!(outcome.stderr.contains(words), "{}", outcome.stderr);
    }
}

/// Flags that make code faster, smaller, safer or easier to debug are accepted, whether they turn something on or
/// off.
#[test]
fn flags_that_keep_the_meaning_are_taken() {
    let stage = Stage::new("harmless");
    let flags = "-Ofast -ffast-math -fno-tree-vectorize -funroll-loops -fno-inline -flto=auto -fPIC -fno-common -g3 -ggdb \
                 -fstack-protector-strong -fcf-protection -fno-plt -fsanitize=undefined -fno-omit-frame-pointer -Wa,-q -Wno-all \
                 -march=native -mtune=native -mavx2 -mno-avx512f -mfma -msse4.2 -mcmodel=large -mprefer-vector-width=512 \
                 -fdiagnostics-color=always -ffile-prefix-map=a=b -fvisibility=hidden -fsigned-char -fstrict-aliasing \
                 -fno-wrapv -fexec-charset=utf-8 -pthread -pipe";
    let flags: Vec<&str> = flags.split_whitespace().chain(["file.c"]).collect();
    let outcome = stage.run(&flags).succeeded();
    let built = outcome.stdout.lines().find(|line| line.contains("-c file_host.c")).unwrap_or_default();
    for flag in &flags[..flags.len() - 1] {
        assert!(built.contains(flag), "{flag}: {built}");
    }
}

/// A full disk is reported; a reader that has closed the pipe is not.
#[test]
fn what_is_printed_arrives_or_is_missed() {
    let stage = Stage::new("printed");
    let driver = root().join("scripts/c2cuda").display().to_string();
    for arguments in ["--version", "--help", "-o out file.c"] {
        let full = stage.shell(&format!("{driver} {arguments} >/dev/full")).run().ended_with(1);
        let words = "c2cuda: the standard output could not be written\n";
        assert_eq!(own_words(&full.stderr), words, "{arguments}: {}", full.stderr);
        let closed = stage.shell(&format!("{driver} {arguments} | true; exit ${{PIPESTATUS[0]}}")).run();
        assert_eq!((closed.status, own_words(&closed.stderr).as_str()), (0, ""), "{arguments}");
    }
    for tool in STAGES {
        let tool = chain_tests::tools_folder().join(tool);
        for arguments in ["--version", "--help", "--explain E0120"] {
            let command = format!("{} {arguments}", tool.display());
            let full = stage.shell(&format!("{command} >/dev/full")).run().ended_with(1);
            let words = "error[E0009]: cannot write <stdout>: no space left on device\n";
            assert_eq!(full.stderr, words, "{command}");
            let closed = stage.shell(&format!("{command} | true; exit ${{PIPESTATUS[0]}}")).run();
            assert_eq!((closed.status, closed.stderr.as_str()), (0, ""), "{command}");
        }
    }
}

#[test]
fn without_the_tools_of_the_system_it_says_so() {
    let stage = Stage::new("bare");
    let call = Call::new("/bin/bash").arg(root().join("scripts/c2cuda")).arg("file.c");
    let outcome = call.within(stage.scratch.path()).with("PATH", "/nowhere").run().ended_with(1);
    assert!(outcome.stderr.contains("PATH (/nowhere) has no readlink"), "{}", outcome.stderr);
}
