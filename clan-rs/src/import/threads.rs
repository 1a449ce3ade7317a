//! Other threads of the host.
//!
//! What a region does not use may be changed by others while it runs. Whether a program has threads, one file cannot
//! say for certain: what flags and headers show of them counts.

use crate::c::clang::Unit;
use crate::import::importer;
use crate::options::Options;

/// Headers for which only programs with threads have use.
const HEADERS: [&str; 19] = [
    "pthread.h",
    "threads.h",
    "semaphore.h",
    "stdatomic.h",
    "omp.h",
    "atomic",
    "barrier",
    "condition_variable",
    "execution",
    "future",
    "latch",
    "mutex",
    "semaphore",
    "shared_mutex",
    "stop_token",
    "syncstream",
    "thread",
    "boost/thread.hpp",
    "parallel/algorithm",
];

/// Folders of such headers.
const LIBRARIES: [&str; 3] = ["tbb/", "oneapi/", "boost/thread/"];

/// Those that libraries include to start threads, and not only to be safe where others do.
const STARTING: [&str; 6] = ["pthread.h", "threads.h", "omp.h", "execution", "future", "thread"];

/// True if the program shows that it may have several threads, and the command line does not say otherwise. Headers of
/// C and C++ themselves include `pthread.h` for their own sake; what files of the user include counts, and of headers
/// of other libraries what starts threads.
pub fn are_possible(options: &Options, unit: &Unit) -> bool {
    !options.no_host_threads
        && (options.flags.threads
            || importer::included_by_user(unit).any(|name| shows_threads(&name))
            || importer::included_by_libraries(unit).any(|name| STARTING.contains(&name.as_str())))
}

fn shows_threads(header: &str) -> bool {
    HEADERS.contains(&header) || LIBRARIES.iter().any(|folder| header.starts_with(folder))
}
