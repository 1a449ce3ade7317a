//! What `scripts/c2cuda` does around the tools.
//!
//! The tools are `tests/fake/tool` under six names: each adds a line with its name to what it reads.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::time::{Duration, Instant, SystemTime};

use chain_tests::{Call, Outcome, Scratch, driver, names_in, root};

const STAGES: [&str; 6] = ["clan-rs", "candl-rs", "scheduler", "gpulocalizer", "cloog-rs", "cudagen"];
const OUTPUTS: [&str; 3] = ["file_gpu.cu", "file_gpu.h", "file_host.c"];

/// A folder with a C file, the pretended tools beside it and a folder for temporary files.
struct Stage {
    scratch: Scratch,
}

impl Stage {
    fn new(name: &str) -> Self {
        let stage = Self { scratch: Scratch::new(name) };
        for folder in ["bin", "tmp", "here"] {
            fs::create_dir(stage.scratch.at(folder)).unwrap();
        }
        for tool in STAGES {
            symlink(root().join("tests/fake/tool"), stage.scratch.at("bin").join(tool)).unwrap();
        }
        stage.write("file.c", "source\n");
        stage
    }

    fn write(&self, name: &str, text: &str) {
        self.scratch.write(&format!("here/{name}"), text);
    }

    fn read(&self, name: &str) -> String {
        self.scratch.read(&format!("here/{name}"))
    }

    fn names(&self, folder: &str) -> Vec<String> {
        names_in(&self.scratch.at("here").join(folder))
    }

    fn driver(&self, arguments: &[&str]) -> Call {
        driver()
            .args(arguments)
            .within(&self.scratch.at("here"))
            .with("C2CUDA_BIN", self.scratch.at("bin"))
            .with("TMPDIR", self.scratch.at("tmp"))
    }

    fn run(&self, arguments: &[&str]) -> Outcome {
        let outcome = self.driver(arguments).run();
        self.assert_swept();
        outcome
    }

    fn assert_swept(&self) {
        assert_eq!(names_in(&self.scratch.at("tmp")), [""; 0], "temporary files are left");
    }
}

/// The document after the first `count` stages.
fn document(count: usize) -> String {
    format!("source\n{}", STAGES[..count].iter().map(|stage| format!("{stage}\n")).collect::<String>())
}

#[test]
fn all_stages_run_in_order() {
    let stage = Stage::new("order");
    let outcome = stage.run(&["file.c"]).succeeded();
    assert_eq!(stage.names(""), ["file.c", "file_gpu.cu", "file_gpu.h", "file_host.c"]);
    assert_eq!(stage.read("file_gpu.cu"), document(6));
    let report = "wrote:\n  file_gpu.cu\n  file_gpu.h\n  file_host.c\nbuild:\n  \
                  gcc -O2 -c file_host.c -o file.o\n  nvcc -O2 -arch=native -fmad=false file_gpu.cu file.o -o file\n";
    assert_eq!(outcome.stdout, report);
}

#[test]
fn report_names_the_flags_and_folders_of_the_user() {
    let stage = Stage::new("report");
    let outcome = stage.run(&["-DN=5", "-O3", "-lm", "-o", "out put", "file.c"]).succeeded();
    assert_eq!(stage.names("out put"), OUTPUTS);
    let build = "build:\n  gcc -O2 -iquote . -DN=5 -O3 -c 'out put/file_host.c' -o file.o\n  \
                 nvcc -O2 -arch=native -fmad=false 'out put/file_gpu.cu' file.o -lm -o file\n";
    assert!(outcome.stdout.ends_with(build), "{}", outcome.stdout);
    assert_eq!(stage.run(&["-q", "file.c"]).succeeded().stdout, "");
}

