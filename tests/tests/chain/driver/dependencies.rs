//! Rules for make: which files depend on which headers.

use super::*;

#[test]
fn the_targets_are_what_is_delivered() {
    let stage = Stage::new("targets");
    stage.write("my file.cpp", "source\n");
    let table: [(&[&str], &str, &str); 6] = [
        (&["-MD", "file.c"], "file.d", "-MQ file_host.c -MQ file_gpu.cu -MQ file_gpu.h"),
        (
            &["-MMD", "-MP", "-o", "a b/", "my file.cpp"],
            "a b/my file.d",
            "-MQ a b/my file_host.cpp -MQ a b/my file_gpu.cu -MQ a b/my file_gpu.h",
        ),
        (&["-MD", "--target=hip", "file.c"], "file.d", "-MQ file_host.c -MQ file_gpu.hip -MQ file_gpu.h"),
        (&["-MD", "-MF", "deps/x", "-MTall", "-MQ", "b$", "file.c"], "deps/x", "-MT all -MQ b$"),
        (&["-MD", "--to", "candl-rs", "-o", "x.json", "file.c"], "x.d", "-MQ x.json"),
        (&["-MD", "--to", "candl-rs", "-MFy.d", "-o", "x.json", "file.c"], "y.d", "-MQ x.json"),
    ];
    for (arguments, file, targets) in table {
        let outcome = stage.run(arguments).succeeded();
        assert!(outcome.stderr.contains(&format!("/dependencies.d {targets} ")), "{}", outcome.stderr);
        assert_eq!(stage.read(file), "dependencies\n");
        fs::remove_file(stage.scratch.at("here").join(file)).unwrap();
    }
    let call = stage.driver(&["-MD", "-o", "none", "file.c"]).with("FAKE_CUDAGEN", "exit 1");
    call.run().ended_with(1);
    assert!(!stage.scratch.at("here/none").exists());
}
