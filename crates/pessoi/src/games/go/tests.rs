//! Golden values of the paper, engines against each other and against trying everything.

use num_bigint::BigUint;
use pessoi_engine::disk::Disk;
use pessoi_engine::number::Modulus;
use pessoi_engine::random::Random;
use pessoi_engine::run::{Budget, Run, Stop};
use pessoi_engine::store::Store;
use proptest::prelude::*;

use super::checkpoint::{Checkpoint, is_checkpoint};
use super::formula::{Fixed, Formula, digits_of_share, log10};
use super::hamilton::Covering;
use super::matrix::{self, Layer, Matrix};
use super::moves::{GameGraph, Small};
use super::passes;
use super::points::Points;
use super::rectangle::{Counted, Engine, by_sweep, colourings, lengths, rectangle, saved};
use super::ring::{self, Rings};
use super::sweep::Legal;
use super::table::Tables;
use super::tsp;
use crate::answer::{Answer, Limit, Sequence, Value, WhyNoInterval};
use crate::board::{Board, Cell, Lattice};
use crate::certificate::Residues;
use crate::check::{CERTIFICATE, Effort, VALUE, Verdict};
use crate::error::{Code, Error};
use crate::job::{Halt, Work};
use crate::question::{Question, Verb};
use crate::solution::Figure;
use crate::table::Datum;
use crate::testing::{self, CATALOGUE};

fn total(height: usize, length: usize, engine: Engine) -> BigUint {
    rectangle(height, length, engine, None, &Run::default()).unwrap().total
}

fn ask(question: &Question) -> crate::Result<Answer> {
    testing::ask(question, &Run::default())
}

fn verify(json: &str, run: &Run) -> crate::Result<Verdict> {
    CATALOGUE.verify(json.as_bytes(), Effort::Usual, run)
}

fn verified(answer: &Answer) -> bool {
    verify(&serde_json::to_string(answer).unwrap(), &Run::default()).unwrap().holds
}

fn refused(error: &Error) -> String {
    let sentence = error.to_string();
    assert!(sentence.ends_with('.') && error.code != Code::Internal, "{sentence}");
    assert!(error.field.is_some(), "{sentence}");
    sentence
}

fn question(verb: Verb, place: &str) -> Question {
    Question::new(verb, "go", place).unwrap()
}

/// Table 3, as far as it is counted here.
pub(super) const SQUARES: [&str; 12] = [
    "1",
    "57",
    "12675",
    "24318165",
    "414295148741",
    "62567386502084877",
    "83677847847984287628595",
    "990966953618170260281935463385",
    "103919148791293834318983090438798793469",
    "96498428501909654589630887978835098088148177857",
    "793474866816582266820936671790189132321673383112185151899",
    "57774258489513238998237970307483999327287210756991189655942651331169",
];

/// Table 5.
pub(super) const BETWEEN: [&str; 11] = [
    "5",
    "489",
    "321689",
    "1840058693",
    "93332304864173",
    "41945191530093646965",
    "166931297609667912727898521",
    "5882748866432370655674372752123193",
    "1835738613899845421140262364853644706891109",
    "5072588588647327658457862518216696854885169490987149",
    "124118554774307129694783556890846966815009879092863579679259393",
];

#[test]
fn squares_of_table_3() {
    for n in 4..=10 {
        assert_eq!(total(n, n, Engine::Matrix).to_string(), SQUARES[n - 1], "{n}");
    }
    for n in 1..=7 {
        assert_eq!(total(n, n, Engine::Table).to_string(), SQUARES[n - 1], "{n}");
    }
    for n in 1..=6 {
        assert_eq!(total(n, n, Engine::Sweep).to_string(), SQUARES[n - 1], "{n}");
    }
}

#[test]
#[ignore = "slow without optimisation"]
fn large_squares_of_table_3() {
    for n in 11..=12 {
        assert_eq!(total(n, n, Engine::Matrix).to_string(), SQUARES[n - 1], "{n}");
    }
    assert_eq!(total(11, 12, Engine::Matrix).to_string(), BETWEEN[10]);
}

#[test]
fn rectangles_of_table_5() {
    for n in 1..=8 {
        let all = lengths(n, n + 1, &Run::default()).unwrap();
        assert_eq!(all[n].to_string(), BETWEEN[n - 1], "{n}");
        assert_eq!(all[n - 1].to_string(), SQUARES[n - 1], "{n}");
    }
}

#[test]
fn engines_agree_on_strips() {
    for height in 4..=6 {
        let all = lengths(height, 9, &Run::default()).unwrap();
        for length in height..=9 {
            let counted = total(height, length, Engine::Matrix);
            assert_eq!(counted, all[length - 1]);
            assert_eq!(counted, total(height, length, Engine::Table), "{height}x{length}");
        }
        assert_eq!(all[height], total(height, height + 1, Engine::Sweep));
    }
    // The sequences that the paper begins.
    let first = |height, n| -> Vec<String> {
        lengths(height, n, &Run::default()).unwrap().iter().map(ToString::to_string).collect()
    };
    assert_eq!(first(1, 6), ["1", "5", "15", "41", "113", "313"]);
    assert_eq!(first(2, 6), ["5", "57", "489", "4125", "35117", "299681"]);
}

/// Legal positions by trying all colourings.
fn tried(board: &Board) -> u64 {
    let mut colours = vec![0u8; board.len()];
    let mut legal = 0;
    loop {
        legal += u64::from(super::position::is_legal(board, &colours));
        let Some(place) = colours.iter().position(|&colour| colour < 2) else { return legal };
        colours[place] += 1;
        colours[..place].fill(0);
    }
}

/// Classes of legal positions by trying all colourings and all symmetries.
fn tried_classes(board: &Board) -> u64 {
    let symmetries = board.symmetries();
    let mut colours = vec![0u8; board.len()];
    let mut classes = 0;
    loop {
        let least = symmetries.iter().all(|symmetry| {
            [false, true].iter().all(|&reverses| {
                let mut image = vec![0u8; colours.len()];
                for (point, &colour) in colours.iter().enumerate() {
                    let colour = if reverses && colour > 0 { 3 - colour } else { colour };
                    image[symmetry.permutation[point] as usize] = colour;
                }
                colours <= image
            })
        });
        classes += u64::from(least && super::position::is_legal(board, &colours));
        let Some(place) = colours.iter().position(|&colour| colour < 2) else { return classes };
        colours[place] += 1;
        colours[..place].fill(0);
    }
}

#[test]
fn classes_by_burnside_and_by_trying() {
    for shape in ["1x1", "1x4", "2x2", "2x3", "3x3", ".#.\n...\n.#.", "..\n.#"] {
        let board = match question(Verb::Count, shape).place {
            crate::Place::Board(drawing) => drawing.board,
            _ => panic!("{shape}"),
        };
        let answer = ask(&question(Verb::Count, shape).with("classes", true)).unwrap();
        assert_eq!(answer.value, Value::exact(tried_classes(&board)), "{shape}");
        assert!(verified(&answer), "{shape}");
    }
}

/// A turn of the drawing would put the rim elsewhere.
#[test]
fn classes_of_boards_with_a_blocked_rim_are_checked() {
    for shape in ["..#", "##\n..\n#.", "#..\n..."] {
        let listed = ask(&question(Verb::Classify, shape)).unwrap();
        let counted = ask(&question(Verb::Count, shape).with("classes", true)).unwrap();
        assert_eq!(counted.value, Value::exact(listed.solutions.len()), "{shape}");
        assert!(verified(&listed) && verified(&counted), "{shape}");
    }
}

