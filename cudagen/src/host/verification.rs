//! `--verify`: the rewritten source runs every region twice, first as it was and then on the device, and compares.
//!
//! ```text
//! const int verified = f_verify(0, n, A);      keeps what the region may write
//! #pragma scop … #pragma endscop               the original
//! if (verified) {
//!     f_verify(1, n, A);                       keeps what it wrote, and brings the state before it back
//!     f(n, A);                                 the translation
//!     f_verify(2, n, A);                       compares, and poisons
//!     i = -1515870811;                         an iterator that the translation does not deliver
//! }
//! ```
//!
//! Both see the same data, so the first difference is one of this region. Compared is all that the region's text may
//! write, whether the translation delivers it or not. What is called dead after the region cannot be compared, as the
//! translation need not compute it: it is poisoned, so that whatever reads it after all shows in the program's
//! output, and the values of the run in C do not cover up for it. What the translation has copies of in place of the
//! object itself is poisoned in the user's file, where its name means something.

use scop::ast::ArraySlice;
use scop::c_text::Dialect;
use scop::{Array, CType, Diagnostics};

use crate::code::frame::Frame;
use crate::host::checks::Checks;
use crate::host::function::HostArgument;
use crate::host::slices;
use crate::model::data::{self, Datum, HostForm};
use crate::model::footprint;
use crate::model::members;
use crate::print::layout::{self, Stmt};

/// The name of the function for a region, given that of its translation.
pub fn name(function: &str) -> String {
    format!("{function}_verify")
}

/// The function for a region. `arguments` are those of its translation, and `declared` the declarations before its
/// checks.
///
/// # Errors
///
/// A failure of isl.
pub fn function(
    frame: &Frame<'_>,
    arguments: &[HostArgument],
    declared: &[Stmt],
    checks: &Checks,
) -> Result<String, Diagnostics> {
    let view = frame.view;
    let ranges = ranges(frame)
        .map_err(|error| view.source.failure("cudagen", &view.model.name, Some(view.region), &error))?;
    let mut rest = checks.memory.clone();
    rest.extend(ranges);
    rest.push(Stmt::line("return 1;"));
    let mut block = declared.to_vec();
    block.extend(slices::sizes(frame).into_iter().map(perhaps_unused));
    block.extend(rest);
    let type_name = |ctype| Dialect::Cxx.type_name(ctype).to_owned();
    let arguments = arguments.iter().map(|argument| argument.declaration(type_name));
    let arguments: Vec<String> = std::iter::once("int phase".to_owned()).chain(arguments).collect();
    let region = &frame.view.region;
    let place = format!("{}:{}", frame.view.file(), region.range.line);
    let function = name(&frame.view.model.name);
    let mut text = format!("static VerifiedRegion {function}_region({place:?});\n\n");
    layout::wrap(&format!("extern \"C\" int {function}({})", arguments.join(", ")), 0, &mut text);
    text.push_str("{\n");
    text.push_str(&layout::render(&block, 1));
    text.push_str("}\n");
    Ok(text)
}

/// A declaration of what the checks and the ranges may not need.
fn perhaps_unused(stmt: Stmt) -> Stmt {
    match stmt {
        Stmt::Declare { name, text } => Stmt::Declare { name, text: format!("[[maybe_unused]] {text}") },
        other => other,
    }
}

/// An integer that no program expects.
const POISON: &str = "-1515870811";

/// A statement that gives an object a value that no program expects.
pub fn poisoned(object: &str, element: CType, is_scalar: bool) -> String {
    let is_integer = element.is_integer();
    if is_scalar {
        let value = if is_integer { POISON } else { "__builtin_nan(\"\")" };
        return format!("{object} = {value};");
    }
    poisoned_memory(object, object, element)
}

/// The same for the memory of an object, whose address is given.
pub fn poisoned_memory(address: &str, object: &str, element: CType) -> String {
    let byte = if element.is_integer() { "0xa5" } else { "0xff" };
    format!("__builtin_memset({address}, {byte}, sizeof({object}));")
}

/// One statement for each range of memory that the region may write.
fn ranges(frame: &Frame<'_>) -> polyhedra::Result<Vec<Stmt>> {
    let function = name(&frame.view.model.name);
    let mut block = vec![Stmt::line(format!("{function}_region.begin(phase);"))];
    let on_host = data::used_on_host(frame.view.model, &frame.view.body)?;
    for datum in frame.view.data.values() {
        if !datum.written || datum.host != HostForm::Pointer {
            continue;
        }
        if datum.array.is_scalar() {
            let size = format!("sizeof({})", Dialect::Cxx.type_name(datum.array.element));
            block.push(range(frame, datum, None, &size));
            continue;
        }
        if let (true, Some(slice)) = (datum.on_device, &datum.slice) {
            let size = slices::copied_name(frame, datum).unwrap_or_default();
            block.push(range(frame, datum, Some(slice), &size));
        }
        if !datum.on_device || on_host.contains(&datum.array.id) {
            let touched = footprint::touched(frame.view.model, datum.array, datum.inner_extents())?;
            if let Some(slice) = touched {
                let size = slices::bytes(frame, datum, &slice);
                let size = if datum.array.declares_rows() {
                    size
                } else {
                    let last = footprint::last_touched(frame.view.model, datum.array)?;
                    slices::bytes_to(frame, datum, &last, &size).map_or(size, |size| format!("({size})"))
                };
                block.push(range(frame, datum, Some(&slice), &size));
            }
        }
    }
    Ok(block)
}

