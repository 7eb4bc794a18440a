use super::*;
use crate::export::Style;
use pessoi_engine::run::Budget;
use pessoi_engine::store::Store;

fn question(place: &str) -> Question {
    Question::new(Verb::Count, "knight-tours", place).unwrap()
}

fn answer(question: &Question) -> Answer {
    Catalogue::standard().answer(question, &Run::default()).unwrap()
}

fn terms(answer: &Answer) -> Vec<(u64, String)> {
    let terms = &answer.sequence.as_ref().unwrap().terms;
    terms.iter().map(|term| (term.n, term.value.to_string())).collect()
}

#[test]
fn ranges_are_read_and_written() {
    for (text, written, boards) in [
        ("1..6x1..6", "1..6x1..6", 36),
        ("5x1..8", "5x1..8", 8),
        ("2..3x7", "2..3x7", 2),
        ("1..8xn", "1..8xn", 8),
        ("n..8xn", "1..8xn", 8),
        ("nx3..5", "3..5xn", 3),
        ("4..4xn", "4..4xn", 1),
        ("4..4x5", "4..4x5", 1),
        (" 1..2×1..2 ", "1..2x1..2", 4),
    ] {
        let Place::Range(range) = Place::parse(text).unwrap() else { panic!("{text}") };
        assert_eq!(range.to_string(), written);
        assert_eq!(range.sizes().len(), boards, "{text}");
        assert_eq!(Place::parse(written).unwrap(), Place::Range(range));
    }
    for bad in ["1..x2", "5..2x3", "0..3x2", "nxn..", "1..2x3x4", "1..9999x1..9999", "1...3x2"] {
        let error = Place::parse(bad).unwrap_err();
        assert!(error.sentence.contains("1..6x1..6"), "{bad}: {error}");
        assert_eq!(error.field.as_deref(), Some("place"));
    }
    // Drawings stay drawings.
    for drawing in ["..", "..#\n...", "1 0 0\n0 0 3\n"] {
        assert!(matches!(Place::parse(drawing).unwrap(), Place::Board(_)), "{drawing}");
    }
}

/// Every number of a table is that of its board alone.
#[test]
fn boards_of_a_range_are_counted_as_alone() {
    let whole = answer(&question("2..5x3..6").with("closed", true));
    assert_eq!(whole.value, Value::Described {});
    let table = whole.table(BOARDS).unwrap();
    assert_eq!(table.rows.len(), 16);
    for row in &table.rows {
        let alone = question(&format!("{}x{}", row[0], row[1])).with("closed", true);
        let number = answer(&alone).value.number().unwrap();
        assert_eq!(row[2], Datum::from(&number), "{row:?}");
        assert_eq!(row[3] == Datum::from("none"), number == 0u32.into());
    }
    assert_eq!(whole.table(GRID).unwrap().rows[3][4], Datum::from(8u32));
}

#[test]
fn sequences_go_along_rows_squares_and_antidiagonals() {
    let row = answer(&question("3x4..8"));
    let row = terms(&row);
    assert_eq!(row[0], (4, "8".into()));
    assert_eq!(row.iter().map(|term| term.0).collect::<Vec<_>>(), [4, 5, 6, 7, 8]);
    let squares = answer(&question("1..5xn").with("directed", true));
    assert_eq!(terms(&squares)[4], (5, "1728".into()));
    let table = answer(&question("3..5x4..7"));
    let numbers: Vec<String> = terms(&table).into_iter().map(|term| term.1).collect();
    let alone = |place| answer(&question(place)).value.number().unwrap().to_string();
    let order = ["3x4", "3x5", "4x4", "3x6", "4x5", "5x4"];
    assert_eq!(numbers, order.map(alone));
}

/// What a limit stops is in the table, with the limit, and the rest is counted.
#[test]
fn limits_are_in_the_table() {
    let run = Run::stepping(
        Budget { time: Some(std::time::Duration::from_secs(40)), ..Budget::default() },
        std::time::Duration::from_secs(1),
    );
    let stopped = Catalogue::standard().answer(&question("2..6x3..6"), &run).unwrap();
    assert!(matches!(stopped.value, Value::GaveUp { stop: Limit::Time { .. } }));
    let table = stopped.table(BOARDS).unwrap();
    let is =
        |standing: &str| table.rows.iter().filter(|row| row[3] == Datum::from(standing)).count();
    assert!(is("none") > 0 && is("gave-up") > 0, "{table:?}");
    let stopped_rows = table.rows.iter().filter(|row| row[3] == Datum::from("gave-up"));
    assert!(stopped_rows.into_iter().all(|row| row[5].to_string().contains("time limit")));
    // Terms end before the first that is not known.
    assert!(terms(&stopped).len() <= 10);
}

