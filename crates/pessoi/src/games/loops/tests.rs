//! Golden values, methods against each other, bad input.
//!
//! The numbers are those of the literature, and of programs written for no other purpose than
//! to check it. The paper's own value for k = 12 is 350256; four programs, and this one, find
//! 350286.

use std::collections::HashSet;
use std::sync::Arc;

use num_bigint::BigUint;
use proptest::prelude::*;

use super::moves::{Moves, Point};
use super::orderly::Orderly;
use super::task::Task;
use super::words::{Alphabet, cells};
use crate::answer::{Answer, Figure, Solution, Value};
use crate::certificate::Verdict;
use crate::export::Format;
use crate::question::{Place, Question, Verb};
use crate::{Error, Run, ask, plan, stream, verify, verify_bytes};
use pessoi_engine::run::Budget;
use pessoi_engine::search::{Part, tally};

/// A question in words: verb, game, place and options with `=` between name and value.
fn question(words: &str) -> Question {
    let mut words = words.split(' ');
    let verb = words.next().unwrap();
    let verb = Verb::ALL.into_iter().find(|known| known.name() == verb).unwrap();
    let game = words.next().unwrap();
    let mut question = Question {
        verb,
        game: game.into(),
        place: Place::Nowhere,
        options: std::collections::BTreeMap::new(),
    };
    for word in words {
        question = match word.split_once('=') {
            _ if !word.starts_with("--") => {
                Question { place: Place::parse(word).unwrap(), ..question }
            }
            None => question.with(&word[2..], true),
            Some((name, value)) => match value.parse::<u64>() {
                Ok(number) => question.with(&name[2..], number),
                Err(_) => question.with(&name[2..], &*value.replace('_', " ")),
            },
        };
    }
    question
}

fn two_threads() -> Run {
    Run::new(Budget { threads: 2, ..Budget::default() })
}

fn answer(words: &str) -> Answer {
    ask(&question(words), &two_threads(), &mut |_| true).unwrap_or_else(|e| panic!("{words}: {e}"))
}

fn number(words: &str) -> u64 {
    match answer(words).value {
        Value::Exact { number } => number.try_into().unwrap(),
        Value::None { .. } => 0,
        value => panic!("{words}: {value:?}"),
    }
}

fn listed(words: &str) -> Vec<Solution> {
    let mut found = Vec::new();
    let sink = &mut |solution| {
        found.push(solution);
        true
    };
    ask(&question(words), &two_threads(), sink).unwrap_or_else(|e| panic!("{words}: {e}"));
    found
}

/// k, classes, fixed, non-crossing classes, non-crossing fixed.
const KNIGHT: [(u64, [u64; 4]); 6] = [
    (4, [3, 6, 3, 6]),
    (6, [25, 136, 13, 68]),
    (8, [480, 3394, 178, 1185]),
    (10, [12000, 94444, 3034, 23536]),
    (12, [350_286, 2_790_096, 64877, 514_070]),
    (14, [10_780_549, 86_198_984, 1_503_790, 12_013_104]),
];

const KINDS: [&str; 4] =
    ["", " --symmetry=fixed", " --non-crossing", " --non-crossing --symmetry=fixed"];

#[test]
fn closed_knights_paths() {
    for (k, numbers) in &KNIGHT[..5] {
        for (kind, wanted) in KINDS.iter().zip(numbers) {
            assert_eq!(number(&format!("count knight-loops {k}{kind}")), *wanted, "{k}{kind}");
        }
    }
}

