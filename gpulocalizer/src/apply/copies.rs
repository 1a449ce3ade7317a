//! Puts the copies between arrays and buffers, and the barriers that they need, into a kernel's subtree.

use polyhedra::{
    ASTLoopType, DimType, Error, Id, Map, MultiPwAff, MultiUnionPwAff, PwMultiAff, Result, ScheduleNode,
    ScheduleNodeType, Set, Simplify, Text, UnionMap, UnionSet, context,
};
use scop::{Axis, Kernel, mark};

use place::kernel::shares::{Share, copying, shares};
use place::kernel::view::{find_mark, names};
use place::memory::private::PrivateBuffer;
use place::memory::shared::SharedBuffer;

/// Puts the copies of one kernel into its subtree. Takes and returns the node of the kernel's mark.
///
/// ```text
/// band (parallel tile loops)      →   band (parallel tile loops)
///   band (sequential tile loops)        sequence
///     mark "tile" (…)                     copies into private buffers
///                                         band (sequential tile loops)
///                                           sequence
///                                             copies into shared buffers
///                                             barrier
///                                             mark "tile" (…)
///                                             barrier, if anything is copied out
///                                             copies out of shared buffers
///                                             barrier, if there is a next tile
///                                         copies out of private buffers
/// ```
///
/// If something is copied out and a block has only one tile, the copies of shared buffers and their barriers are
/// around the parallel tile loops instead. Below them, isl would generate the condition that the tile has instances,
/// which its loops do not need. Because this condition would enclose a barrier, the host would also check it for all
/// blocks.
pub fn insert(
    kernel_mark: ScheduleNode,
    kernel: &Kernel,
    private: &[PrivateBuffer],
    shared: &[SharedBuffer],
) -> Result<ScheduleNode> {
    let height = kernel_mark.get_tree_depth()?;
    let (ahead, shared): (Vec<_>, Vec<_>) = shared.iter().partition(|buffer| buffer.ahead);
    let around_tile = Around { depth: tile_depth(kernel_mark.copy()?)?, mark: true };
    let around_block = Around { depth: kernel.host_depth, mark: false };
    let mut has_one_tile = shared.iter().any(|buffer| buffer.copy_out.is_some());
    for elements in shared.iter().flat_map(|buffer| std::iter::once(&buffer.copy_in).chain(&buffer.copy_out))
    {
        has_one_tile = has_one_tile && has_one_tile_each(elements, kernel.host_depth)?;
    }
    let mut node = insert_in_order(kernel_mark, private)?;
    if !has_one_tile {
        node = insert_shared(node, kernel, &shared, &around_tile)?;
    }
    node = insert_ahead(node, kernel, &ahead)?;
    node = insert_private(node, kernel, private)?;
    if has_one_tile {
        node = insert_shared(node, kernel, &shared, &around_block)?;
    }
    let below = node.get_tree_depth()? - height;
    Ok(node.ancestor(below)?)
}

/// The place around which copies into and out of shared memory are inserted.
struct Around {
    /// The number of schedule dimensions that are fixed there.
    depth: u32,
    /// Whether it is the mark of the tile.
    mark: bool,
}

fn tile_depth(kernel_mark: ScheduleNode) -> Result<u32> {
    Ok(descend_to_mark(kernel_mark, mark::TILE)?.get_schedule_depth()? as u32)
}

/// True if the first `depth` schedule dimensions and the block determine the tile in which a relation has elements,
/// such as `[bx] -> { [h] -> A0[x] }`.
fn has_one_tile_each(elements: &Map, depth: u32) -> Result<bool> {
    let tiles = elements.copy()?.domain()?;
    let all = tiles.dim(DimType::Set)? as u32;
    let outer = Map::identity(tiles.get_space()?.map_from_set()?)?.intersect_domain(tiles)?;
    Ok(outer.project_out(DimType::In, depth, all - depth)?.is_single_valued()?)
}

