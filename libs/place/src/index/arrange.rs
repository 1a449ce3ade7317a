//! Arranges the elements of a buffer in shared memory: chooses a layout, an order of the dimensions, and padding.
//!
//! Candidates are a box ([`crate::kernel::banks::Rows`]), a dense numbering ([`crate::index::dense`]) and a box that
//! keeps elements from one step of a tile loop to the next ([`crate::index::ring`]). They are compared by the number
//! of elements copied in each step, by size, and by bank conflicts.

use polyhedra::{DimType, Map, MultiPwAff, PwMultiAff, Result, Set, Simplify, Text};
use scop::wish::LayoutKind;
use scop::{IslMap, Layout};

use crate::counting::Counting;
use crate::index::bounding_box::BoundingBox;
use crate::index::dense::{Bounds, Dense, NotDense, number};
use crate::index::ring::{Steps, steps};
use crate::index::staged::Staged;
use crate::kernel::banks::{Request, Rows, total};
use crate::kernel::shares::threads;
use crate::kernel::view::names;
use crate::kernel::warps::{copy_request, requests};

/// Where the elements of a buffer are, and which elements are copied.
pub struct Arrangement {
    /// The map from the schedule dimensions at the tile and an element to the element's place.
    pub index: IslMap,
    /// The sizes of the buffer's dimensions.
    pub sizes: Vec<u32>,
    /// The layout of the places in memory.
    pub layout: Layout,
    /// The elements that are copied in before each tile.
    pub copy_in: Map,
    /// The order of the copies: adjacent threads copy elements that are adjacent in the last dimension.
    pub order: PwMultiAff,
    /// How often an element is read for each time it is copied.
    pub reuse: Option<String>,
    /// Whether elements are kept from one step of a loop over tiles to the next.
    pub retains: bool,
    /// The reason for this arrangement, for people.
    pub reason: String,
}

/// Chooses layouts.
pub struct Arranger<'a> {
    /// Counts the elements of dense layouts.
    pub counting: &'a Counting,
    /// The layout that the user asks for, if any.
    pub choice: Option<LayoutKind>,
    /// Whether each tile is copied while the block computes with the one before it ([`scop::Kernel::ahead`]).
    pub ahead: bool,
}

impl Arranger<'_> {
    /// Chooses the layout of a buffer into which `copy_in` is copied before each tile; returns nothing if no layout
    /// fits.
    pub fn arrange(&self, staged: &Staged<'_>, copy_in: &Map) -> Result<Option<Arrangement>> {
        let box_place = staged.bounding_box.place(staged.boxed)?;
        let requests = staged.requests(&box_place)?;
        let sizes = &staged.bounding_box.sizes;
        let copy = copy_request(staged.view.kernel, sizes);
        let all: Vec<Request> = requests.iter().cloned().chain([copy]).collect();
        if self.ahead {
            let rows = Rows::best(sizes, &all, staged.bytes, staged.budget / 2);
            return rows
                .map(|(rows, _)| staged.alternating(&box_place, copy_in, &rows, &requests))
                .transpose();
        }
        let rows = Rows::best(sizes, &all, staged.bytes, staged.budget);
        let (dense, note) = self.dense(staged, &box_place, &all, rows.as_ref())?;
        if let Some(steps) = self.steps(staged, copy_in)? {
            let fresh = staged.bounding_box.elements() - steps.retained();
            let as_few = |dense: &Dense| self.choice.is_none() && dense.elements() <= fresh + fresh / 4;
            if !dense.as_ref().is_some_and(as_few)
                && let Some(ring) = staged.in_ring(steps)?
            {
                return Ok(Some(ring));
            }
        }
        if let Some(dense) = dense {
            return staged.densely(&box_place, copy_in, dense, &requests).map(Some);
        }
        let Some((rows, _)) = rows else { return Ok(None) };
        staged.in_box(&box_place, copy_in, &rows, &requests, note).map(Some)
    }

    /// Returns the elements that are kept from step to step, if that pays or the user asks for it.
    fn steps(&self, staged: &Staged<'_>, copy_in: &Map) -> Result<Option<Steps>> {
        let least = match self.choice {
            Some(LayoutKind::Box) | Some(LayoutKind::Dense) => return Ok(None),
            None => PAYING_SHARE,
            Some(LayoutKind::Ring) => 0,
        };
        let pays = |steps: &Steps| steps.retained() * 100 >= least * staged.bounding_box.elements();
        Ok(steps(staged, copy_in)?.filter(pays))
    }

    /// Returns a dense numbering if it pays or the user asks for it, or else a note on why not.
    fn dense(
        &self,
        staged: &Staged<'_>,
        box_place: &PwMultiAff,
        requests: &[Request],
        rows: Option<&(Rows, u64)>,
    ) -> Result<(Option<Dense>, Option<String>)> {
        let sizes = &staged.bounding_box.sizes;
        let box_elements = rows.map_or(u64::MAX, |(rows, _)| rows.elements(sizes));
        let forced = self.choice == Some(LayoutKind::Dense);
        let bounds = match self.choice {
            Some(LayoutKind::Box) | Some(LayoutKind::Ring) => return Ok((None, None)),
            None => Bounds { elements: box_elements / 100 * 75, pieces: 2 },
            Some(LayoutKind::Dense) => Bounds { elements: box_elements, pieces: 8 },
        };
        let bounds = Bounds {
            elements: bounds.elements.min(staged.budget / u64::from(staged.bytes.max(1))),
            ..bounds
        };
        let used = staged.used_places(box_place)?;
        if fills_box(&used, sizes)? {
            return Ok((None, None));
        }
        let cost = |dense: &Dense| total(requests, staged.bytes, |place| dense.position(place));
        match number(self.counting, &used, staged.id, sizes, bounds, cost)? {
            Ok((dense, cost)) => {
                let dear = rows.is_some_and(|(_, least)| cost > least + least / 4);
                let note = "a dense numbering would have more bank conflicts";
                Ok(if dear && !forced { (None, Some(note.to_owned())) } else { (Some(dense), None) })
            }
            Err(why) => Ok((None, explain(&why))),
        }
    }
}

