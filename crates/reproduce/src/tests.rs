//! The data files are whole, and what must be noticed is noticed.

use std::collections::BTreeMap;
use std::sync::LazyLock;
use std::time::Duration;

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

/// A run on a clock that stands still: what fits a budget is then decided by the costs in the
/// data alone, and nothing is given up on a machine that is slow or busy.
fn unhurried() -> Run {
    Run::stepping(Budget { threads: 2, ..Budget::default() }, Duration::ZERO)
}

const TODAY: &str = "2026-11-16";

/// A report on one value of 5×5.
fn report(fields: &str, spend: Spend, stored: &Runs) -> Report {
    let value = format!("[[table.value]]\nat = \"5x5\"\n{fields}\n");
    let papers = [paper(&value)];
    reproduce(&CATALOGUE, &papers, None, spend, stored, TODAY, &Run::default()).unwrap()
}

/// Its only line, if everything is computed.
fn line(fields: &str) -> Line {
    report(fields, Spend::Everything, &Runs::default()).papers[0].tables[0].lines[0].clone()
}

/// The verdict on a value of 5×5, of which there are 6200 paths.
fn verdict(fields: &str) -> Verdict {
    line(fields).verdict
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
    let support = |ask: &str| line(&format!("{ask}standing = \"new\"")).support.unwrap();
    let ask = asks("--method search", "--method plain-sweep");
    assert_eq!(verdict(&format!("{ask}standing = \"new\"")), Verdict::New);
    assert_eq!(support(&ask).to_string(), "confirmed by search and plain-sweep");
    // The same code walks both trees, so an error of it would be in both.
    let shared = support(&asks("--method branch", "--method search"));
    let Support::SharedCode { components, .. } = &shared else { panic!("{shared}") };
    assert!(components.iter().any(|name| name == "search-runner"), "{shared}");
    assert!(shared.to_string().starts_with("not confirmed: branch and search share "), "{shared}");
    let one = support("ask = \"count diplomatico 5x5 --method search\"\n");
    assert_eq!(one, Support::OneMethod { method: "search".into() });
    // What is found is checked move by move.
    let found = support("ask = \"find diplomatico 5x5\"\n");
    assert!(matches!(found, Support::Checked { .. }), "{found}");
    let pinned = verdict(&format!("{ask}standing = \"new\"\ncorrect = \"6201\""));
    assert!(matches!(&pinned, Verdict::Disagrees { why } if why.contains("before")));
    let ask = "ask = [\"count diplomatico 5x5\", \"count diplomatico 5x5 --closed\"]\n";
    let differ = verdict(&format!("{ask}standing = \"new\""));
    assert!(matches!(&differ, Verdict::Disagrees { why } if why.contains("methods differ")));
}

/// The names of the methods of a game that count and confirm this one.
fn confirming(game: &str, id: &str) -> Vec<&'static str> {
    let methods = CATALOGUE.game(game).unwrap().card().menu(pessoi::Verb::Count).methods;
    let this = methods.iter().find(|method| method.id == id).unwrap();
    let others = methods.iter().filter(|other| other.named && other.confirms(this));
    others.map(|other| other.id).collect()
}

/// What the cards declare. A change here changes what is called confirmed.
#[test]
fn what_confirms_what() {
    use pessoi::component::confirm;
    assert_eq!(confirming("diplomatico", "branch"), ["pairings", "plain-sweep"]);
    assert_eq!(confirming("diplomatico", "pairings"), ["branch", "plain-sweep", "search"]);
    assert_eq!(confirming("diplomatico", "plain-sweep"), ["branch", "pairings", "search"]);
    assert_eq!(confirming("diplomatico", "search"), ["pairings", "plain-sweep"]);
    assert_eq!(confirming("go", "matrix"), ["sweep", "search", "memo"]);
    assert_eq!(confirming("go", "memo"), ["sweep", "table", "matrix"]);
    assert_eq!(confirming("hex-slide", "hole-sets"), ["plain"]);
    assert!(confirming("hex-slide", "plain").is_empty(), "the group has no name of its own");
    assert!(confirm(&["a"], &["b"]) && !confirm(&["a", "b"], &["b"]));
    let nothing: [&str; 0] = [];
    assert!(!confirm(&nothing, &["b"]) && !confirm(&nothing, &nothing));
}

