//! Wishes are met exactly, or refused with the reason.

use std::path::PathBuf;

use chain_tests::{Call, Scratch, driver, driver_by_price, gcc, tool};

/// A product of matrices, a stencil, and a vector that all threads read, in two regions.
const PROGRAM: &str = r#"#include <stdio.h>
#include <stdlib.h>

static void product(int n, double A[n][n], double B[n][n], double C[n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                C[i][j] += A[i][k] * B[k][j];
#pragma endscop
}

static void smooth(int n, int steps, double x[n], double y[n], double w[3])
{
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            y[i] = w[0] * x[i - 1] + w[1] * x[i] + w[2] * x[i + 1];
        for (int i = 1; i < n - 1; i++)
            x[i] = y[i];
    }
#pragma endscop
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    double(*A)[n] = malloc(n * sizeof *A), (*B)[n] = malloc(n * sizeof *B), (*C)[n] = malloc(n * sizeof *C);
    double *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y), w[3] = { 0.25, 0.5, 0.25 };
    for (int i = 0; i < n; i++) {
        x[i] = i % 7, y[i] = 0;
        for (int j = 0; j < n; j++)
            A[i][j] = i + 0.5 * j, B[i][j] = j - 0.25 * i, C[i][j] = i * j;
    }
    product(n, A, B, C);
    smooth(n, 3, x, y, w);
    for (int i = 0; i < n; i++) {
        printf("%g %g\n", x[i], y[i]);
        for (int j = 0; j < n; j++)
            printf("%g\n", C[i][j]);
    }
    return 0;
}
"#;

fn program(name: &str) -> (Scratch, PathBuf) {
    let scratch = Scratch::new(name);
    let source = scratch.write("wish.c", PROGRAM);
    (scratch, source)
}

/// Returns the answers to wishes, one a line.
fn answers(options: &[&str]) -> String {
    let (_scratch, source) = program("wishes");
    driver_by_price().args(options).arg("--wishes-answered").arg(source).run().succeeded().stdout
}

/// Returns the messages with which wishes are refused.
fn refused(options: &[&str]) -> String {
    let (scratch, source) = program("wishes");
    let outcome =
        driver_by_price().args(options).arg("-o").arg(scratch.at("out")).arg(source).run().ended_with(1);
    assert!(!scratch.at("out").exists(), "{options:?} left files");
    outcome.stderr
}

#[test]
fn what_is_named_is_met() {
    let cases: [(&[&str], &[&str]); 18] = [
        (&["--tile-sizes", "wish_product_scop0/K0=32,16,8"], &["met in K0: tiles of 32,16,8"]),
        (
            &["--tile-sizes=8", "--tile-sizes=wish_product_scop0/K0=4"],
            &[
                "--tile-sizes 8: overruled in K0: tiles of 4,4,4",
                "K0=4: met in K0: tiles of 4,4,4",
                "--tile-sizes 8: met in K1: tiles of 8",
            ],
        ),
        (&["--tile-sizes=wish_product_scop0/L2=5"], &["met in K0: tiles of 5 along L2"]),
        (
            &["--tile-sizes=wish_product_scop0/K0=16,32", "--block-sizes=wish_product_scop0/K0=8,16"],
            &["met in K0: tiles of 16,32,32", "met in K0: blocks of 8,16"],
        ),
        (
            &["--unroll=8", "--unroll=wish_product_scop0/L2=4"],
            &[
                "--unroll 8: overruled in K0: L2 is unrolled by 4",
                "L2=4: met in K0: L2 is unrolled by 4",
                "--unroll 8: pointless: no thread runs a loop",
            ],
        ),
        (&["--unroll=wish_product_scop0/K0=1"], &["met in K0: L2 is unrolled by 1"]),
        (
            &["--fusion=most", "--fusion=wish_product_scop0=cycles"],
            &[
                "--fusion most: overruled: another wish takes precedence",
                "=cycles: met: isl was asked for fusion of cycles",
                "--fusion most: met: isl was asked for fusion of most",
            ],
        ),
        (&["--axes=wish_product_scop0/K0=x,y"], &["met in K0: the axes x,y"]),
        (
            &["--algorithm=isl-apart", "--algorithm=wish_product_scop0=isl-deep"],
            &[
                "--algorithm isl-apart: overruled: another wish takes precedence",
                "=isl-deep: met: isl, deepest permutable bands",
                "--algorithm isl-apart: met: isl, outermost loops parallel, statements apart",
            ],
        ),
        (&["--memory=C=global"], &["met in K0: `C` is in global memory"]),
        (&["--memory=wish_product_scop0/K0:A=shared"], &["met in K0: `A` is in shared memory"]),
        (
            &["--memory", "w=global", "--avoid", "wish_product_scop0/K0:B=shared", "--turns=never"],
            &["met in K0: `w` is in global memory", "met in K0: `B` is in"],
        ),
        (&["--layout", "A=box", "--layout", "ring"], &["--layout A=box: met in K0: `shared_A` has a box"]),
        (&["--shared-memory", "wish_product_scop0/K0=4000"], &["met in K0: a block has", "would have"]),
        (&["--transfer", "x=per-array"], &["--transfer x=per-array: met: `x`"]),
        (&["--turns=x=always"], &["--turns x=always: met: a variant of the region"]),
        (
            &["--turns=x=never", "--turns=always"],
            &["x=never: met: the region as it is", "--turns always: overruled"],
        ),
        (&["--old-values=never"], &["--old-values never: met: no loop waits only"]),
    ];
    for (options, expected) in cases {
        let found = answers(options);
        for words in expected {
            assert!(found.contains(words), "{options:?}: {words}\n{found}");
        }
    }
    assert_eq!(answers(&[]), "nothing was asked for\n");
}

