//! Which files are C++, and which headers belong to C and C++ themselves. Those headers are written for clang as
//! well as for other compilers, and the effects of their functions are known. Headers of other libraries are
//! treated like the user's, in whatever folder they are.

use std::path::Path;

use crate::c::real_path::real_path;

/// The folders below `/usr/include` that belong to the C library, the C++ library and the kernel.
const FOLDERS: [&str; 11] =
    ["c++", "bits", "sys", "linux", "asm-generic", "asm", "gnu", "net", "netinet", "arpa", "rpc"];

/// The headers of the C library that are directly in `/usr/include`.
const OF_C: [&str; 107] = [
    "aio.h",
    "aliases.h",
    "alloca.h",
    "ar.h",
    "argp.h",
    "argz.h",
    "assert.h",
    "byteswap.h",
    "complex.h",
    "cpio.h",
    "ctype.h",
    "dirent.h",
    "dlfcn.h",
    "elf.h",
    "endian.h",
    "envz.h",
    "err.h",
    "errno.h",
    "error.h",
    "execinfo.h",
    "fcntl.h",
    "features-time64.h",
    "features.h",
    "fenv.h",
    "fmtmsg.h",
    "fnmatch.h",
    "fstab.h",
    "fts.h",
    "ftw.h",
    "gconv.h",
    "getopt.h",
    "glob.h",
    "gnu-versions.h",
    "grp.h",
    "gshadow.h",
    "iconv.h",
    "ifaddrs.h",
    "inttypes.h",
    "langinfo.h",
    "lastlog.h",
    "libgen.h",
    "libintl.h",
    "limits.h",
    "link.h",
    "locale.h",
    "malloc.h",
    "math.h",
    "mcheck.h",
    "memory.h",
    "mntent.h",
    "monetary.h",
    "mqueue.h",
    "netdb.h",
    "nl_types.h",
    "nss.h",
    "obstack.h",
    "paths.h",
    "poll.h",
    "printf.h",
    "proc_service.h",
    "pthread.h",
    "pty.h",
    "pwd.h",
    "re_comp.h",
    "regex.h",
    "regexp.h",
    "resolv.h",
    "sched.h",
    "search.h",
    "semaphore.h",
    "setjmp.h",
    "sgtty.h",
    "shadow.h",
    "signal.h",
    "spawn.h",
    "stab.h",
    "stdc-predef.h",
    "stdint.h",
    "stdio.h",
    "stdio_ext.h",
    "stdlib.h",
    "string.h",
    "strings.h",
    "syscall.h",
    "sysexits.h",
    "syslog.h",
    "tar.h",
    "termio.h",
    "termios.h",
    "tgmath.h",
    "thread_db.h",
    "threads.h",
    "time.h",
    "ttyent.h",
    "uchar.h",
    "ucontext.h",
    "ulimit.h",
    "unistd.h",
    "utime.h",
    "utmp.h",
    "utmpx.h",
    "values.h",
    "wait.h",
    "wchar.h",
    "wctype.h",
    "wordexp.h",
    "xlocale.h",
];

/// True for `c2cuda.h`, which belongs to c2cuda.
pub fn is_own_header(path: &Path, contents: &[u8]) -> bool {
    let declares = |name: &[u8]| contents.windows(name.len()).any(|part| part == name);
    path.file_name().is_some_and(|name| name == "c2cuda.h") && declares(b"c2cuda_data_begin_v1")
}

/// True for the path of a header of the C or C++ library, the kernel, or a compiler.
pub fn has_header(path: &Path) -> bool {
    let real = real_path(path).unwrap_or_else(|| path.to_owned());
    let real = real.to_string_lossy();
    let machine = format!("{}-linux-gnu/", std::env::consts::ARCH);
    match real.strip_prefix("/usr/include/") {
        Some(rest) => match rest.strip_prefix(machine.as_str()).unwrap_or(rest).split_once('/') {
            Some((folder, _)) => FOLDERS.contains(&folder),
            None => OF_C.contains(&rest),
        },
        None => ["/lib/gcc/", "/lib64/gcc/", "/lib/clang/"].iter().any(|folder| real.contains(folder)),
    }
}

/// True for file names that compilers treat as C++.
pub fn is_cxx(path: &Path) -> bool {
    let extension = path.extension().map(|extension| extension.to_string_lossy());
    extension.is_some_and(|extension| ["cpp", "cc", "cxx", "C", "c++", "cp", "CPP"].contains(&&*extension))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_are_not_the_language() {
        let machine = format!("/usr/include/{}-linux-gnu", std::env::consts::ARCH);
        let of_language = [
            "/usr/include/math.h",
            "/usr/include/c++/12/vector",
            "/usr/include/linux/types.h",
            "/usr/lib/gcc/x86_64-linux-gnu/12/include/stddef.h",
            "/usr/lib/llvm-19/lib/clang/19/include/stdint.h",
        ];
        let of_libraries = [
            "/usr/include/fftw3.h",
            "/usr/include/eigen3/Eigen/Core",
            "/usr/include/sysexits/x.h",
            "/usr/local/include/math.h",
            "/home/math.h",
            "math.h",
        ];
        assert!(of_language.iter().all(|path| has_header(Path::new(path))));
        assert!(has_header(Path::new(&format!("{machine}/bits/types.h"))));
        assert!(has_header(Path::new(&format!("{machine}/c++/12/bits/c++config.h"))));
        assert!(!has_header(Path::new(&format!("{machine}/openblas.h"))));
        assert!(!of_libraries.iter().any(|path| has_header(Path::new(path))));
    }
}
