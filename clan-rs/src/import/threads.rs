//! Other threads of the host.
//!
//! What a region does not use may be changed by others while it runs. Whether a program has threads, one file cannot
//! say for certain: what flags and headers show of them counts.

use scop::SourceRange;

use crate::c::clang::Unit;
use crate::c::ctree::ThreadSign;
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

/// Returns a sign that the program may have several threads, if there is one and the command line does not say otherwise.
/// Headers of C and C++ themselves include `pthread.h` for their own sake; what files of the user include counts, and of
/// headers of other libraries what starts threads.
pub fn sign(options: &Options, unit: &Unit) -> Option<ThreadSign> {
    if options.no_host_threads {
        return None;
    }
    if options.flags.threads {
        let words = "the flags for the compiler, such as `-pthread` or `-fopenmp`, say so".to_owned();
        return Some(ThreadSign { words, range: None });
    }
    let included = |(name, range): (String, Option<SourceRange>)| {
        let words = format!("`{name}` is included");
        ThreadSign { words, range }
    };
    let mut by_user = importer::included_by_user(unit);
    if let Some(found) = by_user.find(|(name, _)| shows_threads(name)) {
        return Some(included(found));
    }
    let mut by_libraries = importer::included_by_libraries(unit);
    if let Some(name) = by_libraries.find(|name| starts_threads(name)) {
        return Some(included((name, None)));
    }
    let name = names_starting(unit)?;
    Some(ThreadSign { words: format!("the program names `{name}`"), range: None })
}

fn starts_threads(header: &str) -> bool {
    STARTING.contains(&header) || OF_EVERYTHING.contains(&header)
}

/// Returns the first name of a function that starts threads in a file of the user's or of a library.
fn names_starting(unit: &Unit) -> Option<&'static str> {
    let names = |text: &[u8], name: &str| text.windows(name.len()).any(|word| word == name.as_bytes());
    let in_file = |file| FUNCTIONS.into_iter().find(|name| names(unit.contents(file), name));
    unit.files_of_user().into_iter().find_map(in_file)
}

fn shows_threads(header: &str) -> bool {
    let is_known = HEADERS.contains(&header) || OF_EVERYTHING.contains(&header);
    is_known || LIBRARIES.iter().any(|folder| header.starts_with(folder))
}
