use super::*;
use scop::{IslSchedule, IslSet, Loop, LoopId, Statement, StatementId};

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
    Source {
        path,
        language,
        hash: String::new(),
        regions: Vec::new(),
        residencies: Vec::new(),
        lines: Vec::new(),
    }
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
    let replacement = Replacement { region: &region, model: &model(), function: &function, called };
    let text = rewrite(&of(), source.as_bytes(), "x_gpu.h", &[replacement], &Ends::default());
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
    let none = Ends { after: Vec::new(), before: Vec::new() };
    let text = rewrite(&of(), b"f(__BASE_FILE__);\n", "x_gpu.h", &[], &none).unwrap();
    let text = String::from_utf8(text).unwrap();
    assert!(text.contains("#undef __BASE_FILE__\n#define __BASE_FILE__ \"x.c\"\n"), "{text}");
    assert!(text.ends_with("#line 1 \"x.c\"\nf(__BASE_FILE__);\n"), "{text}");
    let plain = rewrite(&of(), b"f();\n", "x_gpu.h", &[], &none).unwrap();
    assert_eq!(String::from_utf8(plain).unwrap(), "#include \"x_gpu.h\"\n#line 1 \"x.c\"\nf();\n");
}

#[test]
fn stays_end_after_their_statements() {
    let source = "{\n  for (;;) {\n    x;\n  } // last\n  y;\n}\n";
    let ends = Ends {
        after: vec![(place(source, "for (;;) {\n    x;\n  }"), "s_end".to_owned())],
        before: Vec::new(),
    };
    let text = rewrite(&of(), source.as_bytes(), "x_gpu.h", &[], &ends).unwrap();
    let expected = "#include \"x_gpu.h\"\n#line 1 \"x.c\"\n{\n  for (;;) {\n    x;\n  }\n  s_end(); // last\n\
                    #line 5 \"x.c\"\n  y;\n}\n";
    assert_eq!(String::from_utf8(text).unwrap(), expected);
}

#[test]
fn what_stays_comes_home_before_regions_on_the_host() {
    let source = "{\n  if (n)\n    #pragma scop\n    x;\n    #pragma endscop\n}\n";
    let region = place(source, "#pragma scop\n    x;\n    #pragma endscop");
    let ends = Ends { after: Vec::new(), before: vec![(region, vec!["s_end".to_owned()])] };
    let text = rewrite(&of(), source.as_bytes(), "x_gpu.h", &[], &ends).unwrap();
    let expected = "#include \"x_gpu.h\"\n#line 1 \"x.c\"\n{\n  if (n)\n    {\n    s_end();\n#line 3 \"x.c\"\n    #pragma scop\n    x;\n    \
                    #pragma endscop\n    }\n#line 6 \"x.c\"\n}\n";
    assert_eq!(String::from_utf8(text).unwrap(), expected);
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
