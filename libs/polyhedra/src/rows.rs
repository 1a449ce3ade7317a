//! Divides rows of numbers by their common divisor, with a look at as few of them as possible.
//!
//! isl does this with each constraint that it makes and with each row of a tableau that it changes. It searches the
//! whole row for the smallest number before it computes divisors. But most rows have a 1, after which nothing can
//! follow; up to a tenth of the time of the tools went into this.
//!
//! The linker's options `--wrap=isl_seq_gcd` and `--wrap=isl_seq_normalize`, which the `build.rs` of the tools passes,
//! redirect the calls to this file. It knows how isl stores numbers if it is configured with imath-32
//! (`scripts/isl-config.site`); with other numbers, there is no `isl_sioimath_gcd`, and the tools cannot be linked.

use std::ffi::c_uint;
use std::hint::black_box;
use std::slice;

unsafe extern "C" {
    fn isl_sioimath_gcd(result: *mut Number, one: Number, other: Number);
    // C passes isl's numbers, which are arrays of one element, by their addresses.
    fn isl_seq_scale_down(
        result: *mut Number,
        numbers: *const Number,
        divisor: *const Number,
        length: c_uint,
    );
}

/// A number of isl's: if the lowest bit is set, the upper half is the number; otherwise this is a pointer to a larger
/// one.
type Number = u64;

const ZERO: Number = small(0);
const ONE: Number = small(1);

/// Returns a number that fits 31 bits, in isl's form.
const fn small(number: u32) -> Number {
    (number as Number) << 32 | 1
}

const fn is_small(number: Number) -> bool {
    number & 1 == 1
}

/// Makes sure that this file is linked; see `node_texts.rs`.
pub(crate) fn are_there() {
    black_box(__wrap_isl_seq_gcd as unsafe extern "C" fn(*const Number, c_uint, *mut Number));
    black_box(__wrap_isl_seq_normalize as unsafe extern "C" fn(usize, *mut Number, c_uint));
}

/// Called instead of `isl_seq_gcd`: stores the greatest common divisor of a row, or 0 if all numbers are 0.
///
/// # Safety
/// The row has so many numbers, and the result is a number as well.
#[unsafe(no_mangle)]
unsafe extern "C" fn __wrap_isl_seq_gcd(row: *const Number, length: c_uint, result: *mut Number) {
    // SAFETY: as required. isl's function frees a large number that is in the place of the result.
    unsafe {
        match divisor_of_small(numbers(row, length)) {
            Some(divisor) if is_small(*result) => *result = small(divisor),
            Some(divisor) => isl_sioimath_gcd(result, ZERO, small(divisor)),
            None => store_divisor(numbers(row, length), result),
        }
    }
}

/// Called instead of `isl_seq_normalize`: divides a row by the greatest common divisor of its numbers.
///
/// # Safety
/// The row has so many numbers.
#[unsafe(no_mangle)]
unsafe extern "C" fn __wrap_isl_seq_normalize(_: usize, row: *mut Number, length: c_uint) {
    // SAFETY: as required.
    unsafe {
        match divisor_of_small(numbers(row, length)) {
            Some(0 | 1) => {}
            Some(divisor) => isl_seq_scale_down(row, row, &small(divisor), length),
            None => {
                let mut divisor = ZERO;
                store_divisor(numbers(row, length), &mut divisor);
                if divisor != ONE {
                    isl_seq_scale_down(row, row, &divisor, length);
                }
                // This frees a large number.
                isl_sioimath_gcd(&mut divisor, ZERO, ONE);
            }
        }
    }
}

/// # Safety
/// The row has so many numbers.
unsafe fn numbers<'a>(row: *const Number, length: c_uint) -> &'a [Number] {
    // SAFETY: as required; isl passes no pointer for some empty rows.
    if length == 0 { &[] } else { unsafe { slice::from_raw_parts(row, length as usize) } }
}

