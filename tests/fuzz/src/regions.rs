//! Where the regions of a program are: all of its body is one, or there are several, in loops and beside statements
//! that are not translated.

use std::collections::BTreeSet;

use crate::program::{Node, Program, Regions};
use crate::random::Random;

/// How many of a hundred programs have several regions.
const SHARE: i64 = 25;

/// The regions of a program; a stream of their own keeps the programs what they are.
pub fn draw(seed: u64, program: &Program) -> Regions {
    let mut random = Random::new(!seed, program.number);
    let mut regions = Regions::default();
    if random.percent(SHARE) {
        draw_block(&mut regions, &program.body, 60, &mut 0, &mut random);
    }
    regions
}

fn draw_block(regions: &mut Regions, block: &[Node], share: i64, number: &mut usize, random: &mut Random) {
    for node in block {
        let own = *number;
        *number += 1;
        match node {
            Node::For(nest) if random.percent(share) => {
                regions.around.insert(nest.iterator);
                draw_block(regions, &nest.body, share / 3, number, random);
            }
            _ if random.percent(20) => drop(regions.left_out.insert(own)),
            _ if random.percent(50) => drop(regions.begin.insert(own)),
            _ => {}
        }
    }
}

/// The parts of a block at which the regions are visible, where the first node has this number. Code of the host
/// stands before the nodes with the numbers `stops`.
fn parts_of<'n>(
    regions: &Regions,
    block: &'n [Node],
    stops: &BTreeSet<usize>,
    number: &mut usize,
) -> Vec<Part<'n>> {
    let declares = declares(block);
    let mut parts = Vec::new();
    let mut begin = 0;
    for (place, node) in block.iter().enumerate() {
        let own = *number;
        *number += 1;
        let outside = match node {
            _ if declares => None,
            Node::For(nest) if regions.around.contains(&nest.iterator) => {
                Some(Part::Around(node, parts_of(regions, &nest.body, stops, number)))
            }
            _ => regions.left_out.contains(&own).then_some(Part::LeftOut(node)),
        };
        let stops_here = !declares && stops.contains(&own);
        let begins = stops_here || !declares && regions.begin.contains(&own);
        if (outside.is_some() || begins) && begin < place {
            parts.push(Part::Region(&block[begin..place]));
            begin = place;
        }
        if stops_here {
            parts.push(Part::Host(own));
        }
        if let Some(outside) = outside {
            parts.push(outside);
            begin = place + 1;
        }
    }
    if begin < block.len() {
        parts.push(Part::Region(&block[begin..]));
    }
    parts
}

/// Some nodes of a block.
pub enum Part<'n> {
    /// A region.
    Region(&'n [Node]),
    /// A loop around regions.
    Around(&'n Node, Vec<Part<'n>>),
    /// A node that is in no region.
    LeftOut(&'n Node),
    /// Code of the host before the node of this number.
    Host(usize),
}

impl Part<'_> {
    /// How many regions there are.
    pub fn count(&self) -> usize {
        match self {
            Self::Region(_) => 1,
            Self::Around(_, parts) => parts.iter().map(Self::count).sum(),
            Self::LeftOut(_) | Self::Host(_) => 0,
        }
    }
}

/// The parts of a program's body: one region if it would have none otherwise.
pub fn parts(program: &Program) -> Vec<Part<'_>> {
    let parts = parts_of(&program.regions, &program.body, &program.setting.stops(), &mut 0);
    if parts.iter().all(|part| part.count() == 0) {
        return vec![Part::Region(&program.body)];
    }
    parts
}

/// How many nodes of a program have a number.
pub fn numbered(program: &Program) -> usize {
    fn count(block: &[Node], regions: &Regions) -> usize {
        let inner = |node: &Node| match node {
            Node::For(nest) if regions.around.contains(&nest.iterator) && !declares(block) => {
                count(&nest.body, regions)
            }
            _ => 0,
        };
        block.iter().map(|node| 1 + inner(node)).sum()
    }
    count(&program.body, &program.regions)
}

/// True for a block with variables of its own, which are used up to its end.
fn declares(block: &[Node]) -> bool {
    block.iter().any(|node| matches!(node, Node::Declare(..)))
}
