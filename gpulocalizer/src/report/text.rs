//! The report as plain text.

use std::fmt;

use crate::report::placement::{InKernel, OnDevice, Region, Report, Use};

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
        if !self.device.is_empty() {
            writeln!(f, "  on the device")?;
        }
        self.device.iter().try_for_each(|array| write!(f, "{array}"))?;
        self.kernels.iter().try_for_each(|kernel| write!(f, "{kernel}"))
    }
}

impl fmt::Display for OnDevice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "    {} ({}, elements of {} bytes)", self.array, self.layout, self.element_bytes)?;
        let crossings = [
            ("to it    ", &self.to_device, &self.elements_to_device),
            ("from it  ", &self.to_host, &self.elements_to_host),
        ];
        for (way, elements, count) in crossings {
            let Some(elements) = elements else { continue };
            let count = count.as_ref().map(|count| format!("{count} elements: ")).unwrap_or_default();
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
        let listed = |numbers: &[u32], between: &str| {
            numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(between)
        };
        let lines = if self.lines.len() == 1 { "line" } else { "lines" };
        writeln!(f, "  kernel {}, {lines} {}", self.kernel, listed(&self.lines, ", "))?;
        let block = if self.block.is_empty() { "1".to_owned() } else { listed(&self.block, " x ") };
        writeln!(
            f,
            "    {block} threads, {} bytes of shared memory: {} blocks on a multiprocessor, {} % of its threads (limit: {})",
            self.shared_bytes, self.occupancy.blocks, self.occupancy.percent, self.occupancy.limit
        )?;
        self.uses.iter().try_for_each(|used| write!(f, "{used}"))
    }
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
