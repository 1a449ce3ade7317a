//! Whether a region runs on the device or on the host: by the time model, or as the user asks.

use chain_tests::{Call, Outcome, Scratch, driver, driver_by_price};

const PRODUCT: &str = "examples/matmul.c";

/// Programs whose regions share arrays that stay on the device. Some of their runs are on the host.
const SHARED: [&str; 3] = ["time_loop", "multigrid", "residual"];

/// True if the matrix product launches kernels at a size.
fn has_kernels(call: Call, size: &str) -> bool {
    let scratch = Scratch::new("offload");
    let profile = scratch.at("profile.json");
    let call = call.with("CUDASIM_PROFILE", &profile);
    call.args(["--run", "--profile", PRODUCT, "--", size, size, size]).run().succeeded();
    !std::fs::read_to_string(&profile).unwrap().contains(r#""kernels": []"#)
}

#[test]
fn a_small_product_stays_on_the_host() {
    assert!(!has_kernels(driver_by_price(), "4"));
    assert!(has_kernels(driver_by_price(), "64"));
    assert!(has_kernels(driver(), "4"), "tests force the device");
}

#[test]
fn both_versions_compute_the_same() {
    for size in ["3", "20", "33"] {
        let run = |call: Call| -> Outcome {
            call.args(["--run", "--on", "check", PRODUCT, "--", size, size, size]).run().succeeded()
        };
        assert_eq!(run(driver_by_price()).stdout, run(driver()).stdout, "{size}");
    }
    for name in SHARED {
        let run = |call: Call| -> Outcome {
            let file = format!("tests/programs/residency/{name}.c");
            call.args(["--run", "--on", "check", &file]).run().succeeded()
        };
        assert_eq!(run(driver_by_price()).stdout, run(driver()).stdout, "{name}");
    }
}

#[test]
fn the_user_decides() {
    let answered = |options: &[&str]| {
        driver_by_price().args(["--wishes-answered"]).args(options).arg(PRODUCT).run().succeeded().stdout
    };
    let always = answered(&["--offload", "always"]);
    assert!(always.contains("met: no size keeps it on the host"), "{always}");
    let never = answered(&["--offload=always", "--offload=never"]);
    assert!(
        never.contains("--offload always: overruled") && never.contains("met: it has no kernels"),
        "{never}"
    );
    let report = driver_by_price().args(["--report", PRODUCT]).run().succeeded().stdout;
    assert!(report.contains("host or device, chosen at run time: where"), "{report}");
}
