//! Tests of the grammar, matrices, scatterings and trees.

// A test that cannot continue has failed, so it may panic.
#![allow(clippy::unwrap_used, clippy::panic)]

use polyhedra::{Map, Schedule, Set, Text, UnionMap};

use super::error::OpenScopFault::{self, Limit, Meaning, Syntax};
use super::file::{RelationKind, Tagged};
use super::position::Position;
use super::relation::{map_text, matrices, relation, set_matrices, set_text, split_access};
use super::scattering::scatterings;
use super::tree::{Scattered, schedule};
use super::{extension, parse, print};

/// Returns a block with one statement, given by its relations and what follows them.
fn block(relations: usize, statement: &str) -> String {
    let head = "<OpenScop>\nC\nCONTEXT\n0 3 0 0 0 1\n1\n<strings>\nn\n</strings>\n1\n";
    format!("{head}{relations}\n{statement}\n</OpenScop>\n")
}

const DOMAIN: &str = "DOMAIN\n2 4 1 0 0 1\n1 1 0 0\n1 -1 1 -1\n";

fn fault(text: &str) -> (OpenScopFault, usize, String) {
    let error = parse::parse(text).unwrap_err();
    (error.kind, error.line, error.message)
}

#[test]
fn what_was_read_is_written_and_read_again() {
    let union = "DOMAIN\n2\n1 4 1 0 0 1\n1 1 0 0\n3 6 1 0 2 1\n0 1 -2 0 0 0\n1 1 0 0 0 -9\n1 0 0 1 0 0\n";
    let kinds: String =
        RelationKind::ALL.iter().map(|kind| format!("{}\n0 4 1 0 0 1\n", kind.name())).collect();
    let texts = [
        block(1, &format!("{DOMAIN}0")),
        block(1, &format!("{union}0")),
        block(7, &format!("{kinds}0")),
        block(0, "1\n<body>\n0\nf(); # a call\n</body>\n"),
        block(0, "2\n<body>\n2\ni j\na[i] = j;\n</body>\n<other>\n # kept\n\n</other>"),
        block(0, "0\n<scatnames>\nc1 c2\n</scatnames>\n<other.thing>\n</other.thing>\n"),
        "<OpenScop>\nC\nCONTEXT\n0 2 0 0 0 0\n0\n0\n</OpenScop>\n# next\n".repeat(3),
    ];
    for text in texts {
        let blocks = parse::parse(&text).unwrap();
        let written = print::print(&blocks);
        assert_eq!(parse::parse(&written).unwrap(), blocks, "{text}");
        assert_eq!(print::print(&parse::parse(&written).unwrap()), written);
    }
}

#[test]
fn older_ways_to_write_names_and_bodies_are_read() {
    let old = "<OpenScop>\nC\nCONTEXT\n0 3 0 0 0 1\n1\nn # the size\n1\n1\n".to_owned()
        + DOMAIN
        + "1\ni\na[i] = 0; # done\n</OpenScop>\n";
    let [block] = parse::parse(&old).unwrap().try_into().unwrap();
    assert_eq!(block.parameters, Some(vec!["n".to_owned()]));
    let body = extension::Body::read(&block.statements[0].extensions[0]).unwrap();
    assert_eq!((body.iterators, body.expression), (vec!["i".to_owned()], "a[i] = 0;".to_owned()));
}

#[test]
fn faults_are_named_with_their_line() {
    let table = [
        ("# nothing\n".to_owned(), Syntax, 1, "the text ends where `<OpenScop>` is expected"),
        ("<OpenScop>\nC\n".to_owned(), Syntax, 2, "the text ends where a relation is expected"),
        ("<OpenScop>\nC\nDOMAIN\n0 2 0 0 0 0\n".to_owned(), Syntax, 3, "expected the CONTEXT"),
        (block(1, "WRONG\n"), Syntax, 11, "expected a relation, one of UNDEFINED, CONTEXT, DOMAIN"),
        (block(1, "DOMAIN\n1 2 3\n"), Syntax, 12, "expected six integers"),
        (block(1, "DOMAIN\n1 5 1 0 0 1\n1 0 0 0\n"), Syntax, 12, "5 columns, but its dimensions require 4"),
        (block(1, "DOMAIN\n1 4 1 0 0 1\n1 0 0\n"), Syntax, 13, "expected 4 integers, found 3"),
        (block(1, "DOMAIN\n1 4 1 0 0 1\n2 0 0 0\n"), Syntax, 13, "a row starts with 0 for `= 0`"),
        (block(1, "DOMAIN\n1 4 1 0 0 1\n1 0 x 0\n"), Syntax, 13, "`x` is not an integer"),
        (
            block(1, "DOMAIN\n1 4 1 0 0 1\n1 0 9223372036854775808 0\n"),
            Limit,
            13,
            "does not fit into 64 bits",
        ),
        (block(1, "DOMAIN\n0 9999999 9999996 0 0 1\n"), Limit, 12, "256 are supported"),
        (block(1, "DOMAIN\n999999999\n"), Limit, 12, "4096 are supported"),
        (block(1, "DOMAIN\n0\n"), Syntax, 12, "a union has at least one part"),
        (block(1, "DOMAIN\n2\n0 4 1 0 0 1\n0 5 2 0 0 1\n"), Syntax, 14, "different dimensions"),
        (block(0, "1\n<body>\n0\n"), Syntax, 12, "there is no `</body>`"),
        (block(0, "-1\n"), Syntax, 11, "the number of extensions of a statement is negative"),
        (block(0, "0\nnonsense\n"), Syntax, 12, "expected an extension `<name>`, found `nonsense`"),
    ];
    for (text, kind, line, message) in table {
        let found = fault(&text);
        assert_eq!((found.0, found.1), (kind, line), "{text}: {found:?}");
        assert!(found.2.contains(message), "{found:?} instead of {message}");
    }
}