#[test]
fn what_cannot_be_had_is_refused_with_the_reason() {
    let cases: [(&[&str], [&str; 2]); 22] = [
        (&["--tile-sizes", "K7=8"], ["E0305", "there is no kernel K7"]),
        (&["--tile-sizes", "wish_product_scop0/K0=8,8,8,8"], ["E0305", "it has only 3 tiled loops"]),
        (&["--tile-sizes", "L9=8"], ["E0305", "there is no loop L9: the region has 3"]),
        (&["--tile-sizes", "none/K0=8"], ["E0306", "region `none`, which does not exist"]),
        (&["--block-sizes", "wish_product_scop0/K0=7,7"], ["E0304", "the nearest that do are blocks of"]),
        (&["--fusion", "none=most"], ["E0306", "region `none`, which does not exist"]),
        (
            &["--fusion=most", "--algorithm=source"],
            ["E0305", "`--algorithm` asks for an order of the source"],
        ),
        (&["--algorithm=levels"], ["E0305", "`--algorithm levels` cannot order this region"]),
        (&["--axes=wish_product_scop0/K0=x"], ["E0305", "the axes y,x: 2 loops run in parallel"]),
        (&["--memory", "Z=shared"], ["E0404", "there is no array `Z`: the region has `C`"]),
        (&["--memory", "K9:A=shared"], ["E0404", "there is no kernel K9"]),
        (&["--memory", "C=constant"], ["E0404", "that no kernel writes"]),
        (&["--memory", "A=private"], ["E0404", "elements that belong to one thread each"]),
        (&["--layout", "A=dense"], ["E0404", "if it leaves out gaps"]),
        (&["--layout", "w=ring"], ["E0404", "none of it is in shared memory"]),
        (&["--tile-sizes", "8,0"], ["E0301", "not positive"]),
        (&["--unroll", "0"], ["E0301", "loops are unrolled by 1 to 1024"]),
        (&["--unroll", "wish_smooth_scop0/K0=2"], ["E0305", "no thread of K0 runs a loop"]),
        (&["--old-values", "C=always"], ["E0305", "no loop waits only for reads of old values of it"]),
        (&["--turns", "A=always"], ["E0305", "no loop copies it only for its next iteration"]),
        (&["--turns", "Z=always"], ["E0305", "the region has no such array"]),
        (&["--unroll", "wish_product_scop0/L0=2"], ["E0305", "no thread runs the loop L0"]),
    ];
    for (options, expected) in cases {
        let said = refused(options);
        for words in expected {
            assert!(said.contains(words), "{options:?}: {words}\n{said}");
        }
    }
}

/// A block has at most 64 threads along z, whatever the tiles are.
#[test]
fn blocks_are_no_larger_along_z_than_gpus_allow() {
    let text = "#include <stdio.h>\nstatic double a[300][4][4];\nint main(void)\n{\n    double sum = 0;\n#pragma scop\n    for (int i = 0; i < 300; i++)\n        for (int j = 0; j < 4; j++)\n            for (int k = 0; k < 4; k++)\n                a[i][j][k] = i + j * k;\n#pragma endscop\n    for (int i = 0; i < 300; i++)\n        for (int j = 0; j < 4; j++)\n            for (int k = 0; k < 4; k++)\n                sum += a[i][j][k] * (i + 3 * j + k);\n    printf(\"%a\\n\", sum);\n    return 0;\n}\n";
    let scratch = Scratch::new("along z");
    let source = scratch.write("z.c", text);
    gcc().arg(&source).arg("-o").arg(scratch.at("plain")).run().succeeded();
    let expected = Call::new(scratch.at("plain")).run().succeeded().stdout;
    let tiles = driver().args(["-q", "--run", "--on", "check", "--tile-sizes", "K0=128,4,2"]).arg(&source);
    assert_eq!(tiles.run().succeeded().stdout, expected);
    let blocks = ["--tile-sizes", "K0=128,4,2", "--block-sizes", "K0=128,4,2"];
    let said = driver().args(blocks).arg("-o").arg(scratch.at("out")).arg(&source).run().ended_with(1).stderr;
    assert!(said.contains("error[E0304]") && said.contains("64 along z"), "{said}");
}