/// A range that was stopped goes on from its checkpoint.
#[test]
fn ranges_go_on_from_their_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("range");
    let asked = question("3..5x3..5");
    let second = std::time::Duration::from_secs(1);
    let budget = Budget { time: Some(8 * second), ..Budget::default() };
    let run = Run::stepping(budget, second).with_store(Store::open(&path).unwrap());
    let first = Catalogue::standard().answer(&asked, &run).unwrap();
    assert!(first.value.stop().is_some());
    drop(run);
    let run = Run::default().with_store(Store::open(&path).unwrap());
    let whole = Catalogue::standard().answer(&asked, &run).unwrap();
    assert_eq!(whole.tables, answer(&asked).tables);
    drop(run);
    // Another range is refused.
    let run = Run::default().with_store(Store::open(&path).unwrap());
    assert!(Catalogue::standard().answer(&question("3..6x3..5"), &run).is_err());
}

#[test]
fn plans_add_up() {
    let catalogue = Catalogue::standard();
    let run = Run::default();
    let asked = question("4..5x4..5");
    let whole = catalogue.plan(&asked, &run).unwrap();
    assert_eq!(whole.method.id, EACH);
    assert!(whole.notes[0].starts_with("4 boards"), "{:?}", whole.notes);
}

#[test]
fn ranges_that_make_no_sense_are_refused() {
    let catalogue = Catalogue::standard();
    let run = Run::default();
    let error = |question: &Question| catalogue.answer(question, &run).unwrap_err().to_string();
    let find = Question::new(Verb::Find, "knight-tours", "1..3x1..3").unwrap();
    assert!(error(&find).contains("count knight-tours 1..3x1..3"), "{}", error(&find));
    let part = question("1..3x1..3").with("part", "1/2");
    assert!(error(&part).contains("1x1..3"), "{}", error(&part));
    let from = question("1x1..3").with("from", "2,2");
    assert!(error(&from).contains("On 1x1"), "{}", error(&from));
    let loops = Question::new(Verb::Count, "wazir-loops", "1..3x1..3").unwrap();
    assert!(error(&loops).contains("--sequence"), "{}", error(&loops));
    let format = catalogue.format(catalogue.game("go").unwrap().card(), Verb::Count, "bfile");
    let one = Question::new(Verb::Count, "go", "2x2").unwrap();
    let written = catalogue.write(&one, &run, format.unwrap(), &Style::default(), &mut Vec::new());
    assert!(written.unwrap_err().to_string().contains("1..6x1..6"));
}

#[test]
fn tables_are_checked_and_forgeries_found() {
    let catalogue = Catalogue::standard();
    let run = Run::default();
    let good =
        catalogue.answer(&Question::new(Verb::Count, "go", "1..2x1..3").unwrap(), &run).unwrap();
    let verdict = catalogue.check(&good, Effort::Usual, &run).unwrap();
    assert!(verdict.of("tables.boards").is_some_and(|f| f.standing != Standing::NotChecked));
    let mut bad = good.clone();
    bad.tables[0].rows[4][2] = 58u32.into();
    assert!(catalogue.check(&bad, Effort::Usual, &run).is_err());
    let mut bad = good.clone();
    bad.sequence.as_mut().unwrap().terms[1].value += 1u32;
    assert!(catalogue.check(&bad, Effort::Usual, &run).is_err());
    let mut bad = good.clone();
    bad.tables[0].rows.pop();
    assert!(catalogue.check(&bad, Effort::Usual, &run).is_err());
    // How a number is known, which limit was reached, and that something is there at all.
    for standing in ["banana", "at-least", "none", "gave-up"] {
        let mut bad = good.clone();
        bad.tables[0].rows[4][3] = standing.into();
        assert!(catalogue.check(&bad, Effort::Usual, &run).is_err(), "{standing}");
    }
    let mut bad = good.clone();
    bad.tables[0].rows[4][5] = "the time limit".into();
    assert!(catalogue.check(&bad, Effort::Usual, &run).is_err());
    let mut bad = good.clone();
    bad.tables.pop();
    assert!(catalogue.check(&bad, Effort::Usual, &run).is_err());
    let mut bad = good.clone();
    bad.sequence = None;
    assert!(catalogue.check(&bad, Effort::Usual, &run).is_err());
}

