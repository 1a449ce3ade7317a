//! What `candl-rs --check` reports about faulty loop programs. All tests in which the driver delivers code show that
//! it accepts ours.

mod changes;

use chain_tests::{Call, Scratch, driver, tool};
use serde_json::{Value, json};

use crate::expressions::{expression, with_texts, with_trees};

/// Returns the document with the loop program of a source file.
fn scanned(source: &str) -> String {
    scanned_with(source, &[])
}

fn scanned_with(source: &str, options: &[&str]) -> String {
    driver().args(["--to", "cloog-rs"]).args(options).arg(source).run().succeeded().stdout
}

fn check(document: &str) -> Call {
    tool("candl-rs").arg("--check").reading(document)
}

/// Returns a document on one line, with texts for expressions.
fn on_one_line(document: &str) -> String {
    with_texts(document).lines().map(str::trim_start).collect()
}

/// A change of a loop program at one place: the number of the occurrence, the old text, the new text, and the code of
/// the message that it causes.
type Change = (usize, &'static str, &'static str, &'static str);

/// Applies each change alone to the correct loop program of a file, and checks that it is refused.
fn faults_are_found(source: &str, options: &[&str], changes: &[Change]) {
    let document = on_one_line(&scanned_with(source, options));
    let start = document.find("\"ast\"").unwrap();
    for (number, text, replacement, code) in changes {
        let (position, _) = document[start..].match_indices(text).nth(*number).unwrap();
        let mut changed = document.clone();
        changed.replace_range(start + position..start + position + text.len(), replacement);
        let outcome = check(&with_trees(&serde_json::from_str(&changed).unwrap())).run();
        assert_eq!(outcome.status, 1, "{text} #{number} became {replacement}: {}", outcome.stderr);
        let expected = format!("error[{code}]");
        assert!(
            outcome.stderr.contains(&expected),
            "{text} #{number} became {replacement}: {}",
            outcome.stderr
        );
    }
}

/// One point of the matrix for each thread.
const ONE_POINT: &[&str] = &["--scheduler-options", "--tile-sizes 16,32,32"];
const GUARD: &str = "16 * by + ty < n and 32 * bx + tx < m";
const BARRIER: &str = "\"node\": \"barrier\"";
const NOTHING: &str = "\"node\": \"block\", \"children\": []";

#[test]
fn wrong_instances_are_found() {
    faults_are_found(
        "examples/matmul.c",
        ONE_POINT,
        &[
            (1, GUARD, "1 == 1", "E0208"),
            (0, "min(k, 32 * c2 + 32)", "min(k - 1, 32 * c2 + 32)", "E0205"),
            (0, "min(k, 32 * c2 + 32)", "min(k, 32 * c2 + 33)", "E0204"),
            (0, "posdiv(m - 1, 32) + 1", "posdiv(m - 1, 32)", "E0205"),
            (0, "c2 == 0", "1 == 1", "E0204"),
            (0, "c2 == 0", "c2 == floordiv(k - 1, 32)", "E0201"),
        ],
    );
    faults_are_found(
        "examples/lu.c",
        &["--algorithm=isl-outer"],
        &[(0, "c0 < n - 1", "c0 < n - 2", "E0205"), (0, "\"init\": \"0\"", "\"init\": \"1\"", "E0205")],
    );
}

#[test]
fn instances_at_two_places_are_found() {
    let mut document: Value = serde_json::from_str(&scanned_with("examples/matmul.c", ONE_POINT)).unwrap();
    let instance = find(&mut document["scops"][0]["ast"]["body"], "instance").unwrap();
    let twice = json!({ "node": "block", "children": [instance.clone(), instance.clone()] });
    *instance = twice;
    let outcome = check(&document.to_string()).run().ended_with(1);
    assert!(outcome.stderr.contains("error[E0204]"), "{}", outcome.stderr);
}

/// Elements that may be accessed have to be on the device, even if the access is not certain.
#[test]
fn what_may_be_off_the_device_is_found() {
    let scratch = Scratch::new("proof-off-device");
    let text = "double a[100];\nvoid f(int n, const int *restrict c)\n{\n#pragma scop\n\
        for (int i = 0; i < n; i++)\nif (c[i] > 0)\na[i] *= 2.0;\n#pragma endscop\n}\n";
    let document = on_one_line(&scanned(scratch.write("f.c", text).to_str().unwrap()));
    let everywhere = document
        .replace("S0[i] -> A1[i] : i <= 99 }", "S0[i] -> A1[i] }")
        .replace(r#""index": ["tx"]"#, r#""index": ["128 * bx + tx"]"#);
    assert_eq!(
        everywhere.matches("128 * bx + tx\"]").count(),
        document.matches("128 * bx + tx\"]").count() + 2
    );
    let outcome = check(&with_trees(&serde_json::from_str(&everywhere).unwrap())).run().ended_with(1);
    assert!(outcome.stderr.contains("error[E0215]"), "{}", outcome.stderr);
}

/// A block that is wider than the loop program assumes makes nearly everything wrong, but each statement is reported
/// once.
#[test]
fn one_cause_is_one_message() {
    let document = scanned("examples/matmul.c").replacen("\"size\": 16", "\"size\": 21", 1);
    let outcome = check(&document).run();
    let messages = outcome.stderr.lines().filter(|line| line.starts_with("error["));
    let messages: Vec<&str> = messages.collect();
    let [one, other] = &messages[..] else { panic!("{}", outcome.stderr) };
    assert!(one.contains("E0204") && one.contains("S0(") && other.contains("S1("), "{}", outcome.stderr);
}

#[test]
fn missing_barriers_are_found() {
    faults_are_found(
        "examples/matmul.c",
        ONE_POINT,
        &[
            (0, BARRIER, NOTHING, "E0214"),
            (1, BARRIER, NOTHING, "E0214"),
            (0, "c2 < max(1, floordiv(k + 31, 32))", "c2 <= floordiv(k + tx, 32)", "E0209"),
        ],
    );
    faults_are_found("examples/stencil.c", &[], &[(0, BARRIER, NOTHING, "E0203")]);
    faults_are_found(
        "examples/seidel2d.c",
        &[],
        &[(0, BARRIER, NOTHING, "E0214"), (1, BARRIER, NOTHING, "E0203")],
    );
}

#[test]
fn wrong_data_is_found() {
    faults_are_found(
        "examples/matmul.c",
        ONE_POINT,
        &[
            (0, GUARD, "1 == 0", "E0211"),
            (2, GUARD, "1 == 0", "E0212"),
            (0, GUARD, "1 == 1", "E0215"),
            (0, "32 * c2 + tx < k", "32 * c2 + tx < k - 1", "E0211"),
            (0, "c5 - 32 * c2", "c5 - 32 * c2 + 1", "E0210"),
            (0, "\"32 * c2 + c3\"", "\"32 * c2 + c3 + 1\"", "E0213"),
            (0, "\"to_device\": true", "\"to_device\": false", "E0216"),
            (0, "\"to_device\": false", "\"to_device\": true", "E0216"),
            (0, WRITTEN_TO_BUFFER, WRITTEN_PAST_BUFFER, "E0217"),
        ],
    );
}

const READ_FROM_BUFFER: &str = concat!(
    r#""access": "a4","buffer": "B0","#,
    r#""index": ["2 * ty + 16 * c0 + tx - c3 + 10","2 * tx + 16 * c0 - c3 + 25"]"#
);
const READ_PAST_BUFFER: &str =
    r#""access": "a4","index": ["2 * ty + 16 * bx + 16 * c0 + tx - c3","2 * tx + 32 * c0 - 32 * bx - c3"]"#;
const WRITTEN_TO_BUFFER: &str = r#""access": "a2","buffer": "B0","index": []"#;
const WRITTEN_PAST_BUFFER: &str = r#""access": "a2","index": ["16 * by + ty","32 * bx + tx"]"#;

/// The first row and column are copied to the device, and the rest is copied back.
#[test]
fn wrong_boxes_are_found() {
    let inside = r#""lower": ["1","1"],"extent": ["n","n"]"#;
    faults_are_found(
        "examples/stencil.c",
        &[],
        &[
            (0, r#""extent": ["n","1"]"#, r#""extent": ["n - 1","1"]"#, "E0216"),
            (0, r#""lower": ["0","1"]"#, r#""lower": ["0","2"]"#, "E0216"),
            (0, inside, r#""lower": ["1","1"],"extent": ["n","n - 1"]"#, "E0216"),
            (0, inside, r#""lower": ["0","0"],"extent": ["n + 1","n + 1"]"#, "E0216"),
            (0, inside, r#""lower": ["1","1"],"extent": ["n","n + 1"]"#, "E0215"),
        ],
    );
}

/// One element is copied from the device before host code, and one to the device after it.
#[test]
fn wrong_parts_are_found() {
    let element = r#""part": {"lower": ["c0","c0"],"extent": ["1","1"]}"#;
    let next = r#""part": {"lower": ["c0","c0 + 1"],"extent": ["1","1"]}"#;
    let none = r#""part": {"lower": ["c0","c0"],"extent": ["1","0"]}"#;
    let outside = r#""part": {"lower": ["c0","c0"],"extent": ["1","n"]}"#;
    faults_are_found(
        "tests/kernels/host_code.c",
        &[],
        &[
            (0, element, next, "E0216"),
            (0, element, none, "E0216"),
            (1, element, next, "E0216"),
            (1, element, none, "E0216"),
            (0, element, outside, "E0215"),
            (1, element, outside, "E0215"),
        ],
    );
}

/// A transfer must not overwrite newer values, even if all values that are used are transferred.
#[test]
fn transfers_of_old_values_are_found() {
    let pivot = r#""part": {"lower": ["c0","c0"],"extent": ["1","1"]}"#;
    let row = r#""part": {"lower": ["c0","0"],"extent": ["1","c0 + 1"]}"#;
    let (between, nothing) =
        (r#""lower": ["3"],"extent": ["2 * n - 5"]"#, r#""lower": ["3"],"extent": ["0"]"#);
    let wide = r#""lower": ["0","c0","c0"],"extent": ["n","1","n - c0 + 1"]"#;
    let narrow = r#""lower": ["0","c0","c0"],"extent": ["n","1","n - c0"]"#;
    faults_are_found(
        "tests/kernels/host_code.c",
        &[],
        &[(1, pivot, row, "E0220"), (0, between, nothing, "E0220"), (0, wide, narrow, "E0220")],
    );
    // More may be copied from the device if the values on both sides are equally new.
    let document = on_one_line(&scanned("tests/kernels/host_code.c")).replacen(pivot, row, 1);
    check(&with_trees(&serde_json::from_str(&document).unwrap())).run().succeeded();
}

/// If the host may or may not write an element, its older value has to be on the host.
#[test]
fn what_may_not_be_written_has_to_come_home_first() {
    let scratch = Scratch::new("proof-may");
    let text = "void f(int n, long double x, double *restrict a, const double *restrict c)\n{\n#pragma scop\n\
        for (int t = 0; t < n; t++) {\nfor (int i = 0; i < n; i++)\na[i] = a[i] * 0.5 + t;\n\
        for (int i = 0; i < n; i++)\nif (c[i] > 0)\na[i] = (double)(x * c[i]);\n\
        for (int i = 0; i < n; i++)\na[i] = a[i] + 2;\n}\n#pragma endscop\n}\n";
    let source = scratch.write("f.c", text);
    let home = r#""to_device": false,"part": {"lower": ["0"],"extent": ["n"]}"#;
    let nothing = r#""to_device": false,"part": {"lower": ["0"],"extent": ["0"]}"#;
    faults_are_found(source.to_str().unwrap(), &[], &[(0, home, nothing, "E0220")]);
}

/// If there are threads, only elements that the region certainly uses may be copied back.
#[test]
fn what_comes_home_over_the_values_of_other_threads_is_found() {
    let scratch = Scratch::new("proof-threads");
    let text = "#include <pthread.h>\nvoid f(int n, double a[n][n])\n{\n#pragma scop\n\
        for (int i = 0; i < n; i++)\nfor (int j = 1; j < n - 1; j++)\na[i][j] *= 2;\n#pragma endscop\n}\n";
    let source = scratch.write("f.c", text);
    let inside = r#""lower": ["0","1"],"extent": ["n","n - 2"]"#;
    let all = r#""lower": ["0","0"],"extent": ["n","n"]"#;
    faults_are_found(source.to_str().unwrap(), &[], &[(1, inside, all, "E0220")]);
}

const REGISTER: &str = r#""index": ["c4","c5"]"#;
const OTHER_REGISTER: &str = r#""index": ["c5","c4"]"#;

/// Each thread has four by four points of the matrix, in registers.
#[test]
fn faults_in_register_tiles_are_found() {
    let last_row = "c4 <= floordiv(n - ty - 1, 16) - 4 * by";
    let row = "c2 <= floordiv(n - ty - 1, 16)";
    faults_are_found(
        "examples/matmul.c",
        &[],
        &[
            (0, row, "c2 < floordiv(n - ty - 1, 16)", "E0211"),
            (1, row, "c2 < floordiv(n - ty - 1, 16)", "E0212"),
            (1, "c4 < 4", "c4 < 3", "E0205"),
            (0, last_row, "c4 <= 3", "E0208"),
            (5, REGISTER, OTHER_REGISTER, "E0210"),
            (0, r#""place": ["c2","c3"]"#, r#""place": ["c2","0"]"#, "E0213"),
            (0, r#""place": ["c2","c3"]"#, r#""place": ["c2","c3 + 1"]"#, "E0218"),
        ],
    );
}

/// Full tiles have nests of their own, next to those with all conditions.
#[test]
fn faults_in_specialised_nests_are_found() {
    let full = "floordiv(n - ty - 1, 16) - 4 * by >= 3 and floordiv(m - tx - 1, 16) - 4 * bx >= 3";
    let row = r#""iterators": ["64 * by + 16 * c4 + ty""#;
    faults_are_found(
        "examples/matmul.c",
        &[],
        &[
            (0, full, "1 == 1", "E0222"),
            (1, full, "floordiv(n - ty - 1, 16) - 4 * by >= 3", "E0222"),
            (0, "- 4 * by >= 3", "- 4 * by >= 2", "E0222"),
            (1, "- 4 * bx >= 3", "- 4 * by >= 3", "E0222"),
            (1, "k >= 1", "1 == 1", "E0222"),
            (0, "c4 < 4", "c4 < 3", "E0222"),
            (0, "c4 < 4", "c4 < 5", "E0222"),
            (0, "max(1, 16 * c2)", "max(2, 16 * c2)", "E0222"),
            (0, "min(k, 16 * c2 + 16)", "min(k, 16 * c2 + 17)", "E0222"),
            (1, REGISTER, OTHER_REGISTER, "E0222"),
            (0, row, r#""iterators": ["64 * by + 16 * c4 + ty + 1""#, "E0222"),
            (0, r#""index": ["16 * c4 + ty","0"]"#, r#""index": ["16 * c4 + ty","1"]"#, "E0222"),
        ],
    );
}

/// Nests that contain copies and barriers: the parts between two of these are compared, in a document with two equal
/// nests.
#[test]
fn nests_with_barriers_are_compared() {
    let mut document: Value = serde_json::from_str(&scanned_with("examples/matmul.c", ONE_POINT)).unwrap();
    let steps = find(&mut document["scops"][0]["ast"]["body"], "for").unwrap();
    let general = steps.clone();
    *steps = json!({ "node": "specialised", "guard": [">=", "n", 100], "specialised": general, "general": general });
    check(&document.to_string()).run().succeeded();
    let refused = |change: &dyn Fn(&mut Value), code: &str| {
        let mut document = document.clone();
        change(find(&mut document["scops"][0]["ast"]["body"], "specialised").unwrap());
        let outcome = check(&document.to_string()).run();
        let found = outcome.status == 1 && outcome.stderr.contains(&format!("error[{code}]"));
        assert!(found, "{code}: {}", outcome.stderr);
    };
    let gone = || json!({ "node": "block", "children": [] });
    refused(&|nests| nests["guard"] = expression("tx >= 5"), "E0209");
    refused(&|nests| nests["guard"] = expression("32 * bx + tx < m"), "E0209");
    refused(&|nests| *find(&mut nests["specialised"], "barrier").unwrap() = gone(), "E0222");
    refused(&|nests| *find(&mut nests["specialised"], "copy").unwrap() = gone(), "E0222");
    refused(&|nests| find(&mut nests["specialised"], "copy").unwrap()["place"][0] = json!("tx"), "E0222");
    refused(
        &|nests| find(&mut nests["specialised"], "copy").unwrap()["element"][0] = expression("16 * by"),
        "E0222",
    );
    let without_column = |nests: &mut Value| {
        let (both, one) = (expression(GUARD).to_string(), expression("16 * by + ty < n").to_string());
        let text = nests["specialised"].to_string().replacen(&both, &one, 1);
        nests["specialised"] = serde_json::from_str(&text).unwrap();
    };
    refused(&without_column, "E0222");
    refused(&|nests| nests["specialised"]["body"]["children"].as_array_mut().unwrap().swap(0, 1), "E0222");
    // A fault in the general nest is found as if there were no other nest.
    refused(&|nests| *find(&mut nests["general"], "barrier").unwrap() = gone(), "E0214");
}

/// Returns the first node of a kind in a part of a loop program.
fn find<'a>(node: &'a mut Value, kind: &str) -> Option<&'a mut Value> {
    if node["node"] == kind {
        return Some(node);
    }
    match node {
        Value::Array(values) => values.iter_mut().find_map(|value| find(value, kind)),
        Value::Object(values) => values.values_mut().find_map(|value| find(value, kind)),
        _ => None,
    }
}

/// The elements that a tile writes are in shared memory, and are copied back from there.
#[test]
fn faults_in_written_buffers_are_found() {
    let every_row = r#""increment": "16""#;
    faults_are_found(
        "examples/seidel2d.c",
        &[],
        &[
            (0, "c1 <= min(26,", "c1 <= min(25,", "E0211"),
            (0, "c1 + 32, 52 - c1)", "41)", "E0219"),
            (0, "c1 <= min(25,", "c1 <= min(24,", "E0212"),
            (0, "c1 + 30, 50 - c1)", "41)", "E0219"),
            (3, every_row, r#""increment": "8""#, "E0214"),
            (0, READ_FROM_BUFFER, READ_PAST_BUFFER, "E0217"),
            (0, "c3 < min(481,", "c3 < min(400,", "E0205"),
            (0, "c1 <= min(25,", "c1 <= min(0,", "E0212"),
        ],
    );
}

/// The message contains the line of the source and an instance.
#[test]
fn messages_show_an_instance() {
    let document = on_one_line(&scanned_with("examples/matmul.c", ONE_POINT));
    let changed = document.replacen("min(k, 32 * c2 + 32)", "min(k - 1, 32 * c2 + 32)", 1);
    let said = check(&with_trees(&serde_json::from_str(&changed).unwrap())).run().ended_with(1).stderr;
    assert!(said.contains("never runs (n = 1, m = 1, k = 1)"), "{said}");
    assert!(said.contains("S1(i = 0, j = 0, l = 0)") && said.contains("examples/matmul.c:"), "{said}");
}

/// The loops that unpack numbered elements copy back all that are needed. isl's generator once lost one.
#[test]
fn elements_that_are_not_unpacked_are_missed() {
    let scratch = chain_tests::Scratch::new("unpacked");
    let source = scratch.write(
        "f.c",
        "void f(int n, double *a)\n{\n#pragma scop\n    for (int i = 0; i < n; i++)\n        a[3 * i] = i;\n#pragma endscop\n}\n",
    );
    let call =
        chain_tests::driver().args(["--to", "cloog-rs", "--gpulocalizer-options", "--transfer linearized"]);
    let text = call.arg(&source).run().succeeded().stdout;
    let mut document: serde_json::Value = serde_json::from_str(&text).unwrap();
    let check = |document: &serde_json::Value| {
        let path = scratch.write("f.json", &document.to_string());
        chain_tests::tool("candl-rs").arg("--check").arg(path).run()
    };
    check(&document).succeeded();
    let packing = &mut document["scops"][0]["ast"]["arrays"][0]["packing"];
    assert!(packing["from_device"].is_object(), "{text}");
    packing["from_device"] = serde_json::json!({ "node": "block", "children": [] });
    assert!(check(&document).ended_with(1).stderr.contains("error[E0216]"));
}
