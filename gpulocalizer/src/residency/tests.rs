//! The plan for small programs. A program is a list of procedures, each a text such as
//! `loop { region 0; read 1 at x; call 1 }`; a plan is printed as the same text with its calls in it.

use std::collections::BTreeMap;

use scop::{
    ActionOp, Effect, Extracted, HeldMemory, HostAction, HostBlock, HostBranch, HostCode, HostData,
    HostHandler, HostJump, HostLoop, HostNode, HostPlace, HostRegion, HostTry, Jump, MemoryId,
    MemoryLifetime, MemoryObject, Position, Procedure, ProcedureId, Program, SourceRange, Touch,
};

use crate::residency::decided::Decided;
use crate::residency::plan::{Candidates, OfScop, Reuse};

/// A program under construction. Each token of the text is at the offset of its first character.
struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Reader<'t> {
    fn word(&mut self) -> &'t str {
        let rest = &self.text[self.at..];
        let start = self.at + (rest.len() - rest.trim_start().len());
        let rest = &self.text[start..];
        let length = rest.find(|c: char| c.is_whitespace() || c == ';').unwrap_or(rest.len()).max(1);
        self.at = start + length.min(rest.len());
        &rest[..length.min(rest.len())]
    }

    fn next_start(&self) -> usize {
        self.text.len() - self.text[self.at..].trim_start().len()
    }

    fn peek(&self) -> &'t str {
        Reader { ..*self }.word()
    }

    /// The name of a label, if one follows.
    fn name(&mut self) -> Option<String> {
        (![";", "}", ""].contains(&self.peek())).then(|| self.word().to_owned())
    }

    fn number(&mut self) -> u32 {
        self.word().parse().unwrap()
    }

    /// Reads nodes up to the end of the block.
    fn nodes(&mut self) -> Vec<HostNode> {
        let mut nodes = Vec::new();
        while !["", "}"].contains(&self.peek()) {
            if self.peek() == ";" {
                self.word();
                continue;
            }
            nodes.push(self.node());
        }
        nodes
    }

    fn braced(&mut self) -> Vec<HostNode> {
        assert_eq!(self.word(), "{");
        let nodes = self.nodes();
        assert_eq!(self.word(), "}");
        nodes
    }

    fn range(&self, start: usize) -> SourceRange {
        SourceRange { start: start as u32, end: self.at as u32, line: 1, column: 1 }
    }

    fn code(&mut self, word: &str, start: usize) -> HostCode {
        let (mut touches, mut calls, mut unknown, mut ends) = (Vec::new(), Vec::new(), None, false);
        let mut elsewhere = Vec::new();
        let mut position = Position::Statement;
        let mut word = word;
        loop {
            let before_calls = word == "first";
            if before_calls {
                word = self.word();
            }
            match word {
                "read" | "write" | "overwrite" | "free" | "delete" => {
                    let effect = match word {
                        "read" => Effect::Reads,
                        "write" => Effect::Writes,
                        "overwrite" => Effect::Overwrites,
                        _ => Effect::Frees,
                    };
                    let memory = vec![MemoryId(self.number())];
                    let place = (self.peek() == "at").then(|| {
                        self.word();
                        let address = self.word().to_owned();
                        HostPlace { address, bytes: (word != "free").then(|| "8".to_owned()) }
                    });
                    touches.push(Touch {
                        effect,
                        memory,
                        place,
                        unplaced: None,
                        before_calls,
                        guarded: false,
                        range: self.range(start),
                    });
                }
                "elsewhere" => elsewhere.push(vec![MemoryId(self.number())]),
                "call" => calls.push(ProcedureId(self.number())),
                "unknown" => unknown = Some("calls `f`, whose body is elsewhere".to_owned()),
                "exit" => (unknown, ends) = (Some("calls `exit`, which does not return".to_owned()), true),
                "fixed" => position = Position::Fixed,
                "within" => position = Position::Expression,
                _ => panic!("{word}"),
            }
            if [";", "}", "", "{", "in"].contains(&self.peek()) {
                let range = self.range(start);
                let way_out = String::new();
                return HostCode { range, position, touches, calls, unknown, way_out, ends, elsewhere };
            }
            word = self.word();
        }
    }

    fn expression(&mut self) -> HostCode {
        let start = self.next_start();
        let word = self.word();
        HostCode { position: Position::Expression, ..self.code(word, start) }
    }

    fn node(&mut self) -> HostNode {
        let start = self.next_start();
        let position = Position::Statement;
        match self.word() {
            "loop" => {
                let first = (self.peek() == "from").then(|| {
                    self.word();
                    self.expression()
                });
                if self.peek() == "in" {
                    self.word();
                }
                let condition = (self.peek() != "{").then(|| self.expression());
                let body = self.braced();
                let mut touches = Vec::new();
                HostNode::walk(&body, &mut |node| {
                    let codes = node.codes();
                    touches.extend(codes.into_iter().flat_map(|code| code.touches.clone()));
                });
                touches.extend(condition.iter().flat_map(|code| code.touches.clone()));
                let range = self.range(start);
                HostNode::Loop(Box::new(HostLoop {
                    range,
                    position,
                    start: first,
                    condition,
                    step: None,
                    body,
                    touches,
                }))
            }
            word @ ("try" | "hidden") => {
                let body = self.braced();
                let mut handlers = Vec::new();
                let position = if word == "try" { position } else { Position::Fixed };
                while self.peek() == "catch" {
                    self.word();
                    let brace = self.next_start();
                    assert_eq!(self.word(), "{");
                    let start = self.range(brace);
                    handlers.push(HostHandler { start, position, body: self.nodes() });
                    assert_eq!(self.word(), "}");
                }
                let range = self.range(start);
                HostNode::Try(Box::new(HostTry { range, position: Position::Statement, body, handlers }))
            }
            word @ ("if" | "switch") => {
                let condition = self.expression();
                let arms = vec![self.braced()];
                let range = self.range(start);
                HostNode::Branch(Box::new(HostBranch {
                    range,
                    position,
                    condition,
                    arms,
                    switch: word == "switch",
                }))
            }
            "block" => {
                let memory = MemoryId(self.number());
                let place = HostPlace { address: "&t".to_owned(), bytes: Some("80".to_owned()) };
                let objects = vec![scop::BlockObject { memory, place }];
                let body = self.braced();
                HostNode::Block(HostBlock { range: self.range(start), position, objects, body })
            }
            "data" => {
                let held = (self.peek() != "{").then(|| MemoryId(self.number())).map(|id| HeldMemory {
                    range: self.range(start),
                    memory: vec![id],
                    place: HostPlace { address: format!("m{}", id.0), bytes: Some("n".to_owned()) },
                    forgotten: false,
                });
                let (directive, held) = (self.range(start), held.into_iter().collect());
                let body = self.braced();
                HostNode::Data(HostData { range: self.range(start), position, directive, held, body })
            }
            "region" => {
                let scop = self.number();
                let touches = match self.peek() {
                    word @ ("read" | "write") => {
                        let start = self.next_start();
                        self.word();
                        self.code(word, start).touches
                    }
                    _ => Vec::new(),
                };
                HostNode::Region(HostRegion {
                    scop,
                    range: self.range(start),
                    position,
                    touches,
                    original: Vec::new(),
                })
            }
            word @ ("return" | "break" | "continue" | "goto") => {
                let jump = match word {
                    "return" => Jump::Return,
                    "break" => Jump::Break,
                    "continue" => Jump::Continue,
                    _ => Jump::Goto,
                };
                let label = (jump == Jump::Goto).then(|| self.name()).flatten();
                let has_value = ![";", "}", ""].contains(&self.peek());
                let value = has_value.then(|| self.expression());
                HostNode::Jump(HostJump { range: self.range(start), position, jump, value, label })
            }
            "label" => {
                let name = self.name();
                HostNode::Label { range: self.range(start), name }
            }
            word => HostNode::Code(self.code(word, start)),
        }
    }
}