/// Returns the greatest common divisor of a row; nothing if that takes more than small numbers.
fn divisor_of_small(row: &[Number]) -> Option<u32> {
    let mut divisor = 0;
    for &number in row {
        if !is_small(number) {
            return None;
        }
        let size = ((number >> 32) as i32).unsigned_abs();
        if size == 0 {
            continue;
        }
        divisor = if divisor == 0 { size } else { common(divisor, size) };
        if divisor == 1 {
            break;
        }
    }
    Some(divisor)
}

/// Returns the greatest common divisor of two numbers.
fn common(mut one: u32, mut other: u32) -> u32 {
    while other != 0 {
        (one, other) = (other, one % other);
    }
    one
}

/// Stores the greatest common divisor of a row, as isl computes it for numbers of any size.
///
/// # Safety
/// All numbers are live, and so is the one in the place of the result.
unsafe fn store_divisor(row: &[Number], result: *mut Number) {
    // SAFETY: as required.
    unsafe {
        isl_sioimath_gcd(result, ZERO, ZERO);
        for &number in row {
            isl_sioimath_gcd(result, *result, number);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    unsafe extern "C" {
        fn isl_seq_gcd(row: *const Number, length: c_uint, result: *mut Number);
        fn isl_sioimath_mul(result: *mut Number, one: Number, other: Number);
        fn isl_sioimath_cmp(one: Number, other: Number) -> i32;
    }

    /// Returns the product of some factors.
    fn product(factors: &[i32]) -> Number {
        factors.iter().fold(ONE, |mut product, &factor| {
            let factor = (factor as Number) << 32 | 1;
            // SAFETY: all are numbers.
            unsafe { isl_sioimath_mul(&mut product, product, factor) };
            product
        })
    }

    const LARGE: i32 = 1_000_003;

    #[test]
    fn divisors_are_isls() {
        let rows: [&[&[i32]]; 11] = [
            &[],
            &[&[0], &[0]],
            &[&[0], &[-6], &[0], &[9]],
            &[&[4], &[-1], &[7]],
            &[&[i32::MAX], &[-i32::MAX]],
            &[&[LARGE, LARGE, 6], &[LARGE, -10]],
            &[&[LARGE, LARGE, 6], &[-LARGE, LARGE, 9], &[0]],
            &[&[1], &[LARGE, LARGE, LARGE]],
            &[&[LARGE, LARGE, LARGE], &[5], &[-1]],
            &[&[12], &[18], &[LARGE, LARGE, 30]],
            &[&[LARGE, LARGE, LARGE, -1]],
        ];
        for row in rows {
            let numbers: Vec<Number> = row.iter().map(|factors| product(factors)).collect();
            let length = numbers.len() as c_uint;
            for before in [ZERO, product(&[LARGE, LARGE])] {
                let (mut own, mut isls) =
                    (before, if is_small(before) { ZERO } else { product(&[LARGE, LARGE]) });
                // SAFETY: all are numbers.
                unsafe {
                    __wrap_isl_seq_gcd(numbers.as_ptr(), length, &mut own);
                    isl_seq_gcd(numbers.as_ptr(), length, &mut isls);
                    assert_eq!(isl_sioimath_cmp(own, isls), 0, "{row:?}");
                }
            }
            let mut divided = row.iter().map(|factors| product(factors)).collect::<Vec<Number>>();
            // SAFETY: all are numbers.
            unsafe {
                let mut divisor = ZERO;
                isl_seq_gcd(numbers.as_ptr(), length, &mut divisor);
                __wrap_isl_seq_normalize(0, divided.as_mut_ptr(), length);
                for (&number, quotient) in numbers.iter().zip(divided) {
                    let mut again = ZERO;
                    isl_sioimath_mul(&mut again, quotient, divisor);
                    assert_eq!(isl_sioimath_cmp(again, number), 0, "{row:?}");
                }
            }
        }
    }
}