fn range(frame: &Frame<'_>, datum: &Datum<'_>, slice: Option<&ArraySlice>, bytes: &str) -> Stmt {
    let array = datum.array;
    let start = slice.map_or_else(|| array.name.clone(), |slice| slices::host_start(frame, datum, slice));
    let first = slice.map_or_else(|| "0".to_owned(), |slice| frame.index(&slice.lower).text);
    let (rows, width, stride) = match (members::of_structures(array), slice) {
        (Some((structures, stride)), Some(slice)) => {
            let (rows, width) = slices::rows(frame, datum, slice, structures);
            (rows, width, stride.to_string())
        }
        _ => ("1".to_owned(), bytes.to_owned(), "0".to_owned()),
    };
    // Where parameters say that nothing is written, the pointer may be null.
    let rows = match array.may_alias || array.restrict {
        true => format!("{} == NULL ? 0 : {rows}", array.name),
        false => rows,
    };
    let extents: Vec<String> = slice.map_or_else(Vec::new, |slice| written_extents(frame, array, slice));
    let function = name(&frame.view.model.name);
    let structures = members::of_structures(array).map_or(0, |(structures, _)| structures);
    let (before, member) =
        array.expression.rsplit_once(&"[0]".repeat(structures)).unwrap_or((&array.expression, ""));
    Stmt::line(format!(
        "{function}_region.range(phase, {{{before:?}, {member:?}, {start}, (size_t)({rows}), {width}, {stride}, {}, '{}', \
         sizeof({}), {}, {structures}, {{(long)({first}){}}}}});",
        array.dead_after,
        kind(array.element),
        Dialect::Cxx.type_name(array.element),
        if slice.is_some() { extents.len() + 1 } else { 0 },
        extents.iter().map(|extent| format!(", (long)({extent})")).collect::<String>(),
    ))
}

/// The extents of the inner dimensions that the source writes; the subscripts of the others it computes itself.
fn written_extents(frame: &Frame<'_>, array: &Array, slice: &ArraySlice) -> Vec<String> {
    let inner = array.extents.iter().skip(1).zip(&slice.inner_extents);
    inner.filter(|(extent, _)| extent.c.is_some()).map(|(_, value)| frame.index(value).text).collect()
}

/// How the values of a type are printed: complex, floating-point, signed or unsigned.
fn kind(ctype: CType) -> char {
    match ctype {
        _ if ctype.is_complex() => 'c',
        _ if !ctype.is_integer() => 'f',
        _ if ctype.is_unsigned() => 'u',
        _ => 'i',
    }
}

/// What keeps, restores and compares. Beside it the program needs nothing: the report is printed when it ends.
pub const RUNTIME: &str = r#"
// A part of an array that a region may write: `rows` pieces of `width` bytes, `stride` bytes apart.
struct VerifiedRange {
    const char *array, *member;
    void *start;
    size_t rows, width, stride;
    // Nothing reads it after the region, it is said.
    bool dead;
    char kind;
    size_t size;
    // The subscripts of `array`, and how many of them stand before `member`.
    int dimensions, structures;
    long first_and_extents[16];
};

// What is said of all regions when the program ends.
struct VerifiedReport {
    std::vector<std::pair<const char *, const std::atomic<long> *>> regions;

    ~VerifiedReport()
    {
        for (const auto &[place, runs] : regions)
            if (*runs == 0)
                fprintf(stderr, "c2cuda: %s: never ran on the device; nothing is verified\n", place);
            else
                fprintf(stderr, "c2cuda: %s: ran %ld time%s on the device, always as in C\n", place, runs->load(),
                        *runs == 1 ? "" : "s");
    }
};

static VerifiedReport verified_report;

// Compares what a region computes in C with what it computes on the device.
class VerifiedRegion {
public:
    explicit VerifiedRegion(const char *place) : place(place)
    {
        verified_report.regions.emplace_back(place, &runs);
    }

    void begin(int phase)
    {
        Run &run = run_of_this_thread();
        run.position = 0;
        runs += phase == 2;
        if (phase == 0)
            run.kept.clear();
        if (phase == 1)
            go_back(run);
    }

    void range(int phase, const VerifiedRange &range)
    {
        Run &run = run_of_this_thread();
        if (phase == 0)
            run.kept.push_back({range, copy_of(range), {}});
        if (phase == 2) {
            const std::vector<char> &in_c = run.kept[run.position++].after;
            if (range.dead)
                poison(range);
            else
                compare(range, in_c);
        }
    }

private:
    struct Kept {
        VerifiedRange range;
        std::vector<char> before, after;
    };

    struct Run {
        size_t position = 0;
        std::vector<Kept> kept;
    };

