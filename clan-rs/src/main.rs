//! `clan-rs`: the C front end.

use std::process::ExitCode;

use clan_rs::Options;
use tool::Tool;

fn main() -> ExitCode {
    if let Some(code) = tool::explain_if_asked() {
        return code;
    }
    let options = Options::from_command_line();
    let tool = Tool::from("clan-rs").told(options.verification);
    tool::produce(tool, options.output.as_deref(), options.format, || clan_rs::run(&options))
}
