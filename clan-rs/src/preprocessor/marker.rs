//! `# 5 "file.h" 1 3`: what preprocessors print where lines of another file begin.

/// Where the next line of a preprocessor's output is from.
pub struct Marker {
    /// Its number.
    pub line: u32,
    /// The file that has it.
    pub path: String,
    /// Whether that is a header of the system.
    pub system: bool,
}

impl Marker {
    /// The marker that a line is, if it is one.
    pub fn read(line: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(line.strip_prefix(b"# ")?).ok()?;
        let (line, rest) = text.split_once(" \"")?;
        let (path, flags) = rest.rsplit_once('"')?;
        let path = path.replace("\\\"", "\"").replace("\\\\", "\\");
        Some(Self { line: line.parse().ok()?, path, system: flags.split(' ').any(|flag| flag == "3") })
    }
}