/// Returns a program. `memory` has a letter for each object from `M1` on: `h` allocated, `e` exposed, `b` of a block;
/// `regions` has the memory of the one array of each region; a procedure whose text begins with `!` is called from
/// elsewhere.
pub fn program(memory: &str, regions: &[&[u32]], procedures: &[&str]) -> (Program<Extracted>, String) {
    let text = include_str!("../../../tests/golden/stencil/1-clan-rs.json");
    let mut program: Program<Extracted> = scop::from_json(text).unwrap();
    let scop = program.scops.remove(0);
    for memory in regions {
        let mut scop = scop.clone();
        scop.model.arrays.truncate(1);
        scop.model.arrays[0].memory = memory.iter().map(|id| MemoryId(*id)).collect();
        program.scops.push(scop);
    }
    let object = |(position, letter): (usize, char)| MemoryObject {
        id: MemoryId(position as u32),
        name: format!("m{position}"),
        lifetime: if letter == 'b' { MemoryLifetime::Block } else { MemoryLifetime::Allocated },
        exposed: letter == 'e',
        external: false,
        held: false,
        made_at: None,
    };
    program.memory = format!("e{memory}").chars().enumerate().map(object).collect();
    let text = procedures.join("\n\n");
    let mut start = 0;
    program.host.clear();
    for (position, procedure) in procedures.iter().enumerate() {
        let body_at = start + usize::from(procedure.starts_with('!'));
        let mut reader = Reader { text: &text[..start + procedure.len()], at: body_at };
        let body = reader.nodes();
        let range = reader.range(start);
        let block = HostBlock { range, position: Position::Fixed, objects: Vec::new(), body };
        program.host.push(Procedure {
            id: ProcedureId(position as u32),
            name: if position == 0 { "main".to_owned() } else { format!("p{position}") },
            range: Some(range),
            lines: Vec::new(),
            called_from_elsewhere: procedure.starts_with('!'),
            internal: false,
            body: vec![HostNode::Block(block)],
        });
        start += procedure.len() + 2;
    }
    (program, text)
}