#[test]
fn all_methods_agree() {
    for (game, lengths) in [
        ("knight-loops", 4..=8),
        ("wazir-loops", 4..=12),
        ("king-loops", 3..=7),
        ("diplomatico-loops", 3..=6),
        ("giraffe-loops", 4..=6),
    ] {
        for k in lengths {
            for kind in ["", " --symmetry=one-sided", " --symmetry=fixed", " --congruent"] {
                let asked = format!("count {game} {k}{kind}");
                let orderly = number(&format!("{asked} --method=orderly"));
                for method in ["doubling", "algorithm-1", "algorithm-2"] {
                    let free = matches!(game, "knight-loops" | "giraffe-loops");
                    if method == "doubling" && kind == " --congruent" && !free {
                        continue;
                    }
                    assert_eq!(
                        number(&format!("{asked} --method={method}")),
                        orderly,
                        "{asked} {method}"
                    );
                }
            }
            let asked = format!("count {game} {k} --non-crossing");
            let orderly = number(&asked);
            for method in ["algorithm-1", "algorithm-2"] {
                assert_eq!(number(&format!("{asked} --method={method}")), orderly, "{asked}");
            }
        }
    }
    assert_eq!(number("count knight-loops 10 --method=algorithm-2"), 12000);
    assert_eq!(number("count knight-loops 10 --method=doubling"), 12000);
}

#[test]
fn longer_loops_by_two_methods() {
    assert_eq!(number("count knight-loops 12 --method=orderly"), 350_286);
    for (k, numbers) in &KNIGHT[4..6] {
        assert_eq!(number(&format!("count knight-loops {k} --method=doubling")), numbers[0]);
        let fixed = format!("count knight-loops {k} --method=doubling --symmetry=fixed");
        assert_eq!(number(&fixed), numbers[1]);
    }
}

/// Minutes in the profile of the tests.
#[test]
#[ignore = "slow"]
fn the_longest_loops_of_the_paper() {
    for (kind, wanted) in KINDS.iter().zip(KNIGHT[5].1) {
        assert_eq!(number(&format!("count knight-loops 14{kind} --method=orderly")), wanted);
    }
    let sixteen = [344_680_960, 2_757_066_628, 36_930_111, 295_319_163];
    for (kind, wanted) in KINDS.iter().zip(sixteen) {
        assert_eq!(number(&format!("count knight-loops 16{kind}")), wanted);
    }
    assert_eq!(number("count knight-loops 16 --method=orderly"), sixteen[0]);
    assert_eq!(number("count knight-loops 18"), 11_331_395_194);
    assert_eq!(number("count knight-loops 12 --method=algorithm-1"), 350_286);
    assert_eq!(number("count knight-loops 12 --method=algorithm-2"), 350_286);
    // OEIS A356404, A323134.
    assert_eq!(number("count knight-loops 14 --congruent"), 10_780_478);
    assert_eq!(number("count zebra-loops 14"), 4_715_299);
    assert_eq!(number("count zebra-loops 14 --non-crossing"), 644_945);
    assert_eq!(number("count giraffe-loops 14"), 3_738_649);
    assert_eq!(number("count giraffe-loops 14 --non-crossing"), 562_024);
    // Distinct sets of cells.
    let sets = answer("analyze knight-loops 12 --cells").tables;
    assert_eq!(sets.last().unwrap().rows.last().unwrap(), &["all", "318831"]);
}

/// OEIS A356404 and A323134: congruence joins chiral pairs on the tilted lattice.
#[test]
fn congruent_paths() {
    assert_eq!(number("count knight-loops 10 --congruent"), 11997);
    assert_eq!(number("count knight-loops 10 --congruent --method=doubling"), 11997);
    assert_eq!(number("count knight-loops 12 --congruent"), 350_275);
    assert_eq!(number("count knight-loops 10 --congruent --non-crossing"), 3031);
    assert_eq!(number("count knight-loops 12 --congruent --non-crossing"), 64866);
    assert_eq!(listed("list knight-loops 10 --congruent").len(), 11997);
}

/// OEIS A002931 (fixed) and A266549 (free); both for polygons of the grid.
#[test]
fn polygons_of_the_grid() {
    let fixed = [1, 2, 7, 28, 124, 588, 2938, 15268, 81826];
    let free = [1, 1, 3, 6, 25, 86, 414, 1975];
    for (k, wanted) in (4..).step_by(2).zip(fixed) {
        assert_eq!(number(&format!("count wazir-loops {k} --symmetry=fixed")), wanted);
    }
    for (k, wanted) in (4..).step_by(2).zip(free) {
        assert_eq!(number(&format!("count wazir-loops {k}")), wanted);
        // A path of the grid never crosses itself.
        if k <= 14 {
            assert_eq!(number(&format!("count wazir-loops {k} --non-crossing")), wanted);
        }
    }
}

