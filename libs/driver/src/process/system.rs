//! What the standard library has no word for: masks of signals, limits, groups, locks. All `unsafe` code of the driver.

use std::fs::File;
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use libc::{c_int, sigset_t};

/// Signals that are blocked, and the mask that was there before.
#[derive(Clone, Copy)]
pub struct Blocked {
    blocked: sigset_t,
    before: sigset_t,
    /// Whether whoever started the driver wants files that are too large to be errors.
    ignores_large_files: bool,
}

/// What a new process needs that the driver has otherwise.
#[derive(Debug, Clone, Copy, Default)]
pub struct Ways {
    /// The largest file that it may write.
    pub file_size: Option<u64>,
    /// The signal that it gets if the driver vanishes.
    pub orphaned: Option<c_int>,
}

fn checked(result: c_int) -> io::Result<c_int> {
    if result == -1 { Err(io::Error::last_os_error()) } else { Ok(result) }
}

/// True if whoever started this process wants it to ignore a signal.
pub fn is_ignored(signal: c_int) -> bool {
    let mut action = MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: the pointer is to memory of that type; a null pointer changes nothing.
    unsafe {
        libc::sigaction(signal, std::ptr::null(), action.as_mut_ptr()) == 0
            && action.assume_init().sa_sigaction == libc::SIG_IGN
    }
}

/// Blocks signals from now on, makes too large files an error, and children known to their parent.
pub fn block(signals: &[c_int]) -> io::Result<Blocked> {
    let (mut blocked, mut before) = (MaybeUninit::zeroed(), MaybeUninit::zeroed());
    let ignores_large_files = is_ignored(libc::SIGXFSZ);
    // SAFETY: the sets are initialised by `sigemptyset` and `sigprocmask`; the dispositions are no functions.
    unsafe {
        libc::sigemptyset(blocked.as_mut_ptr());
        for &signal in signals {
            libc::sigaddset(blocked.as_mut_ptr(), signal);
        }
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
        libc::signal(libc::SIGCHLD, libc::SIG_DFL);
        checked(libc::sigprocmask(libc::SIG_BLOCK, blocked.as_ptr(), before.as_mut_ptr()))?;
        Ok(Blocked { blocked: blocked.assume_init(), before: before.assume_init(), ignores_large_files })
    }
}

/// A file from which blocked signals are read.
pub fn signal_file(blocked: &Blocked) -> io::Result<File> {
    // SAFETY: the set is initialised, and the descriptor is new and nobody else's.
    unsafe {
        let flags = libc::SFD_CLOEXEC | libc::SFD_NONBLOCK;
        let file = checked(libc::signalfd(-1, &blocked.blocked, flags))?;
        Ok(File::from_raw_fd(file))
    }
}

/// The next signal in such a file, if there is one: the signal, its code, the process and its status.
pub fn next_signal(file: &File) -> io::Result<Option<libc::signalfd_siginfo>> {
    let mut info = MaybeUninit::<libc::signalfd_siginfo>::zeroed();
    let size = size_of::<libc::signalfd_siginfo>();
    // SAFETY: the buffer has that size, and the kernel fills all of it or nothing.
    let read = unsafe { libc::read(file.as_raw_fd(), info.as_mut_ptr().cast(), size) };
    match usize::try_from(read) {
        // SAFETY: it is filled; any bytes are a value of it.
        Ok(read) if read == size => Ok(Some(unsafe { info.assume_init() })),
        Ok(_) => Ok(None),
        Err(_) => match io::Error::last_os_error() {
            error if error.kind() == io::ErrorKind::WouldBlock => Ok(None),
            error if error.kind() == io::ErrorKind::Interrupted => Ok(None),
            error => Err(error),
        },
    }
}

/// What a file is waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum For {
    /// Something to read, or its end.
    Reading,
    /// Room to write.
    Writing,
}

/// Waits until one of the files is ready, or for so long; says which are.
pub fn poll(files: &[(RawFd, For)], timeout: Option<Duration>) -> io::Result<Vec<bool>> {
    let events = |wanted| if wanted == For::Reading { libc::POLLIN } else { libc::POLLOUT };
    let mut polled: Vec<libc::pollfd> =
        files.iter().map(|&(fd, wanted)| libc::pollfd { fd, events: events(wanted), revents: 0 }).collect();
    let timeout = timeout.map_or(-1, |timeout| c_int::try_from(timeout.as_millis()).unwrap_or(c_int::MAX));
    // SAFETY: the pointer is to so many entries.
    let result = unsafe { libc::poll(polled.as_mut_ptr(), polled.len() as libc::nfds_t, timeout) };
    match checked(result) {
        Err(error) if error.kind() != io::ErrorKind::Interrupted => Err(error),
        _ => Ok(polled.iter().map(|polled| polled.revents != 0).collect()),
    }
}