fn insert_shared(
    kernel_mark: ScheduleNode,
    kernel: &Kernel,
    shared: &[&SharedBuffer],
    around: &Around,
) -> Result<ScheduleNode> {
    if shared.is_empty() {
        return Ok(kernel_mark);
    }
    let height = kernel_mark.get_tree_depth()?;
    let depth = around.depth;
    let mut node = if around.mark {
        descend_to_mark(kernel_mark, mark::TILE)?
    } else {
        descend_to_depth(kernel_mark, depth as i32)?
    };
    for buffer in shared {
        if buffer.copy_in.is_empty()? {
            continue;
        }
        let copy = shared_copy(&mark::copy_in(buffer.buffer.id), &buffer.copy_in, buffer, kernel, depth)?;
        node = node.graft_before(copy)?;
    }
    node = node.graft_before(barrier(depth, 0)?)?;
    // Each graft is inserted directly after the tile.
    if depth as usize > kernel.host_depth as usize + kernel.grid.len() {
        node = node.graft_after(barrier(depth, 1)?)?;
    }
    let mut leaves = false;
    for buffer in shared.iter().rev() {
        let Some(copy_out) = &buffer.copy_out else { continue };
        let copy = shared_copy(&mark::copy_out(buffer.buffer.id), copy_out, buffer, kernel, depth)?;
        node = node.graft_after(copy)?;
        leaves = true;
    }
    if leaves {
        node = node.graft_after(barrier(depth, 2)?)?;
    }
    let below = node.get_tree_depth()? - height;
    Ok(node.ancestor(below)?)
}

/// Puts the copies into buffers that are filled one tile ahead into the last loop over tiles, which begins one iteration
/// earlier for them. While some threads copy a tile into one half of a buffer, the others compute with the tile in the
/// other half; one barrier ends both.
///
/// ```text
/// band (last tile loop)      →   extension
///   mark "tile" (…)                band (last tile loop; one less for copies)
///                                    sequence
///                                      copies into shared buffers
///                                      mark "tile" (…)
///                                      barrier
/// ```
fn insert_ahead(kernel_mark: ScheduleNode, kernel: &Kernel, ahead: &[&SharedBuffer]) -> Result<ScheduleNode> {
    if ahead.is_empty() {
        return Ok(kernel_mark);
    }
    let height = kernel_mark.get_tree_depth()?;
    let depth = tile_depth(kernel_mark.copy()?)?;
    let outer = depth - 1;
    let mut node = descend_to_mark(kernel_mark, mark::TILE)?;
    while node.get_type()? != ScheduleNodeType::Band {
        node = node.parent()?;
    }
    let mut steps = node.band_get_partial_schedule_union_map()?;
    let mut tiles: Option<Set> = None;
    for buffer in ahead {
        let name = mark::copy_in(buffer.buffer.id);
        let copy = shared_copy(&name, &buffer.copy_in, buffer, kernel, outer)?;
        let elements = buffer.copy_in.dim(DimType::Out)? as u32;
        steps = steps.union(step_of(&name, depth + elements, &format!("h{outer} - 1"))?)?;
        node = node.graft_before(copy)?;
        tiles = polyhedra::add(tiles, buffer.copy_in.copy()?.domain()?)?;
    }
    if let Some(tiles) = tiles {
        steps = steps.union(step_of(&barrier_name(depth, AHEAD), depth, &format!("h{outer}"))?)?;
        node = node.graft_after(ScheduleNode::from_extension(barriers_ahead(tiles, kernel, depth)?)?)?;
    }
    // The copies and the tiles get one loop, in place of that of the tiles.
    let filter = node.delete()?.parent()?;
    let band = filter.parent()?.insert_partial_schedule(MultiUnionPwAff::from_union_map(steps)?)?;
    let band = band.band_member_set_ast_loop_type(0, ASTLoopType::Atomic)?;
    let below = band.get_tree_depth()? - height;
    Ok(band.ancestor(below)?)
}

/// Returns the map from the instances of a statement with so many dimensions, `h0, h1, …`, to the step of the loop over
/// tiles in which they run.
fn step_of(name: &str, dimensions: u32, step: &str) -> Result<UnionMap> {
    UnionMap::parse(&format!("{{ {name}[{}] -> [{step}] }}", names("h", dimensions)))
}

