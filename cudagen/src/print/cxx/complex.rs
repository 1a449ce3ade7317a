//! Definitions for complex numbers. All but the repairs are always inlined, so that numbers are passed in registers.
//! In the texts, `COMPLEX` stands for the structure, `REAL` for the type of its members, and a name with the suffix
//! `_F` for the C library's function for that type.

use scop::CType;
use scop::c_text::complex;

use crate::model::complex::{Complex, Operands, Piece};
use crate::print::cxx::language::Language;
use crate::print::layout;

/// Returns all definitions.
pub fn text(needs: &Complex, language: &dyn Language) -> String {
    let types = [CType::FloatComplex, CType::DoubleComplex];
    let mut text = String::new();
    for ctype in types {
        if let Some(needed) = needs.structure_of(ctype) {
            text.push_str(&structure(ctype, needed.is_condition, language));
        }
    }
    if needs.repairs() {
        text.push_str(&language.spelled(LIMITS));
    }
    for ctype in types {
        text.extend(needs.pieces(ctype).map(|piece| definition(piece, ctype, language)));
    }
    text
}

/// Returns the structure of a type.
fn structure(ctype: CType, condition: bool, language: &dyn Language) -> String {
    let operator = if condition {
        "\n\n    __host__ __device__ explicit operator bool() const { return re != 0 || im != 0; }"
    } else {
        ""
    };
    spelled(
        &format!(
            "\n// A complex number, in memory as C has it.\nstruct COMPLEX {{\n    REAL re, im;{operator}\n}};\n"
        ),
        ctype,
        language,
    )
}

/// The functions that repairs apply to each part of an operand.
const LIMITS: &str = r#"
// Returns 1 for an infinite part of a number and 0 for a finite one, with its sign.
static __host__ __device__ __forceinline__ double gpu_infinite_part(double part)
{
    return copysign(isinf(part) ? 1.0 : 0.0, part);
}

// Returns a zero with the sign of the part for a NaN; any other part as it is.
static __host__ __device__ __forceinline__ double gpu_finite_part(double part)
{
    return isnan(part) ? copysign(0.0, part) : part;
}
"#;

/// Returns the text of a definition for a type.
fn definition(piece: Piece, ctype: CType, language: &dyn Language) -> String {
    let text = match piece {
        Piece::Conversion => CONVERSION,
        Piece::Negation => NEGATION,
        Piece::Conjugate(name) => return spelled(&CONJUGATE.replace("NAME", name), ctype, language),
        Piece::Function("cproj") => PROJECTION,
        Piece::Function("carg") => ARGUMENT,
        Piece::Function(_) => ABSOLUTE_VALUE,
        Piece::RepairedProduct => REPAIRED_PRODUCT,
        Piece::RepairedQuotient => REPAIRED_QUOTIENT,
        Piece::Operator("*", Operands::Both) => PRODUCT,
        Piece::Operator("/", Operands::Both) if ctype == CType::FloatComplex => FLOAT_QUOTIENT,
        Piece::Operator("/", Operands::Both) => QUOTIENT,
        Piece::Operator(operator, operands) => {
            return spelled(&by_parts(operator, operands), ctype, language);
        }
    };
    spelled(text, ctype, language)
}

fn spelled(text: &str, ctype: CType, language: &dyn Language) -> String {
    let suffix = if ctype == CType::FloatComplex { "f" } else { "" };
    language
        .spelled(text)
        .replace("CONVERSION", complex::conversion(ctype))
        .replace("OTHER", other_structure(ctype))
        .replace("COMPLEX", complex::structure(ctype))
        .replace("REAL", ctype.part().c_name())
        .replace("_F(", &format!("{suffix}("))
        .lines()
        .fold(String::new(), with_line)
}

/// Appends a line to the text; the head of a function is wrapped.
fn with_line(mut text: String, line: &str) -> String {
    if line.starts_with("static") {
        layout::wrap(line, 0, &mut text);
    } else {
        text.push_str(line);
        text.push('\n');
    }
    text
}

