//! Regions with many statements or loops are translated, or given up with a message, in bounded time.

use std::fmt::Write as _;

use chain_tests::{Call, Outcome, Scratch, root, tools_folder};

/// The limit for each process, in seconds of processor time. Each tool ends by itself within ten.
const LIMIT: &str = "ulimit -t 12";

#[test]
fn two_hundred_statements() {
    let nest = |k: usize| {
        let [to, one, other] = [k % 5, (k + 1) % 5, (k + 3) % 5];
        format!(
            "for (int i = 1; i < n; i++)\nfor (int j = 1; j < n; j++)\na{to}[i][j] = a{one}[i - 1][j] + a{other}[i][j - 1] * {k};\n"
        )
    };
    let arrays: Vec<String> = (0..5).map(|k| format!("double a{k}[n][n]")).collect();
    translates(
        "statements",
        &format!("int n, {}", arrays.join(", ")),
        &(0..200).map(nest).collect::<String>(),
    );
}

#[test]
fn twelve_loops() {
    let mut text = String::new();
    for k in 0..12 {
        let _ = writeln!(text, "for (int i{k} = 1; i{k} < 4; i{k}++)");
    }
    let element = |shifted: usize| -> String {
        (0..12).map(|k| if k == shifted { format!("[i{k} - 1]") } else { format!("[i{k}]") }).collect()
    };
    let _ = writeln!(text, "a{} = a{} + a{};", element(12), element(0), element(11));
    translates("loops", &format!("float a{}", "[4]".repeat(12)), &text);
}

#[test]
fn four_hundred_loops() {
    let nest = |k: usize| format!("for (int i = 0; i < n; i++)\na[i] = a[i] * {k}.5;\n");
    translates("nests", "int n, double *a", &(0..400).map(nest).collect::<String>());
}

/// Loops with different steps, all on one array.
#[test]
fn thirty_strides() {
    let nest = |k: usize| {
        let (step, own, other) = (k % 5 + 1, k % 3 + 1, k % 4 + 1);
        format!(
            "for (int i = {k}; i < n - {k}; i += {step})\na[{own} * i + {k}] = a[{other} * i + {k} + 3] + 1;\n"
        )
    };
    translates("strides", "int n, double *a", &(0..30).map(nest).collect::<String>());
}

/// Each form of expression, conditions on data, and conditions on iterators, three hundred terms long.
#[test]
fn three_hundred_terms() {
    const TERMS: usize = 300;
    let joined = |term: &dyn Fn(usize) -> String, between: &str| {
        (0..TERMS).map(term).collect::<Vec<_>>().join(between)
    };
    let repeated = |part: &dyn Fn(usize) -> String| joined(part, "");
    let statements = [
        format!("a[i] = {};", joined(&|k| format!("b[i + {k}]"), " + ")),
        format!("a[i] = {};", joined(&|k| format!("c[i + {k}]"), " * ")),
        format!("a[i] = {}0;", repeated(&|k| format!("i == {k} ? {k}.5 : "))),
        format!("a[i] = {}0;", repeated(&|k| format!("b[i] > c[i] + {k} ? {k} : "))),
        format!("a[i] = {}b[i];", repeated(&|_| "(float)(double)".to_owned())),
        format!("a[i] = {}b[i]{};", "fabs(".repeat(200), ")".repeat(200)),
        format!("{}a[i] = 1;", repeated(&|k| format!("if (i != {}) ", 3 * k))),
        format!("{}a[i] = 1;", repeated(&|k| format!("if (b[i] > {k}) "))),
    ];
    for (k, statement) in statements.iter().enumerate() {
        let region = format!("for (int i = 0; i < n; i++)\n{statement}\n");
        let declarations = "double fabs(double);\n";
        is_translated(
            &format!("terms{k}"),
            declarations,
            "int n, double a[n], double b[2 * n], float c[2 * n]",
            &region,
        );
    }
}

