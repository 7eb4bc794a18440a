//! Published values computed again, from outside.

mod harness;

use std::path::Path;

use harness::Scratch;

/// A paper's data file.
fn data(name: &str) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../reproduce/papers").join(name);
    std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

/// All papers within a few seconds; `.ci/run` takes a minute with the release build.
#[test]
fn what_is_cheap_agrees() {
    let scratch = Scratch::new();
    let outcome = scratch.pessoi("reproduce --budget 5s --format json");
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    let report: serde_json::Value = serde_json::from_str(&outcome.out).unwrap();
    let papers = report["papers"].as_array().unwrap();
    assert_eq!(papers.len(), 4);
    for paper in papers {
        let tables = paper["tables"].as_array().unwrap();
        let lines = tables.iter().flat_map(|table| table["lines"].as_array().unwrap());
        let agree = lines.filter(|line| line["verdict"] == "agrees").count();
        assert!(agree >= 10, "{} has {agree} values that agree", paper["name"]);
    }
}

#[test]
fn a_value_changed_on_purpose_disagrees() {
    let scratch = Scratch::new();
    let honest = data("knight.toml");
    assert!(honest.contains("published = \"480\""));
    let changed = honest.replace("published = \"480\"", "published = \"481\"");
    scratch.write("honest.toml", &honest).write("changed.toml", &changed);
    for form in ["text", "markdown", "html", "json"] {
        let words = format!("--table 1 --budget 2s --format {form}");
        let outcome = scratch.pessoi(&format!("reproduce --data honest.toml {words}"));
        assert_eq!(outcome.code, Some(0), "{outcome:?}");
        let outcome = scratch.pessoi(&format!("reproduce --data changed.toml {words}"));
        assert_eq!(outcome.code, Some(1), "{outcome:?}");
        assert!(outcome.out.to_lowercase().contains("disagrees"), "{outcome:?}");
    }
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
    ] {
        let outcome = scratch.pessoi(words);
        assert_eq!(outcome.code, Some(2), "{words}: {outcome:?}");
        assert!(outcome.err.contains(about), "{words}: {outcome:?}");
        assert!(outcome.out.is_empty(), "{words}: {outcome:?}");
    }
}
