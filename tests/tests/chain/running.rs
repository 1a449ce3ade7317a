//! `c2cuda --run`, parts of the chain, and reproducible output, with the real tools.

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::process::ExitStatusExt;
use std::thread::sleep;
use std::time::{Duration, Instant};

use chain_tests::{Call, Scratch, driver, driver_by_price, gcc, names_in, tool};

/// A program in two files. It reads a number and its arguments, and exits with a sum.
const KERNEL: &str = "void add(int n, int *restrict a, int x)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = a[i] + x;
#pragma endscop
}
";
const MAIN: &str = "#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
void add(int n, int *restrict a, int x);
int main(int argc, char **argv)
{
    int a[100] = {0}, x = 0, sum = 0;
    if (scanf(\"%d\", &x) != 1)
        raise(SIGSEGV);
    add(100, a, x);
    for (int i = 0; i < 100; i++)
        sum += a[i];
    printf(\"%d %s\\n\", (int)cbrt(sum * 10.0 * argc), argv[argc - 1]);
    return sum / 10;
}
";

fn run(scratch: &Scratch) -> Call {
    driver().within(scratch.path()).with("TMPDIR", scratch.at("tmp")).args(["--run", "--on", "cpu"])
}

/// Checks that the temporary files of a program are removed soon after it ends.
fn assert_swept(scratch: &Scratch) {
    let deadline = Instant::now() + Duration::from_secs(10);
    while !names_in(&scratch.at("tmp")).is_empty() {
        assert!(Instant::now() < deadline, "temporary files are left: {:?}", names_in(&scratch.at("tmp")));
        sleep(Duration::from_millis(20));
    }
}

fn two_files(name: &str) -> Scratch {
    let scratch = Scratch::new(name);
    scratch.write("my add.c", KERNEL);
    scratch.write("main.c", MAIN);
    fs::create_dir(scratch.at("tmp")).unwrap();
    scratch
}

#[test]
fn program_gets_input_and_arguments_and_gives_its_status() {
    let scratch = two_files("run two");
    let call = run(&scratch).args(["--with", "main.c", "-lm", "my add.c", "--", "a", "", "b c"]);
    let outcome = call.reading("2").run().ended_with(20);
    assert_eq!((outcome.stdout.as_str(), outcome.stderr.as_str()), ("20 b c\n", ""));
    assert_eq!(scratch.names(), ["main.c", "my add.c", "tmp"]);
    assert_swept(&scratch);
}

/// The driver leaves no child process that the program could take for one of its own.
#[test]
fn program_has_no_children_that_it_does_not_know() {
    let scratch = Scratch::new("run-children");
    let text = "#include <stdio.h>
#include <sys/wait.h>
int main(void)
{
    double a[40];
#pragma scop
    for (int i = 0; i < 40; i++)
        a[i] = i;
#pragma endscop
    printf(\"%g %d\\n\", a[39], (int)wait(0));
}
";
    scratch.write("children.c", text);
    let call = driver().args(["-q", "--run", "--on", "cpu", "children.c"]).within(scratch.path());
    assert_eq!(call.run().succeeded().stdout, "39 -1\n");
}

#[test]
fn program_killed_by_a_signal_is_told_by_the_status() {
    let scratch = two_files("run-killed");
    run(&scratch).args(["--with", "main.c", "-l", "m", "my add.c"]).reading("x").run().ended_with(139);
}

const WAITING: &str = "#include <signal.h>
#include <stdio.h>
#include <unistd.h>
static void stop(int number)
{
    _exit(number == SIGTERM ? 5 : 6);
}
int main(void)
{
    signal(SIGTERM, stop);
    puts(\"ready\");
    fflush(stdout);
    for (;;)
        pause();
}
";

/// A signal to c2cuda goes to the program, which handles it as it likes, even if the terminal sends it to all
/// processes.
#[test]
fn signals_reach_the_program() {
    let scratch = two_files("run-signals");
    scratch.write("main.c", WAITING);
    for (signal, group, status) in [("TERM", "", 5), ("HUP", "", 1), ("INT", "-", 2), ("TERM", "-", 5)] {
        let mut child = run(&scratch).args(["--with", "main.c", "my add.c"]).in_own_group().start();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        assert_eq!(line, "ready\n");
        let receiver = format!("{group}{}", child.id());
        chain_tests::kill(signal, &receiver);
        let ended = child.wait().unwrap();
        assert_eq!(ended.code().or(ended.signal()), Some(status), "{signal} to {receiver}");
        assert_swept(&scratch);
    }
}

#[test]
fn program_that_does_not_build_is_told() {
    let scratch = two_files("run-broken");
    let outcome = run(&scratch).args(["my add.c"]).run().ended_with(1);
    assert!(
        outcome.stderr.ends_with("c2cuda: the generated program could not be built\n"),
        "{}",
        outcome.stderr
    );
    scratch.write("main.c", "int main(void) { return 0 }");
    let outcome = run(&scratch).args(["--with", "main.c", "my add.c"]).run().ended_with(1);
    assert!(outcome.stderr.ends_with("c2cuda: gcc could not compile 'main.c'\n"), "{}", outcome.stderr);
}

#[test]
fn run_keeps_the_translation_where_it_is_told_to() {
    let scratch = two_files("run-keep");
    run(&scratch)
        .args(["--with", "main.c", "-lm", "-o", "out", "my add.c"])
        .reading("1")
        .run()
        .ended_with(10);
    assert_eq!(names_in(&scratch.at("out")), ["my add_gpu.cu", "my add_gpu.h", "my add_host.c"]);
}

#[test]
fn program_finds_its_headers_beside_the_source() {
    let scratch = Scratch::new("headers");
    fs::create_dir(scratch.at("part")).unwrap();
    scratch.write("part/size.h", "#define SIZE 7\n");
    let source =
        KERNEL.replace("a[i] + x", "SIZE") + "int main(void) { int a[5]; add(5, a, 0); return a[4]; }\n";
    scratch.write("part/file.c", &format!("#include \"size.h\"\n{source}"));
    driver().within(scratch.path()).args(["--run", "--on", "check", "part/file.c"]).run().ended_with(7);
}

#[test]
fn machine_is_chosen_and_named() {
    let outcome = driver().args(["--run", "examples/tmv.c"]).with("CUDA_HOME", "/nowhere").run().succeeded();
    let says = outcome.stderr.lines().collect::<Vec<_>>();
    assert!(matches!(says[..], [line] if line.starts_with("c2cuda: running on the ")), "{says:?}");
}

/// The profile is a table on the standard error, and all counts in a file.
#[test]
fn profile_counts_what_the_kernels_move() {
    let scratch = Scratch::new("profile");
    let source = "double a[1024], b[1024];
int main(void)
{
#pragma scop
    for (int i = 0; i < 1024; i++)
        b[i] = 2 * a[i];
#pragma endscop
    return 4;
}
";
    scratch.write("twice.c", source);
    let profiled = || driver().within(scratch.path()).args(["--run", "--profile", "-o", "out", "twice.c"]);
    let table = profiled().run().ended_with(4).stderr;
    assert!(table.contains("_kernel0 ") && table.contains("\nhost to device"), "{table}");
    assert!(table.contains("dominated by") && table.contains("NVIDIA H200 (SXM)"), "no time in\n{table}");
    profiled().with("CUDASIM_PROFILE", "counts.json").run().ended_with(4);
    let counts = scratch.read("counts.json");
    for expected in [
        "\"requests\": 32",
        "\"touched_sectors\": 256",
        "\"file\": \"out/twice_gpu.cu\"",
        "\"bytes\": 8192",
        "\"l2_bytes\": 52428800",
    ] {
        assert!(counts.contains(expected), "no {expected} in\n{counts}");
    }
}

/// Arrays that might overlap, and do: only the order of the source is correct.
#[test]
fn overlapping_arrays_are_noticed() {
    let scratch = Scratch::new("overlap");
    let source = "#include <stdio.h>
static void shift(int n, int *to, const int *from)
{
#pragma scop
    for (int i = 0; i < n; i++)
        to[i] = from[i] + 1;
#pragma endscop
}
int main(void)
{
    int a[40] = {0};
    shift(20, a, a + 20);
    shift(30, a + 1, a);
    for (int i = 0; i < 40; i++)
        printf(\"%d \", a[i]);
    return 0;
}
";
    let expected = (1..=31).map(|i| format!("{i} ")).collect::<String>() + &"0 ".repeat(9);
    prints(&scratch, source, &expected);
}

/// Of two pointers through which a region writes, the second one points to a scalar that the region reads.
#[test]
fn pointers_to_scalars_are_noticed() {
    let scratch = Scratch::new("scalar");
    let source = "#include <stdio.h>
static int g = 1;
static void add(int n, double *x, int *y)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        x[i] = i;
        y[0] = y[0] + g;
    }
#pragma endscop
}
int main(void)
{
    double x[4];
    int other = 1;
    add(4, x, &g);
    add(4, x, &other);
    printf(\"%d %d %g\", g, other, x[3]);
    return 0;
}
";
    prints(&scratch, source, "16 65 3");
}

/// Overlapping rows, and unsigned numbers that wrap around: the assumptions of the translation do not hold, and the
/// original loops run.
#[test]
fn assumptions_that_do_not_hold_are_noticed() {
    let scratch = Scratch::new("assume");
    let source = "#include <stdio.h>
static void rows(int n, int stride, int *restrict a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i * stride + j] += a[i * stride + j] + 1;
#pragma endscop
}
static void below(unsigned n, unsigned m, int *restrict a)
{
#pragma scop
    for (unsigned i = 0; i < 6 && i < n - m; i++)
        a[i] += 100;
#pragma endscop
}
static void below_difference(int n, int m, int *restrict a)
{
#pragma scop
    for (int i = 0; i < 4; i++)
        if ((unsigned)i < (unsigned)(n - m))
            a[i] += 1000;
#pragma endscop
}
int main(void)
{
    int a[9] = {0};
    rows(2, 3, a);
    rows(3, 1, a);
    below(1, 2, a);
    below_difference(1, 2, a);
    below_difference(5, 2, a);
    for (int i = 0; i < 9; i++)
        printf(\"%d \", a[i]);
    return 0;
}
";
    prints(&scratch, source, "2103 2107 2107 1107 103 100 0 0 0 ");
}

/// Arrays stay on the device from round to round, and are copied back before the round in which the original loops
/// run.
#[test]
fn what_stays_comes_home_before_a_function_declines() {
    let scratch = Scratch::new("declines");
    let source = "#include <stdio.h>
static void rounds(int n, int m, int *restrict a, int *restrict b)
{
    for (int t = 0; t < 4; t++) {
        int width = t == 2 ? m / 2 : m;
#pragma scop
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                a[i * width + j] = a[i * width + j] * 2 + t;
        for (int i = 0; i < n; i++)
            b[i] = b[i] * 3 + t;
#pragma endscop
    }
}
int main(void)
{
    int a[16] = {1, 2, 3}, b[4] = {5, 6};
    rounds(4, 4, a, b);
    for (int i = 0; i < 16; i++)
        printf(\"%d \", a[i]);
    for (int i = 0; i < 4; i++)
        printf(\"%d \", b[i]);
    return 0;
}
";
    let mut a = [1, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    let mut b = [5, 6, 0, 0];
    for t in 0..4 {
        let width = if t == 2 { 2 } else { 4 };
        for i in 0..4 {
            (0..4).for_each(|j| a[i * width + j] = a[i * width + j] * 2 + t);
        }
        b = b.map(|value| value * 3 + t);
    }
    let expected: String = a.iter().chain(&b).map(|value| format!("{value} ")).collect();
    prints(&scratch, source, &expected);
    driver().within(scratch.path()).args(["-q", "-o", "out", "program.c"]).run().succeeded();
    assert!(scratch.read("out/program_gpu.cu").contains("cuda_residency::reserve"), "nothing stays");
}

/// Rows are computed in every third round, or every fifth of them. Some rounds and wavefronts have no tile. The
/// checking simulator finds launches without blocks; a launch whose blocks have no work must do nothing.
#[test]
fn launches_without_blocks_are_left_out() {
    let scratch = Scratch::new("empty_launches");
    let source = "#include <stdio.h>
static double a[41][41];
static void every_third(int n, int m)
{
#pragma scop
    for (int t = 0; t < n; t++)
        for (int i = 1; i < n; i++)
            for (int j = 1; j < m; j++)
                if (t % 3 == 1)
                    a[i][j] = a[i - 1][j] * 0.5 + a[i][j - 1] * 0.25 + a[i][j];
#pragma endscop
}
static void every_fifth(int n)
{
#pragma scop
    for (int i = 5; i < n; i += 5)
        for (int j = 1; j < 5; j++)
            a[i][j] = a[i - 5][j] * 0.5 + a[i][j - 1] * 0.25 + a[i][j];
#pragma endscop
}
int main(void)
{
    for (int n = 0; n < 41; n += n < 12 ? 3 : 12) {
        for (int i = 0; i < 41 * 41; i++)
            a[i / 41][i % 41] += i % 13;
        every_third(n, n / 2);
        every_fifth(n);
    }
    for (int i = 0; i < 41 * 41; i++)
        printf(\"%a \", a[i / 41][i % 41]);
    return 0;
}
";
    let program = scratch.write("program.c", source);
    gcc().arg("-o").arg(scratch.at("plain")).arg(&program).run().succeeded();
    let expected = Call::new(scratch.at("plain")).run().succeeded().stdout;
    for sizes in ["1,4", "2,2", "5,3"] {
        let call = driver().within(scratch.path()).args(["-q", "--run", "--on", "check"]);
        let call = call.arg(format!("--scheduler-options=--tile-sizes {sizes}"));
        assert_eq!(call.arg("program.c").run().succeeded().stdout, expected, "{sizes}");
    }
}

/// Four nested loops, none of them parallel, with unknown sizes: the proof finishes.
#[test]
fn deep_wavefronts_are_translated() {
    let scratch = Scratch::new("deep");
    scratch.write(
        "program.c",
        "#include <stdio.h>
static void sweep(int n, int steps, int a[n][n][n])
{
#pragma scop
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                for (int k = 1; k < n - 1; k++)
                    a[i][j][k] = (a[i - 1][j][k] + a[i][j - 1][k] + a[i][j][k - 1] + a[i + 1][j][k] + a[i][j + 1][k] + a[i][j][k + 1]) / 6 + t;
#pragma endscop
}
int main(void)
{
    static int a[11][11][11];
    for (int i = 0; i < 1331; i++)
        a[i / 121][i / 11 % 11][i % 11] = i * 37 % 1001;
    sweep(11, 3, a);
    return 0;
}
",
    );
    let call = driver().within(scratch.path()).args(["-q", "--verify", "--on", "check", "program.c"]);
    let said = call.run().succeeded().stderr;
    assert!(!said.contains("not proved"), "{said}");
}

/// Checks what a program prints on the simulator, with and without checks.
fn prints(scratch: &Scratch, source: &str, expected: &str) {
    scratch.write("program.c", source);
    for machine in ["cpu", "check"] {
        let call = driver().within(scratch.path()).args(["-q", "--run", "--on", machine, "program.c"]);
        assert_eq!(call.run().succeeded().stdout, expected);
    }
}

/// Arrays behind `restrict` pointers share no element, but the elements of one may lie between those of the other.
#[test]
fn memory_between_elements_is_left_alone() {
    let source = "#include <stdio.h>
static void scale(int n, double *restrict re, double *restrict im)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        re[2 * i] *= 2;
        im[2 * i] *= 3;
    }
#pragma endscop
}
static void blocks(int n, int width, double *restrict left, double *restrict right)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            left[i * width + j] += 100;
            right[i * width + j] += 200;
        }
#pragma endscop
}
int main(void)
{
    double z[8];
    for (int i = 0; i < 8; i++)
        z[i] = i;
    scale(3, z, z + 1);
    blocks(2, 4, z, z + 2);
    for (int i = 0; i < 8; i++)
        printf(\"%g \", z[i]);
}
";
    prints(&Scratch::new("between"), source, "100 103 204 209 108 115 206 207 ");
}

/// The tools, connected by pipes, generate what the driver generates.
#[test]
fn pipeline_of_the_tools_is_the_driver() {
    let scratch = Scratch::new("pipeline");
    let call = driver_by_price().args(["-q", "-o"]).arg(scratch.at("driver"));
    call.arg("examples/lu.c").run().succeeded();
    let mut document = tool("clan-rs").arg("examples/lu.c").run().succeeded().stdout;
    for stage in ["candl-rs", "scheduler", "gpulocalizer", "cloog-rs"] {
        document = tool(stage).reading(&document).run().succeeded().stdout;
    }
    fs::create_dir(scratch.at("tools")).unwrap();
    tool("cudagen").arg("-o").arg(scratch.at("tools")).reading(&document).run().succeeded();
    for name in ["lu_host.c", "lu_gpu.cu", "lu_gpu.h"] {
        assert_eq!(scratch.read(&format!("tools/{name}")), scratch.read(&format!("driver/{name}")), "{name}");
    }
}

/// A file that the shell hides is translated as well, and is not overwritten.
#[test]
fn a_hidden_file_is_translated() {
    let scratch = Scratch::new("hidden");
    scratch.write(".add.c", KERNEL);
    driver().within(scratch.path()).args(["-q", ".add.c"]).run().succeeded();
    assert_eq!(names_in(scratch.path()), [".add.c", ".add_gpu.cu", ".add_gpu.h", ".add_host.c"]);
    let refused =
        tool("clan-rs").within(scratch.path()).args([".add.c", "-o", "./.add.c"]).run().ended_with(2);
    assert!(refused.stderr.contains("would overwrite the source"), "{}", refused.stderr);
    assert_eq!(scratch.read(".add.c"), KERNEL);
}

/// Each kept document leads to the same program, and so does a second run on the source.
#[test]
fn output_is_the_same_from_every_stage() {
    let scratch = Scratch::new("stages");
    let keep =
        |name: &str| driver().args(["-q", "--keep"]).arg(scratch.at(name)).arg("-o").arg(scratch.at("out"));
    keep("first").arg("examples/jacobi2d.c").run().succeeded();
    keep("again").arg("examples/jacobi2d.c").run().succeeded();
    let names = names_in(&scratch.at("first"));
    assert_eq!(names.len(), 8, "{names:?}");
    for name in &names {
        assert_eq!(scratch.read(&format!("again/{name}")), scratch.read(&format!("first/{name}")), "{name}");
    }
    let stages = ["candl-rs", "scheduler", "gpulocalizer", "cloog-rs", "cudagen"];
    for (stage, document) in stages.into_iter().zip(&names) {
        let document = scratch.at("first").join(document);
        keep(stage).args(["--from", stage]).arg(document).run().succeeded();
        for name in ["jacobi2d_host.c", "jacobi2d_gpu.cu", "jacobi2d_gpu.h"] {
            let expected = scratch.read(&format!("first/{name}"));
            assert_eq!(scratch.read(&format!("{stage}/{name}")), expected, "{name} from {stage}");
        }
    }
}

/// The command for the host part in the report works as printed.
#[test]
fn reported_commands_build_the_program() {
    let scratch = two_files("report");
    let report = driver().within(scratch.path()).arg("my add.c").run().succeeded().stdout;
    let (_, commands) = report.split_once("build:\n").expect("the report says how to build");
    let host = commands.lines().next().expect("the host part comes first");
    Call::new("sh").args(["-c", host]).within(scratch.path()).run().succeeded();
    assert!(scratch.at("my add.o").exists(), "{report}");
}

/// Compares what a program of `tests/programs` prints, compiled by `compiler`, with what its translation prints.
fn prints_the_same(compiler: &str, name: &str, options: &[&str]) {
    let scratch = Scratch::new(name);
    let source = chain_tests::root().join("tests/programs").join(name);
    let plain = scratch.at("plain");
    let flags = ["-O1", "-ffp-contract=off", "-Wno-unknown-pragmas", "-o"];
    Call::new(compiler).args(flags).arg(&plain).arg(&source).run().succeeded();
    for size in ["33", "5"] {
        let expected = Call::new(&plain).args([size]).run().succeeded().stdout;
        let run = driver().within(scratch.path()).args(["--run", "--on", "check"]).args(options).arg(&source);
        assert_eq!(run.args(["--", size]).run().succeeded().stdout, expected);
    }
}

#[test]
fn cxx_program_prints_the_same() {
    prints_the_same("g++", "cplusplus.cpp", &[]);
    let scratch = Scratch::new("translate c++");
    let source = chain_tests::root().join("tests/programs/cplusplus.cpp");
    driver().within(scratch.path()).args(["-q"]).arg(&source).run().succeeded();
    assert_eq!(scratch.names(), ["cplusplus_gpu.cu", "cplusplus_gpu.h", "cplusplus_host.cpp"]);
}

/// Before C++17, `static constexpr` members have no address unless they are defined elsewhere.
#[test]
fn constants_without_an_address_are_passed_by_value() {
    let scratch = Scratch::new("constants");
    let source = "#include <cstdio>
struct Scale {
    static constexpr double factor = 2.5;
    static const int shift = 6;
};
static void fill(int n, double *a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = i * Scale::factor + Scale::shift;
#pragma endscop
}
int main()
{
    double a[5] = {};
    fill(5, a);
    std::printf(\"%g\\n\", a[4]);
}
";
    scratch.write("constants.cpp", source);
    let call = driver().args(["-q", "-std=c++14", "--run", "--on", "cpu", "constants.cpp"]);
    assert_eq!(call.within(scratch.path()).run().succeeded().stdout, "16\n");
}

/// `constinit` says when a variable gets its value; it does not make the variable constant.
#[test]
fn variables_with_constant_initialisers_are_variables() {
    let scratch = Scratch::new("constinit");
    let source = "#include <cstdio>
constinit int scale = 3;
static void fill(int n, int *a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = i * scale;
#pragma endscop
}
int main()
{
    int a[5] = {};
    scale++;
    fill(5, a);
    std::printf(\"%d\\n\", a[4]);
}
";
    scratch.write("constinit.cpp", source);
    let call = driver().args(["-q", "-std=c++20", "--run", "--on", "cpu", "constinit.cpp"]);
    assert_eq!(call.within(scratch.path()).run().succeeded().stdout, "16\n");
}

#[test]
fn functions_of_cxx_print_the_same() {
    prints_the_same("g++", "calls.cpp", &[]);
}

#[test]
fn references_to_the_same_memory_print_the_same() {
    prints_the_same("g++", "references.cpp", &[]);
}

#[test]
fn unmarked_program_prints_the_same() {
    prints_the_same("gcc", "unmarked.c", &["--autoscop"]);
}

/// Code that the type of a parameter rules out is never executed: alone in a region, next to a loop, and next to
/// other such code.
#[test]
fn what_no_parameter_executes_is_never_executed() {
    let scratch = Scratch::new("never-executed");
    let text = r#"#include <stdio.h>
static double a[64], b[64];
static void f(unsigned n, int m)
{
#pragma scop
    for (int i = n; i < 0; i++)
        a[i + 10] = i;
#pragma endscop
#pragma scop
    for (int i = 0; i < m; i++) {
        b[i] += i;
        for (int j = n; j < 0; j++)
            a[i] = j;
    }
#pragma endscop
#pragma scop
    for (int i = n; i < 0; i++)
        a[i + 10] = i;
    for (int i = 0; i < m; i++)
        for (int j = n; j < 0; j++)
            b[i] = j;
#pragma endscop
}
int main(void)
{
    f(3, 64);
    for (int i = 0; i < 64; i++)
        printf("%g %g\n", a[i], b[i]);
}
"#;
    let source = scratch.write("never.c", text);
    gcc().arg(&source).arg("-o").arg(scratch.at("plain")).run().succeeded();
    let expected = Call::new(scratch.at("plain")).run().succeeded().stdout;
    let actual = driver().args(["-q", "--run", "--on", "check"]).arg(&source).run().succeeded();
    assert_eq!(actual.stdout, expected);
    let said = "this region stays on the host: it has no instances";
    assert_eq!(actual.stderr.matches(said).count(), 2, "{}", actual.stderr);
}

#[test]
fn messages_are_explained() {
    let outcome = driver().args(["--explain", "e0120"]).run().succeeded();
    assert!(outcome.stdout.starts_with("E0120: not affine\n"), "{}", outcome.stdout);
    let outcome = driver().args(["--explain=E9"]).run().ended_with(2);
    assert!(outcome.stderr.contains("there is no message `E9`"), "{}", outcome.stderr);
}

/// The report explains for each loop why it is not parallel, and nothing is written.
#[test]
fn report_says_what_carries_each_loop() {
    let scratch = Scratch::new("report");
    let lu = chain_tests::root().join("examples/lu.c");
    let said = driver().within(scratch.path()).args(["-q", "--report"]).arg(lu).run().succeeded().stdout;
    assert!(said.contains("for k") && said.contains("in order"), "{said}");
    assert!(said.contains("parallel"), "{said}");
    assert!(said.contains("  A\n    to the device: n^2 elements"), "{said}");
    assert_eq!(names_in(scratch.path()), Vec::<String>::new());
    driver().args(["--report", "--run", "examples/lu.c"]).run().ended_with(2);
}

/// Another array lies directly after the last structure of an array. The memory between the structures' members does
/// not belong to them.
#[test]
fn arrays_that_structures_point_to_do_not_overlap_them() {
    let scratch = Scratch::new("behind");
    fs::create_dir(scratch.at("tmp")).unwrap();
    let source = r#"#include <stdio.h>
struct cell { int key; double x; };
struct mesh { struct cell cell[64]; int count[64]; double weight[8]; };
static void count(struct mesh *m, int n, int first)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        m->count[i] = m->cell[first + i].key + 1;
        m->cell[first + i].x = m->count[i] * m->weight[i % 8];
    }
#pragma endscop
}
int main(void)
{
    struct mesh m = {0};
    for (int i = 0; i < 64; i++)
        m.cell[i].key = 3 * i, m.count[i] = 7, m.weight[i % 8] = i;
    count(&m, 64, 0);
    count(&m, 32, 32);
    count(&m, 0, 0);
    printf("%d %d %g\n", m.count[31], m.count[32], m.cell[63].x);
}
"#;
    let source = scratch.write("behind.c", source);
    let outcome = run(&scratch).arg("--verify").arg(source).run().succeeded();
    assert_eq!(outcome.stdout, "190 97 11970\n");
    assert!(outcome.stderr.contains("ran 3 times on the device"), "{}", outcome.stderr);
}
