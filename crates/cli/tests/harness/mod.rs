//! A scratch folder and a command: what every test of the command line needs.

// Each test file uses some of it.
#![allow(dead_code)]

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// What a command came to.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// A folder that vanishes with the test.
pub(crate) struct Scratch(tempfile::TempDir);

impl Scratch {
    pub(crate) fn new() -> Self {
        Scratch(tempfile::tempdir().expect("a scratch folder"))
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) -> &Self {
        std::fs::write(self.path(name), text).expect("the scratch folder is writable");
        self
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    /// How many lines a file has; none if it is not there.
    pub(crate) fn lines(&self, name: &str) -> usize {
        std::fs::read_to_string(self.path(name)).unwrap_or_default().lines().count()
    }

    /// How many bytes a file has; none if it is not there.
    pub(crate) fn size(&self, name: &str) -> u64 {
        std::fs::metadata(self.path(name)).map_or(0, |there| there.len())
    }

    /// The names of all files, sorted.
    pub(crate) fn files(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.0.path()).expect("the scratch folder is there");
        let mut names: Vec<String> =
            entries.map(|e| e.expect("an entry").file_name().to_string_lossy().into()).collect();
        names.sort();
        names
    }

    /// The `pessoi` command in this folder.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(pessoi());
        command.args(args).current_dir(self.0.path()).stdin(Stdio::null());
        command
    }

    /// Runs `pessoi` with words that hold no spaces.
    pub(crate) fn pessoi(&self, args: &str) -> Outcome {
        self.run(&args.split_whitespace().collect::<Vec<_>>())
    }

    pub(crate) fn run(&self, args: &[&str]) -> Outcome {
        let output = self.command(args).output().expect("pessoi runs");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
        Outcome { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }

    /// Runs a line of shell in which `pessoi` is known; both outputs in one.
    pub(crate) fn shell(&self, line: &str) -> String {
        let folder = pessoi().parent().expect("the binary is in a folder").to_owned();
        let path = std::env::var("PATH").unwrap_or_default();
        let output = Command::new("sh")
            .arg("-c")
            .arg(format!("exec 2>&1\n{line}"))
            .env("PATH", format!("{}:{path}", folder.display()))
            .current_dir(self.0.path())
            .stdin(Stdio::null())
            .output()
            .expect("a shell");
        String::from_utf8(output.stdout).expect("UTF-8")
    }
}

/// Waiting for what a command does, however long it takes.
pub(crate) trait Wait {
    /// Whether it has ended.
    fn has_ended(&mut self) -> bool;

    /// Waits until something has happened. If the command ends before, it fails.
    fn wait_until(&mut self, happened: impl Fn() -> bool);

    /// Sends a signal, such as `TERM`, unless it has ended.
    fn signal(&mut self, signal: &str);
}

impl Wait for Child {
    fn has_ended(&mut self) -> bool {
        // A little at a time: what is waited for needs the processor more.
        std::thread::sleep(Duration::from_micros(500));
        self.try_wait().expect("a child").is_some()
    }

    fn wait_until(&mut self, happened: impl Fn() -> bool) {
        while !happened() {
            assert!(!self.has_ended() || happened(), "it ended too early");
        }
    }

    fn signal(&mut self, signal: &str) {
        // Until it is waited for, its number is no other's.
        if self.has_ended() {
            return;
        }
        let id = self.id().to_string();
        let sent = Command::new("kill").args([&format!("-{signal}"), &id]).status();
        assert!(sent.expect("kill").success(), "{signal}");
    }
}

fn pessoi() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_pessoi"))
}
