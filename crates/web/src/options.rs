//! What the operator decides: where the server listens, who may use it, and how much of the
//! machine it takes.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::time::Duration;

use pessoi::error::reason;
use pessoi::{Code, Error, Result};

/// How a server is set up.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where it listens.
    pub listen: SocketAddr,
    /// Names under which it is reached, besides `localhost` and addresses.
    pub hosts: Vec<String>,
    /// Who may use it; `None` for whoever reaches it, which must then be this machine.
    pub tokens: Option<Tokens>,
    /// The folder where jobs and answers are kept; `None` for memory.
    pub data: Option<PathBuf>,
    /// The most bytes of answers that are kept: the oldest go first.
    pub kept: u64,
    /// The most bytes that all jobs together put on disk, in the data folder; `None` for as much as
    /// is usual. Without a data folder they put nothing there.
    pub disk: Option<u64>,
    /// The time between two saves of a job, about.
    pub save_every: Duration,
    /// The most time that a job takes.
    pub time: Duration,
    /// The most time that an answer without a job takes.
    pub quick: Duration,
    /// The memory of all jobs and of all that is answered at once; `None` for no limit.
    pub memory: Option<u64>,
    /// The threads of all jobs together.
    pub threads: usize,
    /// How many jobs are done at one time.
    pub at_once: usize,
    /// How many jobs may wait.
    pub waiting: usize,
    /// How many jobs of a client may wait or be under way.
    pub per_client: usize,
    /// The most bytes of an answer that is kept.
    pub answer: u64,
    /// The most cells of a board.
    pub cells: usize,
    /// The most bytes of a request.
    pub body: usize,
    /// How many connections there may be.
    pub connections: usize,
    /// How long a client may take to send a request, or not read what it asked for.
    pub patience: Duration,
}

/// What jobs may put on disk, if that is not said.
const DISK: u64 = 4 << 30;

/// The port, if no other is given: `PESS` on the keys of a telephone.
pub const PORT: u16 = 7377;

impl Default for Options {
    fn default() -> Self {
        Options {
            listen: SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), PORT),
            hosts: Vec::new(),
            tokens: None,
            data: None,
            kept: 1 << 30,
            disk: None,
            save_every: Duration::from_secs(10),
            time: Duration::from_mins(10),
            quick: Duration::from_secs(2),
            memory: None,
            threads: 1,
            at_once: 1,
            waiting: 200,
            per_client: 20,
            answer: 16 << 20,
            cells: 10_000,
            body: 1 << 20,
            connections: 1024,
            patience: Duration::from_secs(15),
        }
    }
}

impl Options {
    /// Refuses what would not be safe, or could not work.
    pub(crate) fn check(&self) -> Result<()> {
        if !self.listen.ip().is_loopback() && self.tokens.is_none() {
            return Err(Error::conflict(
                "listen",
                format!(
                    "--listen {} can be reached from other machines: add --token-file FILE, or \
                     listen on 127.0.0.1.",
                    self.listen
                ),
            ));
        }
        if self.disk.is_some() && self.data.is_none() {
            return Err(Error::conflict(
                "disk",
                "--disk needs --data DIR: without a folder nothing is put on disk.",
            ));
        }
        let too_small = [
            ("threads", self.threads),
            ("jobs", self.at_once),
            ("jobs-waiting", self.waiting),
            ("jobs-per-client", self.per_client),
            ("cells", self.cells),
            ("body", self.body),
        ];
        match too_small.iter().find(|(_, number)| *number == 0) {
            Some((name, _)) => Err(Error::option(
                name,
                format!("--{name} 0 is not accepted: at least 1 is needed."),
            )),
            None => Ok(()),
        }
    }

    /// The memory of one job: three quarters are for jobs.
    pub(crate) fn memory_of_one(&self) -> Option<u64> {
        self.memory.map(|all| all / 4 * 3 / self.at_once as u64)
    }

    /// The memory of all that is answered at once, and of what is read from the keep and written
    /// for clients.
    pub(crate) fn memory_at_once(&self) -> u64 {
        self.memory.map_or(u64::MAX, |all| all / 4)
    }

    /// The most bytes of an answer that is kept. It is read into memory when it is given, together
    /// with what is made of it.
    pub(crate) fn most_of_answer(&self) -> u64 {
        self.answer.min(self.kept).min(self.memory_at_once() / 32)
    }

    /// What one job may put on disk; `None` if nothing.
    pub(crate) fn disk_of_one(&self) -> Option<u64> {
        let all = self.disk.unwrap_or(DISK);
        self.data.as_ref().map(|_| all / self.at_once as u64)
    }

