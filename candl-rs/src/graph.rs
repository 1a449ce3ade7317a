//! The dependence graph, for Graphviz.

use std::collections::BTreeMap;

use petgraph::dot::{Config, Dot};
use petgraph::graph::{DiGraph, NodeIndex};
use polyhedra::Result;
use scop::{AccessId, Analysed, Dependence, Program, Scop, StatementId};

/// A graph whose nodes are statements; an edge states the kinds and arrays of the dependences.
type Graph = DiGraph<String, String>;

/// Returns all scops of a program as one graph. Statements are nodes labelled with their text, and dependences are
/// edges.
///
/// # Errors
/// Fails if a dependence names something that is missing.
pub fn dot(program: &Program<Analysed>) -> Result<String> {
    let mut graph = Graph::new();
    for scop in &program.scops {
        add_scop(&mut graph, scop)?;
    }
    let node = |_: &Graph, (_, label): (NodeIndex, &String)| attributes(label);
    let edge = |_: &Graph, edge: petgraph::graph::EdgeReference<'_, String>| attributes(edge.weight());
    let config = [Config::NodeNoLabel, Config::EdgeNoLabel];
    Ok(format!("{:?}", Dot::with_attr_getters(&graph, &config, &edge, &node)))
}

fn add_scop(graph: &mut Graph, scop: &Scop<Analysed>) -> Result<()> {
    let statements = &scop.model.statements;
    let nodes: BTreeMap<StatementId, NodeIndex> = statements
        .iter()
        .map(|statement| {
            let label = format!("{} {}\n{}", scop.model.name, statement.id, statement.text);
            (statement.id, graph.add_node(label))
        })
        .collect();
    for ((source, sink), labels) in edges(scop)? {
        if let (Some(&source), Some(&sink)) = (nodes.get(&source), nodes.get(&sink)) {
            graph.add_edge(source, sink, labels.join("\n"));
        }
    }
    Ok(())
}

/// Returns the labels of the dependences between each pair of statements, without repetition.
fn edges(scop: &Scop<Analysed>) -> Result<BTreeMap<(StatementId, StatementId), Vec<String>>> {
    let dependences = &scop.stage.dependences;
    let kinds = [("flow", &dependences.flow), ("anti", &dependences.anti), ("output", &dependences.output)];
    let mut edges: BTreeMap<_, Vec<String>> = BTreeMap::new();
    for (kind, list) in kinds {
        for dependence in list {
            let (pair, array) = ends(scop, dependence)?;
            let label = format!("{kind} {array}");
            let labels = edges.entry(pair).or_default();
            if !labels.contains(&label) {
                labels.push(label);
            }
        }
    }
    Ok(edges)
}

/// Returns the statements at both ends of a dependence, and the name of its array.
fn ends<'a>(
    scop: &'a Scop<Analysed>,
    dependence: &Dependence,
) -> Result<((StatementId, StatementId), &'a str)> {
    let owner = |id: AccessId| -> Result<StatementId> { Ok(scop.model.owner(id)?.id) };
    let pair = (owner(dependence.source)?, owner(dependence.sink)?);
    let array = scop.model.array(scop.model.access(dependence.source)?.array)?;
    Ok((pair, &array.name))
}

/// Returns `label = "…"` with left-aligned lines.
fn attributes(label: &str) -> String {
    let escaped = label.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\l");
    format!("label = \"{escaped}\\l\"")
}
