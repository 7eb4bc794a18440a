//! The `pessoi` command as a program of its own.

use std::process::ExitCode;

fn main() -> ExitCode {
    pessoi_cli::run(std::env::args_os()).into()
}
