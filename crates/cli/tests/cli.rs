//! The command from outside: exit codes, bad input, files, signals.

mod harness;

use harness::Scratch;

/// One sentence on standard error, exit code 2, nothing on standard output.
fn refused(scratch: &Scratch, args: &str, about: &str) {
    let before = scratch.files();
    let outcome = scratch.pessoi(args);
    assert_eq!(outcome.code, Some(2), "{args}: {outcome:?}");
    assert!(outcome.err.contains(about), "{args}: {outcome:?}");
    assert!(outcome.out.is_empty(), "{args}: {outcome:?}");
    assert_eq!(scratch.files(), before, "{args} left something behind");
}

/// As [`refused`], by a sentence of ours rather than by the reader of arguments.
fn refused_in_a_sentence(scratch: &Scratch, args: &str, about: &str) {
    refused(scratch, args, about);
    let err = scratch.pessoi(args).err;
    assert!(err.starts_with("error: ") && err.lines().count() == 1, "{args}: {err}");
    assert!(err.trim_end().ends_with(['.', '?']), "{args}: {err}");
}

#[test]
fn exit_codes() {
    let scratch = Scratch::new();
    for (args, code) in [
        ("find diplomatico 5x5", 0),
        ("find diplomatico 4x4", 1),
        ("count diplomatico 4x6 --closed", 1),
        ("find diplomatico 0x5", 2),
        ("count diplomatico 12x12 --time 200ms", 3),
        ("count diplomatico 6x6 --method plain-sweep --memory 1M", 3),
        ("--version", 0),
        ("--help", 0),
        ("", 2),
        ("nonsense", 2),
    ] {
        let outcome = scratch.pessoi(args);
        assert_eq!(outcome.code, Some(code), "{args}: {outcome:?}");
    }
}

#[test]
fn clusters_are_asked_from_python() {
    let scratch = Scratch::new();
    for args in ["cluster", "cluster --help", "cluster --master local[2] count go 5x5"] {
        refused_in_a_sentence(&scratch, args, "pip install '.[cluster]'");
    }
}

/// The command in a citation gives the value again, for drawn boards, files and chance too.
#[test]
fn the_command_of_a_citation_runs() {
    let scratch = Scratch::new();
    scratch.write("board.txt", "....\n.#..\n....\n....\n");
    scratch.write("clues.txt", "1 0 0\n0 0 0\n0 0 9\n");
    scratch.write("stones.txt", "X.\n.O\n");
    for args in [
        "count king-tours board.txt --from 1,1",
        "count numbrix clues.txt",
        "analyze go 2x2 --position stones.txt",
        "estimate diplomatico 6x6 --seed 7 --samples 100",
        "find knight-tours 5x5",
    ] {
        let saved = scratch.pessoi(&format!("{args} -o answer.json"));
        assert_eq!(saved.code, Some(0), "{args}: {saved:?}");
        let cited = scratch.pessoi("cite answer.json").out;
        let line = cited.lines().nth(1).expect("a second line");
        let command = line.split_once(": ").and_then(|(_, rest)| rest.rsplit_once(" (method "));
        let (command, _) = command.expect("a command and a method");
        let again = scratch.shell(&format!("{command} -o again.json"));
        let value = |name: &str| {
            let json: serde_json::Value = serde_json::from_str(&scratch.read(name)).expect("JSON");
            json["value"].clone()
        };
        assert_eq!(value("answer.json"), value("again.json"), "{command}: {again}");
        std::fs::remove_file(scratch.path("again.json")).expect("it was written");
    }
}

