//! Small scanned documents, written by hand, and the files generated from them.
//!
//! `UPDATE_GOLDEN=1 cargo test -p cudagen` writes the expected files. Review the differences before you commit them.

mod document;
mod host_parts;
mod samples;
mod sources;
mod table;

use std::path::Path;

use crate::{Target, run};
use document::*;
use samples::*;
use scop::ast::expression::replace;
use scop::ast::tree::map_expressions;
use scop::ast::{ArraySlice, AstExpr, AstOp, Node};
use scop::*;

/// In a kernel, nvcc may see a loop bound that is the minimum of two expressions, but not of three.
#[test]
fn ends_at_the_smallest_of_three_are_hidden() {
    let text = |end: &AstExpr| {
        let document = matmul();
        let rest = op(AstOp::Sub, name("n"), op(AstOp::Mul, int(16), name("c2")));
        let old = op(AstOp::Min, int(16), rest);
        let body = map_expressions(document.body, &|expr| replace(expr, &old, end));
        let program = Document { body, ..document }.program();
        run(program, MATMUL.as_bytes(), Target::Cuda, false).unwrap().value.kernels
    };
    let two = op(AstOp::Min, int(16), name("n"));
    let seen = text(&two);
    assert!(seen.contains("for (int c3 = 0; c3 < min(16, n); c3++)"), "{seen}");
    assert!(!seen.contains("cuda_bound"), "{seen}");
    let hidden = text(&op(AstOp::Min, two, name("bx")));
    assert!(
        hidden.contains(
            "for (int c3 = 0, cuda_end_c3 = cuda_bound(min(min(16, n), bx)); c3 < cuda_end_c3; c3++)"
        ),
        "{hidden}"
    );
    assert!(hidden.contains("static __device__ inline int cuda_bound(int bound)"), "{hidden}");
}

#[track_caller]
fn assert_golden(file: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(file);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, text).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(text, expected, "{file} is not as expected; UPDATE_GOLDEN=1 renews it");
}

#[test]
fn what_is_generated_is_as_expected() {
    for document in [matmul, smooth, fill] {
        let (name, source) = (document().name, document().source);
        let in_language = |target| run(document().program(), source.as_bytes(), target, false).unwrap().value;
        let (generated, hip) = (in_language(Target::Cuda), in_language(Target::Hip));
        assert_eq!(generated.name, name);
        assert_golden(&format!("{name}_host.c"), std::str::from_utf8(&generated.host).unwrap());
        assert_golden(&format!("{name}_gpu.cu"), &generated.kernels);
        assert_golden(&format!("{name}_gpu.h"), &generated.header);
        assert_golden(&format!("{name}_gpu.hip"), &hip.kernels);
        assert_eq!(generated.host, hip.host);
        assert_eq!(generated.header, hip.header);
    }
}

#[test]
fn a_source_that_changed_is_refused() {
    let error = run(fill().program(), b"int main(void) { return 0; }", Target::Cuda, false).unwrap_err();
    assert_eq!(error.0[0].code, "E0601");
}

#[test]
fn long_double_in_a_kernel_is_refused() {
    let mut document = fill();
    document.arrays[0].element = CType::LongDouble;
    let error = run(document.program(), FILL.as_bytes(), Target::Cuda, false).unwrap_err();
    assert_eq!(error.0[0].code, "E0602");
}

#[test]
fn loops_beyond_64_bits_are_refused() {
    let mut document = fill();
    document.body = count("c0", op(AstOp::Add, int(i64::MAX), int(i64::MAX)), document.body);
    let error = run(document.program(), FILL.as_bytes(), Target::Cuda, false).unwrap_err();
    assert_eq!(error.0[0].code, "E0603");
}

#[test]
fn too_much_shared_memory_is_refused() {
    let mut document = matmul();
    document.buffers[0].sizes = vec![512, 512];
    let error = run(document.program(), MATMUL.as_bytes(), Target::Cuda, false).unwrap_err();
    assert_eq!(error.0[0].code, "E0606");
}

#[test]
fn much_shared_memory_is_asked_for_at_the_launch() {
    let mut document = matmul();
    document.buffers[0].sizes = vec![128, 128];
    let kernels = run(document.program(), MATMUL.as_bytes(), Target::Cuda, false).unwrap().value.kernels;
    for words in [
        "extern __shared__ __align__(16) unsigned char shared_memory[];",
        "[128])shared_memory;",
        "cudaFuncAttributeMaxDynamicSharedMemorySize",
    ] {
        assert!(kernels.contains(words), "{words} is not in\n{kernels}");
    }
}

#[test]
fn a_program_without_kernels_stays_as_it_is() {
    let mut document = fill();
    document.body = block(Vec::new());
    let generated = run(document.program(), FILL.as_bytes(), Target::Cuda, false).unwrap().value;
    let expected = format!("#include \"fill_gpu.h\"\n#line 1 \"src/fill.c\"\n{FILL}");
    assert_eq!(generated.host, expected.into_bytes());
    assert!(!generated.kernels.contains("cuda_check"));
}