/// Returns an operator that needs only one expression for each part.
fn by_parts(operator: &str, operands: Operands) -> String {
    let (left, right) = match operands {
        Operands::Both => ("COMPLEX a", "COMPLEX b"),
        Operands::Left => ("COMPLEX a", "REAL b"),
        Operands::Right => ("REAL a", "COMPLEX b"),
    };
    let (result, value) = match (operator, operands) {
        ("+" | "-", Operands::Both) => {
            ("COMPLEX", format!("COMPLEX{{a.re {operator} b.re, a.im {operator} b.im}}"))
        }
        ("+" | "-", Operands::Left) => ("COMPLEX", format!("COMPLEX{{a.re {operator} b, a.im}}")),
        ("+", _) => ("COMPLEX", "COMPLEX{a + b.re, b.im}".to_owned()),
        ("-", _) => ("COMPLEX", "COMPLEX{a - b.re, -b.im}".to_owned()),
        ("*" | "/", Operands::Left) => {
            ("COMPLEX", format!("COMPLEX{{a.re {operator} b, a.im {operator} b}}"))
        }
        ("*", _) => ("COMPLEX", "COMPLEX{a * b.re, a * b.im}".to_owned()),
        ("/", _) => ("COMPLEX", "COMPLEX{a, 0} / b".to_owned()),
        (_, operands) => {
            let both = if operator == "==" { "&&" } else { "||" };
            let (re, im) = match operands {
                Operands::Both => (["a.re", "b.re"], ["a.im", "b.im"]),
                Operands::Left => (["a.re", "b"], ["a.im", "0"]),
                Operands::Right => (["a", "b.re"], ["0", "b.im"]),
            };
            let compared = |parts: [&str; 2]| parts.join(&format!(" {operator} "));
            ("bool", format!("{} {both} {}", compared(re), compared(im)))
        }
    };
    format!(
        "\nstatic __host__ __device__ __forceinline__ {result} operator{operator}({left}, {right})\n{{\n    return {value};\n}}\n"
    )
}

const CONVERSION: &str = r#"
static __host__ __device__ __forceinline__ COMPLEX CONVERSION(OTHER z)
{
    return COMPLEX{(REAL)z.re, (REAL)z.im};
}
"#;

const NEGATION: &str = r#"
static __host__ __device__ __forceinline__ COMPLEX operator-(COMPLEX z)
{
    return COMPLEX{-z.re, -z.im};
}
"#;

const CONJUGATE: &str = r#"
static __host__ __device__ __forceinline__ COMPLEX NAME(COMPLEX z)
{
    return COMPLEX{z.re, -z.im};
}
"#;

const PROJECTION: &str = r#"
// Maps all infinite numbers to one.
static __host__ __device__ __forceinline__ COMPLEX cproj_F(COMPLEX z)
{
    const REAL zero = 0;
    return isinf(z.re) || isinf(z.im) ? COMPLEX{INFINITY, copysign_F(zero, z.im)} : z;
}
"#;

const ARGUMENT: &str = r#"
static __host__ __device__ __forceinline__ REAL carg_F(COMPLEX z)
{
    return atan2_F(z.im, z.re);
}
"#;

const ABSOLUTE_VALUE: &str = r#"
static __host__ __device__ __forceinline__ REAL cabs_F(COMPLEX z)
{
    return hypot_F(z.re, z.im);
}
"#;

/// C17, Annex G.5.1, paragraph 6.
const REPAIRED_PRODUCT: &str = r#"
// A product that came out as a NaN in both parts is infinite if an operand is, or if it overflowed on
// the way.
static __host__ __device__ inline COMPLEX gpu_repaired_product(COMPLEX product, COMPLEX z, COMPLEX w)
{
    const bool z_infinite = isinf(z.re) || isinf(z.im), w_infinite = isinf(w.re) || isinf(w.im);
    const bool overflow = isinf(z.re * w.re) || isinf(z.im * w.im) || isinf(z.re * w.im)
        || isinf(z.im * w.re);
    if (!z_infinite && !w_infinite && !overflow)
        return product;
    const REAL a = z_infinite ? gpu_infinite_part(z.re) : gpu_finite_part(z.re);
    const REAL b = z_infinite ? gpu_infinite_part(z.im) : gpu_finite_part(z.im);
    const REAL c = w_infinite ? gpu_infinite_part(w.re) : gpu_finite_part(w.re);
    const REAL d = w_infinite ? gpu_infinite_part(w.im) : gpu_finite_part(w.im);
    const REAL infinity = INFINITY;
    return COMPLEX{infinity * (a * c - b * d), infinity * (a * d + b * c)};
}
"#;