#[test]
fn extensions_of_the_library_are_understood() {
    let tagged = |tag: &str, text: &str| Tagged::new(tag, text.to_owned());
    let sound = [
        ("scatnames", "b0 i b1\n"),
        ("arrays", "# Number\n2\n1 a\n7 b->c # field\n"),
        ("coordinates", "f.c\n1 0\n9 0\n4\n"),
        ("coordinates", "a file.c\n1\n9\n4\n"),
        ("body", "1\ni\na[i];\n"),
        ("extbody", "2\n0 4\n-1 -1\n0\na + b;\n"),
        ("loop", "1\ni\n2\n1\n2\n(null)\n1\n"),
        ("dependence", "1\nRAW # flow\n0\n1\n-1\n0\n0\nDOMAIN\n1 4 1 1 0 0\n0 1 -1 0\n"),
        ("dependence", "1\nRAW\n0\n1\n-1\n0\n0\n1 0 1 0 0 0 0 0\nDOMAIN\n1 4 1 1 0 0\n0 1 -1 0\n"),
        ("dependence", "1\nRAW\n0\n1\n-1\n0\n0\n1 0 1 0\n# local\n0 0 0 0\nDOMAIN\n1 4 1 1 0 0\n0 1 -1 0\n"),
        ("unheard-of", "whatever\n"),
    ];
    for (tag, text) in sound {
        extension::check(&tagged(tag, text)).unwrap_or_else(|error| panic!("{tag}: {error}"));
    }
    let wrong = [
        ("arrays", "2\n1 a\n"),
        ("arrays", "1\n1 a\n2 b\n"),
        ("coordinates", "f.c\n1 0\n"),
        ("body", "2\ni\na[i];\n"),
        ("extbody", "1\n0\na;\n"),
        ("loop", "1\ni\n"),
        ("dependence", "1\nRAW\n0\n1\n-1\n0\n0\nREAD\n0 4 1 1 0 0\n"),
        ("dependence", "1\nRAW\n0\n1\n-1\n0\n0\n1 0 1 0 0 0 0\nDOMAIN\n0 4 1 1 0 0\n"),
        ("dependence", "1\nRAW\n0\n1\n-1\n0\n0\n1 0 1 0 0 0 0 0 0\nDOMAIN\n0 4 1 1 0 0\n"),
    ];
    for (tag, text) in wrong {
        assert_eq!(extension::check(&tagged(tag, text)).unwrap_err().kind, Syntax, "{tag}: {text}");
    }
}

