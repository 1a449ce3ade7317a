//! Tools that are missing, are built, or are out of date.

use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, Instant, SystemTime};

use super::signals::{wait_for, wait_for_end_of_descendants};
use super::*;

#[test]
fn missing_tools_in_a_folder_of_the_user_are_named() {
    let stage = Stage::new("missing");
    fs::remove_file(stage.scratch.at("bin/cloog-rs")).unwrap();
    let outcome = stage.run(&["file.c"]).ended_with(1);
    assert!(outcome.stderr.ends_with("(C2CUDA_BIN) has no cloog-rs\n"), "{}", outcome.stderr);
    stage.run(&["--to", "gpulocalizer", "file.c"]).succeeded();
    stage.run(&["--stage", "cloog-rs=cat", "file.c"]).succeeded();
}

/// Returns a checkout that contains only the driver, and a cargo that makes the stand-in tools.
fn checkout(name: &str) -> Stage {
    let stage = Stage::new(name);
    for folder in ["scripts", "path", "libs"] {
        fs::create_dir(stage.scratch.at(folder)).unwrap();
    }
    for (from, to) in [("scripts/c2cuda", "scripts/c2cuda"), ("target/release/c2cuda", "bin/c2cuda")] {
        fs::copy(root().join(from), stage.scratch.at(to)).unwrap();
    }
    for tool in ["scop-answers", "gpu-time", "gpu-predict"] {
        symlink(root().join("tests/fake/tool"), stage.scratch.at(&format!("bin/{tool}"))).unwrap();
    }
    let setup = "echo \"setup in $PWD\" >&2\n";
    let cargo = "echo \"cargo $* in $PWD\" >&2; mkdir -p target && ln -s ../bin target/release\n";
    for (file, text) in [("scripts/setup", setup), ("path/cargo", cargo)] {
        let path = stage.scratch.write(file, &format!("#!/bin/sh\n{text}"));
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    stage
}

fn run_in(stage: &Stage) -> Outcome {
    call_in(stage).run()
}

fn call_in(stage: &Stage) -> Call {
    let path = format!("{}:{}", stage.scratch.at("path").display(), std::env::var("PATH").unwrap());
    let call = Call::new(stage.scratch.at("scripts/c2cuda")).args(["-q", "file.c"]).with("C2CUDA_BIN", "");
    call.within(&stage.scratch.at("here")).with("PATH", path).with("TMPDIR", stage.scratch.at("tmp"))
}

/// A signal to the driver alone ends cargo, and the processes that cargo started, whenever it arrives.
#[test]
fn signals_end_the_build_of_the_tools() {
    let listening = "echo cargo compiles >&2; sleep 60";
    // Like a process that blocks the signal while it starts another process.
    let listening_later = "trap '' TERM; echo cargo compiles >&2; sleep 0.3; trap - TERM; sleep 60";
    let deaf = "trap '' TERM; echo cargo compiles >&2; sleep 60";
    let cases = [
        ("INT", 130, "building the tools", listening),
        ("INT", 130, "about to start cargo", listening),
        ("INT", 130, "cargo compiles", listening),
        ("QUIT", 131, "cargo compiles", listening),
        ("INT", 130, "cargo compiles", listening_later),
        ("TERM", 143, "cargo compiles", deaf),
    ];
    for (signal, status, moment, cargo) in cases {
        let stage = checkout("interrupted");
        stage.command("cargo", &format!("#!/bin/sh\n{cargo}\necho built >&2\n"));
        stage.command(
            "setsid",
            "#!/bin/sh\necho about to start cargo >&2\nsleep 0.3\nPATH=${PATH#*:}\nexec setsid \"$@\"\n",
        );
        let mut child = call_in(&stage).start();
        wait_for(&mut child, &[moment]);
        let begin = Instant::now();
        chain_tests::kill(signal, &child.id().to_string());
        assert_eq!(child.wait().unwrap().code(), Some(status));
        wait_for_end_of_descendants(&mut child);
        assert!(begin.elapsed() < Duration::from_secs(20), "{signal} had to wait: {cargo}");
        stage.assert_swept();
    }
}

/// The setup and cargo also end if the driver gets a signal or is killed.
#[test]
fn setup_and_cargo_end_with_the_driver() {
    let waiting = "#!/bin/sh\necho it waits >&2\nsleep 60 &\nwait\n";
    for (file, signal, status) in
        [("scripts/setup", "TERM", Some(143)), ("scripts/setup", "KILL", None), ("path/cargo", "KILL", None)]
    {
        let stage = checkout("death");
        stage.scratch.write(
            file,
            &waiting.replace(
                "sleep 60 &\nwait",
                if signal == "KILL" { "exec sleep 60" } else { "sleep 60 &\nwait" },
            ),
        );
        let mut child = call_in(&stage).start();
        wait_for(&mut child, &["it waits"]);
        let begin = Instant::now();
        chain_tests::kill(signal, &child.id().to_string());
        assert_eq!(child.wait().unwrap().code(), status, "{file}, {signal}");
        wait_for_end_of_descendants(&mut child);
        assert!(begin.elapsed() < Duration::from_secs(20), "{file}, {signal}");
    }
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
        format!(
            "cargo build --release --locked --quiet --package=driver --package=tool --package=gpu --package=predict \
             {packages} in {root}"
        ),
    ];
    assert_eq!(lines, expected);
    assert!(run_in(&stage).succeeded().stderr.starts_with("clan-rs: "), "they are built once");
}

