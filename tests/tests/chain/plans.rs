//! Plans of what stays on the device: the proof accepts gpulocalizer's, and finds what is wrong with changed ones.
//!
//! Some calls of a plan are superfluous: gpulocalizer looks for what may be needed, the proof for what is. A plan without
//! all that the proof does not miss is run on the checking simulator, which finds stale values on either side: it shows
//! that the proof misses nothing. `C2CUDA_PLANS=100` adds that many random programs.

use std::path::{Path, PathBuf};

use chain_tests::{Call, Golden, Scratch, driver, names_in, root, tools_folder};
use proof::{Checkable, check_residency};
use scop::{ActionOp, HostAction, Position, Program, ResidencyPlan};

/// The seed of random programs, and how many the test suite tries.
const SEED: u64 = 901;
const COUNT: u64 = 3;

/// A program with its document.
struct Case {
    name: String,
    source: PathBuf,
    arguments: Vec<String>,
    document: Program<Checkable>,
}

/// Returns the programs of `tests/programs/residency`.
fn ours() -> Vec<Case> {
    let arguments = |name: &str| match name {
        "time_loop.c" => "100 10",
        "residual.c" => "100 40",
        "exit.c" => "50 30",
        "gradients.c" => "100 5",
        "multigrid.c" => "8 3",
        "scopes.c" => "50 6",
        "swap.c" | "index.c" | "members.c" => "12 8",
        _ => "",
    };
    let folder = root().join("tests/programs/residency");
    let names = names_in(&folder).into_iter().filter(|name| name.ends_with(".c"));
    names.filter_map(|name| case(&folder.join(&name), arguments(&name))).collect()
}

/// Returns a random program whose plan is not empty.
fn random(number: u64, scratch: &Scratch) -> Option<Case> {
    let call = Call::new(tools_folder().join("fuzz"));
    let call = call.args(["--residency", "--lang", "c", "--print", "--seed", &SEED.to_string(), "--only"]);
    let text = call.arg(number.to_string()).run().succeeded().stdout;
    case(&scratch.write(&format!("random{number}.c"), &text), "16 9")
}

/// Returns a program, if all tools take it and it has a plan.
fn case(source: &Path, arguments: &str) -> Option<Case> {
    let outcome = driver().args(["--no-proof", "--to", "cloog-rs"]).arg(source).run();
    let document: Program<Checkable> =
        (outcome.status == 0).then(|| scop::from_json(&outcome.stdout))?.unwrap();
    document.residency.is_some().then(|| Case {
        name: source.file_stem().unwrap().to_string_lossy().into_owned(),
        source: source.to_owned(),
        arguments: arguments.split_whitespace().map(str::to_owned).collect(),
        document,
    })
}

impl Case {
    fn plan(&self) -> &ResidencyPlan {
        self.document.residency.as_ref().unwrap()
    }

    fn with(&self, plan: ResidencyPlan) -> Program<Checkable> {
        Program { residency: Some(plan), ..self.document.clone() }
    }

    fn is_accepted(&self, plan: &ResidencyPlan) -> bool {
        check_residency(&self.with(plan.clone())).is_empty()
    }

    /// Returns the output of the C program.
    fn expected(&self, scratch: &Scratch) -> String {
        let original = scratch.at("original");
        let gcc = Call::new("gcc").args(["-O1", "-ffp-contract=off", "-w"]).arg(&self.source);
        gcc.arg("-o").arg(&original).arg("-lm").run().succeeded();
        Call::new(&original).args(&self.arguments).run().succeeded().stdout
    }

    /// Runs the program with a plan on the checking simulator, and returns what it prints; nothing if something is found.
    fn output(&self, plan: &ResidencyPlan, scratch: &Scratch) -> Result<String, String> {
        let document = scratch.write("changed.json", &scop::to_json(&self.with(plan.clone())).unwrap());
        let call = driver().args(["--from", "cudagen", "--run", "--on", "check", "--quiet", "--source"]);
        let outcome = call.arg(&self.source).arg(document).arg("--").args(&self.arguments).run();
        if outcome.status == 0 { Ok(outcome.stdout) } else { Err(outcome.stderr) }
    }
}

fn label(action: &HostAction) -> String {
    format!("line {}: {}", action.range.line, action.op)
}

