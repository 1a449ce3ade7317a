//! Directives of c2cuda: each is known, well-formed and in a place where it has an effect, or is refused.

use std::sync::atomic::{AtomicU32, Ordering};

use clan_rs::Options;
use scop::Diagnostic;

/// A program with a region; `HEAD`, `BEFORE` and `AFTER` are replaced.
const PROGRAM: &str = "HEAD
static void f(int n, double *a) {
#pragma scop
BEFORE
  for (int i = 0; i < n; i++) a[i] *= 2;
#pragma endscop
}
double g(double *a) {
  for (int t = 0; t < 3; t++) f(9, a);
AFTER
  for (int t = 0; t < 3; t++) f(9, a);
  return a[0];
}
";

/// Where in the program a directive stands.
#[derive(Clone, Copy)]
enum At {
    Head,
    Region,
    Block,
    Header,
}

fn text(at: At, directive: &str) -> String {
    let put =
        |hole: &str, is_here: bool| if is_here { directive.to_owned() } else { format!("/* {hole} */") };
    let head = match at {
        At::Header => "#include \"header.h\"".to_owned(),
        _ => put("head", matches!(at, At::Head)),
    };
    PROGRAM
        .replace("HEAD", &head)
        .replace("BEFORE", &put("before", matches!(at, At::Region)))
        .replace("AFTER", &put("after", matches!(at, At::Block)))
}

