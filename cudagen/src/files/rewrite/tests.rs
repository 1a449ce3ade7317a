use super::*;
use scop::{IslSchedule, IslSet, Loop, LoopId, Position, SourceRange, Statement, StatementId};

fn range(start: usize, end: usize) -> SourceRange {
    SourceRange { start: start as u32, end: end as u32, line: 1, column: 1 }
}

fn model() -> Model {
    let loops = ["i", "j"].into_iter().zip(0..).map(|(name, number): (&str, u32)| Loop {
        id: LoopId(number),
        iterator: name.to_owned(),
        ctype: CType::Int,
        parent: number.checked_sub(1).map(LoopId),
        range: None,
    });
    let statement = Statement {
        id: StatementId(0),
        loops: vec![LoopId(0), LoopId(1)],
        domain: IslSet(String::new()),
        accesses: Vec::new(),
        body: Vec::new(),
        range: range(0, 0),
        text: String::new(),
    };
    Model {
        name: "f".to_owned(),
        parameters: Vec::new(),
        context: IslSet("{ : }".to_owned()),
        assumptions: None,
        loops: loops.collect(),
        independent: Vec::new(),
        wishes: Vec::new(),
        arrays: Vec::new(),
        statements: vec![statement],
        order: IslSchedule(String::new()),
        extensions: Vec::new(),
    }
}

fn of() -> Source {
    let (path, language) = ("x.c".to_owned(), "c".to_owned());
    Source { path, language, hash: String::new(), regions: Vec::new(), lines: Vec::new() }
}

fn rewritten(source: &str, may_decline: bool) -> String {
    let argument = HostArgument {
        ctype: CType::Int,
        shape: Shape::Pointer,
        name: "A".to_owned(),
        value: "a".to_owned(),
    };
    with_arguments(source, may_decline, vec![argument], false)
}

fn with_arguments(
    source: &str,
    may_decline: bool,
    arguments: Vec<HostArgument>,
    is_verified: bool,
) -> String {
    let start = source.find("#pragma scop").unwrap();
    let end = source.find("endscop").unwrap() + "endscop".len();
    let region =
        Region { function: "g".to_owned(), range: range(start, end), last_line: None, macros: Vec::new() };
    let function = Interface { name: "f".to_owned(), arguments, may_decline, sizes: Vec::new(), is_verified };
    let called = vec!["twice"];
    let called = if source.contains("twice") { called } else { Vec::new() };
    let replacement = Replacement {
        region: &region,
        model: &model(),
        function: &function,
        called,
        before_original: Vec::new(),
    };
    let text = rewrite(&of(), source.as_bytes(), "x_gpu.h", &[replacement], &[]);
    String::from_utf8(text.unwrap()).unwrap()
}

#[test]
fn a_region_becomes_a_call() {
    let source = "{\n  #pragma scop\n  for (int i = 0; i < 9; i++) a[i] = 0;\n  #pragma endscop\n}\n";
    let expected = "#include \"x_gpu.h\"\n#line 1 \"x.c\"\n{\n  f(a);\n#line 5 \"x.c\"\n}\n";
    assert_eq!(rewritten(source, false), expected);
}

#[test]
fn comparisons_keep_the_values_of_numbers() {
    let number = |name: &str, ctype: CType| HostArgument {
        ctype,
        shape: Shape::Value,
        name: name.to_owned(),
        value: format!("p->{name}"),
    };
    let arguments = vec![number("n", CType::Long), number("x", CType::Double)];
    let source = "{\n#pragma scop\n  x;\n#pragma endscop\n}\n";
    let text = with_arguments(source, true, arguments, true);
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let place = |line: &str| lines.iter().position(|other| *other == line).expect(line);
    let region = place("#pragma scop");
    assert!(place("const long c2cuda_value0 = p->n;") < region, "{text}");
    assert!(place("const double c2cuda_value1 = p->x;") < region, "{text}");
    assert!(place("f(c2cuda_value0, c2cuda_value1);") > region, "{text}");
    assert_eq!(text.matches("p->").count(), 2, "{text}");
}