/// Returns the barriers at the end of each step in which the next tile, one of `tiles`, is copied. Where tiles are left
/// out before a later one, the tile before them must have been used by then; if the loop over tiles runs again, with
/// other tiles, so must the last one.
fn barriers_ahead(tiles: Set, kernel: &Kernel, depth: u32) -> Result<UnionMap> {
    let (all, outer) = (names("h", depth), depth - 1);
    let before = if outer > 0 { format!("{}, ", names("h", outer)) } else { String::new() };
    let tiles = of_block(tiles)?;
    let mut steps = tiles.copy()?.apply(Map::parse(&format!("{{ [{all}] -> [{before}h{outer} - 1] }}"))?)?;
    let earlier = Map::parse(&format!("{{ [{all}] -> [{before}e] : e < h{outer} }}"))?;
    let followed = tiles.copy()?.intersect(tiles.copy()?.apply(earlier)?)?.subtract(steps.copy()?)?;
    if !followed.is_empty()? {
        steps = steps.union(followed)?;
    }
    if outer > kernel.host_depth + kernel.grid.len() as u32 {
        steps = steps.union(tiles)?;
    }
    let name = barrier_name(depth, AHEAD);
    let named = Map::parse(&format!("{{ [{all}] -> [[{}] -> {name}[{all}]] }}", names("h", outer)))?;
    Ok(UnionMap::from_map(steps.apply(named)?.simplified()?.unwrap()?)?)
}

/// Returns what holds for some thread of a block.
fn of_block(mut set: Set) -> Result<Set> {
    for axis in Axis::ALL {
        let position = set.find_dim_by_name(DimType::Param, axis.thread_parameter())?;
        if position >= 0 {
            set = set.project_out(DimType::Param, position as u32, 1)?;
        }
    }
    Ok(set)
}

/// Returns the copies of some elements into or out of a shared buffer by all threads of a block.
///
/// *Rewrite:* `extension S (filter (band (copy)))` → `extension box of S (filter (band (filter S (copy))))`, if
/// threads advance in odd steps along several dimensions and S is not a box. isl would take minutes to find the loops
/// over such steps within oblique bounds, such as those of a star's footprint.
fn shared_copy(
    name: &str,
    elements: &Map,
    buffer: &SharedBuffer,
    kernel: &Kernel,
    depth: u32,
) -> Result<ScheduleNode> {
    let copying = copying(kernel);
    let shares = shares(&buffer.box_sizes, &copying);
    let moduli = shares.iter().flat_map(|share| &share.members).map(|member| member.modulus);
    let odd_steps = moduli.filter(|modulus| *modulus > 1 && modulus % 2 == 1).count();
    let boxed = if odd_steps > 1 { box_around(elements)? } else { elements.copy()? };
    let exact = statement(name, elements, &buffer.places, depth)?;
    if boxed.is_subset(elements)? {
        return distribute(exact, &buffer.box_sizes, kernel);
    }
    let exact = exact.extension_get_extension()?.range()?;
    let copy = statement(name, &boxed, &buffer.places, depth)?;
    let copy = distribute(copy, &buffer.box_sizes, kernel)?;
    let height = copy.get_tree_depth()?;
    let mut leaf = copy;
    while leaf.get_type()? != ScheduleNodeType::Leaf {
        leaf = leaf.child(0)?;
    }
    let below = leaf.get_tree_depth()? - height;
    Ok(leaf.insert_filter(exact)?.ancestor(below)?)
}

/// Returns the smallest box around the elements, for each point of the domain: the elements each of whose indices is
/// that of some element.
fn box_around(elements: &Map) -> Result<Map> {
    let (array, dimensions) =
        (elements.get_tuple_name(DimType::Out)?.to_owned(), elements.dim(DimType::Out)? as u32);
    let mut whole: Option<Map> = None;
    for dimension in 0..dimensions {
        let one = elements
            .copy()?
            .project_out(DimType::Out, dimension + 1, dimensions - dimension - 1)?
            .project_out(DimType::Out, 0, dimension)?
            .insert_dims(DimType::Out, 0, dimension)?
            .insert_dims(DimType::Out, dimension + 1, dimensions - dimension - 1)?
            .set_tuple_name(DimType::Out, &array)?;
        whole = Some(whole.map_or_else(|| one.copy(), |whole| whole.intersect(one.copy()?))?);
    }
    whole.map_or_else(|| Ok(elements.copy()?), Ok)
}

