//! Makes isl's objects of the texts that `plain` reads: the same objects that isl's own parser makes.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::{c_char, c_int, c_uint};

use crate::plain::{self, Comparison, Conjunct, Piece, Plain, Row, Tuple};

unsafe extern "C" {
    fn isl_basic_map_from_constraint_matrices(
        space: usize,
        equalities: usize,
        inequalities: usize,
        first: c_uint,
        second: c_uint,
        third: c_uint,
        fourth: c_uint,
        fifth: c_uint,
    ) -> usize;
    fn isl_basic_map_universe(space: usize) -> usize;
    fn isl_ctx_reset_error(ctx: usize);
    fn isl_map_from_basic_map(map: usize) -> usize;
    fn isl_map_has_equal_space(one: usize, other: usize) -> c_int;
    fn isl_map_intersect(one: usize, other: usize) -> usize;
    fn isl_map_union(one: usize, other: usize) -> usize;
    fn isl_mat_alloc(ctx: usize, rows: c_uint, columns: c_uint) -> usize;
    fn isl_mat_set_element_si(matrix: usize, row: c_int, column: c_int, value: c_int) -> usize;
    fn isl_space_add_dims(space: usize, kind: c_uint, count: c_uint) -> usize;
    fn isl_space_copy(space: usize) -> usize;
    fn isl_space_map_from_domain_and_range(domain: usize, range: usize) -> usize;
    fn isl_space_params_alloc(ctx: usize, count: c_uint) -> usize;
    fn isl_space_set_dim_name(space: usize, kind: c_uint, position: c_uint, name: *const c_char) -> usize;
    fn isl_space_set_from_params(space: usize) -> usize;
    fn isl_space_set_tuple_name(space: usize, kind: c_uint, name: *const c_char) -> usize;
    fn isl_union_map_free(map: usize) -> usize;
    fn isl_union_map_from_map(map: usize) -> usize;
    fn isl_union_map_union(one: usize, other: usize) -> usize;
}

/// isl's `isl_dim_cst`, `isl_dim_param`, `isl_dim_in`, `isl_dim_out`, which is also `isl_dim_set`, and `isl_dim_div`.
const CONSTANT: c_uint = 0;
const PARAMETERS: c_uint = 1;
const INPUT: c_uint = 2;
const OUTPUT: c_uint = 3;
const DIVISIONS: c_uint = 4;

/// The spaces that a thread has made, by context and [`signature`]; isl never frees a context here.
type Spaces = HashMap<(usize, String), usize>;

thread_local! { static SPACES: RefCell<Spaces> = RefCell::default(); }

/// Reads a set, and returns null if that is left to isl. The caller owns the result.
///
/// # Safety
/// The context must be live.
pub unsafe fn set(ctx: usize, text: &str) -> usize {
    // SAFETY: as required.
    unsafe { single(ctx, text, |tuples| tuples < 2) }
}

/// Like [`set`], for relations.
///
/// # Safety
/// The context must be live.
pub unsafe fn map(ctx: usize, text: &str) -> usize {
    // SAFETY: as required.
    unsafe { single(ctx, text, |tuples| tuples == 2) }
}

/// Like [`set`], for sets of several spaces.
///
/// # Safety
/// The context must be live.
pub unsafe fn union_set(ctx: usize, text: &str) -> usize {
    // SAFETY: as required.
    unsafe { union(ctx, text, |tuples| tuples < 2) }
}

/// Like [`set`], for relations of several spaces.
///
/// # Safety
/// The context must be live.
pub unsafe fn union_map(ctx: usize, text: &str) -> usize {
    // SAFETY: as required.
    unsafe { union(ctx, text, |tuples| tuples == 2) }
}

/// Leaves all to isl.
///
/// # Safety
/// There is no requirement; the other functions have one.
pub unsafe fn none(_: usize, _: &str) -> usize {
    0
}

/// A set or a relation, which are the same to isl.
#[derive(Clone, Copy)]
enum Object {
    Single(usize),
    Union(usize),
}

/// # Safety
/// The context must be live.
unsafe fn single(ctx: usize, text: &str, has_kind: fn(usize) -> bool) -> usize {
    // SAFETY: as required; the union is given up.
    unsafe {
        match read(ctx, text, has_kind) {
            Some(Object::Single(map)) => map,
            Some(Object::Union(map)) => isl_union_map_free(map),
            None => 0,
        }
    }
}

