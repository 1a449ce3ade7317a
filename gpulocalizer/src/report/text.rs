//! The report as plain text, and the part of it on transfers.

use std::fmt;

use crate::report::placement::{InKernel, Moved, OnDevice, Region, Report, Use};
use crate::report::places::in_lines;

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, region) in self.regions.iter().enumerate() {
            if position > 0 {
                writeln!(f)?;
            }
            write!(f, "{region}")?;
        }
        self.host.fmt(f)
    }
}

impl fmt::Display for Region {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}, line {}: {}", self.function, self.line, self.name)?;
        threshold(self, f)?;
        if !self.device.is_empty() {
            writeln!(f, "  on the device")?;
        }
        self.device.iter().try_for_each(|array| write!(f, "{array}"))?;
        self.kernels.iter().try_for_each(|kernel| write!(f, "{kernel}"))
    }
}

fn threshold(region: &Region, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match &region.threshold {
        Some(threshold) => writeln!(f, "  host or device, chosen at run time: {threshold}"),
        None => Ok(()),
    }
}

impl fmt::Display for OnDevice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "    {} ({}, elements of {} bytes)", self.array, self.layout, self.element_bytes)?;
        for (way, crossing) in ["to it    ", "from it  "].into_iter().zip(self.crossings()) {
            let Some(Crossing { elements, moved, .. }) = crossing else { continue };
            let count = moved.needed.as_ref().or(moved.all.as_ref());
            let count = count.map(|count| format!("{count} elements: ")).unwrap_or_default();
            writeln!(f, "      {way}{count}{elements}")?;
        }
        if !self.reason.is_empty() {
            writeln!(f, "      {}", self.reason)?;
        }
        Ok(())
    }
}

impl fmt::Display for InKernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "  kernel {}, {}", self.kernel, in_lines(&self.lines))?;
        let block = if self.block.is_empty() { "1".to_owned() } else { listed(&self.block, " x ") };
        writeln!(
            f,
            "    {block} threads, {} bytes of shared memory: {} blocks on a multiprocessor, {} % of its threads (limit: {})",
            self.shared_bytes, self.occupancy.blocks, self.occupancy.percent, self.occupancy.limit
        )?;
        self.uses.iter().try_for_each(|used| write!(f, "{used}"))?;
        let mut unlike = self.unlike_price.iter();
        unlike.try_for_each(|one| writeln!(f, "    {} is not where it was priced: {}", one.array, one.reason))
    }
}

fn listed(numbers: &[u32], between: &str) -> String {
    numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(between)
}

impl fmt::Display for Use {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = if self.references == 1 { "" } else { "s" };
        write!(f, "    {}, {} reference{plural}: {}", self.array, self.references, self.memory)?;
        if let (Some(layout), Some(bytes)) = (&self.layout, self.bytes) {
            write!(f, ", {layout}, {bytes} bytes")?;
        }
        if let Some(touched) = &self.touched {
            write!(f, ", {touched} elements in all")?;
        }
        if let Some(reuse) = &self.reuse {
            let used = if self.layout.is_some() { "" } else { "used " };
            write!(f, ", {used}{reuse}")?;
        }
        writeln!(f, "; {}", self.reason)
    }
}

/// What is copied in one direction.
struct Crossing<'a> {
    elements: &'a str,
    moved: &'a Moved,
    lines: &'a [u32],
}

impl OnDevice {
    /// Returns what goes to the device and what comes back.
    fn crossings(&self) -> [Option<Crossing<'_>>; 2] {
        [
            (&self.to_device, &self.moved_to_device, &self.lines_that_read),
            (&self.to_host, &self.moved_to_host, &self.lines_that_write),
        ]
        .map(|(elements, moved, lines)| Some(Crossing { elements: elements.as_deref()?, moved, lines }))
    }
}

/// The part of a report on transfers: for each, the accesses for whose sake it stands there.
pub struct Transfers<'a>(pub &'a Report);

impl fmt::Display for Transfers<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, region) in self.0.regions.iter().enumerate() {
            if position > 0 {
                writeln!(f)?;
            }
            writeln!(f, "transfers of {}, line {}", region.function, region.line)?;
            threshold(region, f)?;
            if let Some(on_host) = &region.on_host {
                write!(f, "{on_host}")?;
            }
            region.device.iter().try_for_each(|array| transfers_of(array, f))?;
        }
        self.0.host.fmt(f)
    }
}

fn transfers_of(array: &OnDevice, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let [there, back] = array.crossings();
    if there.is_none() && back.is_none() {
        return Ok(());
    }
    writeln!(f, "  {}", array.array)?;
    let bytes = |crossing: &Crossing<'_>| {
        let of = match array.element_bytes {
            1 => "of 1 byte".to_owned(),
            bytes => format!("of {bytes} bytes"),
        };
        match crossing.moved.all.as_deref() {
            Some("1") => format!("1 element {of}"),
            Some(all) => format!("{all} elements {of}"),
            None => format!("elements {of}"),
        }
    };
    let touched = |crossing: &Crossing<'_>, verb: &str| match &crossing.moved.needed {
        Some(needed) => format!("with the {needed} that are {verb} in {}", in_lines(crossing.lines)),
        None => format!("{verb} in {}", in_lines(crossing.lines)),
    };
    if let Some(there) = there {
        let newer = if array.resident { ", if they are newer on the host" } else { "" };
        let why = match there.lines {
            [] => "so that all that comes back has its value".to_owned(),
            _ => touched(&there, "read"),
        };
        writeln!(f, "    to the device{newer}: {}, {why}", bytes(&there))?;
    }
    if let Some(back) = back {
        let needed = if array.resident { ", when host code needs them" } else { "" };
        writeln!(f, "    back{needed}: {}, {}", bytes(&back), touched(&back, "written"))?;
    }
    if array.reason.is_empty() { Ok(()) } else { writeln!(f, "    {}", array.reason) }
}