/// Returns what the tool says of the program with a directive.
fn said(at: At, directive: &str, options: impl Fn(Options) -> Options) -> Vec<Diagnostic> {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let folder = std::env::temp_dir().join(format!("clan-directives-{}-{number}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let header = format!("#pragma once\n{directive}\ndouble h(double *x);\n");
    std::fs::write(folder.join("header.h"), header).unwrap();
    let options = options(Options::for_file(folder.join("file.c")));
    let said = match clan_rs::run_on(&options, text(at, directive).into_bytes()) {
        Ok(outcome) => outcome.diagnostics,
        Err(diagnostics) => diagnostics.0,
    };
    std::fs::remove_dir_all(&folder).unwrap();
    said
}

/// The codes of the messages, each with the text that its caret is under and its help.
fn codes(at: At, directive: &str) -> Vec<(String, String, String)> {
    let of = |one: Diagnostic| {
        let place = one.place.unwrap();
        let is_header = place.path.ends_with("header.h");
        assert_eq!(is_header, matches!(at, At::Header), "{}", place.path);
        let text = if is_header { format!("#pragma once\n{directive}\n") } else { text(at, directive) };
        let marked = &text[place.range.start as usize..place.range.end as usize];
        (one.code, marked.to_owned(), one.help.unwrap_or_default())
    };
    said(at, directive, |options| options).into_iter().map(of).collect()
}

#[test]
fn directives_in_their_place_are_accepted() {
    for (at, directive) in [
        (At::Region, "#pragma c2cuda independent"),
        (At::Block, "#pragma c2cuda data copy(a[0:9])"),
        (At::Header, "#pragma c2cuda effects none"),
        (At::Block, "#if 0\n#pragma c2cuda wibble\n#endif"),
        (At::Head, "#pragma other data\n#pragma cuda\n#pragma loop\n#pragma once"),
        (At::Header, "#pragma other data\n#pragma cuda"),
    ] {
        assert_eq!(codes(at, directive), [], "{directive}");
    }
}

#[test]
fn misspelt_directives_are_refused_everywhere() {
    for (directive, marked, help) in [
        ("#pragma c2cuda effect reads(a[0:n])", "effect", "write `#pragma c2cuda effects`"),
        ("#pragma c2cuda date copy(a[0:9])", "date", "write `#pragma c2cuda data`"),
        ("#pragma c2cuda independant", "independant", "write `#pragma c2cuda independent`"),
        ("#pragma c2cuda Independent", "Independent", "write `#pragma c2cuda independent`"),
        ("#pragma c2cuda independent 4", "4", "remove the rest of the line"),
        ("#pragma c2cuda scop", "scop", "write `#pragma scop`"),
        ("#pragma c2cude data copy(a[0:9])", "c2cude", "write `#pragma c2cuda data`"),
        ("#pragma C2CUDA effects none", "C2CUDA", "write `#pragma c2cuda effects`"),
    ] {
        for at in [At::Head, At::Region, At::Block, At::Header] {
            let found = codes(at, directive);
            assert_eq!(found, [("E0107".to_owned(), marked.to_owned(), help.to_owned())], "{directive}");
        }
    }
    for directive in ["#pragma c2cuda wibble", "#pragma c2cuda"] {
        for at in [At::Head, At::Region, At::Block, At::Header] {
            let found = codes(at, directive);
            assert_eq!(found.len(), 1, "{directive}: {found:?}");
            let names_all = ["independent", "data", "effects"].iter().all(|known| found[0].2.contains(known));
            assert!(found[0].0 == "E0107" && names_all, "{directive}: {found:?}");
        }
    }
}

#[test]
fn directives_in_other_places_are_refused() {
    for (at, directive, code) in [
        (At::Head, "#pragma c2cuda independent", "E0107"),
        (At::Block, "#pragma c2cuda independent", "E0107"),
        (At::Header, "#pragma c2cuda independent", "E0107"),
        (At::Head, "#pragma c2cuda data", "E0107"),
        (At::Region, "#pragma c2cuda data", "E0107"),
        (At::Header, "#pragma c2cuda data", "E0107"),
        (At::Region, "#pragma c2cuda effects none", "E0107"),
        (At::Block, "#pragma c2cuda effects none", "E0166"),
        (At::Block, "_Pragma(\"c2cuda data copy(a[0:9])\")", "E0107"),
        (At::Head, "#define CLAIM _Pragma(\"c2cuda independent\")", "E0107"),
        (At::Header, "#define CLAIM _Pragma(\"c2cuda independent\")", "E0107"),
    ] {
        let found: Vec<String> = codes(at, directive).into_iter().map(|(code, ..)| code).collect();
        assert!(found.iter().any(|one| one == code), "{directive}: {found:?}");
    }
}

/// Where regions are found or left, nobody can say which loops are to be in regions.
#[test]
fn claims_outside_of_regions_that_are_found_are_ignored() {
    let claim = "#pragma c2cuda independent";
    let keep_going = |options| Options { keep_going: true, ..options };
    let autoscop = |options| Options { autoscop: true, ..options };
    for found in [said(At::Block, claim, keep_going), said(At::Block, claim, autoscop)] {
        assert!(found.iter().any(|one| one.code == "W0161"), "{found:?}");
        assert!(found.iter().all(|one| !one.code.starts_with('E')), "{found:?}");
    }
}

#[test]
fn misspelt_clauses_are_corrected() {
    for (clause, help) in
        [("copi", "write `copy`"), ("coypin", "write `copyin`"), ("creat", "write `create`")]
    {
        let found = codes(At::Block, &format!("#pragma c2cuda data {clause}(a[0:9])"));
        assert_eq!(found, [("E0107".to_owned(), clause.to_owned(), help.to_owned())]);
    }
}

#[test]
fn pragmas_that_look_like_marks_are_named() {
    for (directive, code) in [
        ("#pragma scope", "E0104"),
        ("#pragma scpo", "E0104"),
        ("#pragma edscope", "E0104"),
        ("#pragma skoop", "W0161"),
        ("#pragma sop2", "W0161"),
    ] {
        let found: Vec<String> = codes(At::Head, directive).into_iter().map(|(code, ..)| code).collect();
        assert_eq!(found, [code], "{directive}");
    }
    for directive in ["#pragma loop", "#pragma swp", "#pragma omp", "#pragma pack(1)", "#pragma skoop 3"] {
        assert_eq!(codes(At::Head, directive), [], "{directive}");
    }
}
