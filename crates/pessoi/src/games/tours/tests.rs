//! Golden values, and the engines against each other and against the checker.

use std::collections::BTreeSet;

use num_bigint::BigUint;
use proptest::prelude::*;

use super::proofs::{COLOURS, CUT_CELL, CutCell, TOO_FEW_NEIGHBOURS};
use crate::answer::{Answer, Estimated, GrowthFrom, Limit, Outcome, Value, WhyNoInterval};
use crate::board::{Board, Cell, Drawing, Lattice};
use crate::certificate::Certificate;
use crate::check::{Effort, Standing, Verdict};
use crate::error::{Error, Result};
use crate::export::Style;
use crate::job::{Events, Flow, MORE};
use crate::question::{Place, Question, Setting, Verb};
use crate::solution::{Figure, Solution};
use crate::table::{Datum, Table};
use crate::testing::{self, CATALOGUE};
use pessoi_engine::run::{Budget, Run};
use pessoi_engine::store::Store;

fn question(words: &str) -> Question {
    let mut words = words.split(' ');
    let verb = Verb::parse(words.next().unwrap()).unwrap();
    let (game, place) = (words.next().unwrap(), words.next().unwrap());
    let mut question = Question::new(verb, game, place).unwrap();
    for word in words {
        let (name, value) = word.split_once('=').unwrap_or((word, ""));
        let setting: Setting = match value.parse::<u64>() {
            _ if value.is_empty() => true.into(),
            Ok(number) => number.into(),
            Err(_) => value.into(),
        };
        question = question.with(name, setting);
    }
    question
}

fn run() -> Run {
    Run::new(Budget { threads: 2, ..Budget::default() })
}

/// Asks; the answer holds its solutions.
fn ask(question: &Question) -> Answer {
    testing::ask(question, &run()).unwrap_or_else(|error| panic!("{question:?}: {error}"))
}