#[test]
fn other_leapers() {
    let zebra = [(4, 3, 3), (6, 13, 9), (8, 223, 108), (10, 4857, 1468), (12, 144_266, 29041)];
    for (k, all, simple) in zebra {
        assert_eq!(number(&format!("count zebra-loops {k}")), all);
        assert_eq!(number(&format!("count zebra-loops {k} --non-crossing")), simple);
    }
    let giraffe = [(4, 3, 3), (6, 13, 9), (8, 223, 108), (10, 4356, 1409), (12, 119_991, 26554)];
    for (k, all, simple) in giraffe {
        assert_eq!(number(&format!("count giraffe-loops {k}")), all);
        assert_eq!(number(&format!("count giraffe-loops {k} --non-crossing")), simple);
    }
    // A camel is a knight on the diagonals.
    for (k, numbers) in &KNIGHT[..4] {
        for (kind, wanted) in KINDS.iter().zip(numbers) {
            assert_eq!(number(&format!("count camel-loops {k}{kind}")), *wanted);
        }
    }
    for (k, fixed, free) in [(3, 4, 1), (4, 12, 5), (5, 36, 6), (6, 126, 25), (7, 476, 64)] {
        assert_eq!(number(&format!("count king-loops {k} --symmetry=fixed")), fixed);
        assert_eq!(number(&format!("count king-loops {k}")), free);
    }
    for (k, fixed, free) in [(4, 6, 3), (6, 76, 18), (7, 60, 12), (8, 1434, 216)] {
        assert_eq!(number(&format!("count diplomatico-loops {k} --symmetry=fixed")), fixed);
        assert_eq!(number(&format!("count diplomatico-loops {k}")), free);
        assert_eq!(number(&format!("count diplomatico-loops {k} --method=doubling")), free);
    }
}

/// The plain search for all moves and the fast one for turn words walk the same tree.
#[test]
fn fast_and_plain_search_agree() {
    for asked in [
        "count knight-loops 8",
        "count knight-loops 10 --non-crossing",
        "count zebra-loops 8 --non-crossing",
        "count knight-loops 10 --board=4x7",
        "count knight-loops 10 --non-crossing --board=5x5",
        "count knight-loops 8 --moves=(2,4) --non-crossing",
    ] {
        let asked_question = question(asked);
        let leapers = match asked_question.text("moves") {
            Some(moves) => crate::games::leapers::parse(moves).unwrap(),
            None if asked.contains("zebra") => vec![(2, 3)],
            None => vec![(1, 2)],
        };
        let task = Arc::new(Task::new(&asked_question, &leapers).unwrap());
        let run = Run::default();
        let plain = tally(&Orderly::new(task), Part::WHOLE, &run).unwrap();
        assert_eq!(number(asked), plain.solutions, "{asked}");
    }
}

#[test]
fn the_census_ties_visiting_to_counting() {
    for (game, k) in
        [("knight-loops", 12), ("king-loops", 8), ("king-loops", 9), ("diplomatico-loops", 8)]
    {
        let task = Task::new(&question(&format!("count {game} {k}")), leapers_of(game)).unwrap();
        let moves = Arc::new(task.moves.clone());
        let doubled = super::doubling::census(&moves, k, &Run::default()).unwrap().unwrap();
        let mut visited = super::census::Census::default();
        super::visit::visit(
            &Arc::new(task.clone()),
            Part::WHOLE,
            &Run::default(),
            super::census::Census::default,
            |census, found| census.add(found.stabiliser(&task)),
            |_| 0,
            |census| {
                visited.merge(&census);
                true
            },
        );
        assert_eq!(visited, doubled, "{game} {k}");
    }
}

fn leapers_of(game: &str) -> &'static [Point] {
    match game {
        "knight-loops" => &[(1, 2)],
        "king-loops" => &[(0, 1), (1, 1)],
        _ => &[(0, 3), (2, 2)],
    }
}