#[test]
fn tools_get_the_options_that_concern_them() {
    let stage = Stage::new("options");
    let table: [(&[&str], &str); 10] = [
        (&["-D", "N=5", "-I", "a b", "-UX"], "clan-rs: -DN=5 -Ia b -UX file.c -o "),
        (&["-std=gnu99", "-Wall", "-g", "-O2", "-lm", "-fopenmp"], "clan-rs: -std=gnu99 file.c -o "),
        (&["--autoscop", "-DN=5"], "clan-rs: --autoscop -DN=5 file.c -o "),
        (&["--scheduler-options", "--tile-sizes 16,16"], "scheduler: --tile-sizes 16,16 /"),
        (&["--cudagen-options='a b' c"], "cudagen: a b c -o "),
        (&["--cloog-rs-options=a", "--cloog-rs-options=b"], "cloog-rs: a b /"),
        (&["--clan-rs-options=--x"], "clan-rs: --x file.c -o "),
        (&["-v"], "/gpulocalizer "),
        (&["--no-verify"], "clan-rs: --no-verify file.c -o "),
        (&["--no-verify"], "cudagen: --no-verify -o "),
    ];
    for (arguments, said) in table {
        let outcome = stage.run(&[arguments, &["file.c"]].concat()).succeeded();
        assert!(outcome.stderr.contains(said), "{} says\n{}", outcome.shown, outcome.stderr);
    }
}