/// Returns the ways in which a call could do less than it does.
fn weaker(action: &HostAction) -> Vec<(&'static str, HostAction)> {
    let with = |op| HostAction { op, ..action.clone() };
    let mut all = match &action.op {
        ActionOp::Writes { place } => vec![
            ("becomes reads", with(ActionOp::Reads { place: place.clone() })),
            ("becomes overwrites", with(ActionOp::Overwrites { place: place.clone() })),
        ],
        ActionOp::Overwrites { place } => {
            vec![("becomes reads", with(ActionOp::Reads { place: place.clone() }))]
        }
        ActionOp::Reads { place } => {
            vec![("becomes overwrites", with(ActionOp::Overwrites { place: place.clone() }))]
        }
        ActionOp::WritesClass { class } => {
            vec![("becomes reads", with(ActionOp::ReadsClass { class: *class }))]
        }
        ActionOp::Release { place } => vec![
            ("becomes forget", with(ActionOp::Forget { place: place.clone() })),
            ("becomes writes", with(ActionOp::Writes { place: place.clone() })),
        ],
        ActionOp::Forget { place } => {
            vec![("becomes reads", with(ActionOp::Reads { place: place.clone() }))]
        }
        ActionOp::Leave => vec![("becomes begin", with(ActionOp::Begin))],
        ActionOp::End => vec![("becomes back", with(ActionOp::Back))],
        _ => Vec::new(),
    };
    if matches!(action.position, Position::Statement | Position::Alone) {
        let moved = HostAction { after: !action.after, ..action.clone() };
        all.push(if action.after { ("stands before", moved) } else { ("stands after", moved) });
    }
    all
}

/// Returns plans that do less than a plan, each with a description.
fn changed(plan: &ResidencyPlan) -> Vec<(String, ResidencyPlan)> {
    let mut all = Vec::new();
    for (number, action) in plan.actions.iter().enumerate() {
        let mut without = plan.clone();
        without.actions.remove(number);
        all.push((format!("{}: is dropped", label(action)), without));
        for (how, weak) in weaker(action) {
            let mut other = plan.clone();
            other.actions[number] = weak;
            all.push((format!("{}: {how}", label(action)), other));
        }
    }
    for (number, class) in plan.classes.iter().enumerate().filter(|(_, class)| class.bounded) {
        let mut other = plan.clone();
        other.classes[number].bounded = false;
        all.push((format!("{}: is not bounded", class.id), other));
    }
    all
}

/// Returns a plan from which nothing can be left out any more without a complaint.
fn thinned(case: &Case) -> ResidencyPlan {
    let mut plan = case.plan().clone();
    let mut number = 0;
    while number < plan.actions.len() {
        let mut shorter = plan.clone();
        let action = shorter.actions.remove(number);
        if case.is_accepted(&shorter) {
            plan = shorter;
            continue;
        }
        for (_, weak) in weaker(&action) {
            let mut other = plan.clone();
            other.actions[number] = weak;
            if case.is_accepted(&other) {
                plan = other;
                break;
            }
        }
        number += 1;
    }
    for number in 0..plan.classes.len() {
        let mut other = plan.clone();
        other.classes[number].bounded = false;
        if case.is_accepted(&other) {
            plan = other;
        }
    }
    plan
}

/// The expected file lists the changes that are not refused: the proof shows that they are harmless.
#[test]
fn changes_of_plans_are_found() {
    let mut text = String::new();
    for case in ours() {
        let said = check_residency(&case.document);
        assert!(said.is_empty(), "{}: {said:?}", case.name);
        let all = changed(case.plan());
        let accepted: Vec<_> = all.iter().filter(|(_, plan)| case.is_accepted(plan)).collect();
        text += &format!("{}.c: {} of {} changes are accepted\n", case.name, accepted.len(), all.len());
        accepted.iter().for_each(|(change, _)| text += &format!("    {change}\n"));
    }
    let mut golden = Golden::default();
    golden.compare(&root().join("tests/programs/residency/changes.expected"), &text);
    golden.finish();
}

/// What the proof does not miss, nothing misses.
#[test]
fn what_is_not_missed_is_superfluous() {
    let scratch = Scratch::new("plans");
    let more = std::env::var("C2CUDA_PLANS").ok().and_then(|count| count.parse().ok()).unwrap_or(0);
    let randomly = (0..COUNT + more).filter_map(|number| random(number, &scratch));
    for case in ours().into_iter().chain(randomly) {
        let said = check_residency(&case.document);
        assert!(said.is_empty(), "{}: {said:?}", case.name);
        let thin = thinned(&case);
        let (before, after) = (case.plan().actions.len(), thin.actions.len());
        if more > 0 {
            eprintln!("{}: {after} of {before} calls are needed", case.name);
        }
        if thin != *case.plan() {
            let output = case.output(&thin, &scratch);
            assert_eq!(output, Ok(case.expected(&scratch)), "{}: {thin:#?}", case.name);
        }
    }
}
