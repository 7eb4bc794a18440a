//! The data files are whole, and what must be noticed is noticed.

use std::time::Duration;

use std::sync::LazyLock;

use super::*;

static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(Catalogue::standard);

/// A paper with one table; its values are written as in a data file.
fn paper(values: &str) -> Paper {
    Paper::parse(&format!(
        "name = \"x\"\ntitle = \"X\"\nauthors = \"Y\"\nyear = 2000\n\
         [[table]]\nname = \"Table 1\"\ntitle = \"Z\"\n{values}"
    ))
    .unwrap()
}

/// The verdict on a value of 5×5, of which there are 6200 paths.
fn verdict(fields: &str) -> Verdict {
    let value = format!("[[table.value]]\nat = \"5x5\"\n{fields}\n");
    let report = reproduce(&CATALOGUE, &[paper(&value)], None, None, &Run::default()).unwrap();
    report.papers[0].tables[0].lines[0].verdict.clone()
}

const ASK: &str = "ask = \"count diplomatico 5x5\"\n";

#[test]
fn a_changed_value_disagrees() {
    let published = |text: &str, more: &str| verdict(&format!("{ASK}published = {text:?}\n{more}"));
    assert_eq!(published("6200", "standing = \"agrees\""), Verdict::Agrees);
    assert_eq!(published("6 200", "standing = \"agrees\""), Verdict::Agrees);
    let wrong = published("6201", "standing = \"agrees\"");
    assert!(matches!(wrong, Verdict::Disagrees { .. }));
    let known = "standing = \"paper wrong: It is 6200.\"\ncorrect = \"6200\"";
    assert!(matches!(published("6201", known), Verdict::PaperWrong { .. }));
    // A known error that is none, and a correct value that is not.
    assert!(matches!(published("6200", known), Verdict::Disagrees { .. }));
    let false_correct = "standing = \"paper wrong: It is 6202.\"\ncorrect = \"6202\"";
    assert!(matches!(published("6201", false_correct), Verdict::Disagrees { .. }));
}

#[test]
fn comparisons() {
    let published = |text: &str, compare: &str| {
        verdict(&format!("{ASK}published = {text:?}\ncompare = {compare:?}\nstanding = \"agrees\""))
            == Verdict::Agrees
    };
    assert!(published("6.2e3", "rounded") && !published("6.3e3", "rounded"));
    assert!(published("6300", "within 2 %") && !published("6300", "within 1 %"));
    assert!(published("6200", "at least") && !published("6201", "at least"));
    assert!(published("6200", "at most") && !published("6199", "at most"));
    assert!(!published("many", "rounded"));
}

#[test]
fn methods_must_agree() {
    let asks = |first: &str, second: &str| {
        format!("ask = [\"count diplomatico 5x5 {first}\", \"count diplomatico 5x5 {second}\"]\n")
    };
    let ask = asks("--method branch", "--method search");
    assert_eq!(verdict(&format!("{ask}standing = \"new\"")), Verdict::New { confirmed: true });
    // Both look ahead by the same code, so an error of it would be in both.
    let same = asks("--method branch", "--method sweep");
    assert_eq!(verdict(&format!("{same}standing = \"new\"")), Verdict::New { confirmed: false });
    let pinned = verdict(&format!("{ask}standing = \"new\"\ncorrect = \"6201\""));
    assert!(matches!(&pinned, Verdict::Disagrees { why } if why.contains("before")));
    let ask = "ask = [\"count diplomatico 5x5\", \"count diplomatico 5x5 --closed\"]\n";
    let differ = verdict(&format!("{ask}standing = \"new\""));
    assert!(matches!(&differ, Verdict::Disagrees { why } if why.contains("methods differ")));
}

