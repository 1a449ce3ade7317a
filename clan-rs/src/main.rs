//! `clan-rs`: the C front end.

use std::process::ExitCode;

use clan_rs::Options;
use tool::Tool;

fn main() -> ExitCode {
    let options = match Options::from_command_line() {
        Ok(options) => options,
        Err(code) => return code,
    };
    let tool = Tool::from("clan-rs").told(options.verification).talking(options.messages);
    tool::produce(tool, options.output.as_deref(), options.format, || clan_rs::translate(&options))
}