/// The least share of the box's elements that must be kept from step to step, in percent. With fewer, the conditions
/// cost more than they save.
const PAYING_SHARE: u64 = 40;

/// True if all places of a box are used.
fn fills_box(used: &Set, sizes: &[u32]) -> Result<bool> {
    let mut full = Set::universe(used.get_space()?)?;
    for (position, size) in sizes.iter().enumerate() {
        let top = i32::try_from(*size).unwrap_or(i32::MAX) - 1;
        full = full.lower_bound_si(DimType::Set, position as u32, 0)?;
        full = full.upper_bound_si(DimType::Set, position as u32, top)?;
    }
    Ok(full.is_subset(used)?)
}

fn explain(why: &NotDense) -> Option<String> {
    match why {
        NotDense::Full => None,
        NotDense::Large => Some("there are too many places for a dense numbering".to_owned()),
        NotDense::Cases => Some("a dense numbering has too many cases".to_owned()),
        NotDense::Uncounted(error) => {
            Some(format!("the elements of a dense numbering were not counted: {error}"))
        }
    }
}

impl Staged<'_> {
    fn requests(&self, place: &PwMultiAff) -> Result<Vec<Request>> {
        requests(self.view, self.accesses, &MultiPwAff::from_pw_multi_aff(place.copy()?)?)
    }

    /// Returns the places of the box that some tile uses.
    fn used_places(&self, place: &PwMultiAff) -> Result<Set> {
        let touched = self.touched.copy()?.wrap()?;
        let places = touched.apply(Map::from_pw_multi_aff(place.copy()?)?)?;
        places.project_out_all_params()?.remove_redundancies()?.simplified()
    }

    fn in_box(
        &self,
        place: &PwMultiAff,
        copy_in: &Map,
        rows: &Rows,
        requests: &[Request],
        note: Option<String>,
    ) -> Result<Arrangement> {
        let sizes = &self.bounding_box.sizes;
        let mut reason = self.reason(rows.elements(sizes));
        reason += &padded(rows);
        reason += &note.map(|note| format!("; {note}")).unwrap_or_default();
        Ok(Arrangement {
            index: BoundingBox::index(place, self.id, &rows.order)?,
            sizes: ordered(sizes, &rows.order),
            layout: Layout::Box { padding: rows.padding },
            copy_in: copy_in.copy()?,
            order: place.copy()?,
            reuse: self.reuse(requests, self.bounding_box.elements()),
            retains: false,
            reason,
        })
    }

    /// Returns two boxes that successive tiles fill in turn.
    fn alternating(
        &self,
        place: &PwMultiAff,
        copy_in: &Map,
        rows: &Rows,
        requests: &[Request],
    ) -> Result<Arrangement> {
        let one = self.in_box(place, copy_in, rows, requests, None)?;
        let last = self.view.tile_depth.saturating_sub(1);
        let parity = Map::parse(&format!("{{ [{}] -> [h{last} mod 2] }}", names("h", self.view.tile_depth)))?;
        let tile = Map::universe(self.boxed.get_space()?)?.domain_map()?;
        let index = tile.apply_range(parity)?.flat_range_product(Map::parse(&one.index.0)?)?;
        let reason = format!(
            "{}{}; two tiles: each is copied while the block computes with the one before",
            self.reason(2 * rows.elements(&self.bounding_box.sizes)),
            padded(rows)
        );
        Ok(Arrangement {
            index: IslMap(index.set_tuple_name(DimType::Out, &self.id.to_string())?.text()?),
            sizes: [vec![2], one.sizes].concat(),
            reason,
            ..one
        })
    }

    fn densely(
        &self,
        place: &PwMultiAff,
        copy_in: &Map,
        dense: Dense,
        requests: &[Request],
    ) -> Result<Arrangement> {
        let elements = dense.elements();
        let inside = dense.places.set_tuple_name(self.boxed.get_tuple_name(DimType::Out)?)?;
        let numbered = Map::from_pw_multi_aff(place.copy()?)?.intersect_range(inside)?.domain()?.unwrap()?;
        let box_elements = self.bounding_box.elements();
        let reason = format!(
            "{}; without gaps, {elements} of the {box_elements} elements of its box",
            self.reason(elements)
        );
        Ok(Arrangement {
            index: BoundingBox::index(place, self.id, &[])?,
            sizes: self.bounding_box.sizes.clone(),
            layout: Layout::Dense {
                numbering: dense.numbering,
                elements: u32::try_from(elements).unwrap_or(u32::MAX),
            },
            copy_in: copy_in.copy()?.intersect(numbered)?.simplified()?,
            order: place.copy()?,
            reuse: self.reuse(requests, elements),
            retains: false,
            reason,
        })
    }

    fn in_ring(&self, steps: Steps) -> Result<Option<Arrangement>> {
        let requests = self.requests(&steps.place)?;
        let mut all = requests.clone();
        all.push(copy_request(self.view.kernel, &steps.sizes));
        let Some((rows, _)) = Rows::best(&steps.sizes, &all, self.bytes, self.budget) else {
            return Ok(None);
        };
        let retained = steps.retained();
        let fresh = self.bounding_box.elements() - retained;
        let reason = format!(
            "{}{}; {retained} elements stay for the next step, {fresh} are copied",
            self.reason(rows.elements(&steps.sizes)),
            padded(&rows)
        );
        let padding = rows.padding;
        Ok(Some(Arrangement {
            index: BoundingBox::index(&steps.place, self.id, &rows.order)?,
            sizes: ordered(&steps.sizes, &rows.order),
            layout: if steps.turns { Layout::Ring { padding } } else { Layout::Box { padding } },
            copy_in: steps.copy_in,
            order: steps.order,
            reuse: self.reuse(&requests, fresh),
            retains: true,
            reason,
        }))
    }

    fn reason(&self, elements: u64) -> String {
        format!("several threads use its elements; {} bytes", elements.saturating_mul(self.bytes.into()))
    }

    /// Describes how often each copied element is read, for a tile in which all threads work.
    fn reuse(&self, requests: &[Request], elements: u64) -> Option<String> {
        let threads = threads(&self.view.kernel.block);
        let reads = requests.iter().map(|request| request.times).sum::<u64>().checked_mul(threads)?;
        let each = reads.checked_div(elements)?;
        (each > 0).then(|| format!("{each} reads for each element that is copied"))
    }
}

fn padded(rows: &Rows) -> String {
    match (rows.padding, rows.order.is_sorted()) {
        (0, true) => String::new(),
        (0, false) => "; dimensions exchanged to avoid bank conflicts".to_owned(),
        (padding, _) => format!("; rows padded by {padding} to avoid bank conflicts"),
    }
}

fn ordered(sizes: &[u32], order: &[usize]) -> Vec<u32> {
    order.iter().filter_map(|dimension| sizes.get(*dimension)).copied().collect()
}