#[test]
fn wrong_usage_is_told_apart() {
    let stage = Stage::new("usage");
    let table: [(&[&str], &str); 28] = [
        (&[], "which file?"),
        (&["file.c", "other.c"], "one file at a time: 'file.c' or 'other.c'?"),
        (&["--kep", "file.c"], "unknown option '--kep'; did you mean --keep?"),
        (&["-keep", "file.c"], "unknown option '-keep'; did you mean --keep?"),
        (&["-Z", "file.c"], "unknown option '-Z'"),
        (&["-c", "file.c"], "c2cuda translates and does not compile: leave -c away"),
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
        (&["--run", "--profile", "--on", "gpu", "file.c"], "it does not go with --on gpu"),
        (&["--with", "x.c", "file.c"], "it needs --run"),
        (&["--run", "--to", "scheduler", "file.c"], "--run needs the whole chain"),
        (&["--stage", "scheduler", "file.c"], "--stage takes STAGE=COMMAND, not 'scheduler'"),
        (&["--stage", "foo=cat", "file.c"], "there is no stage 'foo'"),
        (&["--to", "candl-rs", "--stage", "scheduler=cat", "file.c"], "stage scheduler does not run"),
        (&["--scheduler-options", "'a", "file.c"], "--scheduler-options has an unclosed quote"),
        (&["--from", "candl-rs", "--autoscop", "file.json"], "--autoscop is for clan-rs, which does not run"),
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

#[test]
fn help_names_every_option_and_stage() {
    let help = Stage::new("help").run(&["--help"]).succeeded().stdout;
    let script = fs::read_to_string(root().join("scripts/c2cuda")).unwrap();
    let lists = script.lines().filter(|line| line.contains("_options=(--"));
    let options: Vec<&str> =
        lists.flat_map(|line| line.split(['(', ')', ' '])).filter(|word| word.starts_with("--")).collect();
    assert!(options.len() > 8, "the options are listed in the script: {options:?}");
    for word in options.into_iter().filter(|word| !["--help", "--version"].contains(word)).chain(STAGES) {
        assert!(help.contains(word), "--help does not name {word}");
    }
}

#[test]
fn failures_of_a_tool_leave_nothing_behind() {
    let stage = Stage::new("failure");
    let table = [
        ("FAKE_CLAN_RS", "exit 1", 1, ""),
        ("FAKE_SCHEDULER", "exit 2", 2, ""),
        (
            "FAKE_CLOOG_RS",
            "exit 3",
            3,
            "c2cuda: stage cloog-rs failed; --keep DIR keeps the documents for a report\n",
        ),
        (
            "FAKE_GPULOCALIZER",
            "exit 101",
            3,
            "c2cuda: stage gpulocalizer ended with status 101: this is a bug in gpulocalizer\n",
        ),
        (
            "FAKE_CANDL_RS",
            "kill -SEGV $$",
            3,
            "c2cuda: stage candl-rs ended with signal SEGV: this is a bug in candl-rs\n",
        ),
        ("FAKE_CUDAGEN", "echo half >$output/file_host.c; exit 1", 1, ""),
        ("FAKE_CUDAGEN", "exit 0", 3, "c2cuda: stage cudagen wrote no file: this is a bug in cudagen\n"),
    ];
    for (variable, action, status, said) in table {
        let outcome = stage.driver(&["file.c", "-o", "out"]).with(variable, action).run().ended_with(status);
        let own: String =
            outcome.stderr.split_inclusive('\n').filter(|line| line.starts_with("c2cuda:")).collect();
        assert_eq!(own, said, "{variable}={action}");
        assert_eq!(
            (outcome.stdout.as_str(), stage.names("")),
            ("", vec!["file.c".to_owned()]),
            "{variable}={action}"
        );
        stage.assert_swept();
    }
}

#[test]
fn older_output_survives_a_failure() {
    let stage = Stage::new("survive");
    stage.write("file_gpu.cu", "old");
    stage.driver(&["file.c"]).with("FAKE_CUDAGEN", "exit 1").run().ended_with(1);
    assert_eq!(stage.read("file_gpu.cu"), "old");
}

#[test]
fn output_folder_in_the_way_is_refused() {
    let stage = Stage::new("way");
    fs::create_dir(stage.scratch.at("here/file_host.c")).unwrap();
    let outcome = stage.run(&["file.c"]).ended_with(1);
    assert!(outcome.stderr.ends_with("c2cuda: './file_host.c' is in the way\n"), "{}", outcome.stderr);
    assert_eq!(stage.names(""), ["file.c", "file_host.c"]);
    let outcome = stage.run(&["-o", "file.c/out", "file.c"]).ended_with(1);
    assert!(
        outcome.stderr.ends_with("c2cuda: the folder 'file.c/out' cannot be made\n"),
        "{}",
        outcome.stderr
    );
}

#[test]
fn keep_tells_the_whole_story() {
    let stage = Stage::new("keep");
    stage.run(&["--keep", "story", "-o", "out", "file.c"]).succeeded();
    let documents =
        ["1-clan-rs.json", "2-candl-rs.json", "3-scheduler.json", "4-gpulocalizer.json", "5-cloog-rs.json"];
    assert_eq!(stage.names("story"), [&documents[..], &OUTPUTS[..]].concat());
    assert_eq!(stage.names("out"), OUTPUTS);
    for (index, name) in documents.iter().enumerate() {
        assert_eq!(stage.read(&format!("story/{name}")), document(index + 1));
    }
}

#[test]
fn keep_shows_how_far_a_failed_translation_came() {
    let stage = Stage::new("keep-failure");
    stage.run(&["--keep", "story", "file.c"]).succeeded();
    let call = stage.driver(&["--keep", "story", "file.c"]).with("FAKE_SCHEDULER", "exit 1");
    call.run().ended_with(1);
    assert_eq!(stage.names("story"), [&["1-clan-rs.json", "2-candl-rs.json"], &OUTPUTS[..]].concat());
}

#[test]
fn parts_of_the_chain_run() {
    let stage = Stage::new("parts");
    assert_eq!(stage.run(&["--to", "scheduler", "file.c"]).succeeded().stdout, document(3));
    assert_eq!(stage.run(&["--to=clan-rs", "file.c"]).succeeded().stdout, document(1));
    assert_eq!(stage.run(&["--to", "candl-rs", "-o", "two.json", "file.c"]).succeeded().stdout, "");
    assert_eq!(stage.read("two.json"), document(2));
    let part = ["--from", "scheduler", "--to", "cloog-rs", "two.json"];
    assert_eq!(stage.run(&part).succeeded().stdout, document(5));
    stage.run(&["--from", "scheduler", "two.json"]).succeeded();
    assert_eq!(stage.read("file_gpu.h"), document(6));
}

#[test]
fn document_comes_and_goes_through_pipes() {
    let stage = Stage::new("pipes");
    let call = stage.driver(&["--from", "candl-rs", "--to", "candl-rs", "-o", "-", "-"]);
    assert_eq!(call.reading(&document(1)).run().succeeded().stdout, document(2));
    let outcome = stage.run(&["--to", "candl-rs", "-o", "/dev/stderr", "file.c"]).succeeded();
    assert!(outcome.stderr.ends_with(&document(2)), "{}", outcome.stderr);

    let mut child = stage.driver(&["--to", "candl-rs", "file.c"]).start();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    stage.assert_swept();
}

#[test]
fn full_disk_is_a_failure() {
    let stage = Stage::new("full");
    let command = format!("{} --to clan-rs file.c >/dev/full", root().join("scripts/c2cuda").display());
    let outcome = Call::new("sh")
        .args(["-c", &command])
        .within(&stage.scratch.at("here"))
        .with("C2CUDA_BIN", stage.scratch.at("bin"))
        .run()
        .ended_with(1);
    assert!(outcome.stderr.ends_with("c2cuda: the document could not be written\n"), "{}", outcome.stderr);
}

#[test]
fn moved_source_is_passed_on() {
    let stage = Stage::new("moved");
    let outcome = stage.run(&["--from", "cudagen", "--source", "new/file.c", "file.c"]).succeeded();
    assert!(outcome.stderr.starts_with("cudagen: --source new/file.c -o /"), "{}", outcome.stderr);
}

#[test]
fn command_replaces_a_stage() {
    let stage = Stage::new("swap");
    let call =
        ["--stage", "scheduler=cat; echo mine $#", "--scheduler-options", "a 'b c'", "-o", "out", "file.c"];
    let outcome = stage.run(&call).succeeded();
    assert!(outcome.stderr.contains("\ncheck: --check /"), "the schedule is checked: {}", outcome.stderr);
    assert_eq!(stage.read("out/file_gpu.h"), document(6).replace("scheduler", "mine 2"));

    stage.run(&["--stage", "scheduler=$C2CUDA_BIN/scheduler", "-o", "same", "file.c"]).succeeded();
    assert_eq!(stage.read("same/file_gpu.h"), document(6));

    let front = r#"clan-rs=cat; echo "$@""#;
    let outcome = stage.run(&["--to", "clan-rs", "-DN", "--stage", front, "file.c"]).succeeded();
    assert_eq!(outcome.stdout, "source\n-DN file.c\n");

    let back =
        r#"cudagen=while [ "$1" != -o ]; do shift; done; cat >"$2/mine_host.c"; echo >"$2/mine_gpu.cu""#;
    stage.run(&["--stage", back, "-o", "back", "file.c"]).succeeded();
    assert_eq!(
        (stage.names("back"), stage.read("back/mine_host.c")),
        (vec!["mine_gpu.cu".to_owned(), "mine_host.c".to_owned()], document(5))
    );
}

#[test]
fn failures_of_a_command_are_told() {
    let stage = Stage::new("swap-failure");
    let table = [
        (
            "scheduler=echo no >&2; exit 7",
            1,
            "no\nc2cuda: the command for stage scheduler ended with status 7: echo no >&2; exit 7\n",
        ),
        (
            "scheduler=kill -9 $$",
            1,
            "c2cuda: the command for stage scheduler ended with signal KILL: kill -9 $$\n",
        ),
        (
            "scheduler=cat >/dev/null",
            1,
            "c2cuda: the command for stage scheduler wrote nothing: cat >/dev/null\n",
        ),
        (
            "scheduler=echo broken",
            1,
            "broken\nc2cuda: what the command for stage scheduler wrote was refused: echo broken\n",
        ),
        (
            "gpulocalizer=echo broken",
            1,
            "broken\nc2cuda: what the command for stage gpulocalizer wrote was refused: echo broken\n",
        ),
        (
            "candl-rs=no-such-command",
            1,
            "c2cuda: the command for stage candl-rs ended with status 127: no-such-command\n",
        ),
    ];
    for (swap, status, said) in table {
        let outcome = stage.run(&["--stage", swap, "-o", "out", "file.c"]).ended_with(status);
        assert!(outcome.stderr.ends_with(said), "{swap} says {}", outcome.stderr);
        assert_eq!(stage.names(""), ["file.c"]);
    }
    let call = stage
        .driver(&["--stage", "candl-rs=cat", "file.c"])
        .with("FAKE_SCHEDULER", "echo garbage >&2; exit 1");
    let outcome = call.run().ended_with(1);
    let said = "garbage\nc2cuda: its input was written by the command for candl-rs: cat\n";
    assert!(outcome.stderr.ends_with(said), "{}", outcome.stderr);
}

#[test]
fn missing_tools_in_a_folder_of_the_user_are_named() {
    let stage = Stage::new("missing");
    fs::remove_file(stage.scratch.at("bin/cloog-rs")).unwrap();
    let outcome = stage.run(&["file.c"]).ended_with(1);
    assert!(outcome.stderr.ends_with("(C2CUDA_BIN) has no cloog-rs\n"), "{}", outcome.stderr);
    stage.run(&["--to", "gpulocalizer", "file.c"]).succeeded();
    stage.run(&["--stage", "cloog-rs=cat", "file.c"]).succeeded();
}

/// A checkout of which only the driver is there, and a cargo that makes the pretended tools.
fn checkout(name: &str) -> Stage {
    let stage = Stage::new(name);
    for folder in ["scripts", "path", "libs"] {
        fs::create_dir(stage.scratch.at(folder)).unwrap();
    }
    fs::copy(root().join("scripts/c2cuda"), stage.scratch.at("scripts/c2cuda")).unwrap();
    let setup = "echo \"setup in $PWD\" >&2\n";
    let cargo = "echo \"cargo $* in $PWD\" >&2; mkdir -p target && ln -s ../bin target/release\n";
    for (file, text) in [("scripts/setup", setup), ("path/cargo", cargo)] {
        let path = stage.scratch.write(file, &format!("#!/bin/sh\n{text}"));
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    stage
}

fn run_in(stage: &Stage) -> Outcome {
    let path = format!("{}:{}", stage.scratch.at("path").display(), std::env::var("PATH").unwrap());
    let call = Call::new(stage.scratch.at("scripts/c2cuda")).args(["-q", "file.c"]).with("C2CUDA_BIN", "");
    call.within(&stage.scratch.at("here")).with("PATH", path).run()
}

#[test]
fn missing_tools_of_the_checkout_are_built() {
    let stage = checkout("build checkout");
    let root = stage.scratch.path().display();
    let said = run_in(&stage).succeeded().stderr;
    let lines: Vec<&str> = said.lines().take(3).collect();
    let packages = STAGES.map(|stage| format!("--package={stage}")).join(" ");
    let expected = [
        format!(
            "c2cuda: building the tools in {root}/target/release; this takes about 5 minutes, and only the first time"
        ),
        format!("setup in {root}/here"),
        format!("cargo build --release --locked --quiet {packages} in {root}"),
    ];
    assert_eq!(lines, expected);
    assert!(run_in(&stage).succeeded().stderr.starts_with("clan-rs: "), "they are built once");
}

#[test]
fn tools_that_cannot_be_built_are_told() {
    let stage = checkout("unbuildable");
    stage.scratch.write("path/cargo", "#!/bin/sh\nexit 101\n");
    let said = run_in(&stage).ended_with(1).stderr;
    assert!(said.ends_with("c2cuda: the tools could not be built: cargo failed\n"), "{said}");
}

#[test]
fn tools_older_than_their_sources_are_noticed() {
    let stage = checkout("older");
    run_in(&stage).succeeded();
    let source = stage.scratch.write("libs/lib.rs", "");
    let tool = stage.scratch.at("bin/candl-rs");
    stage.scratch.write("bin/candl-rs.d", &format!("{}: {}\n", tool.display(), source.display()));
    let now = SystemTime::now();
    for (age, said) in [
        (10, "c2cuda: candl-rs is older than libs/lib.rs; 'cargo build --release' would renew it\n"),
        (0, ""),
    ] {
        fs::remove_file(&tool).unwrap();
        fs::copy(root().join("tests/fake/tool"), &tool).unwrap();
        fs::File::open(&tool).unwrap().set_modified(now - Duration::from_secs(age)).unwrap();
        fs::File::open(&source).unwrap().set_modified(now - Duration::from_secs(5)).unwrap();
        let own: String = run_in(&stage)
            .succeeded()
            .stderr
            .split_inclusive('\n')
            .filter(|line| line.starts_with("c2cuda:"))
            .collect();
        assert_eq!(own, said);
    }
}

#[test]
fn spaces_in_paths_do_no_harm() {
    let stage = Stage::new("with some spaces");
    stage.write("my file.c", "source\n");
    fs::create_dir(stage.scratch.at("here/a b")).unwrap();
    stage.run(&["--keep", "the story", "-o", "a b", "./my file.c"]).succeeded();
    assert_eq!(stage.read("a b/file_gpu.cu"), document(6));
    assert_eq!(stage.read("the story/5-cloog-rs.json"), document(5));
}

#[test]
fn driver_is_found_through_a_link() {
    let stage = Stage::new("link");
    symlink(root().join("scripts/c2cuda"), stage.scratch.at("here/c2cuda")).unwrap();
    let version = Call::new(stage.scratch.at("here/c2cuda")).arg("--version").run().succeeded().stdout;
    assert_eq!(version, "c2cuda 0.1.0\n");
}

#[test]
fn several_calls_at_once_do_not_meet() {
    let stage = Stage::new("several");
    let folders = ["1", "2", "3", "4"];
    let children = folders.map(|folder| stage.driver(&["--keep", "story", "-o", folder, "file.c"]).start());
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    for folder in folders {
        assert_eq!(stage.names(folder), OUTPUTS);
    }
    assert_eq!(stage.read("story/5-cloog-rs.json"), document(5));
    assert_eq!(stage.names("story").len(), 8);
    stage.assert_swept();
}

#[test]
fn signals_end_it_at_once_and_cleanly() {
    for (signal, status, call) in [
        ("TERM", 143, ["--scheduler-options", "x"]),
        ("INT", 130, ["--scheduler-options", "x"]),
        ("TERM", 143, ["--stage", "scheduler=echo waiting >&2; exec sleep 60"]),
    ] {
        let stage = Stage::new("signal");
        let mut child = stage
            .driver(&[&call[..], &["-o", "out", "file.c"]].concat())
            .with("FAKE_SCHEDULER", "exec sleep 60")
            .start();
        wait_for(&mut child, &["scheduler:", "waiting"]);
        let begin = Instant::now();
        chain_tests::kill(signal, &child.id().to_string());
        assert_eq!(child.wait().unwrap().code(), Some(status));
        wait_for_end_of_descendants(&mut child);
        assert!(begin.elapsed() < Duration::from_secs(20), "{signal} had to wait");
        stage.assert_swept();
        assert_eq!(stage.names(""), ["file.c"]);
    }
}

/// The standard error closes when no process has it any more.
fn wait_for_end_of_descendants(child: &mut std::process::Child) {
    use std::io::Read;
    child.stderr.take().unwrap().read_to_end(&mut Vec::new()).unwrap();
}

/// Reads what a process says until it says one of these.
fn wait_for(child: &mut std::process::Child, words: &[&str]) {
    use std::io::{BufRead, BufReader};
    let lines = BufReader::new(child.stderr.as_mut().unwrap()).lines();
    let found = lines.map_while(Result::ok).any(|line| words.iter().any(|word| line.contains(word)));
    assert!(found, "the process never said one of {words:?}");
}
