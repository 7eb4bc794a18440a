//! The examples of the README, the book and the snapshots are run, and must print
//! what is written there.
//!
//! In a `console` block each line that begins with `$ ` is run by the shell, in one
//! scratch folder for each document, and the lines after it are what it prints. Times,
//! rates and bytes differ from run to run and are not compared. `PESSOI_BLESS=1
//! cargo test` writes what is printed into the documents instead.
//!
//! What stands between `<!-- $ COMMAND -->` and `<!-- end -->` is what the command prints, to
//! the letter: tables that are made, not written.

#![cfg(unix)]

mod harness;

use std::path::{Path, PathBuf};

use harness::Scratch;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn documents() -> Vec<PathBuf> {
    let mut found = vec![root().join("README.md"), root().join("CONTRIBUTING.md")];
    for folder in ["docs/src", "crates/cli/tests/snapshots"] {
        let entries = std::fs::read_dir(root().join(folder)).expect(folder);
        let paths = entries.map(|entry| entry.expect(folder).path());
        found.extend(paths.filter(|path| path.extension().is_some_and(|e| e == "md")));
    }
    found.sort();
    found
}

/// A line with the numbers that differ from run to run replaced by `#`.
fn blurred(line: &str) -> String {
    const UNITS: [&str; 11] =
        ["ms", "s", "min", "h", "B", "KiB", "MiB", "GiB", "million", "s;", "ms;"];
    let mut words: Vec<String> = line.split(' ').map(str::to_owned).collect();
    for k in 1..words.len() {
        let unit = words[k].trim_end_matches(['.', ',', ':']);
        if UNITS.contains(&unit) && words[k - 1].parse::<f64>().is_ok() {
            words[k - 1] = "#".into();
            // 999 ms and 1.0 s are the same to us.
            words[k] = "#".into();
        }
    }
    let mut line = words.join(" ").trim_end().to_owned();
    for field in ["\"seconds\":", "\"peak_bytes\":"] {
        if let Some(at) = line.find(field) {
            let value = at + field.len();
            let end = line[value..].find([',', '}']).map_or(line.len(), |end| value + end);
            line.replace_range(value..end, "#");
        }
    }
    line
}

/// The document as it should be.
fn replayed(text: &str) -> String {
    let scratch = Scratch::new();
    let mut result = String::new();
    let mut in_console = false;
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        result += line;
        result.push('\n');
        let made = line.strip_prefix("<!-- $ ").and_then(|rest| rest.strip_suffix(" -->"));
        if let Some(command) = made {
            while lines.next_if(|line| *line != "<!-- end -->").is_some() {}
            result.push('\n');
            result += scratch.shell(command).trim();
            result += "\n\n";
        } else if line.starts_with("```") {
            in_console = line == "```console";
        } else if let (true, Some(command)) = (in_console, line.strip_prefix("$ ")) {
            let mut expected = String::new();
            while let Some(next) = lines.next_if(|l| !l.starts_with("$ ") && !l.starts_with("```"))
            {
                expected += next;
                expected.push('\n');
            }
            let printed = scratch.shell(command);
            let printed: String =
                printed.lines().map(|line| line.trim_end().to_owned() + "\n").collect();
            // Keep the writing where only what is blurred differs.
            let same = printed.lines().map(blurred).eq(expected.lines().map(blurred));
            result += if same { &expected } else { &printed };
        }
    }
    result
}

#[test]
fn examples_print_what_is_written() {
    let bless = std::env::var_os("PESSOI_BLESS").is_some();
    let mut commands = 0;
    let mut wrong = Vec::new();
    // Documents know nothing of each other: two at a time.
    let documents = std::sync::Mutex::new(documents().into_iter());
    let worker = || {
        let mut found = Vec::new();
        loop {
            let path = documents.lock().expect("no worker panics with the lock").next();
            let Some(path) = path else { return found };
            let text = std::fs::read_to_string(&path).expect("a document");
            let is = replayed(&text);
            found.push((path, text, is));
        }
    };
    let replayed = std::thread::scope(|scope| {
        let workers = [scope.spawn(worker), scope.spawn(worker)];
        workers.map(|worker| worker.join().expect("a worker"))
    });
    for (path, text, is) in replayed.into_iter().flatten() {
        commands += text.lines().filter(|line| line.starts_with("$ ")).count();
        if is == text {
            continue;
        }
        if bless {
            std::fs::write(&path, is).expect("a document");
            continue;
        }
        let differing = text.lines().zip(is.lines()).find(|(a, b)| a != b);
        let (written, printed) = differing.unwrap_or(("(ends here)", "(goes on)"));
        wrong.push(format!("{}\n  written: {written}\n  printed: {printed}", path.display()));
    }
    assert!(commands > 20, "only {commands} examples were found");
    assert!(wrong.is_empty(), "PESSOI_BLESS=1 accepts what is printed now\n{}", wrong.join("\n"));
}