/// Nothing agrees that was not computed, now or in a run that is named.
#[test]
fn what_was_computed_before_is_marked_with_its_run() {
    let value = "ask = \"count diplomatico 5x5 --method search\"\npublished = \"6200\"\n\
                 standing = \"agrees\"\ncost = 9.0\n";
    let shown = |fields: &str, stored: &Runs| {
        report(fields, Spend::Nothing, stored).papers[0].tables[0].lines[0].clone()
    };
    let mut stored = Runs::default();
    assert!(matches!(shown(value, &stored).verdict, Verdict::OverBudget { .. }));
    let computed = report(value, Spend::Everything, &stored);
    assert!(computed.papers[0].tables[0].lines[0].run.is_none());
    stored.add(computed.made);
    // What is written is read again.
    stored = Runs::parse(&stored.write().unwrap()).unwrap();
    let before = shown(value, &stored);
    assert_eq!(before.verdict, Verdict::Agrees);
    assert_eq!(before.computed.as_deref(), Some("6200"));
    assert_eq!(before.run.as_ref().unwrap().date, TODAY);
    for form in [Form::Text, Form::Markdown, Form::Html] {
        let text = report(value, Spend::Nothing, &stored).render(form).unwrap();
        assert!(text.contains("agrees (run of 2026-11-16, version "), "{text}");
    }
    // A stored value is judged by the data of today, and only for the same question.
    let changed = shown(&value.replace("6200", "6201"), &stored);
    assert!(matches!(changed.verdict, Verdict::Disagrees { .. }));
    let other = shown(&value.replace("search", "branch"), &stored);
    assert!(matches!(other.verdict, Verdict::OverBudget { .. }));
    assert!(Runs::parse("{}").unwrap_err().to_string().contains("Line 1"));
}

/// An error that is argued is neither agreement nor an error that was computed.
#[test]
fn arguments_are_not_computations() {
    let argued = "published = \"1\"\nstanding = \"argued: It is 2.\"\ncorrect = \"2\"";
    let line = line(argued);
    assert_eq!(line.verdict, Verdict::Argued { why: "It is 2.".into() });
    assert!(line.computed.is_none() && line.support.is_none());
}

/// The runs that are built in are read, are of questions in the data, and name components that
/// there are.
#[test]
fn built_in_runs_are_of_today() {
    let asked: std::collections::BTreeSet<String> =
        papers(None).unwrap().iter().flat_map(Paper::values).flat_map(|v| v.ask.clone()).collect();
    let components: std::collections::BTreeSet<&str> = CATALOGUE
        .games()
        .flat_map(|game| game.card().methods)
        .flat_map(|method| method.components.iter().copied())
        .collect();
    for ran in Runs::built_in().unwrap().iter() {
        assert!(asked.contains(&ran.ask), "{} is not asked any more", ran.ask);
        for name in &ran.method.components {
            assert!(components.contains(name.as_str()), "{}: {name} is no component", ran.ask);
        }
    }
}

/// No stored run contradicts the data, and every error of a paper is computed in one.
#[test]
fn stored_runs_stand_behind_the_errors() {
    let (papers, stored) = (papers(None).unwrap(), Runs::built_in().unwrap());
    let report =
        reproduce(&CATALOGUE, &papers, None, Spend::Nothing, &stored, TODAY, &Run::default())
            .unwrap();
    assert_eq!(report.disagreements(), 0, "{}", report.summary());
    for paper in &report.papers {
        for line in paper.tables.iter().flat_map(|table| &table.lines) {
            let is_claimed = matches!(line.verdict, Verdict::Agrees | Verdict::PaperWrong { .. });
            assert!(!is_claimed || line.run.is_some(), "{}: {}", paper.name, line.at);
        }
    }
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
        let spend = Spend::Time(Duration::from_secs(seconds));
        let stored = Runs::default();
        let report =
            reproduce(&CATALOGUE, &papers, None, spend, &stored, TODAY, &unhurried()).unwrap();
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
    let wrong = "published = \"1\"\nstanding = \"paper wrong: It is 2.\"\ncorrect = \"2\"";
    assert!(refused(wrong).contains("needs a question"));
    let argued = wrong.replace("paper wrong", "argued");
    assert!(refused(&format!("{ASK}{argued}")).contains("not computed"));
    assert!(refused("published = \"1\"\nstanding = \"sure\"").contains("paper wrong"));
    let wrong = "published = \"1\"\nstanding = \"paper wrong: It is 2.\"";
    assert!(refused(&format!("{ASK}{wrong}")).contains("correct value must be given"));
    assert!(refused("published = \"1\"\nstandng = \"agrees\"").contains("standng"));
}

