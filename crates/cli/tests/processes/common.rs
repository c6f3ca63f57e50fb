//! What the tests with processes share.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

pub(crate) fn senet() -> Command {
    Command::new(env!("CARGO_BIN_EXE_senet"))
}

/// A process that is ended with its handle.
pub(crate) struct Process {
    pub(crate) child: Child,
    said: Receiver<String>,
}

impl Process {
    pub(crate) fn start(command: &mut Command) -> Process {
        let mut child = command.stdout(Stdio::piped()).spawn().expect("the program starts");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        let (lines, said) = mpsc::channel();
        thread::spawn(move || output.lines().map_while(Result::ok).try_for_each(|line| lines.send(line)));
        Process { child, said }
    }

    /// The next line that it says, within two minutes.
    pub(crate) fn line(&mut self) -> String {
        self.said.recv_timeout(Duration::from_secs(120)).expect("it says something")
    }

    /// Waits until it says a line that begins so.
    pub(crate) fn wait_for(&mut self, beginning: &str) {
        while !self.line().starts_with(beginning) {}
    }

    /// As SIGKILL does.
    pub(crate) fn kill(&mut self) {
        self.child.kill().expect("it is killed");
        self.child.wait().expect("it ends");
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A player that listens on some port.
pub(crate) struct Player {
    pub(crate) process: Process,
    pub(crate) address: String,
}

impl Player {
    pub(crate) fn start(strategy: &str, seed: usize) -> Player {
        let mut command = senet();
        command.args(["player", "--port", "0", "--strategy", strategy, "--seed", &seed.to_string()]);
        command.args(["--name", &format!("P{seed}")]);
        let mut process = Process::start(&mut command);
        let address = process.line().rsplit_once(" at ").expect("it says where it is").1.to_owned();
        Player { process, address }
    }
}