#[test]
fn parts_are_merged() {
    let scratch = Scratch::new();
    for part in ["1/2", "2/2", "1/3"] {
        let name = format!("{}.json", part.replace('/', "-"));
        let outcome = scratch.pessoi(&format!("count diplomatico 5x5 --part {part} -o {name}"));
        assert_eq!(outcome.code, Some(0), "{outcome:?}");
    }
    let merged = scratch.pessoi("merge 2-2.json 1-2.json");
    assert_eq!(merged.code, Some(0), "{merged:?}");
    assert!(merged.out.contains("6200 undirected open paths, exactly"), "{merged:?}");
    assert!(merged.out.contains("merged from 2 parts"), "{merged:?}");
    let merged = scratch.pessoi("merge 2-2.json 1-2.json -o whole.json");
    assert_eq!(merged.code, Some(0), "{merged:?}");
    assert!(scratch.read("whole.json").contains("\"6200\""));
    for (files, about) in [
        ("1-2.json", "Part 2/2 is missing"),
        ("1-2.json 1-2.json", "1-2.json (part 1/2) cannot be merged"),
        ("1-2.json 1-3.json", "1-3.json (part 1/3) cannot be merged"),
        ("1-2.json whole.json", "whole.json cannot be merged"),
        ("1-2.json nowhere.json", "nowhere.json"),
    ] {
        refused_in_a_sentence(&scratch, &format!("merge {files} --format json"), about);
        refused(&scratch, &format!("merge {files} -o new.json"), about);
    }
    for part in ["1/2", "2/2"] {
        let name = format!("none-{}.json", &part[..1]);
        scratch.pessoi(&format!("count diplomatico 4x4 --part {part} -o {name}"));
    }
    let none = scratch.pessoi("merge none-1.json none-2.json");
    assert_eq!(none.code, Some(1), "{none:?}");
}

#[test]
fn bad_boards() {
    let scratch = Scratch::new();
    scratch
        .write("ragged.txt", "...\n..\n")
        .write("strange.txt", "...\n.x.\n")
        .write("blocked.txt", "##\n##\n")
        .write("empty.txt", "")
        .write("twice.txt", "1 0 1\n")
        .write("bytes.txt", "");
    std::fs::write(scratch.path("bytes.txt"), [0xff, 0xfe, 0x2e]).unwrap();
    std::fs::create_dir(scratch.path("folder")).unwrap();
    for (board, about) in [
        ("0x5", "0x5"),
        ("5x0", "5x0"),
        ("-3x4", "-3x4"),
        ("-5", "-5"),
        ("10x", "10x"),
        ("x10", "x10"),
        ("10x10x10", "10x10x10"),
        ("99999999999999999999x2", "99999999999999999999"),
        ("10001x1", "10000"),
        ("p3x4", "did you mean P3x4"),
        ("P3x4", "hexagonal"),
        ("12", "12 is a number"),
        ("missing.txt", "no such file"),
        ("folder/", "is a folder"),
        ("./folder", "is a folder"),
        ("ragged.txt", "Line 2 has 2 cells"),
        ("strange.txt", "Line 2, column 2"),
        ("blocked.txt", "cell"),
        ("empty.txt", "empty"),
        ("twice.txt", "1"),
        ("bytes.txt", "not text"),
    ] {
        refused_in_a_sentence(&scratch, &format!("find diplomatico {board}"), about);
    }
}

