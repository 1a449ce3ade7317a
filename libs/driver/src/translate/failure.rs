//! The meaning of a tool's failure.

use crate::process::Status;
use crate::stop::{Stop, WE_ARE_WRONG};

/// Returns the end of a run whose tool failed; `who` names the tool in the message. If the status shows that the tool
/// has reported the reason itself, there is no further message.
pub fn of_tool(who: &str, status: Status) -> Stop {
    match status.0 {
        status @ (1 | 2) => Stop::silent(if status == 1 { 1 } else { 2 }),
        3 => Stop::bug(format!("{who} failed; --keep DIR keeps the documents for a report")),
        _ if status.was_killed() => Stop::failed(format!("{who} was killed (out of memory, or a limit?)")),
        _ => {
            let tool = who.strip_prefix("stage ").unwrap_or(who);
            Stop {
                status: WE_ARE_WRONG,
                words: vec![format!("{who} ended with {status}: this is a bug in {tool}")],
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_status_tells_whose_fault_it_is() {
        for (status, ours, words) in [
            (1, 1, ""),
            (2, 2, ""),
            (3, 3, "stage cudagen failed; --keep DIR keeps the documents for a report"),
            (101, 3, "stage cudagen ended with status 101: this is a bug in cudagen"),
            (137, 1, "stage cudagen was killed (out of memory, or a limit?)"),
            (132, 3, "stage cudagen ended with signal ILL: this is a bug in cudagen"),
        ] {
            let stop = of_tool("stage cudagen", Status(status));
            assert_eq!((stop.status, stop.words.concat().as_str()), (ours, words));
        }
    }
}
