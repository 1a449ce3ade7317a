//! Finds the tools.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::plan::{Chain, Goal, Plan};
use crate::process::{Processes, is_executable};
use crate::stages::Stage;
use crate::stop::{Or, Stop};

/// The tool that checks documents which a command of the user wrote.
pub const SCOP_CHECK: &str = "scop-check";

/// The tool that prints the answers to wishes.
pub const SCOP_ANSWERS: &str = "scop-answers";

/// The checkout, and the folder of the tools.
#[derive(Debug, Clone)]
pub struct Tools {
    /// The checkout.
    pub root: PathBuf,
    folder: PathBuf,
    /// The folder as `C2CUDA_BIN` names it, if it does.
    named: Option<OsString>,
}

impl Tools {
    /// Finds the tools: in the folder that the environment names, or else in the checkout.
    pub fn find(root: PathBuf) -> Or<Self> {
        let named = std::env::var_os("C2CUDA_BIN").filter(|folder| !folder.is_empty());
        let folder = named.as_ref().map_or_else(|| root.join("target/release"), PathBuf::from);
        let folder = std::path::absolute(&folder).map_err(|error| {
            Stop::failed(format!("the folder '{}' cannot be found: {error}", folder.display()))
        })?;
        Ok(Self { root, folder, named })
    }

    /// Returns the path of a tool.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Sets the environment variables for tools and for the user's commands.
    pub fn introduce(&self, processes: &mut Processes) {
        processes.set("C2CUDA_BIN", self.folder.as_os_str());
        let barvinok = self.root.join("target/tools/barvinok/libbarvinok.so");
        if is_unset("C2CUDA_BARVINOK") && barvinok.exists() {
            processes.set("C2CUDA_BARVINOK", barvinok);
        }
    }

    /// Fails if one of these tools is missing.
    pub fn require(&self, names: &[&str]) -> Or<()> {
        let mut missing: Vec<&str> = Vec::new();
        for name in names {
            if !missing.contains(name) && !is_executable(&self.path(name)) {
                missing.push(name);
            }
        }
        if missing.is_empty() {
            return Ok(());
        }
        let missing = missing.join(" ");
        Err(Stop::failed(match &self.named {
            Some(folder) => format!("the folder {} (C2CUDA_BIN) has no {missing}", folder.display()),
            None => format!("{} has no {missing}: scripts/c2cuda builds them", self.folder.display()),
        }))
    }

    /// Fails if a tool that a plan needs is missing.
    pub fn require_for(&self, plan: &Plan) -> Or<()> {
        let Chain { swapped, .. } = &plan.chain;
        let mut used: Vec<&str> = Vec::new();
        used.extend(plan.chain.stages().filter(|stage| !swapped.contains_key(stage)).map(Stage::name));
        let places_or_orders = [Stage::Scheduler, Stage::Gpulocalizer];
        if places_or_orders.iter().any(|stage| swapped.contains_key(stage)) || plan.chain.proves() {
            used.push(Stage::Candl.name());
        }
        if swapped.keys().any(|&stage| plan.chain.compares(stage)) {
            used.push(SCOP_CHECK);
        }
        match plan.goal {
            Goal::Answers(_) => used.push(SCOP_ANSWERS),
            Goal::Report(_) => used.extend([Stage::Candl.name(), Stage::Gpulocalizer.name()]),
            _ => {}
        }
        if swapped.contains_key(&Stage::Scheduler) {
            used.push(Stage::Scheduler.name());
        }
        self.require(&used)
    }
}

/// True if an environment variable is not set or empty.
pub fn is_unset(variable: &str) -> bool {
    std::env::var_os(variable).is_none_or(|value| value.is_empty())
}

/// Finds an executable with this name in the folders of `PATH`.
pub fn on_path(name: &str) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).map(|folder| folder.join(name)).find(|path| is_executable(path))
}

/// Returns the checkout that this program belongs to, for when the environment does not name it.
pub fn own_root() -> Or<PathBuf> {
    let own = std::env::current_exe().and_then(|path| path.canonicalize());
    let root = own.ok().and_then(|path| path.ancestors().nth(3).map(Path::to_owned));
    root.ok_or_else(|| Stop::failed("this program does not know where it is: start scripts/c2cuda"))
}