#[test]
fn bad_words_and_options() {
    let scratch = Scratch::new();
    for (args, about) in [
        ("find diplomatic 5x5", "did you mean diplomatico?"),
        ("find chess 5x5", "there are diplomatico"),
        (
            "count diplomatico 5x5 --method chen",
            "one of auto, branch, pairings, plain-sweep, search",
        ),
        ("find diplomatico 5x5 --memory 1K", "at least 1M"),
        ("find diplomatico 5x5 --memory lots", "such as 512M or 4G"),
        ("find diplomatico 5x5 --time never", "such as 90s"),
        ("find diplomatico 5x5 --time 0", "such as 90s"),
        ("find diplomatico 5x5 --threads 0", "from 1 to 1024"),
        ("find diplomatico 5x5 --seed x", "whole number"),
        ("find diplomatico 5x5 --limit 0", "from 1."),
        ("find diplomatico 5x5 --limit 3 --all", "combined"),
        ("find diplomatico 5x5 --from 9,9", "not a cell"),
        ("find diplomatico 5x5 --from middle", "row,column"),
        (
            "find diplomatico 5x5 --method luck",
            "one of auto, rotations, tiling, patches, sat, warnsdorff, backtrack",
        ),
        ("find diplomatico 5x5 --format yaml", "there are text, json"),
        ("find diplomatico 5x5 --format bfile", "cannot be written as bfile"),
        ("list diplomatico 5x5 --part 3/2", "1 ≤ i ≤ m"),
        ("plan find diplomatico 5x5 --format svg", "cannot be written as svg"),
        ("find diplomatico 5x5 --output missing/file.txt", "no such file or folder"),
        ("generate hopido 5x5 --clues 26", "more than 25"),
        ("generate hopido 5x5 --clues 0", "from 1"),
        ("generate hopido 5x5 --difficulty deadly", "one of easy, medium, hard"),
        ("generate hopido 5x5 --format bfile", "text, json, csv, svg"),
        ("verify missing.json", "no such file"),
        ("games chess", "there are diplomatico"),
        ("fnd diplomatico 5x5", "did you mean find?"),
        (
            "find diplomatico",
            "rows x columns such as 6x6, or a drawing with blocked cells and clues; nothing was given",
        ),
        ("find diplomatico 5x5 --close", "did you mean --closed?"),
        ("find diplomatico 5x5 --directed", "count, estimate, recurrence do"),
        ("find diplomatico 5x5 --nonsense", "it takes --moves, --closed, --from"),
        ("find diplomatico 5x5 --limit -1", "--limit \"-1\""),
        ("find diplomatico 5x5 --time -1", "--time \"-1\""),
        ("find diplomatico board", "nor a file with a drawing"),
        ("count knight-loops 2", "2 is not between 3 and 64"),
        ("count knight-loops 99", "99 is not between 3 and 64"),
        ("count knight-loops 8 --method luck", "one of auto, orderly, doubling"),
        ("count knight-loops 8 --format bfile", "--sequence"),
        ("list knight-loops 8 --format dot", "text, json, csv, packed, svg"),
        ("convert missing.packed", "no such file"),
    ] {
        refused_in_a_sentence(&scratch, args, about);
    }
    // This is told by the reader of arguments, which adds how to get help.
    refused(&scratch, "find diplomatico 5x5 --limit", "--limit");
}

#[test]
fn files_appear_whole_or_not_at_all() {
    let scratch = Scratch::new();
    let outcome = scratch.pessoi("find diplomatico 5x5 --format svg --output path.svg");
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    assert_eq!(scratch.files(), ["path.svg"]);
    let svg = scratch.read("path.svg");
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"), "{svg}");
    // There is no picture of nothing, and the old one stays.
    let outcome = scratch.pessoi("find diplomatico 4x4 --format svg --output path.svg");
    assert_eq!(outcome.code, Some(1), "{outcome:?}");
    assert!(outcome.err.contains("there are no"), "{outcome:?}");
    assert_eq!(scratch.read("path.svg"), svg);
    // Text in a file has no colours, and links and devices are not replaced.
    scratch.pessoi("find diplomatico 5x5 --output path.txt");
    assert!(!scratch.read("path.txt").contains('\u{1b}'));
    std::fs::remove_file(scratch.path("path.txt")).unwrap();
    #[cfg(unix)]
    {
        scratch.write("real.svg", "old");
        std::os::unix::fs::symlink(scratch.path("real.svg"), scratch.path("link.svg")).unwrap();
        scratch.pessoi("find diplomatico 5x5 --format svg --output link.svg");
        assert!(std::fs::symlink_metadata(scratch.path("link.svg")).unwrap().is_symlink());
        assert_eq!(scratch.read("real.svg"), svg);
        for file in ["link.svg", "real.svg"] {
            std::fs::remove_file(scratch.path(file)).unwrap();
        }
        assert_eq!(scratch.pessoi("find diplomatico 5x5 --output /dev/null").code, Some(0));
        assert!(!std::fs::metadata("/dev/null").unwrap().is_file());
    }
    std::fs::create_dir(scratch.path("folder")).unwrap();
    let outcome = scratch.pessoi("find diplomatico 5x5 --output folder");
    assert_eq!(outcome.code, Some(2), "{outcome:?}");
    assert!(outcome.err.contains("is a folder"), "{outcome:?}");
    assert_eq!(scratch.files(), ["folder", "path.svg"]);
}

