//! Macros of the headers that generated files include are not used as names in generated code.

use std::fs;
use std::process::Command;

const HEADERS: &[&str] = &[
    "float.h",
    "math.h",
    "errno.h",
    "stddef.h",
    "stdint.h",
    "stdio.h",
    "stdlib.h",
    "string.h",
    "sys/uio.h",
    "unistd.h",
    "time.h",
    "limits.h",
    "algorithm",
    "atomic",
    "iterator",
    "map",
    "mutex",
    "thread",
    "utility",
    "vector",
];

#[test]
fn macros_of_headers_are_not_free() -> Result<(), Box<dyn std::error::Error>> {
    let file = std::env::temp_dir().join(format!("scop-macros-{}.cpp", std::process::id()));
    fs::write(&file, HEADERS.iter().map(|header| format!("#include <{header}>\n")).collect::<String>())?;
    let output = Command::new("g++").args(["-dM", "-E"]).arg(&file).output()?;
    fs::remove_file(&file)?;
    let text = String::from_utf8(output.stdout)?;
    let names = text.lines().filter_map(|line| line.strip_prefix("#define ")?.split(' ').next());
    let variables: Vec<&str> = names.filter(|name| !name.contains('(') && !name.starts_with('_')).collect();
    assert!(variables.len() > 500, "{}", variables.len());
    let free: Vec<&&str> = variables.iter().filter(|name| scop::names::is_free(name)).collect();
    assert!(free.is_empty(), "{free:?}");
    Ok(())
}