/// Returns the text of a program with the calls of its plan.
fn planned(memory: &str, regions: &[&[u32]], procedures: &[&str]) -> String {
    planned_with(memory, regions, procedures, false)
}

/// Returns the same for a file that may have callers in other files.
fn planned_for_callers(memory: &str, regions: &[&[u32]], procedures: &[&str]) -> String {
    planned_with(memory, regions, procedures, true)
}

fn planned_with(memory: &str, regions: &[&[u32]], procedures: &[&str], has_callers: bool) -> String {
    let (program, text) = program(memory, regions, procedures);
    let arrays = program.scops.iter().enumerate();
    let arrays: BTreeMap<_, _> = arrays
        .map(|(scop, one)| ((scop, one.model.arrays[0].id), one.model.arrays[0].memory.as_slice()))
        .collect();
    let plan = Decided::new(&program, &arrays, has_callers).plan();
    let mut out = String::new();
    let mut at = 0;
    for action in &plan.actions {
        let place = if action.after { action.range.end } else { action.range.start } as usize;
        out.push_str(&text[at..place]);
        out.push_str(&format!("[{}]", shown(action)));
        at = place;
    }
    out.push_str(&text[at..]);
    let lines: Vec<_> = out.lines().filter(|line| !line.is_empty()).map(str::trim).collect();
    lines.join(" | ")
}

fn shown(action: &HostAction) -> String {
    match &action.op {
        ActionOp::Begin => "begin".to_owned(),
        ActionOp::BeginData => "data".to_owned(),
        ActionOp::Hold { place, .. } => format!("hold {}", place.address),
        ActionOp::HoldClass { class } => format!("hold {class}"),
        ActionOp::EndData => "end data".to_owned(),
        ActionOp::End => "end".to_owned(),
        ActionOp::Leave => "leave".to_owned(),
        ActionOp::Back => "back".to_owned(),
        ActionOp::Mark { .. } => "mark".to_owned(),
        ActionOp::Caught { .. } => "caught".to_owned(),
        ActionOp::Reads { place } => format!("r {}", place.address),
        ActionOp::Writes { place } => format!("w {}", place.address),
        ActionOp::Overwrites { place } => format!("o {}", place.address),
        ActionOp::ReadsClass { class } => format!("r {class}"),
        ActionOp::WritesClass { class } => format!("w {class}"),
        ActionOp::Frees { pointer } => format!("f {pointer}"),
        ActionOp::Forget { place } => format!("forget {}", place.address.trim_start_matches('&')),
        ActionOp::Release { place } => format!("release {}", place.address.trim_start_matches('&')),
    }
}