/// The answer as it is written in a format.
fn render(answer: &Answer, format: &str) -> String {
    let saved = serde_json::to_vec(answer).unwrap();
    let mut out = Vec::new();
    let choose = |card: &crate::Card, verb| CATALOGUE.format(card, verb, format);
    CATALOGUE.convert(&saved, choose, &Style::default(), &run(), &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn verify(json: &str, run: &Run) -> Result<Verdict> {
    CATALOGUE.verify(json.as_bytes(), Effort::Usual, run)
}

/// The whole numbers of a column.
fn column(table: &Table, id: &str) -> Vec<u64> {
    let at = table.column(id).unwrap();
    let number = |row: &Vec<Datum>| match &row[at] {
        Datum::Integer(number) => number.try_into().unwrap(),
        other => panic!("{other:?}"),
    };
    table.rows.iter().map(number).collect()
}

fn kind(answer: &Answer) -> Option<&str> {
    answer.certificate.as_ref().map(|certificate| &*certificate.kind)
}

fn number(question: &Question) -> BigUint {
    match ask(question).value {
        Value::Exact { number } => number,
        Value::None { .. } => BigUint::ZERO,
        other => panic!("{question:?}: {other:?}"),
    }
}

fn count(words: &str) -> u64 {
    number(&question(&format!("count {words}"))).try_into().unwrap()
}

fn holds(answer: &Answer) -> Vec<String> {
    let json = serde_json::to_string(answer).unwrap();
    match verify(&json, &run()) {
        Ok(verdict) if verdict.holds => {
            let checked = verdict.findings.into_iter();
            let checked = checked.filter(|finding| finding.standing == Standing::Checked);
            checked.map(|finding| finding.text).collect()
        }
        other => panic!("{other:?} of {json}"),
    }
}

fn refused(words: &str) -> Error {
    testing::ask(&question(words), &run()).expect_err(words)
}

/// Open and closed undirected paths, classes, and paths from corner to corner, as
/// recomputed for the Diplomatico paper. The paper's own 144, 128, 72 and 12400 are
/// directed.
const DIPLOMATICO: [(&str, u64, u64, u64, u64); 9] = [
    ("4x4", 0, 0, 0, 0),
    ("4x5", 72, 2, 21, 0),
    ("4x6", 64, 0, 16, 0),
    ("4x7", 36, 0, 9, 0),
    ("4x8", 182, 0, 47, 0),
    ("4x9", 10_172, 48, 2547, 0),
    ("5x5", 6200, 48, 777, 28),
    ("5x6", 56_728, 296, 14_249, 228),
    ("6x4", 64, 0, 16, 0),
];

#[test]
fn diplomatico_boards_by_every_engine() {
    for (board, open, closed, classes, corners) in DIPLOMATICO {
        for method in ["branch", "pairings", "plain-sweep", "search"] {
            let what = format!("{board} {method}");
            let game = format!("diplomatico {board}");
            assert_eq!(count(&format!("{game} method={method}")), open, "{what}");
            // A path has two directions, on a large board as on a small one.
            if board != "5x6" {
                assert_eq!(count(&format!("{game} directed method={method}")), 2 * open, "{what}");
            }
            assert_eq!(count(&format!("{game} closed method={method}")), closed, "{what} closed");
            let (rows, cols) = board.split_once('x').unwrap();
            let ends = format!("from=1,1 to={rows},{cols}");
            assert_eq!(count(&format!("{game} {ends} method={method}")), corners, "{what} corners");
        }
        let classified = number(&question(&format!("classify diplomatico {board}")));
        assert_eq!(classified, BigUint::from(classes), "{board} classes");
        assert_eq!(count(&format!("diplomatico {board} classes")), classes, "{board} by Burnside");
    }
}

#[test]
fn small_diplomatico_boards_have_no_path() {
    for rows in 1..=3 {
        for cols in 1..=8 {
            let paths = count(&format!("diplomatico {rows}x{cols}"));
            assert_eq!(paths, u64::from(rows == 1 && cols == 1), "{rows}x{cols}");
        }
    }
}

#[test]
fn knight_boards() {
    assert_eq!(count("knight-tours 5x5 directed"), 1728);
    assert_eq!(count("knight-tours 5x5 directed method=search"), 1728);
    assert_eq!(count("knight-tours 5x6 closed"), 8);
    assert_eq!(count("knight-tours 5x6 closed method=search"), 8);
    assert_eq!(count("knight-tours 6x6 closed"), 9862);
    assert_eq!(count("knight-tours 3x10 closed"), 16);
    // An odd number of cells cannot alternate in colour around a loop.
    let odd = ask(&question("count knight-tours 5x5 closed"));
    assert!(matches!(odd.value, Value::None { .. }));
    assert_eq!(kind(&odd), Some(COLOURS));
    holds(&odd);
}

#[test]
fn burnside_agrees_with_canonical_forms() {
    for words in [
        "knight-tours 6x6 closed",
        "knight-tours 5x6 closed",
        "knight-tours 5x5",
        "diplomatico 6x6 closed",
        "wazir-tours 4x4 closed",
        "king-tours 3x4 closed",
        "wazir-tours 4x5",
    ] {
        let listed = number(&question(&format!("classify {words}")));
        assert_eq!(BigUint::from(count(&format!("{words} classes"))), listed, "{words}");
        let searched = count(&format!("{words} classes method=search"));
        assert_eq!(BigUint::from(searched), listed, "{words} by search");
    }
    assert_eq!(count("knight-tours 6x6 closed classes"), 1245);
}

#[test]
fn tiny_boards() {
    assert_eq!(count("knight-tours 1x1"), 1);
    assert_eq!(count("knight-tours 1x1 directed"), 1);
    assert_eq!(count("knight-tours 1x1 closed"), 0);
    assert_eq!(count("knight-tours 1x1 from=1,1 to=1,1"), 1);
    // Two cells a knight's move apart.
    let pair = |verb: &str| {
        let mut asked = question(&format!("{verb} knight-tours 1x1"));
        asked.place = Place::parse(".##\n##.").unwrap();
        asked
    };
    assert_eq!(number(&pair("count")), BigUint::from(1u32));
    assert_eq!(number(&pair("count").with("directed", true)), BigUint::from(2u32));
    assert_eq!(number(&pair("count").with("closed", true)), BigUint::ZERO);
    let listed = ask(&pair("list"));
    assert_eq!(listed.solutions.len(), 1);
    holds(&listed);
}

#[test]
fn found_paths_hold_on_many_boards() {
    for words in [
        "find diplomatico 10x10",
        "find diplomatico 5x5 method=backtrack",
        "find diplomatico 6x6 closed",
        "find diplomatico 20x20",
        "find knight-tours 8x8 closed",
        "find knight-tours 8x8 from=1,1 to=8,7",
        "find knight-tours 30x30",
        "find knight-tours 6x6 limit=10",
        "find knight-tours 20x20 closed method=rotations",
        "find knight-tours 20x20 closed from=3,3",
        "find diplomatico 30x30 from=5,5 to=20,21",
        "find diplomatico 12x12 to=2,2 method=rotations",
        "find diplomatico 5x7 method=tiling",
        "find diplomatico 7x10 method=tiling",
        "find diplomatico 10x7 method=tiling",
        "find diplomatico 7x11 method=tiling",
        "find diplomatico 14x17 method=tiling",
        "find diplomatico 33x64 method=tiling",
        "find diplomatico 10x10 method=sat",
        "find diplomatico 8x8 closed method=sat",
        "find diplomatico 8x8 from=1,1 to=8,8 method=sat",
        "find diplomatico 8x8 to=1,1 method=sat",
        "find zebra-tours 10x10",
        "find knight-tours 10x10 moves=(1,4)",
        "sample knight-tours 5x5 samples=20",
        "sample diplomatico 5x5 closed samples=3",
        "sample diplomatico 5x5 from=1,1 to=5,5",
        "sample knight-tours 5x5 to=1,1",
        "sample knight-tours 5x5 from=3,3",
    ] {
        let answer = ask(&question(words));
        let limit = words
            .split(' ')
            .find_map(|word| word.strip_prefix("limit=").or_else(|| word.strip_prefix("samples=")));
        let wanted = limit.map_or(1, |limit| limit.parse().unwrap());
        assert_eq!(answer.solutions.len(), wanted, "{words}");
        holds(&answer);
    }
}

#[test]
fn the_same_seed_finds_the_same_path() {
    let find = |seed| {
        let run = Run::new(Budget { seed, ..Budget::default() });
        testing::ask(&question("find diplomatico 8x8"), &run).unwrap().solutions
    };
    assert_eq!(find(3), find(3));
    assert_ne!(find(3), find(4));
}

#[test]
fn lists_are_complete_and_parts_are_disjoint() {
    let whole = ask(&question("list diplomatico 4x5"));
    assert_eq!(whole.value, Value::exact(72u32));
    assert!(holds(&whole).iter().any(|checked| checked.contains("finds no more")));
    let mut parts = BTreeSet::new();
    let mut sum = 0;
    let mut counts = 0;
    for part in ["1/3", "2/3", "3/3"] {
        let listed = ask(&question("list diplomatico 4x5").with("part", part));
        sum += listed.solutions.len();
        parts.extend(listed.solutions.iter().map(|solution| format!("{solution:?}")));
        let counted = question("count diplomatico 4x5").with("part", part);
        counts += u64::try_from(number(&counted)).unwrap();
    }
    assert_eq!((sum, parts.len(), counts), (72, 72, 72));
    let limited = ask(&question("list diplomatico 4x5 limit=5"));
    assert_eq!(limited.value, Value::at_least(5u32));
    assert_eq!(limited.solutions, whole.solutions[..5]);
}

#[test]
fn classes_are_checked_with_their_orbits() {
    for words in ["classify diplomatico 4x5", "classify knight-tours 5x6 closed"] {
        let answer = ask(&question(words));
        let checked = holds(&answer);
        assert!(checked.iter().any(|sentence| sentence.contains("disjoint")), "{checked:?}");
    }
    // A class that claims too much is found out.
    let mut wrong = ask(&question("classify diplomatico 4x5"));
    wrong.solutions[0].class.as_mut().unwrap().orbit += 1;
    assert!(verify(&serde_json::to_string(&wrong).unwrap(), &run()).is_err());
}

/// A complaint, and what should cause it.
type Tamper<'a> = (&'a str, &'a dyn Fn(&mut Answer));

#[test]
fn tampered_answers_do_not_hold() {
    let good = ask(&question("find diplomatico 5x5 from=3,1"));
    holds(&good);
    let swap = |answer: &mut Answer, a: usize, b: usize| {
        let Figure::Path { cells, .. } = &mut answer.solutions[0].figure else { panic!() };
        cells.swap(a, b);
    };
    let tampered: [Tamper; 6] = [
        ("not one move apart", &|answer| swap(answer, 3, 9)),
        ("not where it was asked", &|answer| swap(answer, 0, 24)),
        ("visited twice", &|answer| {
            let Figure::Path { cells, .. } = &mut answer.solutions[0].figure else { panic!() };
            cells[5] = cells[7];
        }),
        ("not a cell of the board", &|answer| {
            let Figure::Path { cells, .. } = &mut answer.solutions[0].figure else { panic!() };
            cells[5] = Cell { row: 9, col: 9 };
        }),
        ("visits 24 of the 25", &|answer| {
            let Figure::Path { cells, .. } = &mut answer.solutions[0].figure else { panic!() };
            cells.pop();
        }),
        ("stated", &|answer| answer.value = Value::exact(2u32)),
    ];
    for (complaint, tamper) in tampered {
        let mut answer = good.clone();
        tamper(&mut answer);
        let error = verify(&serde_json::to_string(&answer).unwrap(), &run()).unwrap_err();
        assert!(error.to_string().contains(complaint), "{complaint}: {error}");
    }
    // Answers whose value cannot be theirs.
    let forged = |words: &str, value: Value| {
        let mut answer = ask(&question(words));
        answer.value = value;
        answer.solutions.clear();
        !verify(&serde_json::to_string(&answer).unwrap(), &run()).is_ok_and(|verdict| verdict.holds)
    };
    assert!(forged("list knight-tours 3x4 part=1/2", Value::exact(0u32)));
    assert!(forged("sample knight-tours 3x4", Value::exact(77u32)));
    assert!(forged("count knight-tours 1x1 closed", Value::exact(1u32)));
    let none = || Value::none("");
    assert!(forged("explore knight-tours 3x3", none()));
    assert!(forged("analyze knight-tours 3x3", none()));
    let mut count = ask(&question("count diplomatico 4x5"));
    holds(&count);
    count.value = Value::exact(73u32);
    assert!(verify(&serde_json::to_string(&count).unwrap(), &run()).is_err());
}

#[test]
fn proofs_of_none_hold_and_false_ones_do_not() {
    for words in [
        "find diplomatico 4x4",
        "find diplomatico 2x7",
        "find diplomatico 4x6 closed",
        "find diplomatico 4x5 from=1,1 to=4,5",
        "find knight-tours 3x3",
        "find knight-tours 5x5 from=1,2",
        "find knight-tours 4x4 closed",
        "find knight-tours 6x6 from=1,1 to=3,3",
    ] {
        let answer = ask(&question(words));
        assert!(matches!(answer.value, Value::None { .. }), "{words}: {:?}", answer.value);
        holds(&answer);
        // The same proof says nothing of a board that has a path.
        let mut elsewhere = answer.clone();
        elsewhere.question = question("find diplomatico 5x5");
        let json = serde_json::to_string(&elsewhere).unwrap();
        assert!(verify(&json, &run()).is_err(), "{words}");
    }
}

#[test]
fn a_cut_cell_is_a_proof() {
    // A star of three arms, each of two cells, for the wazir.
    let mut asked = question("find wazir-tours 1x1");
    asked.place = Place::parse("##.##\n##.##\n.....").unwrap();
    let answer = ask(&asked);
    // Three ends of a path are too many: that is seen first.
    assert_eq!(kind(&answer), Some(TOO_FEW_NEIGHBOURS));
    // Arms that end in little squares have no poor cells.
    asked.place =
        Place::parse("#..##..\n#..##..\n##.#.##\n##...##\n###.###\n###..##\n###..##").unwrap();
    let answer = ask(&asked);
    assert!(matches!(answer.value, Value::None { .. }), "{:?}", answer.value);
    holds(&answer);
    let closed = {
        let mut asked = question("find wazir-tours 1x1 closed");
        asked.place = Place::parse("..###\n.....\n###..").unwrap();
        ask(&asked)
    };
    holds(&closed);
    // Three blocks around one cell: a king can leave each, and the colours say nothing.
    for words in ["find king-tours 1x1", "find king-tours 1x1 closed"] {
        let mut asked = question(words);
        asked.place = Place::parse("..#..\n..#..\n##.##\n##..#\n##..#").unwrap();
        let answer = ask(&asked);
        assert_eq!(kind(&answer), Some(CUT_CELL), "{words}");
        holds(&answer);
    }
    // Two rings that share a cell have an open path and no closed one.
    let mut asked = question("find wazir-tours 1x1 closed");
    asked.place = Place::parse("...##\n.#.##\n.....\n##.#.\n##...").unwrap();
    let answer = ask(&asked);
    assert!([Some(CUT_CELL), Some(COLOURS)].contains(&kind(&answer)), "{:?}", answer.certificate);
    holds(&answer);
    let mut forged = answer.clone();
    let cell = "1,1".parse().unwrap();
    forged.certificate = Some(Certificate::own(CUT_CELL, &CutCell { cell }));
    assert!(verify(&serde_json::to_string(&forged).unwrap(), &run()).is_err());
}

#[test]
fn clues_are_kept() {
    // A solved 5×5 board with a few of its numbers left in place.
    let solved = ask(&question("find diplomatico 5x5"));
    let cells = solved.solutions[0].figure.path();
    let board = Board::rectangle(5, 5).unwrap();
    let mut drawing = Drawing { clues: Vec::new(), board };
    for number in [1, 7, 13, 25] {
        let cell = drawing.board.index(cells[number - 1]).unwrap();
        drawing.clues.push(crate::board::Clue { cell, number: number as u32 });
    }
    drawing.clues.sort_by_key(|clue| clue.cell);
    let mut asked = question("find diplomatico 5x5 all");
    asked.place = Place::Board(drawing);
    let answer = ask(&asked);
    holds(&answer);
    assert!(answer.solutions.contains(&solved.solutions[0]));
    let mut counted = asked.clone();
    counted.verb = Verb::Count;
    counted.options.clear();
    assert_eq!(number(&counted), BigUint::from(answer.solutions.len()));
}

#[test]
fn a_count_can_stop_at_a_limit() {
    let limited = |words: &str| ask(&question(&format!("count diplomatico {words}"))).value;
    let some = |number: u32| Value::at_least(number);
    assert_eq!(limited("5x5 limit=2"), some(2));
    assert_eq!(limited("20x20 limit=2"), some(2));
    assert_eq!(limited("4x5 limit=72"), some(72));
    assert_eq!(limited("4x5 limit=73"), Value::exact(72u32));
    assert_eq!(limited("4x5 limit=3 closed method=search"), Value::exact(2u32));
    assert_eq!(limited("5x5 limit=29 from=1,1 to=5,5"), Value::exact(28u32));
    assert!(matches!(limited("4x5 limit=2 from=1,1 to=4,5"), Value::None { .. }));
}

#[test]
fn estimates_are_near_the_truth() {
    for (words, truth) in [
        ("estimate diplomatico 5x5 samples=2000", 6200.0),
        ("estimate diplomatico 5x5 samples=4000 method=knuth", 6200.0),
        ("estimate knight-tours 5x6 samples=2000 closed", 8.0),
    ] {
        let answer = ask(&question(words));
        let Value::Estimated(Estimated { mean: Some(mean), relative_error, .. }) = answer.value
        else {
            panic!("{words}: {:?}", answer.value)
        };
        let standard_error = relative_error * mean;
        assert!((mean - truth).abs() < 5.0 * standard_error, "{words}: {mean} ± {standard_error}");
        assert!(standard_error < 0.3 * truth, "{words}: {mean} ± {standard_error}");
    }
}

#[test]
fn the_closed_knights_tours_of_3xn_obey_a_recurrence() {
    let answer = ask(&question("recurrence knight-tours 3 closed"));
    // 3×10 has 16 and 3×12 has 176 closed tours; all odd lengths have none.
    let terms = &answer.sequence.as_ref().unwrap().terms;
    let term = |n: usize| terms[n - 1].value.clone();
    assert_eq!((term(10), term(11), term(12)), (16u32.into(), BigUint::ZERO, 176u32.into()));
    let Value::Exact { number } = &answer.value else { panic!("{:?}", answer.value) };
    // Even lengths obey a recurrence of order 21 (Elkies and Knuth, as said in the
    // OEIS under A070030), which is twice that where odd lengths are counted too.
    assert_eq!(*number, BigUint::from(42u32));
}

#[test]
fn strips_and_boards_agree() {
    for (strip, longest) in [
        ("wazir-tours 1", 5),
        ("wazir-tours 2", 6),
        ("wazir-tours 4 closed", 6),
        ("wazir-tours 4 directed", 5),
        ("king-tours 2 closed", 6),
        ("king-tours 3", 4),
        ("knight-tours 3", 8),
        ("knight-tours 4 closed directed", 6),
        ("diplomatico 3", 6),
        ("camel-tours 4 closed", 8),
    ] {
        let answer = ask(&question(&format!("recurrence {strip} terms={longest}")));
        let (game, rest) = strip.split_once(' ').unwrap();
        let (width, options) = rest.split_once(' ').unwrap_or((rest, ""));
        let terms = &answer.sequence.as_ref().unwrap().terms;
        assert_eq!(terms.len(), longest, "{strip}");
        for term in terms {
            let board = format!("count {game} {width}x{} {options}", term.n);
            let counted = match ask(&question(board.trim())).value {
                Value::Exact { number } => number,
                Value::None { .. } => BigUint::ZERO,
                other => panic!("{board}: {other:?}"),
            };
            assert_eq!(term.value, counted, "{board}");
        }
    }
}

#[test]
fn recurrences_are_proved_or_proved_to_be_empty() {
    let answer = ask(&question("recurrence king-tours 2"));
    assert_eq!(answer.value, Value::exact(4u32));
    let sequence = answer.sequence.as_ref().unwrap();
    let linear = sequence.recurrence.as_ref().unwrap();
    assert!(linear.proved && linear.order == 4 && linear.factors.len() == 4, "{linear:?}");
    assert!(linear.tested >= 4, "{linear:?}");
    let growth = sequence.growth.as_ref().unwrap();
    assert_eq!(growth.from, GrowthFrom::Root);
    // The recurrence says what the terms are.
    for n in linear.from as usize..=sequence.terms.len() {
        let before = (1..=4).map(|k| sequence.terms[n - 1 - k].value.clone().into());
        let sum: num_bigint::BigInt =
            before.zip(&linear.factors).map(|(a, b): (num_bigint::BigInt, _)| a * b).sum();
        assert_eq!(sum, sequence.terms[n - 1].value.clone().into(), "{n}");
    }
    // Pósa: no 4×n board has a closed knight's tour.
    let none = ask(&question("recurrence knight-tours 4 closed"));
    assert!(matches!(none.value, Value::None { .. }), "{:?}", none.value);
}

#[test]
fn a_knight_needs_six_moves_across_a_chessboard() {
    let answer = ask(&question("explore knight-tours 8x8 from=1,1"));
    assert_eq!(answer.value, Value::exact(6u32));
    holds(&answer);
    // From a corner: 1, 2, 9, 20, 21, 10, 1 cells at 0 to 6 moves.
    assert_eq!(column(answer.table("distances").unwrap(), "cells"), [1, 2, 9, 20, 21, 10, 1]);
    let mut wrong = answer.clone();
    wrong.value = Value::exact(7u32);
    assert!(verify(&serde_json::to_string(&wrong).unwrap(), &run()).is_err());
    // The centre of 3×3 has no move.
    let apart = ask(&question("explore knight-tours 3x3"));
    assert_eq!(apart.value, Value::exact(4u32));
    assert_eq!(apart.fact_of("isolated"), Some(&1u32.into()));
    holds(&apart);
}

#[test]
fn other_leapers() {
    // Closed tours of the wazir are Hamiltonian cycles of the grid (OEIS A003763).
    assert_eq!(count("wazir-tours 4x4 closed"), 6);
    assert_eq!(count("wazir-tours 6x6 closed"), 1072);
    // Hamiltonian cycles of the king's graph (OEIS A140519).
    assert_eq!(count("king-tours 3x3 closed"), 16);
    assert_eq!(count("king-tours 4x4 closed"), 2830);
    assert_eq!(count("hopido 5x5"), count("diplomatico 5x5"));
    assert_eq!(count("wazir-tours 5x5 moves=(1,2) directed"), 1728);
    holds(&ask(&question("find wazir-tours 6x6 moves=(3,0)+(2,2)")));
}

#[test]
fn exports_read_back_are_the_same_problem() {
    use batsat::{BasicSolver, Lit, SolverInterface, lbool};
    for words in ["export knight-tours 5x5", "export diplomatico 5x5 closed"] {
        let answer = ask(&question(words));
        let graph = answer.graph.clone().unwrap();
        let tsplib = render(&answer, "tsplib");
        let edges =
            tsplib.split("EDGE_DATA_SECTION\n").nth(1).unwrap().split("-1\n").next().unwrap();
        let edges: Vec<(u32, u32)> = edges
            .lines()
            .map(|line| line.split_once(' ').unwrap())
            .map(|(a, b)| (a.parse::<u32>().unwrap() - 1, b.parse::<u32>().unwrap() - 1))
            .collect();
        assert_eq!(edges[..graph.edges.len()], graph.edges);
        let closed = words.ends_with("closed");
        let outside = if closed { 0 } else { graph.nodes.len() };
        assert_eq!(edges.len(), graph.edges.len() + outside, "{words}");
        // Whatever solves the SAT problem is a tour, by the checker.
        let dimacs = render(&answer, "dimacs");
        let n = graph.nodes.len();
        let mut solver = BasicSolver::default();
        let mut clauses = 0;
        for line in dimacs.lines().filter(|line| !line.starts_with(['c', 'p'])) {
            let numbers = line.split(' ').map(|word| word.parse::<i32>().unwrap());
            let mut clause: Vec<Lit> = numbers
                .filter(|&number| number != 0)
                .map(|number| Lit::new(solver.var_of_int(number.unsigned_abs()), number > 0))
                .collect();
            solver.add_clause_reuse(&mut clause);
            clauses += 1;
        }
        assert!(dimacs.contains(&format!("p cnf {} {clauses}\n", n * n)), "{words}");
        assert_eq!(solver.solve_limited(&[]), lbool::TRUE);
        let mut node_of = |number: usize| {
            let is = |node: &usize| {
                let variable = solver.var_of_int((node * n + number + 1) as u32);
                solver.value_var(variable) == lbool::TRUE
            };
            (0..n).find(is).unwrap()
        };
        let nodes = graph.cells().unwrap();
        let cells = (0..n).map(|number| nodes[node_of(number)]).collect();
        let mut found = ask(&question(&words.replace("export", "find")));
        found.solutions[0].figure = Figure::Path { cells, closed };
        holds(&found);
    }
}

#[test]
fn usage_of_moves_adds_up() {
    for (words, solutions, moves_each) in [
        ("analyze diplomatico 4x5 solutions", 72, 19),
        ("analyze knight-tours 5x6 closed solutions", 8, 30),
    ] {
        let answer = ask(&question(words));
        let table = |id: &str| answer.table(id).unwrap();
        assert_eq!(answer.fact_of("solutions"), Some(&solutions.into()));
        let used: u64 = column(table("used-moves"), "solutions").iter().sum();
        assert_eq!(used, solutions * moves_each, "{words}");
        let sum = |id: &str| column(table("scores"), id).iter().sum::<u64>();
        assert_eq!((sum("random"), sum("warnsdorff")), (1000, 1000));
        assert_eq!(answer.fact_of("plays"), Some(&1000u32.into()));
    }
}

#[test]
fn what_cannot_be_is_said() {
    for (words, field, complaint) in [
        ("find diplomatico 5x5 from=6,1", "options.from", "rows are 1 to 5"),
        ("find diplomatico P3x4", "place", "P3x4 is hexagonal"),
        ("find diplomatico 12", "place", "12 is a number"),
        ("generate diplomatico 21x20", "place", "more than 400"),
        ("explore diplomatico .1.", "place", "the number 1 on it"),
        ("recurrence diplomatico 4x4", "place", "the width of a strip"),
        ("recurrence diplomatico 0", "place", "0 is not between 1 and 48"),
        ("recurrence diplomatico 40", "place", "too wide"),
        ("find diplomatico 5x5 all limit=3", "options.all", "combined"),
        ("count diplomatico 5x5 from=1,1 directed", "options.directed", "combined"),
        ("count diplomatico .1. directed", "options.directed", "--directed says nothing"),
        (
            "count diplomatico 5x5 method=chen",
            "options.method",
            "one of auto, branch, pairings, plain-sweep, search",
        ),
        ("count diplomatico 5x5 method=pairing", "options.method", "did you mean pairings"),
        ("count diplomatico 5x5 classes part=1/2", "options.classes", "combined"),
        ("find diplomatico 5x5 limit=0", "options.limit", "from 1"),
        ("find diplomatico 5x5 from=1,1 to=1,1", "options.to", "cannot hold both"),
        ("count diplomatico 30x30 method=pairings", "place", "too wide"),
        ("count diplomatico 30x30 method=branch", "place", "3 to 127 cells"),
        ("count diplomatico 30x30 classes", "place", "up to 127 cells"),
        ("count diplomatico 5x5 classes from=1,1", "options.classes", "combined"),
        ("count diplomatico .1. classes", "options.classes", "leave out the clues"),
        ("find diplomatico 4x9 method=tiling", "options.method", "at least 5x5"),
        ("find knight-tours 9x9 method=tiling", "options.method", "(3,0)+(2,2)"),
        ("find diplomatico 5x5 moves=(0,0)", "options.moves", "does not move"),
        ("find diplomatico 5x5 moves=(1", "options.moves", "not of the form"),
        ("find diplomatico 5x5 moves=(1,7)", "options.moves", "longer than 5x5"),
        ("find diplomatico 5x5 method=sat limit=2", "options.limit", "finds one solution"),
        ("find diplomatico 5x5 method=sat all", "options.all", "finds one solution"),
        ("estimate diplomatico 5x5 samples=x", "options.samples", "whole number"),
        ("estimate diplomatico 5x5 samples=1", "options.samples", "from 2"),
        ("recurrence diplomatico 2 terms=30000", "options.terms", "to 10000"),
        ("count diplomatico 5x5 limit=2 method=pairings", "options.limit", "pairings cannot"),
        ("count diplomatico 5x5 limit=2 part=1/2", "options.limit", "combined"),
        ("count diplomatico 5x5 limit=2 classes", "options.limit", "combined"),
        ("count diplomatico 5x5 limit=2 directed", "options.limit", "combined"),
        ("sample diplomatico 1x1", "place", "three cells"),
        ("sample diplomatico 30x30 method=uniform", "place", "too wide"),
        ("find diplomatico 5x5 method=cypher-raw", "options.method", "one of auto"),
    ] {
        let error = refused(words);
        assert_eq!(error.field.as_deref(), Some(field), "{words}: {error}");
        let error = error.to_string();
        assert!(error.contains(complaint), "{words}: {error}");
        assert!(error.ends_with('.'), "{error}");
    }
}

#[test]
fn limits_give_up_and_say_so() {
    let tight = Run::new(Budget { memory: Some(1 << 20), ..Budget::default() });
    let sweep =
        testing::ask(&question("count diplomatico 6x6 method=plain-sweep"), &tight).unwrap();
    assert!(matches!(&sweep.value, Value::GaveUp { stop: Limit::Memory { .. } }));
    assert!(tight.peak_bytes() <= 1 << 20);
    let cancelled = run();
    cancelled.cancel();
    for words in ["find diplomatico 10x10", "count diplomatico 6x6", "list diplomatico 5x5"] {
        let answer = testing::ask(&question(words), &cancelled).unwrap();
        assert_eq!(answer.outcome(), Outcome::Cancelled, "{words}: {:?}", answer.value);
    }
}

fn drawn(cells: &[bool], rows: i32, cols: i32) -> Option<Place> {
    let all = (0..rows * cols).filter(|&k| cells[k as usize]);
    let cells = all.map(|k| Cell { row: k / cols, col: k % cols });
    let board = Board::from_cells(Lattice::Square, cells).ok()?;
    Some(Place::Board(Drawing { board, clues: Vec::new() }))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// The checker's trial of everything, the search and the sweep, on boards with
    /// blocked cells, open and closed, with free and with fixed ends.
    #[test]
    fn engines_agree_on_random_boards(
        cells in prop::collection::vec(prop::bool::weighted(0.85), 20),
        knight in any::<bool>(),
        closed in any::<bool>(),
        ends in prop::option::of((0usize..20, 0usize..20)),
    ) {
        let Some(place) = drawn(&cells, 4, 5) else { return Ok(()) };
        let Place::Board(drawing) = &place else { return Ok(()) };
        let drawing_len = drawing.board.len();
        let game = if knight { "knight-tours" } else { "diplomatico" };
        let mut asked = question(&format!("count {game} 1x1"));
        if closed {
            asked = asked.with("closed", true);
        }
        if let Some((from, to)) = ends.filter(|_| !closed) {
            let n = drawing.board.len();
            prop_assume!(from % n != to % n);
            let name = |k: usize| drawing.board.cell(k % n).to_string();
            asked = asked.with("from", &name(from)[..]).with("to", &name(to)[..]);
        }
        asked.place = place;
        let by_search = ask(&asked.clone().with("method", "search"));
        holds(&by_search);
        let counted = number(&asked);
        if drawing_len > 2 {
            prop_assert_eq!(number(&asked.clone().with("method", "pairings")), counted.clone());
            prop_assert_eq!(number(&asked.clone().with("method", "branch")), counted.clone());
            prop_assert_eq!(number(&asked.clone().with("method", "plain-sweep")), counted.clone());
        }
        prop_assert_eq!(number(&asked.clone().with("method", "search")), counted.clone());
        asked.verb = Verb::Find;
        let found = ask(&asked);
        prop_assert_eq!(found.solutions.is_empty(), counted == BigUint::ZERO);
        holds(&found);
        if drawing_len > 2 {
            let by_sat = ask(&asked.clone().with("method", "sat"));
            prop_assert_eq!(by_sat.solutions.is_empty(), counted == BigUint::ZERO);
            holds(&by_sat);
            let rotated = ask(&asked.clone().with("method", "rotations"));
            if !rotated.solutions.is_empty() {
                holds(&rotated);
            }
        }
        let searched = ask(&asked.clone().with("method", "warnsdorff"));
        prop_assert_eq!(searched.solutions.is_empty(), counted == BigUint::ZERO);
    }
}

/// Games and the leapers of their pieces.
const PIECES: [(&str, &[(i32, i32)]); 6] = [
    ("knight-tours", &[(1, 2)]),
    ("diplomatico", &[(3, 0), (2, 2)]),
    ("wazir-tours", &[(1, 0)]),
    ("king-tours", &[(1, 0), (1, 1)]),
    ("camel-tours", &[(1, 3)]),
    ("zebra-tours", &[(2, 3)]),
];

/// All directed tours by trying everything, from the rules alone: `path` is extended cell by cell.
fn tried(
    cells: &[Cell],
    leapers: &[(i32, i32)],
    closed: bool,
    last: Option<usize>,
    path: &mut Vec<usize>,
) -> u64 {
    let joined = |a: usize, b: usize| {
        let (rows, cols) =
            ((cells[a].row - cells[b].row).abs(), (cells[a].col - cells[b].col).abs());
        leapers.iter().any(|&(p, q)| (rows, cols) == (p, q) || (rows, cols) == (q, p))
    };
    let head = path[path.len() - 1];
    if path.len() == cells.len() {
        let ends = last.is_none_or(|last| last == head);
        return u64::from(ends && (!closed || joined(head, path[0])));
    }
    let mut sum = 0;
    for next in 0..cells.len() {
        if !path.contains(&next) && joined(head, next) {
            path.push(next);
            sum += tried(cells, leapers, closed, last, path);
            path.pop();
        }
    }
    sum
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// Branching against trying everything: several leapers, blocked cells, open and closed, none,
    /// one or both ends fixed; as a whole, in parts, and without memory for a table.
    #[test]
    fn branching_counts_what_trying_everything_counts(
        present in prop::collection::vec(prop::bool::weighted(0.9), 20),
        piece in 0..PIECES.len(),
        closed in any::<bool>(),
        first in prop::option::of(0usize..20),
        last in prop::option::of(0usize..20),
    ) {
        let (game, leapers) = PIECES[piece];
        // Kings have very many tours.
        let rows = if game == "king-tours" { 3 } else { 4 };
        let Some(place) = drawn(&present[..rows * 5], rows as i32, 5) else { return Ok(()) };
        let Place::Board(drawing) = &place else { return Ok(()) };
        let n = drawing.board.len();
        prop_assume!(n > 2);
        let cells: Vec<Cell> = (0..n).map(|k| drawing.board.cell(k)).collect();
        let end = |end: Option<usize>| end.filter(|_| !closed).map(|end| end % n);
        let (first, last) = (end(first), end(last));
        prop_assume!(first.is_none() || first != last);

        let mut expected = 0;
        // A closed tour passes every cell, so one start is enough.
        for start in if closed { 0..1 } else { 0..n } {
            if first.is_none_or(|first| first == start) {
                expected += tried(&cells, leapers, closed, last, &mut vec![start]);
            }
        }
        if first.or(last).is_none() {
            expected /= 2;
        }
        let expected = BigUint::from(expected);

        let mut asked = question(&format!("count {game} 1x1 method=branch"));
        if closed {
            asked = asked.with("closed", true);
        }
        for (name, end) in [("from", first), ("to", last)] {
            if let Some(end) = end {
                asked = asked.with(name, &cells[end].to_string()[..]);
            }
        }
        asked.place = place;
        prop_assert_eq!(number(&asked), expected.clone());
        let parts = ["1/3", "2/3", "3/3"].map(|part| number(&asked.clone().with("part", part)));
        prop_assert_eq!(parts.iter().sum::<BigUint>(), expected.clone());
        let tight = Run::new(Budget { memory: Some(200_000), ..Budget::default() });
        let value = testing::ask(&asked, &tight).unwrap().value;
        let counted = match value {
            Value::Exact { number } => number,
            Value::None { .. } => BigUint::ZERO,
            other => panic!("{other:?}"),
        };
        prop_assert_eq!(counted, expected);
    }
}

/// Boards of more than 63 cells have sets of twice the size.
#[test]
fn branching_takes_boards_of_up_to_127_cells() {
    for words in ["wazir-tours 2x33", "wazir-tours 3x22 closed", "wazir-tours 2x60 from=1,1"] {
        let branch = count(&format!("{words} method=branch"));
        assert_eq!(branch, count(&format!("{words} method=pairings")), "{words}");
        assert!(branch > 0, "{words}");
    }
}

/// The estimate's interval holds the truth about as often as it says. (Seeds are fixed, so
/// this does not depend on luck. `bench/calibrate` does the same with more boards and seeds.)
#[test]
fn intervals_of_estimates_hold_the_truth_about_95_times_in_100() {
    for (words, truth) in [
        ("estimate diplomatico 5x5 samples=60", 6200u32),
        ("estimate diplomatico 5x6 samples=50", 56728),
        ("estimate knight-tours 4x6 samples=50", 744),
        ("estimate diplomatico 5x5 samples=1000 method=knuth", 6200),
    ] {
        let truth = BigUint::from(truth);
        let mut held = 0;
        for seed in 1..=100 {
            let run = Run::new(Budget { seed, ..Budget::default() });
            let answer = CATALOGUE.answer(&question(words), &run).unwrap();
            let Value::Estimated(found) = answer.value else { panic!("{words}") };
            held += usize::from(found.holds(&truth).expect("an interval"));
        }
        // A right program with true 95 % intervals holds fewer than 90 of 100 once in 40 times
        // that it is changed.
        assert!((90..=99).contains(&held), "{words}: {held} of 100");
    }
}

/// Where intervals would not hold there is none, and the reason is data and a sentence.
#[test]
fn estimates_without_an_interval_say_why() {
    for (words, why) in [
        ("estimate diplomatico 5x5 samples=49", WhyNoInterval::FewSamples),
        ("estimate knight-tours 5x5 samples=100 method=knuth", WhyNoInterval::FewFound),
        ("estimate knight-tours 5x5 samples=4000 method=knuth", WhyNoInterval::RarelyFound),
        ("estimate wazir-tours 2x2 samples=50", WhyNoInterval::EqualSamples),
    ] {
        let answer = ask(&question(words));
        let Value::Estimated(found) = &answer.value else { panic!("{words}: {answer:?}") };
        assert_eq!(found.no_interval.as_ref().map(|why| why.id), Some(why), "{words}: {found:?}");
        assert!(found.interval.is_none() && answer.notes.is_empty(), "{words}: {answer:?}");
        let text = render(&answer, "text");
        assert!(text.contains("; no interval, because ") && !text.contains("95 %"), "{text}");
        assert!(render(&answer, "csv").contains(why.id()), "{words}");
    }
}

#[test]
fn the_search_tree_by_depth() {
    let answer = ask(&question("analyze diplomatico 4x5 profile"));
    let table = answer.table("tree").unwrap();
    // Any of 20 cells may be the first, and 144 directed paths come to their end.
    assert_eq!((column(table, "placed")[1], column(table, "nodes")[1]), (1, 20));
    assert!(column(table, "dead-ends").iter().sum::<u64>() > 0);
    assert_eq!(column(table, "solutions").iter().sum::<u64>(), 144);
}

#[test]
fn heat_maps_show_ends_and_moves() {
    let answer = ask(&question("analyze diplomatico 5x5 solutions"));
    let svg = render(&answer, "svg");
    // No move is in no solution on this board; each of the 36 has a line.
    let edges = answer.table("used-moves").unwrap();
    let used = column(edges, "solutions").into_iter().filter(|&used| used > 0).count();
    let curves = |svg: &str| svg.lines().filter(|line| line.contains('Q')).count();
    assert_eq!(curves(&svg), used);
    // The legend names the extremes.
    for words in [">352</text>", ">552</text>", "begin or end at a cell", "up to 5,104"] {
        assert!(svg.contains(words), "{words}: {svg}");
    }
    let plain = render(&ask(&question("analyze diplomatico 5x5")), "svg");
    assert!(plain.contains("moves of each cell") && curves(&plain) == 0);
    assert_eq!(
        render(&ask(&question("analyze diplomatico 5x5")), "pdf").matches("/Page ").count(),
        1
    );
}

#[test]
fn several_solutions_make_a_sheet() {
    let list = ask(&question("list knight-tours 5x5 limit=12"));
    let svg = render(&list, "svg");
    assert_eq!(svg.matches("<g transform=").count(), 12);
    assert_eq!(svg.matches(">25</text>").count(), 12);
    assert_eq!(render(&list, "pdf").matches("(25) Tj").count(), 12);
    // Without a limit a sheet is filled: there are 864 of them.
    let all = ask(&question("find knight-tours 5x5 limit=3"));
    assert_eq!(render(&all, "svg").matches("<g transform=").count(), 3);
}

#[test]
fn a_sample_that_is_not_uniform_says_so() {
    let answer = ask(&question("sample diplomatico 17x17 samples=3"));
    assert!(answer.notes[0].contains("not uniform"), "{:?}", answer.notes);
    assert_eq!(answer.solutions.len(), 3);
    assert_ne!(answer.solutions[0], answer.solutions[1]);
    holds(&answer);
}

/// Whatever is exported says the same when it is read again by other means.
#[test]
fn graphs_read_back() {
    let answer = ask(&question("export knight-tours 4x5"));
    let graph = answer.graph.as_ref().unwrap();
    let edges: Vec<(String, String)> = graph
        .edges
        .iter()
        .map(|&(a, b)| (graph.nodes[a as usize].clone(), graph.nodes[b as usize].clone()))
        .collect();
    let read = |format| render(&answer, format);
    let dot = read("dot");
    let quoted =
        |line: &str| line.split('"').skip(1).step_by(2).map(String::from).collect::<Vec<_>>();
    let (joined, alone): (Vec<_>, Vec<_>) =
        dot.lines().skip(1).filter(|line| line.contains('"')).partition(|line| line.contains("--"));
    assert_eq!(alone.iter().map(|line| quoted(line)[0].clone()).collect::<Vec<_>>(), graph.nodes);
    let pair = |words: Vec<String>| (words[0].clone(), words[1].clone());
    assert_eq!(joined.iter().map(|line| pair(quoted(line))).collect::<Vec<_>>(), edges);
    let graphml = read("graphml");
    let attribute = |line: &str, name: &str| {
        let rest = line.split(&format!("{name}=\"")).nth(1)?;
        Some(rest.split('"').next()?.to_owned())
    };
    let lines = |what: &'static str| graphml.lines().filter(move |line| line.contains(what));
    let ids: Vec<_> = lines("<node ").map(|line| attribute(line, "id").unwrap()).collect();
    assert!(ids.iter().all(|id| id.chars().all(|c| c.is_ascii_alphanumeric())), "{ids:?}");
    for (node, line) in graph.nodes.iter().zip(lines("<node ")) {
        let data = |key: &str| {
            let rest = line.split(&format!("<data key=\"{key}\">")).nth(1).unwrap();
            rest.split('<').next().unwrap().to_owned()
        };
        assert_eq!(*node, data("name"));
        assert_eq!(*node, format!("{},{}", data("row"), data("col")));
    }
    let named =
        |id: String| graph.nodes[ids.iter().position(|other| *other == id).unwrap()].clone();
    let ends = |line: &str| {
        let end = |name| named(attribute(line, name).unwrap());
        (end("source"), end("target"))
    };
    assert_eq!(lines("<edge ").map(ends).collect::<Vec<_>>(), edges);
    let csv = read("csv");
    let cells: Vec<_> = csv
        .lines()
        .skip(1)
        .map(|line| {
            let fields: Vec<&str> = line.split(',').collect();
            (fields[..2].join(","), fields[2..].join(","))
        })
        .collect();
    assert_eq!(cells, edges);
}

#[test]
fn solutions_read_back() {
    let answer = ask(&question("find diplomatico 6x6"));
    let cells = answer.solutions[0].figure.path();
    let csv = render(&answer, "csv");
    let read: Vec<Cell> = csv
        .lines()
        .skip(1)
        .map(|line| line.splitn(3, ',').nth(2).unwrap().parse().unwrap())
        .collect();
    assert_eq!(read, cells);
    let json = render(&answer, "json");
    let again: Answer = serde_json::from_str(&json).unwrap();
    assert_eq!(again.solutions, answer.solutions);
    // A picture writes each number where it belongs.
    let svg = render(&answer, "svg");
    assert_eq!(svg.matches("<text ").count(), 36);
    assert_eq!(svg.matches("<circle ").count(), 37);
    assert_eq!(render(&answer, "pdf").matches(") Tj").count(), 37);
}

/// Figures 4 and 5 of the paper, tiled from two halves each, are what they claim to be.
#[test]
fn the_papers_figures_are_paths() {
    let four = "\
        17 9 2 16 8 42 34 27 41 33
        4 14 19 5 13 29 39 44 30 38
        1 22 25 10 21 26 47 50 35 46
        18 6 3 15 7 43 31 28 40 32
        24 11 20 23 12 49 36 45 48 37";
    let five = "\
        10 5 2 26 8 3
        22 15 12 21 18 13
        1 27 9 4 28 25
        11 6 19 14 7 20
        23 16 29 24 17 30
        44 49 56 43 48 55
        52 35 46 51 34 41
        38 58 32 37 57 31
        45 50 53 42 47 54
        60 36 39 59 33 40";
    for (figure, board) in [(four, "5x10"), (five, "10x6")] {
        let mut numbered: Vec<(u32, Cell)> = Vec::new();
        for (row, line) in figure.lines().enumerate() {
            for (col, number) in line.split_whitespace().enumerate() {
                let cell = Cell { row: row as i32, col: col as i32 };
                numbered.push((number.parse().unwrap(), cell));
            }
        }
        numbered.sort_unstable();
        let cells: Vec<Cell> = numbered.iter().map(|(_, cell)| *cell).collect();
        let mut answer = ask(&question(&format!("find diplomatico {board}")));
        answer.solutions[0].figure = Figure::Path { cells: cells.clone(), closed: false };
        holds(&answer);
        // The checker would have noticed two numbers exchanged.
        let mut wrong = cells;
        wrong.swap(3, 17);
        answer.solutions[0].figure = Figure::Path { cells: wrong, closed: false };
        assert!(verify(&serde_json::to_string(&answer).unwrap(), &run()).is_err());
    }
}

/// The rest of the table of counts, and larger closed tours.
#[test]
#[ignore = "minutes"]
fn larger_counts() {
    for (words, number) in [
        ("count diplomatico 4x10", 203_902u64),
        ("count diplomatico 4x11", 1_389_048),
        ("count diplomatico 4x12", 7_887_586),
        ("count diplomatico 4x10 closed", 686),
        ("count diplomatico 4x11 closed", 3718),
        ("count diplomatico 4x12 closed", 18_898),
        ("count diplomatico 4x10 classes", 51_058),
        ("count diplomatico 4x11 classes", 347_437),
        ("count diplomatico 4x12 classes", 1_972_318),
        ("count diplomatico 4x11 from=1,1 to=4,11", 1990),
        ("count diplomatico 5x7", 461_816),
        ("count diplomatico 5x7 closed", 1184),
        ("count diplomatico 5x7 classes", 115_520),
        ("count diplomatico 5x7 from=1,1 to=5,7", 2848),
        ("count diplomatico 6x6", 4_125_136),
        ("count diplomatico 6x6 closed", 13_138),
        ("count diplomatico 6x6 classes", 515_743),
        ("count diplomatico 6x6 from=1,1 to=6,6", 14_328),
        ("count knight-tours 3x12 closed", 176),
        ("count knight-tours 5x8 closed", 44_202),
        ("count knight-tours 6x7 closed", 1_067_638),
        ("count knight-tours 6x8 closed", 55_488_142),
    ] {
        let answer = ask(&question(words));
        assert_eq!(answer.value, Value::exact(number), "{words}");
    }
}

/// Counts solutions and keeps none.
struct Counter(u64);

impl Events for Counter {
    fn solution(&mut self, _: Solution) -> Flow {
        self.0 += 1;
        MORE
    }
}

/// Classes listed by canonical form are as many as Burnside's lemma says.
#[test]
#[ignore = "minutes"]
fn listed_classes_and_burnside_agree() {
    for (board, classes) in [("4x11", 347_437u64), ("5x7", 115_520), ("6x6", 515_743)] {
        let question = question(&format!("classify diplomatico {board}"));
        let mut counter = Counter(0);
        testing::ask_to(&question, &run(), &mut counter).unwrap();
        let Counter(listed) = counter;
        assert_eq!(listed, classes, "{board}");
    }
}

/// Largest layers and all borders, predicted within a factor of 6.
#[test]
#[ignore = "slow without optimisation"]
fn forecasts_of_pairings() {
    for words in [
        "count knight-tours 6x8 closed",
        "count knight-tours 7x8 closed",
        "count knight-tours 6x7",
        "count diplomatico 6x6",
        "count diplomatico 6x8 closed",
        "count wazir-tours 12x12 closed",
    ] {
        let asked = question(&format!("{words} method=pairings"));
        let plan = CATALOGUE.plan(&asked, &run()).unwrap();
        let counted = ask(&asked).cost;
        let off = |plan: Option<f64>, truth: Option<u64>| plan.unwrap() / truth.unwrap() as f64;
        let peak = off(plan.peak_borders, counted.peak_borders);
        let borders = off(plan.borders, counted.borders);
        println!("{words}: largest layer {peak:.2}, all borders {borders:.2}");
        for off in [peak, borders] {
            assert!((1.0 / 6.0..6.0).contains(&off), "{words}: {peak} {borders}");
        }
    }
}

/// All tours of the chessboard: minutes without optimisation.
#[test]
#[ignore = "slow"]
fn the_chessboard() {
    let closed = ask(&question("count knight-tours 8x8 closed method=pairings"));
    assert_eq!(closed.value, Value::exact(13_267_364_410_532u64));
    let classes = ask(&question("count knight-tours 8x8 closed classes"));
    assert_eq!(classes.value, Value::exact(1_658_420_855_433u64));
}

/// The numbers of tours that symmetries keep, in the order of the symmetries.
fn kept(words: &str) -> Vec<String> {
    let answer = ask(&question(&format!("count {words} classes")));
    let table = answer.tables.iter().find(|table| table.id == "kept").unwrap();
    table.rows.iter().map(|row| row[1].to_string()).collect()
}

#[test]
fn tours_that_symmetries_keep_are_the_same_by_branching_and_by_pairings() {
    for words in [
        "knight-tours 6x6 closed",
        "knight-tours 5x6 closed",
        "knight-tours 5x5",
        "knight-tours 3x10",
        "diplomatico 5x6 closed",
        "diplomatico 5x5",
        "diplomatico 5x6",
        "wazir-tours 6x6 closed",
        "wazir-tours 5x5",
        "wazir-tours 2x7 closed",
        "king-tours 4x4 closed",
        "king-tours 3x5",
        // A ring has all symmetries, and mirrors that keep two cells.
        "wazir-tours ...\n.#.\n... closed",
        "king-tours ...\n.#.\n... closed",
        "knight-tours ...\n.#.\n... closed",
        "king-tours ....\n.##.\n.##.\n.... closed",
    ] {
        let by = |method: &str| kept(&format!("{words} method={method}"));
        assert_eq!(by("branch"), by("pairings"), "{words}");
    }
}

#[test]
fn classes_of_boards_that_are_too_large_for_branching() {
    // Of 2^24 tours half a turn and one mirror keep 2^12 each; 3×10 and 3×14, with 2^4 and 2^6,
    // are the same by branching.
    let answer = ask(&question("count wazir-tours 3x50 closed classes"));
    assert_eq!(answer.value, Value::exact(((1u64 << 24) + (2 << 12)) / 4));
    assert_eq!(kept("wazir-tours 3x14 closed method=branch"), ["64", "8", "8", "0"]);
    assert_eq!(kept("wazir-tours 3x14 closed method=pairings"), ["64", "8", "8", "0"]);
}

#[test]
fn plans_say_what_waits_on_disk() {
    let disk = pessoi_engine::disk::Disk::open(std::env::temp_dir(), Some(1 << 20)).unwrap();
    let tight = || Run::new(Budget { memory: Some(64 << 20), ..Budget::default() });
    let asked = question("count knight-tours 8x8 closed method=pairings");
    let without = CATALOGUE.plan(&asked, &tight()).unwrap();
    assert!(without.notes.iter().any(|note| note.contains("hardly fit into the 64.0 MiB")));
    let with = CATALOGUE.plan(&asked, &tight().with_disk(disk)).unwrap();
    assert!(with.notes.iter().any(|note| note.contains("on disk at one time")), "{with:?}");
    assert!(with.notes.iter().any(|note| note.contains("more than the 1.0 MiB")), "{with:?}");
    assert!(with.bytes < without.bytes);
    let ample = CATALOGUE.plan(&asked, &run()).unwrap();
    assert!(!ample.notes.iter().any(|note| note.contains("slices")), "{ample:?}");
}

/// Minutes, and 10 GB.
#[test]
#[ignore = "slow"]
fn the_chessboard_open() {
    let open = ask(&question("count knight-tours 8x8 method=pairings"));
    assert_eq!(open.value, Value::exact(9_795_914_085_489_952u64));
}

fn planned(words: &str, run: &Run) -> String {
    CATALOGUE.plan(&question(words), run).unwrap().method.id
}

/// `auto` used to take branch for some boards that the sweep counts fifty times as fast.
#[test]
fn counts_are_made_by_the_engine_that_takes_less_time() {
    for (words, engine) in [
        ("wazir-tours 6x8", "pairings"),
        ("wazir-tours 7x7", "pairings"),
        ("wazir-tours 8x8", "pairings"),
        ("wazir-tours 8x8 closed", "pairings"),
        ("wazir-tours 12x12 closed", "pairings"),
        ("king-tours 5x5 closed", "pairings"),
        ("knight-tours 5x10 closed", "pairings"),
        ("knight-tours 4x12", "pairings"),
        ("knight-tours 8x8 closed", "pairings"),
        ("knight-tours 5x6", "branch"),
        ("knight-tours 6x6 closed", "branch"),
        ("diplomatico 4x5", "branch"),
        ("diplomatico 5x5", "branch"),
        ("diplomatico 5x6 closed", "branch"),
        ("diplomatico 6x6", "branch"),
        ("diplomatico 6x6 closed", "branch"),
        ("diplomatico 7x7", "branch"),
        ("diplomatico 7x7 closed", "branch"),
        ("diplomatico 30x30", "search"),
    ] {
        for seed in 1..=2 {
            let run = Run::new(Budget { seed, ..Budget::default() });
            assert_eq!(planned(&format!("count {words}"), &run), engine, "{words}, seed {seed}");
        }
    }
    // Neither threads nor a time limit change the choice.
    let time = Some(std::time::Duration::from_secs(100));
    let standing = std::time::Duration::ZERO;
    let run = Run::stepping(Budget { threads: 4, time, ..Budget::default() }, standing);
    assert_eq!(planned("count wazir-tours 7x7", &run), "pairings");
    // A sweep that does not fit into memory is no choice.
    let run = Run::new(Budget { memory: Some(4 << 20), ..Budget::default() });
    assert_eq!(planned("count knight-tours 8x8 closed", &run), "branch");
}

/// It used to say that a time limit of 0 s passed, which nobody had set: once the time is over,
/// other engines need not be asked.
#[test]
fn a_long_recurrence_says_which_engine_was_too_slow() {
    let answer = ask(&question("recurrence knight-tours 3 closed"));
    let step = std::time::Duration::from_millis(1);
    let run = Run::stepping(Budget { time: Some(400 * step), ..Budget::default() }, step);
    let verdict = CATALOGUE.check(&answer, Effort::Again, &run).unwrap();
    assert!(!verdict.holds);
    let terms = verdict.findings.iter().find(|found| found.field == "sequence.terms").unwrap();
    let why = "pairings gave no number in the time that was left";
    assert!(terms.text.ends_with(why), "{}", terms.text);
}

/// The plan used to name another engine than the one that answered, or to refuse.
#[test]
fn plans_name_the_engine_that_answers() {
    for (words, engine, by) in [
        ("sample knight-tours 30x30", "rotations", None),
        ("sample knight-tours 5x5", "portfolio", Some("uniform")),
        ("sample knight-tours 5x5 method=uniform", "uniform", None),
        ("sample knight-tours 5x5 method=rotations", "rotations", None),
        ("find diplomatico 200x200", "tiling", None),
        ("find knight-tours 70x70", "portfolio", Some("rotations")),
        ("find diplomatico 4x5 all", "portfolio", Some("warnsdorff")),
        ("find diplomatico 8x8", "portfolio", Some("rotations")),
        ("find knight-tours 4x4", "portfolio", Some("sat")),
        ("find knight-tours 5x5 closed", "inspection", None),
        ("count diplomatico 4x5 classes", "burnside", Some("branch")),
        ("count diplomatico 4x5 classes method=search", "burnside", Some("search")),
        ("count diplomatico 4x5 limit=2", "search", None),
        ("count diplomatico 4x5 part=1/2", "branch", None),
        ("estimate diplomatico 5x5", "chen", None),
        ("generate hopido 5x5", "thinning", None),
        ("explore knight-tours 5x5", "breadth-first", None),
        ("recurrence wazir-tours 2", "transfer-graph", None),
        ("analyze knight-tours 4x4 solutions profile", "inspection", None),
        ("export knight-tours 4x4", "inspection", None),
    ] {
        let answer = ask(&question(words));
        let used = (&*answer.method.id, answer.method.by.as_deref());
        assert_eq!(used, (engine, by), "{words}");
    }
    // Memory for the layers of a sweep fails only when it is tried.
    let tight = Run::new(Budget { memory: Some(1 << 20), ..Budget::default() });
    let answer = testing::ask(&question("sample knight-tours 6x6"), &tight).unwrap();
    assert_eq!(answer.method.by.as_deref(), Some("rotations"));
    assert_eq!(answer.fact_of("uniform"), Some(&false.into()));
    let answer = testing::ask(&question("sample knight-tours 6x6 method=uniform"), &tight).unwrap();
    assert!(matches!(answer.value, Value::GaveUp { stop: Limit::Memory { .. } }));
}

#[test]
fn plans_predict() {
    let plan = |words: &str| CATALOGUE.plan(&question(words), &run()).unwrap();
    for words in ["count knight-tours 5x6", "list knight-tours 5x6", "find diplomatico 5x5 all"] {
        let plan = plan(words);
        assert!(plan.nodes.is_some() && plan.seconds.is_some(), "{words}: {plan:?}");
    }
    for words in ["count wazir-tours 7x7", "sample knight-tours 5x5", "count knight-tours 5x30"] {
        let plan = plan(words);
        assert!(plan.borders.is_some() && plan.peak_borders.is_some(), "{words}: {plan:?}");
        assert!(plan.bytes.is_some() && plan.seconds.is_some(), "{words}: {plan:?}");
    }
    // All three borders of a strip of three rows are explored at once.
    assert_eq!(plan("recurrence wazir-tours 3 closed").borders, Some(3.0));
    assert!(plan("recurrence knight-tours 6").borders.unwrap() > 1000.0);
    // A part is an m-th of the whole.
    let (whole, part) = (plan("list knight-tours 5x6"), plan("list knight-tours 5x6 part=1/4"));
    assert!((part.nodes.unwrap() * 4.0 / whole.nodes.unwrap() - 1.0).abs() < 1e-9);
}

/// What lies ahead of each site used to be stored before its memory was claimed.
#[test]
fn sweeps_claim_their_memory_first() {
    let tight = Run::new(Budget { memory: Some(1 << 20), ..Budget::default() });
    for words in
        ["count knight-tours 4x200 method=plain-sweep", "count knight-tours 6x7 method=pairings"]
    {
        let answer = testing::ask(&question(words), &tight).unwrap();
        assert!(matches!(answer.value, Value::GaveUp { stop: Limit::Memory { .. } }), "{words}");
        assert!(tight.peak_bytes() <= 1 << 20);
    }
}

#[test]
fn methods_confirm_each_other_only_without_a_common_component() {
    use super::options::{BRANCH, BURNSIDE, PAIRINGS, PLAIN_SWEEP, SEARCH};
    assert!(BRANCH.confirms(&PAIRINGS) && PLAIN_SWEEP.confirms(&PAIRINGS));
    assert!(BRANCH.confirms(&PLAIN_SWEEP));
    assert!(!BRANCH.confirms(&SEARCH), "one runner walks both trees");
    for other in [PAIRINGS, PLAIN_SWEEP, BURNSIDE] {
        assert!(SEARCH.confirms(&other), "{}", other.id);
    }
    // Classes by Burnside's lemma rest on what counts the paths that symmetries keep: pairings
    // where all paths are counted by pairings, otherwise branching.
    let by_search = ask(&question("count diplomatico 4x5 classes method=search")).method;
    let by_branch = ask(&question("count diplomatico 4x5 classes method=branch")).method;
    assert!(by_search.components.iter().any(|one| by_branch.components.contains(one)));
    let by_sweep = ask(&question("count diplomatico 4x5 classes method=pairings")).method;
    let listed = ask(&question("classify diplomatico 4x5")).method;
    assert!(listed.confirms(&by_sweep));
    assert!(!listed.confirms(&by_branch) && !by_sweep.confirms(&by_branch));
    assert!(by_sweep.components.iter().any(|one| one == "pairings"), "{by_sweep:?}");
    assert!(!by_sweep.components.iter().any(|one| one == "branching"), "{by_sweep:?}");
    assert!(by_search.components.iter().any(|one| one == "kept-tours"), "{by_search:?}");
}

#[test]
fn a_part_says_what_it_counts() {
    let part = ask(&question("count diplomatico 4x5 part=1/3"));
    assert_eq!(part.subject.id, "undirected-open-paths");
    assert_eq!(part.subject.text, "undirected open paths in part 1/3");
    let fixed = ask(&question("count diplomatico 5x5 from=1,1 to=5,5 part=1/3"));
    assert_eq!(fixed.subject.text, "open paths numbered as asked in part 1/3");
    let classes = ask(&question("classify diplomatico 4x5 part=2/3"));
    assert!(classes.subject.text.ends_with("reversal in part 2/3"), "{}", classes.subject.text);
    for format in ["text", "json", "csv"] {
        let shown = render(&part, format);
        assert!(shown.contains("undirected open paths in part 1/3"), "{shown}");
    }
}

/// Moves that are not the game's own used to be shown nowhere.
#[test]
fn labels_name_the_moves() {
    let king = ask(&question("count knight-tours 3x3 moves=(0,1)+(1,1)"));
    assert!(render(&king, "text").contains("knight-tours on 3x3 with moves (0,1)+(1,1): "));
    assert!(render(&king, "csv").contains("moves=(0,1)+(1,1)"));
    let found = ask(&question("find knight-tours 3x3 moves=(0,1)"));
    let svg = render(&found, "svg");
    assert!(
        svg.contains("<title>knight-tours on 3x3 with moves (0,1): undirected open path</title>"),
        "{svg}"
    );
    let strip = ask(&question("recurrence knight-tours 2 closed moves=(0,1)"));
    assert_eq!(
        render(&strip, "bfile").lines().next(),
        Some("# a(n) = number of undirected closed paths on 2xn with moves (0,1)")
    );
}

/// Parts count what the whole counts, whatever counts it.
#[test]
fn parts_add_up_to_the_whole() {
    let inner = "1 0 0 0\n0 0 0 0\n0 0 5 0\n";
    let clues = Question::new(Verb::Count, "king-tours", inner).unwrap();
    for asked in [
        question("count knight-tours 5x5"),
        question("count knight-tours 5x5 directed"),
        question("count knight-tours 6x6 closed"),
        question("count knight-tours 5x6 closed directed"),
        question("count knight-tours 5x5 from=1,1"),
        question("count diplomatico 5x5 from=1,1 to=5,5"),
        question("count wazir-tours 4x5"),
        question("count wazir-tours 4x6 closed"),
        question("count wazir-tours 1x1 directed"),
        question("count wazir-tours 2x2 closed"),
        question("count diplomatico 4x4"),
        clues,
    ] {
        let whole = ask(&asked);
        for method in ["auto", "branch", "pairings", "plain-sweep", "search"] {
            let asked = asked.clone().with("method", method);
            if CATALOGUE.plan(&asked, &run()).is_err()
                || method == "search" && asked.board().unwrap().len() > 30
            {
                continue;
            }
            for of in [2u64, 3, 7] {
                let mut sum = BigUint::ZERO;
                for index in 1..=of {
                    let part = asked.clone().with("part", &*format!("{index}/{of}"));
                    let answer = ask(&part);
                    assert_eq!(answer.subject, whole.subject.asked(&part));
                    sum += answer.value.number().unwrap();
                }
                let words = asked.words();
                assert_eq!(Some(sum), whole.value.number(), "{words} of {of}");
            }
        }
    }
}

/// Parts are cut alike, whatever seed, memory and threads they are counted with.
#[test]
fn parts_depend_on_the_question_alone() {
    for words in ["count diplomatico 5x5 part=2/3", "count wazir-tours 6x6 part=2/3"] {
        let asked = question(words);
        let one = ask(&asked);
        for (seed, threads) in [(1, 1), (77, 2), (5000, 3)] {
            let memory = Some(1 << 26);
            let run = Run::new(Budget { seed, threads, memory, ..Budget::default() });
            let other = testing::ask(&asked, &run).unwrap();
            assert_eq!((&other.value, &other.facts), (&one.value, &one.facts));
            assert_eq!(other.method, one.method);
        }
    }
}

/// Splitting used to cost more than not splitting.
#[test]
fn parts_of_a_search_tree_cost_less_than_a_tenth_more() {
    // Smaller boards, which take milliseconds, have hardly a tree above their endings.
    for (words, most) in [("count diplomatico 5x7", 3), ("count diplomatico 6x6", 10)] {
        let whole = ask(&question(words));
        assert_eq!(whole.method.id, "branch");
        let whole = whole.cost.nodes.unwrap();
        for of in [3, most] {
            let nodes = |index| {
                let asked = question(words).with("part", &*format!("{index}/{of}"));
                let answer = ask(&asked);
                assert_eq!(answer.method.id, "branch");
                answer.cost.nodes.unwrap()
            };
            let each: Vec<u64> = (1..=of).map(nodes).collect();
            let all: u64 = each.iter().sum();
            assert!(10 * all < 11 * whole, "{words}: {all} of {of} parts, {whole}");
            // They are somewhat alike in size.
            assert!(each.iter().max().unwrap() * of < 3 * whole, "{words}: {each:?}");
        }
    }
}

#[test]
fn lists_are_the_same_written_on_any_thread() {
    for words in ["list diplomatico 4x5", "classify knight-tours 5x6 closed"] {
        let question = question(words);
        let card = CATALOGUE.game(&question.game).unwrap().card();
        let text = CATALOGUE.format(card, question.verb, "text").unwrap();
        let written = |threads: usize| {
            let run = Run::new(Budget { threads, ..Budget::default() });
            let mut out = Vec::new();
            CATALOGUE.write(&question, &run, text, &Style::default(), &mut out).unwrap();
            String::from_utf8(out).unwrap()
        };
        let lines = written(1);
        assert_eq!(lines, written(3), "{words}");
        let listed = ask(&question).solutions;
        let first = |solution: &Solution| solution.figure.path()[0].to_string();
        assert!(lines.lines().zip(&listed).all(|(line, one)| line.starts_with(&first(one))));
        assert!(lines.lines().count() >= listed.len(), "{words}");
    }
}

/// A listener that has enough after the third solution.
struct Three(u64);

impl Events for Three {
    fn solution(&mut self, _: Solution) -> Flow {
        self.0 += 1;
        if self.0 < 3 { MORE } else { Flow::Break(()) }
    }
}

#[test]
fn work_ends_when_enough_was_found() {
    for words in [
        "find diplomatico 5x5 all",
        "find diplomatico 5x5 all method=backtrack",
        "list diplomatico 5x5",
        "classify diplomatico 5x5",
        "sample knight-tours 5x5 samples=10",
        "sample knight-tours 30x30 samples=10",
    ] {
        let mut three = Three(0);
        let answer = testing::ask_to(&question(words), &run(), &mut three).unwrap();
        assert_eq!((three.0, answer.value), (3, Value::at_least(3u32)), "{words}");
    }
}

/// What an export comes to.
fn exported(question: &Question, format: &str) -> Result<String> {
    let format = CATALOGUE.format(CATALOGUE.game(&question.game)?.card(), Verb::Export, format)?;
    let mut out = Vec::new();
    CATALOGUE.write(question, &run(), format, &Style::default(), &mut out)?;
    Ok(String::from_utf8(out).unwrap())
}

#[test]
fn exports_that_would_leave_something_out_are_refused() {
    let mut asked = question("export knight-tours 1x1");
    asked.place = Place::parse("0 2 0 0\n0 0 0 0\n0 0 0 0").unwrap();
    let error = exported(&asked, "tsplib").unwrap_err();
    assert!(error.to_string().contains("no numbers"), "{error}");
    // The number 2 at the second cell is a clause.
    assert!(exported(&asked, "dimacs").unwrap().ends_with("\n14 0\n"));
    let error = exported(&question("export knight-tours 13x13"), "dimacs").unwrap_err();
    assert_eq!(error.field.as_deref(), Some("format"), "{error}");
}

/// Clues that can be written as fixed edges are, and no others: those that follow each other,
/// at the ends of open paths.
#[test]
fn clues_become_fixed_edges() {
    let write = |drawing: &str, words: &str| {
        let mut asked = question(&format!("export knight-tours 1x1{words}"));
        asked.place = Place::parse(drawing).unwrap();
        let text = exported(&asked, "tsplib")?;
        let fixed = text.split("FIXED_EDGES_SECTION\n").nth(1).map(|rest| {
            assert!(rest.ends_with("\n-1\nEOF\n"), "{text}");
            rest.trim_end_matches("\n-1\nEOF\n").replace('\n', ", ")
        });
        Ok::<_, Error>(fixed.unwrap_or_default())
    };
    let [first, second, last, both, inner, far] = [
        "1 0 0 0\n0 0 0 0\n0 0 0 0",
        "1 0 0 0\n0 0 2 0\n0 0 0 0",
        "0 0 0 0\n0 0 0 0\n0 0 0 12",
        "1 0 0 0\n0 0 2 0\n0 0 0 12",
        "3 0 0 0\n0 0 4 0\n0 0 0 0",
        "1 2 0 0\n0 0 0 0\n0 0 0 0",
    ];
    assert_eq!(write(first, "").unwrap(), "13 1");
    assert_eq!(write(second, "").unwrap(), "13 1, 1 7");
    assert_eq!(write(last, "").unwrap(), "12 13");
    assert_eq!(write(both, "").unwrap(), "13 1, 1 7, 12 13");
    assert!(write(inner, "").is_err());
    assert!(write(far, "").unwrap_err().to_string().contains("1,1 and 1,2"));
    // A loop can begin anywhere: one number says nothing, two are a move.
    assert_eq!(write(first, " closed").unwrap(), "");
    assert_eq!(write(inner, " closed").unwrap(), "1 7");
    assert!(write(both, " closed").is_err());
}

/// A tour that another program found is followed, turned as the clues ask, and checked.
#[test]
fn tours_of_other_programs_are_read() {
    let file = |nodes: &mut dyn Iterator<Item = usize>| {
        let nodes: Vec<String> = nodes.map(|node| (node + 1).to_string()).collect();
        format!("TYPE : TOUR\nTOUR_SECTION\n{}\n-1\nEOF\n", nodes.join("\n"))
    };
    for (words, closed) in [("find knight-tours 5x6", false), ("find knight-tours 6x6", true)] {
        let mut asked = question(words);
        if closed {
            asked = asked.with("closed", true);
        }
        let found = ask(&asked);
        let board = asked.board().unwrap().clone();
        let nodes: Vec<usize> = found.solutions[0]
            .figure
            .path()
            .iter()
            .map(|&cell| board.index(cell).unwrap())
            .collect();
        let n = nodes.len();
        // The outside may stand anywhere, and the tour may go either way.
        let mut cycle = nodes.clone();
        if !closed {
            cycle.push(n);
        }
        cycle.rotate_left(7);
        for backwards in [false, true] {
            if backwards {
                cycle.reverse();
            }
            let text = file(&mut cycle.iter().copied());
            let read = ask(&asked.clone().with("tour", &*text));
            assert_eq!(read.method.id, "tour");
            holds(&read);
            // With the ends given there is one direction, and for loops one beginning.
            let from = board.cell(nodes[0]).to_string();
            let ends = asked.clone().with("from", &*from).with("tour", &*text);
            let to = board.cell(nodes[n - 1]).to_string();
            let ends = if closed { ends } else { ends.with("to", &*to) };
            let read = ask(&ends);
            assert_eq!(read.solutions[0].figure.path()[0].to_string(), from);
            holds(&read);
        }
        let refused = |text: &str, why: &str| {
            let error = testing::ask(&asked.clone().with("tour", text), &run()).unwrap_err();
            assert_eq!(error.field.as_deref(), Some("options.tour"));
            assert!(error.to_string().contains(why), "{error}");
        };
        refused("", "each of");
        let mut wrong = cycle.clone();
        let at = wrong.iter().position(|&node| node == nodes[3]).unwrap();
        let other = wrong.iter().position(|&node| node == nodes[10]).unwrap();
        wrong.swap(at, other);
        refused(&file(&mut wrong.into_iter()), "not one move apart");
        let last = board.cell(nodes[5]).to_string();
        let asked =
            asked.clone().with("from", &*last).with("to", &*board.cell(nodes[9]).to_string());
        let text = file(&mut cycle.iter().copied());
        let error = testing::ask(&asked.with("tour", &*text), &run()).unwrap_err();
        assert!(error.to_string().contains("--from"), "{error}");
    }
}

/// A loop of two cells is none, in a SAT problem too.
#[test]
fn two_cells_are_no_loop_in_dimacs() {
    let problem = exported(&question("export wazir-tours 1x2 closed"), "dimacs").unwrap();
    assert!(problem.contains("\n1 0\n-1 0\n"), "{problem}");
}

/// Counts by trees, estimates, explorations and searches for one path, stopped again and again.
#[test]
fn searches_go_on_from_their_checkpoints() {
    for (words, looks) in [
        ("count diplomatico 6x6 method=branch", 60),
        ("count diplomatico 6x6 method=branch part=2/3", 20),
        ("count diplomatico 4x6 method=search", 40),
        ("count diplomatico 4x6 method=search part=1/2", 40),
        ("count diplomatico 5x5 method=branch classes", 5),
        ("count diplomatico 6x6 closed", 5),
        ("estimate diplomatico 6x6 samples=20", 400),
        ("find knight-tours 4x8 closed method=backtrack", 5),
        ("find knight-tours 3x8 closed method=warnsdorff", 5),
        ("explore knight-tours 100x100", 20),
        ("recurrence wazir-tours 4 terms=50", 9),
        ("recurrence knight-tours 3 closed", 40),
    ] {
        testing::stopped_and_resumed(&question(words), looks);
    }
}

/// A checkpoint is of one question, one method and one seed.
#[test]
fn checkpoints_of_other_questions_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("saved");
    let ask = |words: &str, seed: u64| {
        let store = Store::open(&path).unwrap();
        let run = Run::new(Budget { seed, ..Budget::default() }).with_store(store);
        CATALOGUE.answer(&question(words), &run)
    };
    ask("count diplomatico 5x5 method=branch", 1).unwrap();
    ask("count diplomatico 5x5 method=branch", 2).unwrap();
    for (words, why) in [
        ("count diplomatico 5x5 method=search", "(count diplomatico 5x5 --method branch by branch"),
        ("count diplomatico 5x5 method=branch directed", "belongs to another question"),
        ("count diplomatico 5x5 method=branch part=1/2", "belongs to another question"),
        ("count diplomatico 5x5 method=pairings", "is not one of counting tours by pairings"),
        ("count knight-tours 5x5 method=branch", "belongs to another question"),
    ] {
        let error = ask(words, 1).unwrap_err();
        assert!(error.sentence.contains(why), "{words}: {error}");
    }
    std::fs::remove_file(&path).unwrap();
    ask("estimate diplomatico 5x5 samples=20", 1).unwrap();
    assert!(ask("estimate diplomatico 5x5 samples=20", 2).is_err());
    std::fs::remove_file(&path).unwrap();
    for words in ["list diplomatico 5x5", "classify diplomatico 5x5", "find diplomatico 5x5 all"] {
        let error = ask(words, 1).unwrap_err();
        assert!(error.sentence.contains("list --part i/m"), "{error}");
    }
    assert!(!path.exists());
}

/// The bound of this id, as a natural logarithm.
fn bound(answer: &Answer, id: &str) -> Option<f64> {
    match answer.fact_of(id)? {
        Datum::Float(log10) => Some(log10 * std::f64::consts::LN_10),
        other => panic!("{other:?}"),
    }
}

/// What is wrong with the bounds of a board that has so many tours; nothing if all hold.
fn wrong_bounds(analysis: &Answer, tours: &BigUint) -> Option<String> {
    let tours = u64::try_from(tours).unwrap() as f64;
    for id in ["log10-most-by-degrees", "log10-most-by-reading"] {
        // There is no logarithm of nothing.
        if bound(analysis, id).map_or(tours > 0.0, |most| most < tours.ln()) {
            return Some(format!("{id} for {tours} tours"));
        }
    }
    let least = bound(analysis, "log10-least-by-pieces").filter(|&least| least > tours.ln());
    least.map(|least| format!("e^{least} by pieces for {tours} tours"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Bounds against trying everything, on boards with blocked cells: with and without triangles
    /// of moves, open and closed, free and with a given end, pieces of any size.
    #[test]
    fn bounds_hold_on_random_boards(
        present in prop::collection::vec(prop::bool::weighted(0.93), 20),
        piece in 0..PIECES.len(),
        closed in any::<bool>(),
        first in prop::option::of(0usize..20),
        most in 9u64..20,
    ) {
        let (game, leapers) = PIECES[piece];
        let rows = if game == "king-tours" { 3 } else { 4 };
        let Some(place) = drawn(&present[..rows * 5], rows as i32, 5) else { return Ok(()) };
        let Place::Board(drawing) = &place else { return Ok(()) };
        let cells: Vec<Cell> = (0..drawing.board.len()).map(|k| drawing.board.cell(k)).collect();
        let n = cells.len();
        prop_assume!(n > 2);
        let first = first.filter(|_| !closed).map(|first| first % n);
        let starts = if closed { 0..1 } else { 0..n };
        let starts = starts.filter(|&start| first.is_none_or(|first| first == start));
        let directed: u64 =
            starts.map(|start| tried(&cells, leapers, closed, None, &mut vec![start])).sum();
        let tours = BigUint::from(if first.is_none() { directed / 2 } else { directed });

        let mut asked = question(&format!("analyze {game} 1x1")).with("bounds", true)
            .with("pieces", most);
        if closed {
            asked = asked.with("closed", true);
        }
        if let Some(first) = first {
            asked = asked.with("from", &cells[first].to_string()[..]);
        }
        asked.place = place;
        prop_assert_eq!(wrong_bounds(&ask(&asked), &tours), None);
    }
}

/// On every board that is counted exactly within the time of a test; by pieces too, which take full
/// boards.
#[test]
fn bounds_hold_on_full_boards() {
    let boards = [
        "diplomatico 4x5",
        "diplomatico 4x9",
        "diplomatico 5x5",
        "diplomatico 5x6",
        "diplomatico 6x6",
        "diplomatico 4x10 closed",
        "diplomatico 6x6 closed",
        "knight-tours 3x8",
        "knight-tours 5x5",
        "knight-tours 5x6",
        "knight-tours 6x6 closed",
        "wazir-tours 6x6",
        "wazir-tours 6x8 closed",
        "wazir-tours 6x9",
        "king-tours 3x6",
        "king-tours 4x4 closed",
        "zebra-tours 6x6",
    ];
    let mut by_pieces = 0;
    for board in boards {
        let tours = number(&question(&format!("count {board}")));
        let analysis = ask(&question(&format!("analyze {board} bounds pieces=20")));
        assert_eq!(wrong_bounds(&analysis, &tours), None, "{board}");
        by_pieces += usize::from(bound(&analysis, "log10-least-by-pieces").is_some());
    }
    assert!(by_pieces >= 6, "{by_pieces}");
    // Of one piece, all paths; of two, some.
    let pieces = |words: &str| {
        let analysis = ask(&question(&format!("analyze {words} bounds")));
        bound(&analysis, "log10-least-by-pieces").map(|ln| ln.exp().round() as u64)
    };
    assert_eq!(pieces("diplomatico 5x5"), Some(6200));
    assert_eq!(pieces("diplomatico 6x6 closed"), Some(13138));
    assert_eq!(pieces("diplomatico 5x5 from=1,1"), None);
    // Two pieces of 20 cells by all pairs, and two of 48 by the cells where they end.
    for (words, larger) in [("wazir-tours 4x10", "pieces=20"), ("wazir-tours 4x24", "pieces=48")] {
        let found = pieces(&format!("{words} {larger}")).unwrap();
        let tours = count(words);
        assert!(found > 100 && found < tours, "{words}: {found} of {tours}");
    }
    let some = pieces("wazir-tours 6x9").unwrap();
    assert!(some > 100_000 && some < count("wazir-tours 6x9"), "{some}");
}

/// A limit keeps the bound that is known by then, and says so.
#[test]
fn a_limit_keeps_the_bound_so_far() {
    let asked = question("analyze wazir-tours 6x8 bounds");
    let best = bound(&ask(&asked), "log10-least-by-pieces").unwrap();
    let step = std::time::Duration::from_millis(1);
    let (mut kept, mut steps) = (0, 1);
    loop {
        let run = Run::stepping(Budget { time: Some(steps * step), ..Budget::default() }, step);
        let answer = CATALOGUE.answer(&asked, &run).unwrap();
        let Some(_) = answer.value.stop() else { break };
        assert!(answer.notes.iter().any(|note| note.contains("the time limit")), "{answer:?}");
        if let Some(found) = bound(&answer, "log10-least-by-pieces") {
            assert!(found <= best);
            kept += 1;
        }
        steps += 1 + steps / 4;
    }
    assert!(kept > 0);
}

/// Without a limit of time, pieces whose paths are too many are left out.
#[test]
fn pieces_that_are_too_dear_are_left_out() {
    let answer = ask(&question("analyze king-tours 6x6 bounds"));
    assert!(bound(&answer, "log10-least-by-pieces").is_some());
    assert!(answer.notes.iter().any(|note| note.contains("were left out")), "{:?}", answer.notes);
}

/// Bounds are rounded away from the number: as they are shown, they hold.
#[test]
fn bounds_hold_as_they_are_printed() {
    let boards = ["knight-tours 5x6", "knight-tours 5x5", "diplomatico 5x5", "wazir-tours 4x6"];
    for board in boards {
        let exact = (count(board) as f64).log10();
        let analysis = ask(&question(&format!("analyze {board} bounds")));
        let shown = |id| analysis.fact_of(id).map(|fact| fact.to_string().parse::<f64>().unwrap());
        let least = shown("log10-least-by-pieces").unwrap();
        assert!(least <= exact && least > exact - 1.0, "{board}: {least} {exact}");
        assert!(shown("log10-most-by-reading").unwrap() >= exact, "{board}");
        let verdict = CATALOGUE.check(&analysis, Effort::Usual, &run()).unwrap();
        assert!(verdict.holds, "{verdict:?}");
    }
    // 18784 paths: 10^4.273788.
    let analysis = ask(&question("analyze knight-tours 5x6 bounds"));
    assert_eq!(analysis.fact_of("log10-least-by-pieces").unwrap().to_string(), "4.27378");
}

/// What decides a board decides it with clues too.
#[test]
fn a_board_without_tours_has_none_with_clues() {
    // Its moves are in short supply; a knights' board of four rows has no closed tour, which the
    // solver sees.
    let short = "# . . . .\n. # . # .\n. # 4 . .";
    let strip = ". . . . . .\n. . 3 . . .\n. . . . . .\n. . . . . .";
    for (board, closed, by) in [(short, false, "supply"), (strip, true, "sat")] {
        let mut asked = question("find knight-tours 1x1").with("closed", closed);
        asked.place = Place::parse(board).unwrap();
        for limit in [None, Some(3u64)] {
            let asked = limit.map_or(asked.clone(), |limit| asked.clone().with("limit", limit));
            let answer = ask(&asked);
            assert!(matches!(answer.value, Value::None { .. }), "{board}: {:?}", answer.value);
            assert_eq!(answer.method.name(), format!("portfolio/{by}"));
            let verdict = CATALOGUE.check(&answer, Effort::Usual, &run()).unwrap();
            assert!(verdict.holds, "{verdict:?}");
        }
    }
    // Without clues, more than one solution is wanted; and where there are some, they are found.
    let answer = ask(&question("find knight-tours 4x6 closed limit=2"));
    assert_eq!(answer.method.name(), "portfolio/sat");
    let answer = ask(&question("find knight-tours 5x5 limit=2"));
    assert_eq!(
        (answer.method.name().into_owned(), answer.solutions.len()),
        ("portfolio/warnsdorff".into(), 2)
    );
}

/// The ends of a path bound it too.
#[test]
fn an_analysis_takes_both_ends() {
    let most = |words: &str| bound(&ask(&question(words)), "log10-most-by-reading").unwrap();
    let free = most("analyze knight-tours 5x5");
    let from = most("analyze knight-tours 5x5 from=1,1");
    let both = most("analyze knight-tours 5x5 from=1,1 to=5,5");
    assert!(both < from && from < free, "{both} {from} {free}");
    assert!(both >= (count("knight-tours 5x5 from=1,1 to=5,5") as f64).ln());
    let foreign = question("analyze knight-tours 5x5 to=9,9");
    assert!(CATALOGUE.answer(&foreign, &run()).is_err());
}

/// On 10×10 the paper has 10^0.4 and 10^83.7 directed paths, and an estimate of 10^28.6 undirected
/// ones is near the truth.
#[test]
fn bounds_of_the_board_of_a_hundred_cells() {
    let analysis = ask(&question("analyze diplomatico 10x10 closed"));
    let log10 = |id| bound(&analysis, id).unwrap() / std::f64::consts::LN_10;
    // By hand from the table of degrees; and by a sum over a thousand strips in another program.
    assert!((log10("log10-most-by-degrees") - (42.556_372_69 - 2f64.log10())).abs() < 2e-4);
    assert!((log10("log10-most-by-reading") - 35.658_00).abs() < 2e-4);
}

/// A sample that cannot be uniform in time is drawn otherwise, and says so.
#[test]
fn samples_fall_back_when_time_runs_short() {
    let step = std::time::Duration::from_millis(1);
    let run = Run::stepping(Budget { time: Some(4_000 * step), ..Budget::default() }, step);
    let asked = question("sample knight-tours 8x8 closed");
    let drawn = CATALOGUE.answer(&asked, &run).unwrap();
    assert_eq!(drawn.value, Value::at_least(1u32), "{:?}", drawn.notes);
    assert_eq!(drawn.fact_of("uniform"), Some(&Datum::Boolean(false)));
    assert!(drawn.notes[0].contains("time limit"), "{:?}", drawn.notes);
    // Asked for by name, uniform samples are not replaced.
    let run = Run::stepping(Budget { time: Some(500 * step), ..Budget::default() }, step);
    let uniform = question("sample knight-tours 8x8 closed method=uniform");
    assert!(matches!(CATALOGUE.answer(&uniform, &run).unwrap().value, Value::GaveUp { .. }));
}

#[test]
fn large_boards_are_patched() {
    for words in ["find knight-tours 150x151", "find knight-tours 150x150 closed"] {
        let found = ask(&question(words));
        assert_eq!(found.method.id, "patches", "{words}");
        assert_eq!(found.value, Value::at_least(1u32));
        let verdict = CATALOGUE.check(&found, Effort::Usual, &run()).unwrap();
        assert!(verdict.holds, "{verdict:?}");
    }
    let refused = refused("find knight-tours 4x8 method=patches");
    assert!(refused.to_string().contains("rotations"), "{refused}");
}
