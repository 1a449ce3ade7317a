//! Where data lies: layouts of shared memory, as in the table of `docs/placement.md`, and arguments in constant
//! memory.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use chain_tests::{Call, Scratch, driver, root};
use scop::names::without_digest;
use serde_json::Value;

/// Returns the regions of a program of `tests/kernels`, placed with these options, by function.
fn placed(program: &str, options: &[&str]) -> BTreeMap<String, Value> {
    placed_by(driver(), program, options)
}

fn placed_by(driver: Call, program: &str, options: &[&str]) -> BTreeMap<String, Value> {
    let scratch = Scratch::new(&format!("placed_{program}"));
    let output = scratch.at("out.json");
    let call = driver.args(["-q", "--to", "gpulocalizer"]).args(options).arg("-o").arg(&output);
    call.arg(root().join(format!("tests/kernels/{program}.c"))).run().succeeded();
    let document: Value = serde_json::from_str(&fs::read_to_string(&output).unwrap()).unwrap();
    let name = |scop: &Value| {
        let name = without_digest(scop["name"].as_str().unwrap());
        name.replace(&format!("{program}_"), "").replace("_scop0", "")
    };
    document["scops"].as_array().unwrap().iter().map(|scop| (name(scop), scop.clone())).collect()
}

/// Returns the bytes of each shared buffer, by function and array, with the given layout or the best one.
fn bytes(layout: Option<&str>) -> BTreeMap<(String, String), u64> {
    let wish = layout.map(|layout| format!("--layout={layout}"));
    let options = wish.iter().map(String::as_str).chain(["--tile-sizes=16,32,32"]);
    let mut found = BTreeMap::new();
    for (function, scop) in placed("layouts", &options.collect::<Vec<_>>()) {
        for kernel in scop["placement"]["kernels"].as_array().unwrap() {
            let shared = |buffer: &&Value| buffer["memory"] == "shared";
            for buffer in kernel["buffers"].as_array().unwrap().iter().filter(shared) {
                let array = buffer["name"].as_str().unwrap().trim_start_matches("shared_").to_owned();
                let reason = buffer["reason"].as_str().unwrap();
                let bytes = reason.split("; ").find_map(|part| part.strip_suffix(" bytes")).unwrap();
                found.insert((function.clone(), array), bytes.parse().unwrap());
            }
        }
    }
    found
}

#[test]
fn the_table_of_layouts_is_what_the_documents_say() {
    let table = fs::read_to_string(root().join("docs/placement.md")).unwrap();
    let (boxes, dense) = (bytes(Some("box")), bytes(None));
    let mut rows = 0;
    for line in table.lines() {
        let cells: Vec<&str> = line.split('|').map(|cell| cell.trim().trim_matches('`')).collect();
        let [_, function, array, _, box_bytes, dense_bytes, less, _, _] = cells[..] else { continue };
        let key = (function.to_owned(), array.to_owned());
        let (Some(of_box), Some(of_dense)) = (boxes.get(&key), dense.get(&key)) else { continue };
        let percent = 100 - (100 * of_dense).div_ceil(*of_box);
        assert_eq!(
            [box_bytes, dense_bytes, less],
            [format!("{of_box} B"), format!("{of_dense} B"), format!("{percent} %")]
        );
        rows += 1;
    }
    assert_eq!(rows, 6);
}

/// The fields of records are better placed together: everything that is adjacent is copied at once.
#[test]
fn references_side_by_side_share_a_buffer() {
    let scratch = Scratch::new("side_by_side");
    let source = "void forces(int n, double p[restrict n][2], double s[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            s[i] += (p[j][0] - p[i][0]) * (p[j][1] - p[i][1]);
#pragma endscop
}
";
    scratch.write("forces.c", source);
    driver().args(["-q", "forces.c"]).within(scratch.path()).run().succeeded();
    let cuda = scratch.read("forces_gpu.cu");
    let shared: Vec<&str> = cuda.lines().filter_map(|line| line.trim().strip_prefix("__shared__ ")).collect();
    assert_eq!(shared, ["double shared_p[32][2];"]);
}

/// Arrays are in constant memory only if all threads read the same element at a time: as arguments, or as variables
/// if they are too large for that.
#[test]
fn what_threads_read_at_once_is_in_constant_memory() {
    let mut constants = Vec::new();
    for (function, scop) in placed("constants", &[]) {
        for array in scop["placement"]["device"].as_array().unwrap() {
            let Some(memory) = array["memory"].as_str() else { continue };
            let known = scop["arrays"].as_array().unwrap().iter().find(|known| known["id"] == array["array"]);
            constants.push(format!("{function} {} {memory}", known.unwrap()["name"].as_str().unwrap()));
        }
    }
    let wanted = ["blur w argument", "chain w argument", "evaluate c argument"];
    assert_eq!(
        constants,
        [&wanted[..], &["fill t constant", "weigh t constant", "weigh s constant"]].concat()
    );
}

/// Boxes and rings do not need libbarvinok. If the user asks for a dense layout, the message says how to install it.
#[test]
fn without_libbarvinok_nothing_is_dense() {
    let without = || driver().with("C2CUDA_BARVINOK", "/nowhere/libbarvinok.so");
    let program = root().join("tests/kernels/layouts.c");
    let mut layouts = BTreeSet::new();
    for (_, scop) in placed_by(without(), "layouts", &[]) {
        for kernel in scop["placement"]["kernels"].as_array().unwrap() {
            for buffer in kernel["buffers"].as_array().unwrap() {
                layouts.insert(buffer["layout"]["layout"].as_str().unwrap_or("box").to_owned());
            }
        }
    }
    assert_eq!(Vec::from_iter(layouts), ["box", "ring"]);

    let run = |driver: Call| driver.args(["--run", "-q"]).arg(&program).run().succeeded().stdout;
    assert_eq!(run(without()), run(driver()));

    let dense = without().args(["--gpulocalizer-options=--layout dense", "-o", "/nowhere"]).arg(&program);
    let said = dense.run().ended_with(1).stderr;
    assert!(said.contains("E0402") && said.contains("scripts/setup"), "{said}");
    let numbered = without().args(["--gpulocalizer-options=--transfer linearized", "--to", "gpulocalizer"]);
    let said = numbered.args(["-o", "/dev/null"]).arg(&program).run().succeeded().stderr;
    assert!(said.contains("W0401") && said.contains("scripts/setup"), "{said}");
}
