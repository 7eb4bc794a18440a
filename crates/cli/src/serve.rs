//! `pessoi serve`: the web app. What is on the command line becomes the operator's options.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Arg, ArgAction, ArgMatches, Command};
use pessoi::{Catalogue, Error, limits};
use pessoi_web::{Options, Tokens};

use crate::machine;

/// The command.
pub(crate) fn command() -> Command {
    let usual = Options::default();
    let take = |name: &'static str, value: &'static str, help: String| {
        Arg::new(name).long(name).value_name(value).help(help).allow_hyphen_values(true)
    };
    let path = |name, value, help: &str| {
        take(name, value, help.to_owned()).value_parser(clap::value_parser!(PathBuf))
    };
    let limit = |name, value, help: String| take(name, value, help).help_heading("Limits");
    Command::new("serve")
        .about("Play, ask and explore in a browser, and by an API")
        .arg(take(
            "listen",
            "ADDRESS",
            format!(
                "where to listen; other machines need --token-file [default: {}]",
                usual.listen
            ),
        ))
        .arg(
            take(
                "host",
                "NAME",
                "a name under which the server is reached, besides localhost and addresses".into(),
            )
            .action(ArgAction::Append),
        )
        .arg(path(
            "token-file",
            "FILE",
            "only who has one of these tokens may ask: one a line, of at least 16 characters, in a \
             file that no other user can read",
        ))
        .arg(path(
            "data",
            "DIR",
            "keep jobs and answers in this folder, where they survive a restart [default: memory]",
        ))
        .arg(limit("kept", "SIZE", "the most bytes of answers that are kept [default: 1G]".into()))
        .arg(limit(
            "disk",
            "SIZE",
            "what all jobs together put on disk, in the data folder [default: 4G]".into(),
        ))
        .arg(limit(
            "checkpoint-every",
            "TIME",
            "the time between two saves of a job, about [default: 10s]".into(),
        ))
        .arg(limit("time", "TIME", "the most time of a job [default: 10m]".into()))
        .arg(limit(
            "memory",
            "SIZE",
            "the memory of all jobs, three quarters, and of what is answered at once [default: most of what is free]".into(),
        ))
        .arg(limit("threads", "N", "the threads of all jobs together [default: one a core]".into()))
        .arg(limit(
            "jobs",
            "N",
            "jobs that are done at one time [default: half of the threads]".into(),
        ))
        .arg(limit(
            "jobs-waiting",
            "N",
            format!("jobs that may wait, of all clients [default: {}]", usual.waiting),
        ))
        .arg(limit(
            "jobs-per-client",
            "N",
            format!(
                "jobs of a client that may wait or be under way [default: {}]",
                usual.per_client
            ),
        ))
        .arg(limit(
            "answer",
            "SIZE",
            "the most bytes of an answer that is kept; what is listed beyond is left out [default: 16M]"
                .into(),
        ))
        .arg(limit("cells", "N", format!("the most cells of a board [default: {}]", usual.cells)))
        .arg(limit("body", "SIZE", "the most bytes of a request [default: 1M]".into()))
}

/// Reads the options.
pub(crate) fn read(matches: &ArgMatches) -> Result<Options, Error> {
    let text = |name: &str| matches.get_one::<String>(name).map(String::as_str);
    let file = |name: &str| matches.get_one::<PathBuf>(name);
    let usual = Options::default();
    let number = |name: &str, usual: usize| match text(name) {
        Some(text) => limits::whole(name, text, &(1..=100_000)).map(|number| number as usize),
        None => Ok(usual),
    };
    let size = |name: &str| text(name).map(|text| limits::bytes(name, text)).transpose();
    let time = |name: &str| text(name).map(|text| limits::duration(name, text)).transpose();
    let threads = match text("threads") {
        Some(text) => limits::whole("threads", text, &limits::THREADS)? as usize,
        None => machine::threads(),
    };
    Ok(Options {
        listen: match text("listen") {
            Some(text) => address(text)?,
            None => usual.listen,
        },
        hosts: matches.get_many::<String>("host").unwrap_or_default().cloned().collect(),
        tokens: file("token-file").map(|path| Tokens::read(path)).transpose()?,
        data: file("data").cloned(),
        kept: size("kept")?.unwrap_or(usual.kept),
        disk: size("disk")?,
        save_every: time("checkpoint-every")?.unwrap_or(usual.save_every),
        time: time("time")?.unwrap_or(usual.time),
        memory: size("memory")?.or_else(machine::memory),
        threads,
        at_once: number("jobs", (threads / 2).max(1))?,
        waiting: number("jobs-waiting", usual.waiting)?,
        per_client: number("jobs-per-client", usual.per_client)?,
        answer: size("answer")?.unwrap_or(usual.answer),
        cells: number("cells", usual.cells)?,
        body: size("body")?.map_or(usual.body, |bytes| bytes as usize),
        ..usual
    })
}

/// `127.0.0.1:7377`; the port alone, or the address alone, is taken too.
fn address(text: &str) -> Result<SocketAddr, Error> {
    let usual = Options::default().listen;
    let whole = text.parse().ok();
    let port =
        || Some(SocketAddr::new(usual.ip(), text.strip_prefix(':').unwrap_or(text).parse().ok()?));
    let ip = || Some(SocketAddr::new(text.parse().ok()?, usual.port()));
    whole.or_else(port).or_else(ip).ok_or_else(|| {
        Error::option(
            "listen",
            format!(
                "--listen {text:?} is not accepted: give an address such as {usual}, or a port."
            ),
        )
    })
}

/// Serves until Ctrl-C or SIGTERM.
pub(crate) fn serve(options: Options) -> Result<u8, Error> {
    // The games of this library alone: a graph database would be asked by who knows whom.
    pessoi_web::serve(Catalogue::standard(), options, |address| {
        crate::say(&format!("Pessoi is at http://{address}/ (Ctrl-C ends it).\n")).map(drop)
    })?;
    Ok(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        for (text, address) in [
            ("127.0.0.1:80", "127.0.0.1:80"),
            ("8080", "127.0.0.1:8080"),
            (":8080", "127.0.0.1:8080"),
            ("0.0.0.0", "0.0.0.0:7377"),
            ("[::1]:80", "[::1]:80"),
            ("::1", "[::1]:7377"),
        ] {
            assert_eq!(super::address(text).unwrap().to_string(), address);
        }
        for bad in ["", "localhost", "80808", "1.2.3:4", "-1"] {
            assert_eq!(super::address(bad).unwrap_err().field.as_deref(), Some("options.listen"));
        }
    }

    #[test]
    fn limits_are_read() {
        let words = ["serve", "--threads", "8", "--kept", "2M", "--time", "5s", "--host", "a"];
        let matches = command().try_get_matches_from(words).unwrap();
        let options = read(&matches).unwrap();
        assert_eq!((options.threads, options.at_once, options.kept), (8, 4, 2 << 20));
        assert_eq!(options.hosts, ["a"]);
        for words in [["serve", "--jobs", "0"], ["serve", "--body", "much"]] {
            assert!(read(&command().try_get_matches_from(words).unwrap()).is_err());
        }
    }
}
