//! What lies between a question and the bytes that are written: each test stands for something
//! that once went wrong there.

mod harness;

use harness::Scratch;

/// One line on standard error that holds `about`, this exit code, and nothing printed.
fn refused(scratch: &Scratch, args: &str, code: i32, about: &str) {
    let outcome = scratch.pessoi(args);
    assert_eq!(outcome.code, Some(code), "{args}: {outcome:?}");
    assert!(outcome.err.contains(about), "{args}: {outcome:?}");
    assert_eq!(outcome.err.lines().count(), 1, "{args}: {outcome:?}");
}

#[test]
fn help_is_of_one_game_and_one_verb() {
    let scratch = Scratch::new();
    let tours = scratch.pessoi("find knight-tours --help").out;
    assert!(tours.contains("--from <CELL>") && tours.contains("rotations"), "{tours}");
    assert!(!tours.contains("--samples"), "{tours}");
    let slides = scratch.pessoi("find hex-slide --help").out;
    assert!(slides.contains("--from <TILES>") && slides.contains("[default: 2]"), "{slides}");
    let go = scratch.pessoi("count go --help").out;
    assert!(go.contains("matrix") && !go.contains("branch ("), "{go}");
    // A verb alone lists the games that answer it.
    let verb = scratch.pessoi("recurrence --help").out;
    assert!(verb.contains("go") && !verb.contains("hex-slide"), "{verb}");
}

#[test]
fn options_may_stand_before_the_game() {
    let scratch = Scratch::new();
    let outcome = scratch.pessoi("count --closed --method search knight-tours 5x6");
    assert!(
        outcome.out.starts_with("knight-tours on 5x6: 8 undirected closed paths"),
        "{outcome:?}"
    );
}

/// The words of `plan` used to be blamed on a verb `plan`.
#[test]
fn plans_refuse_as_their_verbs_do() {
    let scratch = Scratch::new();
    refused(&scratch, "plan count go 3x3 --bogus", 2, "count go takes no --bogus");
    refused(&scratch, "plan generate go 3x3", 2, "go cannot answer generate");
    refused(&scratch, "plan find diplomatico P3x4", 2, "hexagonal");
}

/// A range has dots and letters, and was once taken for the name of a file.
#[test]
fn ranges_of_boards_are_no_files() {
    let scratch = Scratch::new();
    let table = scratch.pessoi("count wazir-tours 1..3x1..3 --format csv").out;
    assert!(table.lines().count() > 9, "{table}");
    let terms = scratch.pessoi("count go 1..2xn --format bfile").out;
    assert!(terms.lines().any(|line| line == "1 1") && terms.ends_with("2 57\n"), "{terms}");
    refused(&scratch, "count go 1..0x2", 2, "is no range of boards");
    refused(&scratch, "count go 1..2x3.txt", 2, "cannot be read");
    refused(&scratch, "count go 3x3 --sequence", 2, "a range of boards such as");
    scratch.write("1..2x3", "..\n..\n");
    assert!(scratch.pessoi("count go 1..2x3").out.contains(": 57 "));
}

#[test]
fn the_ending_of_a_file_chooses_its_format() {
    let scratch = Scratch::new();
    scratch.pessoi("find diplomatico 5x5 -o path.svg");
    assert!(scratch.read("path.svg").starts_with("<svg"));
    scratch.pessoi("find diplomatico 5x5 -o PATH.JSON");
    assert!(scratch.read("PATH.JSON").starts_with('{'));
    scratch.pessoi("find diplomatico 5x5 -o path.unknown");
    assert!(scratch.read("path.unknown").contains("found 1 undirected open path"));
    scratch.pessoi("convert PATH.JSON -o again.csv");
    assert!(scratch.read("again.csv").starts_with("solution,number,row,column\n"));
    // An ending that is known, but cannot hold the answer, is refused.
    refused(&scratch, "count diplomatico 4x5 -o count.svg", 2, "cannot be written as svg");
    // A dash is standard output, and no file of that name.
    let outcome = scratch.pessoi("count diplomatico 4x5 -o -");
    assert!(outcome.out.contains("72 undirected open paths"), "{outcome:?}");
    assert!(!scratch.files().contains(&"-".to_owned()));
}