/// Other formats hold the table and its terms, in ASCII where the OEIS asks for it.
#[test]
fn tables_are_written() {
    let catalogue = Catalogue::standard();
    let run = Run::default();
    let asked = question("3..4x3..6");
    let card = catalogue.game("knight-tours").unwrap().card();
    let write = |id: &str| {
        let format = catalogue.format(card, Verb::Count, id).unwrap();
        let mut out = Vec::new();
        catalogue.write(&asked, &run, format, &Style::default(), &mut out).unwrap();
        String::from_utf8(out).unwrap()
    };
    let csv = write("csv");
    assert!(csv.starts_with("rows,columns,number,standing,method,why,question\n"), "{csv}");
    assert!(csv.contains("\n3,4,8,exact,"), "{csv}");
    let bfile = write("bfile");
    assert!(bfile.is_ascii() && bfile.contains("\n4 8\n"), "{bfile}");
    let oeis = write("oeis");
    assert!(oeis.is_ascii(), "{oeis}");
    for line in ["%N Array T(n,k)", "%S 0, 8, ", "%o (Pessoi) pessoi count knight-tours 3..4x3..6"]
    {
        assert!(oeis.contains(line), "{line} in {oeis}");
    }
    assert!(oeis.lines().all(|line| line.starts_with('%')), "{oeis}");
    let text = write("text");
    assert!(text.contains("Rows down, columns across"), "{text}");
}

/// What the game does not take on some boards is said in the table; the others are counted.
#[test]
fn boards_that_are_refused_are_in_the_table() {
    // One cell has no hole to slide into.
    let asked = Question::new(Verb::Count, "square-slide", "1..3x2..3").unwrap();
    let counted = answer(&asked);
    assert_eq!(counted.value, Value::Described {});
    let asked = Question::new(Verb::Count, "square-slide", "1..2x1..2").unwrap();
    let counted = answer(&asked);
    let first = &counted.table(BOARDS).unwrap().rows[0];
    assert_eq!((&first[2], &first[3]), (&Datum::Missing, &Datum::from(REFUSED)));
    assert!(first[5].to_string().ends_with('.'), "a sentence: {first:?}");
    assert!(counted.notes.iter().any(|note| note.starts_with("1 of 4 boards are refused")));
    let plan = Catalogue::standard().plan(&asked, &Run::default()).unwrap();
    assert!(plan.notes.iter().any(|note| note.starts_with("1x1 is refused: ")));
    // Along one side the sequence begins after them.
    let row = answer(&Question::new(Verb::Count, "square-slide", "1x1..4").unwrap());
    assert_eq!(terms(&row)[0].0, 2);
    for answer in [&counted, &row] {
        let verdict = Catalogue::standard().check(answer, Effort::Usual, &Run::default()).unwrap();
        assert!(verdict.holds, "{verdict:?}");
    }
    let mut forged = counted;
    forged.tables[0].rows[0][5] = Datum::from("Nobody knows.");
    assert!(Catalogue::standard().check(&forged, Effort::Usual, &Run::default()).is_err());
    // What all of them are refused for is an error.
    let none = Question::new(Verb::Count, "knight-tours", "2x1..3").unwrap();
    let none = none.with("moves", "(0,0)");
    assert!(Catalogue::standard().job(&none).is_err());
}

/// The group of a board is that of one board; classes of two cells are counted too.
#[test]
fn classes_of_a_range_name_no_group() {
    let asked = Question::new(Verb::Count, "wazir-tours", "1..2x1..4").unwrap();
    let counted = answer(&asked.with("classes", true));
    let text = &counted.sequence.as_ref().unwrap().text;
    assert!(text.contains("up to the symmetries of the board on an n X k board"), "{text}");
    assert!(!counted.subject.text.contains('('), "{}", counted.subject.text);
    let numbers: Vec<String> =
        counted.table(BOARDS).unwrap().rows.iter().map(|row| row[2].to_string()).collect();
    // Paths of the grid: one on every row, and on 2xn as counted by hand.
    assert_eq!(numbers[..5], ["1", "1", "1", "1", "1"].map(String::from));
    assert_eq!(on_any("paths in a 3 (three) board (three)"), "paths in a 3 (three) board (three)");
}