#[test]
fn parts_are_disjoint_and_together_everything() {
    for (asked, of) in [
        ("knight-loops 10", 3),
        ("king-loops 7", 4),
        ("knight-loops 6", 5),
        ("knight-loops 8", 100_000),
    ] {
        let all = listed(&format!("list {asked}"));
        let parts: u64 = if of > 1000 { 3 } else { of };
        let mut together: Vec<Solution> =
            (1..=parts).flat_map(|i| listed(&format!("list {asked} --part={i}/{of}"))).collect();
        if of < 1000 {
            assert_eq!(together.len(), all.len(), "{asked}");
        }
        let counted: u64 =
            (1..=parts).map(|i| number(&format!("count {asked} --part={i}/{of}"))).sum();
        assert_eq!(counted as usize, together.len());
        together.retain(|found| !all.contains(found));
        assert!(together.is_empty());
    }
}

#[test]
fn lists_have_one_loop_of_each_class_in_the_same_order() {
    for asked in [
        "knight-loops 8",
        "knight-loops 8 --symmetry=one-sided",
        "king-loops 6 --symmetry=fixed",
        "knight-loops 8 --board=3x9 --symmetry=fixed",
        "knight-loops 8 --non-crossing --board=4x7",
    ] {
        let one = {
            let mut found = Vec::new();
            ask(&question(&format!("list {asked}")), &Run::default(), &mut |s| {
                found.push(s);
                true
            })
            .unwrap();
            found
        };
        assert_eq!(one, listed(&format!("list {asked}")));
        assert_eq!(one.len() as u64, number(&format!("count {asked}")), "{asked}");
        // The checker looks at each loop, finds no two that are the same, and no more.
        let mut answer = answer(&format!("list {asked}"));
        answer.solutions = one;
        let json = serde_json::to_string(&answer).unwrap();
        assert!(matches!(verify(&json, &Run::default()), Ok(Verdict::Holds(_))), "{asked}");
    }
    // The paper's algorithms tell the same classes by other loops.
    let alphabet = Alphabet::new(&Moves::new(&[(1, 2)]));
    let words = |asked: &str| -> HashSet<Vec<u8>> {
        listed(asked)
            .iter()
            .map(|solution| alphabet.canonical(&alphabet.spell(&moves_of(solution))))
            .collect()
    };
    let orderly = words("list knight-loops 8");
    assert_eq!(words("list knight-loops 8 --method=algorithm-1"), orderly);
    assert_eq!(words("list knight-loops 8 --method=algorithm-2"), orderly);
}

fn moves_of(solution: &Solution) -> Vec<u8> {
    let cells: Vec<Point> = solution.figure.path().iter().map(|c| (c.row, c.col)).collect();
    super::paper::moves_of(&Moves::new(&[(1, 2)]), &cells)
}

fn streamed(words: &str, format: Format) -> Vec<u8> {
    let mut bytes = Vec::new();
    stream(&question(words), &two_threads(), format, &mut |more| {
        bytes.extend_from_slice(more);
        true
    })
    .unwrap_or_else(|e| panic!("{words}: {e}"));
    bytes
}

#[test]
fn bytes_say_what_the_solutions_say() {
    for asked in [
        "list knight-loops 8",
        "classify knight-loops 8 --symmetry=one-sided",
        "list king-loops 6",
        "list knight-loops 8 --page=3",
        "list knight-loops 8 --limit=5 --method=algorithm-2",
    ] {
        for format in [Format::Text, Format::Json] {
            let lines: String = (1..)
                .zip(listed(asked))
                .map(|(n, solution)| crate::export::line(&solution, n, format).unwrap())
                .collect();
            assert_eq!(String::from_utf8(streamed(asked, format)).unwrap(), lines, "{asked}");
        }
    }
}