#[test]
fn tables_and_papers_that_are_not_there() {
    assert!(papers(Some("knigt")).unwrap_err().to_string().contains("did you mean knight?"));
    let (go, stored) = (papers(Some("go")).unwrap(), Runs::default());
    let none =
        reproduce(&CATALOGUE, &go, Some("99"), Spend::Nothing, &stored, TODAY, &Run::default());
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

/// All papers within a few seconds of the data's costs; `.ci/run` takes a minute of them with
/// the release build.
#[test]
fn what_is_cheap_agrees() {
    let budget = Spend::Time(Duration::from_secs(5));
    // Every third value: the command computes them all in no more time.
    let mut papers = papers(None).unwrap();
    for table in papers.iter_mut().flat_map(|paper| &mut paper.tables) {
        let values = std::mem::take(&mut table.values);
        table.values = values.into_iter().step_by(3).collect();
    }
    let report =
        reproduce(&CATALOGUE, &papers, None, budget, &Runs::default(), TODAY, &unhurried())
            .unwrap();
    assert_eq!((report.disagreements(), report.given_up()), (0, 0));
    assert_eq!(report.papers.len(), 4);
    for paper in &report.papers {
        let lines = paper.tables.iter().flat_map(|table| &table.lines);
        let agree = lines.filter(|line| line.verdict == Verdict::Agrees).count();
        assert!(agree >= 10, "{} has {agree} values that agree", paper.name);
    }
}

/// When the time is over, the rest is given up.
#[test]
fn what_takes_too_long_is_given_up() {
    let value = format!("[[table.value]]\nat = \"5x5\"\n{ASK}cost = 1.0\nstanding = \"new\"\n");
    let time = Some(Duration::from_secs(1));
    let run = Run::stepping(Budget { time, ..Budget::default() }, Duration::from_secs(100));
    let budget = Spend::Everything;
    let report =
        reproduce(&CATALOGUE, &[paper(&value)], None, budget, &Runs::default(), TODAY, &run)
            .unwrap();
    assert_eq!(report.given_up(), 1);
}

/// A plan is given exactly where there is an answer, and it names the same engine. What takes
/// long is stopped, on a clock of steps: a stopped answer names its engine too.
fn plans_and_answers_agree(is_compared: impl Fn(f64) -> bool) {
    let mut seen = std::collections::BTreeSet::new();
    for paper in papers(None).unwrap() {
        for value in paper.values().filter(|value| value.is_asked() && is_compared(value.cost)) {
            for ask in value.ask.iter().filter(|ask| seen.insert((*ask).clone())) {
                let (question, seed) = question(&CATALOGUE, ask).unwrap();
                let run = || {
                    let time = Some(Duration::from_secs(1));
                    let seed = seed.unwrap_or(1);
                    let budget = Budget { seed, threads: 2, time, ..Budget::default() };
                    Run::stepping(budget, Duration::from_millis(20))
                };
                let plan = CATALOGUE.plan(&question, &run()).map(|plan| plan.method.id);
                let answer = CATALOGUE.answer(&question, &run()).map(|answer| answer.method.id);
                assert_eq!(plan, answer, "{ask}");
            }
        }
    }
    assert!(seen.len() > 1000, "only {} questions were compared", seen.len());
}

#[test]
fn plans_name_the_engine_of_quick_questions() {
    plans_and_answers_agree(|cost| cost <= 0.1);
}

#[test]
#[ignore = "nearly a minute"]
fn plans_name_the_engine_of_all_questions() {
    plans_and_answers_agree(|_| true);
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

/// Bounds are proved, so they hold on every board whose tours were ever counted: those of the
/// stored runs, and larger ones from the book.
#[test]
fn bounds_hold_on_every_board_that_was_counted() {
    let book = [
        ("analyze knight-tours 8x8 --closed --bounds", "13267364410532"),
        ("analyze knight-tours 8x8 --bounds", "9795914085489952"),
        ("analyze knight-tours 8x10 --closed --bounds", "4235482818156697040"),
    ];
    let mut counted: BTreeMap<String, String> =
        book.map(|(ask, number)| (ask.to_owned(), number.to_owned())).into();
    for ran in Runs::built_in().unwrap().iter() {
        let Some(of) = ran.ask.strip_prefix("count ") else { continue };
        let is_tours = of.starts_with("diplomatico ") || of.contains("-tours ");
        let is_of_all = ["--limit", "--classes", "--to", "--mod", "--from"]
            .iter()
            .all(|option| !of.contains(option));
        let (Some(number), true) = (ran.taken.get("value"), is_tours && is_of_all) else {
            continue;
        };
        let Ok(number) = number.parse::<u128>() else { continue };
        // Of two directed tours there is one undirected one.
        let number = if of.contains("--directed") { number / 2 } else { number };
        let plain = of.split(" --method").next().unwrap_or_default().replace(" --directed", "");
        counted.insert(format!("analyze {plain} --bounds"), number.to_string());
    }
    assert!(counted.len() > 30, "{}", counted.len());
    let mut pieces = 0;
    for (ask, number) in counted {
        let number: f64 = number.parse().unwrap();
        let (question, _) = question(&CATALOGUE, &ask).unwrap();
        let answer = CATALOGUE.answer(&question, &unhurried()).unwrap();
        let bound = |id| answer.fact_of(id).and_then(pessoi::table::Datum::as_f64);
        for id in ["log10-most-by-degrees", "log10-most-by-reading"] {
            // There is no logarithm of nothing.
            let holds = bound(id).map_or(number == 0.0, |most| number.log10() <= most + 1e-9);
            assert!(holds, "{ask}: {id} is {:?}, and there are {number}", bound(id));
        }
        if let Some(least) = bound("log10-least-by-pieces") {
            pieces += 1;
            assert!(least <= number.log10() + 1e-9, "{ask}: {least} for {number}");
        }
    }
    assert!(pieces > 10, "{pieces}");
}