/// # Safety
/// The context must be live.
unsafe fn union(ctx: usize, text: &str, has_kind: fn(usize) -> bool) -> usize {
    // SAFETY: as required; the map is given up.
    unsafe {
        match read(ctx, text, has_kind) {
            Some(Object::Single(map)) => isl_union_map_from_map(map),
            Some(Object::Union(map)) => map,
            None => 0,
        }
    }
}

/// # Safety
/// The context must be live.
unsafe fn read(ctx: usize, text: &str, has_kind: fn(usize) -> bool) -> Option<Object> {
    let plain = plain::read(text)?;
    let tuples = plain.pieces[0].tuples.len();
    let is_uniform = plain.pieces.iter().all(|piece| piece.tuples.len() == tuples);
    if !has_kind(tuples) || !is_uniform || (tuples == 0 && plain.pieces.len() > 1) {
        return None;
    }
    // SAFETY: the context is live. Functions that get null return null, and then isl's parser finds out why.
    unsafe {
        let mut object = Object::Single(piece(ctx, &plain, &plain.pieces[0]));
        for next in &plain.pieces[1..] {
            object = added(object, piece(ctx, &plain, next));
        }
        let (Object::Single(pointer) | Object::Union(pointer)) = object;
        if pointer == 0 {
            isl_ctx_reset_error(ctx);
            return None;
        }
        Some(object)
    }
}

/// Adds a piece as isl does.
///
/// # Safety
/// Both must be live or null, and are given up.
unsafe fn added(object: Object, piece: usize) -> Object {
    // SAFETY: as required.
    unsafe {
        match object {
            Object::Single(map) if isl_map_has_equal_space(map, piece) != 0 => {
                Object::Single(isl_map_union(map, piece))
            }
            Object::Single(map) => {
                let (one, other) = (isl_union_map_from_map(map), isl_union_map_from_map(piece));
                Object::Union(isl_union_map_union(one, other))
            }
            Object::Union(map) => Object::Union(isl_union_map_union(map, isl_union_map_from_map(piece))),
        }
    }
}

/// # Safety
/// The context must be live.
unsafe fn piece(ctx: usize, plain: &Plain, piece: &Piece) -> usize {
    // SAFETY: as required; the space is live or null.
    unsafe {
        let space = space_of(ctx, &plain.parameters, &piece.tuples);
        let dimensions = piece.tuples.iter().map(|tuple| tuple.dimensions.len()).sum::<usize>();
        let columns = 1 + plain.parameters.len() + dimensions;
        let make = |conjuncts: &[Conjunct]| alternative(ctx, space, columns, &piece.defined, conjuncts);
        let Some((first, others)) = piece.alternatives.split_first() else { return make(&[]) };
        others.iter().fold(make(first), |all, other| isl_map_union(all, make(other)))
    }
}

/// Returns the map of an alternative.
///
/// isl intersects the conjuncts one after the other. It adds a single constraint to the others, and otherwise first
/// sorts the constraints and removes redundant ones.
///
/// # Safety
/// The context must be live, and the space as well, or null; it stays the caller's.
unsafe fn alternative(
    ctx: usize,
    space: usize,
    columns: usize,
    defined: &[Row],
    conjuncts: &[Conjunct],
) -> usize {
    let mut known: Option<usize> = None;
    let mut rows: Vec<&Comparison> = Vec::new();
    // SAFETY: as required; what is made here is given up or returned.
    unsafe {
        for conjunct in conjuncts {
            let new: Vec<&Comparison> = conjunct.iter().collect();
            if rows.is_empty() && known.is_none() {
                rows = new;
            } else if defined.is_empty() && new.len() == 1 && known.is_none() {
                rows.extend(new);
            } else if defined.is_empty() && rows.len() == 1 && known.is_none() {
                rows.splice(0..0, new);
            } else {
                let one = known.unwrap_or_else(|| constrained(ctx, space, columns, defined, &rows));
                known = Some(isl_map_intersect(one, constrained(ctx, space, columns, defined, &new)));
            }
        }
        known.unwrap_or_else(|| constrained(ctx, space, columns, defined, &rows))
    }
}