#[test]
fn packed_lists_are_read_again() {
    for asked in [
        "list knight-loops 8",
        "list king-loops 6 --symmetry=fixed",
        "list knight-loops 10 --limit=7",
        "list wazir-loops 8 --moves=(0,1)+(1,2)+(0,3)",
    ] {
        let bytes = streamed(asked, Format::Packed);
        let mut found = Vec::new();
        let read = crate::read(&bytes, &mut |solution| {
            found.push(solution);
            true
        })
        .unwrap();
        assert_eq!(found, listed(asked), "{asked}");
        assert_eq!(read.question, question(asked));
        assert!(matches!(verify_bytes(&bytes, &Run::default()), Ok(Verdict::Holds(_))), "{asked}");
        // Cut anywhere, it is refused.
        for cut in [1, 8, 9, bytes.len() / 2, bytes.len() - 20] {
            let error = crate::read(&bytes[..bytes.len() - cut], &mut |_| true).unwrap_err();
            assert!(matches!(&error, Error::Input(_)), "{error}");
        }
    }
    let mut bytes = streamed("list knight-loops 6", Format::Packed);
    let at = bytes.len() - 9;
    bytes[at] ^= 1;
    assert!(verify_bytes(&bytes, &Run::default()).is_err(), "a flipped bit");
}

#[test]
fn pages_and_pictures() {
    let all = listed("list knight-loops 8");
    assert_eq!(listed("list knight-loops 8 --page=2"), all[60..120]);
    assert_eq!(listed("list knight-loops 8 --page=8"), all[420..480]);
    assert!(listed("list knight-loops 8 --page=9").is_empty());
    let svg = String::from_utf8(streamed("list knight-loops 8 --page=2", Format::Svg)).unwrap();
    assert_eq!(svg.matches("<polygon").count(), 60);
    assert!(svg.contains(">61</text>") && svg.trim_end().ends_with("</svg>"));
    // Table 3 of the paper: the only cells with several loops of length 8.
    let shared = answer("analyze knight-loops 8 --cells");
    assert_eq!(shared.solutions.len(), 3);
    let sets = &shared.tables[2].rows;
    assert_eq!(sets, &[["1", "477"], ["3", "1"], ["all", "478"]]);
    let svg = crate::export::render(&shared, Format::Svg).unwrap();
    assert_eq!(svg.matches("<polygon").count(), 3);
    let table_3 = ["3 7 15 11 24 28 20 16", "3 7 15 28 20 16 24 11", "3 7 20 28 15 11 24 16"];
    let own: HashSet<_> = shared.solutions.iter().map(canonical).collect();
    let told = table_3.map(|path| {
        canonical(
            &listed(&format!("classify knight-loops --path={} --width=6", path.replace(' ', "_")))
                [0],
        )
    });
    assert_eq!(own, told.into_iter().collect());
    assert_eq!(
        answer("analyze knight-loops 10 --cells").tables[2].rows.last().unwrap(),
        &["all", "11425"]
    );
}

fn canonical(solution: &Solution) -> Vec<u8> {
    let alphabet = Alphabet::new(&Moves::new(&[(1, 2)]));
    alphabet.canonical(&alphabet.spell(&moves_of(solution)))
}

#[test]
fn one_path_classified() {
    let table_2 = "classify knight-loops --path=2,9,18,15,24,17,6,13 --width=5";
    assert_eq!(listed(&format!("{table_2} --symmetry=fixed")).len(), 8);
    assert_eq!(listed(&format!("{table_2} --symmetry=one-sided")).len(), 2);
    assert_eq!(listed(table_2).len(), 1);
    let square = "classify knight-loops --path=1,2_3,1_4,3_2,4";
    assert_eq!(listed(&format!("{square} --symmetry=fixed")).len(), 2);
    assert!(answer(square).tables[0].rows.iter().any(|row| row[1] == "quarter turns"));
}

#[test]
fn loops_on_boards() {
    // On a board that is large enough nothing changes.
    assert_eq!(number("count knight-loops 8 --board=9x9"), 480);
    assert_eq!(number("count knight-loops 8 --board=9x9 --symmetry=fixed"), 3394);
    // Squares of a wazir: one, at (m−1)(n−1) places.
    let squares = answer("count wazir-loops 4 --board=3x5");
    assert_eq!(squares.value, Value::exact(1u32));
    assert!(squares.notes[0].contains(" 8 ways"), "{:?}", squares.notes);
    // The closed knight's path of length 8 around a 3×3 board is the only one that fits.
    assert_eq!(number("count knight-loops 8 --board=3x3"), 1);
    assert_eq!(number("count knight-loops 4 --board=3x3"), 0);
    // As many placements as closed paths in the graph of the board.
    for (rows, cols, k) in [(4, 4, 6), (3, 5, 8), (5, 4, 8)] {
        let told = answer(&format!("count knight-loops {k} --board={rows}x{cols}"));
        let ways = brute_force_cycles(rows, cols, k);
        assert!(told.notes[0].contains(&format!(" {ways} ways")), "{:?} {ways}", told.notes);
    }
}

