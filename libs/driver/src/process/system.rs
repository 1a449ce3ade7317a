//! System calls that the standard library does not offer: signal masks, limits, process groups, locks. All `unsafe`
//! code of the driver is here.

use std::fs::File;
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use libc::{c_int, sigset_t};

/// The blocked signals, and the previous signal mask.
#[derive(Clone, Copy)]
pub struct Blocked {
    blocked: sigset_t,
    before: sigset_t,
    /// Whether the driver was started with SIGXFSZ ignored, so that writing too large a file is an error.
    ignores_large_files: bool,
}

/// Settings in which a new process differs from the driver.
#[derive(Debug, Clone, Copy, Default)]
pub struct Ways {
    /// The size of the largest file that the process may write, in bytes.
    pub file_size: Option<u64>,
    /// The signal that the process gets if the driver dies.
    pub orphaned: Option<c_int>,
}

fn checked(result: c_int) -> io::Result<c_int> {
    if result == -1 { Err(io::Error::last_os_error()) } else { Ok(result) }
}

/// True if this process was started with a signal ignored.
pub fn is_ignored(signal: c_int) -> bool {
    let mut action = MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: the pointer is to memory of that type; a null pointer as the new action changes nothing.
    unsafe {
        libc::sigaction(signal, std::ptr::null(), action.as_mut_ptr()) == 0
            && action.assume_init().sa_sigaction == libc::SIG_IGN
    }
}

/// Blocks signals, turns writing too large a file into an error, and keeps the status of ended children until it is
/// read.
pub fn block(signals: &[c_int]) -> io::Result<Blocked> {
    let (mut blocked, mut before) = (MaybeUninit::zeroed(), MaybeUninit::zeroed());
    let ignores_large_files = is_ignored(libc::SIGXFSZ);
    // SAFETY: the sets are initialised by `sigemptyset` and `sigprocmask`; the dispositions are not functions.
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

/// Returns a file from which blocked signals are read.
pub fn signal_file(blocked: &Blocked) -> io::Result<File> {
    // SAFETY: the set is initialised, and the descriptor is new and has no other owner.
    unsafe {
        let flags = libc::SFD_CLOEXEC | libc::SFD_NONBLOCK;
        let file = checked(libc::signalfd(-1, &blocked.blocked, flags))?;
        Ok(File::from_raw_fd(file))
    }
}

/// Returns the next signal in such a file, if there is one: the signal, its code, the process and its status.
pub fn next_signal(file: &File) -> io::Result<Option<libc::signalfd_siginfo>> {
    let mut info = MaybeUninit::<libc::signalfd_siginfo>::zeroed();
    let size = size_of::<libc::signalfd_siginfo>();
    // SAFETY: the buffer has that size, and the kernel fills all of it or nothing.
    let read = unsafe { libc::read(file.as_raw_fd(), info.as_mut_ptr().cast(), size) };
    match usize::try_from(read) {
        // SAFETY: the buffer is filled, and any bytes are a valid value of its type.
        Ok(read) if read == size => Ok(Some(unsafe { info.assume_init() })),
        Ok(_) => Ok(None),
        Err(_) => match io::Error::last_os_error() {
            error if error.kind() == io::ErrorKind::WouldBlock => Ok(None),
            error if error.kind() == io::ErrorKind::Interrupted => Ok(None),
            error => Err(error),
        },
    }
}

/// What the driver waits for in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum For {
    /// Data to read, or the end of the file.
    Reading,
    /// Room to write.
    Writing,
}

/// Waits until one of the files is ready, at most for the timeout; returns for each file whether it is ready.
pub fn poll(files: &[(RawFd, For)], timeout: Option<Duration>) -> io::Result<Vec<bool>> {
    let events = |wanted| if wanted == For::Reading { libc::POLLIN } else { libc::POLLOUT };
    let mut polled: Vec<libc::pollfd> =
        files.iter().map(|&(fd, wanted)| libc::pollfd { fd, events: events(wanted), revents: 0 }).collect();
    let timeout = timeout.map_or(-1, |timeout| c_int::try_from(timeout.as_millis()).unwrap_or(c_int::MAX));
    // SAFETY: the pointer is to as many entries as are passed.
    let result = unsafe { libc::poll(polled.as_mut_ptr(), polled.len() as libc::nfds_t, timeout) };
    match checked(result) {
        Err(error) if error.kind() != io::ErrorKind::Interrupted => Err(error),
        _ => Ok(polled.iter().map(|polled| polled.revents != 0).collect()),
    }
}

/// Makes a command start with the signal mask that the driver was started with, and applies `ways`.
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
    // SAFETY: see above; the closure allocates nothing.
    unsafe { command.pre_exec(prepare) };
}

/// Limits the size of files. A lower limit is kept.
fn limit_files(size: u64) -> io::Result<()> {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the pointers are to a value of type `rlimit`.
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
        // SAFETY: the pointer is to a value of type `rlimit`.
        let known = unsafe { libc::getrlimit(resource, &mut limit) } == 0;
        known && limit.rlim_cur != libc::RLIM_INFINITY
    })
}

/// Sends a signal to a process group; returns false if it has no process.
pub fn signal_group(group: u32, signal: c_int) -> bool {
    // SAFETY: no memory is touched. The number is a child's, hence neither 0 nor 1.
    unsafe { libc::kill(-group.cast_signed(), signal) == 0 }
}

/// Gives the terminal to a process group if the driver or `holder` has it. Group `0` means the driver's own.
pub fn hand_terminal(group: u32, holder: u32) -> io::Result<()> {
    let terminal = File::options().read(true).write(true).open("/dev/tty")?;
    let fd = terminal.as_raw_fd();
    // SAFETY: the only memory accessed is the sets, which are initialised. While SIGTTOU is blocked, a process
    // outside the terminal's foreground group may give the terminal to another group.
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

/// Locks an open file or folder until it is closed; returns false if another process has locked it.
pub fn lock(file: &File) -> io::Result<bool> {
    // SAFETY: no memory is touched.
    match checked(unsafe { libc::flock(file.as_raw_fd(), libc::LOCK_EX | libc::LOCK_NB) }) {
        Ok(_) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(false),
        Err(error) => Err(error),
    }
}

/// Returns a second descriptor of an open file, which programs that this process starts or becomes inherit.
pub fn inheritable(file: BorrowedFd<'_>) -> io::Result<OwnedFd> {
    // SAFETY: the new descriptor has no other owner.
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
    // SAFETY: the string ends with a NUL.
    unsafe { libc::access(path.as_ptr(), mode) == 0 }
}
