//! V10: device arrays and buffers.

use std::collections::BTreeSet;

use polyhedra::polynomial::pieces_of;
use polyhedra::{Map, PwAff, PwQPolynomial, Result, Set, Text, constant_value};

use super::relations::{check_expression, check_set, read_map};
use super::report::Report;
use super::space::{Tuple, counted_tuple, map_tuples, parameters, wrapped_tuples};
use super::texts::{Parsed, Texts};
use crate::{
    AccessId, AccessKind, Array, Buffer, DeviceArray, DeviceMemory, ElementBox, IslPwAff, Kernel, Layout,
    Mapping, Memory, Model, Numbering, Placement, Storage,
};

/// Checks that the arrays on the device exist, that buffers are used by accesses of their kernel to their
/// array, and that each access uses at most one buffer.
pub fn check_placement(
    model: &Model,
    mapping: &Mapping,
    placement: &Placement,
    parsed: &Parsed,
    report: &mut Report,
) {
    check_device(model, placement, &parsed.texts, report);
    let in_mapping = mapping.kernels.iter().map(|kernel| kernel.id);
    report.require(10, in_mapping.eq(placement.kernels.iter().map(|kernel| kernel.kernel)), || {
        "the placement has other kernels than the mapping".to_owned()
    });
    for (kernel, placed) in mapping.kernels.iter().zip(&placement.kernels) {
        let mut used = BTreeSet::new();
        for buffer in &placed.buffers {
            check_buffer(model, buffer, &parsed.mapped_texts, report);
            check_uses(model, kernel, buffer, &mut used, report);
            check_places(model, buffer, &parsed.mapped_texts, report);
            check_layout(buffer, &parsed.mapped_texts, report);
        }
        for unlike in &placed.unlike_price {
            report.require(10, model.array(unlike.array).is_ok(), || {
                format!("the price of {} is for {}, which does not exist", kernel.id, unlike.array)
            });
        }
    }
}

fn check_device(model: &Model, placement: &Placement, texts: &Texts, report: &mut Report) {
    let in_order = |pair: &[DeviceArray]| pair[0].array < pair[1].array;
    report.require(10, placement.device.windows(2).all(in_order), || {
        "the arrays on the device are not in the order of their ids".to_owned()
    });
    for device in &placement.device {
        match model.arrays.get(device.array.index()) {
            Some(array) => check_device_array(model, array, device, texts, report),
            None => report.fault(10, format!("{} is on the device but does not exist", device.array)),
        }
    }
    check_constant_memory(model, placement, report);
}

fn check_device_array(
    model: &Model,
    array: &Array,
    device: &DeviceArray,
    texts: &Texts,
    report: &mut Report,
) {
    let id = array.id;
    check_device_sizes(array, device, texts, report);
    for (name, text) in [("copy-in", &device.copy_in), ("copy-out", &device.copy_out)] {
        let what = format!("the {name} of {id}");
        if let Some(elements) = texts.read::<Set>(&what, &text.0, report) {
            check_set(10, &what, &elements, &Tuple::elements(array), report);
            check_numbered(&what, &elements, device, texts, report);
        }
    }
    check_boxes(model, array, device, texts, report);
    check_parts(array, device, texts, report);
    if !device.memory.is_global() {
        check_constant(model, array, device, report);
    }
    if device.resident.is_some() {
        let slice = device.numbering.is_none() && device.boxes.is_none() && device.memory.is_global();
        let plain = array.storage == Storage::Contiguous && !array.is_scalar();
        report.require(10, slice && plain && !array.memory.is_empty(), || {
            format!("{id} is resident on the device, but is not a slice of an array that may be")
        });
    }
    let both = device.numbering.is_some() == device.numbered.is_some();
    report.require(10, both, || format!("{id} has a numbering without elements, or the reverse"));
    if let Some(numbering) = &device.numbering {
        check_numbering(array, numbering, texts, report);
    }
}