/// Closed knight's paths of a length on a board, by trying all.
fn brute_force_cycles(rows: i32, cols: i32, k: usize) -> u64 {
    fn extend(path: &mut Vec<Point>, rows: i32, cols: i32, k: usize) -> u64 {
        let here = path[path.len() - 1];
        let joined = |a: Point, b: Point| (a.0 - b.0).pow(2) + (a.1 - b.1).pow(2) == 5;
        if path.len() == k {
            return u64::from(joined(here, path[0]) && path[1] < here);
        }
        let mut found = 0;
        for row in 0..rows {
            for col in 0..cols {
                if (row, col) > path[0] && joined(here, (row, col)) && !path.contains(&(row, col)) {
                    path.push((row, col));
                    found += extend(path, rows, cols, k);
                    path.pop();
                }
            }
        }
        found
    }
    let starts = (0..rows).flat_map(|row| (0..cols).map(move |col| (row, col)));
    starts.map(|start| extend(&mut vec![start], rows, cols, k)).sum()
}

#[test]
fn longest_paths_are_found_and_checked() {
    for (asked, moves) in [
        ("find knight-loops 5x5 --longest", 8),
        ("find knight-loops 4x5 --longest --open", 7),
        ("find wazir-loops 3x4 --longest", 12),
        ("find king-loops 3x3 --longest", 9),
        ("find diplomatico-loops 5x5 --longest", 4),
    ] {
        let answer = answer(asked);
        assert_eq!(answer.value, Value::exact(moves as u32), "{asked}");
        let json = serde_json::to_string(&answer).unwrap();
        let verdict = verify(&json, &Run::default());
        assert!(matches!(&verdict, Ok(Verdict::Holds(_))), "{asked}: {verdict:?}");
    }
    // The only loop on 3×3 crosses itself.
    assert!(matches!(answer("find knight-loops 3x3 --longest").value, Value::None { .. }));
}

/// OEIS A003192 and A157416, the last terms known to be proved there.
#[test]
#[ignore = "slow"]
fn longest_uncrossed_knights_paths_on_large_boards() {
    for (n, open, closed) in [(7, 24, 24), (8, 35, 32)] {
        assert_eq!(number(&format!("find knight-loops {n}x{n} --longest --open")), open);
        assert_eq!(number(&format!("find knight-loops {n}x{n} --longest")), closed);
    }
}

#[test]
fn saved_answers_are_checked() {
    for asked in [
        "count knight-loops 8",
        "count knight-loops 8 --non-crossing --symmetry=one-sided",
        "count knight-loops 8 --congruent",
        "count wazir-loops 4 --moves=(0,5)+(3,4)",
        "count wazir-loops 4 --moves=(0,5)+(3,4) --congruent",
        "count king-loops 5",
        "count diplomatico-loops 6 --non-crossing",
        "count knight-loops 8 --board=4x6",
        "count knight-loops 7",
        "count camel-loops 9",
        "count knight-loops 4 --board=3x3",
        "analyze king-loops 5",
        "find knight-loops 10 --limit=3",
    ] {
        let json = serde_json::to_string(&answer(asked)).unwrap();
        let verdict = verify(&json, &Run::default());
        assert!(matches!(&verdict, Ok(Verdict::Holds(_))), "{asked}: {verdict:?}");
    }
    let json = serde_json::to_string(&answer("count knight-loops 8")).unwrap();
    assert!(verify(&json.replace("\"480\"", "\"479\""), &Run::default()).is_err());
    let mut found = answer("find knight-loops 8");
    let Figure::Path { cells, .. } = &mut found.solutions[0].figure else { panic!("no path") };
    cells.swap(0, 1);
    let json = serde_json::to_string(&found).unwrap();
    assert!(verify(&json, &Run::default()).is_err());
}