#[test]
fn iterators_from_outside_are_mentioned() {
    let source =
        "int i, j;\n#pragma scop\n\tfor (i = 0; i < 9; i++)\n\t\tfor (int j = 0;;) ;\n#pragma endscop\n";
    let expected = "#include \"x_gpu.h\"\n#line 1 \"x.c\"\nint i, j;\n\tf(a), (void)i;\n";
    assert_eq!(rewritten(source, false), expected);
}

#[test]
fn functions_that_regions_call_are_mentioned() {
    let source = "#pragma scop\n  twice(1);\n#pragma endscop\n";
    assert!(rewritten(source, false).contains("f(a), (void)twice;"), "{}", rewritten(source, false));
    assert!(!rewritten(source, true).contains("(void)"), "{}", rewritten(source, true));
}

fn place(source: &str, part: &str) -> SourceRange {
    let start = source.find(part).unwrap();
    range(start, start + part.len())
}

#[test]
fn the_base_file_is_the_source() {
    let text = rewrite(&of(), b"f(__BASE_FILE__);\n", "x_gpu.h", &[], &[]).unwrap();
    let text = String::from_utf8(text).unwrap();
    assert!(text.contains("#undef __BASE_FILE__\n#define __BASE_FILE__ \"x.c\"\n"), "{text}");
    assert!(text.ends_with("#line 1 \"x.c\"\nf(__BASE_FILE__);\n"), "{text}");
    let plain = rewrite(&of(), b"f();\n", "x_gpu.h", &[], &[]).unwrap();
    assert_eq!(String::from_utf8(plain).unwrap(), "#include \"x_gpu.h\"\n#line 1 \"x.c\"\nf();\n");
}

/// Calls at a part of a source: the part, the position, the calls before it and those after it.
type Calls<'a> = (&'a str, Position, &'a [&'a str], &'a [&'a str]);