#[test]
fn csv_holds_one_table() {
    let scratch = Scratch::new();
    let value = scratch.pessoi("count diplomatico 5x5 --directed --format csv").out;
    let lines: Vec<&str> = value.lines().collect();
    assert_eq!(lines.len(), 2, "{value}");
    assert!(
        lines[1].starts_with("count,diplomatico,5x5,directed=true,directed-open-paths,exact,12400")
    );
    let kept = scratch.pessoi("count diplomatico 5x5 --classes --format csv").out;
    assert!(kept.lines().all(|line| !line.is_empty()), "one table has no blank lines: {kept}");
    let fields = |line: &str| line.matches(',').count();
    assert!(
        kept.lines().all(|line| fields(line) == fields(kept.lines().next().unwrap())),
        "{kept}"
    );
    assert!(kept.contains("count diplomatico 5x5 --classes"), "{kept}");
    let chosen = scratch.pessoi("count diplomatico 5x5 --classes --format csv --table value").out;
    assert!(chosen.starts_with("verb,game,place,options"), "{chosen}");
    refused(&scratch, "count diplomatico 5x5 --format csv --table x", 2, "There is no table \"x\"");
    let csv = "--table goes with --format csv";
    refused(&scratch, "count diplomatico 5x5 --table value", 2, csv);
    refused(&scratch, "plan count diplomatico 5x5 --table value", 2, csv);
}

#[test]
fn a_second_place_and_a_position_without_a_board_are_refused_in_words() {
    let scratch = Scratch::new();
    refused(&scratch, "count knight-tours 5x5 6x6", 2, "takes one place; \"6x6\" is one too many");
    scratch.write("pos.txt", "...\n");
    refused(&scratch, "analyze go --position pos.txt", 2, "name its size too");
}

/// An empty list used to lose its heading on the way.
#[test]
fn an_empty_list_keeps_its_heading() {
    let scratch = Scratch::new();
    scratch.pessoi("list knight-loops 7 -o list.json");
    let csv = scratch.pessoi("convert list.json --format csv").out;
    assert_eq!(csv, "solution,number,row,column\n");
}

/// Packed lists that were stopped used to be read as whole ones, and empty ones were files of
/// no bytes.
#[test]
fn packed_lists_say_whether_they_are_whole() {
    let scratch = Scratch::new();
    #[cfg(unix)]
    {
        use harness::Wait;
        let args = ["list", "knight-loops", "20", "--format", "packed", "-o", "x.packed"];
        let mut child = scratch.command(&args).stderr(std::process::Stdio::null()).spawn().unwrap();
        // More than a head.
        child.wait_until(|| scratch.size(".x.packed.draft") > 4096);
        child.signal("INT");
        assert_eq!(child.wait().unwrap().code(), Some(130));
        let json = scratch.shell("pessoi convert x.packed.partial --format json | tail -n 1");
        assert!(
            json.contains("\"standing\":\"at-least\"") && json.contains("\"limit\":\"cancelled\""),
            "{json}"
        );
    }
    let outcome = scratch.pessoi("list knight-loops 7 --format packed -o none.packed");
    assert_eq!(outcome.code, Some(1), "{outcome:?}");
    let read = scratch.pessoi("convert none.packed");
    assert_eq!(read.code, Some(0), "{read:?}");
    assert!(read.err.contains("there are no"), "{read:?}");
}

/// An edge to a node that was not there used to panic; misspelt fields used to be ignored.
#[test]
fn edited_answers_are_refused() {
    let scratch = Scratch::new();
    scratch.pessoi("export knight-tours 3x4 --format json -o graph.json");
    let good: serde_json::Value = serde_json::from_str(&scratch.read("graph.json")).unwrap();
    let refuse = |change: &dyn Fn(&mut serde_json::Value), about: &str| {
        let mut bad = good.clone();
        change(&mut bad);
        scratch.write("bad.json", &bad.to_string());
        for args in ["convert bad.json", "convert bad.json --format dot", "verify bad.json"] {
            refused(&scratch, args, 2, about);
        }
    };
    refuse(&|bad| bad["graph"]["edges"][0][1] = 9999.into(), "9999");
    refuse(&|bad| bad["colour"] = "red".into(), "unknown field `colour`");
    refuse(&|bad| bad["question"]["option"] = serde_json::json!({}), "unknown field `option`");
    refuse(&|bad| bad["format"] = 1.into(), "format 1");
    refuse(&|bad| bad["value"]["number"] = "5".into(), "unknown field `number`");
    refuse(&|bad| bad["question"]["options"] = serde_json::json!({"all": true}), "takes no --all");
}

