//! Small programs with plans. A program is a list of procedures, each a text such as
//! `loop { region 0; [r x] read 1 at x; call 1 }`, with the calls of the plan in brackets before or after a node.

use scop::{
    AccessKind, ActionOp, BlockObject, ClassId, Effect, HostAction, HostBlock, HostBranch, HostCode,
    HostHandler, HostJump, HostLoop, HostNode, HostPlace, HostRegion, HostTry, Jump, MemoryClass, MemoryId,
    MemoryLifetime, MemoryObject, Position, Procedure, ProcedureId, Program, ResidencyPlan, SourceRange,
    Touch,
};

use crate::{Checkable, check_residency};

/// A text that is being read. The range of a node is from its first to its last token.
struct Reader<'t> {
    tokens: Vec<(usize, &'t str)>,
    at: usize,
    actions: Vec<HostAction>,
}

fn tokens(text: &str, from: usize) -> Vec<(usize, &str)> {
    let (mut found, mut at) = (Vec::new(), 0);
    while let Some(start) = text[at..].find(|c: char| !c.is_whitespace()).map(|start| at + start) {
        let is_end = |c: char| c.is_whitespace() || "{};[],".contains(c);
        let length = text[start..].find(is_end).unwrap_or(text.len() - start).max(1);
        found.push((from + start, &text[start..start + length]));
        at = start + length;
    }
    found
}