/// Returns the map with some constraints.
///
/// # Safety
/// The context must be live, and the space as well, or null; it stays the caller's.
unsafe fn constrained(
    ctx: usize,
    space: usize,
    columns: usize,
    defined: &[Row],
    all: &[&Comparison],
) -> usize {
    let compared =
        |is_equality: bool| all.iter().filter(move |one| one.is_equality == is_equality).map(|one| &one.row);
    let equalities: Vec<&Row> = defined.iter().chain(compared(true)).collect();
    let inequalities: Vec<&Row> = compared(false).collect();
    // SAFETY: as required; what is made here is given up or returned.
    unsafe {
        let space = isl_space_copy(space);
        if equalities.is_empty() && inequalities.is_empty() {
            return isl_map_from_basic_map(isl_basic_map_universe(space));
        }
        let [equalities, inequalities] = [equalities, inequalities].map(|rows| matrix(ctx, columns, &rows));
        isl_map_from_basic_map(isl_basic_map_from_constraint_matrices(
            space,
            equalities,
            inequalities,
            CONSTANT,
            PARAMETERS,
            INPUT,
            OUTPUT,
            DIVISIONS,
        ))
    }
}

/// # Safety
/// The context must be live.
unsafe fn matrix(ctx: usize, columns: usize, rows: &[&Row]) -> usize {
    // SAFETY: as required; the places are in the matrix.
    unsafe {
        let mut matrix = isl_mat_alloc(ctx, rows.len() as c_uint, columns as c_uint);
        for (number, row) in rows.iter().enumerate() {
            for column in 0..columns {
                let value = row.get(column).copied().unwrap_or(0);
                matrix = isl_mat_set_element_si(matrix, number as c_int, column as c_int, value);
            }
        }
        matrix
    }
}

/// Returns the space of some tuples, which stays this file's; null if isl fails.
///
/// # Safety
/// The context must be live.
unsafe fn space_of(ctx: usize, parameters: &[&str], tuples: &[Tuple]) -> usize {
    let key = (ctx, signature(parameters, tuples));
    if let Some(known) = SPACES.with_borrow(|spaces| spaces.get(&key).copied()) {
        return known;
    }
    // SAFETY: as required; what is made here is given up or kept.
    unsafe {
        let mut space = isl_space_params_alloc(ctx, parameters.len() as c_uint);
        for (position, name) in parameters.iter().enumerate() {
            space =
                with_name(name, |name| isl_space_set_dim_name(space, PARAMETERS, position as c_uint, name));
        }
        space = match tuples {
            [] => space,
            [tuple] => set_space(space, tuple),
            [domain, range, ..] => {
                let domain = set_space(isl_space_copy(space), domain);
                isl_space_map_from_domain_and_range(domain, set_space(space, range))
            }
        };
        if space != 0 {
            SPACES.with_borrow_mut(|spaces| spaces.insert(key, space));
        }
        space
    }
}

/// All that distinguishes one space from another.
fn signature(parameters: &[&str], tuples: &[Tuple]) -> String {
    let mut text = parameters.join(",");
    for Tuple { name, dimensions } in tuples {
        text += ">";
        text += name.unwrap_or("");
        for name in dimensions {
            text += ",";
            text += name.unwrap_or("");
        }
    }
    text
}

/// # Safety
/// The space must be one of parameters or null, and is given up.
unsafe fn set_space(space: usize, Tuple { name, dimensions }: &Tuple) -> usize {
    // SAFETY: as required; the positions are in the space.
    unsafe {
        let count = dimensions.len() as c_uint;
        let mut space = isl_space_add_dims(isl_space_set_from_params(space), OUTPUT, count);
        for (position, name) in dimensions.iter().enumerate() {
            let Some(name) = name else { continue };
            space = with_name(name, |name| isl_space_set_dim_name(space, OUTPUT, position as c_uint, name));
        }
        match name {
            Some(name) => with_name(name, |name| isl_space_set_tuple_name(space, OUTPUT, name)),
            None => space,
        }
    }
}