/// Puts the copies of private buffers around the loops in which they keep their elements. Buffers that keep them for
/// one tile alone have no copies.
fn insert_private(
    kernel_mark: ScheduleNode,
    kernel: &Kernel,
    private: &[PrivateBuffer],
) -> Result<ScheduleNode> {
    let block_depth = kernel.host_depth + kernel.grid.len() as u32;
    let inner = kernel.depth_of_last_tiles(tile_depth(kernel_mark.copy()?)?);
    let mut node = kernel_mark;
    for depth in inner.into_iter().chain([block_depth]) {
        let own = private.iter().filter(|buffer| !buffer.buffer.in_order && buffer.buffer.depth == depth);
        node = insert_around(node, depth, own)?;
    }
    Ok(node)
}

fn insert_around<'a>(
    kernel_mark: ScheduleNode,
    depth: u32,
    private: impl Iterator<Item = &'a PrivateBuffer>,
) -> Result<ScheduleNode> {
    let height = kernel_mark.get_tree_depth()?;
    let mut node = descend_to_depth(kernel_mark, depth as i32)?;
    for buffer in private {
        if !buffer.copy_in.is_empty()? {
            let copy = statement(&mark::copy_in(buffer.buffer.id), &buffer.copy_in, &buffer.order, depth)?;
            node = node.graft_before(unrolled(copy)?)?;
        }
        if !buffer.copy_out.is_empty()? {
            let copy = statement(&mark::copy_out(buffer.buffer.id), &buffer.copy_out, &buffer.order, depth)?;
            node = node.graft_after(unrolled(copy)?)?;
        }
    }
    let below = node.get_tree_depth()? - height;
    Ok(node.ancestor(below)?)
}

/// Puts the copies of sums that are done in order around each tile.
fn insert_in_order(kernel_mark: ScheduleNode, private: &[PrivateBuffer]) -> Result<ScheduleNode> {
    let height = kernel_mark.get_tree_depth()?;
    let depth = tile_depth(kernel_mark.copy()?)?;
    let mut node = descend_to_mark(kernel_mark, mark::TILE)?;
    for PrivateBuffer { buffer, copy_in, copy_out, order, .. } in
        private.iter().filter(|one| one.buffer.in_order)
    {
        node = node.graft_before(statement(&mark::copy_in(buffer.id), copy_in, order, depth)?)?;
        node = node.graft_after(statement(&mark::copy_out(buffer.id), copy_out, order, depth)?)?;
    }
    let below = node.get_tree_depth()? - height;
    Ok(node.ancestor(below)?)
}

/// *Rewrite:* `extension (band (copy))` → `extension (mark "unroll" (band (copy)))`; a copy without loops is
/// unchanged.
fn unrolled(extension: ScheduleNode) -> Result<ScheduleNode> {
    let copy = extension.child(0)?;
    if copy.get_type()? != ScheduleNodeType::Band {
        return Ok(copy.parent()?);
    }
    Ok(copy.insert_mark(Id::read_from_str(context(), mark::UNROLL)?)?.parent()?)
}

/// Returns the node below the parallel tile loops of a kernel.
fn descend_to_depth(mut node: ScheduleNode, depth: i32) -> Result<ScheduleNode> {
    while node.get_schedule_depth()? < depth
        || matches!(node.get_type()?, ScheduleNodeType::Context | ScheduleNodeType::Filter)
        || is_kernel_mark(&node)?
    {
        node = node.child(0)?;
    }
    Ok(node)
}

fn is_kernel_mark(node: &ScheduleNode) -> Result<bool> {
    Ok(node.get_type()? == ScheduleNodeType::Mark
        && mark::kernel_of(node.mark_get_id()?.get_name()?).is_some())
}

/// Returns the first node with this mark below a node.
fn descend_to_mark(node: ScheduleNode, name: &str) -> Result<ScheduleNode> {
    find_mark(node, name)?.ok_or_else(|| Error::new(format!("a kernel has no mark `{name}`")))
}