#[test]
fn estimates_and_plans() {
    let guess = answer("estimate knight-loops 10 --samples=300");
    let Value::Estimated { low, high, .. } = guess.value else { panic!("{guess:?}") };
    // Four standard errors either way: it holds for nearly every seed.
    assert!(low - (high - low) < 12000.0 && 12000.0 < high + (high - low), "{low} {high}");
    for asked in [
        "count knight-loops 18",
        "count knight-loops 14 --non-crossing",
        "count knight-loops 12 --method=algorithm-1",
        "list knight-loops 10",
        "classify king-loops 6",
        "classify knight-loops --path=1,2_3,1_4,3_2,4",
        "analyze knight-loops 10 --cells",
        "estimate knight-loops 20",
        "find knight-loops 12",
        "find knight-loops 8x8 --longest",
        "count knight-loops 9",
    ] {
        let planned = plan(&question(asked), &Run::default());
        assert!(planned.is_ok(), "{asked}: {planned:?}");
    }
}

#[test]
fn sequences() {
    let answer = answer("count knight-loops 10 --sequence");
    let terms: Vec<(u64, BigUint)> = answer.terms.iter().map(|t| (t.n, t.value.clone())).collect();
    let wanted = [(2, 3u32), (3, 25), (4, 480), (5, 12000)];
    assert_eq!(terms, wanted.map(|(n, value)| (n, value.into())));
    let bfile = crate::export::render(&answer, Format::Bfile).unwrap();
    assert!(bfile.starts_with("# a(n) = ") && bfile.ends_with("\n4 480\n5 12000\n"), "{bfile}");
}

#[test]
fn what_cannot_be_is_refused_in_a_sentence() {
    for (asked, about) in [
        ("count knight-loops 2", "at least 3 cells"),
        ("count knight-loops 0", "at least 3 cells"),
        ("count knight-loops 65", "up to 64"),
        ("count knight-loops 8x8", "--board"),
        ("count knight-loops", "length of the loops"),
        ("find knight-loops 8x8", "--longest"),
        ("find knight-loops 8 --longest", "needs a board"),
        ("find knight-loops 20x20 --longest", "254 cells"),
        ("find knight-loops 8 --open", "without --longest"),
        ("classify knight-loops 8 --width=5", "without --path"),
        ("count knight-loops 8 --board=8y", "rows x columns"),
        ("count knight-loops 8 --board=0x4", "rows x columns"),
        ("count knight-loops 8 --moves=(1,200)", "100 cells"),
        ("count knight-loops 8 --moves=(0,0)", "does not move"),
        ("count knight-loops 8 --congruent --symmetry=fixed", "--symmetry free"),
        ("count knight-loops 8 --congruent --board=4x4", "--board"),
        ("count knight-loops 8 --method=doubling --non-crossing", "--method orderly"),
        ("count knight-loops 8 --method=doubling --part=1/2", "--part"),
        ("count knight-loops 8 --method=algorithm-1 --board=4x4", "--board"),
        ("count giraffe-loops 64 --method=doubling", "127 cells"),
        ("classify knight-loops --path=1,2_3,1", "has 2 cells"),
        ("classify knight-loops --path=1,2_3,1_4,3_3,4", "no legal step 3"),
        ("classify knight-loops --path=1,2_3,1_4,3_2,4_4,5_2,6", "not closed"),
        ("classify knight-loops --path=1,2_3,1_1,2_3,1", "visits 1,2 twice"),
        ("classify knight-loops --path=3_7_15", "--width"),
        ("classify knight-loops --path=3_7_0 --width=6", "number of a cell"),
        ("classify knight-loops 10 --path=1,2_3,1_4,3_2,4", "has 4 cells, not 10"),
        ("classify knight-loops --path=2,9,18,15,24,17,6,13 --width=5 --limit=1", "--limit"),
        ("estimate knight-loops 10 --samples=1", "at least 2"),
    ] {
        let error = ask(&question(asked), &Run::default(), &mut |_| true);
        let Err(Error::Input(sentence)) = error else { panic!("{asked}: {error:?}") };
        assert!(sentence.contains(about) && sentence.ends_with('.'), "{asked}: {sentence}");
    }
    // Odd loops of a knight are no error: there are none, by colour.
    for verb in ["count", "list", "classify", "find", "estimate", "analyze"] {
        let Value::None { proof } = answer(&format!("{verb} knight-loops 7")).value else {
            panic!("{verb}")
        };
        assert!(proof.contains("colour"), "{proof}");
    }
}