#[test]
fn memory_of_this_program_alone_needs_no_interval() {
    let cases = [
        // What the host touches is announced; loops announce everything at once.
        ("loop { call 1 }; read 1 at x", "region 0", "loop { call 1 }; [r x]read 1 at x | region 0"),
        ("loop { call 1; read 1 at x }", "region 0", "loop { call 1; [r x]read 1 at x } | region 0"),
        ("loop { call 1 }; loop { read 1 }", "region 0", "loop { call 1 }; [r D0]loop { read 1 } | region 0"),
        (
            "loop { write 1; loop { call 1 } }",
            "region 0",
            "loop { [w D0]write 1; loop { call 1 } } | region 0",
        ),
        // Unknown code does not know of it.
        ("loop { call 1; unknown }", "region 0", "loop { call 1; unknown } | region 0"),
        ("free 1 at p; loop { call 1 }", "region 0", "[f p]free 1 at p; loop { call 1 } | region 0"),
        (
            "loop { call 1 }; loop { free 1 at p }",
            "region 0",
            "loop { call 1 }; loop { [f p]free 1 at p } | region 0",
        ),
        ("loop read 1 at x { call 1 }", "region 0", "loop [r x]read 1 at x { call 1 } | region 0"),
        ("read 2 at y; loop { call 1 }", "region 0", "read 2 at y; loop { call 1 } | region 0"),
        // What runs in the header comes after calls before the loop.
        (
            "loop from call 1 in { read 1 at x }; call 1",
            "region 0",
            "loop from call 1 in { [r x]read 1 at x }; call 1 | region 0",
        ),
        // What regions read themselves is not among what the loop touches.
        (
            "loop { read 1 at x; region 1 read 1 }; call 1",
            "region 0",
            "[r x]loop { read 1 at x; [r D0]region 1 read 1 }; call 1 | region 0",
        ),
    ];
    for (main, other, expected) in cases {
        assert_eq!(planned("hhh", &[&[1], &[3]], &[main, other]), expected);
    }
}

/// What code overwrites is copied back only as far as it also reads it.
#[test]
fn what_is_overwritten_is_not_copied_back() {
    let planned = |code: &str| planned("h", &[&[1]], &[&format!("loop {{ region 0; {code} }}")]);
    for (code, expected) in [
        ("read 1 at y overwrite 1 at x", "[r y][o x]read 1 at y overwrite 1 at x"),
        ("read 1 at x overwrite 1 at x", "[r x][o x]read 1 at x overwrite 1 at x"),
        ("write 1 at y overwrite 1 at x", "[w y][o x]write 1 at y overwrite 1 at x"),
        ("read 1 overwrite 1 at x", "[r D0][w x]read 1 overwrite 1 at x"),
        ("free 1 at p overwrite 1 at x", "[w x][f p]free 1 at p overwrite 1 at x"),
        ("delete 1 at p", "[forget p]delete 1 at p"),
        ("read 2 overwrite 1 at x", "[o x]read 2 overwrite 1 at x"),
    ] {
        assert_eq!(planned(code), format!("loop {{ region 0; {expected} }}"));
    }
    // The loop runs a region that brings back to the device what it reads in each iteration.
    assert_eq!(
        planned("loop { read 1 at y; overwrite 1 at x }"),
        "loop { region 0; [r y][o x]loop { read 1 at y; overwrite 1 at x } }"
    );
}

#[test]
fn other_memory_stays_in_intervals_without_unknown_code() {
    let cases = [
        ("loop { call 1 }", "[begin]loop { call 1 }[end]"),
        ("region 1; read 1 at x; region 2", "[begin]region 1; [r x]read 1 at x; region 2[end]"),
        ("region 1; read 1 at x", "region 1; read 1 at x"),
        (
            "read 1 at x; loop { call 1 }; read 1 at x",
            "read 1 at x; [begin]loop { call 1 }[end]; read 1 at x",
        ),
        // Unknown code finds everything on the host, and leaves everything there.
        ("loop { call 1; unknown }", "[begin]loop { call 1; [leave]unknown[back] }[end]"),
        ("loop { call 1; unknown within }", "loop { call 1; unknown within }"),
        (
            "loop { call 1; if read 2 { exit } }",
            "[begin]loop { call 1; if read 2 { [leave]exit[back] } }[end]",
        ),
        ("loop unknown { loop { call 1 } }", "loop unknown { [begin]loop { call 1 }[end] }"),
        // Code that no call can announce ends them.
        ("loop { call 1; fixed read 1 at x }", "loop { call 1; fixed read 1 at x }"),
        ("loop { loop { call 1 }; fixed read 1 }", "loop { [begin]loop { call 1 }[end]; fixed read 1 }"),
        // Whoever jumps out of them ends them.
        ("loop { call 1; if read 2 { return } }", "[begin]loop { call 1; if read 2 { [end]return } }[end]"),
        ("loop { call 1; if read 2 { break } }", "[begin]loop { call 1; if read 2 { break } }[end]"),
        (
            "loop { if read 2 { break }; call 1; call 1 }",
            "[begin]loop { if read 2 { break }; call 1; call 1 }[end]",
        ),
        (
            "loop { loop { call 1 }; if read 2 { goto a }; label a }",
            "[begin]loop { loop { call 1 }; if read 2 { goto a }; label a }[end]",
        ),
        // Nobody jumps into them.
        (
            "switch unknown { label; call 1; label; call 1 }",
            "switch unknown { label; call 1; label; call 1 }",
        ),
        (
            "loop { switch read 2 { label; call 1; break; label; call 1 } }",
            "[begin]loop { switch read 2 { label; call 1; break; label; call 1 } }[end]",
        ),
        ("switch unknown { loop { label; call 1 } }", "switch unknown { loop { label; call 1 } }"),
    ];
    for (main, expected) in cases {
        let expected = format!("{expected} | region 0");
        assert_eq!(planned("eh", &[&[1], &[1], &[1]], &[main, "region 0"]), expected);
    }
}