#[test]
fn parts_of_answers() {
    let taken = |ask: &str, take: &str, published: &str| {
        verdict(&format!(
            "ask = {ask:?}\ntake = {take}\npublished = {published:?}\nstanding = \"agrees\""
        ))
    };
    assert_eq!(taken("analyze diplomatico 5x5", "{ fact = \"cells\" }", "25"), Verdict::Agrees);
    assert_eq!(taken("recurrence go 2", "{ term = 5 }", "35117"), Verdict::Agrees);
    assert_eq!(taken("recurrence go 1", "{ factor = 2 }", "-1"), Verdict::Agrees);
    for none in ["{ factor = 0 }", "{ factor = 4 }"] {
        let missing = taken("recurrence go 1", none, "0");
        assert!(matches!(&missing, Verdict::Disagrees { why } if why.contains("no factor")));
    }
    let growth = taken("recurrence go 2", "\"growth\"", "8.53365251207176310397");
    assert_eq!(growth, Verdict::Agrees);
    assert_eq!(taken("find diplomatico 5x5", "\"solutions\"", "1"), Verdict::Agrees);
    let missing = taken("analyze diplomatico 5x5", "{ table = \"Nothing\", row = \"x\" }", "25");
    assert!(matches!(&missing, Verdict::Disagrees { why } if why.contains("no table")));
}

#[test]
fn published_solutions_are_checked() {
    let path = |path: &str| {
        verdict(&format!(
            "ask = \"find knight-loops 4\"\npath = {path:?}\npublished = \"valid\"\nstanding = \
             \"agrees\""
        ))
    };
    assert_eq!(path("3,1 4,3 2,4 1,2"), Verdict::Agrees);
    assert!(matches!(path("3,1 4,3 2,4 1,1"), Verdict::Disagrees { .. }));
    assert!(matches!(path("3,1 4,3 2,4"), Verdict::Disagrees { .. }));
}

#[test]
fn budgets_choose_the_cheapest() {
    let value = |cost: f64, n: u32| {
        format!(
            "[[table.value]]\nat = \"{n}\"\nask = \"count knight-loops {n}\"\ncost = {cost:?}\n\
             standing = \"new\"\n"
        )
    };
    let papers = [paper(&[value(5.0, 8), value(1.0, 4), value(2.0, 6)].concat())];
    let reached = |seconds: u64| {
        let budget = Some(Duration::from_secs(seconds));
        let report = reproduce(&CATALOGUE, &papers, None, budget, &Run::default()).unwrap();
        let lines = &report.papers[0].tables[0].lines;
        lines.iter().map(|line| line.computed.is_some()).collect::<Vec<_>>()
    };
    assert_eq!(reached(8), [true, true, true]);
    assert_eq!(reached(7), [false, true, true]);
    assert_eq!(reached(2), [false, true, false]);
}

#[test]
fn bad_data_is_refused() {
    let refused = |fields: &str| {
        let text = format!(
            "name = \"x\"\ntitle = \"X\"\nauthors = \"Y\"\nyear = 2000\n[[table]]\nname = \"Table \
             1\"\ntitle = \"Z\"\n[[table.value]]\nat = \"5x5\"\n{fields}\n"
        );
        Paper::parse(&text).unwrap_err().to_string()
    };
    assert!(refused("standing = \"agrees\"").contains("published text"));
    assert!(refused("published = \"1\"\nstanding = \"agrees\"").contains("needs a question"));
    assert!(refused("published = \"1\"\nstanding = \"sure\"").contains("paper wrong"));
    let wrong = "published = \"1\"\nstanding = \"paper wrong: It is 2.\"";
    assert!(refused(&format!("{ASK}{wrong}")).contains("correct value must be given"));
    assert!(refused("published = \"1\"\nstandng = \"agrees\"").contains("standng"));
}

#[test]
fn tables_and_papers_that_are_not_there() {
    assert!(papers(Some("knigt")).unwrap_err().to_string().contains("did you mean knight?"));
    let none =
        reproduce(&CATALOGUE, &papers(Some("go")).unwrap(), Some("99"), None, &Run::default());
    assert!(none.unwrap_err().to_string().contains("There is no table"));
}