impl<'t> Reader<'t> {
    fn peek(&self) -> &'t str {
        self.tokens.get(self.at).map_or("", |token| token.1)
    }

    fn word(&mut self) -> &'t str {
        self.at += 1;
        self.tokens[self.at - 1].1
    }

    /// The name of a label, if one follows.
    fn name(&mut self) -> Option<String> {
        (![";", "}", ""].contains(&self.peek())).then(|| self.word().to_owned())
    }

    fn takes(&mut self, word: &str) -> bool {
        let takes = self.peek() == word;
        self.at += usize::from(takes);
        takes
    }

    fn number<T: std::str::FromStr>(&mut self) -> T {
        self.word().parse().ok().unwrap()
    }

    fn since(&self, first: usize) -> SourceRange {
        let (start, last) = (self.tokens[first].0, self.tokens[self.at - 1]);
        SourceRange { start: start as u32, end: (last.0 + last.1.len()) as u32, line: 1, column: 1 }
    }

    /// Reads calls in brackets, if there are any.
    fn calls(&mut self) -> Vec<ActionOp> {
        let mut ops = Vec::new();
        while self.takes("[") {
            while !self.takes("]") {
                let word = self.word();
                let mut class = || self.number::<ClassId>();
                ops.push(match word {
                    "begin" => ActionOp::Begin,
                    "end" => ActionOp::End,
                    "leave" => ActionOp::Leave,
                    "back" => ActionOp::Back,
                    "mark" => ActionOp::Mark { at: self.number() },
                    "caught" => ActionOp::Caught { at: self.number() },
                    "rc" => ActionOp::ReadsClass { class: class() },
                    "wc" => ActionOp::WritesClass { class: class() },
                    "r" => ActionOp::Reads { place: place(self.word()) },
                    "w" => ActionOp::Writes { place: place(self.word()) },
                    "o" => ActionOp::Overwrites { place: place(self.word()) },
                    "f" => ActionOp::Frees { pointer: self.word().to_owned() },
                    "forget" => ActionOp::Forget { place: place(self.word()) },
                    "release" => ActionOp::Release { place: place(self.word()) },
                    _ => panic!("{word}"),
                });
            }
        }
        ops
    }

    fn act(&mut self, ops: Vec<ActionOp>, (range, position): (SourceRange, Position), after: bool) {
        let action = |op| HostAction { range, position, after, op, because: None };
        self.actions.extend(ops.into_iter().map(action));
    }

    fn nodes(&mut self) -> Vec<HostNode> {
        let mut nodes = Vec::new();
        while !["", "}"].contains(&self.peek()) {
            if self.takes(";") {
                continue;
            }
            let before = self.calls();
            let first = self.at;
            let node = self.node();
            let position = match &node {
                HostNode::Code(code) => code.position,
                _ => Position::Statement,
            };
            let at = (self.since(first), position);
            self.act(before, at, false);
            let after = self.calls();
            self.act(after, at, true);
            nodes.push(node);
        }
        nodes
    }

    fn braced(&mut self) -> Vec<HostNode> {
        assert!(self.takes("{"));
        let nodes = self.nodes();
        assert!(self.takes("}"));
        nodes
    }

    /// Reads code up to a brace, a bracket, a semicolon or `in`.
    fn code(&mut self, position: Position) -> HostCode {
        let first = self.at;
        let range = SourceRange { start: 0, end: 0, line: 1, column: 1 };
        let mut code = HostCode {
            range,
            position,
            touches: Vec::new(),
            calls: Vec::new(),
            unknown: None,
            way_out: String::new(),
            ends: false,
            elsewhere: Vec::new(),
        };
        while !["", "{", "}", "[", ";", "in"].contains(&self.peek()) {
            let start = self.at;
            let before_calls = self.takes("first");
            let word = self.word();
            let effect = match word {
                "read" => Effect::Reads,
                "write" => Effect::Writes,
                "overwrite" => Effect::Overwrites,
                "free" | "delete" => Effect::Frees,
                _ => {
                    match word {
                        "call" => code.calls.push(ProcedureId(self.number())),
                        "unknown" => code.unknown = Some("calls `f`".to_owned()),
                        "exit" => {
                            code.unknown = Some("calls `exit`".to_owned());
                            code.ends = true;
                        }
                        "fixed" => code.position = Position::Fixed,
                        _ => panic!("{word}"),
                    }
                    continue;
                }
            };
            let mut memory = vec![MemoryId(self.number())];
            while self.takes(",") {
                memory.push(MemoryId(self.number()));
            }
            let mut place = self.takes("at").then(|| place(self.word()));
            if let ("free", Some(place)) = (word, &mut place) {
                place.bytes = None;
            }
            code.touches.push(Touch {
                effect,
                memory,
                place,
                unplaced: None,
                before_calls,
                guarded: false,
                range: self.since(start),
            });
        }
        code.range = self.since(first);
        code
    }

    fn expression(&mut self) -> HostCode {
        let before = self.calls();
        let code = self.code(Position::Expression);
        self.act(before, (code.range, code.position), false);
        code
    }

    fn node(&mut self) -> HostNode {
        let (first, position) = (self.at, Position::Statement);
        let range = |reader: &Self| reader.since(first);
        match self.peek() {
            "loop" => {
                self.word();
                let start = self.takes("from").then(|| self.expression());
                self.takes("in");
                let condition = (self.peek() != "{").then(|| self.expression());
                let body = self.braced();
                let mut touches: Vec<Touch> = Vec::new();
                HostNode::walk(&body, &mut |node| {
                    touches.extend(node.codes().into_iter().flat_map(|code| code.touches.clone()));
                });
                touches.extend(condition.iter().flat_map(|code| code.touches.clone()));
                for touch in touches.iter_mut().filter(|touch| touch.effect == Effect::Frees) {
                    (touch.effect, touch.place) = (Effect::Writes, None);
                }
                let range = range(self);
                let step = None;
                HostNode::Loop(Box::new(HostLoop { range, position, start, condition, step, body, touches }))
            }
            word @ ("if" | "switch") => {
                self.word();
                let condition = self.expression();
                let mut arms = vec![self.braced()];
                if self.takes("else") {
                    arms.push(self.braced());
                }
                let (range, switch) = (range(self), word == "switch");
                HostNode::Branch(Box::new(HostBranch { range, position, condition, arms, switch }))
            }
            "block" => {
                self.word();
                let memory = MemoryId(self.number());
                let objects = vec![BlockObject { memory, place: place(self.word()) }];
                let body = self.braced();
                HostNode::Block(HostBlock { range: range(self), position, objects, body })
            }
            "try" => {
                self.word();
                let body = self.braced();
                let mut handlers = Vec::new();
                while self.takes("catch") {
                    let brace = self.at;
                    assert!(self.takes("{"));
                    let start = self.since(brace);
                    let is_first = self.tokens.get(self.at + 1).is_some_and(|token| token.1 == "caught");
                    let restores = if is_first { self.calls() } else { Vec::new() };
                    self.act(restores, (start, position), true);
                    handlers.push(HostHandler { start, position, body: self.nodes() });
                    assert!(self.takes("}"));
                }
                HostNode::Try(Box::new(HostTry { range: range(self), position, body, handlers }))
            }
            "region" => {
                self.word();
                let scop = self.number();
                let touches = match self.peek() {
                    "read" | "write" => self.code(Position::Fixed).touches,
                    _ => Vec::new(),
                };
                HostNode::Region(HostRegion {
                    scop,
                    range: range(self),
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
                self.word();
                let label = (jump == Jump::Goto).then(|| self.name()).flatten();
                let has_value = !["", ";", "}"].contains(&self.peek());
                let value = has_value.then(|| self.expression());
                HostNode::Jump(HostJump { range: range(self), position, jump, value, label })
            }
            "label" => {
                self.word();
                let name = self.name();
                HostNode::Label { range: range(self), name }
            }
            _ => HostNode::Code(self.code(position)),
        }
    }
}

fn place(address: &str) -> HostPlace {
    HostPlace { address: address.to_owned(), bytes: Some("8".to_owned()) }
}

/// Returns a program of which `M1`, `M2`, … are memory objects: `h` allocated, `e` exposed, `b` of a block. Each is in
/// a class of its own, `D0`, `D1`, …; `~` after the letter makes the class bounded. Region 0 writes `M1`, region 1
/// reads it; 2 and 3 do so with `M2`, and so on. A procedure whose text begins with `!` is called from elsewhere.
fn program(memory: &str, procedures: &[&str]) -> Program<Checkable> {
    let text = include_str!("../../../../tests/golden/stencil/5-cloog-rs.json");
    let mut program: Program<Checkable> = scop::from_json(text).unwrap();
    let scop = program.scops.remove(0);
    let mut plan = ResidencyPlan::default();
    let object = |id: usize, letter: char| MemoryObject {
        id: MemoryId(id as u32),
        name: format!("m{id}"),
        lifetime: if letter == 'b' { MemoryLifetime::Block } else { MemoryLifetime::Allocated },
        exposed: letter == 'e',
        external: false,
        held: false,
        made_at: None,
    };
    program.memory = vec![object(0, 'e')];
    for letter in memory.chars().filter(|letter| *letter != '~') {
        let number = plan.classes.len();
        let memory = MemoryId(number as u32 + 1);
        for is_read in [false, true] {
            let mut scop = scop.clone();
            scop.model.arrays[0].memory = vec![memory];
            let accesses = scop.model.statements.iter_mut().flat_map(|one| &mut one.accesses);
            accesses.filter(|_| is_read).for_each(|access| access.kind = AccessKind::Read);
            let device = scop::Stage::placement_mut(&mut scop.stage).unwrap().device.first_mut().unwrap();
            device.resident = Some(ClassId(number as u32));
            program.scops.push(scop);
        }
        program.memory.push(object(number + 1, letter));
        let id = ClassId(number as u32);
        plan.classes.push(MemoryClass {
            id,
            memory: vec![memory],
            bounded: false,
            foreign: false,
            announced: false,
        });
    }
    let letters: Vec<char> = memory.chars().collect();
    let mut numbers = 0..;
    for (position, letter) in letters.iter().enumerate().filter(|(_, letter)| **letter != '~') {
        let number: usize = numbers.next().unwrap();
        plan.classes[number].bounded = letters.get(position + 1) == Some(&'~');
        assert_ne!(*letter, '~');
    }
    program.host.clear();
    let mut start = 0;
    for (position, text) in procedures.iter().enumerate() {
        let body = text.trim_start_matches('!');
        let mut reader = Reader { tokens: tokens(body, start), at: 0, actions: Vec::new() };
        let body = reader.nodes();
        plan.actions.append(&mut reader.actions);
        let range = SourceRange { start: start as u32, end: (start + text.len()) as u32, line: 1, column: 1 };
        let block = HostBlock { range, position: Position::Fixed, objects: Vec::new(), body };
        program.host.push(Procedure {
            id: ProcedureId(position as u32),
            name: if position == 0 { "main".to_owned() } else { format!("p{position}") },
            range: Some(range),
            lines: Vec::new(),
            called_from_elsewhere: text.starts_with('!'),
            internal: false,
            body: vec![HostNode::Block(block)],
        });
        start += text.len() + 1;
    }
    program.residency = Some(plan);
    program
}

/// Returns the messages about a program, each as its code and the text that it is about.
fn said(memory: &str, procedures: &[&str]) -> String {
    let text = procedures.iter().map(|text| text.trim_start_matches('!').to_owned());
    let text: Vec<String> =
        text.zip(procedures).map(|(text, whole)| format!("{text:<0$}", whole.len())).collect();
    let text = text.join("\n");
    let messages = check_residency(&program(memory, procedures));
    let place = |message: &scop::Diagnostic| {
        let range = message.place.as_ref().map_or(0..0, |place| place.range.start..place.range.end);
        format!("{} {}", message.code, &text[range.start as usize..range.end as usize])
    };
    messages.iter().map(place).collect::<Vec<_>>().join(" | ")
}

/// Checks main programs with one other procedure, which runs region 0.
fn table(memory: &str, cases: &[(&str, &str)]) {
    for (main, expected) in cases {
        assert_eq!(said(memory, &[main, "region 0"]), *expected, "{main}");
    }
}

#[test]
fn host_code_needs_a_call_before_it_reads_what_a_region_wrote() {
    table(
        "hh",
        &[
            ("region 0; [r x] read 1 at x", ""),
            ("region 0; [w x] read 1 at x", ""),
            ("region 0; [rc D0] read 1 at x", ""),
            ("region 0; [rc D0] read 1; read 1 at y", ""),
            ("region 0; read 1 at x", "E0225 read 1 at x"),
            ("region 0; [r y] read 1 at x", "E0225 read 1 at x"),
            ("region 0; [rc D1] read 1 at x", "E0225 read 1 at x"),
            ("region 0; [r x] read 1", "E0225 read 1"),
            ("region 0; read 1 at x [r x]", "E0225 read 1 at x"),
            ("region 0; [r x] read 1 at x; read 1 at x", "E0225 read 1 at x"),
            ("region 0; [rc D0] read 1; region 0; read 1", "E0225 read 1"),
            ("region 0; read 2 at x", ""),
            ("region 0; [rc D0] read 2,1 at x", ""),
            ("region 0; read 2,1 at x", "E0225 read 2,1 at x"),
            ("read 1 at x; region 0", ""),
            ("region 1; read 1 at x", ""),
            ("region 0; [rc D0] region 2 read 1", ""),
            ("region 0; region 2 read 1", "E0225 read 1"),
        ],
    );
}

#[test]
fn host_code_needs_a_call_before_it_changes_what_the_device_holds() {
    table(
        "hh",
        &[
            ("region 0; [w x] write 1 at x", ""),
            ("region 0; [wc D0] write 1", ""),
            ("region 0; [o x] overwrite 1 at x", ""),
            ("region 0; [w x] overwrite 1 at x", ""),
            ("region 0; [r x] write 1 at x", "E0225 write 1 at x"),
            ("region 0; [rc D0] write 1 at x", "E0225 write 1 at x"),
            ("region 1; write 1 at x", "E0225 write 1 at x"),
            ("region 1; [r x] overwrite 1 at x", "E0225 overwrite 1 at x"),
            ("region 0; [o x] write 1 at x", "E0226 write 1 at x"),
            ("region 0; [o y] overwrite 1 at x", "E0226 overwrite 1 at x"),
            ("region 0; [r y o x] read 1 at y overwrite 1 at x", ""),
            ("region 0; [w y o x] write 1 at y overwrite 1 at x", ""),
            ("region 0; [o x r y] read 1 at y overwrite 1 at x", "E0226 read 1 at y overwrite 1 at x"),
            ("region 0; [rc D0 o x] read 1 overwrite 1 at x", "E0226 read 1 overwrite 1 at x"),
            ("region 0; [r y o x] loop { read 1 at y; overwrite 1 at x }", ""),
            (
                "region 0; [o x] loop { [r y] read 1 at y; overwrite 1 at x }",
                "E0226 loop { [r y] read 1 at y; overwrite 1 at x }",
            ),
            ("region 0; [f p] free 1 at p", ""),
            ("region 0; [wc D0] free 1", ""),
            ("region 0; free 1 at p", "E0225 free 1 at p"),
            ("region 0; [rc D0] free 1 at p", "E0225 free 1 at p"),
            ("region 0; [f q] free 1 at p", "E0226 free 1 at p"),
            ("region 0; [forget p] delete 1 at p", ""),
            ("region 0; delete 1 at p", "E0225 delete 1 at p"),
            ("region 0; [forget q] delete 1 at p", "E0226 delete 1 at p"),
            ("region 0; [forget p] write 1 at p", "E0226 write 1 at p"),
        ],
    );
}

#[test]
fn what_comes_before_the_calls_of_its_code_does_not_see_what_they_leave() {
    table(
        "hh",
        &[
            ("first read 1 at x call 1", ""),
            ("read 1 at x call 1", "E0225 read 1 at x"),
            ("region 0; [r x] first read 1 at x call 1", ""),
            ("region 0; [r x] read 1 at x call 1", "E0225 read 1 at x"),
            ("region 0; first read 1 at x call 1", "E0225 first read 1 at x"),
            ("loop { first read 1 at x call 1 }", "E0225 first read 1 at x"),
            ("[r x] loop { first read 1 at x call 1 }", "E0225 first read 1 at x"),
            ("loop { [r x] first read 1 at x call 1 }", ""),
            ("loop [w x] first write 1 at x call 1 { }", ""),
            ("[w x] first write 1 at x call 1; read 1 at x", "E0225 read 1 at x"),
            ("[w x] first write 1 at x write 1 at x call 1", "E0225 write 1 at x"),
        ],
    );
}

#[test]
fn paths_come_together() {
    table(
        "hh",
        &[
            ("if read 2 { region 0 }; read 1 at x", "E0225 read 1 at x"),
            ("if read 2 { region 0; [rc D0] read 2 } else { read 2 }; read 1 at x", ""),
            ("loop { read 1 at x; region 0 }", "E0225 read 1 at x"),
            ("loop { [r x] read 1 at x; region 0 }", ""),
            ("loop { region 0; if read 2 { break }; [rc D0] read 2 }; read 1 at x", "E0225 read 1 at x"),
            ("loop { region 0; if read 2 { continue }; [rc D0] read 2 }; read 1 at x", "E0225 read 1 at x"),
            ("region 0; if read 2 { return }; [rc D0] read 2; read 1 at x", ""),
            ("switch read 2 { label; region 0; break; label; read 1 at x }", ""),
            ("switch read 2 { label; region 0; label; read 1 at x }", "E0225 read 1 at x"),
            ("label a; read 1 at x; region 0; if read 2 { goto a }", "E0225 read 1 at x"),
            ("if read 2 { goto a }; region 0; [rc D0] read 2; label a; read 1 at x", ""),
            ("region 0; if read 2 { goto a }; [rc D0] read 2; label a; read 1 at x", "E0225 read 1 at x"),
            ("region 0; return [rc D0] read 1", ""),
            ("region 0; return read 1", "E0225 read 1"),
        ],
    );
}

#[test]
fn calls_before_a_loop_hold_in_it_if_no_region_runs_there() {
    table(
        "hh",
        &[
            ("region 0; [r x] loop { read 1 at x }", ""),
            ("region 0; [r x] loop { loop { read 1 at x } }", ""),
            ("region 0; [r x] loop [r x] read 1 at x { read 1 at x }", ""),
            ("region 0; [r x r y] loop { read 1 at x; read 1 at y }", ""),
            ("region 0; [r x] loop { read 1 at x; read 1 at y }", "E0225 read 1 at x | E0225 read 1 at y"),
            ("region 0; [r x] loop { read 1 at x; region 0 }", "E0225 read 1 at x"),
            ("region 0; [r x] loop { read 1 at x; region 1 }", ""),
            ("region 0; [w x] loop { write 1 at x; region 1 }", "E0225 write 1 at x"),
            ("region 0; [r x] loop { read 1 at x; region 2 }", ""),
            ("region 0; [r x] loop { read 1 at x; call 1 }", "E0225 read 1 at x"),
            ("region 0; [r x] loop from call 1 in read 2 { read 1 at x }", "E0225 read 1 at x"),
            ("region 0; [r x w x] loop { read 1 at x; write 1 at x }", ""),
            ("region 0; [o x] loop { overwrite 1 at x }", ""),
            ("region 0; [r x] loop { write 1 at x }", "E0225 write 1 at x"),
            ("region 0; [wc D0] loop { free 1 at p }", ""),
            ("region 0; [r x] loop { read 1 at x; region 2 read 1 at x }", "E0225 read 1 at x"),
            // Control may enter a loop at a label in it.
            ("region 0; if read 2 { goto a }; [r x] loop { label a; read 1 at x }", "E0225 read 1 at x"),
            ("region 0; [r x] loop { if read 2 { goto a }; label a; read 1 at x }", ""),
            ("region 0; switch read 2 { [r x] loop { label; read 1 at x } }", "E0225 read 1 at x"),
            ("region 0; [r x] loop { switch read 2 { label; read 1 at x } }", ""),
        ],
    );
}

#[test]
fn bounded_memory_stays_only_in_intervals() {
    table(
        "e~h",
        &[
            ("region 0; read 1 at x; unknown", ""),
            ("[begin] region 0; region 0 [end]; unknown; write 1 at x", ""),
            ("[begin] region 0; read 1 at x; region 0 [end]", "E0225 read 1 at x"),
            ("[begin] region 0; unknown; region 0 [end]", "E0225 unknown"),
            ("[begin] region 0; [leave] unknown [back]; region 0 [end]", ""),
            // What never returns needs everything, too.
            ("[begin] region 0; exit; region 0 [end]", "E0225 exit"),
            ("[begin] region 0; if read 2 { [leave] exit [back] }; region 0 [end]", ""),
            ("[begin] region 0; [r x] loop { read 1 at x; if read 2 { [leave] exit [back] } } [end]", ""),
            ("[begin] region 0; [leave] unknown call 1 [back]; read 1 at x; region 0 [end]", ""),
            ("[begin] region 0; [begin] region 0 [end]; read 1 at x; region 0 [end]", "E0225 read 1 at x"),
            ("[begin] loop { region 0; if read 2 { [end] return } } [end]", ""),
            ("[begin] loop { region 0; if read 2 { [end] return read 1 at x } } [end]", ""),
            ("[begin] loop { region 0; if read 2 { break } } [end]", ""),
            (
                "[begin] loop { region 0; if read 2 { return } } [end]",
                "E0226 loop { region 0; if read 2 { return } }",
            ),
            ("[begin] region 0", "E0226 region 0"),
            ("if read 2 { [begin] region 0 }; read 2", "E0226 region 0"),
            ("region 0 [end]", "E0226 region 0"),
            ("[begin] loop { region 0 [back] } [end]", "E0226 region 0"),
        ],
    );
    // Without the mark, memory that unknown code may use stays on the device.
    table(
        "eh",
        &[
            ("region 0; [rc D0] unknown; [wc D0] read 1", "E0225 unknown"),
            ("region 0", "E0225 "),
            ("region 2", ""),
        ],
    );
}

#[test]
fn procedures_run_where_they_are_called() {
    let cases: [(&[&str], &str); 14] = [
        (&["call 1; call 2", "region 0", "[r x] read 1 at x"], ""),
        (&["call 1; call 2", "region 0", "read 1 at x"], "E0225 read 1 at x"),
        (&["call 2; call 1", "region 0", "read 1 at x"], ""),
        (&["loop { call 2; call 1 }", "region 0", "read 1 at x"], "E0225 read 1 at x"),
        (&["call 1; [r x] read 1 at x; call 3", "region 0", "", "call 1"], ""),
        (&["[r x] read 1 at x call 1", "region 0"], "E0225 read 1 at x"),
        (&["read 1 call 2", "", "call 1"], ""),
        // A procedure may call itself.
        (&["call 1", "if read 2 { read 1 at x; region 0; call 1 }"], "E0225 read 1 at x"),
        // What nothing calls is never executed.
        (&["call 1", "region 0", "read 1 at x"], ""),
        // Unknown code calls what it can reach, in any order.
        (&["unknown", "!region 0", "!read 1 at x"], "E0225 read 1 at x"),
        (&["unknown; read 1 at x", "!region 0"], "E0225 read 1 at x"),
        (&["", "!region 0", "!read 1 at x"], "E0225 read 1 at x"),
        // After what never returns, only what it calls is executed.
        (&["region 0; exit", "![r x] read 1 at x"], ""),
        (&["region 0; exit", "!read 1 at x"], "E0225 read 1 at x"),
    ];
    for (procedures, expected) in cases {
        assert_eq!(said("hh", procedures), expected, "{procedures:?}");
    }
}

#[test]
fn procedures_are_called_inside_and_outside_of_intervals() {
    let cases: [(&[&str], &str); 6] = [
        (&["[begin] call 1; call 2 [end]", "region 0", "[r x] read 1 at x"], ""),
        (&["[begin] call 1; call 2 [end]", "region 0", "read 1 at x"], "E0225 read 1 at x"),
        (&["call 1; call 2", "region 0", "read 1 at x"], ""),
        (&["call 2; [begin] call 1; [leave] unknown [back]; call 1 [end]", "region 0", "!read 1 at x"], ""),
        (&["[begin] call 2 [end]", "", "[begin] region 0 [end]; read 1 at x"], "E0225 read 1 at x"),
        (&["[begin] call 1; [leave] unknown [back] [end]", "region 0; unknown"], "E0225 unknown"),
    ];
    for (procedures, expected) in cases {
        assert_eq!(said("e~h", procedures), expected, "{procedures:?}");
    }
}

#[test]
fn memory_of_a_block_leaves_the_device_with_it() {
    let cases: [(&str, &str); 25] = [
        ("block 1 t { region 0 }", ""),
        ("[begin] block 1 t { region 0; read 2 [forget t] } [end]", ""),
        ("[begin] block 1 t { region 0; read 2 } [end]", "E0225 block 1 t { region 0; read 2 }"),
        ("[begin] block 1 t { region 0; read 2 [forget u] } [end]", "E0226 read 2"),
        ("[begin] block 1 t { region 0; read 2 [forget t]; read 2 } [end]", "E0226 read 2"),
        ("[begin] block 1 t { region 0; [forget t] read 2 } [end]", "E0226 read 2"),
        ("[begin] block 1 t { region 0; [release t end] return } [end]", ""),
        (
            "[begin] loop { block 1 t { region 0; if read 2 { [release t] break }; read 2 [forget t] } } [end]",
            "",
        ),
        (
            "[begin] loop { block 1 t { region 0; if read 2 { break }; read 2 [forget t] } } [end]",
            "E0225 break",
        ),
        (
            "[begin] loop { block 1 t { region 0; if read 2 { [release t] continue call 1 }; read 2 [forget t] } } [end]",
            "E0225 continue call 1",
        ),
        (
            "[begin] loop { block 1 t { loop { region 0; if read 2 { break } }; read 2 [forget t] } } [end]",
            "",
        ),
        ("[begin] loop { region 0; block 1 t { if read 2 { break }; read 2 } } [end]", ""),
        // A jump to a label in the block does not leave it.
        ("[begin] block 1 t { label a; region 0; if read 2 { goto a }; read 2 [forget t] } [end]", ""),
        (
            "[begin] block 1 t { region 0; if read 2 { [release t] goto a }; read 2 [forget t] }; label a; read 2 [end]",
            "",
        ),
        (
            "[begin] block 1 t { region 0; if read 2 { goto a }; read 2 [forget t] }; label a; read 2 [end]",
            "E0225 goto a",
        ),
        // Another jump does not lead there.
        (
            "[begin] loop { block 1 t { if read 2 { goto a }; label a; region 0; read 2 [forget t] } }; \
             if read 2 { goto b }; label b; read 2 [end]",
            "",
        ),
        (
            "[begin] block 2 t { region 2; block 1 t { region 0; [release t end] return } } [end]",
            "E0225 return",
        ),
        ("[begin] block 1 &t { region 0; [forget &t end] return } [end]", ""),
        ("[begin] block 1 &t { region 0; [r x forget &t end] return [r x] read 1 at x } [end]", ""),
        (
            "[begin] block 1 &t { region 0; [forget &t end] return [r x] read 1 at x } [end]",
            "E0226 return [r x] read 1 at x",
        ),
        ("[begin] block 1 &t { region 0; [forget &t end] return call 1 } [end]", "E0226 return call 1"),
        ("[begin] block 1 t { region 0; [forget t end] return read 2 } [end]", ""),
        // A vector that is returned takes its elements along.
        ("[begin] block 1 t { region 0; [forget t end] return read 1 } [end]", "E0226 return read 1"),
        ("[begin] block 1 t { region 0; [release t end] return read 1 } [end]", ""),
        ("[begin] block 1 &t { region 0; [forget &u end] return } [end]", "E0226 return"),
    ];
    table("b~h", &cases);
}

/// Code that the document does not contain may throw, and lead to a handler.
#[test]
fn handlers_see_what_was_on_the_device_when_an_exception_began() {
    table(
        "h",
        &[
            ("try { region 0; unknown } catch { [r x] read 1 at x }", ""),
            ("try { region 0; unknown } catch { read 1 at x }", "E0225 read 1 at x"),
            ("try { region 0; [rc D0] read 1; unknown } catch { read 1 at x }", ""),
            ("try { region 0; read 0 } catch { read 1 at x }", ""),
            ("try { region 0; unknown; [wc D0] write 1 } catch { read 0 }; read 1 at x", "E0225 read 1 at x"),
            ("try { try { region 0; unknown } catch { read 0 } } catch { read 1 at x }", "E0225 read 1 at x"),
            ("try { read 0 } catch { region 0; unknown }; read 1", ""),
            ("try { unknown } catch { region 0 }; read 1", "E0225 read 1"),
        ],
    );
    // The procedure writes back at its end, which an exception does not reach.
    let callee = "region 0; unknown; [rc D0] read 1";
    assert_eq!(said("h", &["call 1; read 1", callee]), "");
    assert_eq!(said("h", &["try { call 1; read 1 } catch { read 0 }", callee]), "");
    assert_eq!(said("h", &["try { call 1 } catch { read 1 }", callee]), "E0225 read 1");
    assert_eq!(said("h", &["try { call 2 } catch { read 1 }", callee, "call 1"]), "E0225 read 1");
}

#[test]
fn exceptions_leave_intervals_only_for_handlers_that_know_it() {
    let lost = |text: &str| format!("E0226 {text}");
    let cases = [
        (
            "[mark 10] try { [begin] loop { region 0; [leave] unknown [back] } [end] } catch { [caught 10] read 0 }",
            String::new(),
        ),
        // As long as unknown code is on, regions keep nothing.
        ("try { [begin] loop { region 0; [leave] unknown [back] } [end] } catch { read 0 }", String::new()),
        ("try { [begin] loop { region 0; [leave] call 1 [back] } [end] } catch { read 0 }", String::new()),
        ("try { [begin] loop { region 0; call 1 } [end] } catch { read 0 }", lost("call 1")),
        (
            "[mark 9] try { [begin] loop { region 0; call 1 } [end] } catch { [caught 9] read 0 }",
            String::new(),
        ),
        ("[mark 9] try { [begin] loop { region 0; call 1 } [end] } catch { read 0 }", lost("call 1")),
        (
            "[mark 8] try { [begin] loop { region 0; call 1 } [end] } catch { [caught 8] read 0 }",
            lost("[mark 8] try"),
        ),
        ("try { [begin] loop { region 0; call 1 } [end] } catch { [caught 0] read 0 }", lost("{")),
        // What is on the device could end on the way.
        (
            "[mark 9] try { [begin] loop { region 0; unknown } [end] } catch { [caught 9] read 0 }",
            "E0225 unknown".to_owned(),
        ),
    ];
    for (main, expected) in cases {
        let said = said("h~", &[main, "[leave] unknown [back]"]);
        let is_it = if expected.ends_with("try") || expected.ends_with('{') {
            said.contains("E0226")
        } else {
            said == expected
        };
        assert!(is_it, "{main}: {said}");
    }
}

#[test]
fn calls_stand_at_nodes() {
    let mut program = program("h", &["region 0; [r x] read 1 at x"]);
    let mut with = |change: &dyn Fn(&mut HostAction)| {
        let plan = program.residency.as_mut().unwrap();
        let before = plan.clone();
        change(&mut plan.actions[0]);
        let codes: Vec<String> = check_residency(&program).into_iter().map(|one| one.code).collect();
        program.residency = Some(before);
        codes
    };
    assert!(with(&|_| {}).is_empty());
    assert_eq!(with(&|action| action.range.start += 1), ["E0226"]);
    assert_eq!(with(&|action| action.position = Position::Alone), ["E0226"]);
}

#[test]
fn messages_tell_the_path() {
    let said = check_residency(&program("hh", &["call 1; call 2", "region 0", "read 1 at x"]));
    let [one] = &said[..] else { panic!("{said:?}") };
    assert_eq!(one.message, "`p2` reads `m1` (D0), of which the device may have the newer values");
    let path = "the region in line 1 writes it on the device; `p1` returns to line 1; line 1 calls `p2`; no call \
                between copies them back";
    assert_eq!(one.help.as_deref(), Some(path));
}