#[test]
fn saved_answers_are_verified() {
    let scratch = Scratch::new();
    for (args, what) in [
        ("find diplomatico 10x10", "path is as asked"),
        ("find diplomatico 4x4", "no move joins"),
        ("count diplomatico 4x5", "agrees"),
        ("list diplomatico 4x5", "finds no more"),
        ("classify diplomatico 4x5", "disjoint"),
        ("explore knight-tours 8x8", "6 moves apart"),
        ("sample knight-tours 5x5 --samples 3", "3 paths are as asked"),
    ] {
        scratch.pessoi(&format!("{args} --format json --output answer.json"));
        let outcome = scratch.pessoi("verify answer.json");
        assert_eq!(outcome.code, Some(0), "{args}: {outcome:?}");
        assert!(
            outcome.out.contains("All claims hold.") && outcome.out.contains(what),
            "{outcome:?}"
        );
    }
    // Exchanging two cells of a path is noticed, and so is cutting the file short.
    scratch.pessoi("find diplomatico 5x5 --format json --output answer.json");
    let good = scratch.read("answer.json");
    let bad =
        good.replace("\"3,3\"", "\"X\"").replace("\"1,1\"", "\"3,3\"").replace("\"X\"", "\"1,1\"");
    assert_ne!(good, bad);
    scratch.write("bad.json", &bad).write("short.json", &good[..good.len() / 2]);
    let outcome = scratch.pessoi("verify bad.json");
    assert_eq!(outcome.code, Some(1), "{outcome:?}");
    assert!(outcome.err.contains("are not one move apart"), "{outcome:?}");
    let outcome = scratch.pessoi("verify short.json");
    assert_eq!(outcome.code, Some(2), "{outcome:?}");
    assert!(outcome.err.contains("not an answer in JSON"), "{outcome:?}");
    // Packed lists are checked too, and read again.
    scratch.pessoi("list knight-loops 6 --format packed --output loops.packed");
    let outcome = scratch.pessoi("verify loops.packed");
    assert!(outcome.out.contains("25 loops are as asked"), "{outcome:?}");
    scratch.pessoi("list knight-loops 6 --format json --output loops.json");
    let lines = scratch.pessoi("list knight-loops 6").out;
    assert_eq!(lines.lines().count(), 25);
    for file in ["loops.packed", "loops.json"] {
        assert_eq!(scratch.pessoi(&format!("convert {file}")).out, lines);
    }
    // There is no picture of nothing.
    let outcome = scratch.pessoi("list knight-loops 7 --format svg --output none.svg");
    assert_eq!(outcome.code, Some(1), "{outcome:?}");
    assert!(!scratch.files().contains(&"none.svg".to_owned()), "{outcome:?}");
    // What carries no certificate is not said to hold.
    scratch.pessoi("estimate diplomatico 5x5 --samples 10 --format json --output answer.json");
    assert_eq!(scratch.pessoi("verify answer.json").code, Some(3));
}

#[test]
fn drawings_come_from_files_and_standard_input() {
    let scratch = Scratch::new();
    scratch.write("board.txt", ". . . . .\n. . . . .\n. . # . .\n. . . . .\n. . . . .\n");
    let from_file = scratch.pessoi("count diplomatico board.txt");
    assert_eq!(from_file.code, Some(0), "{from_file:?}");
    let piped = if cfg!(unix) {
        scratch.shell("pessoi count diplomatico - < board.txt")
    } else {
        from_file.out.clone()
    };
    assert_eq!(piped.lines().next(), from_file.out.lines().next());
}