/// Checks that an array in constant memory is never written, has a constant size and place, and is an array of
/// the caller.
fn check_constant(model: &Model, array: &Array, device: &DeviceArray, report: &mut Report) {
    let id = array.id;
    let accesses = model.statements.iter().flat_map(|statement| &statement.accesses);
    let mut own = accesses.filter(|access| access.array == id);
    report.require(10, own.all(|access| access.kind == AccessKind::Read), || {
        format!("{id} is in constant memory but is written")
    });
    let plain = device.numbering.is_none() && device.boxes.is_none() && device.origin.is_empty();
    let plain =
        plain && array.visible && array.declares_rows() && matches!(array.storage, Storage::Contiguous);
    report.require(10, plain, || format!("{id} is in constant memory but is not an array of the caller"));
    let bytes = constant(&device.lower).and(constant_bytes(array, device));
    report.require(10, bytes.is_some(), || {
        format!("{id} is in constant memory, but has no constant size and place")
    });
}

/// Returns the size of a slice in bytes, if its extents are constant and not negative.
fn constant_bytes(array: &Array, device: &DeviceArray) -> Option<u64> {
    let mut bytes = u64::from(array.element.size());
    for extent in std::iter::once(&device.extent).chain(&device.inner_extents) {
        bytes = bytes.checked_mul(u64::try_from(constant(extent)?).ok()?)?;
    }
    Some(bytes)
}

/// Checks that the arrays in each memory fit in it together.
fn check_constant_memory(model: &Model, placement: &Placement, report: &mut Report) {
    for memory in DeviceMemory::ALL {
        let held = placement.device.iter().filter(|device| device.memory == memory);
        let arrays = held.filter_map(|device| Some((model.arrays.get(device.array.index())?, device)));
        let sizes = arrays.filter_map(|(array, device)| constant_bytes(array, device));
        let bytes = sizes.fold(0, u64::saturating_add);
        report.require(10, memory.most_bytes().is_none_or(|most| bytes <= most), || {
            format!("the arrays in constant memory have {bytes} bytes, which are too many")
        });
    }
}

fn constant(number: &IslPwAff) -> Option<i64> {
    PwAff::parse(&number.0).and_then(constant_value).ok().flatten()
}

/// Checks that the boxes of each direction contain what is copied if the context holds.
fn check_boxes(model: &Model, array: &Array, device: &DeviceArray, texts: &Texts, report: &mut Report) {
    let Some(boxes) = &device.boxes else { return };
    let id = array.id;
    let dimensions = array.extents.len();
    report.require(10, device.numbering.is_none() && device.origin.is_empty() && dimensions > 0, || {
        format!("{id} is transferred in boxes, but is not a slice of a caller's array on the device")
    });
    let ways = [
        ("to the device", &boxes.to_device, &device.copy_in),
        ("from the device", &boxes.from_device, &device.copy_out),
    ];
    for (way, boxes, copied) in ways {
        let what = format!("the boxes of {id} that go {way}");
        for one in boxes {
            let as_many = [&one.lower, &one.extent].iter().all(|numbers| numbers.len() == dimensions);
            report.require(10, as_many, || format!("{what} have other dimensions than the array"));
            for number in one.lower.iter().chain(&one.extent) {
                check_size(&what, number, texts, report);
            }
        }
        let Some(copied) = texts.read::<Set>(&what, &copied.0, report) else { continue };
        let possible = || Ok(copied.copy()?.intersect_params(Set::parse(&model.context.0)?)?);
        let found = report.answer(10, &what, possible().and_then(|copied| are_boxed(&copied, boxes)));
        report.require(10, found != Some(false), || format!("{what} lack an element that goes there"));
    }
}

/// Checks that parts belong to an array that is transferred as a slice, have its dimensions, and have integer
/// bounds.
fn check_parts(array: &Array, device: &DeviceArray, texts: &Texts, report: &mut Report) {
    let id = array.id;
    let in_slices = device.numbering.is_none() && device.boxes.is_none();
    let plain = in_slices && device.resident.is_none() && device.memory.is_global() && !array.is_scalar();
    report.require(10, device.parts.is_empty() || plain, || {
        format!("{id} is transferred in parts, but is not in slices on the device")
    });
    let what = format!("a part of {id}");
    for part in &device.parts {
        let as_many = [&part.lower, &part.extent].iter().all(|numbers| numbers.len() == array.extents.len());
        report.require(10, as_many, || format!("{what} has other dimensions than the array"));
        for number in part.lower.iter().chain(&part.extent) {
            let Some(value) = texts.read::<PwAff>(&what, &number.0, report) else { continue };
            let found = report.answer(10, &what, has_integers(&value));
            report.require(10, found != Some(false), || {
                format!("{what}, {}, is not an integer for some parameters, and C would round it", number.0)
            });
        }
    }
}