/// Whatever the book asks can be planned, and the plan names the engine that answers.
#[test]
fn plans_name_the_engine_of_every_question_in_the_book() {
    let scratch = Scratch::new();
    let mut compared = 0;
    for path in documents() {
        let text = std::fs::read_to_string(&path).expect("a document");
        for line in text.lines().filter_map(|line| line.strip_prefix("$ pessoi ")) {
            let verb = line.split(' ').next().unwrap_or_default();
            let is_plain = !line.contains(['|', ';', '>', '<', '&', '$']);
            let has_output = ["--format", "--output", " -o ", "--checkpoint", "--help"];
            if pessoi::Verb::parse(verb).is_err()
                || !is_plain
                || has_output.iter().any(|option| line.contains(option))
            {
                continue;
            }
            // What is stopped names its engine too.
            let time = if line.contains("--time") { "" } else { "--time 1ms" };
            let asked = format!("pessoi {line} {time} --format json 2> asked.err");
            let asked = scratch.shell(&asked);
            let planned =
                scratch.shell(&format!("pessoi plan {line} --format json 2> planned.err"));
            let id = |text: &str| {
                // A list has its answer on the last line.
                let json = serde_json::from_str::<serde_json::Value>(text);
                let last = || serde_json::from_str(text.lines().last().unwrap_or_default());
                let json = json.or_else(|_| last()).ok()?;
                json["method"]["id"].as_str().map(str::to_owned)
            };
            let (asked_id, planned_id) = (id(&asked), id(&planned));
            assert_eq!(asked_id, planned_id, "{line}\n{planned}\n{asked}");
            if asked_id.is_none() {
                let (asked, planned) = (scratch.read("asked.err"), scratch.read("planned.err"));
                assert_eq!(asked, planned, "{line}: both are refused alike");
            }
            compared += 1;
        }
    }
    assert!(compared > 60, "only {compared} questions were found");
}

/// The schemas in `docs/schema` are those that the program prints.
#[test]
fn schemas_beside_the_book_are_current() {
    let bless = std::env::var_os("PESSOI_BLESS").is_some();
    let scratch = Scratch::new();
    for name in ["question", "answer", "solution", "plan", "verdict", "error"] {
        let path = root().join("docs/schema").join(format!("{name}.json"));
        let printed = scratch.pessoi(&format!("schema {name}")).out;
        if bless {
            std::fs::create_dir_all(root().join("docs/schema")).expect("a folder");
            std::fs::write(&path, printed).expect("a schema");
        } else {
            let kept = std::fs::read_to_string(&path).unwrap_or_default();
            assert!(
                kept == printed,
                "{name}: PESSOI_BLESS=1 writes the schema that is printed now"
            );
        }
    }
}

#[test]
fn every_chapter_is_in_the_summary_and_every_link_leads_somewhere() {
    let folder = root().join("docs/src");
    let summary = std::fs::read_to_string(folder.join("SUMMARY.md")).expect("a summary");
    for path in documents() {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let in_book = path.starts_with(&folder) && name != "SUMMARY.md";
        assert!(!in_book || summary.contains(&format!("({name})")), "{name} is in no summary");
        let text = std::fs::read_to_string(&path).expect("a document");
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let file = link.split('#').next().unwrap_or_default();
            let is_local = !file.is_empty() && !file.contains("://") && !file.contains(' ');
            let there = path.parent().expect("a folder").join(file);
            assert!(!is_local || there.exists(), "{}: {link} leads nowhere", path.display());
        }
    }
}

#[test]
fn blurring_hides_times_and_nothing_else() {
    assert_eq!(blurred("sweep · 33 ms · 3.6 MiB · 12 nodes"), "sweep · # # · # # · 12 nodes");
    assert_eq!(blurred("144 directed paths, 4x5 s"), "144 directed paths, 4x5 s");
    assert_eq!(blurred("    \"seconds\": 0.25,"), "    \"seconds\":#,");
    assert_eq!(blurred("{\"seconds\":0.1,\"peak_bytes\":5}"), "{\"seconds\":#,\"peak_bytes\":#}");
}