#[test]
fn nothing_is_coloured_and_no_progress_is_shown_where_nobody_watches() {
    let scratch = Scratch::new();
    let outcome = scratch.pessoi("find diplomatico 10x10");
    assert!(!outcome.out.contains('\u{1b}'), "{outcome:?}");
    assert_eq!(outcome.err, "");
}

#[test]
fn completions_and_the_manual_know_the_games_options() {
    let scratch = Scratch::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let outcome = scratch.pessoi(&format!("completions {shell}"));
        assert!(outcome.out.contains("closed"), "{shell}");
    }
    let manual = scratch.pessoi("man").out;
    assert!(manual.contains(".TH pessoi 1") && manual.contains("closed"), "{manual}");
}

#[cfg(unix)]
mod signals {
    use super::*;
    use std::io::Read;
    use std::process::Stdio;

    use harness::Wait;

    #[test]
    fn interrupting_tells_what_is_known() {
        for (args, known) in [
            (&["list", "diplomatico", "7x7"][..], "at least"),
            (&["count", "diplomatico", "8x8", "--method", "search"], "because it was interrupted"),
            (
                &["count", "diplomatico", "7x7", "--method", "plain-sweep"],
                "because it was interrupted",
            ),
            (&["find", "diplomatico", "6x6", "--all"], "because it was interrupted"),
            (&["recurrence", "diplomatico", "5", "--closed"], "because it was interrupted"),
            (&["estimate", "diplomatico", "7x7", "--samples", "9999999"], "it was interrupted"),
            (&["estimate", "diplomatico", "500x500"], "because it was interrupted"),
            (&["sample", "diplomatico", "7x7"], "because it was interrupted"),
        ] {
            let scratch = Scratch::new();
            let mut command = scratch.command(args);
            command.args(["--log", "log", "--log-every", "1ms"]);
            command.stdout(std::fs::File::create(scratch.path("out")).unwrap());
            let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
            // On its way, as the log says; a list has something in it.
            child.wait_until(|| {
                let is_begun = args[0] != "list" || !scratch.read("out").is_empty();
                is_begun && scratch.lines("log") > 2
            });
            child.signal("INT");
            // Left alone, it would take hours.
            assert_eq!(child.wait().unwrap().code(), Some(130), "{args:?}");
            let mut told = String::new();
            child.stderr.take().unwrap().read_to_string(&mut told).unwrap();
            told += &scratch.read("out");
            assert!(told.contains(known), "{args:?}: {told}");
        }
    }

    #[test]
    fn a_reader_that_leaves_ends_the_list() {
        let scratch = Scratch::new();
        let first = scratch.shell("pessoi list diplomatico 7x7 2>/dev/null | head -n 3");
        assert_eq!(first.lines().count(), 3, "{first}");
    }

    #[test]
    fn an_interrupted_list_goes_to_a_file_of_its_own() {
        let scratch = Scratch::new();
        let args = ["list", "diplomatico", "7x7", "--format", "json", "--output", "list.json"];
        scratch.write("list.json", "old");
        let mut child = scratch.command(&args).stderr(Stdio::null()).spawn().unwrap();
        child.wait_until(|| scratch.size(".list.json.draft") > 0);
        child.signal("INT");
        assert_eq!(child.wait().unwrap().code(), Some(130));
        assert_eq!(scratch.files(), ["list.json", "list.json.partial"]);
        assert_eq!(scratch.read("list.json"), "old", "the whole one of before is kept");
        let list = scratch.read("list.json.partial");
        let last = list.lines().last().unwrap();
        assert!(last.contains("\"standing\":\"at-least\""), "{last}");
    }
}
