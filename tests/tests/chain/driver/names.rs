//! File names that are hard to quote are refused, or correct in the generated files. These tests use the real tools.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use chain_tests::tool;

use super::*;

const PROGRAM: &str = "int main(void)
{
    int a[5] = {0};
#pragma scop
    for (int i = 0; i < 5; i++)
        a[i] = a[i] + i;
#pragma endscop
    return a[4];
}
";

#[test]
fn names_that_c_cannot_include_are_refused() {
    let scratch = Scratch::new("refused names");
    let names: [&[u8]; 5] = [b"a\"b.c", b"a\nb.c", b"a\x01b.c", b"a\xffb.c", b"a\\b.c"];
    for name in names {
        let name = OsStr::from_bytes(name);
        fs::write(scratch.path().join(name), PROGRAM).unwrap();
        for call in [driver().arg("-o").arg("out"), tool("clan-rs")] {
            let outcome = call.arg(name).within(scratch.path()).run().ended_with(1);
            assert!(outcome.stderr.contains("error[E0018]: "), "{name:?}: {}", outcome.stderr);
        }
        fs::remove_file(scratch.path().join(name)).unwrap();
        assert_eq!(scratch.names(), [""; 0]);
    }
    let odd = OsStr::from_bytes(b"\xff");
    for name in STAGES {
        let outcome = tool(name).arg(odd).arg(odd).run();
        assert_eq!(outcome.status, 2, "{name}: {}", outcome.stderr);
    }
}

#[test]
fn other_names_are_right_in_what_is_generated() {
    let scratch = Scratch::new("odd names");
    let folder = scratch.at("a \"quoted\"\nfolder");
    fs::create_dir(&folder).unwrap();
    for name in
        ["-x.c", "it's.c", "$HOME.c", "a  b;c.c", "ä'%d*.c", "a??/b.c".split('/').next_back().unwrap()]
    {
        fs::write(folder.join(name), PROGRAM).unwrap();
        let path = format!("./{name}");
        let call = driver().args(["-q", "--run", "--on", "cpu"]).arg(&path).within(&folder);
        call.run().ended_with(4);
        driver().args(["-q", "-MD", "-o", "out"]).arg(&path).within(&folder).run().succeeded();
    }
    let other = format!("{}/ä'%d*.c", folder.display());
    driver().args(["-q", "--run", "--on", "cpu"]).arg(other).run().ended_with(4);
}

/// A document may name its source, but cannot insert code into generated files through it.
#[test]
fn paths_in_documents_name_files() {
    let scratch = Scratch::new("paths");
    scratch.write("file.c", PROGRAM);
    let call = driver().args(["--to", "cloog-rs", "file.c"]).within(scratch.path());
    let document = call.run().succeeded().stdout;
    assert!(document.contains("\"path\": \"file.c\""));
    let refused = [
        ("", "error[E0018]: "),
        ("..", "error[E0018]: "),
        ("a/..", "error[E0018]: "),
        ("a/", "error[E0018]: "),
        ("/", "error[E0018]: "),
        ("a\\nb.c", " [V13]"),
        ("x\\\"\\n#error", " [V13]"),
    ];
    for (path, message) in refused {
        let changed = document.replace("\"path\": \"file.c\"", &format!("\"path\": \"{path}\""));
        let call = tool("cudagen").args(["--source", "file.c", "-o", "out"]).within(scratch.path());
        let outcome = call.reading(&changed).run().ended_with(1);
        assert!(outcome.stderr.contains(message), "{path}: {}", outcome.stderr);
    }
    let call = tool("cudagen").args(["--source", "file.c", "-o", "new/out"]).within(scratch.path());
    call.reading(&document).run().succeeded();
    assert_eq!(names_in(&scratch.at("new/out")), OUTPUTS, "the folder is made");
    let again = || tool("cudagen").args(["--source", "file.c", "-o", "new/out"]).within(scratch.path());
    again().reading(&document).run().succeeded();
    scratch.write("new/out/file_gpu.h", "int mine;\n");
    let outcome = again().reading(&document).run().ended_with(1);
    assert!(outcome.stderr.contains("error[E0607]: new/out/file_gpu.h exists"), "{}", outcome.stderr);
    assert_eq!(scratch.read("new/out/file_gpu.h"), "int mine;\n");
}