/// A child begins with the mask that the driver began with. If there are other ways for it, it takes them.
pub fn prepare(command: &mut Command, blocked: &Blocked, ways: Ways) {
    let (before, ignores_large_files) = (blocked.before, blocked.ignores_large_files);
    let parent = std::process::id().cast_signed();
    let prepare = move || {
        // SAFETY: all of these functions may be called between `fork` and `exec`, and touch no memory but the child's.
        unsafe {
            checked(libc::sigprocmask(libc::SIG_SETMASK, &before, std::ptr::null_mut()))?;
            if !ignores_large_files {
                libc::signal(libc::SIGXFSZ, libc::SIG_DFL);
            }
            if let Some(size) = ways.file_size {
                limit_files(size)?;
            }
            if let Some(signal) = ways.orphaned {
                libc::prctl(libc::PR_SET_PDEATHSIG, signal);
                if libc::getppid() != parent {
                    libc::raise(signal);
                }
            }
        }
        Ok(())
    };
    // SAFETY: see above; it allocates nothing.
    unsafe { command.pre_exec(prepare) };
}

/// A lower limit stays.
fn limit_files(size: u64) -> io::Result<()> {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the pointers are to a limit.
    unsafe {
        checked(libc::getrlimit(libc::RLIMIT_FSIZE, &mut limit))?;
        limit.rlim_cur = limit.rlim_cur.min(size);
        limit.rlim_max = limit.rlim_max.min(size);
        checked(libc::setrlimit(libc::RLIMIT_FSIZE, &limit))?;
    }
    Ok(())
}

/// True if the memory of this process, and so of its children, is limited.
pub fn memory_is_limited() -> bool {
    [libc::RLIMIT_AS, libc::RLIMIT_DATA].into_iter().any(|resource| {
        let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        // SAFETY: the pointer is to a limit.
        let known = unsafe { libc::getrlimit(resource, &mut limit) } == 0;
        known && limit.rlim_cur != libc::RLIM_INFINITY
    })
}

/// Sends a signal to a group of processes; false if there is none in it.
pub fn signal_group(group: u32, signal: c_int) -> bool {
    // SAFETY: no memory is touched. The number is a child's, hence neither 0 nor 1.
    unsafe { libc::kill(-group.cast_signed(), signal) == 0 }
}

/// Gives the terminal to a group of processes, `0` being the driver's own, if the driver or `holder` has it.
pub fn hand_terminal(group: u32, holder: u32) -> io::Result<()> {
    let terminal = File::options().read(true).write(true).open("/dev/tty")?;
    let fd = terminal.as_raw_fd();
    // SAFETY: no memory is touched but the sets, which are initialised. With the signal blocked, a process of another
    // group than the terminal's may give it away.
    unsafe {
        let own = libc::getpgrp();
        let has = libc::tcgetpgrp(fd);
        if has != own && has != holder.cast_signed() {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        let (mut set, mut before) = (MaybeUninit::zeroed(), MaybeUninit::zeroed());
        libc::sigemptyset(set.as_mut_ptr());
        libc::sigaddset(set.as_mut_ptr(), libc::SIGTTOU);
        libc::sigprocmask(libc::SIG_BLOCK, set.as_ptr(), before.as_mut_ptr());
        let result = checked(libc::tcsetpgrp(fd, if group == 0 { own } else { group.cast_signed() }));
        libc::sigprocmask(libc::SIG_SETMASK, before.as_ptr(), std::ptr::null_mut());
        result.map(|_| ())
    }
}

/// Locks an open file or folder until it is closed; false if somebody else has it locked.
pub fn lock(file: &File) -> io::Result<bool> {
    // SAFETY: no memory is touched.
    match checked(unsafe { libc::flock(file.as_raw_fd(), libc::LOCK_EX | libc::LOCK_NB) }) {
        Ok(_) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(false),
        Err(error) => Err(error),
    }
}

/// A second descriptor of an open file, which programs that this process becomes or starts have as well.
pub fn inheritable(file: BorrowedFd<'_>) -> io::Result<OwnedFd> {
    // SAFETY: the new descriptor is nobody else's.
    unsafe { Ok(OwnedFd::from_raw_fd(checked(libc::dup(file.as_raw_fd()))?)) }
}

/// True if this process may write into a folder or a file.
pub fn is_writable(path: &Path) -> bool {
    access(path, libc::W_OK)
}

/// True if this process may run a file.
pub fn is_executable(path: &Path) -> bool {
    path.is_file() && access(path, libc::X_OK)
}

fn access(path: &Path, mode: c_int) -> bool {
    use std::os::unix::ffi::OsStrExt;
    let Ok(path) = std::ffi::CString::new(path.as_os_str().as_bytes()) else { return false };
    // SAFETY: the text ends with a NUL.
    unsafe { libc::access(path.as_ptr(), mode) == 0 }
}
