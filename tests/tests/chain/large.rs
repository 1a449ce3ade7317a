//! Regions of many statements and of many loops are translated, or given up with a message, in bounded time.

use std::fmt::Write as _;

use chain_tests::{Call, Scratch, root};

/// Seconds of processor time of each tool.
const LIMIT: &str = "ulimit -t 120";

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

fn translates(name: &str, parameters: &str, region: &str) {
    let scratch = Scratch::new(name);
    scratch
        .write("large.c", &format!("void f({parameters})\n{{\n#pragma scop\n{region}#pragma endscop\n}}\n"));
    let script = format!("{LIMIT}; exec \"$@\"");
    let call = Call::new("bash").args(["-c", script.as_str(), "limited"]).arg(root().join("scripts/c2cuda"));
    let outcome = call.arg("-q").arg("large.c").within(scratch.path()).run();
    match outcome.status {
        0 => assert!(scratch.read("large_gpu.cu").contains("extern \"C\""), "{name}: no function"),
        1 => assert!(outcome.stderr.contains("too complicated"), "{name}: {}", outcome.stderr),
        status => panic!("{name} ends with {status}: {}", outcome.stderr),
    }
}
