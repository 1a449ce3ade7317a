//! Several source files in one run.

use chain_tests::gcc;

use super::*;

/// Returns a folder with two source files whose contents the stand-in tools pass on.
fn two(name: &str) -> Stage {
    let stage = Stage::new(name);
    stage.write("a.c", "source a\n");
    stage.write("b.cpp", "source b\n");
    stage
}

#[test]
fn they_are_written_and_built_together() {
    let stage = two("several-files");
    let outcome = stage.run(&["-O3", "-lm", "--keep", "story", "-o", "out", "a.c", "b.cpp"]).succeeded();
    let generated = ["a_gpu.cu", "a_gpu.h", "a_host.c", "b_gpu.cu", "b_gpu.h", "b_host.c"];
    assert_eq!(stage.names("out"), generated);
    let build = "build:\n  gcc -O2 -iquote . -O3 -c out/a_host.c -o a.o\n  gcc -O2 -iquote . -O3 -c out/b_host.c -o b.o\n  \
                 nvcc -O2 -arch=native -fmad=false out/a_gpu.cu out/b_gpu.cu a.o b.o -lm -o a\n";
    assert!(outcome.stdout.ends_with(build), "{}", outcome.stdout);
    assert_eq!(stage.names("story"), ["a", "b"]);
    assert_eq!(stage.names("story/b").len(), 8);
    assert!(stage.read("story/b/1-clan-rs.json").starts_with("source b\n"));
}

#[test]
fn if_one_is_refused_nothing_is_written() {
    let stage = two("several-refused");
    let call = stage.driver(&["-o", "out", "a.c", "b.cpp"]);
    call.with("FAKE_SCHEDULER", "! grep -q 'source b' \"$input\" || exit 1").run().ended_with(1);
    assert_eq!(stage.names(""), ["a.c", "b.cpp", "file.c"]);
    stage.assert_swept();
}

#[test]
fn documents_and_rules_go_into_a_folder() {
    let stage = two("several-documents");
    stage.run(&["-MD", "--to", "candl-rs", "-o", "out", "a.c", "b.cpp"]).succeeded();
    assert_eq!(stage.names("out"), ["a.d", "a.json", "b.d", "b.json"]);
    assert_eq!(stage.read("out/b.json"), document(2).replace("source", "source b"));
    stage.run(&["--from", "scheduler", "-q", "out/a.json", "out/b.json"]).succeeded();
    assert_eq!(stage.read("b_gpu.cu"), document(6).replace("source", "source b"));
    let said = stage.run(&["--report", "a.c", "b.cpp"]).succeeded().stdout;
    assert!(said.starts_with("a.c:\nsource a\n") && said.contains("\nb.cpp:\nsource b\n"), "{said}");
}

#[test]
fn what_only_one_can_have_is_refused() {
    let stage = two("several-usage");
    fs::create_dir(stage.scratch.at("here/x")).unwrap();
    stage.write("x/a.cpp", "source a\n");
    let table: [(&[&str], &str); 6] = [
        (&["a.c", "x/a.cpp"], "what is generated from 'a.c' and from 'x/a.cpp' would have the same names"),
        (&["a.c", "./a.c"], "what is generated from 'a.c' and from './a.c' would have the same names"),
        (&["--to", "candl-rs", "a.c", "b.cpp"], "several documents need a folder: -o DIR"),
        (&["-MD", "-MF", "x.d", "a.c", "b.cpp"], "-MF, -MT and -MQ say how one rule is written"),
        (&["--from", "candl-rs", "-", "a.json"], "the standard input is one document"),
        (&["--report", "-o", "x", "a.c", "b.cpp"], "-o 'x' is one file"),
    ];
    for (arguments, said) in table {
        let outcome = stage.run(arguments).ended_with(2);
        assert!(outcome.stderr.contains(said), "{} says {}", outcome.shown, outcome.stderr);
    }
    // Documents do not contain the names of the files that will be generated from them.
    for (name, text) in [("1.json", "source same\n"), ("2.json", "source same\n")] {
        stage.write(name, text);
    }
    let outcome = stage.run(&["--from", "cudagen", "-o", "out", "1.json", "2.json"]).ended_with(1);
    assert!(
        outcome.stderr.contains("would be generated from '1.json' and from '2.json'"),
        "{}",
        outcome.stderr
    );
    assert!(!stage.scratch.at("here/out").exists());
}

const ADDING: &str = "void add(int n, double a[n], double x)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = a[i] + STEP * x;
#pragma endscop
}
";

const MAIN: &str = "#include <stdio.h>
#include <stdlib.h>
void add(int n, double a[n], double x);
int main(int argc, char **argv)
{
    double a[50];
#pragma scop
    for (int i = 0; i < 50; i++)
        a[i] = 3 * i;
#pragma endscop
    add(50, a, atof(argv[1]));
    printf(\"%g %g\\n\", a[0], a[49]);
    return 7;
}
";

/// This test uses the real tools.
#[test]
fn they_run_as_one_program() {
    let scratch = Scratch::new("several run");
    let (adding, main) = (scratch.write("adding.c", ADDING), scratch.write("main.c", MAIN));
    let program = scratch.at("as-c");
    gcc().args(["-DSTEP=0.5", "-o"]).arg(&program).arg(&adding).arg(&main).run().succeeded();
    let expected = Call::new(&program).arg("2.5").run().ended_with(7).stdout;
    for more in [&["--on", "cpu"][..], &["--on", "check", "-o", "out"], &["--on", "cpu", "--profile"]] {
        let more = if more.contains(&"--profile") { &more[2..] } else { more };
        let call = driver().within(scratch.path()).args(["-q", "-DSTEP=0.5", "--run"]).args(more);
        let outcome = call.args(["main.c", "adding.c", "--", "2.5"]).run().ended_with(7);
        assert_eq!(outcome.stdout, expected, "{more:?}");
    }
    let call = driver().within(scratch.path()).args(["-DSTEP=0.5", "--verify", "--on", "cpu"]);
    let said = call.args(["main.c", "adding.c", "--", "2.5"]).run().ended_with(7).stderr;
    assert!(said.contains("main.c:7: ran 1 time") && said.contains("adding.c:3: ran 1 time"), "{said}");
}
