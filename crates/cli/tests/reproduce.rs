//! Published values computed again, from outside.

mod harness;

use harness::Scratch;

/// Two values of a paper; without a budget, no clock decides whether they are computed.
const PAPER: &str = r#"
name = "knight"
title = "Loops of a knight"
authors = "Nobody"
year = 2000
[[table]]
name = "Table 1"
title = "Loops"
[[table.value]]
at = "8"
ask = "count knight-loops 8"
published = "480"
standing = "agrees"
[[table.value]]
at = "6"
ask = "count knight-loops 6"
published = "25"
standing = "agrees"
"#;

#[test]
fn a_value_changed_on_purpose_disagrees() {
    let scratch = Scratch::new();
    let changed = PAPER.replace("published = \"480\"", "published = \"481\"");
    scratch.write("honest.toml", PAPER).write("changed.toml", &changed);
    for form in ["text", "markdown", "html", "json"] {
        let words = format!("--table 1 --budget all --format {form}");
        let outcome = scratch.pessoi(&format!("reproduce --data honest.toml {words}"));
        assert_eq!(outcome.code, Some(0), "{outcome:?}");
        let outcome = scratch.pessoi(&format!("reproduce --data changed.toml {words}"));
        assert_eq!(outcome.code, Some(1), "{outcome:?}");
        assert!(outcome.out.to_lowercase().contains("disagrees"), "{outcome:?}");
    }
}

/// What was computed is stored, and shown later with the day on which it was.
#[test]
fn runs_are_stored() {
    let scratch = Scratch::new();
    let data = "name = \"x\"\ntitle = \"X\"\nauthors = \"Y\"\nyear = 2000\n[[table]]\nname = \
                \"Table 1\"\ntitle = \"Z\"\n[[table.value]]\nat = \"5x5\"\nask = [\"count \
                diplomatico 5x5 --method search\", \"count diplomatico 5x5 --method \
                plain-sweep\"]\npublished = \"6200\"\nstanding = \"agrees\"\n";
    scratch.write("x.toml", data);
    let words = "reproduce --data x.toml --runs runs.jsonl";
    let before = scratch.pessoi(&format!("{words} --budget none"));
    assert!(before.out.contains("over budget"), "{before:?}");
    let now = scratch.shell(&format!("SOURCE_DATE_EPOCH=951782400 pessoi {words} --budget all"));
    assert!(now.contains("agrees ") && !now.contains("run of"), "{now}");
    let later = scratch.pessoi(&format!("{words} --budget none"));
    assert!(later.out.contains("agrees (run of 2000-02-29, version "), "{later:?}");
    assert!(later.out.contains("confirmed by search and plain-sweep"), "{later:?}");
    let json = scratch.pessoi(&format!("{words} --budget none --format json"));
    let json: serde_json::Value = serde_json::from_str(&json.out).unwrap();
    let line = &json["papers"][0]["tables"][0]["lines"][0];
    assert_eq!(line["run"]["date"], "2000-02-29");
    assert_eq!(line["support"]["by"], serde_json::json!(["search", "plain-sweep"]));
}

#[test]
fn bad_input() {
    let scratch = Scratch::new();
    scratch.write("odd.toml", "name = 1\n");
    for (words, about) in [
        ("reproduce chess", "There is no paper"),
        ("reproduce go --table 99", "There is no table"),
        ("reproduce go --budget soon", "--budget"),
        ("reproduce go --format svg", "text, markdown, html, json"),
        ("reproduce --data odd.toml", "no paper's data"),
        ("reproduce --data none.toml", "none.toml"),
        ("reproduce go --data odd.toml", "not both"),
        ("reproduce go --budget none --runs odd.toml", "Line 1 is no stored run"),
    ] {
        let outcome = scratch.pessoi(words);
        assert_eq!(outcome.code, Some(2), "{words}: {outcome:?}");
        assert!(outcome.err.contains(about), "{words}: {outcome:?}");
        assert!(outcome.out.is_empty(), "{words}: {outcome:?}");
    }
}