fn boards() -> impl Strategy<Value = Board> {
    (1usize..4, 1usize..5, any::<u32>()).prop_filter_map("a cell", |(rows, cols, absent)| {
        let cells =
            (0..rows * cols).filter(|k| absent >> k & 1 == 1 || absent >> (k + 12) & 1 == 1);
        let cells = cells.map(|k| Cell { row: (k / cols) as i32, col: (k % cols) as i32 });
        Board::from_cells(Lattice::Square, cells).ok().filter(|board| !board.is_empty())
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn boards_with_absent_points(board in boards()) {
        let counted = by_sweep(&Legal::new(&Points::of(&board)).unwrap(), None, &Run::default()).unwrap();
        prop_assert_eq!(counted.total, BigUint::from(tried(&board)));
    }

    #[test]
    fn no_position_panics(text in "[.XO#/\n x]{0,30}|\\(;[A-Z\\[\\]a-c0-9:;()\\\\]{0,30}\\)?") {
        let board = Board::parse("3x3").unwrap();
        if let Err(error) = super::position::parse(&board, &text) {
            prop_assert!(error.to_string().ends_with('.'), "{}", error);
        }
    }
}

#[test]
fn up_down_classes_of_table_2() {
    let known = [3, 7, 21, 64, 242, 880, 3453, 13556];
    for (height, classes) in (1..=7).zip(known) {
        let tables = Tables::new(height, &Run::default()).unwrap();
        assert_eq!(tables.up_down_classes(), classes, "{height}");
    }
}

/// The order, the sequence and a, λ and its root.
struct Strip {
    order: String,
    sequence: Sequence,
    classes: Datum,
    constants: [String; 3],
}

fn recurrence(height: u64) -> Strip {
    let answer = ask(&question(Verb::Recurrence, &height.to_string())).unwrap();
    let order = match &answer.value {
        Value::Exact { number } | Value::AtLeast { number, .. } => number.to_string(),
        other => panic!("{other:?}"),
    };
    Strip {
        order,
        classes: answer.fact_of("border-classes").unwrap().clone(),
        constants: ["a", "lambda", "root"].map(|id| answer.fact_of(id).unwrap().to_string()),
        sequence: answer.sequence.unwrap(),
    }
}

#[test]
fn recurrences_printed_in_the_paper() {
    let printed: [&[i32]; 3] = [
        &[3, -1, 1],
        &[10, -16, 31, -13, 20, 2, -1],
        &[
            33, -233, 1171, -3750, 9426, -16646, 22072, -19993, 9083, 1766, -4020, 6018, -2490,
            -5352, 1014, -1402, 100, 73, -5,
        ],
    ];
    for (height, printed) in (1..).zip(printed) {
        let Strip { order, sequence, constants, .. } = recurrence(height);
        assert_eq!(order, printed.len().to_string());
        let linear = sequence.recurrence.unwrap();
        let factors: Vec<_> = linear.factors.iter().map(ToString::to_string).collect();
        assert_eq!(factors, printed.iter().map(ToString::to_string).collect::<Vec<_>>());
        assert!(linear.proved && linear.tested >= 2);
        assert_eq!((linear.order, linear.from), (factors.len() as u64, factors.len() as u64 + 1));
        assert_eq!(sequence.growth.unwrap().factor, constants[1]);
        assert_eq!(sequence.terms.len(), 20);
    }
}

/// Table 2, with the last digits that the paper has wrong put right.
#[test]
fn orders_and_constants_of_table_2() {
    for (height, order, a, root) in [
        (1, "3", "0.69412340909080771789", "2.7692923542386314"),
        (2, "7", "0.77605920648443217569", "2.9212416045359485"),
        (3, "19", "0.76692462372625158679", "2.9412655443486975"),
        (4, "57", "0.73972591465609392168", "2.9497646496768895"),
        (5, "217", "0.71384057986002504205", "2.9549337288382064"),
        (6, "791", "0.68921150040083474629", "2.9583903342140907"),
    ] {
        let found = recurrence(height);
        assert_eq!(found.order, order);
        assert_eq!(found.constants[0], a);
        assert_eq!(found.sequence.recurrence.is_some(), height < 6);
        let constants = super::recurrence::constants(height as usize, 0, &Run::default());
        assert_eq!(constants.unwrap().lambda.root(height as u32).digits(16), root, "{height}");
    }
}

#[test]
#[ignore = "slow without optimisation"]
fn large_orders_of_table_2() {
    for (height, order, a, root) in [
        (7, "3107", "0.66545979340188479816", "2.9608618349040169"),
        (8, "12110", "0.64252516474515096185", "2.96271680702524070"),
    ] {
        let found = recurrence(height);
        assert_eq!(found.order, order);
        assert_eq!(found.constants[0], a);
        assert!(found.constants[2].starts_with(root), "{:?}", found.constants);
    }
}

/// Minutes of two cores, if optimised.
#[test]
#[ignore = "takes several minutes"]
fn the_order_of_height_9() {
    let found = recurrence(9);
    assert_eq!(found.order, "49361");
    assert_eq!(found.classes, 55193.into());
    assert_eq!(found.constants[0], "0.62038058380200867949");
    assert_eq!(found.constants[2], "2.96416036647230050001");
}

#[test]
fn convergence_of_table_6() {
    let numbers = |table: &[&str]| -> Vec<BigUint> {
        table.iter().map(|number| number.parse().unwrap()).collect()
    };
    let (squares, between) = (numbers(&SQUARES), numbers(&BETWEEN));
    let known = [
        "2.28",
        "3.0",
        "2.979",
        "2.9756",
        "2.975732",
        "2.9757343",
        "2.9757341927",
        "2.9757341918",
        "2.975734192044",
        "2.975734192044",
        "2.975734192043350",
    ];
    for n in 1..=11 {
        let fit = Formula::new(n, &squares[n - 1], &between[n - 1], &squares[n]);
        let places = known[n - 1].len() - 2;
        assert_eq!(fit.base.digits(places), known[n - 1], "{n}");
    }
    let fit = Formula::new(11, &squares[10], &between[10], &squares[11]);
    for n in 1..=12 {
        let ratio = fit.about(n, n).over(&Fixed::ratio(&squares[n - 1], &BigUint::from(1u8)));
        let off = (ratio.value() - 1.0).abs();
        assert!(off < [1.5, 0.1, 0.02, 2e-3, 2e-4][(n - 1).min(4)], "{n}: {off}");
    }
    // A wrong digit anywhere near the front does not pass.
    let formula = Formula::fitted(6, &Run::default()).unwrap();
    assert!(formula.check(12, 12, &squares[11]).is_ok());
    assert!(formula.check(12, 12, &(&squares[11] * 2u8)).is_err());
}

#[test]
fn theorem_3_holds() {
    for (m, n) in [(5, 5), (5, 10)] {
        let exact = log10(&lengths(m, n, &Run::default()).unwrap()[n - 1]);
        let (low, high) = super::analyze::theorem_3(m, n).unwrap();
        assert!(low < exact && exact < high, "{m}x{n}: {low} {exact} {high}");
    }
}

#[test]
fn outdegrees_of_table_8() {
    for (shape, average) in [
        ("1x1", 0.0),
        ("1x2", 2.4),
        ("1x3", 2.8),
        ("1x4", 3.512),
        ("2x2", 3.368),
        ("2x3", 4.728),
        ("2x4", 6.208),
        ("3x3", 6.801),
    ] {
        let board = Board::parse(shape).unwrap();
        let graph = GameGraph::new(&Small::new(&board).unwrap(), &Run::default()).unwrap();
        let found = graph.edge_count() as f64 / graph.nodes.len() as f64;
        assert!((found - average).abs() < 6e-4, "{shape}: {found}");
        assert!(graph.is_strongly_connected(), "{shape}");
    }
}

#[test]
#[ignore = "slow without optimisation"]
fn large_outdegrees_of_table_8() {
    for (shape, average) in [("3x4", 8.933), ("4x4", 11.741)] {
        let small = Small::new(&Board::parse(shape).unwrap()).unwrap();
        let (mut nodes, mut edges) = (0u64, 0u64);
        for at in small.positions() {
            nodes += 1;
            edges += small.moves(at).count() as u64;
        }
        let found = edges as f64 / nodes as f64;
        assert!((found - average).abs() < 6e-4, "{shape}: {found}");
    }
}

/// A folder in memory, where there is one: tests that save thousands of times wait for no disk.
pub(super) fn scratch() -> tempfile::TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap()
}

/// A run that is stopped at its `checks`-th look at the clock.
fn stopped_at(checks: u32) -> Run {
    let step = std::time::Duration::from_secs(1);
    Run::stepping(Budget { time: Some(step * checks), ..Budget::default() }, step)
}

/// A count saves itself as often as its store asks for: not at all before an hour, or always.
#[test]
fn a_count_is_saved_as_often_as_is_asked_for() {
    let folder = scratch();
    let hour = std::time::Duration::from_hours(1);
    for (pause, is_saved) in [(hour, false), (std::time::Duration::ZERO, true)] {
        let store = Store::open(folder.path().join("saved")).unwrap().every(pause);
        let stopped = rectangle(7, 7, Engine::Matrix, Some(&store), &stopped_at(25));
        assert!(matches!(stopped, Err(Halt::Stop(Limit::Time { .. }))), "{stopped:?}");
        assert_eq!(Checkpoint::open(&store).unwrap().is_some(), is_saved, "{pause:?}");
    }
}

#[test]
fn a_count_goes_on_from_its_checkpoint() {
    let folder = scratch();
    let path = folder.path().join("saved");
    let store = Store::open(&path).unwrap();
    let known = SQUARES[6].to_string();
    // Stopped after some columns, again and again, until it is done.
    let mut resumed = 0;
    let total = loop {
        match rectangle(7, 7, Engine::Matrix, Some(&store), &stopped_at(20 + 3 * resumed)) {
            Ok(counted) => break counted.total,
            Err(Halt::Stop(Limit::Time { .. })) => resumed += 1,
            Err(other) => panic!("{other:?}"),
        }
    };
    assert_eq!(total.to_string(), known);
    assert!(resumed > 2, "{resumed}");
    // The finished checkpoint gives the number at once.
    let before = std::fs::read(&path).unwrap();
    let run = Run::default();
    assert_eq!(rectangle(7, 7, Engine::Matrix, Some(&store), &run).unwrap().total, total);
    assert!(run.progress().handled < 200_000, "{:?}", run.progress());
    // A checkpoint of another count is not written over, and neither is another file.
    let refused = |result: Work<Counted>| match result {
        Err(Halt::Error(error)) => refused(&error),
        other => panic!("{other:?}"),
    };
    let other = refused(rectangle(6, 7, Engine::Matrix, Some(&store), &run));
    assert!(other.contains("another count (7x7"), "{other}");
    assert_eq!(std::fs::read(&path).unwrap(), before);
    let beside = folder.path().join("other");
    std::fs::write(&beside, "somebody's").unwrap();
    let somebodys = Store::open(&beside).unwrap();
    let there = refused(rectangle(5, 5, Engine::Matrix, Some(&somebodys), &run));
    assert!(there.contains("none of go"), "{there}");
    assert_eq!(std::fs::read(&beside).unwrap(), b"somebody's");
}

/// Everything that a kill can leave behind: the checkpoint of before or the new one, a draft cut
/// at any byte, a lock. From each the count goes on to the same number.
#[test]
fn a_count_killed_at_any_moment_gives_the_same_number() {
    let folder = scratch();
    let path = folder.path().join("saved");
    let [draft, lock] = [".saved.draft", ".saved.lock"].map(|name| folder.path().join(name));
    let names = || std::fs::read_dir(folder.path()).unwrap().count();
    let count = |run: &Run| {
        let store = Store::open(&path).unwrap();
        rectangle(4, 6, Engine::Matrix, Some(&store), run)
    };
    let known = total(4, 6, Engine::Table);
    // What is there when the count ends at its first look at the clock, at its second …
    let mut states: Vec<Option<Vec<u8>>> = Vec::new();
    for checks in 1.. {
        let _ = std::fs::remove_file(&path);
        let ended = count(&stopped_at(checks));
        let there = std::fs::read(&path).ok();
        if states.last() != Some(&there) {
            states.push(there);
        }
        match ended {
            Ok(counted) => {
                assert_eq!(counted.total, known);
                break;
            }
            Err(Halt::Stop(Limit::Time { .. })) => {}
            Err(other) => panic!("{other:?}"),
        }
    }
    assert!(states.len() > 10 && states[0].is_none(), "{} states", states.len());
    let put = |place: &std::path::Path, bytes: Option<&[u8]>| match bytes {
        Some(bytes) => std::fs::write(place, bytes).unwrap(),
        None => drop(std::fs::remove_file(place)),
    };
    let mut random = Random::new(1, 0);
    let mut kills = 0;
    for pair in states.windows(2) {
        let [before, after] = pair else { unreachable!() };
        let new = after.as_deref().unwrap();
        let mut cuts = vec![0, 1, 23, 24, 25, 32, new.len() - 8, new.len() - 1, new.len()];
        cuts.extend((0..40).map(|_| random.below(new.len() as u64) as usize));
        for cut in cuts {
            put(&path, before.as_deref());
            put(&draft, Some(&new[..cut]));
            put(&lock, (cut % 2 == 0).then_some(&[][..]));
            // Killed once more, at some other moment, or not.
            if cut % 3 == 0 {
                let _ = count(&stopped_at(random.below(60) as u32));
                put(&draft, Some(&new[..cut]));
            }
            assert_eq!(count(&Run::default()).unwrap().total, known, "cut at {cut}");
            assert_eq!(names(), 1, "what was left behind is cleared away");
            kills += 1;
        }
    }
    assert!(kills > 300, "{kills}");
    // The new checkpoint, when it was just renamed.
    for state in states {
        put(&path, state.as_deref());
        put(&lock, Some(&[]));
        assert_eq!(count(&Run::default()).unwrap().total, known);
    }
}

/// A checkpoint that could not be written used to end the count.
#[test]
fn a_checkpoint_that_fails_is_a_warning() {
    let folder = scratch();
    let asked = question(Verb::Count, "5x6");
    let expected = ask(&asked).unwrap().value;
    let mut warned = 0;
    // Room for nothing, for residues, for layers too.
    for room in [0, 1, 100, 300, 1000, 3000, 1 << 30] {
        let store = Store::open(folder.path().join("saved")).unwrap().within(room);
        let run = Run::default().with_store(store);
        let answer = CATALOGUE.answer(&asked, &run).unwrap();
        assert_eq!(answer.value, expected, "{room}");
        let notes = answer.notes.join(" ");
        assert_eq!(run.warnings().is_empty(), notes.contains("The checkpoint is complete"));
        assert_eq!(answer.notes.len(), 1, "{notes}");
        if notes.contains("cannot be written: it would become too large") {
            warned += 1;
        }
        let _ = std::fs::remove_file(folder.path().join("saved"));
    }
    assert!((2..7).contains(&warned), "{warned}");
}

/// Drawn boards are counted by the sweep only, which used to save nothing.
#[test]
fn counts_by_the_sweep_save_themselves_and_use_the_disk() {
    let folder = scratch();
    let holed = question(Verb::Count, "......\n..#...\n......\n......\n......\n");
    let whole = question(Verb::Count, "5x5").with("method", "sweep");
    for (number, asked) in [&holed, &whole].into_iter().enumerate() {
        let expected = CATALOGUE.answer(asked, &Run::default()).unwrap();
        let path = folder.path().join(number.to_string());
        let store = || Store::open(&path).unwrap().every(std::time::Duration::ZERO);
        let mut runs = 0;
        let counted = loop {
            runs += 1;
            let run = stopped_at(10 + 10 * runs).with_store(store());
            let answer = CATALOGUE.answer(asked, &run).unwrap();
            if answer.value.stop().is_none() {
                break answer;
            }
        };
        assert!(runs > 2, "{runs}");
        assert_eq!(counted.value, expected.value);
        assert_eq!(counted.cost.borders, expected.cost.borders);
        // What is saved is of one board.
        let other = [&whole, &holed][number];
        let error = CATALOGUE.answer(other, &Run::default().with_store(store())).unwrap_err();
        assert_eq!(error.field.as_deref(), Some("store"), "{error}");
        let disk = Disk::open(folder.path(), None).unwrap();
        let budget = Budget { memory: Some(expected.cost.peak_bytes / 3), ..Budget::default() };
        let run = Run::new(budget).with_disk(disk.clone());
        assert_eq!(CATALOGUE.answer(asked, &run).unwrap().value, expected.value);
        assert!(disk.peak() > 0);
    }
}

/// The store belongs to the run, and most work does not use it.
#[test]
fn counts_by_the_matrix_save_themselves() {
    let folder = scratch();
    let at = |name: &str| Run::default().with_store(Store::open(folder.path().join(name)).unwrap());
    let whole = question(Verb::Count, "5x6");
    let residue = question(Verb::Count, "5x6").with("mod", 1009);
    let [whole_answer, residue_answer] = [(&whole, "whole"), (&residue, "residue")].map(|asked| {
        let answer = testing::ask(asked.0, &at(asked.1)).unwrap();
        assert!(folder.path().join(asked.1).exists());
        assert_eq!(testing::ask(asked.0, &at(asked.1)).unwrap().value, answer.value);
        answer.value
    });
    let number = whole_answer.number().unwrap();
    assert_eq!(
        residue_answer,
        Value::Residue { residue: number % 1009u32, modulus: 1009u32.into() }
    );
    // One residue is another count than all of them.
    let other = CATALOGUE.answer(&residue, &at("whole")).unwrap_err();
    assert!(refused(&other).contains("another count"), "{other}");
    assert_eq!(other.field.as_deref(), Some("store"));
    for (bad, engine) in [
        (question(Verb::Count, "3x3"), "table"),
        (question(Verb::Count, "1x3").with("games", true), "memo"),
        (question(Verb::Sample, "5x5"), "rejection"),
    ] {
        let error = CATALOGUE.answer(&bad, &at("none")).unwrap_err();
        assert_eq!(CATALOGUE.plan(&bad, &at("none")).unwrap_err(), error);
        assert_eq!((error.code, error.field.as_deref()), (Code::Unsupported, Some("store")));
        assert!(refused(&error).contains(&format!("by {engine}:")), "{error}");
    }
    assert!(!folder.path().join("none").exists());
}

#[test]
fn a_damaged_checkpoint_is_refused() {
    let folder = scratch();
    let path = folder.path().join("saved");
    let store = Store::open(&path).unwrap();
    assert!(Checkpoint::open(&store).unwrap().is_none());
    let count = |run: &Run| rectangle(4, 6, Engine::Matrix, Some(&store), run);
    assert!(count(&stopped_at(30)).is_err());
    let (found, _) = Checkpoint::open(&store).unwrap().unwrap();
    assert!((found.height, found.length) == (4, 6) && found.phases > 1, "{found:?}");
    let bytes = std::fs::read(&path).unwrap();
    is_checkpoint(&bytes).unwrap();
    for bit in 0..8 * bytes.len() {
        let mut flipped = bytes.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        assert!(is_checkpoint(&flipped).is_err(), "{bit}");
    }
    let refuses = |bytes: &[u8]| {
        std::fs::write(&path, bytes).unwrap();
        let Err(Halt::Error(error)) = count(&Run::default()) else { panic!() };
        assert!(refused(&error).ends_with("It was left as it is."), "{error}");
        assert_eq!(std::fs::read(&path).unwrap(), bytes);
    };
    let mut random = Random::new(2, 0);
    for _ in 0..100 {
        let mut flipped = bytes.clone();
        let bit = random.below(8 * bytes.len() as u64) as usize;
        flipped[bit / 8] ^= 1 << (bit % 8);
        refuses(&flipped);
        refuses(&bytes[..random.below(bytes.len() as u64) as usize]);
    }
    refuses(&[&bytes[..], b"x"].concat());
    // Numbers that are no remainders, in a file that was made to look right.
    for forged in [
        Checkpoint { phases: 100, ..found.clone() },
        Checkpoint { residues: vec![u64::MAX], phases: 0, ..found.clone() },
        Checkpoint { blocks: [1, 7], ..found.clone() },
        Checkpoint { blocks: [0, u64::MAX], ..found.clone() },
        Checkpoint { moduli: vec![101, 103], phases: 0, ..found },
    ] {
        forged.write::<1>(None, &store).unwrap();
        refuses(&std::fs::read(&path).unwrap());
    }
}

/// The residue of height × length in a layer of one lane.
fn residue(matrix: &Matrix, layer: &Layer<1>, length: usize, modulus: u64, run: &Run) -> u64 {
    let rings = Rings::new([modulus]);
    matrix.first_column(layer, run).unwrap();
    for _ in 1..length {
        matrix.column(layer, &rings, run).unwrap();
    }
    let [residue] = matrix.legal(layer, &rings).unwrap();
    residue
}

/// However the far halves are put into blocks, and the near ones into strips.
#[test]
fn blocks_and_strips_of_any_size_count_alike() {
    let run = Run::default();
    for height in 4..=7 {
        let known = BigUint::parse_bytes(SQUARES[height - 1].as_bytes(), 10).unwrap();
        for (blocks, strip) in
            [([1, 1], 1 << 20), ([2, 3], 100), ([7, 2], 1), ([1000, 1000], 10), ([1, 50], 7)]
        {
            let matrix = Matrix::with(height, blocks, strip, &run).unwrap();
            let layer = matrix.layer(&run).unwrap();
            let prime = ring::primes(matrix.growth()).next().unwrap().prime();
            for modulus in [0, prime, 1009, 1_000_000] {
                let residue = residue(&matrix, &layer, height, modulus, &run);
                let whole = if modulus == 0 { BigUint::from(1u8) << 64u8 } else { modulus.into() };
                assert_eq!(BigUint::from(residue), &known % whole, "{height} {blocks:?} {strip}");
            }
        }
    }
}

/// Lanes count what they would count alone.
#[test]
fn lanes_of_any_number_count_alike() {
    fn lanes<const LANES: usize>(matrix: &Matrix, length: usize, moduli: [u64; LANES]) -> Vec<u64> {
        let run = Run::default();
        let layer = matrix.layer(&run).unwrap();
        let rings = Rings::new(moduli);
        matrix.first_column(&layer, &run).unwrap();
        for _ in 1..length {
            matrix.column(&layer, &rings, &run).unwrap();
        }
        matrix.legal(&layer, &rings).unwrap().to_vec()
    }
    for height in 4..=7 {
        let matrix = Matrix::with(height, [3, 2], 40, &Run::default()).unwrap();
        let mut primes = ring::primes(matrix.growth()).map(Modulus::prime);
        let (one, two) = (primes.next().unwrap(), primes.next().unwrap());
        let known = BigUint::parse_bytes(SQUARES[height - 1].as_bytes(), 10).unwrap();
        let check = |moduli: &[u64], residues: Vec<u64>| {
            for (&modulus, residue) in moduli.iter().zip(residues) {
                assert_eq!(BigUint::from(residue), &known % passes::whole(modulus), "{height}");
            }
        };
        for [a, b, c, d] in [[0, one, two, one], [one, 0, 1009, two], [two, one, one, 0]] {
            check(&[a, b], lanes(&matrix, height, [a, b]));
            check(&[a, b, c, d], lanes(&matrix, height, [a, b, c, d]));
        }
    }
}

/// A run with little memory and a disk.
fn small_run(memory: u64, threads: usize, folder: &std::path::Path) -> Run {
    let budget = Budget { memory: Some(memory), threads, ..Budget::default() };
    Run::new(budget).with_disk(Disk::open(folder, None).unwrap())
}

#[test]
fn layers_go_to_disk_if_memory_is_short() {
    let folder = scratch();
    for (n, threads) in [(4, 1), (6, 2), (8, 1)] {
        let matrix = Matrix::with(n, [9, 4], 50, &Run::default()).unwrap();
        // Room for benches and for nothing else.
        let memory = matrix.beside(threads) + 7;
        let run = small_run(memory, threads, folder.path());
        let layer = matrix.layer(&run).unwrap();
        let known = BigUint::parse_bytes(SQUARES[n - 1].as_bytes(), 10).unwrap();
        let counted = residue(&matrix, &layer, n, 1_000_003, &run);
        assert_eq!(BigUint::from(counted), known % 1_000_003u32);
        let disk = run.disk().unwrap();
        assert!(disk.peak() > 0 && disk.traffic().0 > disk.peak(), "{n}: {disk:?}");
        assert!(run.peak_bytes() <= memory);
        // Without the disk it does not fit.
        let alone = Run::new(Budget { memory: Some(memory), threads, ..Budget::default() });
        assert!(matches!(matrix.layer::<1>(&alone), Err(Stop::Memory { .. })));
        let narrow = Disk::open(folder.path(), Some(100)).unwrap();
        let narrow = Run::new(alone.budget().clone()).with_disk(narrow);
        assert!(matches!(matrix.layer::<1>(&narrow), Err(Stop::Disk { .. })));
    }
    for other in [question(Verb::Count, "3x3"), question(Verb::Sample, "9x9")] {
        let error = CATALOGUE.answer(&other, &small_run(1 << 30, 1, folder.path())).unwrap_err();
        assert_eq!((error.code, error.field.as_deref()), (Code::Unsupported, Some("disk")));
    }
}

#[test]
#[ignore = "slow without optimisation"]
fn squares_on_disk() {
    let folder = scratch();
    for n in 9..=11 {
        let matrix = Matrix::new(n, matrix::blocks(n, 1 << 20, 1), &Run::default()).unwrap();
        let memory = matrix.beside(1) + 7;
        let run = small_run(memory, 1, folder.path());
        let layer = matrix.layer(&run).unwrap();
        let below = colourings(n * n);
        let moduli = passes::moduli(&below, matrix.growth()).unwrap();
        let residue = |&modulus: &u64| (modulus, residue(&matrix, &layer, n, modulus, &run));
        let residues: Vec<(u64, u64)> = moduli.iter().map(residue).collect();
        let total = passes::together(&residues, &below).unwrap();
        assert_eq!(total.to_string(), SQUARES[n - 1]);
        assert!(run.disk().unwrap().peak() > 0 && run.peak_bytes() <= memory, "{n}");
    }
}

/// Strips by the table, by the matrix, and modulo a prime, stopped again and again.
#[test]
fn recurrences_go_on_from_their_checkpoints() {
    for (height, looks) in [("2", 4), ("3", 60), ("4", 60), ("6", 2000)] {
        testing::stopped_and_resumed(&question(Verb::Recurrence, height), looks);
    }
}

/// Runs that are all too short, and save themselves only when they are stopped, come to the end.
#[test]
fn a_recurrence_gets_ahead_in_short_runs() {
    let folder = scratch();
    let look = std::time::Duration::from_secs(1);
    let asked = question(Verb::Recurrence, "6");
    let answer = |time| {
        let store = Store::open(folder.path().join("saved")).unwrap().every(look * 100_000_000);
        let budget = Budget { time, threads: 1, ..Budget::default() };
        CATALOGUE.answer(&asked, &Run::stepping(budget, look).with_store(store)).unwrap()
    };
    let mut runs = 1;
    let found = loop {
        let found = answer(Some(look * 1500));
        if found.value.stop().is_none() {
            break found;
        }
        runs += 1;
        assert!(runs < 100, "{:?}", found.value);
    };
    assert!(runs > 2, "{runs}");
    assert_eq!(found.value, ask(&asked).unwrap().value);
}

/// Counts that are no counts of positions, and estimates, stopped again and again.
#[test]
fn other_counts_go_on_from_their_checkpoints() {
    let count = |board: &str, option: &str| question(Verb::Count, board).with(option, true);
    let walked = count("1x3", "games").with("method", "search");
    for (question, looks) in [
        (&count("4x5", "classes"), 60),
        (&walked, 9),
        (&count("1x4", "cycles"), 9),
        (&question(Verb::Estimate, "7x7").with("samples", 40), 9),
        (&question(Verb::Estimate, "2x2").with("games", true).with("samples", 40), 9),
    ] {
        testing::stopped_and_resumed(question, looks);
    }
}

/// Begun on disk, stopped again and again, and ended in memory.
#[test]
fn a_count_on_disk_goes_on_from_its_checkpoint() {
    let folder = scratch();
    let store = Store::open(folder.path().join("saved")).unwrap();
    let step = std::time::Duration::from_secs(1);
    let matrix = Matrix::new(6, [5, 3], &Run::default()).unwrap();
    let prime = ring::primes(matrix.growth()).next().unwrap().prime();
    let at = Checkpoint { height: 6, length: 7, blocks: [5, 3], ..Checkpoint::default() };
    let moduli = vec![0, prime, 1009, 65_537, 1_000_003];
    let at = Checkpoint { moduli: moduli.clone(), lanes: 2, ..at };
    let mut resumed = 0;
    let residues = loop {
        let memory = (resumed < 4).then_some(2 * matrix.beside(1) + 7);
        let budget = Budget { time: Some(step * (15 + resumed)), memory, ..Budget::default() };
        let disk = Disk::open(folder.path(), None).unwrap();
        let run = Run::stepping(budget, step).with_disk(disk);
        let found = Checkpoint::open(&store).unwrap();
        assert_eq!(found.is_some(), resumed > 0);
        match saved(&matrix, at.clone(), found, &store, &run) {
            Ok(residues) => break residues,
            Err(Halt::Stop(Limit::Time { .. })) => resumed += 1,
            Err(other) => panic!("{other:?}"),
        }
        assert_eq!(run.disk().unwrap().peak() > 0, memory.is_some());
    };
    assert!(resumed > 5, "{resumed}");
    let known = BigUint::parse_bytes(BETWEEN[5].as_bytes(), 10).unwrap();
    for (modulus, residue) in moduli.into_iter().zip(residues) {
        assert_eq!(&known % passes::whole(modulus), residue.into());
    }
}

#[test]
fn a_flipped_residue_is_noticed() {
    let answer = ask(&question(Verb::Count, "6x6")).unwrap();
    let json = serde_json::to_string(&answer).unwrap();
    let verdict = verify(&json, &Run::default()).unwrap();
    assert!(verdict.holds);
    assert!(verdict.of(CERTIFICATE).unwrap().text.contains("stated residues"));
    assert!(verdict.of(VALUE).unwrap().text.contains("row by row"));
    let Residues { residues } = answer.certificate.unwrap().read().unwrap();
    let residue = residues[1].residue;
    let wrong = json.replace(&format!("{residue}"), &format!("{}", residue ^ 4));
    assert_ne!(wrong, json);
    assert_eq!(verify(&wrong, &Run::default()).unwrap_err().code, Code::Forged);
}

#[test]
fn answers_are_verified() {
    let holds = |question: &Question| {
        let json = serde_json::to_string(&ask(question).unwrap()).unwrap();
        let verdict = verify(&json, &Run::default()).unwrap();
        assert!(verdict.holds, "{verdict:?}");
        let texts: Vec<_> = verdict.findings.into_iter().map(|finding| finding.text).collect();
        texts.join("; ")
    };
    assert!(holds(&question(Verb::Count, "3x3")).contains("12675 are legal"));
    assert!(holds(&question(Verb::Count, "..#\n...")).contains("are legal"));
    let holes = "....#\n.#...\n.....\n...#.";
    assert!(holds(&question(Verb::Count, holes)).contains("row by row"));
    assert!(holds(&question(Verb::Count, "4x4").with("mod", 1009)).contains("which leaves"));
    assert!(holds(&question(Verb::Count, "2x4").with("classes", true)).contains("classes"));
    assert!(holds(&question(Verb::Count, "..#\n...").with("classes", true)).contains("classes"));
    for superko in ["positional", "situational"] {
        let games = question(Verb::Count, "1x2").with("games", true).with("superko", superko);
        assert!(holds(&games).contains("one by one"));
    }
    let games = question(Verb::Count, "1x3").with("games", true);
    assert!(holds(&games).contains("907 games were walked"));
    let cycles = question(Verb::Count, "1x3").with("cycles", true);
    assert!(holds(&cycles).contains("2 are cycles"));
    assert!(holds(&cycles.with("symmetric", true)).contains("2 are cycles"));
    for (place, why) in [
        ("2x2", "successors"),
        ("2x3", "successors"),
        ("1x2", "cannot be reached"),
        ("1x1", "fewer"),
    ] {
        for symmetric in [false, true] {
            let none = question(Verb::Find, place).with("symmetric", symmetric);
            assert!(holds(&none).contains(why), "{place}: {}", holds(&none));
        }
    }
    for position in ["X.O/.XO/O..", "(;GM[1]SZ[3]AB[aa:ba]AW[ca];W[ab];B[cb](;W[bb])(;W[cc]))"] {
        let judged = question(Verb::Analyze, "3x3").with("position", position);
        assert!(holds(&judged).contains("asked about"));
        let mut other = ask(&judged).unwrap();
        let Figure::Positions { drawings, .. } = &mut other.solutions[0].figure else { panic!() };
        drawings[0] = "X..\n...\n...\n".into();
        let other = verify(&serde_json::to_string(&other).unwrap(), &Run::default());
        assert!(other.unwrap_err().to_string().contains("asked about"));
    }
    assert!(holds(&question(Verb::Sample, "9x9").with("samples", 5)).contains("5 positions"));
    let strip = question(Verb::Recurrence, "2").with("terms", 30);
    let checked = holds(&strip);
    assert!(checked.contains("all counted again"), "{checked}");
    assert!(checked.contains("terms 8 to 30"), "{checked}");
    let mut tampered = ask(&strip).unwrap();
    let forged = |answer: &Answer, field: &str| {
        let json = serde_json::to_string(answer).unwrap();
        let error = verify(&json, &Run::default()).unwrap_err();
        assert_eq!((error.code, error.field.as_deref()), (Code::Forged, Some(field)), "{error}");
    };
    let recurrence = |answer: &mut Answer| {
        answer.sequence.as_mut().and_then(|sequence| sequence.recurrence.take()).unwrap()
    };
    let linear = recurrence(&mut tampered);
    for change in [0, 1, 2, 3] {
        let mut linear = linear.clone();
        match change {
            0 => linear.factors[3] = 14.into(),
            1 => linear.order += 1,
            2 => linear.from -= 1,
            _ => drop(linear.factors.pop()),
        }
        tampered.sequence.as_mut().unwrap().recurrence = Some(linear);
        forged(&tampered, "sequence.recurrence");
    }
    let mut tampered = ask(&strip).unwrap();
    tampered.sequence.as_mut().unwrap().terms[24].value += 1u8;
    // The recurrence is followed before the terms are counted again.
    forged(&tampered, "sequence.recurrence");
    recurrence(&mut tampered);
    forged(&tampered, "sequence.terms");
    let mut tampered = ask(&question(Verb::Count, "4x4").with("mod", 1009)).unwrap();
    tampered.value = Value::Residue { residue: 7u8.into(), modulus: 1009u32.into() };
    forged(&tampered, "value");
    tampered.value = Value::Residue { residue: 7u8.into(), modulus: 1013u32.into() };
    forged(&tampered, "value");
    assert!(holds(&question(Verb::Analyze, "4x4")).contains("asked again"));
    let mut tampered = ask(&question(Verb::Analyze, "4x4")).unwrap();
    tampered.facts[0].value = 17.into();
    forged(&tampered, "facts.points");
    assert!(holds(&question(Verb::Export, "2x2")).contains("57 positions and 192 moves"));
    let mut tampered = ask(&question(Verb::Export, "2x2")).unwrap();
    tampered.graph.as_mut().unwrap().edges[5].1 = 3;
    forged(&tampered, "graph");
    let cycle = question(Verb::Find, "1x5").with("symmetric", true);
    assert!(holds(&cycle).contains("112 positions follow each other"));
    let mut answer = ask(&cycle).unwrap();
    let Figure::Positions { drawings, .. } = &mut answer.solutions[0].figure else { panic!() };
    drawings.swap(3, 7);
    assert!(verify(&serde_json::to_string(&answer).unwrap(), &Run::default()).is_err());
    let mut sample = ask(&question(Verb::Sample, "3x3")).unwrap();
    let Figure::Positions { drawings, .. } = &mut sample.solutions[0].figure else { panic!() };
    drawings[0] = "XXX\nXXX\nXXX\n".into();
    assert!(verify(&serde_json::to_string(&sample).unwrap(), &Run::default()).is_err());
}

#[test]
fn positions_are_judged() {
    let judge = |place: &str, text: &str| {
        ask(&question(Verb::Analyze, place).with("position", text)).map(|answer| {
            let Value::Exact { number } = &answer.value else { panic!() };
            let is_legal = answer.fact_of("legal") == Some(&true.into());
            assert_eq!(is_legal, *number == BigUint::from(0u8));
            assert_eq!(answer.solutions.len(), 1);
            let strings = answer.table("strings").map(|table| table.rows.clone());
            (number.to_string(), strings.unwrap_or_default())
        })
    };
    assert_eq!(judge("2x2", "X.\nOO").unwrap().0, "0");
    assert_eq!(judge("3x3", ".XO\nXOO\n.X.").unwrap().0, "0");
    let (number, strings) = judge("2x2", "XO\nO.").unwrap();
    assert_eq!(number, "1");
    let corner = Cell { row: 0, col: 0 };
    assert_eq!(strings, [[1.into(), "black".into(), corner.into()]]);
    // A white stone is captured, and the position is then legal.
    let game = "(;GM[1]SZ[2]AW[aa];B[ba];W[tt];B[ab])";
    assert_eq!(judge("2x2", game).unwrap().0, "0");
    for (place, bad, why) in [
        ("2x2", "(;GM[1]SZ[3];B[aa])", "3x3"),
        ("2x2", "(;GM[1]SZ[2];B[zz])", "\"zz\""),
        ("2x2", "(;GM[1]SZ[2];B[aa", "not closed by ]"),
        ("2x2", "(;GM[1]SZ[2];B[aa];W[aa])", "where a stone is"),
        ("2x2", "()", "a tree has no nodes"),
        ("2x2", "(GM[1])", "'G'"),
        ("2x2", "(;GM[1]SZ[2];B[aa]) and so on", "after the last"),
        ("2x2", "(;GM[1]SZ[2];B[aa])(;GM[1]SZ[2])", "several games"),
        ("2x2", "(;GM[1]SZ[2];B[aa][ab])", "2 values to B"),
        ("2x2", "(;GM[1]SZ[2][3];B[aa])", "2 values to SZ"),
        ("2x2", "(;GM[1]SZ[2];B[aa]B[ab])", "B twice"),
        ("2x2", "(;GM[1]SZ[2];B[aa](;W[ab])", "not closed by )"),
        ("2x2", "(;GM[1]SZ[2];B[aa]())", "no nodes"),
        ("2x2", "(;GM[1]SZ[2](;B[aa]);W[ab])", "';'"),
        ("2x2", "(;GM[2]SZ[2];B[aa])", "another game"),
        ("2x2", "X.", "not on 2x2"),
        ("2x2", "XY\n..", "'Y'"),
        ("2x2", "X#\n..", "row 1, column 2"),
    ] {
        let error = judge(place, bad).unwrap_err();
        assert_eq!(error.field.as_deref(), Some("options.position"));
        assert!(refused(&error).contains(why), "{error}");
    }
}

#[test]
fn tours_of_the_tsp_are_read_back() {
    let board = Board::parse("1x4").unwrap();
    let covering = Covering::new(&board, true, &Run::default()).unwrap();
    let problem = tsp::write(&covering, "1x4");
    assert!(problem.contains("DIMENSION : 80") && problem.ends_with("EOF\n"));
    // From a cycle that was found, to a tour, and back.
    let answer = ask(&question(Verb::Find, "1x4").with("symmetric", true)).unwrap();
    let Figure::Positions { drawings, .. } = &answer.solutions[0].figure else { panic!() };
    let half = &drawings[..drawings.len() / 2];
    let number = |drawing: &str| {
        let flipped: String = drawing
            .chars()
            .map(|c| {
                if c == 'X' {
                    'O'
                } else if c == 'O' {
                    'X'
                } else {
                    c
                }
            })
            .collect();
        let find = |text: &str| {
            covering.nodes.iter().position(|at| super::moves::name(&board, *at) == text)
        };
        find(drawing).map(|k| (k, false)).or_else(|| find(&flipped).map(|k| (k, true))).unwrap()
    };
    let mut next = vec![(0, false); half.len()];
    for (k, drawing) in half.iter().enumerate() {
        let (from, turned) = number(drawing);
        let (to, to_turned) = number(&drawings[k + 1]);
        next[from] = (to as u32, turned ^ to_turned);
    }
    let tour = tsp::tour(&next);
    assert_eq!(tsp::read(&covering, &tour).unwrap(), next);
    let read = question(Verb::Find, "1x4").with("symmetric", true).with("tour", tour.as_str());
    let json = serde_json::to_string(&ask(&read).unwrap()).unwrap();
    assert!(verify(&json, &Run::default()).unwrap().holds);
    for bad in ["", "TOUR_SECTION\n1 2 3\n-1", "TOUR_SECTION\n1 x\n-1"] {
        assert!(tsp::read(&covering, bad).unwrap_err().to_string().ends_with('.'));
    }
    let swapped = tour.replacen("1\n2\n", "2\n1\n", 1);
    assert!(tsp::read(&covering, &swapped).is_err());
    // What is no tour is refused before anything is done.
    for bad in ["TOUR_SECTION\n1 2 3\n-1", &swapped] {
        let read = question(Verb::Find, "1x4").with("symmetric", true).with("tour", bad);
        let error = CATALOGUE.plan(&read, &Run::default()).unwrap_err();
        assert_eq!(ask(&read).unwrap_err(), error);
        assert_eq!(error.field.as_deref(), Some("options.tour"));
    }
}

/// The problem is written by the format, within the limits of the run.
#[test]
fn problems_are_written_as_tsplib() {
    let write = |place: &str, run: &Run| {
        let question = question(Verb::Export, place);
        let card = CATALOGUE.game("go").unwrap().card();
        let format = CATALOGUE.format(card, Verb::Export, "tsplib").unwrap();
        let mut bytes = Vec::new();
        let style = crate::export::Style::default();
        let written = CATALOGUE.write(&question, run, format, &style, &mut bytes);
        written.map(|written| {
            assert!(written.wrote);
            String::from_utf8(bytes).unwrap()
        })
    };
    let problem = write("1x3", &Run::default()).unwrap();
    assert!(problem.starts_with("NAME : go-1x3\n") && problem.contains("DIMENSION : 28"));
    for bad in ["1x1", "2x4"] {
        let error = write(bad, &Run::default()).unwrap_err();
        assert_eq!((error.code, error.field.as_deref()), (Code::Unsupported, Some("format")));
    }
    let run = Run::new(Budget { memory: Some(1 << 16), ..Budget::default() });
    assert_eq!(write("1x5", &run).unwrap_err().code, Code::Stopped);
}

#[test]
fn what_cannot_be_done_is_said() {
    let run = Run::new(Budget { memory: Some(4 << 30), ..Budget::default() });
    let error = |question: &Question| refused(&testing::ask(question, &run).unwrap_err());
    let large = error(&question(Verb::Count, "19x19"));
    assert!(large.contains("TiB") && large.contains("16 rows"), "{large}");
    error(&question(Verb::Count, "30x40"));
    error(&question(Verb::Count, "200x300"));
    let holes = question(Verb::Count, "..#\n...").with("method", "matrix");
    assert!(error(&holes).contains("use sweep"));
    error(&question(Verb::Count, "3x3").with("method", "matrix"));
    error(&question(Verb::Count, "3x3").with("method", "memo"));
    error(&question(Verb::Count, "5x5").with("symmetric", true));
    error(&question(Verb::Count, "5x5").with("superko", "positional"));
    error(&question(Verb::Count, "5x5").with("games", true));
    error(&question(Verb::Count, "3").with("mod", 7));
    error(&question(Verb::Count, "5x5").with("mod", 1));
    error(&question(Verb::Recurrence, "10"));
    error(&question(Verb::Recurrence, "4x4"));
    error(&question(Verb::Analyze, "4x4").with("borders", 4));
    error(&question(Verb::Estimate, "4x4").with("samples", 1));
    error(&question(Verb::Explore, "5x5"));
    error(&question(Verb::Find, "5x5"));
    assert!(Question::new(Verb::Count, "go", "0x0").is_err());
    // What only does not fit is an answer, which says what would.
    for large in [
        question(Verb::Count, "15x15"),
        question(Verb::Count, "15x15").with("mod", 7),
        question(Verb::Count, "15x15").with("classes", true),
    ] {
        let answer = testing::ask(&large, &run).unwrap();
        assert!(
            matches!(answer.value, Value::GaveUp { stop: Limit::Memory { needed, bytes } }
                if bytes == 4 << 30 && needed > bytes),
            "{:?}",
            answer.value
        );
        assert!(answer.notes.concat().contains("14x14"), "{:?}", answer.notes);
        let plan = CATALOGUE.plan(&large, &run).unwrap();
        assert!(plan.notes.concat().contains("14x14"), "{:?}", plan.notes);
    }
}

/// What was stopped says what it would have counted; it used to say "legal positions" always.
#[test]
fn what_is_stopped_says_what_it_is_about() {
    let run = Run::default();
    run.cancel();
    for (stopped, subject, method) in [
        (question(Verb::Count, "9x9"), "legal-positions", "matrix"),
        (
            question(Verb::Count, "2x2").with("games", true),
            "games-under-positional-superko",
            "memo",
        ),
        (
            question(Verb::Count, "1x4").with("games", true).with("superko", "situational"),
            "games-under-situational-superko",
            "memo",
        ),
        (question(Verb::Count, "1x4").with("cycles", true), "directed-cycles", "cycle-search"),
        (
            question(Verb::Count, "5x5").with("classes", true),
            "classes-of-legal-positions",
            "burnside",
        ),
        (question(Verb::Find, "1x9").with("symmetric", true), "symmetric-cycles", "matching"),
        (question(Verb::Estimate, "9x9"), "legal-positions", "chen-borders"),
        (
            question(Verb::Estimate, "1x3").with("games", true),
            "games-under-positional-superko",
            "chen-games",
        ),
        (question(Verb::Sample, "9x9"), "legal-positions", "rejection"),
        (question(Verb::Explore, "3x3"), "farthest-from-the-empty-board", "breadth-first"),
        (question(Verb::Export, "3x3"), "game-graph", "inspection"),
        (question(Verb::Recurrence, "4"), "order", "berlekamp-massey"),
        (question(Verb::Recurrence, "7"), "order", "berlekamp-massey-modulo"),
    ] {
        let answer = testing::ask(&stopped, &run).unwrap();
        let is_stopped = answer.value == Value::gave_up(Limit::Cancelled {});
        assert!(is_stopped, "{}: {:?}", stopped.words(), answer.value);
        assert_eq!((&*answer.subject.id, &*answer.method.id), (subject, method));
    }
}

#[test]
fn every_verb_has_a_plan() {
    for (verb, place) in [
        (Verb::Find, "1x5"),
        (Verb::Count, "13x13"),
        (Verb::Count, "..#\n..."),
        (Verb::Estimate, "19x19"),
        (Verb::Sample, "19x19"),
        (Verb::Explore, "2x3"),
        (Verb::Recurrence, "8"),
        (Verb::Analyze, "9x9"),
        (Verb::Export, "2x2"),
    ] {
        let plan = CATALOGUE.plan(&question(verb, place), &Run::default()).unwrap();
        assert!(!plan.why.is_empty());
        if (verb, place) == (Verb::Count, "13x13") {
            assert_eq!(plan.peak_borders, Some(50_258_461.0));
        }
        let is_predicted = plan.seconds.is_some() || !plan.notes.is_empty();
        assert!(is_predicted || verb == Verb::Analyze, "{verb} {place}");
    }
}

#[test]
fn numbers_of_games_are_predicted() {
    let plan = |question: &Question| CATALOGUE.plan(question, &Run::default()).unwrap();
    let walked = question(Verb::Count, "1x3").with("games", true).with("method", "search");
    let about = plan(&walked).nodes.unwrap();
    assert!((600.0..1300.0).contains(&about), "{about}");
    let memo = plan(&question(Verb::Count, "2x2").with("games", true));
    assert_eq!(memo.states, Some(57.0));
    assert!(memo.notes.concat().contains("not predicted"));
    let about = plan(&question(Verb::Estimate, "3x3").with("games", true).with("samples", 2));
    assert!(about.seconds.is_some_and(|seconds| (2.0..200.0).contains(&seconds)), "{about:?}");
}

/// A modulus that is too large for one pass takes as many as the number itself, and the plan says
/// so.
#[test]
fn a_large_modulus_takes_all_passes() {
    let run = Run::default();
    let whole = question(Verb::Count, "8x8");
    let by = |modulus: u64| whole.clone().with("mod", modulus);
    let borders =
        |question: &Question| CATALOGUE.plan(question, &run).unwrap().borders.unwrap() as u64;
    let cost =
        |question: &Question| CATALOGUE.answer(question, &run).unwrap().cost.borders.unwrap();
    let small = (1 << 50) - 27;
    for (question, is_one) in
        [(&whole, false), (&by(small), true), (&by(1 << 63), true), (&by(u64::MAX), false)]
    {
        let planned = borders(question) / borders(&by(1009));
        assert_eq!(planned, cost(question) / cost(&by(1009)), "{question:?}");
        assert_eq!(planned == 1, is_one, "{question:?}");
    }
}

/// What a plan says of memory is what a count takes.
#[test]
fn memory_is_predicted() {
    for height in 8..=11 {
        let run = Run::default();
        let matrix = Matrix::new(height, matrix::blocks_within(height, 1, &run), &run).unwrap();
        let layer = matrix.layer::<1>(&run).unwrap();
        let taken = run.progress().bytes as f64;
        drop(layer);
        let predicted = Engine::Matrix.bytes(height) as f64;
        let ratio = taken / predicted;
        assert!((0.85..1.15).contains(&ratio), "{height}: {taken} {predicted}");
        assert!(run.peak_bytes() as f64 >= taken, "{height}");
    }
}

/// A plan is given exactly for what would be begun.
#[test]
fn plans_refuse_what_the_verbs_refuse() {
    let run = Run::new(Budget { memory: Some(4 << 30), ..Budget::default() });
    let none = |verb| {
        Question::new(verb, "go", "").unwrap_or_else(|_| {
            let mut question = question(verb, "1x1");
            question.place = crate::Place::Nowhere;
            question
        })
    };
    let wide = [vec![".".repeat(24); 23].join("\n"), ".".repeat(23) + "#"].join("\n");
    for bad in [
        question(Verb::Count, &wide),
        question(Verb::Count, "2x3").with("cycles", true),
        question(Verb::Count, "1x3").with("cycles", true).with("method", "search"),
        question(Verb::Count, "2x2").with("games", true).with("method", "sweep"),
        question(Verb::Count, "1x6").with("games", true),
        question(Verb::Count, "1x3").with("games", true).with("cycles", true),
        question(Verb::Count, "1x3").with("games", true).with("mod", 5),
        question(Verb::Count, "1x3").with("cycles", true).with("ternary", true),
        question(Verb::Count, "5x5").with("classes", true).with("mod", 5),
        question(Verb::Count, "5x5").with("classes", true).with("games", true),
        question(Verb::Count, "5x5").with("checkpoint", "file"),
        question(Verb::Count, "5x5").with("mod", 1),
        question(Verb::Count, "5x5").with("mod", 0),
        question(Verb::Count, "5x5").with("mod", 5).with("ternary", true),
        question(Verb::Count, "5x5").with("classes", true).with("ternary", true),
        question(Verb::Count, "5x5").with("symmetric", true),
        question(Verb::Count, "5x5").with("superko", "positional"),
        question(Verb::Count, "..#\n...").with("method", "table"),
        question(Verb::Estimate, "..#\n..."),
        question(Verb::Estimate, "121x121"),
        question(Verb::Estimate, "5x5").with("samples", 1),
        question(Verb::Estimate, "5x5").with("samples", 0),
        question(Verb::Estimate, "4x4").with("games", true),
        question(Verb::Find, "5x5"),
        question(Verb::Find, "1x5").with("tour", "TOUR_SECTION"),
        question(Verb::Explore, "5x5"),
        question(Verb::Export, "5x5"),
        question(Verb::Recurrence, "10"),
        question(Verb::Recurrence, "3").with("terms", 10_001),
        question(Verb::Recurrence, "3x3"),
        question(Verb::Analyze, "3x3").with("borders", 3),
        question(Verb::Analyze, "3x3").with("position", "X"),
        none(Verb::Analyze),
        none(Verb::Analyze).with("borders", 99),
        none(Verb::Analyze).with("borders", 0),
        none(Verb::Analyze).with("formula", 2),
        none(Verb::Analyze).with("borders", 3).with("formula", 4),
        none(Verb::Count),
    ] {
        let error = CATALOGUE.answer(&bad, &run).unwrap_err();
        assert_eq!(CATALOGUE.plan(&bad, &run).unwrap_err(), error);
        refused(&error);
    }
}

/// Bounds from above are rounded up, those from below down.
#[test]
fn bounds_are_bounds() {
    let fact = |place: &str, verb, id: &str| {
        let answer = ask(&question(verb, place)).unwrap();
        answer.fact_of(id).map(ToString::to_string)
    };
    // 4^57 is 10^34.3.
    for verb in [Verb::Explore, Verb::Analyze] {
        assert_eq!(fact("2x2", verb, "games-at-most-theorem-7").unwrap(), "10^(35)");
    }
    assert_eq!(fact(".#.", Verb::Explore, "positions").unwrap(), "1");
    assert_eq!(fact(".#.", Verb::Explore, "games-at-most-lemma-17"), None);
    assert_eq!(fact("1x3", Verb::Explore, "games-at-most-lemma-17").unwrap(), "10^6.20");
    // Corollary 8.
    let full = fact("19x19", Verb::Analyze, "games-at-least-theorem-8").unwrap();
    assert_eq!(full, "(103!)^(2^154) > 10^(3.745·10^48)");
    assert_eq!(fact("19x19", Verb::Analyze, "legal-positions").unwrap(), "2.082·10^170");
    let by_formula = |place: &str| fact(place, Verb::Analyze, "legal-positions-by-formula");
    assert_eq!(by_formula("9x9").as_deref(), Some("yes"));
    assert_eq!(by_formula("5x5").as_deref(), Some("no"));
    assert_eq!(by_formula("..#\n..."), None);
    assert_eq!(fact("5x5", Verb::Analyze, "legal-positions-at-most").unwrap(), "7.604·10^11");
}

#[test]
fn constants_of_the_formula_are_facts() {
    let asked = Question::new(Verb::Analyze, "go", "").unwrap().with("formula", 8);
    let answer = ask(&asked).unwrap();
    assert_eq!(answer.value, Value::Described {});
    for (id, digits) in [("base", "2.975734"), ("b", "0.96554"), ("a", "0.8506")] {
        assert_eq!(answer.fact_of(id), Some(&Datum::Decimal(digits.into())), "{id}");
    }
    let decimal = |digits: &str| Datum::Decimal(digits.into());
    let convergence = answer.table("convergence").unwrap();
    assert_eq!((convergence.rows.len(), convergence.column("base")), (7, Some(1)));
    assert_eq!(convergence.rows[6][1], decimal("2.9757341926601555338327"));
    assert_eq!(answer.table("accuracy").unwrap().rows[4][1], decimal("0.999926608115304710"));
}

#[test]
fn shares_have_nine_digits() {
    let share =
        |part: &str, all: &str| digits_of_share(&part.parse().unwrap(), &all.parse().unwrap());
    assert_eq!(share("1", "3"), "0.333333333");
    assert_eq!(share("3", "3"), "1.000000000");
    assert_eq!(share("1", "30000"), "3.33333333e-5");
    assert_eq!(share("1", "10000000"), "1.00000000e-7");
    assert_eq!(share("999999999999", "10000000000000000000000"), "9.99999999e-11");
    let answer = ask(&question(Verb::Count, "9x9").with("ternary", true)).unwrap();
    assert_eq!(answer.fact_of("share"), Some(&Datum::Decimal("0.234354851".into())));
    let Some(Datum::Text(ternary)) = answer.fact_of("ternary") else { panic!() };
    assert_eq!(BigUint::parse_bytes(ternary.as_bytes(), 3), answer.value.number());
}

/// Few samples give no interval, of games as of positions; 50 are not few.
#[test]
fn few_samples_are_said_to_be_few() {
    for games in [false, true] {
        for samples in [10u64, 50] {
            let mut asked = question(Verb::Estimate, "1x5").with("samples", samples);
            if games {
                asked = asked.with("games", true);
            }
            let answer = ask(&asked).unwrap();
            let Value::Estimated(found) = &answer.value else { panic!("{answer:?}") };
            let why = found.no_interval.as_ref().map(|why| why.id);
            let expected = match (samples, games) {
                (10, _) => Some(WhyNoInterval::FewSamples),
                // Their decimal logarithms spread by more than one.
                (_, true) => Some(WhyNoInterval::WideSpread),
                (_, false) => None,
            };
            assert_eq!((why, found.interval.is_some()), (expected, expected.is_none()));
            assert!(answer.seed.is_some() && answer.cost.nodes.is_some());
        }
    }
    let answer = ask(&question(Verb::Estimate, "19x19").with("samples", 200)).unwrap();
    assert!(answer.notes.is_empty(), "{:?}", answer.notes);
    let share = answer.fact_of("share").and_then(Datum::as_f64).unwrap();
    assert!((share - 0.012).abs() < 0.003, "{share}");
}

/// Intervals hold the truth about as often as they say. (Seeds are fixed, so this does not
/// depend on luck.)
#[test]
fn intervals_of_estimates_hold_the_truth_about_95_times_in_100() {
    for (place, games, samples, truth) in
        [("5x5", false, 50u64, 414_295_148_741u64), ("1x4", true, 80, 2_098_407_841)]
    {
        let mut asked = question(Verb::Estimate, place).with("samples", samples);
        if games {
            asked = asked.with("games", true);
        }
        let held = (1..=100).filter(|&seed| {
            let run = Run::new(Budget { seed, ..Budget::default() });
            let Value::Estimated(found) = CATALOGUE.answer(&asked, &run).unwrap().value else {
                panic!("{place}")
            };
            found.holds(&truth.into()).expect("an interval")
        });
        let held = held.count();
        assert!((90..=99).contains(&held), "{place}: {held} of 100");
    }
}

/// Memory is claimed before it is taken: what does not fit is not begun.
#[test]
fn matrices_claim_before_they_take() {
    let run = Run::new(Budget { memory: Some(1 << 20), ..Budget::default() });
    assert!(matches!(
        Matrix::new(12, [1, 1], &run),
        Err(Halt::Stop(Limit::Memory { needed, .. })) if needed > 40 << 20
    ));
    assert_eq!(run.progress().handled, 0);
}

/// Methods that confirm each other share no code that could be wrong.
#[test]
fn only_the_sweep_confirms_the_others() {
    use super::methods::{BURNSIDE, MATRIX, MEMO, SEARCH, SWEEP, TABLE};
    assert!(SWEEP.confirms(&MATRIX) && SWEEP.confirms(&TABLE));
    assert!(!MATRIX.confirms(&TABLE) && !MEMO.confirms(&SEARCH) && !BURNSIDE.confirms(&SWEEP));
}

#[test]
fn residues_alone() {
    for (shape, modulus) in [("5x5", 1009u64), ("7x8", 1_000_000), ("3x3", 50), ("5x6", 1 << 62)] {
        let exact = ask(&question(Verb::Count, shape)).unwrap();
        let Value::Exact { number } = exact.value else { panic!() };
        let residue = ask(&question(Verb::Count, shape).with("mod", modulus)).unwrap();
        let value = Value::Residue { residue: number % modulus, modulus: modulus.into() };
        assert_eq!(residue.value, value, "{shape}");
    }
}