const PRODUCT: &str = r#"
static __host__ __device__ __forceinline__ COMPLEX operator*(COMPLEX z, COMPLEX w)
{
    const REAL re = z.re * w.re - z.im * w.im, im = z.re * w.im + z.im * w.re;
    const COMPLEX product = {re, im};
    return isnan(re) && isnan(im) ? gpu_repaired_product(product, z, w) : product;
}
"#;

/// C17, Annex G.5.1, paragraph 8.
const REPAIRED_QUOTIENT: &str = r#"
// A quotient that came out as a NaN in both parts is infinite or zero if one operand is infinite or
// the divisor zero.
static __host__ __device__ inline COMPLEX gpu_repaired_quotient(COMPLEX quotient, COMPLEX z, COMPLEX w)
{
    const REAL infinity = INFINITY;
    if (w.re == 0 && w.im == 0 && (!isnan(z.re) || !isnan(z.im))) {
        const REAL limit = copysign_F(infinity, w.re);
        return COMPLEX{limit * z.re, limit * z.im};
    }
    if ((isinf(z.re) || isinf(z.im)) && isfinite(w.re) && isfinite(w.im)) {
        const REAL a = gpu_infinite_part(z.re), b = gpu_infinite_part(z.im);
        const REAL p = a * w.re + b * w.im, q = b * w.re - a * w.im;
        return COMPLEX{infinity * p, infinity * q};
    }
    if ((isinf(w.re) || isinf(w.im)) && isfinite(z.re) && isfinite(z.im)) {
        const REAL c = gpu_infinite_part(w.re), d = gpu_infinite_part(w.im);
        return COMPLEX{0 * (z.re * c + z.im * d), 0 * (z.im * c - z.re * d)};
    }
    return quotient;
}
"#;

/// Smith's algorithm with the scaling of M. Baudin and R. Smith ("A robust complex division in Scilab", 2012), as in
/// GCC since version 12.
const QUOTIENT: &str = r#"
// Rounds as GCC's division does since version 12.
static __host__ __device__ __forceinline__ COMPLEX operator/(COMPLEX z, COMPLEX w)
{
    // The larger and the smaller part of the divisor, and the corresponding parts of the dividend.
    const bool swapped = fabs(w.re) < fabs(w.im);
    REAL large = swapped ? w.im : w.re, small = swapped ? w.re : w.im;
    REAL p = swapped ? z.im : z.re, q = swapped ? z.re : z.im;
    const REAL room = DBL_MAX / 2 * DBL_EPSILON;
    const bool tiny =
        (fabs(p) < DBL_MIN && fabs(q) < room) || (fabs(q) < DBL_MIN && fabs(p) < room);
    REAL scale = 1;
    if (fabs(large) >= DBL_MAX / 2)
        scale = 0.5;
    else if (fabs(large) < DBL_EPSILON || (tiny && fabs(large) < room))
        scale = 1 / DBL_EPSILON;
    large *= scale, small *= scale, p *= scale, q *= scale;

    const REAL ratio = small / large, denominator = small * ratio + large;
    const bool underflows = !(fabs(ratio) > DBL_MIN);
    const REAL from_q = underflows ? small * (q / large) : q * ratio;
    const REAL from_p = underflows ? small * (p / large) : p * ratio;
    const REAL difference = swapped ? from_p - q : q - from_p;
    const COMPLEX quotient = {(p + from_q) / denominator, difference / denominator};
    if (!isnan(quotient.re) || !isnan(quotient.im))
        return quotient;
    z = swapped ? COMPLEX{q, p} : COMPLEX{p, q};
    w = swapped ? COMPLEX{small, large} : COMPLEX{large, small};
    return gpu_repaired_quotient(quotient, z, w);
}
"#;

const FLOAT_QUOTIENT: &str = r#"
// Computed in double, as GCC does since version 12.
static __host__ __device__ __forceinline__ COMPLEX operator/(COMPLEX z, COMPLEX w)
{
    const double a = z.re, b = z.im, c = w.re, d = w.im, denominator = c * c + d * d;
    const float re = (a * c + b * d) / denominator, im = (b * c - a * d) / denominator;
    const COMPLEX quotient = {re, im};
    return isnan(re) && isnan(im) ? gpu_repaired_quotient(quotient, z, w) : quotient;
}
"#;

/// Returns the name of the structure of the other complex type.
fn other_structure(ctype: CType) -> &'static str {
    match ctype {
        CType::FloatComplex => complex::structure(CType::DoubleComplex),
        _ => complex::structure(CType::FloatComplex),
    }
}
