//! Messages in one line each, for people and for programs.

use scop::{Diagnostic, Severity};
use serde_json::json;

/// The form of messages.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::Args)]
pub struct Messages {
    /// The form of messages
    #[arg(long, value_enum, value_name = "FORM", default_value_t)]
    pub message_format: MessageFormat,
}

/// How messages look.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum MessageFormat {
    /// With the lines of the source
    #[default]
    Human,
    /// On one line each
    Short,
    /// As a JSON object on one line each
    Json,
}

/// `FILE:LINE:COLUMN: error[CODE]: MESSAGE`
pub fn short(diagnostic: &Diagnostic) -> String {
    let Diagnostic { severity, code, message, place, .. } = diagnostic;
    let place = place.as_ref().map(|place| {
        let (path, range) = (&place.path, place.range);
        format!("{path}:{}:{}: ", range.line, range.column)
    });
    let kind = match severity {
        Severity::Bug => "internal error".to_owned(),
        Severity::Error => format!("error[{code}]"),
        Severity::Warning => format!("warning[{code}]"),
        Severity::Note => "note".to_owned(),
    };
    one_line(&format!("{}{kind}: {message}", place.unwrap_or_default()))
}

/// Returns a message as a JSON object. All members are always present; those without a value are null.
pub fn json(tool: &str, diagnostic: &Diagnostic) -> String {
    let Diagnostic { severity, code, message, place, label, help } = diagnostic;
    let range = place.as_ref().map(|place| place.range);
    json!({
        "tool": tool,
        "severity": severity,
        "code": code,
        "message": message,
        "path": place.as_ref().map(|place| &place.path),
        "line": range.map(|range| range.line),
        "column": range.map(|range| range.column),
        "start": range.map(|range| range.start),
        "end": range.map(|range| range.end),
        "label": label,
        "help": help,
    })
    .to_string()
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use scop::SourceRange;

    use super::*;

    fn diagnostic() -> Diagnostic {
        let range = SourceRange { start: 15, end: 19, line: 2, column: 9 };
        Diagnostic::error("E0120", "not\naffine").at("a.c", range, "this").with_help("rewrite it")
    }

    #[test]
    fn short_messages_have_a_line() {
        assert_eq!(short(&diagnostic()), "a.c:2:9: error[E0120]: not affine");
        assert_eq!(short(&Diagnostic::warning("W0164", "it stays C")), "warning[W0164]: it stays C");
        assert!(
            short(&Diagnostic::bug("cudagen", "ours"))
                .starts_with("internal error: this is a bug in cudagen")
        );
    }

    #[test]
    fn messages_for_programs_are_objects() {
        let object: serde_json::Value = serde_json::from_str(&json("clan-rs", &diagnostic())).unwrap();
        for (member, value) in [
            ("tool", json!("clan-rs")),
            ("severity", json!("error")),
            ("code", json!("E0120")),
            ("message", json!("not\naffine")),
            ("path", json!("a.c")),
            ("line", json!(2)),
            ("column", json!(9)),
            ("help", json!("rewrite it")),
        ] {
            assert_eq!(object[member], value, "{member}");
        }
        let other: serde_json::Value =
            serde_json::from_str(&json("", &Diagnostic::warning("W1", "x"))).unwrap();
        assert!(other["path"].is_null() && other["line"].is_null());
    }
}
