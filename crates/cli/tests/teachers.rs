//! Searches step by step, methods side by side, and plots, as the command gives them.

mod harness;

use harness::Scratch;

#[test]
fn a_search_is_written_as_lines_and_as_a_film() {
    let scratch = Scratch::new();
    scratch.write("puzzle", "1 . .\n. . .\n. . 7\n");
    let lines = scratch.pessoi("trace numbrix puzzle --format jsonl");
    assert_eq!(lines.code, Some(0), "{lines:?}");
    let steps: Vec<serde_json::Value> =
        lines.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(steps.last().unwrap()["act"], "solved");
    assert!(steps.iter().any(|step| step["act"] == "back"));
    assert!(lines.out.starts_with("{\"step\":\"1\",\"act\":"), "in the order of the columns");
    let film = scratch.pessoi("trace numbrix puzzle -o search.svg");
    assert_eq!(film.code, Some(0), "{film:?}");
    assert_eq!(scratch.read("search.svg").matches(">Step ").count(), steps.len());
    // A film of the first steps is a whole file.
    let few = scratch.pessoi("trace knight-tours 8x8 --limit 5 -o few.svg");
    assert_eq!(few.code, Some(0), "{few:?}");
    assert_eq!(scratch.read("few.svg").matches(">Step ").count(), 6);
    let refused = scratch.pessoi("trace knight-loops 8");
    assert!(refused.err.contains("try trace knight-tours"), "{refused:?}");
    let method = scratch.pessoi("trace knight-tours 8x8 --method sat");
    assert!(method.err.contains("auto, warnsdorff, backtrack, rules"), "{method:?}");
}

#[test]
fn methods_are_compared_on_one_board_and_on_a_range() {
    let scratch = Scratch::new();
    let one = scratch.pessoi("compare count knight-tours 5x5 --time 1000s");
    assert_eq!(one.code, Some(0), "{one:?}");
    for words in ["plain-sweep", "864", "All methods that gave a number agree."] {
        assert!(one.out.contains(words), "{words}: {one:?}");
    }
    let range = scratch.pessoi("compare count wazir-tours 1..3x2..3 --time 1000s -o costs.svg");
    assert_eq!(range.code, Some(0), "{range:?}");
    let plot = scratch.read("costs.svg");
    assert!(plot.contains(">cells</text>") && plot.contains(">pairings</text>"), "{plot}");
    let none = scratch.pessoi("compare count knight-tours 3x3 --time 1000s");
    assert_eq!(none.code, Some(1), "{none:?}");
    let help = scratch.pessoi("compare count knight-tours --help");
    assert!(help.out.contains("each method") && !help.out.contains("--method"), "{help:?}");
    let refused = scratch.pessoi("compare count knight-tours 5x5 --part 1/2");
    assert_eq!(refused.code, Some(2), "{refused:?}");
}

#[test]
fn numbers_are_plotted() {
    let scratch = Scratch::new();
    for (words, drawn) in [
        ("explore square-slide 2x3", "configurations"),
        ("explore go 2x2", "positions"),
        ("count knight-tours 1..4x1..4", "4 columns"),
        ("count wazir-tours 1..4xn", "a(n)"),
        ("recurrence wazir-tours 3 --closed", "a(n)"),
        ("estimate knight-tours 5x6 --samples 100", "undirected open paths"),
        ("analyze knight-tours 3x4 --profile --table tree", "dead ends"),
    ] {
        let outcome = scratch.pessoi(&format!("{words} -o plot.svg"));
        assert_eq!(outcome.code, Some(0), "{words}: {outcome:?}");
        let svg = scratch.read("plot.svg");
        assert!(svg.contains(drawn) && svg.contains("prefers-color-scheme:dark"), "{words}: {svg}");
    }
    let one = scratch.pessoi("count knight-tours 5x5 -o plot.svg");
    assert!(one.err.contains("a range of boards such as"), "{one:?}");
    let unknown = scratch.pessoi("explore square-slide 2x3 --table layer -o plot.svg");
    assert!(unknown.err.contains("distances"), "{unknown:?}");
}
