//! The destinations of files and documents.

use super::*;

#[test]
fn output_folder_in_the_way_is_refused() {
    let stage = Stage::new("way");
    fs::create_dir(stage.scratch.at("here/file_host.c")).unwrap();
    let outcome = stage.run(&["file.c"]).ended_with(1);
    assert!(outcome.stderr.ends_with("c2cuda: './file_host.c' is in the way\n"), "{}", outcome.stderr);
    assert_eq!(stage.names(""), ["file.c", "file_host.c"]);
    let outcome = stage.run(&["-o", "file.c/out", "file.c"]).ended_with(1);
    assert!(
        outcome.stderr.ends_with("c2cuda: the folder 'file.c/out' cannot be created\n"),
        "{}",
        outcome.stderr
    );
}

/// Only files that were generated from the same source are overwritten.
#[test]
fn files_of_others_stay_as_they_are() {
    let stage = Stage::new("others");
    stage.run(&["-o", "out", "file.c"]).succeeded();
    stage.run(&["-o", "out", "file.c"]).succeeded();
    for name in ["file_gpu.h", "file_host.c"] {
        let own = stage.read(&format!("out/{name}"));
        stage.scratch.write(&format!("here/out/{name}"), "int mine;\n");
        let outcome = stage.run(&["-o", "out", "file.c"]).ended_with(1);
        let said = format!("'out/{name}' exists, and was not generated from file.c");
        assert!(outcome.stderr.contains(&said), "{}", outcome.stderr);
        assert_eq!(stage.read(&format!("out/{name}")), "int mine;\n");
        stage.scratch.write(&format!("here/out/{name}"), &own);
    }
    stage.run(&["-o", "out", "file.c"]).succeeded();
}

#[test]
fn keep_tells_the_whole_story() {
    let stage = Stage::new("keep");
    stage.run(&["--keep", "story", "-o", "out", "file.c"]).succeeded();
    let documents =
        ["1-clan-rs.json", "2-candl-rs.json", "3-scheduler.json", "4-gpulocalizer.json", "5-cloog-rs.json"];
    assert_eq!(stage.names("story"), [&documents[..], &OUTPUTS[..]].concat());
    assert_eq!(stage.names("out"), OUTPUTS);
    for (index, name) in documents.iter().enumerate() {
        assert_eq!(stage.read(&format!("story/{name}")), document(index + 1));
    }
}

#[test]
fn keep_shows_how_far_a_failed_translation_came() {
    let stage = Stage::new("keep-failure");
    stage.run(&["--keep", "story", "file.c"]).succeeded();
    let call = stage.driver(&["--keep", "story", "file.c"]).with("FAKE_SCHEDULER", "exit 1");
    call.run().ended_with(1);
    assert_eq!(stage.names("story"), [&["1-clan-rs.json", "2-candl-rs.json"], &OUTPUTS[..]].concat());
}

#[test]
fn document_comes_and_goes_through_pipes() {
    let stage = Stage::new("pipes");
    let call = stage.driver(&["--from", "candl-rs", "--to", "candl-rs", "-o", "-", "-"]);
    assert_eq!(call.reading(&document(1)).run().succeeded().stdout, document(2));
    let outcome = stage.run(&["--to", "candl-rs", "-o", "/dev/stderr", "file.c"]).succeeded();
    assert!(outcome.stderr.ends_with(&document(2)), "{}", outcome.stderr);

    let mut child = stage.driver(&["--to", "candl-rs", "file.c"]).start();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    stage.assert_swept();
}

#[test]
fn full_disk_is_a_failure() {
    let stage = Stage::new("full");
    let command = format!("{} --to clan-rs file.c >/dev/full", root().join("scripts/c2cuda").display());
    let outcome = Call::new("sh")
        .args(["-c", &command])
        .within(&stage.scratch.at("here"))
        .with("C2CUDA_BIN", stage.scratch.at("bin"))
        .run()
        .ended_with(1);
    assert!(outcome.stderr.ends_with("c2cuda: the document could not be written\n"), "{}", outcome.stderr);
}

#[test]
fn spaces_in_paths_do_no_harm() {
    let stage = Stage::new("with some spaces");
    stage.write("my file.c", "source\n");
    fs::create_dir(stage.scratch.at("here/a b")).unwrap();
    stage.run(&["--keep", "the story", "-o", "a b", "./my file.c"]).succeeded();
    assert_eq!(stage.read("a b/file_gpu.cu"), document(6));
    assert_eq!(stage.read("the story/5-cloog-rs.json"), document(5));
}

#[test]
fn several_calls_at_once_do_not_meet() {
    let stage = Stage::new("several");
    let folders = ["1", "2", "3", "4"];
    let children = folders.map(|folder| stage.driver(&["--keep", "story", "-o", folder, "file.c"]).start());
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    for folder in folders {
        assert_eq!(stage.names(folder), OUTPUTS);
    }
    assert_eq!(stage.read("story/5-cloog-rs.json"), document(5));
    assert_eq!(stage.names("story").len(), 8);
    stage.assert_swept();
}

/// A folder may be named like a file, if it exists or the user writes a slash after it.
#[test]
fn folders_may_have_names_like_files() {
    let stage = Stage::new("folders");
    fs::create_dir(stage.scratch.at("here/there.c")).unwrap();
    for folder in ["there.c", "new.cu/"] {
        stage.run(&["-o", folder, "file.c"]).succeeded();
        assert_eq!(stage.names(folder), OUTPUTS);
    }
}

/// If one file cannot be moved to its destination, the others are restored.
#[test]
fn files_are_delivered_all_or_none() {
    let stage = Stage::new("none");
    stage.run(&["-o", "earlier", "file.c"]).succeeded();
    for old in [None, Some("\nold")] {
        let earlier = |name: &str, old: &str| stage.read(&format!("earlier/{name}")) + old;
        if let Some(old) = old {
            OUTPUTS.iter().for_each(|name| stage.write(name, &earlier(name, old)));
        }
        let before = stage.names("");
        let outcome = stage.driver_renaming("broken", &["file.c"]).run().ended_with(1);
        assert!(
            outcome.stderr.ends_with("c2cuda: the files could not be written into '.'\n"),
            "{}",
            outcome.stderr
        );
        assert_eq!(stage.names(""), before);
        assert!(old.is_none_or(|old| OUTPUTS.iter().all(|name| stage.read(name) == earlier(name, old))));
        stage.assert_swept();
    }
}
