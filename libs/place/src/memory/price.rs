//! The memory that the price of a kernel takes for granted, compared with the one that was chosen.
//!
//! scheduler and [`crate::memory::choose`] ask the same rule ([`gpu::place`]): scheduler with estimates, because it
//! prices many shapes before there is a tree, and here with counts of the finished tree. With the same numbers both
//! must decide alike ([`contradicted`]). Where the numbers differ so much that the decision does, or where something
//! else than the numbers decides, the time that scheduler compared was another one than that of the code, which is said
//! ([`unlike_price`]).

use gpu::place::{Uses, copies_pay};
use scop::{ArrayId, Kernel, Memory, PricedArray, UnlikePrice};

use crate::memory::buffers::Buffers;
use crate::memory::constant::Constants;

/// Returns an array for which the rule does not lead from the numbers that a price rests on to the memory that it takes
/// for granted. There is none, unless the tools disagree.
pub fn contradicted(kernel: &Kernel) -> Option<&PricedArray> {
    let priced = kernel.priced.iter().flatten();
    priced.into_iter().find(|priced| copies_pay(&uses(kernel, priced)) != priced.in_shared)
}

/// Returns the arrays of a kernel that are in shared memory and not priced there, or the other way round.
pub fn unlike_price(kernel: &Kernel, buffers: &Buffers, constants: &Constants) -> Vec<UnlikePrice> {
    let Some(priced) = &kernel.priced else { return Vec::new() };
    let in_shared = |array: ArrayId| buffers.shared.iter().any(|shared| shared.buffer.array == array);
    let of_price = |array: ArrayId| priced.iter().find(|priced| priced.array == array);
    let shared = buffers.shared.iter().map(|shared| shared.buffer.array);
    let mut arrays: Vec<ArrayId> = priced.iter().map(|priced| priced.array).chain(shared).collect();
    arrays.sort_unstable();
    arrays.dedup();
    let differs =
        |array: &ArrayId| of_price(*array).is_some_and(|priced| priced.in_shared) != in_shared(*array);
    let of_array = |array| {
        let chosen = match in_shared(array) {
            true => why_shared(array, buffers),
            false => why_not_shared(array, buffers, constants),
        };
        let assumed = of_price(array).map_or_else(
            || "the price assumes that no two threads use the same element".to_owned(),
            |priced| format!("the price assumes {}", in_words(&uses(kernel, priced))),
        );
        UnlikePrice { array, reason: format!("{chosen}; {assumed}") }
    };
    arrays.into_iter().filter(differs).map(of_array).collect()
}

/// Returns the numbers that a price rests on.
fn uses(kernel: &Kernel, priced: &PricedArray) -> Uses {
    Uses {
        elements: priced.elements,
        accesses: priced.accesses,
        are_shared: true,
        for_others: kernel.loading.is_some() && !priced.written,
        are_written: priced.written,
        are_scattered: priced.scattered,
    }
}

fn in_words(uses: &Uses) -> String {
    let scattered = if uses.are_scattered { ", scattered in memory" } else { "" };
    let kind = if uses.are_written { "loads and stores" } else { "loads" };
    let how = if uses.for_others { ", by threads that compute nothing as well" } else { "" };
    format!("{} {kind} of {} elements in a tile{scattered}{how}", uses.accesses, uses.elements)
}

/// Returns what was counted of the elements of an array for which copies pay, or do not.
fn counted(array: ArrayId, buffers: &Buffers, pay: bool) -> Option<Uses> {
    let of_array = buffers.counted.iter().filter(|counted| counted.array == array);
    of_array.map(|counted| counted.uses).find(|uses| copies_pay(uses) == pay)
}

fn why_shared(array: ArrayId, buffers: &Buffers) -> String {
    match counted(array, buffers, true) {
        Some(uses) => format!("in shared memory, because of {}", in_words(&uses)),
        None => "in shared memory, as the user asks".to_owned(),
    }
}

fn why_not_shared(array: ArrayId, buffers: &Buffers, constants: &Constants) -> String {
    let has_registers = buffers
        .private
        .iter()
        .any(|private| private.buffer.array == array && private.buffer.memory == Memory::Private);
    if constants.contains_key(&array) {
        return "in constant memory".to_owned();
    }
    if has_registers {
        return "in registers".to_owned();
    }
    if counted(array, buffers, true).is_some() {
        return "not in shared memory, because the elements do not fit or copies of them are not simple"
            .to_owned();
    }
    match counted(array, buffers, false) {
        Some(uses) => format!("not in shared memory, because of {}", in_words(&uses)),
        None => {
            "not in shared memory, because no two threads use the same element, the elements do not fit, or the user asks \
             for that"
                .to_owned()
        }
    }
}

#[cfg(test)]
mod tests {
    use scop::KernelId;

    use crate::memory::counted::Counted;

    use super::*;

    const PRICED: PricedArray = PricedArray {
        array: ArrayId(0),
        elements: 100,
        accesses: 800,
        written: false,
        scattered: false,
        in_shared: true,
    };

    fn kernel(priced: Option<Vec<PricedArray>>) -> Kernel {
        Kernel {
            id: KernelId(0),
            statements: Vec::new(),
            host_depth: 0,
            grid: Vec::new(),
            ranked: None,
            block: Vec::new(),
            shared_sums: Vec::new(),
            loading: None,
            ahead: false,
            tile_sizes: Vec::new(),
            reasons: Vec::new(),
            priced,
        }
    }

    fn buffers(counted: Vec<Uses>) -> Buffers {
        let counted = counted.into_iter().map(|uses| Counted { array: ArrayId(0), uses }).collect();
        Buffers { private: Vec::new(), shared: Vec::new(), counted, without_limit: None }
    }

    #[test]
    fn one_rule_decides_for_equal_numbers() {
        assert_eq!(contradicted(&kernel(None)), None);
        assert_eq!(contradicted(&kernel(Some(vec![PRICED]))), None);
        let other = PricedArray { accesses: 799, ..PRICED };
        assert_eq!(contradicted(&kernel(Some(vec![PRICED, other]))), Some(&other));
        assert_eq!(contradicted(&kernel(Some(vec![PricedArray { in_shared: false, ..other }]))), None);
    }

    #[test]
    fn counts_that_change_the_decision_are_stated() {
        let said = |priced, counted| {
            let of_array = unlike_price(&kernel(priced), &buffers(counted), &Constants::new());
            of_array.into_iter().map(|one| one.reason).collect::<Vec<_>>()
        };
        let counted = Uses { accesses: 700, ..uses(&kernel(None), &PRICED) };
        assert_eq!(
            said(Some(vec![PRICED]), vec![counted]),
            [
                "not in shared memory, because of 700 loads of 100 elements in a tile; the price assumes 800 loads of 100 \
              elements in a tile"
            ]
        );
        assert_eq!(
            said(Some(vec![PRICED]), vec![uses(&kernel(None), &PRICED)]),
            [
                "not in shared memory, because the elements do not fit or copies of them are not simple; the price assumes \
              800 loads of 100 elements in a tile"
            ]
        );
        assert!(said(Some(vec![PricedArray { in_shared: false, ..PRICED }]), vec![counted]).is_empty());
        assert!(said(None, vec![counted]).is_empty(), "another scheduler need not price anything");
    }
}
