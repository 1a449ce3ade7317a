//! The report as a table for people.

use std::fmt::Write;

use super::report::{KernelReport, Report};

/// The parts of a kernel's time that the table has, those with the most time.
const PARTS: usize = 4;

/// Returns the table.
pub fn table(report: &Report<'_>) -> String {
    let mut text = format!("{}\n\n", report.target);
    let width =
        report.kernels.iter().map(|kernel| kernel.name.len()).max().unwrap_or(0).max("transfers".len());
    let row = |name: &str, launches: &str, microseconds: &str, dominant: &str| {
        format!("{name:width$}  {launches:>8}  {microseconds:>12}  {dominant}").trim_end().to_owned() + "\n"
    };
    text += &row("kernel", "launches", "microseconds", "dominated by");
    for kernel in &report.kernels {
        let time = kernel.time;
        let dominant = time.dominant.to_string();
        text += &row(kernel.name, &kernel.launches.to_string(), &number(time.microseconds), &dominant);
        text += &details(kernel);
    }
    for (name, microseconds) in
        [("transfers", report.transfer_microseconds), ("host", report.host_microseconds)]
    {
        if microseconds > 0.0 {
            text += &row(name, "", &number(microseconds), "");
        }
    }
    text += &row("sum", "", &number(report.microseconds), &report.dominant.to_string());
    for note in &report.notes {
        let _ = write!(text, "\nnote: {note}\n");
    }
    text
}

/// Returns what a kernel's time consists of.
fn details(kernel: &KernelReport<'_>) -> String {
    let time = kernel.time;
    let mut parts: Vec<_> = time.parts.iter().collect();
    parts.sort_by(|one, other| other.microseconds.total_cmp(&one.microseconds));
    let parts: Vec<String> =
        parts.iter().take(PARTS).map(|part| format!("{} {}", part.name, number(part.microseconds))).collect();
    let occupancy = &time.occupancy;
    format!(
        "    {}\n    {} blocks of {} threads on a multiprocessor (limit: {}), {} {}, {:.0} % of the GPU has blocks\n",
        parts.join(", "),
        occupancy.blocks,
        occupancy.threads,
        occupancy.limit,
        time.waves,
        if time.waves == 1 { "wave" } else { "waves" },
        time.filled_percent
    )
}

/// Returns a number with three or more significant digits.
fn number(value: f64) -> String {
    match value {
        value if value >= 100.0 => format!("{value:.0}"),
        value if value >= 10.0 => format!("{value:.1}"),
        value => format!("{value:.2}"),
    }
}