#[test]
fn procedures_that_are_called_in_intervals_announce_what_they_touch() {
    let planned = |second: &str, third: &str| {
        planned("eh", &[&[1]], &["loop { call 1; call 2 }; call 3", "region 0", second, third])
    };
    assert_eq!(
        planned("read 1 at x", "read 1 at x"),
        "[begin]loop { call 1; call 2 }[end]; call 3 | region 0 | [r x]read 1 at x | read 1 at x"
    );
    assert_eq!(
        planned("call 3", "read 1 at x; unknown"),
        "[begin]loop { call 1; call 2 }[end]; call 3 | region 0 | call 3 | [r x]read 1 at x; [leave]unknown[back]"
    );
    assert_eq!(
        planned("unknown within", ""),
        "loop { call 1; call 2 }; call 3 | region 0 | unknown within",
        "unknown code in a function"
    );
    assert_eq!(
        planned("if read 2 { return }; call 2", ""),
        "[begin]loop { call 1; call 2 }[end]; call 3 | region 0 | if read 2 { return }; call 2",
        "a function may return and call itself"
    );
    // A function that is called from elsewhere is entered outside of intervals, too.
    assert_eq!(
        super::tests::planned("eh", &[&[1]], &["", "!loop { call 2 }", "!region 0; write 1 at x"]),
        "!{ [begin]loop { call 2 }[end] | !region 0; [w x]write 1 at x".replace("{ [begin]", "[begin]"),
    );
}

#[test]
fn what_is_evaluated_after_a_region_in_the_same_expression_is_not_announced_before_it() {
    // Memory that only this program touches is then treated like other memory.
    assert_eq!(
        planned("hh", &[&[1]], &["loop { read 1 call 1 }", "region 0"]),
        "loop { read 1 call 1 } | region 0"
    );
    assert_eq!(
        planned("hh", &[&[1]], &["loop { read 2 call 1 }", "region 0"]),
        "loop { read 2 call 1 } | region 0",
        "another class"
    );
    assert_eq!(
        planned("hh", &[&[1], &[2]], &["loop { read 1 call 1; call 2 }", "region 0", "region 1"]),
        "loop { read 1 call 1; call 2 } | region 0 | region 1"
    );
    // Arguments are evaluated before the function runs.
    assert_eq!(
        planned("hh", &[&[1]], &["loop { first read 1 at x call 1 }", "region 0"]),
        "loop { [r x]first read 1 at x call 1 } | region 0"
    );
    assert_eq!(
        planned("hh", &[&[1]], &["loop { first read 1 at x read 1 at y call 1 }", "region 0"]),
        "loop { first read 1 at x read 1 at y call 1 } | region 0"
    );
    // Unknown code may call functions that it can reach.
    assert_eq!(
        planned("hh", &[&[1]], &["loop { call 1; read 1 unknown }", "!region 0"]),
        "loop { call 1; read 1 unknown } | !region 0"
    );
}