#[test]
fn sets_and_maps_survive_as_matrices() {
    let parameters = ["n".to_owned(), "m".to_owned()];
    let sets = [
        "[n, m] -> { S0[i, j] : 0 <= i < n and 0 <= j <= i + 2m }",
        "[n, m] -> { S0[i, j] : i mod 3 = 1 and 0 <= i < n }",
        "[n, m] -> { S0[i, j] : i < 0 or (j > n and i > m) }",
        "[n, m] -> { S0[i, j] : exists (a, b: i = 4a + 6b and 2a < j and 7b > n) }",
        "[n, m] -> { S0[i, j] : floor(i/4) + floor((i + j)/3) = n }",
        "[n, m] -> { S0[i, j] : false }",
        "[n, m] -> { S0[i, j] }",
    ];
    for text in sets {
        let set = Set::parse(text).unwrap();
        let written = relation(RelationKind::Domain, set_matrices(set.copy().unwrap()).unwrap());
        let back = Set::parse(&set_text(&written, &parameters, ("S0", 2)).unwrap()).unwrap();
        assert!(back.is_equal(&set).unwrap(), "{text} became {}", back.text().unwrap());
    }
    let maps = [
        "[n, m] -> { S0[i, j] -> [0, i, 1, 2i - j + n, 0] }",
        "[n, m] -> { S0[i, j] -> [floor(i/32), i mod 32, j] }",
        "[n, m] -> { S0[i, j] -> [a, b] : 0 <= a <= i and b >= j - m }",
        "[n, m] -> { S0[i, j] -> [i] : i > 3; S0[i, j] -> [j] : i <= 3 }",
        "[n, m] -> { S0[i, j] -> [] }",
    ];
    for text in maps {
        let map = Map::parse(text).unwrap();
        let length = usize::try_from(map.dim(polyhedra::DimType::Out).unwrap()).unwrap();
        let parts = matrices(&map).unwrap();
        let back = Map::parse(&map_text(&parts, &parameters, ("S0", 2), ("", length))).unwrap();
        assert!(back.is_equal(&map).unwrap(), "{text} became {}", back.text().unwrap());
    }
}

#[test]
fn the_array_of_an_access_is_found_however_it_is_written() {
    let table = [
        ("READ\n1 3 1 0 0 0\n0 -1 7\n", Ok(7)),
        ("READ\n2 4 2 0 0 0\n0 0 -1 3\n0 2 0 -8\n", Ok(4)),
        ("READ\n1 3 1 0 0 0\n1 -1 7\n", Err(Meaning)),
        ("READ\n1 4 2 0 0 0\n0 -1 1 7\n", Err(Meaning)),
        ("READ\n1 3 1 0 0 0\n0 -2 7\n", Err(Meaning)),
        ("READ\n0 2 0 0 0 0\n", Err(Meaning)),
        ("READ\n2\n1 3 1 0 0 0\n0 -1 7\n1 3 1 0 0 0\n0 -1 8\n", Err(Meaning)),
    ];
    for (text, expected) in table {
        let block = parse::parse(&block(1, &format!("{text}0"))).unwrap().remove(0);
        let found = split_access(&block.statements[0].relations[0]);
        assert_eq!(found.map(|found| found.0).map_err(|error| error.kind), expected, "{text}");
    }
}

/// A tree with two statements: `S0` before the loop over `S1`, inside a common loop.
const TREE: &str = r#"
domain: "[n] -> { S0[i] : 0 <= i < n; S1[i, j] : 0 <= i < n and 0 <= j < i }"
child:
  schedule: "[{ S0[i] -> [(i)]; S1[i, j] -> [(i)] }]"
  child:
    sequence:
    - filter: "{ S0[i] }"
    - filter: "{ S1[i, j] }"
      child:
        schedule: "[{ S1[i, j] -> [(-j)] }]"
"#;

#[test]
fn a_tree_becomes_the_classical_scattering() {
    let found = scatterings(TREE.trim_start()).unwrap();
    let expected = ["{ S0[i] -> [0, i, 0] }", "{ S1[i, j] -> [0, i, 1, -j, 0] }"];
    for (map, expected) in found.values().zip(expected) {
        let expected = Map::parse(expected).unwrap();
        assert!(map.is_equal(&expected).unwrap(), "{}", map.text().unwrap());
    }
    assert_eq!(found.len(), expected.len());
}

/// Returns the pairs of instances of which a tree executes the first before the second.
fn precedes(tree: &Schedule) -> UnionMap {
    let map = tree.get_map().unwrap().intersect_domain(tree.get_domain().unwrap()).unwrap();
    map.copy().unwrap().lex_lt_union_map(map).unwrap()
}