/// True if all elements of a set are in some boxes.
fn are_boxed(elements: &Set, boxes: &[ElementBox<IslPwAff>]) -> Result<bool> {
    let everything = Set::universe(elements.get_space()?)?;
    let mut all = Set::empty(elements.get_space()?)?;
    for one in boxes {
        all = all.union(one.part_of(everything.copy()?)?)?;
    }
    Ok(elements.is_subset(&all)?)
}

/// Checks that the position is a function of the array's elements, and the count a function of the parameters.
fn check_numbering(array: &Array, numbering: &Numbering, texts: &Texts, report: &mut Report) {
    let parts = [
        ("numbering", &numbering.position, Tuple::elements(array)),
        ("number of elements", &numbering.count, Tuple::anonymous(0)),
    ];
    for (name, text, expected) in parts {
        let what = format!("the {name} of {}", array.id);
        let Some(value) = texts.read::<PwQPolynomial>(&what, &text.0, report) else { continue };
        let tuple = report.answer(10, &what, counted_tuple(&value));
        report.require(10, tuple.is_none_or(|tuple| tuple == expected), || {
            format!("{what} is a function of something other than {expected}")
        });
        report.answer(10, &what, pieces_of(&value));
    }
    let scalar = array.extents.is_empty();
    report.require(10, !scalar, || format!("the elements of {} are numbered, but it is a scalar", array.id));
}

/// Checks that all transferred elements have a number, if the elements are numbered.
fn check_numbered(what: &str, elements: &Set, device: &DeviceArray, texts: &Texts, report: &mut Report) {
    let Some(numbered) = &device.numbered else { return };
    let name = format!("the set of numbered elements of {}", device.array);
    let Some(numbered) = texts.read::<Set>(&name, &numbered.0, report) else { return };
    let inside = || Ok(numbered.has_equal_space(elements)? && elements.is_subset(&numbered)?);
    let inside = report.answer(10, what, inside());
    report.require(10, inside != Some(false), || format!("{what} has elements without a number"));
}

fn check_device_sizes(array: &Array, device: &DeviceArray, texts: &Texts, report: &mut Report) {
    let (id, dimensions) = (array.id, array.extents.len());
    report.require(10, device.inner_extents.len() == dimensions.saturating_sub(1), || {
        format!("{id} has {} inner extents on the device", device.inner_extents.len())
    });
    report.require(10, [0, dimensions].contains(&device.origin.len()), || {
        format!("{id} has an origin of {} dimensions on the device", device.origin.len())
    });
    let bounds = [&device.lower, &device.extent];
    for text in bounds.into_iter().chain(&device.inner_extents).chain(&device.origin) {
        check_size(&format!("a size of {id} on the device"), text, texts, report);
    }
}

fn check_size(what: &str, text: &IslPwAff, texts: &Texts, report: &mut Report) {
    if let Some(value) = texts.read::<PwAff>(what, &text.0, report) {
        check_expression(10, what, &value, &Tuple::anonymous(0), report);
        let found = report.answer(10, what, has_integers(&value));
        report.require(10, found != Some(false), || {
            format!("{what}, {}, is not an integer for some parameters, and C would round it", text.0)
        });
    }
}

fn has_integers(value: &PwAff) -> Result<bool> {
    Ok(value.is_equal(&value.copy()?.floor()?)?)
}