#[test]
fn memory_of_a_block_leaves_the_device_with_it() {
    let planned = |callee: &str| planned("bh", &[&[1]], &["loop { call 1 }", callee]);
    assert_eq!(
        planned("block 1 { region 0; read 1 at x }"),
        "[begin]loop { call 1 }[end] | block 1 { region 0; [r x]read 1 at x[forget t] }"
    );
    assert_eq!(
        planned("block 1 { region 0; if read 2 { return }; region 0; return }"),
        "[begin]loop { call 1 }[end] | [begin]block 1 { region 0; if read 2 { [forget t][end]return }; region 0; \
         [forget t][end]return }[end]"
    );
    // What the value reads comes back before; other code may read all of the memory.
    assert_eq!(
        planned("block 1 { region 0; return read 1 at x }"),
        "[begin]loop { call 1 }[end] | block 1 { region 0; [r x][forget t]return [r x]read 1 at x }"
    );
    for value in ["read 1", "unknown", "write 1 at x"] {
        let text = planned(&format!("block 1 {{ region 0; return {value} }}"));
        assert!(text.contains("[release t]") || !text.contains("[begin]"), "{text}");
    }
    // The interval goes on until the end of the block, so that nothing is copied which nobody reads.
    assert_eq!(
        planned("block 1 { unknown within; loop { region 0 }; read 2; read 1 at x }"),
        "loop { call 1 } | block 1 { unknown within; [begin]loop { region 0 }; read 2; [r x]read 1 at x[forget t][end] }"
    );
    assert_eq!(
        planned("block 1 { unknown within; loop { region 0 }; read 2; unknown }"),
        "loop { call 1 } | block 1 { unknown within; [begin]loop { region 0 }[end]; read 2; unknown }"
    );
    assert_eq!(
        planned("block 1 { label a; region 0; if read 2 { goto a }; read 2 }"),
        "[begin]loop { call 1 }[end] | block 1 { label a; region 0; if read 2 { goto a }; read 2[forget t] }"
    );
    assert_eq!(
        planned("block 1 { region 0; if read 2 { goto a }; read 2 }; label a; read 2"),
        "[begin]loop { call 1 }[end] | block 1 { region 0; if read 2 { [forget t]goto a }; read 2[forget t] }; \
         label a; read 2"
    );
    assert_eq!(
        planned("block 1 { region 0; if read 2 { goto }; read 2 }; label a; read 2"),
        "loop { call 1 } | block 1 { region 0; if read 2 { goto }; read 2 }; label a; read 2",
        "it is not known where the jump leads"
    );
    assert_eq!(
        planned("block 1 { region 0; fixed read 2 }"),
        "loop { call 1 } | block 1 { region 0; fixed read 2 }",
        "nothing can stand at the end of the block"
    );
    assert_eq!(
        planned("block 1 { region 0; if read 2 { return call 1 } }"),
        "loop { call 1 } | block 1 { region 0; if read 2 { return call 1 } }",
        "a region runs after all calls before the jump"
    );
    assert_eq!(
        planned("block 1 { loop { region 0 }; read 1 }; read 2"),
        "[begin]loop { call 1 }[end] | [begin]block 1 { loop { region 0 }; [r D0]read 1[forget t] }[end]; read 2"
    );
}

#[test]
fn handlers_restore_what_was_open_before_an_exception() {
    // Without intervals, there is nothing to restore.
    assert_eq!(
        planned("h", &[&[1]], &["try { loop { region 0; unknown } } catch { read 1 at x }"]),
        "try { loop { region 0; unknown } } catch { [r x]read 1 at x }"
    );
    assert_eq!(
        planned("e", &[&[1]], &["try { loop { region 0; unknown } } catch { read 2 }"]),
        "[begin][mark]try { loop { region 0; [leave]unknown[back] } } catch {[caught] read 2 }[end]"
    );
    assert_eq!(
        planned("e", &[&[1]], &["loop { try { region 0; unknown } catch { read 1 at x } }"]),
        "[begin]loop { [mark]try { region 0; [leave]unknown[back] } catch {[caught] [r x]read 1 at x } }[end]"
    );
    // Nothing is thrown.
    assert_eq!(
        planned("e", &[&[1]], &["try { loop { region 0 } } catch { read 2 }"]),
        "[begin]try { loop { region 0 } } catch { read 2 }[end]"
    );
    // A handler in which no call can be added: nothing that an exception may leave is in an interval.
    assert_eq!(
        planned("e", &[&[1]], &["hidden { loop { region 0; unknown } } catch { loop { region 0 } }"]),
        "hidden { loop { region 0; unknown } } catch { [begin]loop { region 0 }[end] }"
    );
    assert_eq!(
        planned(
            "e",
            &[&[1]],
            &["hidden { call 1; unknown } catch { read 2 }; loop { region 0 }", "loop { region 0 }"]
        ),
        "hidden { call 1; unknown } catch { read 2 }; [begin]loop { region 0 }[end] | loop { region 0 }"
    );
}

#[test]
fn arrays_that_may_be_the_same_memory_are_in_one_class() {
    assert_eq!(
        planned(
            "hhh",
            &[&[1], &[2], &[2, 3]],
            &["loop { call 1 }; read 3; read 1", "region 0; region 1; region 2"]
        ),
        "loop { call 1 }; [r D1]read 3; [r D0]read 1 | region 0; region 1; region 2"
    );
}

