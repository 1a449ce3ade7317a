//! Options that only clan-rs has.

use std::ffi::OsString;

use crate::command_line::Options;
use crate::words::joined;

/// Returns the arguments for clan-rs that come from options which only clan-rs has.
pub fn extraction(options: &Options) -> Vec<OsString> {
    let autoscop = options.autoscop.then(|| "--autoscop".into());
    let threads = options.no_host_threads.then(|| "--no-host-threads".into());
    let wishes = options.wishes.iter().map(|file| joined("--wishes=", file));
    autoscop.into_iter().chain(threads).chain(wishes).collect()
}