#[test]
fn limits_are_kept() {
    let hurried = |asked: &str| {
        let time = Some(std::time::Duration::from_millis(1));
        let run = Run::new(Budget { time, ..Budget::default() });
        ask(&question(asked), &run, &mut |_| true).unwrap().value
    };
    for asked in [
        "count knight-loops 20",
        "count knight-loops 16 --non-crossing",
        "count knight-loops 14 --method=algorithm-1",
        "count knight-loops 14 --method=algorithm-2",
        "list knight-loops 16",
        "analyze knight-loops 16 --cells",
        "find knight-loops 9x9 --longest --open",
    ] {
        assert!(hurried(asked).is_cut_short(), "{asked}");
    }
    let run = Run::new(Budget { memory: Some(1 << 20), ..Budget::default() });
    let value = ask(&question("count knight-loops 20"), &run, &mut |_| true).unwrap().value;
    assert!(value.is_cut_short(), "{value:?}");
}

proptest! {
    /// A random walk through random symmetries, starts and directions comes back to one word.
    #[test]
    fn images_have_one_canonical_word(
        which in 0usize..4,
        start in 0usize..1000,
        reverse: bool,
        symmetry in 0usize..8,
        pick in any::<prop::sample::Index>(),
    ) {
        let leapers: &[Point] = [&[(1, 2)][..], &[(0, 1), (1, 1)], &[(0, 3), (2, 2)], &[(2, 3)]][which];
        let moves = Moves::new(leapers);
        let alphabet = Alphabet::new(&moves);
        let game = ["knight-loops", "king-loops", "diplomatico-loops", "zebra-loops"][which];
        let all = listed(&format!("list {game} 6"));
        let chosen: Vec<Point> = all[pick.index(all.len())].figure.path().iter().map(|c| (c.row, c.col)).collect();
        let own = super::paper::moves_of(&moves, &chosen);
        let mut word: Vec<u8> = own.iter().map(|&m| moves.image(symmetry, m)).collect();
        word.rotate_left(start % 6);
        if reverse {
            word.reverse();
            word = word.iter().map(|&m| moves.opposite(m)).collect();
        }
        let canonical = alphabet.canonical(&alphabet.spell(&own));
        prop_assert_eq!(&alphabet.canonical(&alphabet.spell(&word)), &canonical);
        prop_assert!(alphabet.is_canonical(&canonical));
        // The word leads back to a loop of the same class.
        let walked = alphabet.walk(&canonical);
        let last = cells(&moves, &walked)[5];
        prop_assert_eq!(super::moves::plus(last, moves.step(walked[5])), (0, 0));
        prop_assert_eq!(alphabet.canonical(&alphabet.spell(&walked)), canonical);
    }

    #[test]
    fn no_path_panics(text in "[0-9, ]{0,30}|\\PC{0,12}", width in prop::option::of(1u64..9)) {
        let mut asked = question("classify knight-loops").with("path", &*text);
        if let Some(width) = width {
            asked = asked.with("width", width);
        }
        if let Err(error) = ask(&asked, &Run::default(), &mut |_| true) {
            prop_assert!(error.to_string().ends_with('.'), "{}", error);
        }
    }
}

/// What an independent tester found.
#[test]
fn loops_within_a_line_are_not_doubled_and_few_are_found_at_once() {
    // Brute force finds 5 classes of length 5.
    assert_eq!(number("count knight-loops 5 --moves=(1,0)+(2,0)"), 5);
    assert!(answer("find knight-loops 24").solutions.len() == 1);
}