/// Returns a tree of one statement `name[h…, x…]` for the pairs of a relation `{ [h…] -> A[x…] }`, ordered by the
/// places that a function `{ [[h…] -> A[x…]] -> … }` gives them. The tree is for a position where the first `depth`
/// of the schedule dimensions `h` are fixed.
fn statement(name: &str, relation: &Map, places: &MultiPwAff, depth: u32) -> Result<ScheduleNode> {
    let dimensions = relation.dim(DimType::In)? as u32;
    let outer = names("h", dimensions);
    let element = names("x", relation.dim(DimType::Out)? as u32);
    let all = [outer.as_str(), element.as_str()].into_iter().filter(|part| !part.is_empty());
    let all = all.collect::<Vec<_>>().join(", ");
    let array = relation.get_tuple_name(DimType::Out)?;
    let named = Map::parse(&format!("{{ [[{outer}] -> {array}[{element}]] -> {name}[{all}] }}"))?;
    let pairs = relation.copy()?.domain_map()?.reverse()?.apply_range(named.copy()?)?;
    let pairs = pairs.project_out(DimType::In, depth, dimensions - depth)?;
    // As for transfers: isl 0.27 generates no condition on an integer that it does not know explicitly.
    let node = ScheduleNode::from_extension(UnionMap::from_map(pairs.compute_divs()?)?)?;
    if places.dim(DimType::Out)? == 0 {
        return Ok(node);
    }
    let unnamed = PwMultiAff::from_map(named.reverse()?)?;
    let order = places.copy()?.pullback_pw_multi_aff(unnamed)?.reset_tuple_id(DimType::Out)?;
    let node = node.child(0)?.insert_partial_schedule(MultiUnionPwAff::from_multi_pw_aff(order)?)?;
    Ok(node.parent()?)
}

/// *Rewrite:* `extension (band (copy))` → `extension (filter (band (copy)))`, so that one thread fills each place and
/// adjacent threads fill adjacent places, as [`shares`] determines.
///
/// If each thread has at most one place, the filter alone determines the place, and the band is removed:
/// `extension (filter (copy))`. With a band, isl 0.27 would omit some places (`a[j][j / 3]` in tiles of two by two
/// points).
fn distribute(extension: ScheduleNode, sizes: &[u32], kernel: &Kernel) -> Result<ScheduleNode> {
    let band = extension.child(0)?;
    let dimensions = band.band_n_member()? as u32;
    let copying = copying(kernel);
    let shares = shares(sizes, &copying);
    let conditions: Vec<String> = shares.iter().flat_map(Share::conditions).collect();
    let parameters: Vec<&str> =
        kernel.block.iter().map(|dimension| dimension.axis.thread_parameter()).collect();
    let points = Set::parse(&format!(
        "[{}] -> {{ [{}] : {} }}",
        parameters.join(", "),
        names("m", dimensions),
        conditions.join(" and ")
    ))?;
    let schedule = band.band_get_partial_schedule_union_map()?;
    let own = schedule.intersect_range(UnionSet::from_set(points)?)?.domain()?;
    let all_are_shared = shares.iter().map(|share| share.members.len()).sum::<usize>() == sizes.len();
    let one_each = all_are_shared && shares.iter().all(|share| share.is_one_pass(sizes));
    let copy = if one_each { band.delete()? } else { with_passes(band, &shares, sizes)? };
    Ok(copy.insert_filter(own)?.parent()?)
}

