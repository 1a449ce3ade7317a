//! The result as tables for people.

use super::class::Class;
use super::report::{Instructions, KernelWork};

/// How many lines of a kernel are shown.
const LINES: usize = 8;

/// Returns tables of the kernels' instructions, of their hot loops, and of what the evidence contradicts.
pub fn tables(kernels: &[KernelWork]) -> String {
    let mut text = String::new();
    for kernel in kernels {
        text += &format!("{}\n", heading(kernel));
        text += &aligned(&rows(kernel));
        text += &remarks(kernel);
        text.push('\n');
    }
    text
}

fn heading(kernel: &KernelWork) -> String {
    format!(
        "{}: {} warps, {} registers, {} bytes of shared memory, {} spills; \
         a warp alone takes {:.0} cycles, {:.1} loads in flight",
        kernel.name,
        kernel.warps,
        kernel.registers,
        kernel.shared_bytes,
        kernel.spills,
        kernel.warp_cycles,
        kernel.loads_in_flight
    )
}

/// A row for each class: all instructions, those of a warp, those of the hot loop, and their widths.
fn rows(kernel: &KernelWork) -> Vec<[String; 5]> {
    let warps = (kernel.warps as f64).max(1.0);
    let hot = kernel.hot_loop.as_ref();
    let in_loop = |count: &dyn Fn(&Instructions) -> u64| {
        let iterations = hot.map_or(1.0, |hot| (hot.iterations as f64).max(1.0));
        hot.map_or_else(
            || "-".to_owned(),
            |hot| format!("{:.2}", count(&hot.instructions) as f64 / iterations),
        )
    };
    let row = |name: String, count: &dyn Fn(&Instructions) -> u64, widths: String| {
        let all = count(&kernel.instructions);
        [name, all.to_string(), format!("{:.2}", all as f64 / warps), in_loop(count), widths]
    };
    let head = ["instructions", "all", "a warp", "an iteration", "widths"].map(str::to_owned);
    let mut rows = vec![head, row("all".to_owned(), &|sum| sum.all, String::new())];
    for &class in kernel.instructions.classes.keys() {
        rows.push(row(class.name(), &|sum| sum.of(class), widths(&kernel.instructions, class)));
    }
    rows
}

/// Returns `4: 120, 16: 8` for 120 accesses of 4 bytes and 8 of 16.
fn widths(instructions: &Instructions, class: Class) -> String {
    let widths = instructions.widths.get(&class).into_iter().flatten();
    widths.map(|(bytes, count)| format!("{bytes}: {count}")).collect::<Vec<_>>().join(", ")
}

/// The first column is aligned to the left, the others to the right.
fn aligned(rows: &[[String; 5]]) -> String {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..5).map(width).collect();
    let line = |row: &[String; 5]| {
        let cells = row.iter().zip(&widths).skip(1).map(|(cell, width)| format!("  {cell:>width$}"));
        let line: String = std::iter::once(format!("  {:<1$}", row[0], widths[0])).chain(cells).collect();
        format!("{}\n", line.trim_end())
    };
    rows.iter().map(line).collect()
}

fn remarks(kernel: &KernelWork) -> String {
    let mut text = String::new();
    if let Some(hot) = &kernel.hot_loop {
        let share = hot.instructions.all as f64 / (kernel.instructions.all as f64).max(1.0);
        text += &format!(
            "  hot loop at {}:{}: {} iterations of warps, {:.0} % of all instructions\n",
            hot.file,
            hot.line,
            hot.iterations,
            100.0 * share
        );
    }
    let mut lines: Vec<_> = kernel.lines.iter().collect();
    lines.sort_by_key(|line| std::cmp::Reverse(line.instructions.all));
    for line in lines.iter().take(LINES) {
        text += &format!("  {:>12} at {}:{}\n", line.instructions.all, line.file, line.line);
    }
    for misfit in kernel.misfits.iter().take(LINES) {
        let place = if misfit.line == 0 {
            "all lines".to_owned()
        } else {
            format!("{}:{}", misfit.file, misfit.line)
        };
        text += &format!(
            "  not explained: {:?} of {place}: {:.2} a warp in the profile, {:.2} here\n",
            misfit.fact, misfit.profile, misfit.attributed
        );
    }
    if !kernel.unknown.is_empty() {
        text += &format!("  unknown opcodes: {}\n", kernel.unknown.join(", "));
    }
    text
}