/// An expression that is nested more deeply than documents may be is refused at its source line, without a stack
/// overflow.
#[test]
fn thousands_of_terms_are_refused() {
    let terms = |count: usize, term: &str| vec![term; count].join(" + ");
    for statement in [
        format!("a[i] = {};", terms(5000, "b[i]")),
        format!("a[i] = {}b[i];", "- ".repeat(5000)),
        format!("a[i] = {}b[i];", "(float)(double)".repeat(5000)),
        format!("{}a[i] = 1;", "if (b[i] > 0) ".repeat(5000)),
        format!("{}a[i] = 1;", "for (int j = 0; j < b[i]; j++) ".repeat(5000)),
        format!("{} a[i] = 3;", "if (b[i] > 1) a[i] = 2; else ".repeat(5000)),
    ] {
        let region = format!("for (int i = 0; i < n; i++)\n{statement}\n");
        let outcome = translation("deep", "", "int n, double *a, double *b", &region);
        let said: String = outcome.stderr.chars().take(300).collect();
        assert_eq!(outcome.status, 1, "{said}");
        assert!(said.contains("error[E0150]") && said.contains("large.c:"), "{said}");
    }
}

/// Every tool gives up on texts that isl would read for minutes, as it does on regions that take too long. A check
/// that gives up says so with its exit code.
#[test]
fn documents_that_isl_reads_for_minutes() {
    for (document, check, given_up) in [("1-clan-rs.json", None, 1), ("5-cloog-rs.json", Some("--check"), 4)]
    {
        is_read_for_minutes(document, check, given_up);
    }
}

fn is_read_for_minutes(document: &str, check: Option<&str>, given_up: i32) {
    let document = std::fs::read_to_string(root().join("tests/golden/stencil").join(document)).unwrap();
    let bounds = "0 < i <= n and 0 < j <= n";
    assert!(document.contains(bounds));
    let primes = [3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73];
    let moduli = primes.map(|prime| format!(" and i mod {prime} != 1")).concat();
    let digits = format!(" and i < {}", "7".repeat(2_000_000));
    for (more, code, status) in [(moduli, "error[E0016]", given_up), (digits, "error[E0008]", 1)] {
        let scratch = Scratch::new("texts");
        scratch.write("hard.json", &document.replace(bounds, &format!("{bounds}{more}")));
        let call = limited(tools_folder().join("candl-rs")).args(check).arg("hard.json");
        let outcome = call.within(scratch.path()).run();
        assert_eq!(outcome.status, status, "{}", outcome.stderr);
        assert!(outcome.stderr.starts_with(code), "{}", outcome.stderr);
    }
}

fn is_translated(name: &str, declarations: &str, parameters: &str, region: &str) {
    let outcome = translation(name, declarations, parameters, region);
    assert_eq!(outcome.status, 0, "{name}: {}", outcome.stderr);
}

fn translates(name: &str, parameters: &str, region: &str) {
    let outcome = translation(name, "", parameters, region);
    match outcome.status {
        0 => {}
        1 => assert!(outcome.stderr.contains("too complicated"), "{name}: {}", outcome.stderr),
        status => panic!("{name} ends with {status}: {}", outcome.stderr),
    }
}

fn translation(name: &str, declarations: &str, parameters: &str, region: &str) -> Outcome {
    let scratch = Scratch::new(name);
    let text = format!("{declarations}void f({parameters})\n{{\n#pragma scop\n{region}#pragma endscop\n}}\n");
    scratch.write("large.c", &text);
    let call = limited(root().join("scripts/c2cuda"));
    let outcome = call.arg("-q").arg("large.c").within(scratch.path()).run();
    if outcome.status == 0 {
        assert!(scratch.read("large_gpu.cu").contains("extern \"C\""), "{name}: no function");
    }
    outcome
}

fn limited(program: impl AsRef<std::ffi::OsStr>) -> Call {
    let script = format!("{LIMIT}; exec \"$@\"");
    Call::new("bash").args(["-c", script.as_str(), "limited"]).arg(program)
}