/// *Rewrite:* `band (m0, m1)` → `band (floor(m0 / 4), m0, m1)`, if threads along one axis fill several dimensions in
/// several passes.
///
/// isl 0.27 generates only the first pass of `32 m0 + m1 = t mod 128` if no dimension counts the passes.
fn with_passes(band: ScheduleNode, shares: &[Share<'_>], sizes: &[u32]) -> Result<ScheduleNode> {
    let passes: Vec<String> = shares.iter().filter_map(|share| share.pass(sizes)).collect();
    if passes.is_empty() {
        return Ok(band);
    }
    let all = names("m", sizes.len() as u32);
    let function = PwMultiAff::parse(&format!("{{ [{all}] -> [{}, {all}] }}", passes.join(", ")))?;
    let schedule = band.band_get_partial_schedule()?.apply_pw_multi_aff(function)?;
    Ok(band.delete()?.insert_partial_schedule(schedule)?)
}

/// Returns a tree of one barrier for each value of the outer schedule dimensions; `number` distinguishes the kernel's
/// barriers.
fn barrier(depth: u32, number: u32) -> Result<ScheduleNode> {
    let outer = names("h", depth);
    let extension = UnionMap::parse(&format!("{{ [{outer}] -> {}[{outer}] }}", barrier_name(depth, number)))?;
    Ok(ScheduleNode::from_extension(extension)?)
}

fn barrier_name(depth: u32, number: u32) -> String {
    format!("{}{depth}_{number}", mark::BARRIER)
}

/// The number of the barrier after a tile that was used while the next one was copied.
const AHEAD: u32 = 3;

#[cfg(test)]
mod tests {
    use polyhedra::{Schedule, sets_of, tuple_name};
    use scop::{
        ArrayId, BlockDimension, Buffer, BufferId, GridDimension, IslMap, IslPwAff, KernelId, Layout, Memory,
    };

    use super::*;

    /// Returns a kernel with blocks and threads along x.
    fn kernel() -> Kernel {
        let function = || IslPwAff("{ [(0)] }".to_owned());
        Kernel {
            id: KernelId(0),
            statements: Vec::new(),
            host_depth: 0,
            grid: vec![GridDimension { axis: Axis::X, lower: function(), extent: function() }],
            ranked: None,
            block: vec![BlockDimension { axis: Axis::X, size: 4 }],
            shared_sums: Vec::new(),
            loading: None,
            ahead: false,
            priced: None,
            tile_sizes: Vec::new(),
            reasons: Vec::new(),
        }
    }

    /// Returns a buffer for elements of the tiles of two loops.
    fn shared(copy_in: &str, copy_out: Option<&str>) -> SharedBuffer {
        let buffer = Buffer {
            id: BufferId(0),
            name: "shared".to_owned(),
            array: ArrayId(0),
            memory: Memory::Shared,
            accesses: Vec::new(),
            places: Vec::new(),
            depth: 0,
            index: IslMap(String::new()),
            sizes: Vec::new(),
            layout: Layout::default(),
            existing: None,
            partial: None,
            in_order: false,
            reuse: None,
            reason: String::new(),
        };
        let places = PwMultiAff::parse("{ [[h0, h1] -> A0[x]] -> A0[x] }").unwrap();
        SharedBuffer {
            buffer,
            copy_in: Map::parse(copy_in).unwrap(),
            copy_out: copy_out.map(|text| Map::parse(text).unwrap()),
            places: MultiPwAff::from_pw_multi_aff(places).unwrap(),
            box_sizes: vec![4],
            unneeded: None,
            retains: false,
            ahead: false,
            bytes: 32,
        }
    }

    /// Lists the loops above the mark of the tile, and what is executed before and after the tile.
    fn outline(node: &ScheduleNode, words: &mut Vec<String>) {
        match node.get_type().unwrap() {
            ScheduleNodeType::Band => words.push("for".to_owned()),
            ScheduleNodeType::Mark if !is_kernel_mark(node).unwrap() => {
                return words.push(node.mark_get_id().unwrap().get_name().unwrap().to_owned());
            }
            ScheduleNodeType::Filter => {
                let sets = sets_of(&node.filter_get_filter().unwrap()).unwrap();
                let names: Vec<String> = sets.iter().filter_map(|set| tuple_name(set).unwrap()).collect();
                if !names.contains(&"S0".to_owned()) {
                    return words.extend(names);
                }
            }
            _ => {}
        }
        for position in 0..node.n_children().unwrap() {
            outline(&node.get_child(position).unwrap(), words);
        }
    }

    /// Copies are around the tile, and the next tile waits until no thread needs the buffer any more. They are around
    /// the block instead if something is copied out and all elements that are copied in or out belong to one tile.
    #[test]
    fn copies_and_barriers_are_around_the_tile_or_around_the_block() {
        let one = "[bx] -> { [h0, 0] -> A0[x] : h0 = bx and 0 <= x < 4 }";
        let several = "[bx] -> { [h0, h1] -> A0[x] : h0 = bx and 0 <= h1 < 2 and 4 h1 <= x < 4 h1 + 4 }";
        let nothing = "{ [h0, h1] -> A0[x] : false }";
        let all_around_tile = "for for copy_in_B0 barrier_2_0 tile barrier_2_2 copy_out_B0 barrier_2_1";
        let cases = [
            (several, Some(several), all_around_tile),
            (several, Some(one), all_around_tile),
            (one, Some(several), all_around_tile),
            (nothing, Some(several), "for for barrier_2_0 tile barrier_2_2 copy_out_B0 barrier_2_1"),
            (one, None, "for for copy_in_B0 barrier_2_0 tile barrier_2_1"),
            (one, Some(one), "copy_in_B0 barrier_0_0 for for tile barrier_0_2 copy_out_B0"),
        ];
        for (copy_in, copy_out, expected) in cases {
            let tree = r#"{ domain: "{ S0[i, k] : 0 <= i, k < 8 }", child: { mark: "kernel_K0", child: {
                schedule: "[{ S0[i, k] -> [floor(i / 4)] }]", child: {
                schedule: "[{ S0[i, k] -> [floor(k / 4)] }]", child: { mark: "tile",
                child: { schedule: "[{ S0[i, k] -> [i] }]" } } } } } }"#;
            let mark = Schedule::parse(tree).unwrap().get_root().unwrap().child(0).unwrap();
            let node = insert(mark, &kernel(), &[], &[shared(copy_in, copy_out)]).unwrap();
            assert!(is_kernel_mark(&node).unwrap());
            let mut words = Vec::new();
            outline(&node, &mut words);
            assert_eq!(words.join(" "), expected, "{copy_in} {copy_out:?}");
        }
    }

    /// Copies ahead are in the loop over tiles, one step before their tile, and one barrier ends each step that copies.
    #[test]
    fn copies_ahead_share_the_loop_over_tiles() {
        let tree = r#"{ domain: "{ S0[i, k] : 0 <= i, k < 8 }", child: { mark: "kernel_K0", child: {
            schedule: "[{ S0[i, k] -> [floor(i / 4)] }]", child: {
            schedule: "[{ S0[i, k] -> [floor(k / 4)] }]", child: { mark: "tile",
            child: { schedule: "[{ S0[i, k] -> [i] }]" } } } } } }"#;
        let mark = Schedule::parse(tree).unwrap().get_root().unwrap().child(0).unwrap();
        let copy_in = "[bx] -> { [h0, h1] -> A0[x] : h0 = bx and 0 <= h1 < 2 and 4 h1 <= x < 4 h1 + 4 }";
        let buffer = SharedBuffer { ahead: true, ..shared(copy_in, None) };
        let block = [Axis::X, Axis::Y].map(|axis| BlockDimension { axis, size: 4 }).to_vec();
        let kernel = Kernel { loading: Some(Axis::Y), ahead: true, block, ..kernel() };
        let node = insert(mark, &kernel, &[], &[buffer]).unwrap();
        let mut words = Vec::new();
        outline(&node, &mut words);
        assert_eq!(words.join(" "), "for for copy_in_B0 tile barrier_2_3");
        // Threads of the second row copy first; those of the first row never do.
        let text = node.get_schedule().unwrap().to_str().unwrap().to_owned();
        for part in ["copy_in_B0[h0, h1, h2] -> [(-1 + h1)]", "barrier_2_3[h0, h1] -> [(h1)]", "ty > 0"] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }

    /// If a block has no loops over tiles, no tile follows the first.
    #[test]
    fn nothing_waits_for_a_next_tile_that_is_not_there() {
        let tree = r#"{ domain: "{ S0[i, k] : 0 <= i, k < 8 }", child: { mark: "kernel_K0", child: {
            schedule: "[{ S0[i, k] -> [floor(i / 4)] }]", child: { mark: "tile",
            child: { schedule: "[{ S0[i, k] -> [k] }]" } } } } }"#;
        let mark = Schedule::parse(tree).unwrap().get_root().unwrap().child(0).unwrap();
        let places = PwMultiAff::parse("{ [[h0] -> A0[x]] -> A0[x] }").unwrap();
        let buffer = SharedBuffer {
            places: MultiPwAff::from_pw_multi_aff(places).unwrap(),
            ..shared("[bx] -> { [h0] -> A0[x] : h0 = bx and 0 <= x < 4 }", None)
        };
        let mut words = Vec::new();
        outline(&insert(mark, &kernel(), &[], &[buffer]).unwrap(), &mut words);
        assert_eq!(words.join(" "), "for copy_in_B0 barrier_1_0 tile");
    }

    #[test]
    fn a_block_with_a_tile_loop_has_several_tiles() {
        for (elements, expected) in [
            ("[bx] -> { [h0, bx] -> A0[x] : 0 <= x < 8 }", true),
            ("[bx] -> { [h0, bx, h2] -> A0[x] : 0 <= h2 < 4 and 8 h2 <= x < 8 h2 + 8 }", false),
            ("[bx] -> { [h0, h1] -> A0[x] : false }", true),
        ] {
            assert_eq!(has_one_tile_each(&Map::parse(elements).unwrap(), 1).unwrap(), expected, "{elements}");
        }
    }
}