fn check_buffer(model: &Model, buffer: &Buffer, texts: &Texts, report: &mut Report) {
    let id = buffer.id;
    report.require(10, buffer.sizes.iter().all(|&size| size > 0), || format!("{id} has no room"));
    let Some(array) = model.arrays.get(buffer.array.index()) else {
        return report.fault(10, format!("{id} is a buffer of {}, which does not exist", buffer.array));
    };
    if let Some(existing) = &buffer.existing {
        let what = format!("the set of existing elements of {id}");
        if let Some(existing) = texts.read::<Set>(&what, &existing.0, report) {
            check_set(10, &what, &existing, &Tuple::elements(array), report);
        }
    }
    let what = format!("the index of {id}");
    let Some(index) = texts.read::<Map>(&what, &buffer.index.0, report) else { return };
    let expected = (
        Some((Tuple::anonymous(buffer.depth as usize), Tuple::elements(array))),
        Tuple::named(id, buffer.sizes.len()),
    );
    let found = report.answer(10, &what, index_tuples(&index));
    report.require(10, found.is_none_or(|found| found == expected), || {
        format!("{what} does not lead from {} schedule dimensions and {} to it", buffer.depth, array.id)
    });
}

type IndexTuples = (Option<(Tuple, Tuple)>, Tuple);

fn index_tuples(index: &Map) -> Result<IndexTuples> {
    Ok((wrapped_tuples(index)?, map_tuples(index)?.1))
}

fn check_uses(
    model: &Model,
    kernel: &Kernel,
    buffer: &Buffer,
    used: &mut BTreeSet<AccessId>,
    report: &mut Report,
) {
    let statements = model.statements.iter().filter(|statement| kernel.statements.contains(&statement.id));
    let accesses: Vec<_> = statements.flat_map(|statement| &statement.accesses).collect();
    for &id in &buffer.accesses {
        let access = accesses.iter().find(|access| access.id == id);
        report.require(10, access.is_some_and(|access| access.array == buffer.array), || {
            format!("{id} uses {}, but is not an access of {} to {}", buffer.id, kernel.id, buffer.array)
        });
        report.require(10, used.insert(id), || {
            format!("{id} uses {} and another buffer of {}", buffer.id, kernel.id)
        });
    }
}

/// Checks that for each access of a buffer there is a relation from the instances of its statement to the
/// buffer.
fn check_places(model: &Model, buffer: &Buffer, texts: &Texts, report: &mut Report) {
    let id = buffer.id;
    report.require(10, buffer.places.len() == buffer.accesses.len(), || {
        format!("{id} has {} places for {} accesses", buffer.places.len(), buffer.accesses.len())
    });
    for (&access, place) in buffer.accesses.iter().zip(&buffer.places) {
        let Some(statement) = model.statements.iter().find(|statement| statement.access(access).is_some())
        else {
            continue;
        };
        let ends = [Tuple::instances(statement), Tuple::named(id, buffer.sizes.len())];
        read_map(10, &format!("the place of {access} in {id}"), &place.0, ends, texts, report);
    }
}

/// Checks that only shared memory has a layout other than row-major, that only buffers with rows are padded,
/// and that a dense numbering is a function on the places of its buffer that does not depend on parameters.
fn check_layout(buffer: &Buffer, texts: &Texts, report: &mut Report) {
    let id = buffer.id;
    report.require(10, buffer.layout.is_plain() || buffer.memory == Memory::Shared, || {
        format!("{id} is arranged as only shared memory can be")
    });
    match &buffer.layout {
        Layout::Box { padding } | Layout::Ring { padding } => {
            report.require(10, *padding == 0 || buffer.sizes.len() > 1, || {
                format!("{id} has padding but no rows")
            });
        }
        Layout::Dense { numbering, elements } => {
            report.require(10, *elements > 0, || format!("{id} has no room"));
            check_dense(buffer, numbering, texts, report);
        }
    }
}

fn check_dense(buffer: &Buffer, numbering: &Numbering, texts: &Texts, report: &mut Report) {
    let id = buffer.id;
    let ends = [
        ("position", &numbering.position, Tuple::named(id, buffer.sizes.len())),
        ("count", &numbering.count, Tuple::anonymous(0)),
    ];
    for (part, text, expected) in ends {
        let what = format!("the {part} of the numbering of {id}");
        let Some(number) = texts.read::<PwQPolynomial>(&what, &text.0, report) else { continue };
        let found = report.answer(10, &what, counted_tuple(&number));
        report.require(10, found.as_ref().is_none_or(|found| *found == expected), || {
            format!("{what} is not a function on {expected}")
        });
        let parameters = report.answer(10, &what, parameters(&number));
        report.require(10, parameters.is_none_or(|names| names.is_empty()), || {
            format!("{what} depends on parameters")
        });
    }
}