#[test]
fn what_only_one_run_of_a_region_uses_is_no_candidate() {
    let reuse = |memory: &str, procedures: &[&str]| -> Vec<Option<Reuse>> {
        let (program, _) = program(memory, &[&[1], &[2]], procedures);
        let candidates = Candidates::of(&program, false);
        let arrays = program.scops.iter().enumerate().map(|(number, one)| (number, one.model.arrays[0].id));
        arrays.map(|(number, array)| OfScop { candidates: &candidates, number }.reuse(array)).collect()
    };
    let (runs, regions) = (Some(Reuse::BetweenRuns), Some(Reuse::BetweenRegions));
    assert_eq!(reuse("hh", &["region 0; region 1"]), [None, None]);
    assert_eq!(reuse("hh", &["region 0; loop { region 1 }"]), [None, runs]);
    assert_eq!(reuse("hh", &["call 1; call 1", "region 0; region 1"]), [runs, runs]);
    assert_eq!(reuse("hh", &["if read 1 { region 0 }", "!region 1"]), [None, runs], "may be called often");
    assert_eq!(reuse("ee", &["loop { region 0 }; unknown within", "!region 1"]), [runs, None]);
    let (program, _) = program("h", &[&[1], &[1]], &["region 0; region 1"]);
    let candidates = Candidates::of(&program, false);
    let array = program.scops[1].model.arrays[0].id;
    assert_eq!(OfScop { candidates: &candidates, number: 1 }.reuse(array), regions);
}