#[test]
fn schemas_and_cards_are_json() {
    let scratch = Scratch::new();
    let all: serde_json::Value = serde_json::from_str(&scratch.pessoi("schema").out).unwrap();
    for name in ["question", "answer", "solution", "plan", "error"] {
        let one: serde_json::Value =
            serde_json::from_str(&scratch.pessoi(&format!("schema {name}")).out).unwrap();
        assert_eq!(all[name], one, "{name}");
    }
    refused(&scratch, "schema anser", 2, "did you mean answer?");
    let cards: serde_json::Value =
        serde_json::from_str(&scratch.pessoi("games --format json").out).unwrap();
    let go = cards.as_array().unwrap().iter().find(|card| card["name"] == "go").unwrap();
    assert_eq!(go["verbs"]["count"]["question"]["properties"]["verb"]["const"], "count");
    refused(&scratch, "games --format svg", 2, "text, json");
}

#[test]
fn checkpoints_are_refused_where_nothing_is_saved() {
    let scratch = Scratch::new();
    refused(&scratch, "find diplomatico 5x5 --checkpoint saved", 2, "does not save itself");
    refused(&scratch, "list diplomatico 5x5 --checkpoint saved", 2, "list --part i/m");
    refused(&scratch, "classify knight-loops 8 --checkpoint saved", 2, "list --part i/m");
    refused(&scratch, "count go 6x6 --resume", 2, "--resume needs --checkpoint");
    refused(&scratch, "count go 6x6 --checkpoint-every 5s", 2, "needs --checkpoint");
    refused(&scratch, "count go 6x6 --checkpoint saved --checkpoint-every x", 2, "every");
    assert!(scratch.files().is_empty());
}

/// Where inspection proved that there is none, classes were called paths.
#[test]
fn no_classes_are_classes() {
    let scratch = Scratch::new();
    scratch.pessoi("count knight-tours 3x3 --classes -o none.json");
    let outcome = scratch.pessoi("verify none.json");
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
}

#[test]
fn a_forged_answer_is_exit_code_one() {
    let scratch = Scratch::new();
    scratch.pessoi("count diplomatico 4x7 -o count.json");
    let forged = scratch.read("count.json").replace("\"36\"", "\"37\"");
    scratch.write("forged.json", &forged);
    refused(&scratch, "verify forged.json", 1, "36");
}

#[cfg(unix)]
mod unix {
    use super::*;
    use std::os::unix::fs::PermissionsExt;
    use std::process::Stdio;

    use harness::Wait;

    /// New files used to have the rights 0644 whatever the umask said.
    #[test]
    fn new_files_follow_the_umask() {
        let scratch = Scratch::new();
        for (umask, mode) in [("077", 0o600), ("022", 0o644), ("002", 0o664)] {
            scratch.shell(&format!("umask {umask}; pessoi find diplomatico 5x5 -o file.{umask}"));
            let there = std::fs::metadata(scratch.path(&format!("file.{umask}"))).unwrap();
            assert_eq!(there.permissions().mode() & 0o777, mode, "umask {umask}");
        }
    }

    /// Batch systems end jobs by SIGTERM: what is known is kept, and no draft stays behind.
    #[test]
    fn termination_keeps_what_is_known() {
        for signal in ["TERM", "HUP"] {
            let scratch = Scratch::new();
            let args = ["list", "diplomatico", "7x7", "-o", "list.json"];
            let mut child = scratch.command(&args).stderr(Stdio::null()).spawn().unwrap();
            child.wait_until(|| scratch.size(".list.json.draft") > 0);
            child.signal(signal);
            assert_eq!(child.wait().unwrap().code(), Some(130), "{signal}");
            assert_eq!(scratch.files(), ["list.json.partial"], "{signal}");
        }
    }

    /// A reader that wants one solution is not made to wait for many.
    #[test]
    fn the_first_solution_comes_at_once() {
        let scratch = Scratch::new();
        let first = scratch.shell("pessoi list diplomatico 8x8 2>/dev/null | head -n 1");
        assert_eq!(first.lines().count(), 1, "{first}");
    }
}
