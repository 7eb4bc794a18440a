//! Nothing is lost: runs that are killed, locked out, interrupted, or without room to write.
//!
//! No test here depends on how fast the machine is: what is waited for is something that
//! happens (a checkpoint, a line in a log), and where a moment is random, any moment will do.

#![cfg(unix)]

mod harness;

use std::os::unix::fs::MetadataExt;
use std::process::{Child, Stdio};
use std::time::Duration;

use harness::{Scratch, Wait};

const NINE: &str = "go on 9x9: 103919148791293834318983090438798793469 legal positions, exactly";

/// A paper with one value.
const PAPER: &str = r#"
name = "small"
title = "A small paper"
authors = "Nobody"
year = 2000
[[table]]
name = "Table 1"
title = "Paths"
[[table.value]]
at = "4x5"
ask = "count diplomatico 4x5"
published = "72"
standing = "agrees"
"#;

/// Numbers that look random and are the same in every run of the test.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) % n
    }
}

fn quiet(scratch: &Scratch, args: &[&str]) -> Child {
    scratch.command(args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("pessoi runs")
}

/// Which file is there: each save is a new one.
fn inode(scratch: &Scratch, name: &str) -> Option<u64> {
    std::fs::metadata(scratch.path(name)).ok().map(|there| there.ino())
}

/// Does these jobs, chosen at random, kills them at random moments `kills` times in all, and
/// resumes them. Each is given with what its answer says.
fn jobs_that_are_killed_go_on(jobs: &[(&str, &str)], kills: u32, seed: u64) {
    let mut random = Random(seed);
    let (mut killed, mut ended, mut resumed) = (0, 0, 0);
    let scratch = Scratch::new();
    while killed < kills {
        let (job, said) = jobs[random.below(jobs.len() as u64) as usize];
        let threads = ["1", "2"][random.below(2) as usize];
        let words: Vec<&str> = job.split(' ').collect();
        let fresh = [&words[..], &["--threads", threads, "--checkpoint", "saved"]].concat();
        let again = [&fresh[..], &["--resume"]].concat();
        loop {
            let there = inode(&scratch, "saved");
            let args = if there.is_some() { &again[..] } else { &fresh[..] };
            resumed += u32::from(there.is_some());
            let mut child = quiet(&scratch, args);
            // While it sets up, or after some saves; a little later, which may be while it works,
            // writes or renames.
            let (mut saves, mut last) = (random.below(4), there);
            while saves > 0 && !child.has_ended() {
                let now = inode(&scratch, "saved");
                saves -= u64::from(now != last);
                last = now;
            }
            std::thread::sleep(Duration::from_micros(random.below(30_000)));
            child.kill().expect("a child");
            match child.wait().expect("a child").code() {
                None => killed += 1,
                Some(code) => {
                    assert!(code < 2, "{job}: {code}");
                    break;
                }
            }
            if killed == kills {
                break;
            }
        }
        let whole = scratch.run(if inode(&scratch, "saved").is_some() { &again } else { &fresh });
        assert!(whole.code < Some(2), "{whole:?}");
        assert!(whole.out.contains(said), "{whole:?}");
        assert_eq!(scratch.files(), ["saved"], "what killed runs left is cleared away");
        std::fs::remove_file(scratch.path("saved")).expect("a checkpoint");
        ended += 1;
    }
    println!("{killed} kills, {resumed} times resumed, {ended} jobs, all right");
}

/// Counts of Go, which save themselves after every column.
const COUNTS: &[(&str, &str)] = &[
    ("count go 5x5", "go on 5x5: 414295148741"),
    ("count go 6x6", "go on 6x6: 62567386502084877"),
    ("count go 7x7", "go on 7x7: 83677847847984287628595"),
    ("count go 8x8", "go on 8x8: 990966953618170260281935463385"),
];

#[test]
fn counts_that_are_killed_now_and_then() {
    jobs_that_are_killed_go_on(COUNTS, 30, 1);
}

#[test]
#[ignore = "minutes"]
fn counts_that_are_killed_hundreds_of_times() {
    jobs_that_are_killed_go_on(COUNTS, 500, 2);
}

/// Searches and explorations, which save themselves now and then.
const SEARCHES: &[(&str, &str)] = &[
    (
        "count diplomatico 6x6 --closed --method branch --checkpoint-every 1ms",
        ": 13138 undirected closed paths, exactly",
    ),
    (
        "count diplomatico 5x5 --method search --checkpoint-every 1ms",
        ": 6200 undirected open paths, exactly",
    ),
    ("count knight-loops 10 --method orderly --checkpoint-every 1ms", ": 12000"),
    (
        "explore square-slide 2x4 --holes 1 --method plain --checkpoint-every 1ms",
        "over all components): 36, exactly",
    ),
    ("count square-slide 2x4 --holes 1 --method plain --checkpoint-every 1ms", ": 2 components"),
];

#[test]
fn searches_that_are_killed_now_and_then() {
    jobs_that_are_killed_go_on(SEARCHES, 25, 1);
}

#[test]
#[ignore = "minutes"]
fn searches_that_are_killed_hundreds_of_times() {
    jobs_that_are_killed_go_on(SEARCHES, 500, 2);
}

/// A list in a file is whole or not there, and what was there before stays until then.
fn lists_that_are_killed(kills: u32, seed: u64) {
    let scratch = Scratch::new();
    let list = ["list", "diplomatico", "5x5", "-o", "list.txt"];
    assert_eq!(scratch.run(&list).code, Some(0));
    let whole = scratch.read("list.txt");
    assert_eq!(whole.lines().count(), 6200);
    let mut random = Random(seed);
    let mut killed = 0;
    while killed < kills {
        let before = (random.below(2) == 0).then_some("old\n");
        match before {
            Some(old) => drop(scratch.write("list.txt", old)),
            None => drop(std::fs::remove_file(scratch.path("list.txt"))),
        }
        let mut child = quiet(&scratch, &list);
        let enough = random.below(whole.len() as u64);
        while !child.has_ended() {
            let draft = std::fs::metadata(scratch.path(".list.txt.draft"));
            if draft.is_ok_and(|draft| draft.len() >= enough) {
                break;
            }
        }
        std::thread::sleep(Duration::from_micros(random.below(3000)));
        child.kill().expect("a child");
        killed += u32::from(child.wait().expect("a child").code().is_none());
        let there = std::fs::read_to_string(scratch.path("list.txt")).ok();
        let is_whole = there.as_deref() == Some(whole.as_str());
        assert!(is_whole || there.as_deref() == before, "half a list");
    }
    // The next one is not disturbed by what they left, and clears it away.
    assert_eq!(scratch.run(&list).code, Some(0));
    assert_eq!(scratch.read("list.txt"), whole);
    assert_eq!(scratch.files(), ["list.txt"]);
}

#[test]
fn lists_that_are_killed_now_and_then() {
    lists_that_are_killed(20, 1);
}

#[test]
#[ignore = "minutes"]
fn lists_that_are_killed_hundreds_of_times() {
    lists_that_are_killed(300, 2);
}

/// A second run used to make the first one die.
#[test]
fn a_second_run_on_a_checkpoint_is_refused_and_the_first_unharmed() {
    let fresh = ["count", "go", "9x9", "--threads", "1", "--checkpoint", "saved"];
    let again = [&fresh[..], &["--resume"]].concat();
    loop {
        let scratch = Scratch::new();
        let mut first = scratch.command(&fresh).stdout(Stdio::piped()).spawn().unwrap();
        first.wait_until(|| inode(&scratch, "saved").is_some());
        first.signal("STOP");
        if first.has_ended() {
            // It was done before it could be held up.
            continue;
        }
        for args in
            [&again[..], &["plan", "count", "go", "9x9", "--checkpoint", "saved", "--resume"]]
        {
            let second = scratch.run(args);
            assert_eq!(second.code, Some(2), "{second:?}");
            assert!(second.err.contains("is in use by another run"), "{second:?}");
            assert_eq!((second.out.as_str(), second.err.lines().count()), ("", 1));
        }
        first.signal("CONT");
        let first = first.wait_with_output().unwrap();
        assert_eq!(first.status.code(), Some(0));
        assert!(String::from_utf8(first.stdout).unwrap().contains(NINE));
        assert_eq!(scratch.files(), ["saved"]);
        return;
    }
}

#[test]
fn a_checkpoint_that_is_in_use_is_refused_before_it_exists_too() {
    let scratch = Scratch::new();
    let held = pessoi::Store::open(scratch.path("saved")).unwrap();
    let refused = scratch.pessoi("count go 6x6 --checkpoint saved");
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert!(refused.err.contains("is in use by another run"), "{refused:?}");
    drop(held);
    assert_eq!(scratch.pessoi("count go 6x6 --checkpoint saved").code, Some(0));
}

/// The whole answer is on standard error, and the exit code says that it is not where it should
/// be.
fn rescued(said: &str, line: &str) {
    assert!(said.contains("72 undirected open paths"), "{line}: {said}");
    assert!(said.contains("cannot be written"), "{line}: {said}");
    assert!(
        said.contains("No space left on device") || said.contains("too large"),
        "{line}: {said}"
    );
    assert!(
        said.contains("The answer is printed above.") && said.contains("exit 2"),
        "{line}: {said}"
    );
}

/// A full disk used to lose the answer.
#[test]
fn an_answer_that_cannot_be_written_is_printed() {
    let scratch = Scratch::new();
    let count = "count diplomatico 4x5";
    for line in [
        format!("pessoi {count} -o /dev/full"),
        format!("pessoi {count} > /dev/full"),
        format!("ulimit -f 0; pessoi {count} -o count.txt"),
    ] {
        if line.contains("/dev/full") && !std::path::Path::new("/dev/full").exists() {
            continue;
        }
        rescued(&scratch.shell(&format!("({line}); echo exit $?")), &line);
        assert!(scratch.files().is_empty(), "{line}: {:?}", scratch.files());
    }
    // As JSON it can be saved from there, and holds.
    scratch.shell(
        "(ulimit -f 0; pessoi count diplomatico 4x5 --format json -o x.json) 2>&1 | cat > kept.txt",
    );
    let kept = scratch.read("kept.txt");
    let (json, sentence) = kept.trim_end().rsplit_once('\n').unwrap();
    assert!(sentence.starts_with("error: The file"), "{sentence}");
    scratch.write("x.json", json);
    assert_eq!(scratch.pessoi("verify x.json").code, Some(0), "{json}");
    // What was there before is still there.
    scratch.write("count.txt", "old");
    scratch.shell("ulimit -f 0; pessoi count diplomatico 4x5 -o count.txt");
    assert_eq!(scratch.read("count.txt"), "old");
    // Reports, plans and verdicts too.
    scratch.write("paper.toml", PAPER);
    for line in [
        "plan count diplomatico 4x5 -o plan.txt",
        "convert x.json --format csv -o x.csv",
        "reproduce --data paper.toml --budget all -o report.txt",
    ] {
        let said = scratch.shell(&format!("ulimit -f 0; pessoi {line}; echo exit $?"));
        assert!(said.contains("The answer is printed above.\nexit 2"), "{line}: {said}");
    }
}

/// What is no text goes to a file elsewhere, and of what is too long the part that found room
/// is kept.
#[test]
fn what_cannot_be_printed_is_kept_in_files() {
    let scratch = Scratch::new();
    let said = scratch.shell(
        "mkdir tmp; export TMPDIR=$PWD/tmp; pessoi list knight-loops 8 --format packed > /dev/full",
    );
    if std::path::Path::new("/dev/full").exists() {
        assert!(said.contains("The answer is in \""), "{said}");
        let name = std::fs::read_dir(scratch.path("tmp")).unwrap().next().unwrap().unwrap();
        let name = format!("tmp/{}", name.file_name().to_string_lossy());
        assert_eq!(scratch.pessoi(&format!("verify {name}")).code, Some(0));
    }
    // Blocks of 512 or 1024 bytes: 2 or 4 MiB.
    let said =
        scratch.shell("ulimit -f 4096; pessoi list diplomatico 5x6 -o list.txt; echo exit $?");
    assert!(said.contains("list.txt.partial\"; its end may be cut off.\nexit 2"), "{said}");
    let list = scratch.read("list.txt.partial");
    assert!(list.len() > 1 << 20, "{}", list.len());
    assert!(!scratch.files().contains(&"list.txt".to_owned()));
}

/// A checkpoint that failed used to end the count.
#[test]
fn a_count_whose_checkpoint_cannot_be_written_goes_on() {
    let scratch = Scratch::new();
    let said = scratch.shell("ulimit -f 1; pessoi count go 7x7 --checkpoint saved; echo exit $?");
    assert!(said.contains("83677847847984287628595 legal positions, exactly"), "{said}");
    assert!(said.contains("exit 0"), "{said}");
    // Once as a warning and once on the answer.
    let warning = "The checkpoint \"saved\" cannot be written";
    assert_eq!(said.matches(warning).count(), 2, "{said}");
    assert!(said.contains(&format!("warning: {warning}")), "{said}");
    assert!(!scratch.files().iter().any(|name| name.contains("draft")), "{:?}", scratch.files());
}

/// The lines of a log, without their times.
fn log(scratch: &Scratch, name: &str) -> Vec<String> {
    let text = std::fs::read_to_string(scratch.path(name)).unwrap_or_default();
    let said = |line: &str| {
        let (time, said) = line.split_at(21);
        let is_time = time.bytes().zip(b"2024-02-29T12:00:00Z ".iter()).all(|(is, &like)| {
            if like.is_ascii_digit() { is.is_ascii_digit() } else { is == like }
        });
        assert!(is_time, "{line}");
        said.to_owned()
    };
    text.lines().map(said).collect()
}

#[test]
fn every_command_that_may_take_long_can_be_logged() {
    let scratch = Scratch::new();
    scratch.write("paper.toml", PAPER);
    scratch.pessoi("count diplomatico 4x5 --format json -o count.json");
    for (args, code) in [
        ("count go 6x6", 0),
        ("find diplomatico 4x4", 1),
        ("list diplomatico 4x5 -o list.txt", 0),
        ("plan count diplomatico 5x6", 0),
        ("verify count.json", 0),
        ("convert count.json", 0),
        ("reproduce --data paper.toml --budget all", 0),
        ("count go 0x3", 2),
    ] {
        let _ = std::fs::remove_file(scratch.path("log"));
        let outcome = scratch.pessoi(&format!("{args} --log log"));
        assert_eq!(outcome.code, Some(code), "{args}: {outcome:?}");
        let log = log(&scratch, "log");
        if args == "count go 0x3" {
            assert!(log.is_empty(), "what is refused is not begun: {log:?}");
            continue;
        }
        assert_eq!(log[0], format!("begins: pessoi {args} --log log"));
        assert!(
            log[log.len() - 1].starts_with(&format!("ends: exit code {code} after ")),
            "{log:?}"
        );
        assert!(log.len() > 2 && log[1].contains(" steps a second · "), "{args}: {log:?}");
    }
    // On standard error, beside the answer.
    let outcome = scratch.pessoi("count diplomatico 4x5 --log -");
    assert!(
        outcome.out.contains("72 undirected") && outcome.err.contains("Z begins: pessoi count")
    );
    for (args, about) in [
        ("count go 6x6 --log-every 5s", "needs --log"),
        ("count go 6x6 --log x --log-every never", "--log-every"),
        ("count go 6x6 --log missing/log", "no such file or folder"),
        ("count go 6x6 --log x -o x", "a file of its own"),
    ] {
        let before = scratch.files();
        let outcome = scratch.pessoi(args);
        assert_eq!(outcome.code, Some(2), "{args}: {outcome:?}");
        assert!(outcome.err.contains(about), "{args}: {outcome:?}");
        assert_eq!(scratch.files(), before, "{args}");
    }
}

/// Batch systems end jobs by SIGTERM and SIGHUP: whatever is under way ends as by Ctrl-C, what is
/// known is kept, and no draft stays behind.
#[test]
fn every_command_that_may_take_long_can_be_ended() {
    let scratch = Scratch::new();
    scratch.pessoi("list diplomatico 5x6 -o big.json");
    for (k, args) in [
        "list diplomatico 7x7 -o list.json",
        "count go 12x12 --checkpoint saved",
        "plan count go 12x12",
        "reproduce knight --budget all -o report.txt",
        "convert big.json -o big.csv",
        "verify big.json",
    ]
    .iter()
    .enumerate()
    {
        // Each on its way: a line of its progress is in the log.
        let log_name = format!("log-{k}");
        let words = format!("{args} --log {log_name} --log-every 1ms");
        let words: Vec<&str> = words.split(' ').collect();
        let mut child = quiet(&scratch, &words);
        while log(&scratch, &log_name).len() < 3 && !child.has_ended() {}
        child.signal(["TERM", "HUP", "INT"][k % 3]);
        let code = child.wait().unwrap().code();
        // A plan may be done by then, and so may what is read from files.
        let is_short =
            !args.starts_with("list") && !args.starts_with("count") && !args.starts_with("rep");
        assert!(code == Some(130) || (is_short && code == Some(0)), "{args}: {code:?}");
        assert!(!scratch.files().iter().any(|name| name.starts_with('.')), "{:?}", scratch.files());
    }
    for (name, there) in [("list.json.partial", true), ("list.json", false), ("report.txt", true)] {
        assert_eq!(scratch.path(name).exists(), there, "{name}");
    }
}
