//! `-p`: compiler flags from a `compile_commands.json`.

use super::*;

/// Returns a project with a source file in a folder.
fn project(name: &str, command: &str) -> Stage {
    let stage = Stage::new(name);
    for folder in ["build", "src"] {
        fs::create_dir(stage.scratch.at("here").join(folder)).unwrap();
    }
    stage.write("src/file.c", "source\n");
    let build = stage.scratch.at("here/build").display().to_string();
    let entries = serde_json::json!([
        { "directory": build, "file": "../src/other.c", "command": "cc -DOTHER -c ../src/other.c" },
        { "directory": build, "file": "../src/file.c", "command": command },
    ]);
    stage.write("build/compile_commands.json", &entries.to_string());
    stage
}

#[test]
fn flags_are_those_of_the_project() {
    let command = "cc -DN=4 '-DTEXT=a b' -I../inc -O3 -fopenmp -MD -MF file.d -o file.o -c ../src/file.c";
    let stage = project("project", command);
    let build = stage.scratch.at("here/build").display().to_string();
    for database in ["build", "build/compile_commands.json"] {
        let said = stage.run(&["-p", database, "-DN=5", "-o", "out", "src/file.c"]).succeeded();
        let flags = format!(
            "clan-rs: --compiler=cc -O3 -fopenmp -DN=4 -DTEXT=a b -I{build}/../inc -DN=5 -fopenmp src/file.c"
        );
        assert!(said.stderr.contains(&flags), "{}", said.stderr);
        let compiled =
            format!("  cc -O2 -iquote src -DN=4 '-DTEXT=a b' -I{build}/../inc -DN=5 -O3 -fopenmp -c ");
        assert!(said.stdout.contains(&compiled), "{}", said.stdout);
    }
    let said = stage.driver(&["-p", "build", "src/file.c"]).with("CC", "gcc -m64").run().succeeded().stderr;
    assert!(said.contains("clan-rs: --compiler=gcc -m64 -O3"), "{said}");
}

#[test]
fn what_it_lacks_is_told() {
    let stage = project("project-lacks", "cc -fwrapv -c ../src/file.c");
    stage.write("no.json", "{");
    for (database, file, status, said) in [
        ("build", "file.c", 1, "'build/compile_commands.json' does not say how 'file.c' is compiled"),
        ("none", "file.c", 1, "'none' cannot be read"),
        ("no.json", "file.c", 1, "'no.json' is not JSON"),
        ("build", "src/file.c", 2, "in 'build/compile_commands.json', for 'src/file.c': -fwrapv defines"),
    ] {
        let outcome = stage.run(&["-p", database, file]).ended_with(status);
        assert!(outcome.stderr.contains(said), "{database}, {file}: {}", outcome.stderr);
    }
    let outcome = stage.run(&["-p", "build", "--from", "candl-rs", "file.json"]).ended_with(2);
    assert!(outcome.stderr.contains("-p is for clan-rs"), "{}", outcome.stderr);
}