    const char *place;
    std::atomic<long> runs{0};
    std::mutex lock;
    std::map<std::thread::id, Run> run_of;

    // Threads of the program may run the region at the same time.
    Run &run_of_this_thread()
    {
        const std::lock_guard<std::mutex> held(lock);
        return run_of[std::this_thread::get_id()];
    }

    static char *piece(const VerifiedRange &range, size_t row)
    {
        return (char *)range.start + row * range.stride;
    }

    // Ranges may overlap, so all are kept before any is put back.
    static void go_back(Run &run)
    {
        for (Kept &one : run.kept)
            one.after = copy_of(one.range);
        for (const Kept &one : run.kept)
            for (size_t row = 0; row < one.range.rows; row++)
                memcpy(piece(one.range, row), one.before.data() + row * one.range.width, one.range.width);
    }

    // No number, or an integer that no program expects.
    static void poison(const VerifiedRange &range)
    {
        for (size_t row = 0; row < range.rows; row++)
            memset(piece(range, row), range.kind == 'f' || range.kind == 'c' ? 0xff : 0xa5, range.width);
    }

    static std::vector<char> copy_of(const VerifiedRange &range)
    {
        std::vector<char> copy(range.rows * range.width);
        for (size_t row = 0; row < range.rows; row++)
            memcpy(copy.data() + row * range.width, piece(range, row), range.width);
        return copy;
    }

    void compare(const VerifiedRange &range, const std::vector<char> &in_c)
    {
        const size_t per_row = range.width / range.size, count = range.rows * per_row;
        size_t different = 0, first = 0;
        for (size_t element = 0; element < count; element++) {
            const char *here = piece(range, element / per_row) + element % per_row * range.size;
            if (!same(range, in_c.data() + element * range.size, here) && different++ == 0)
                first = element;
        }
        if (different == 0)
            return;
        const char *here = piece(range, first / per_row) + first % per_row * range.size;
        fprintf(stderr, "c2cuda: %s: %s", place, range.array);
        print_index(range, first);
        fprintf(stderr, " is ");
        print_value(range, in_c.data() + first * range.size);
        fprintf(stderr, " in C and ");
        print_value(range, here);
        fprintf(stderr, " on the device, in run %ld (%zu of %zu elements of %s differ)\n", runs.load(), different, count,
                range.array);
        fflush(NULL);
        _Exit(1);
    }

    // Equal bits, or floating-point numbers that are none or as close as C2CUDA_TOLERANCE says, relatively.
    static bool same(const VerifiedRange &range, const char *in_c, const char *here)
    {
        if (memcmp(in_c, here, range.size) == 0)
            return true;
        const size_t parts = range.kind == 'f' ? 1 : range.kind == 'c' ? 2 : 0;
        bool all_same = parts > 0;
        for (size_t part = 0; part < parts; part++) {
            const size_t size = range.size / parts;
            all_same = all_same && close(floating(size, in_c + part * size), floating(size, here + part * size));
        }
        return all_same;
    }

    static bool close(double a, double b)
    {
        static const char *const tolerance = getenv("C2CUDA_TOLERANCE");
        if (a != a || b != b)
            return a != a && b != b;
        if (a == b)
            return signbit(a) == signbit(b) || tolerance;
        return tolerance && fabs(a - b) <= atof(tolerance) * fmax(fabs(a), fabs(b));
    }

    static double floating(size_t size, const char *at)
    {
        if (size == sizeof(float)) {
            float value;
            memcpy(&value, at, sizeof(value));
            return value;
        }
        double value;
        memcpy(&value, at, sizeof(value));
        return value;
    }

    static void print_value(const VerifiedRange &range, const char *at)
    {
        const size_t half = range.size / 2;
        if (range.kind == 'f') {
            fprintf(stderr, "%.17g (%a)", floating(range.size, at), floating(range.size, at));
            return;
        }
        if (range.kind == 'c') {
            fprintf(stderr, "%.17g%+.17gi (%a, %a)", floating(half, at), floating(half, at + half),
                    floating(half, at), floating(half, at + half));
            return;
        }
        unsigned long long value = 0;
        memcpy(&value, at, range.size < sizeof(value) ? range.size : sizeof(value));
        const int above = 64 - 8 * (int)range.size;
        if (range.kind == 'i' && above >= 0)
            fprintf(stderr, "%lld", (long long)(value << above) >> above);
        else
            fprintf(stderr, "%llu", value);
    }

    static void print_index(const VerifiedRange &range, size_t element)
    {
        long index[16], rest = (long)element;
        for (int d = range.dimensions - 1; d > 0; d--) {
            const long extent = range.first_and_extents[d] > 0 ? range.first_and_extents[d] : 1;
            index[d] = rest % extent;
            rest /= extent;
        }
        index[0] = rest + range.first_and_extents[0];
        for (int d = 0; d < range.dimensions; d++) {
            fprintf(stderr, "%s[%ld]", d == range.structures ? range.member : "", index[d]);
        }
        fprintf(stderr, "%s", range.structures >= range.dimensions ? range.member : "");
    }
};
"#;
