//! Other threads of the host.
//!
//! What a region does not use may be changed by others while it runs. Whether a program has threads, one file cannot
//! say for certain: what flags and headers show of them counts.

use crate::c::clang::Unit;
use crate::import::importer;
use crate::options::Options;

/// Headers for which only programs with threads have use.
const HEADERS: [&str; 20] = [
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
    "std_thread.h",
    "thread",
    "boost/thread.hpp",
    "parallel/algorithm",
];

/// Folders of such headers.
const LIBRARIES: [&str; 3] = ["tbb/", "oneapi/", "boost/thread/"];

/// Those that libraries include to start threads, and not only to be safe where others do.
const STARTING: [&str; 6] = ["pthread.h", "threads.h", "omp.h", "execution", "future", "thread"];

/// Those that have all that C++ has.
const OF_EVERYTHING: [&str; 2] = ["stdc++.h", "extc++.h"];

/// Functions that start threads, which a program may declare itself, and words that have functions start them.
const FUNCTIONS: [&str; 4] = ["pthread_create", "thrd_create", "CLONE_VM", "SIGEV_THREAD"];

/// True if the program shows that it may have several threads, and the command line does not say otherwise. Headers of
/// C and C++ themselves include `pthread.h` for their own sake; what files of the user include counts, and of headers
/// of other libraries what starts threads.
pub fn are_possible(options: &Options, unit: &Unit) -> bool {
    !options.no_host_threads
        && (options.flags.threads
            || importer::included_by_user(unit).any(|name| shows_threads(&name))
            || importer::included_by_libraries(unit).any(|name| starts_threads(&name))
            || names_starting(unit))
}

fn starts_threads(header: &str) -> bool {
    STARTING.contains(&header) || OF_EVERYTHING.contains(&header)
}

/// True if a file of the user's or of a library names a function that starts threads.
fn names_starting(unit: &Unit) -> bool {
    let names = |text: &[u8], name: &str| text.windows(name.len()).any(|word| word == name.as_bytes());
    let files = unit.files_of_user();
    files.into_iter().any(|file| FUNCTIONS.iter().any(|name| names(unit.contents(file), name)))
}

fn shows_threads(header: &str) -> bool {
    let is_known = HEADERS.contains(&header) || OF_EVERYTHING.contains(&header);
    is_known || LIBRARIES.iter().any(|folder| header.starts_with(folder))
}