#[test]
fn scatterings_become_trees_of_the_same_order() {
    // Statements as domain and scattering.
    let vectors: [&[(&str, &str)]; 7] = [
        &[
            ("{ S0[i] : 0 <= i < 5 }", "{ S0[i] -> [0, i, 0] }"),
            ("{ S1[i] : 0 <= i < 5 }", "{ S1[i] -> [1, -i, 0] }"),
        ],
        &[
            ("{ S0[i] : 0 <= i < 5 }", "{ S0[i] -> [0, i, 1] }"),
            ("{ S1[i] : 0 <= i < 5 }", "{ S1[i] -> [0, i, 0] }"),
        ],
        // skewed, and a shorter vector
        &[
            ("{ S0[i, j] : 0 <= i, j < 4 }", "{ S0[i, j] -> [0, i + j, 0, j, 1] }"),
            ("{ S1[i] : 0 <= i < 4 }", "{ S1[i] -> [0, 2i] }"),
        ],
        // tiled
        &[("{ S0[i, j] : 0 <= i, j < 9 }", "{ S0[i, j] -> [floor(i/4), floor(j/4), i, j] }")],
        // with two formulas
        &[("{ S0[i] : 0 <= i < 8 }", "{ S0[i] -> [1, i] : i < 3; S0[i] -> [0, -i] : i >= 3 }")],
        // a constant beside a value
        &[("{ S0[i] : 0 <= i < 5 }", "{ S0[i] -> [i, 0] }"), ("{ S1[] }", "{ S1[] -> [2, 1] }")],
        &[("{ S0[] }", "{ S0[] -> [] }")],
    ];
    for statements in vectors {
        let scattered: Vec<Scattered> = statements
            .iter()
            .map(|(domain, scattering)| Scattered {
                domain: Set::parse(domain).unwrap(),
                scattering: Map::parse(scattering).unwrap(),
            })
            .collect();
        assert!(scattered.iter().all(|statement| statement.is_function().unwrap()));
        let tree = schedule(&scattered).unwrap();
        let expected = padded_order(&scattered);
        let found = precedes(&tree);
        assert!(found.is_equal(&expected).unwrap(), "{statements:?}\n{}", tree.text().unwrap());
        assert!(Schedule::parse(&tree.text().unwrap()).unwrap().plain_is_equal(&tree).unwrap());
    }
}

#[test]
fn statements_at_one_time_run_as_they_stand_in_the_text() {
    // `S1[i + 1]` has the same time as `S0[i]`; the vector of `S2` is shorter.
    let statements = [
        ("{ S0[i] : 0 <= i < 5 }", "{ S0[i] -> [i, 0] }"),
        ("{ S1[i] : 0 <= i < 5 }", "{ S1[i] -> [i - 1, 0] }"),
        ("{ S2[i] : 0 <= i < 5 }", "{ S2[i] -> [i] }"),
    ];
    let scattered = statements.map(|(domain, scattering)| Scattered {
        domain: Set::parse(domain).unwrap(),
        scattering: Map::parse(scattering).unwrap(),
    });
    let order = precedes(&schedule(&scattered).unwrap());
    let before = "{ S0[1] -> S1[2]; S0[1] -> S2[1]; S1[2] -> S2[1]; S2[0] -> S0[1]; S1[2] -> S1[3] }";
    assert!(UnionMap::parse(before).unwrap().is_subset(&order).unwrap());
    assert!(order.copy().unwrap().intersect(order.reverse().unwrap()).unwrap().is_empty().unwrap());
}

/// Returns the lexicographic order of vectors that are padded with zeros.
fn padded_order(statements: &[Scattered]) -> UnionMap {
    let mut times = UnionMap::parse("{ }").unwrap();
    for Scattered { domain, scattering } in statements {
        let length = scattering.dim(polyhedra::DimType::Out).unwrap();
        let zeros = vec!["0"; usize::try_from(6 - length).unwrap()].join(", ");
        let zeros = Set::parse(&format!("{{ [{zeros}] }}")).unwrap();
        let map = scattering.copy().unwrap().intersect_domain(domain.copy().unwrap()).unwrap();
        let padding = Map::from_domain_and_range(domain.copy().unwrap(), zeros).unwrap();
        let map = map.flat_range_product(padding).unwrap();
        times = times.union(UnionMap::from_map(map).unwrap()).unwrap();
    }
    times.copy().unwrap().lex_lt_union_map(times).unwrap()
}

#[test]
fn a_scattering_that_is_no_function_is_noticed() {
    let table = [
        ("{ S0[i] -> [i] : i > 0 }", false),
        ("{ S0[i] -> [j] : i <= j <= i + 1 }", false),
        ("{ S0[i] -> [7] }", true),
    ];
    for (scattering, expected) in table {
        let scattered = Scattered {
            domain: Set::parse("{ S0[i] : 0 <= i < 5 }").unwrap(),
            scattering: Map::parse(scattering).unwrap(),
        };
        assert_eq!(scattered.is_function().unwrap(), expected, "{scattering}");
    }
}

#[test]
fn positions_do_not_tell_values_apart() {
    assert_eq!(Position { line: 1, column: 2 }, Position::default());
}

#[test]
fn bodies_fit_in_a_line_and_hide_nothing_after_a_comment() {
    let table = [
        ("a[i] = 0; // why\nb = 1;", "a[i] = 0; b = 1;"),
        ("/* x */ a /* y\n */= '\\'' + \"//\";", "a = '\\'' + \"//\";"),
        ("x = 1;\n#define y\n", "x = 1; define y"),
        ("/* open", ""),
        ("\"open", "\"open"),
    ];
    for (text, expected) in table {
        assert_eq!(super::describe::one_line(text), expected);
    }
}