/// If the user names a folder of tools that contains the driver, nothing is built.
#[test]
fn a_driver_beside_other_tools_is_not_built() {
    let stage = checkout("elsewhere");
    let call = Call::new(stage.scratch.at("scripts/c2cuda")).arg("--version");
    let outcome = call.with("C2CUDA_BIN", stage.scratch.at("bin")).run().succeeded();
    assert_eq!((outcome.stdout.as_str(), outcome.stderr.as_str()), ("c2cuda 0.1.0\n", ""));
    assert!(!stage.scratch.at("target").exists());
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
        assert_eq!(own_words(&run_in(&stage).succeeded().stderr), said);
    }
}

#[test]
fn driver_is_found_through_a_link() {
    let stage = Stage::new("link");
    symlink(root().join("scripts/c2cuda"), stage.scratch.at("here/c2cuda")).unwrap();
    let version = Call::new(stage.scratch.at("here/c2cuda")).arg("--version").run().succeeded().stdout;
    assert_eq!(version, "c2cuda 0.1.0\n");
}

/// `max(max(a, -b), c)` in PTX, and nested operations that are not the same.
const OF_THREE: &str = "neg.s32 %r3, %r1;\n max.s32 %r4, %r2, %r3;\n max.s32 %r5, %r7, %r4;\n";
const OF_TWO: &str = "neg.s32 %r3, %r1;\n max.s32 %r4, %r2, %r3;\n min.s32 %r5, %r7, %r4;\n";

/// A stand-in for nvcc of the version in RELEASE: it compiles everything to PTX, for TARGET, or to a program that
/// prints a word.
const NVCC: &str = r#"#!/bin/sh
[ "$1" != --version ] || exec echo "Cuda compilation tools, release $RELEASE, V"
ptx=
while [ $# -gt 0 ]; do
    case $1 in
        -ptx) ptx=1 ;;
        -o) out=$2 ;;
    esac
    shift
done
if [ $ptx ]; then
    printf '.target %s\n.visible .entry k()\n%s' "$TARGET" "$PTX" >"$out"
else
    printf '#!/bin/sh\necho ran\n' >"$out"
    chmod +x "$out"
fi
"#;

/// Some of CUDA's compilers drop the sign of a number; kernels that they would miscompile are not built.
#[test]
fn compilers_that_lose_a_sign_are_refused() {
    let stage = Stage::new("lost-sign");
    stage.command("nvidia-smi", "#!/bin/sh\necho 'GPU 0: NVIDIA H200 (UUID: GPU-0)'\n");
    stage.command("gcc", "#!/bin/sh\nwhile [ $1 != -o ]; do shift; done; : >$2\n");
    stage.command("nvcc", NVCC);
    let run = |release: &str, target: &str, ptx: &str| {
        let call = stage.driver(&["-q", "--run", "file.c"]).with("PATH", stage.path()).with("CC", "gcc");
        call.with("RELEASE", release).with("TARGET", target).with("PTX", ptx).run()
    };
    for (release, target) in [("12.5", "sm_90"), ("13.0", "sm_90a"), ("13.3", "sm_100")] {
        let outcome = run(release, target, OF_THREE);
        assert_eq!(outcome.status, 1, "{release}: {}", outcome.stderr);
        assert!(outcome.stderr.contains("drops the sign of b"), "{}", outcome.stderr);
        assert_eq!(outcome.stdout, "");
    }
    for (release, target, ptx) in [
        ("12.4", "sm_90", OF_THREE),
        ("13.4", "sm_90", OF_THREE),
        ("13.0", "sm_80", OF_THREE),
        ("13.0", "sm_90", OF_TWO),
    ] {
        assert_eq!(run(release, target, ptx).succeeded().stdout, "ran\n", "{release}, {target}, {ptx}");
    }
}
