//! The texts of the nodes of schedule trees, read only once: the trees of a region have most of their texts in
//! common, and the nodes of a tree have some.
//!
//! isl's reader of trees reads the text of each node with the functions `isl_…_read_from_str`. The linker's option
//! `--wrap`, which the `build.rs` of some tools passes, redirects these calls to this file; tools without it use
//! isl's functions. The functions here do what isl's do, but remember what they have read. The schedules of bands
//! are read again each time: isl prints the parts of one that has several owners in another order.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::{CStr, c_char};
use std::hint::black_box;

use crate::plain_objects;

/// What a thread has read, by context and text; isl never frees a context here.
type Known = RefCell<HashMap<(usize, Vec<u8>), usize>>;

unsafe extern "C" {
    fn isl_stream_new_str(ctx: usize, text: *const c_char) -> usize;
    fn isl_stream_free(stream: usize);
}

/// Reads a text as isl's functions do.
///
/// # Safety
/// The context must be live, and the text terminated.
unsafe fn read_by(ctx: usize, text: *const c_char, read: unsafe extern "C" fn(usize) -> usize) -> usize {
    // SAFETY: as required.
    unsafe {
        let stream = isl_stream_new_str(ctx, text);
        if stream == 0 {
            return 0;
        }
        let object = read(stream);
        isl_stream_free(stream);
        object
    }
}

macro_rules! read_once {
    ($($wrapped:ident: $plain:ident, $read:ident, $copy:ident;)*) => {
        unsafe extern "C" {
            $(fn $read(stream: usize) -> usize; fn $copy(object: usize) -> usize;)*
        }
        $(
            /// Called instead of the isl function of this name.
            #[unsafe(no_mangle)]
            extern "C" fn $wrapped(ctx: usize, text: *const c_char) -> usize {
                thread_local! { static KNOWN: Known = RefCell::default(); }
                // SAFETY: the caller passes a live context and a terminated text. The table holds a reference of its
                // own, and the caller gets another one. Null stands for an error and is not kept.
                unsafe {
                    let key = (ctx, CStr::from_ptr(text).to_bytes().to_vec());
                    if let Some(known) = KNOWN.with_borrow(|known| known.get(&key).copied()) {
                        return $copy(known);
                    }
                    let plain = str::from_utf8(&key.1).map_or(0, |text| plain_objects::$plain(ctx, text));
                    let object = if plain != 0 { plain } else { read_by(ctx, text, $read) };
                    if object != 0 {
                        KNOWN.with_borrow_mut(|known| known.insert(key, $copy(object)));
                    }
                    object
                }
            }
        )*
        /// Makes sure that this file is linked: the linker searches for these functions only after isl, too late to
        /// add it.
        pub(crate) fn are_there() {
            $(black_box($wrapped as extern "C" fn(usize, *const c_char) -> usize);)*
        }
    };
}

read_once! {
    __wrap_isl_set_read_from_str: set, isl_stream_read_set, isl_set_copy;
    __wrap_isl_union_set_read_from_str: union_set, isl_stream_read_union_set, isl_union_set_copy;
    __wrap_isl_union_map_read_from_str: union_map, isl_stream_read_union_map, isl_union_map_copy;
}