fn additions(source: &str, calls: &[Calls<'_>]) -> Vec<Addition> {
    let all = |calls: &[&str]| calls.iter().map(|call| format!("{call}()")).collect();
    let calls = calls.iter().map(|(part, position, before, after)| Addition {
        range: place(source, part),
        position: *position,
        is_region: part.starts_with("#pragma scop"),
        before: all(before),
        after: all(after),
    });
    calls.collect()
}

fn with_calls(source: &str, calls: &[Calls<'_>]) -> String {
    let text = rewrite(&of(), source.as_bytes(), "x_gpu.h", &[], &additions(source, calls)).unwrap();
    let text = String::from_utf8(text).unwrap();
    text.strip_prefix("#include \"x_gpu.h\"\n#line 1 \"x.c\"\n").unwrap_or(&text).to_owned()
}

use Position::{Alone, Expression, Statement as InBlock};

#[test]
fn calls_stand_before_and_after_statements() {
    let source = "{\n  for (;;) {\n    x;\n  } // last\n  y ;\n\tz = 1;\n}\n";
    let calls: [Calls<'_>; 3] = [
        ("for (;;) {\n    x;\n  }", InBlock, &["f", "g"], &["h"]),
        ("y", InBlock, &[], &["i"]),
        ("z = 1", InBlock, &["j"], &["k"]),
    ];
    let expected = "{\n  f();\n  g();\n#line 2 \"x.c\"\n  for (;;) {\n    x;\n  } // last\n  h();\n\
                    #line 5 \"x.c\"\n  y ;\n  i();\n\tj();\n#line 6 \"x.c\"\n\tz = 1;\n\tk();\n\
                    #line 7 \"x.c\"\n}\n";
    assert_eq!(with_calls(source, &calls), expected);
}

#[test]
fn calls_between_other_code_stay_in_its_line() {
    for (source, part, position, expected) in [
        ("{ x; y; }\n", "y", InBlock, "{ x; f(); y; g(); }\n"),
        ("if (c) x; else y;\n", "x", Alone, "if (c) { f(); x; g(); } else y;\n"),
        ("if (c) x; else y;\n", "y", Alone, "if (c) x; else { f(); y; g(); }\n"),
        ("do x; while (c);\n", "x", Alone, "do { f(); x; g(); } while (c);\n"),
        ("for (;;)\n  x /* ; */ ; // x\n", "x", Alone, "for (;;)\n  { f(); x /* ; */ ; g(); } // x\n"),
        ("x; // c \\\nd\n", "x", InBlock, "f();\n#line 1 \"x.c\"\nx; g(); // c \\\nd\n"),
    ] {
        let text = with_calls(source, &[(part, position, &["f"], &["g"])]);
        assert_eq!(text, expected, "{source}");
    }
}

#[test]
fn expressions_follow_calls() {
    let source = "while (a[i] > 0)\n  return b ? c : d;\n";
    let calls: [Calls<'_>; 2] = [("a[i] > 0", Expression, &["f", "g"], &[]), ("c", Expression, &["h"], &[])];
    assert_eq!(with_calls(source, &calls), "while ((f(), g(), a[i] > 0))\n  return b ? (h(), c) : d;\n");
}

/// Calls for one piece of code may lie within those for another; code that begins or ends at the same place is nested.
#[test]
fn calls_lie_within_each_other() {
    let source = "if (c)\n  while (x)\n    y;\nz;\n";
    let calls: [Calls<'_>; 5] = [
        ("x", Expression, &["f"], &[]),
        ("y", Alone, &["g"], &["h"]),
        ("y", Expression, &["i"], &[]),
        ("while (x)\n    y", Alone, &["j"], &["k"]),
        ("if (c)\n  while (x)\n    y", InBlock, &["l"], &["m"]),
    ];
    let expected = "l();\n#line 1 \"x.c\"\nif (c)\n  { j(); while ((f(), x))\n    { g(); (i(), y); h(); } k(); }\n\
                    m();\n#line 4 \"x.c\"\nz;\n";
    assert_eq!(with_calls(source, &calls), expected);
}

#[test]
fn calls_keep_pragmas_with_their_loops() {
    let source = "{\n#pragma endscop\n#pragma omp simd\n  # pragma GCC ivdep\n  for (;;) x;\n}\n";
    let expected = "{\n#pragma endscop\n  f();\n#line 3 \"x.c\"\n#pragma omp simd\n  # pragma GCC ivdep\n  for (;;) x;\n}\n";
    assert_eq!(with_calls(source, &[("for (;;) x", InBlock, &["f"], &[])]), expected);
}

#[test]
fn calls_end_their_lines_as_the_source_does() {
    let source = "{\r\n  x;\r\n  if (c)\r\n    y;\r\n}\r\n";
    let calls: [Calls<'_>; 2] = [("x", InBlock, &["f"], &["g"]), ("y", Alone, &["h"], &[])];
    let text = with_calls(source, &calls);
    let expected = "{\r\n  f();\r\n#line 2 \"x.c\"\r\n  x;\r\n  g();\r\n#line 3 \"x.c\"\r\n  if (c)\r\n    { h(); y; }\r\n}\r\n";
    assert_eq!(text, format!("#include \"x_gpu.h\"\r\n#line 1 \"x.c\"\r\n{expected}"));
}

#[test]
fn calls_stand_around_regions() {
    let region = "#pragma scop\n    x;\n    #pragma endscop";
    let source = format!("{{\n  if (n)\n    {region}\n  y;\n}}\n");
    let at_region = |position| additions(&source, &[(region, position, &["f"][..], &["g"][..])]);
    let original = rewrite(&of(), source.as_bytes(), "x_gpu.h", &[], &at_region(Alone)).unwrap();
    let expected = "#include \"x_gpu.h\"\n#line 1 \"x.c\"\n{\n  if (n)\n    {\n        f();\n#line 3 \"x.c\"\n    #pragma scop\n    x;\n    \
                    #pragma endscop\n        g();\n    }\n#line 6 \"x.c\"\n  y;\n}\n";
    assert_eq!(String::from_utf8(original).unwrap(), expected);
    let range = place(&source, region);
    let region = Region { function: "h".to_owned(), range, last_line: None, macros: Vec::new() };
    let function = Interface { name: "h".to_owned(), ..Interface::default() };
    let replaced = |position| {
        let (called, before_original) = (Vec::new(), Vec::new());
        let replacement =
            Replacement { region: &region, model: &model(), function: &function, called, before_original };
        let text =
            rewrite(&of(), source.as_bytes(), "x_gpu.h", &[replacement], &at_region(position)).unwrap();
        String::from_utf8(text).unwrap()
    };
    let text = |lines: &str| {
        format!("#include \"x_gpu.h\"\n#line 1 \"x.c\"\n{{\n  if (n)\n{lines}#line 6 \"x.c\"\n  y;\n}}\n")
    };
    assert_eq!(replaced(Alone), text("    {\n        f();\n    h();\n        g();\n    }\n"));
    assert_eq!(replaced(InBlock), text("    f();\n    h();\n    g();\n"));
}

/// A region that clan-rs found by itself may begin within a line.
#[test]
fn calls_stand_around_regions_within_lines() {
    let source = "if (n) for (;;) x; else y;\n";
    let mut around = additions(source, &[("for (;;) x;", Alone, &["f"], &["g"])]);
    around[0].is_region = true;
    let text = rewrite(&of(), source.as_bytes(), "x_gpu.h", &[], &around).unwrap();
    let text = String::from_utf8(text).unwrap();
    assert!(text.ends_with("if (n) { f(); for (;;) x; g(); } else y;\n"), "{text}");
}

#[test]
fn calls_that_cannot_be_added_are_bugs() {
    let source = "{\n#pragma scop\n  x;\n#pragma endscop\n}\n";
    let rewritten =
        |calls: &[Calls<'_>]| rewrite(&of(), source.as_bytes(), "", &[], &additions(source, calls));
    assert!(rewritten(&[("x", Position::Fixed, &["f"], &[])]).is_err());
    assert!(rewritten(&[("x", Expression, &[], &["f"])]).is_err());
    assert!(rewritten(&[("x", Expression, &["f"], &[])]).is_ok());
    let range = place(source, "#pragma scop\n  x;\n#pragma endscop");
    let region = Region { function: "h".to_owned(), range, last_line: None, macros: Vec::new() };
    let (called, before_original) = (Vec::new(), Vec::new());
    let replacement = Replacement {
        region: &region,
        model: &model(),
        function: &Interface::default(),
        called,
        before_original,
    };
    let inside = additions(source, &[("x", InBlock, &["f"], &[])]);
    assert!(rewrite(&of(), source.as_bytes(), "", &[replacement], &inside).is_err());
}

/// The caller itself decides that the original code runs if a structure has another size than the document says.
#[test]
fn original_code_follows_its_calls() {
    let source = "{\n  #pragma scop\n  x;\n  #pragma endscop\n}\n";
    let range = place(source, "#pragma scop\n  x;\n  #pragma endscop");
    let region = Region { function: "h".to_owned(), range, last_line: None, macros: Vec::new() };
    let function = Interface { name: "h".to_owned(), may_decline: true, ..Interface::default() };
    let (called, before_original) = (Vec::new(), vec!["f()".to_owned()]);
    let replacement =
        Replacement { region: &region, model: &model(), function: &function, called, before_original };
    let text = rewrite(&of(), source.as_bytes(), "x_gpu.h", &[replacement], &[]).unwrap();
    let text = String::from_utf8(text).unwrap();
    assert!(text.contains("  if (!h()) {\n      f();\n#line 2 \"x.c\"\n  #pragma scop\n"), "{text}");
}

#[test]
fn an_else_after_a_region_keeps_its_if() {
    let source = "if (x)\n    #pragma scop\n    #pragma endscop\n/* or */ else y;\n";
    let expected = "#include \"x_gpu.h\"\n#line 1 \"x.c\"\nif (x)\n    {\n    if (!f(a)) {\n#line 2 \"x.c\"\n    #pragma scop\n    \
                    #pragma endscop\n    }\n    }\n#line 4 \"x.c\"\n/* or */ else y;\n";
    assert_eq!(rewritten(source, true), expected);
}

#[test]
fn the_original_stays_where_the_function_may_decline() {
    let source = "\u{feff}{\r\n#pragma scop\r\n    x;\r\n#pragma endscop\r\n}\r\n";
    let expected = "\u{feff}#include \"x_gpu.h\"\r\n#line 1 \"x.c\"\r\n{\r\n    if (!f(a)) {\r\n\
                    #line 2 \"x.c\"\r\n#pragma scop\r\n    x;\r\n#pragma endscop\r\n    }\r\n\
                    #line 5 \"x.c\"\r\n}\r\n";
    assert_eq!(rewritten(source, true), expected);
}
