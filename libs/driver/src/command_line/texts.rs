//! Texts about the driver itself: help, version, completions; and `c2cuda.h`.

use clap_complete::Shell;

use super::options;

/// A text that the command line asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Text {
    /// `--help`: the full help.
    Help,
    /// `-h`: the most used options.
    ShortHelp,
    /// `--version`
    Version,
    /// `--completions SHELL`
    Completions(Shell),
    /// `--header`
    Header,
}

/// The text before the options in `-h`.
const USAGE: &str = "\
c2cuda [OPTIONS] FILE.c...
       c2cuda [OPTIONS] --run FILE.c... [-- ARGUMENTS]";

/// The text after the options in `-h`.
const MORE: &str = "\
Flags of C compilers (-I, -D, -std=..., -include, -MD, -l, -O2, -fopenmp, ...) are taken as well.
`c2cuda --help` says more, and has all options.";

impl Text {
    /// Returns the text, with a newline at its end.
    pub fn text(self) -> Vec<u8> {
        match self {
            Self::Help => include_bytes!("help.txt").to_vec(),
            Self::ShortHelp => {
                let command = options::command().override_usage(USAGE).after_help(MORE).term_width(100);
                format!("{}\n", command.clone().render_help())
                    .trim_start()
                    .replace("\n\n\n", "\n\n")
                    .into_bytes()
            }
            Self::Version => format!("c2cuda {}\n", env!("CARGO_PKG_VERSION")).into_bytes(),
            Self::Header => include_bytes!("../../../../include/c2cuda.h").to_vec(),
            Self::Completions(shell) => {
                let mut script = Vec::new();
                let mut command = options::command().no_binary_name(false);
                clap_complete::generate(shell, &mut command, "c2cuda", &mut script);
                script
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stages::Stage;

    #[test]
    fn help_names_every_option_and_stage() {
        let help = String::from_utf8(Text::Help.text()).unwrap();
        let command = options::command();
        for name in command.get_arguments().filter_map(|option| option.get_long()) {
            assert!(
                help.contains(&format!("--{name}")) || name.ends_with("-options"),
                "--help lacks --{name}"
            );
        }
        for stage in Stage::all() {
            assert!(help.contains(stage.name()), "--help lacks {stage}");
        }
    }

    #[test]
    fn the_short_help_fits_on_a_screen() {
        let help = String::from_utf8(Text::ShortHelp.text()).unwrap();
        assert!(help.contains("Usage: c2cuda"), "{help}");
        assert!(help.lines().count() <= 40 && help.lines().all(|line| line.len() <= 100), "{help}");
    }
}
