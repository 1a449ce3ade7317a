//! Which arrays other threads of the host may use while a region runs.

use clan_rs::{CompilerFlags, Options};

/// Returns the names of those arrays of a program, and how many arrays may stay on the device between regions.
fn concurrent(options: &Options, text: &str) -> (String, usize) {
    let program = clan_rs::run_on(options, text.as_bytes().to_vec()).unwrap().value;
    let arrays = program.scops.iter().flat_map(|scop| &scop.model.arrays);
    let names: Vec<&str> = arrays.filter(|array| array.concurrent).map(|array| array.name.as_str()).collect();
    let scops = program.scops.iter();
    let kept = scops.flat_map(|scop| &scop.model.arrays).filter(|array| !array.memory.is_empty());
    (names.join(" "), kept.count())
}

/// A function that uses its own `s`, `t` and `u`, of which only `t` has its address taken, and other memory.
const BODY: &str = "void g(double *);
static double global[9];
void f(int n, double *a)
{
    double s = 0, t = 0, u[9];
    g(&t);
    for (int k = 0; k < n; k++) {
#pragma scop
        for (int i = 0; i < 9; i++) {
            u[i] = a[i] * t;
            global[i] = u[i];
        }
        s += t;
        t = 2 * s;
#pragma endscop
    }
    a[0] = s + u[3];
PRAGMA
    n++;
}
";

/// Headers that only programs with threads need, if files of the user include them.
#[test]
fn headers_show_threads() {
    let folder = std::env::temp_dir().join(format!("clan-threads-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::create_dir_all(folder.join("tbb")).unwrap();
    std::fs::write(folder.join("mine.h"), "#include <pthread.h>\n").unwrap();
    std::fs::write(folder.join("tbb/blocked.h"), "").unwrap();
    for (name, head, threads) in [
        ("f.c", "", false),
        ("f.c", "#include <stdio.h>\n#include <math.h>\n#include <time.h>", false),
        ("f.c", "#include <pthread.h>", true),
        ("f.c", "#include <threads.h>", true),
        ("f.c", "#define HEADER <stdatomic.h>\n#include HEADER", true),
        ("f.c", "#if 0\n#include <pthread.h>\n#endif", false),
        ("f.c", "#include \"mine.h\"", true),
        ("f.c", "#include \"tbb/blocked.h\"", true),
        ("f.cpp", "#include <memory>\n#include <iostream>\n#include <string>\n#include <algorithm>", false),
        ("f.cpp", "#include <iostream>\n#include <pthread.h>", true),
        ("f.cpp", "#include <thread>", true),
        ("f.cpp", "#include <future>", true),
        ("f.cpp", "#include <mutex>", true),
    ] {
        let text = format!("{head}\n{}", BODY.replace("PRAGMA", ""));
        let options = |flags: &[&str]| {
            let arguments = ["clan-rs"].iter().chain(flags).map(Into::into).collect();
            let (flags, _) = CompilerFlags::split(arguments).unwrap();
            Options { flags, ..Options::for_file(folder.join(name)) }
        };
        let (found, kept) = concurrent(&options(&[]), &text);
        assert_eq!(found, if threads { "a t global" } else { "" }, "{name}: {head}");
        assert_eq!(kept > 0, !threads, "{name}: {head}");
        if name != "f.c" {
            continue;
        }
        let promised = Options { no_host_threads: true, ..options(&["-pthread"]) };
        assert_eq!(concurrent(&promised, &text).0, "", "{name}: {head}");
        for flags in [&["-pthread"][..], &["-fopenmp"], &["-include", "pthread.h"]] {
            assert_eq!(concurrent(&options(flags), &text).0, "a t global", "{flags:?} {name}: {head}");
        }
    }
    let _ = std::fs::remove_dir_all(folder);
}

/// The threads of OpenMP share the variables of a function that contains a directive.
#[test]
fn directives_share_variables() {
    for pragma in ["#pragma omp parallel", "_Pragma(\"omp parallel\")"] {
        let text = format!("#include <pthread.h>\n{}", BODY.replace("PRAGMA", pragma));
        assert_eq!(concurrent(&Options::for_file("f.c"), &text).0, "a t u global s", "{pragma}");
        // A directive in another function does not matter.
        let elsewhere = format!(
            "#include <pthread.h>\n{}\nvoid other(void) {{\n{pragma}\n;}}\n",
            BODY.replace("PRAGMA", "")
        );
        assert_eq!(concurrent(&Options::for_file("f.c"), &elsewhere).0, "a t global", "{pragma}");
    }
}

/// A directive that a macro produces may be anywhere.
#[test]
fn directives_of_macros_share_variables() {
    let text = format!("#include <pthread.h>\n#define DO(x) _Pragma(#x)\n{}", BODY.replace("PRAGMA", ""));
    assert_eq!(concurrent(&Options::for_file("f.c"), &text).0, "a t u global s");
}
