//! Options for tools that price what they do.

use std::collections::BTreeMap;
use std::fmt::{self, Display};
use std::path::Path;

use clap::Args;
use scop::{Diagnostic, Diagnostics};

/// The sizes for which something is priced.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct Sizes {
    /// The values of parameters: numbers, as in `n=4096`, or, where the tool prices plans, ranges, as in `n=100..4096`
    #[arg(long, value_name = "NAME=NUMBER", value_delimiter = ',', value_parser = assumption)]
    assume: Vec<(String, Interval)>,
}

impl Sizes {
    /// Returns the ranges by name.
    ///
    /// # Errors
    /// `E0305` if a name is given twice.
    pub fn ranges(&self) -> Result<BTreeMap<String, Interval>, Diagnostics> {
        let mut ranges = BTreeMap::new();
        for (name, range) in &self.assume {
            if let Some(before) = ranges.insert(name.clone(), *range) {
                let message = format!("`--assume` gives `{name}` two sizes: {before} and {range}");
                let help =
                    format!("give it one, or a range that has both, as in `--assume {name}=100..4096`");
                return Err(Diagnostic::error("E0305", message).with_help(help).into());
            }
        }
        Ok(ranges)
    }

    /// Returns the values by name, for tools that need one of each.
    ///
    /// # Errors
    /// `E0305` if a name is given twice or has a range.
    pub fn values(&self) -> Result<BTreeMap<String, i64>, Diagnostics> {
        let value = |(name, range): (String, Interval)| {
            if range.is_one() {
                return Ok((name, range.least));
            }
            let message = format!("`--assume {name}={range}` is a range, and here a parameter has one value");
            let help = format!("give it a number, as in `--assume {name}={}`", range.most);
            Err(Diagnostic::error("E0305", message).with_help(help).into())
        };
        self.ranges()?.into_iter().map(value).collect()
    }
}

/// The values that a parameter may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Interval {
    /// The smallest one.
    pub least: i64,
    /// The largest one.
    pub most: i64,
}

impl Interval {
    /// True if there is only one value.
    pub fn is_one(self) -> bool {
        self.least == self.most
    }

    /// Returns the value that is as many times the smallest one as the largest one is times it.
    pub fn middle(self) -> i64 {
        if self.is_one() {
            return self.least;
        }
        let middle = (self.least.max(1) as f64 * self.most as f64).sqrt().round() as i64;
        middle.clamp(self.least, self.most)
    }
}

impl From<i64> for Interval {
    fn from(value: i64) -> Self {
        Self { least: value, most: value }
    }
}

impl Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_one() { write!(f, "{}", self.least) } else { write!(f, "{}..{}", self.least, self.most) }
    }
}

fn assumption(text: &str) -> Result<(String, Interval), String> {
    let wrong =
        || "it must be the name of a parameter and a number or range, as in n=4096 or n=100..4096".to_owned();
    let (name, values) = text.split_once('=').ok_or_else(wrong)?;
    let (least, most) = values.split_once("..").unwrap_or((values, values));
    let number = |text: &str| text.trim().parse::<i64>().map_err(|_| wrong());
    let range = Interval { least: number(least)?, most: number(most)? };
    match name.trim() {
        "" => Err(wrong()),
        _ if range.least < 0 => Err("the size of a parameter is not negative".to_owned()),
        _ if range.least > range.most => {
            Err(format!("the smaller number of a range comes first, as in {}..{}", range.most, range.least))
        }
        name => Ok((name.to_owned(), range)),
    }
}

/// Reads a target file. `parse` reads its text.
///
/// # Errors
/// Fails with `E0401` if the file cannot be read, or if `parse` fails.
pub fn target<T, E: Display>(path: &Path, parse: impl Fn(&str) -> Result<T, E>) -> Result<T, Diagnostics> {
    let wrong = |why: String| {
        Diagnostic::error("E0401", format!("the target file `{}` {why}", path.display()))
            .with_help("see the files in the folder `targets`")
    };
    let text = std::fs::read_to_string(path).map_err(|error| wrong(format!("cannot be read: {error}")))?;
    Ok(parse(&text).map_err(|error| wrong(format!("is wrong: {error}")))?)
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        sizes: Sizes,
    }

    /// Returns the ranges that a command line gives, or the message.
    fn ranges(assumed: &str) -> String {
        let line = match Line::try_parse_from(["tool", "--assume", assumed]) {
            Ok(line) => line,
            Err(error) => return error.to_string(),
        };
        match line.sizes.ranges() {
            Ok(ranges) => ranges.iter().map(|(name, range)| format!("{name}={range} ")).collect(),
            Err(messages) => messages.0.iter().map(|message| message.message.clone()).collect(),
        }
    }

    #[test]
    fn sizes_are_numbers_or_ranges() {
        for (assumed, expected) in [
            ("n=4096", "n=4096 "),
            ("m=0, n=100 .. 4096", "m=0 n=100..4096 "),
            ("n=-3", "the size of a parameter is not negative"),
            ("n=-3..5", "the size of a parameter is not negative"),
            ("n=9..5", "the smaller number of a range comes first, as in 5..9"),
            ("n=3,n=4", "`--assume` gives `n` two sizes: 3 and 4"),
            ("n=3,n=3", "two sizes"),
            ("n", "it must be the name of a parameter and a number or range"),
            ("=3", "it must be the name of a parameter and a number or range"),
            ("n=3..", "it must be the name of a parameter and a number or range"),
        ] {
            let found = ranges(assumed);
            assert!(found.contains(expected), "{assumed}: {found}");
        }
    }

    #[test]
    fn the_middle_of_a_range_is_geometric() {
        let middle = |least, most| Interval { least, most }.middle();
        assert_eq!([middle(100, 4096), middle(7, 7), middle(0, 100), middle(1, 2)], [640, 7, 10, 1]);
    }

    #[test]
    fn one_value_is_not_a_range() {
        let line = Line::try_parse_from(["tool", "--assume", "n=100..200"]).unwrap();
        let message = &line.sizes.values().unwrap_err().0[0].message;
        assert!(message.contains("`--assume n=100..200` is a range"), "{message}");
    }
}