#[test]
fn what_is_held_is_announced_everywhere() {
    let cases = [
        (
            "data 1 { loop { call 1; unknown; read 1 at x } }; read 1 at y",
            "[begin][data][hold m1]data 1 { loop { call 1; [leave]unknown[back]; [r x]read 1 at x } }[end][end data]; \
             [r y]read 1 at y",
        ),
        // Unknown code may run regions of other files, so what follows it in a loop is not announced before the loop.
        (
            "loop { unknown; read 1 at x }; loop { read 1 at y }; data 1 { call 1 }",
            "loop { unknown; [r x]read 1 at x }; [r y]loop { read 1 at y }; [data][hold m1]data 1 { call 1 }[end data]",
        ),
        (
            "loop { call 2; read 1 at x }; data { call 1 }",
            "loop { call 2; [r x]read 1 at x }; [data][hold D0]data { call 1 }[end data]",
        ),
        (
            "data { call 1; if read 2 { return } }",
            "[data][hold D0]data { call 1; if read 2 { [end data]return } }[end data]",
        ),
        (
            "loop { data 1 { call 1; if read 2 { break } } }",
            "[begin]loop { [data][hold m1]data 1 { call 1; if read 2 { [end data]break } }[end data] }[end]",
        ),
    ];
    for (main, expected) in cases {
        assert_eq!(
            planned("eh", &[&[1]], &[main, "region 0", "unknown"]),
            format!("{expected} | region 0 | unknown")
        );
    }
    let reuse = |main: &str| {
        let (program, _) = program("eh", &[&[1], &[2]], &[main, "region 0; region 1"]);
        let candidates = Candidates::of(&program, false);
        OfScop { candidates: &candidates, number: 0 }.reuse(program.scops[0].model.arrays[0].id)
    };
    assert_eq!(reuse("call 1"), None);
    assert_eq!(reuse("data { call 1 }"), Some(Reuse::Held));
    let unannounced = |main: &str| {
        let (program, text) = program("eh", &[&[1]], &[main, "region 0"]);
        let arrays = [((0, program.scops[0].model.arrays[0].id), &[MemoryId(1)][..])].into();
        let decided = Decided::new(&program, &arrays, false);
        let places =
            decided.unannounced.values().map(|one| &text[one.range.start as usize..one.range.end as usize]);
        places.map(str::to_owned).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(unannounced("data { call 1 }; read 1 at x"), "");
    assert_eq!(unannounced("data { call 1 }; fixed read 1 at x"), "fixed read 1 at x");
    assert_eq!(unannounced("data { call 1 }; read 1 unknown"), "read 1 unknown");
    assert_eq!(unannounced("data { call 1 }; read 1 call 1"), "read 1 call 1");
    assert_eq!(unannounced("call 1; read 1 unknown"), "");
}

#[test]
fn callers_in_other_files_may_have_put_memory_on_the_device() {
    // Every function announces what it touches, because others may also hold the memory. Those that others may call,
    // and what these call, leave the intervals of others.
    let cases = [
        ("!region 0", "", "!region 0"),
        (
            "!read 1 at x; region 0; call 2",
            "write 1 at x",
            "![r x]read 1 at x; region 0; call 2 | [w x]write 1 at x",
        ),
        ("!unknown; region 0", "", "![leave]unknown[back]; region 0"),
        ("!region 0; unknown within", "", "!region 0; unknown within"),
        ("!loop { region 0 }", "", "![begin]loop { region 0 }[end]"),
        ("!region 0", "read 1 at x", "!region 0 | [r x]read 1 at x"),
    ];
    for (exported, internal, expected) in cases {
        assert_eq!(
            planned_for_callers("e", &[&[1]], &["read 1 at x", exported, internal]),
            format!("[r x]read 1 at x | {expected}")
        );
    }
    let reuse = |memory: &str, procedure: &str, has_callers: bool| -> Option<Reuse> {
        let (program, _) = program(memory, &[&[1]], &["", procedure]);
        let candidates = Candidates::of(&program, has_callers);
        OfScop { candidates: &candidates, number: 0 }.reuse(program.scops[0].model.arrays[0].id)
    };
    let runs = Some(Reuse::BetweenRuns);
    assert_eq!(reuse("e", "!region 0", false), None, "one run in this file");
    assert_eq!(reuse("e", "!region 0", true), runs);
    assert_eq!(reuse("h", "!region 0", true), runs, "memory of this file alone");
    assert_eq!(reuse("e", "region 0", true), None, "only this file runs the region");
    assert_eq!(reuse("b", "!block 1 { region 0; fixed read 2 }", true), None, "its end cannot be announced");
}

#[test]
fn regions_of_other_files_use_memory_in_intervals() {
    let cases = [
        ("loop { elsewhere 1 }; read 1 at x", "[begin]loop { elsewhere 1 }[end]; [r x]read 1 at x"),
        ("elsewhere 1; read 1 at x; elsewhere 1", "[begin]elsewhere 1; [r x]read 1 at x; elsewhere 1[end]"),
        ("elsewhere 1; read 1; elsewhere 1", "[begin]elsewhere 1; [r D0]read 1; elsewhere 1[end]"),
        ("elsewhere 1; elsewhere 2", "elsewhere 1; elsewhere 2"),
        ("loop { elsewhere 1; unknown }", "[begin]loop { elsewhere 1; [leave]unknown[back] }[end]"),
        ("loop { elsewhere 1 read 1 }", "loop { elsewhere 1 read 1 }"),
        ("loop { call 1 }", "[begin]loop { call 1 }[end]"),
        ("region 0; elsewhere 1", "[begin]region 0; elsewhere 1[end]"),
    ];
    for (main, expected) in cases {
        let expected = format!("{expected} | elsewhere 1");
        assert_eq!(planned("hh", &[&[1]], &[main, "elsewhere 1"]), expected);
    }
}

#[test]
fn what_keeps_memory_from_staying_is_named() {
    let why = |main: &str, callee: &str| {
        let (program, text) = program("eh", &[&[1]], &[main, callee]);
        let candidates = Candidates::of(&program, false);
        let array = program.scops[0].model.arrays[0].id;
        let why = OfScop { candidates: &candidates, number: 0 }.why_not(array)?;
        let obstacle = candidates.obstacles.values().next()?;
        let place = &text[obstacle.range.start as usize..obstacle.range.end as usize];
        Some(format!("{place}: {}", why.rsplit_once("line 1 ")?.1))
    };
    let cases = [
        ("region 0", "", ""),
        ("loop { region 0 }", "", ""),
        (
            "loop { region 0; unknown within }",
            "",
            "unknown within: calls `f`, whose body is elsewhere: make it a statement of its own",
        ),
        (
            "loop { region 0; call 1 }",
            "unknown within",
            "unknown within: calls `f`, whose body is elsewhere: make it a statement of its own",
        ),
        (
            "loop { call 1 }",
            "region 0; unknown within",
            "unknown within: calls `f`, whose body is elsewhere: make it a statement of its own",
        ),
        (
            "loop { region 0; if read 2 { goto } }",
            "",
            "goto: jumps to a label: use a loop or `return` in its place",
        ),
        (
            "loop { region 0; fixed read 1 at x }",
            "",
            "fixed read 1 at x: uses m1 where no call can be added, as in a macro or a header: use it in a statement of \
             this file, outside of macros",
        ),
        (
            "loop { read 1 call 1 }",
            "region 0",
            "read 1 call 1: uses m1 and runs a region with the same memory in one expression: make two statements of it",
        ),
        (
            "loop { call 1 }",
            "block 1 { region 0; fixed read 2 }",
            "fixed read 2: is the end of the block of the memory, where no call can be added: declare the memory outside \
             of the block, or allocate it with `malloc`",
        ),
    ];
    for (main, callee, expected) in cases {
        assert_eq!(why(main, callee).unwrap_or_default(), expected, "{main} | {callee}");
    }
}