    /// The threads of one job.
    pub(crate) fn threads_of_one(&self) -> usize {
        (self.threads / self.at_once).max(1)
    }
}

/// Tokens that are accepted. Each is a client.
#[derive(Clone)]
pub struct Tokens(Vec<Vec<u8>>);

/// Tokens are not shown.
impl fmt::Debug for Tokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} tokens", self.0.len())
    }
}

/// The shortest token: 16 random letters cannot be guessed.
const SHORTEST: usize = 16;

impl Tokens {
    /// Reads a file of tokens, one a line; lines that begin with `#` are comments.
    pub fn read(path: &Path) -> Result<Self> {
        let shown = path.display().to_string();
        let refuse =
            |why: &str| Error::option("token-file", format!("The token file {shown:?} {why}."));
        let text = std::fs::read_to_string(path)
            .map_err(|error| refuse(&format!("cannot be read: {}", reason(&error))))?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = std::fs::metadata(path).map(|about| about.permissions().mode());
            if mode.is_ok_and(|mode| mode & 0o077 != 0) {
                return Err(refuse("can be read by other users: chmod 600 makes it yours alone"));
            }
        }
        Tokens::parse(&text).map_err(|error| refuse(&error.sentence))
    }

    /// Reads tokens, one a line. The error says only what is wrong, as the rest of a sentence.
    fn parse(text: &str) -> Result<Self> {
        let lines = text.lines().map(str::trim);
        let tokens: Vec<&str> =
            lines.filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
        let bad = |why: String| Err(Error::new(Code::BadValue, "token-file", why));
        if tokens.is_empty() {
            return bad("has no token: write one a line".into());
        }
        let is_fit = |token: &&str| {
            token.len() >= SHORTEST && token.bytes().all(|byte| byte.is_ascii_graphic())
        };
        if !tokens.iter().all(is_fit) {
            return bad(format!(
                "has a token that is too short or has other than ASCII letters, digits and signs: at \
                 least {SHORTEST} are needed"
            ));
        }
        Ok(Tokens(tokens.iter().map(|token| token.as_bytes().to_vec()).collect()))
    }

    /// Which token this is. The time that it takes does not depend on where a wrong token
    /// differs.
    pub(crate) fn number_of(&self, given: &[u8]) -> Option<usize> {
        let mut found = None;
        for (number, token) in self.0.iter().enumerate() {
            let differs = token.iter().zip(given).fold(0, |bits, (a, b)| bits | (a ^ b));
            if differs == 0 && token.len() == given.len() {
                found = Some(number);
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_machines_need_a_token() {
        let mut options = Options { listen: ([0, 0, 0, 0], 7377).into(), ..Options::default() };
        let error = options.check().unwrap_err();
        assert_eq!(error.field.as_deref(), Some("options.listen"));
        options.tokens = Some(Tokens::parse("0123456789abcdef").unwrap());
        options.check().unwrap();
        options = Options { threads: 0, ..Options::default() };
        assert!(options.check().unwrap_err().sentence.contains("--threads 0"));
        options = Options { disk: Some(1 << 30), ..Options::default() };
        assert!(options.check().unwrap_err().sentence.contains("--data"));
        options = Options { data: Some("answers".into()), at_once: 4, ..options };
        options.check().unwrap();
        assert_eq!(options.disk_of_one(), Some(1 << 28));
        assert_eq!((options.memory_of_one(), options.most_of_answer()), (None, 16 << 20));
        options.memory = Some(512 << 20);
        assert_eq!(
            (options.memory_of_one(), options.memory_at_once()),
            (Some(96 << 20), 128 << 20)
        );
        assert_eq!(options.most_of_answer(), 4 << 20);
    }

    #[test]
    fn tokens() {
        let tokens = Tokens::parse("# people\n0123456789abcdef\n\nfedcba9876543210\n").unwrap();
        assert_eq!(tokens.number_of(b"fedcba9876543210"), Some(1));
        for wrong in ["", "fedcba987654321", "fedcba98765432100", "fedcba9876543211", "# people"] {
            assert_eq!(tokens.number_of(wrong.as_bytes()), None, "{wrong}");
        }
        for bad in ["", "# only a comment\n", "short", "0123456789abcdé0"] {
            assert!(Tokens::parse(bad).is_err(), "{bad}");
        }
        assert!(!format!("{tokens:?}").contains("0123"));
    }
}
