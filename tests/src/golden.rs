//! Expected outputs, in files next to their inputs.
//!
//! With `UPDATE_GOLDEN=1` in the environment, the files are written instead of compared.

use std::fs;
use std::path::Path;

/// Compares many outputs, and fails once, with all differences.
#[derive(Default)]
pub struct Golden {
    faults: Vec<String>,
}

impl Golden {
    /// Compares an output with the file that contains the expected one.
    pub fn compare(&mut self, expected: &Path, actual: &str) {
        if std::env::var_os("UPDATE_GOLDEN").is_some_and(|value| value == "1") {
            self.update(expected, actual);
            return;
        }
        match fs::read_to_string(expected) {
            Ok(text) if text == actual => {}
            Ok(text) => self.fault(format!("{} differs:\n{}", expected.display(), difference(&text, actual))),
            Err(error) => self.fault(format!("{}: {error}; it would be:\n{actual}", expected.display())),
        }
    }

    /// Records another fault.
    pub fn fault(&mut self, fault: String) {
        self.faults.push(fault);
    }

    /// Panics if there was any fault.
    pub fn finish(self) {
        let renew = "if all of this is right, renew the files: UPDATE_GOLDEN=1 scripts/test golden";
        assert!(self.faults.is_empty(), "{}\n{renew}", self.faults.join("\n"));
    }

    fn update(&mut self, expected: &Path, actual: &str) {
        let folder = expected.parent().expect("an expected file is in a folder");
        if let Err(error) = fs::create_dir_all(folder).and_then(|()| fs::write(expected, actual)) {
            self.fault(format!("cannot write {}: {error}", expected.display()));
        }
    }
}

/// Returns the lines from the first difference to the last, marked as `diff` marks them.
fn difference(expected: &str, actual: &str) -> String {
    let old: Vec<&str> = expected.lines().collect();
    let new: Vec<&str> = actual.lines().collect();
    let same_start = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let rest = old.len().min(new.len()) - same_start;
    let same_end = old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(a, b)| a == b).count();
    let removed = old[same_start..old.len() - same_end].iter().map(|line| format!("-{line}\n"));
    let added = new[same_start..new.len() - same_end].iter().map(|line| format!("+{line}\n"));
    format!("@@ line {} @@\n{}", same_start + 1, removed.chain(added).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::difference;

    #[test]
    fn difference_shows_the_lines_that_changed() {
        let table = [
            ("a\nb\nc\n", "a\nx\nc\n", "@@ line 2 @@\n-b\n+x\n"),
            ("a\nc\n", "a\nb\nc\n", "@@ line 2 @@\n+b\n"),
            ("a\na\n", "a\n", "@@ line 2 @@\n-a\n"),
            ("", "a\n", "@@ line 1 @@\n+a\n"),
        ];
        for (expected, actual, shown) in table {
            assert_eq!(difference(expected, actual), shown, "{expected:?} and {actual:?}");
        }
    }
}
