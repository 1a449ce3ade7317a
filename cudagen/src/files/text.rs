//! Lines and blanks of the source.

/// Returns the line ending of a source.
pub fn newline(source: &[u8]) -> &'static str {
    match source.iter().position(|&byte| byte == b'\n') {
        Some(at) if at > 0 && source[at - 1] == b'\r' => "\r\n",
        _ => "\n",
    }
}

/// Returns the last line of a text.
pub fn last_line(text: &[u8]) -> &[u8] {
    let line = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
    &text[line..]
}

/// Returns the last line of a text if it is only blanks.
pub fn margin(before: &[u8]) -> Option<&[u8]> {
    let last = last_line(before);
    (indentation(last) == last.len()).then_some(last)
}

/// Returns the indentation of the last line of a text.
pub fn indentation_of_last_line(before: &[u8]) -> &[u8] {
    let last = last_line(before);
    &last[..indentation(last)]
}

/// Returns the number of blanks at the start of a line.
pub fn indentation(line: &[u8]) -> usize {
    line.iter().take_while(|byte| b" \t".contains(byte)).count()
}

/// Returns the indentation of the first line of code in a region whose pragma is not indented.
pub fn inner_margin(region: &[u8]) -> &[u8] {
    let lines = region.split(|&byte| byte == b'\n').skip(1);
    let mut code = lines.filter(|line| !line.trim_ascii().is_empty());
    code.next().map_or(&[], |line| &line[..indentation(line)])
}

/// Returns the first line of a text, without its line ending.
pub fn first_line(text: &[u8]) -> &[u8] {
    let end = text.iter().position(|&byte| byte == b'\n').unwrap_or(text.len());
    let line = &text[..end];
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// True if the rest of a line contains only blanks and at most a comment that ends with the line.
pub fn is_idle(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    line.is_empty() || line.starts_with(b"//") && !line.ends_with(b"\\") && !line.ends_with(b"??/")
}
