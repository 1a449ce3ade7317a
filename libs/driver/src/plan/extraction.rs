//! The options that are for clan-rs alone.

use std::ffi::OsString;

use crate::command_line::Options;
use crate::words::joined;

/// What clan-rs is told of the options that are for it alone.
pub fn extraction(options: &Options) -> Vec<OsString> {
    let autoscop = options.autoscop.then(|| "--autoscop".into());
    let threads = options.no_host_threads.then(|| "--no-host-threads".into());
    let wishes = options.wishes.iter().map(|file| joined("--wishes=", file));
    autoscop.into_iter().chain(threads).chain(wishes).collect()
}