/// Calls a function with a name that ends with a NUL.
fn with_name<T>(name: &str, call: impl FnOnce(*const c_char) -> T) -> T {
    let mut terminated = Vec::with_capacity(name.len() + 1);
    terminated.extend_from_slice(name.as_bytes());
    terminated.push(0);
    call(terminated.as_ptr().cast())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::ffi::CString;
    use std::fs;
    use std::path::Path;

    use super::*;
    use crate::context;

    type Reader = unsafe extern "C" fn(usize, *const c_char) -> usize;
    type Rows = unsafe extern "C" fn(usize, c_uint, c_uint, c_uint, c_uint, c_uint) -> usize;

    unsafe extern "C" {
        fn isl_basic_map_equalities_matrix(
            map: usize,
            first: c_uint,
            second: c_uint,
            third: c_uint,
            fourth: c_uint,
            fifth: c_uint,
        ) -> usize;
        fn isl_basic_map_inequalities_matrix(
            map: usize,
            first: c_uint,
            second: c_uint,
            third: c_uint,
            fourth: c_uint,
            fifth: c_uint,
        ) -> usize;
        fn isl_basic_map_list_get_at(list: usize, position: c_int) -> usize;
        fn isl_basic_map_list_size(list: usize) -> c_int;
        fn isl_map_get_basic_map_list(map: usize) -> usize;
        fn isl_map_get_space(map: usize) -> usize;
        fn isl_map_list_get_at(list: usize, position: c_int) -> usize;
        fn isl_map_list_size(list: usize) -> c_int;
        fn isl_map_read_from_str(ctx: usize, text: *const c_char) -> usize;
        fn isl_mat_cols(matrix: usize) -> c_int;
        fn isl_mat_get_element_val(matrix: usize, row: c_int, column: c_int) -> usize;
        fn isl_mat_rows(matrix: usize) -> c_int;
        fn isl_set_read_from_str(ctx: usize, text: *const c_char) -> usize;
        fn isl_space_is_equal(one: usize, other: usize) -> c_int;
        fn isl_union_map_get_map_list(map: usize) -> usize;
        fn isl_union_map_read_from_str(ctx: usize, text: *const c_char) -> usize;
        fn isl_union_set_read_from_str(ctx: usize, text: *const c_char) -> usize;
        fn isl_val_get_num_si(value: usize) -> std::ffi::c_long;
    }

    /// Returns the flags of a basic map or a map, which follow the count of references.
    unsafe fn flags(object: usize) -> u32 {
        // SAFETY: the object is live.
        unsafe { *((object + size_of::<c_int>()) as *const u32) }
    }

    unsafe fn rows(map: usize, read: Rows) -> Vec<Vec<i64>> {
        // SAFETY: the map is live. What is read is not freed: this is a test.
        unsafe {
            let matrix = read(map, CONSTANT, PARAMETERS, INPUT, OUTPUT, DIVISIONS);
            let number = |row, column| isl_val_get_num_si(isl_mat_get_element_val(matrix, row, column));
            let row = |row| (0..isl_mat_cols(matrix)).map(|column| number(row, column)).collect();
            (0..isl_mat_rows(matrix)).map(row).collect()
        }
    }

    /// Returns the constraints and the flags of a map, in the order in which isl has them.
    unsafe fn contents(map: usize) -> String {
        // SAFETY: the map is live.
        unsafe {
            let pieces = isl_map_get_basic_map_list(map);
            let mut text = format!("{:x}", flags(map));
            for position in 0..isl_basic_map_list_size(pieces) {
                let piece = isl_basic_map_list_get_at(pieces, position);
                let equalities = rows(piece, isl_basic_map_equalities_matrix);
                let inequalities = rows(piece, isl_basic_map_inequalities_matrix);
                text += &format!("; {:x} {equalities:?} {inequalities:?}", flags(piece));
            }
            text
        }
    }

    unsafe fn maps_of(union: usize) -> Vec<usize> {
        // SAFETY: the union is live.
        unsafe {
            let maps = isl_union_map_get_map_list(union);
            (0..isl_map_list_size(maps)).map(|position| isl_map_list_get_at(maps, position)).collect()
        }
    }

    /// Compares what this file reads with what isl reads; false if this file leaves the text to isl.
    fn is_read_as_by_isl(text: &str) -> bool {
        let ctx = context().ptr;
        let terminated = CString::new(text).expect("has no NUL");
        let by_isl = |reader: Reader| unsafe { reader(ctx, terminated.as_ptr()) };
        // SAFETY: the context is live, and all objects stay so.
        let unions: Vec<(usize, Reader)> = unsafe {
            vec![
                (union_set(ctx, text), isl_union_set_read_from_str),
                (union_map(ctx, text), isl_union_map_read_from_str),
            ]
        };
        let singles: Vec<(usize, Reader)> =
            unsafe { vec![(set(ctx, text), isl_set_read_from_str), (map(ctx, text), isl_map_read_from_str)] };
        let read = |all: Vec<(usize, Reader)>| all.into_iter().find(|(object, _)| *object != 0);
        let mut pairs = Vec::new();
        pairs.extend(read(singles).map(|(own, reader)| (vec![own], vec![by_isl(reader)])));
        pairs.extend(read(unions).map(|(own, reader)| unsafe { (maps_of(own), maps_of(by_isl(reader))) }));
        for (own, isls) in &pairs {
            assert_eq!(own.len(), isls.len(), "{text}");
            for (&own, &isls) in own.iter().zip(isls) {
                unsafe {
                    assert_eq!(
                        isl_space_is_equal(isl_map_get_space(own), isl_map_get_space(isls)),
                        1,
                        "{text}"
                    );
                    assert_eq!(contents(own), contents(isls), "{text}");
                }
            }
        }
        !pairs.is_empty()
    }

    #[test]
    fn texts_are_read_as_by_isl() {
        let texts = [
            "{ [] }",
            "[n] -> {  :  }",
            "[n, m] -> {  : n > 0 and m <= 3 }",
            "[] -> { S0[]; S1[i]; S0[]; S1[i] : i > 0 }",
            "[n] -> { S0[i, j] : 0 <= i < n }",
            "[n] -> { S0[i, i] : 0 <= i < n and i >= 3 and 2 <= i <= 2n - 1 }",
            "[n] -> { S0[i] -> A[i + 1, n, -2i + 3n - 4, 7] : i = 3 and 0 = n }",
            "[n] -> { S0[i = 0] -> A[j, j' = i, 2j] : n > 0 and 0 <= j < n }",
            "[n] -> { S0[i] : (n > 4 and 0 <= i < n) or i = n or (i < 3); S0[j] : j = 5; T[k] }",
            "[n, m] -> { [i, j] : n > 0 and m > 0 and 0 <= i < n and 0 <= j < m and i > j }",
            "{ [i] : 4i >= 2 and 6i <= 7 + 3i }",
            "{ [i] : i > 0 and i < 1 }",
            "{ [i, j] : 1 <= 2i + 2j <= 1 and 0 <= i <= 5 }",
            "{ [i, j] : i > j and j > i and 0 <= i < 3 }",
        ];
        for text in texts {
            assert!(is_read_as_by_isl(text), "{text}");
        }
    }

    #[test]
    fn other_texts_are_left_to_isl() {
        let texts = [
            "",
            "{",
            "{ }",
            "{ [i] : 0 <= i",
            "{ [i] : exists (e : i = 2e) }",
            "{ [i] : (i) mod 3 = 0 }",
            "{ [i] : i = 2*floor((i)/2) }",
            "{ [i] : i != 3 }",
            "{ [i] : i <= 1 or not i > 3 }",
            "{ [i] : i > 0 and (i > 3 or i < 2) }",
            "{ [[i] -> [j]] }",
            "{ [i] : false }",
            "{ [*] }",
            "{ [i] : i = j }",
            "{ [i, j] : 0 <= i, j < 3 }",
            "{ [i] : 99999999999 > i }",
            "{ [i] : 3 / 2 < i }",
            "{ [i] : i << 3 }",
            "{ [i] -> { } }",
            "{ [i] } x",
            "[n] -> { [n + m] }",
            "{ [(i)] }",
            "{ [i] -> 3 }",
            "[n, n] -> { [i] }",
            "{ S[i]; S[i] -> T[i] }",
            "{ : ; [i] }",
            "{ [i] : i => 3 }",
            "{ [i] : i >= 1 / 2 }",
        ];
        for text in texts {
            assert_eq!(plain::read(text).map(|_| ()).filter(|()| is_read_as_by_isl(text)), None, "{text}");
        }
    }

    /// Adds the texts in the files of a folder that look like those of sets or relations.
    fn gather(folder: &Path, texts: &mut BTreeSet<String>) {
        for entry in
            fs::read_dir(folder).expect("is a folder").map(|entry| entry.expect("is an entry").path())
        {
            if entry.is_dir() {
                gather(&entry, texts);
            } else if entry.extension().is_some_and(|extension| extension == "json") {
                let document = fs::read_to_string(&entry).expect("is a text");
                let parts = document.split('"').map(|part| part.trim_end_matches('\\'));
                let is_text = |part: &&str| part.starts_with(['[', '{']) && part.ends_with('}');
                texts.extend(parts.filter(is_text).map(str::to_owned));
            }
        }
    }

    #[test]
    fn texts_of_documents_are_read_as_by_isl() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let mut texts = BTreeSet::new();
        for folder in ["tests", "cloog-rs/tests", "libs/scop/tests", "docs"] {
            gather(&root.join(folder), &mut texts);
        }
        let read = texts.iter().filter(|text| is_read_as_by_isl(text)).count();
        assert!(read > 80 && 3 * read > 2 * texts.len(), "{read} of {}", texts.len());
    }
}