/// A wish for all kernels need not be met everywhere, but a warning says where it is not.
#[test]
fn what_some_cannot_meet_is_said() {
    let (scratch, source) = program("wishes");
    let call = driver().args(["-q", "--layout", "ring", "-o"]).arg(scratch.at("out")).arg(source);
    let said = call.run().succeeded().stderr;
    assert!(said.contains("W0404") && said.contains("`--layout ring` is met"), "{said}");
}

/// The wishes of a file are put into the document, where each tool finds its own.
#[test]
fn wishes_come_from_files() {
    let (scratch, source) = program("wishes");
    let file = scratch.write(
        "wishes.json",
        r#"[
  { "region": "wish_product_scop0", "kernel": "K0", "tile_sizes": [16, 16, 4] },
  { "array": "A", "memory": "global" }
]"#,
    );
    let keep = scratch.at("kept");
    let call =
        driver_by_price().arg("--wishes").arg(&file).arg("--keep").arg(&keep).args(["--wishes-answered"]);
    let found = call.arg(&source).run().succeeded().stdout;
    assert!(found.contains("wishes.json, wish 1: met in K0: tiles of 16,16,4"), "{found}");
    assert!(found.contains("wishes.json, wish 2: met in K0: `A` is in global memory"), "{found}");
    let last = keep.join("4-gpulocalizer.json");
    assert_eq!(tool("scop-answers").arg(&last).run().succeeded().stdout, found);
    let kept = tool("scheduler").arg("--tile-sizes=8").arg(keep.join("2-candl-rs.json")).run().succeeded();
    assert!(kept.stdout.contains("\"overruled\""), "the document's wish for one kernel counts");
    for (text, words) in [
        (r#"[{ "kernel": "K0", "tiles": [8] }]"#, "unknown field `tiles`"),
        (
            r#"[{ "region": "f", "tile_sizes": [8] }]"#,
            "the regions are called wish_product_scop0, wish_smooth_scop0",
        ),
        (r#"[{ "loop": "L0", "layout": "box" }]"#, "is for kernels and arrays"),
        ("{", "not a list of wishes"),
    ] {
        scratch.write("wishes.json", text);
        let said = driver_by_price()
            .arg("--wishes")
            .arg(&file)
            .arg("--wishes-answered")
            .arg(&source)
            .run()
            .ended_with(1);
        assert!(said.stderr.contains("E0306") && said.stderr.contains(words), "{text}: {}", said.stderr);
    }
}

/// Wishes change the code, but not the result.
#[test]
fn programs_with_wishes_compute_the_same() {
    let (scratch, source) = program("wishes");
    gcc().arg(&source).arg("-o").arg(scratch.at("plain")).run().succeeded();
    let expected = |size: &str| Call::new(scratch.at("plain")).arg(size).run().succeeded().stdout;
    let options: [&[&str]; 4] = [
        &[
            "--memory=A=global",
            "--memory=w=global",
            "--avoid=private",
            "--tile-sizes=wish_product_scop0/L2=3",
        ],
        &["--memory=B=shared", "--block-sizes=8", "--tile-sizes=16", "--fusion=cycles"],
        &["--unroll=3", "--block-sizes=wish_product_scop0/K0=8", "--tile-sizes=wish_product_scop0/K0=16"],
        &["--memory=w=constant", "--shared-memory=1000", "--tile-sizes=wish_product_scop0/K0=7,9,2"],
    ];
    for options in options {
        for size in ["37", "5"] {
            let call =
                driver().args(options).args(["-q", "--run", "--on", "check"]).arg(&source).args(["--", size]);
            assert_eq!(call.run().succeeded().stdout, expected(size), "{options:?} {size}");
        }
    }
}

/// Wishes for residency and for single copies: their answers or refusals, and the output of the program.
#[test]
fn residency_and_copies_are_forbidden_or_demanded() {
    let met: [(&str, &str); 5] = [
        ("--resident=x=never", "met: `x`:"),
        ("--copy-in=A=always", "met: `A`: the device needs"),
        ("--copy-in=y=always", "met: `y`: the device needs"),
        ("--copy-out=C=always", "met: `C`: kernels may write"),
        (
            "--copy-out=wish_product_scop0/A=never",
            "met: `A`: nothing that kernels write is read after the region",
        ),
    ];
    for (option, expected) in met {
        let found = answers(&[option]);
        assert!(found.contains(expected), "{option}: {found}");
    }
    let not_met: [(&str, &str); 4] = [
        ("--resident=x=always", "because only one run of a region uses it"),
        ("--copy-in=A=never", "kernels read them before they write them"),
        ("--copy-out=C=never", "which may be read after the region"),
        ("--copy-out=A=always", "nothing that kernels write is read after the region"),
    ];
    for (option, expected) in not_met {
        let found = refused(&[option]);
        assert!(found.contains("error[E0404]") && found.contains(expected), "{option}: {found}");
    }
    let (scratch, source) = program("wishes-copies");
    let original = scratch.at("original");
    gcc().args(["-O1", "-ffp-contract=off"]).arg(&source).arg("-o").arg(&original).run().succeeded();
    let expected = Call::new(&original).arg("9").run().succeeded().stdout;
    let wishes = ["--resident=never", "--copy-in=y=always", "--copy-out=x=always", "--copy-out=C=always"];
    let call =
        driver().args(["--run", "--quiet", "--on", "check"]).args(wishes).arg(&source).args(["--", "9"]);
    assert_eq!(call.run().succeeded().stdout, expected);
}

/// What keeps an array from staying on the device although that is demanded, and what stays although boxes would be
/// smaller.
#[test]
fn a_demand_for_residency_names_what_prevents_it() {
    let text = |between: &str| {
        format!(
            "#include <stdlib.h>\nvoid log_step(int t);\nstatic void add(int n, double *u)\n{{\n#pragma scop\n    for (int i = \
             1; i < n - 1; i++)\n        u[i] += 1;\n#pragma endscop\n}}\nint main(int argc, char **argv)\n{{\n    double *u = \
             calloc(argc + 8, 8);\n    {between}\n    return u[1] > 0;\n}}\n"
        )
    };
    let run = |between: &str| {
        let scratch = Scratch::new("wishes-demand");
        let source = scratch.write("demand.c", &text(between));
        let call = driver().args(["--quiet", "--resident=u=always", "-o", "out"]).arg(&source);
        call.within(scratch.path()).run().stderr
    };
    assert_eq!(run("for (int t = 0; t < 9; t++) add(argc + 8, u);"), "");
    let found = run(
        "extern double *known; known = u; for (int t = 0; t < 9; t++) { add(argc + 8, u); if (abs(t) > 3 ? (log_step(t), 1) : 0) break; }",
    );
    assert!(
        found.contains("error[E0404]: residency for `u` cannot be had")
            && found.contains("because line 13 calls `log_step`"),
        "{found}"
    );
}

/// Loops of which some are run by no thread, and sums, so that there are kernels of many kinds.
const PLANNED: &str = "void f(int n, double *restrict x, double *restrict z, double *restrict s, double A[n][n])\n{\n\
    #pragma scop\n\
    for (int i = n - n % 4; i < n; i++)\n z[i] = x[i];\n\
    for (int i = 0; i < n; i++)\n for (int j = 0; j < n; j++)\n s[i] += A[i][j];\n\
    #pragma endscop\n}\n";

/// A plan is met, and with it the same is planned again.
#[test]
fn plans_are_met() {
    let scratch = Scratch::new("plans-met");
    for (name, text) in [("wish", PROGRAM), ("planned", PLANNED)] {
        let source = scratch.write(&format!("{name}.c"), text);
        let planned = |wishes: Option<&PathBuf>| {
            let mut clan = tool("clan-rs").arg(&source).arg("-o").arg(scratch.at("1.json"));
            if let Some(wishes) = wishes {
                clan = clan.arg("--wishes").arg(wishes);
            }
            clan.run().succeeded();
            let candl = tool("candl-rs").arg(scratch.at("1.json")).arg("-o").arg(scratch.at("2.json"));
            candl.run().succeeded();
            tool("scheduler").arg("--plan").arg(scratch.at("2.json")).run().succeeded().stdout
        };
        let plan = planned(None);
        assert!(plan.contains("block_sizes"), "{plan}");
        let wishes = scratch.write("plan.json", &plan);
        assert_eq!(planned(Some(&wishes)), plan, "{name}");
    }
}