/// A table's name, rows and cells.
type Printed = (&'static str, usize, usize);

/// The tables of each paper, with their rows and cells as they can be counted in print.
#[test]
fn every_table_of_the_papers_is_there() {
    let printed: [(&str, &[Printed]); 4] = [
        ("knight", &[("Table 1", 6, 18), ("Table 2", 8, 8), ("Table 3", 3, 3), ("Table 4", 7, 14)]),
        ("hex", &[("Table 1", 3, 6), ("Table 2", 6, 12), ("Table 3", 10, 20)]),
        (
            "diplomatico",
            &[
                ("Section IV, table 1", 4, 16),
                ("Section IV, table 2", 4, 16),
                ("Section IV, table 3", 4, 16),
                ("Section IV, table 4", 4, 8),
                ("Section IV, table 5", 4, 4),
            ],
        ),
        (
            "go",
            &[
                ("Table 1", 19, 38),
                ("Table 2", 9, 36),
                ("Table 3", 19, 38),
                ("Table 4", 10, 20),
                ("Table 5", 19, 19),
                ("Table 6", 18, 18),
                ("Table 7", 10, 10),
                ("Table 8", 10, 10),
            ],
        ),
    ];
    for (name, tables) in printed {
        let paper = papers(Some(name)).unwrap().remove(0);
        for &(table, rows, cells) in tables {
            let found = paper.tables.iter().find(|known| known.name == table);
            let found = found.unwrap_or_else(|| panic!("{name} has no {table}"));
            let values: Vec<_> = found.values.iter().filter(|v| v.published.is_some()).collect();
            let mut ats: Vec<_> = values.iter().map(|value| &value.at).collect();
            ats.sort();
            ats.dedup();
            // Remarks of the text on a table may stand with it.
            assert!(ats.len() >= rows, "{name}, {table}: {} rows", ats.len());
            assert!(values.len() >= cells, "{name}, {table}: {} values", values.len());
        }
        let others = paper.tables.iter().filter(|table| !table.name.contains("able")).count();
        assert!(others >= 4, "{name} has {others} theorems, sections and figures");
    }
}

/// A plan is given exactly where there is an answer, and it names the same engine. Questions
/// that take longer are compared by `--ignored`.
fn plans_and_answers_agree(is_compared: impl Fn(f64) -> bool) {
    let mut seen = std::collections::BTreeSet::new();
    for paper in papers(None).unwrap() {
        for value in paper.values().filter(|value| value.is_asked() && is_compared(value.cost)) {
            for ask in value.ask.iter().filter(|ask| seen.insert((*ask).clone())) {
                let (question, seed) = question(&CATALOGUE, ask).unwrap();
                let run = || {
                    Run::new(Budget { seed: seed.unwrap_or(1), threads: 2, ..Budget::default() })
                };
                let plan = CATALOGUE.plan(&question, &run()).map(|plan| plan.method.id);
                let answer = CATALOGUE.answer(&question, &run()).map(|answer| answer.method.id);
                assert_eq!(plan, answer, "{ask}");
            }
        }
    }
    assert!(seen.len() > 50, "only {} questions were compared", seen.len());
}

#[test]
fn plans_name_the_engine_of_quick_questions() {
    // Plans look at large boards for a third of a second each.
    plans_and_answers_agree(|cost| cost <= 0.005);
}

#[test]
#[ignore = "minutes"]
fn plans_name_the_engine_of_all_questions() {
    plans_and_answers_agree(|cost| cost <= 20.0);
}

#[test]
fn every_question_in_the_data_can_be_asked() {
    for paper in papers(None).unwrap() {
        for value in paper.values() {
            for ask in &value.ask {
                let (question, _) =
                    question(&CATALOGUE, ask).unwrap_or_else(|error| panic!("{ask}: {error}"));
                CATALOGUE.job(&question).unwrap_or_else(|error| panic!("{ask}: {error}"));
            }
        }
    }
}
