//! The checker. It shares no code with the rest: it has its own rule, its own reading of
//! configurations, and plain searches over sorted sets.

use std::collections::{BTreeMap, BTreeSet};

use num_bigint::BigUint;
use num_traits::ToPrimitive;
use pessoi_engine::run::{Run, Stop};

use super::options::{DISTANCE, FROM, GOD, HEX_HOLES, SAMPLES, SQUARE_HOLES, TO};
use super::proofs::{
    DISTANCE_FACT, FARTHEST_POSITIONS, FarthestPositions, GOAL_FACT, HOLES_APART, LEAST_FACT,
    Nothing, ODD_PERMUTATION, SHORTEST_FACT, SLIDES_FACT, STUCK_PIECES, StuckPieces, WAY, Way,
};
use crate::answer::{Answer, Value};
use crate::board::{Board, Cell, Lattice};
use crate::card::Opt;
use crate::check::{CERTIFICATE, Findings, SOLVED, Standing, VALUE};
use crate::error::{Error, Result};
use crate::question::Verb;
use crate::solution::{Figure, Move};
use crate::table::Datum;

/// Configurations that a repeated search may see.
const MOST: usize = 1_500_000;
/// Configurations that repeated searches from all starts may see together.
const WORK: usize = 20_000_000;

/// The tile on each cell; 0 for a hole.
type Tiles = Vec<u16>;

struct Checker<'a> {
    answer: &'a Answer,
    cells: Vec<Cell>,
    near: Vec<Vec<usize>>,
    lattice: Lattice,
    run: &'a Run,
}

/// Why a search could not be repeated.
enum Halt {
    Stop(Stop),
    TooMany,
}

impl Halt {
    fn words(&self) -> String {
        match self {
            Halt::Stop(stop) => format!("repeating the search was stopped: {stop}"),
            Halt::TooMany => format!("repeating the search would take more than {MOST} states"),
        }
    }
}

fn wrong<T>(field: &str, what: impl std::fmt::Display) -> Result<T> {
    Err(Error::forged(field, format!("The answer does not hold: {what}.")))
}

fn unchecked(why: impl Into<String>) -> Findings {
    Findings::unchecked(VALUE, why)
}

fn holds(what: impl Into<String>) -> Findings {
    Findings::checked(VALUE, what)
}

/// A proof by certificate holds.
fn proved(what: &str) -> Findings {
    holds(what).and(CERTIFICATE, "it proves that there is none")
}

/// Checks an answer.
pub(super) fn check(answer: &Answer, lattice: Lattice, run: &Run) -> Result<Findings> {
    let checker = Checker::new(answer, answer.question.board()?, lattice, run);
    let found = match (&answer.value, answer.question.verb) {
        (Value::GaveUp { .. }, _) => return Ok(unchecked("the answer itself gave up")),
        (Value::None { .. }, Verb::Find | Verb::Hint | Verb::Check | Verb::Trace) => {
            let found = checker.check_none()?;
            if found.of(VALUE).is_some_and(|found| found.standing == Standing::Checked) {
                found.fact(answer, "solvable", "it can be solved", false, "there is no solution")?
            } else {
                found
            }
        }
        (Value::Described {}, Verb::Hint) => checker.check_way()?,
        (Value::AtLeast { number, stop: None }, Verb::Check) if *number == BigUint::from(1u8) => {
            match &answer.certificate {
                Some(_) => checker.check_way()?.and(VALUE, "a solution is given").fact(
                    answer,
                    "solvable",
                    "it can be solved",
                    true,
                    "a solution is given",
                )?,
                None => unchecked("the group says so, and no solution is given"),
            }
        }
        (Value::None { .. }, _) => checker.check_nothing()?,
        (Value::Exact { .. } | Value::AtLeast { .. }, Verb::Find | Verb::Trace) => {
            checker.check_solution()?
        }
        (Value::Exact { number } | Value::AtLeast { number, .. }, Verb::Explore) => {
            checker.check_god(number)?
        }
        (Value::Exact { number }, Verb::Count) => checker.check_components(number)?,
        (Value::AtLeast { .. }, Verb::Sample) => checker.check_samples()?,
        (Value::Described {}, Verb::Analyze | Verb::Export)
        | (Value::Exact { .. }, Verb::Export) => {
            return Ok(Findings::new());
        }
        (_, verb) => return wrong(VALUE, format!("a value of this standing cannot answer {verb}")),
    };
    let holes = if lattice == Lattice::Hex { &HEX_HOLES } else { &SQUARE_HOLES };
    Ok(found.reads(&[&FROM, &TO, holes]))
}

impl<'a> Checker<'a> {
    fn new(answer: &'a Answer, board: &Board, lattice: Lattice, run: &'a Run) -> Self {
        let cells = board.cells().to_vec();
        let touch = |a: &Cell, b: &Cell| {
            let (down, right) = (b.row - a.row, b.col - a.col);
            match lattice {
                Lattice::Square => down.abs() + right.abs() == 1,
                // Rows are shifted to the right going down, so the upper right and the
                // lower left are near, the upper left and the lower right are not.
                Lattice::Hex => {
                    (down, right) != (0, 0) && down.abs() <= 1 && right.abs() <= 1 && down != right
                }
            }
        };
        let near = |a: &Cell| (0..cells.len()).filter(|&b| touch(a, &cells[b])).collect();
        Checker { near: cells.iter().map(near).collect(), cells, answer, lattice, run }
    }

    /// All configurations one slide away.
    fn slides(&self, tiles: &Tiles) -> Vec<Tiles> {
        let mut found = Vec::new();
        for (hole, _) in tiles.iter().enumerate().filter(|(_, tile)| **tile == 0) {
            for &from in self.near[hole].iter().filter(|&&from| tiles[from] != 0) {
                let another = self.near[hole]
                    .iter()
                    .any(|&third| tiles[third] == 0 && self.near[from].contains(&third));
                if self.lattice == Lattice::Square || another {
                    let mut next = tiles.clone();
                    next.swap(from, hole);
                    found.push(next);
                }
            }
        }
        found
    }

    /// Whether a drawing has a word for each cell of each row.
    fn is_shaped(&self, text: &str) -> bool {
        let words = |line: &str| line.split_whitespace().filter(|word| *word != "#").count();
        let mut rows: BTreeMap<i32, usize> = BTreeMap::new();
        for cell in &self.cells {
            *rows.entry(cell.row).or_default() += 1;
        }
        let lines = text.lines().map(words).filter(|&words| words > 0);
        lines.eq(rows.values().copied())
    }

    /// Reads a configuration in some field: numbers and dots in the order of the cells.
    fn read(&self, field: &str, text: &str) -> Result<Tiles> {
        if field == "solutions" && !self.is_shaped(text) {
            return wrong(field, format!("{text:?} has not the shape of the board"));
        }
        let words = text.split(|c: char| c.is_whitespace() || "/,".contains(c));
        let words = words.filter(|word| !matches!(*word, "" | "#" | "hex" | "square"));
        let mut tiles = Tiles::new();
        for word in words {
            match word {
                "." | "_" => tiles.push(0),
                number => match number.parse() {
                    Ok(tile) if number.bytes().all(|b| b.is_ascii_digit()) => tiles.push(tile),
                    _ => return wrong(field, format!("{number:?} is no tile")),
                },
            }
        }
        let mut sorted: Tiles = tiles.iter().copied().filter(|&tile| tile != 0).collect();
        sorted.sort_unstable();
        let numbered = (1..).zip(&sorted).all(|(k, &tile)| k == tile);
        if tiles.len() != self.cells.len() || !numbered || sorted.is_empty() {
            return wrong(
                field,
                "a configuration has not each of its tiles once on the cells of the board",
            );
        }
        Ok(tiles)
    }

    /// A configuration that the question gives.
    fn given(&self, opt: &Opt) -> Result<Option<Tiles>> {
        let field = format!("options.{}", opt.name);
        self.answer.question.text(opt).map(|text| self.read(&field, text)).transpose()
    }

    /// The goal, as the question gives it: if it does not, the tiles in order and the holes
    /// last. Where the goal is chosen too, as the answer gives it.
    fn goal(&self) -> Result<Option<Tiles>> {
        let stated = match self.answer.fact_of(GOAL_FACT) {
            Some(Datum::Text(text)) => Some(self.read("facts", text)?),
            _ => None,
        };
        let is_chosen = self.answer.question.text(&DISTANCE) == Some(GOD);
        let goal = match (self.given(&TO)?, self.holes()) {
            (Some(goal), _) => Some(goal),
            (None, _) if is_chosen => stated.clone(),
            (None, Some(holes)) => {
                let tiles = self.cells.len().saturating_sub(holes) as u16;
                let numbers = (1..=tiles).chain(std::iter::repeat(0));
                let last: Tiles = numbers.take(self.cells.len()).collect();
                // Where no tile could slide there, the holes are somewhere else.
                if self.slides(&last).is_empty() { stated.clone() } else { Some(last) }
            }
            (None, None) => None,
        };
        if stated.is_some() && stated != goal {
            return wrong("facts", "the goal is not the one that was asked for");
        }
        Ok(goal)
    }

    /// Distances from a configuration, as far as there are few enough.
    fn distances(&self, from: &Tiles) -> Result<BTreeMap<Tiles, u64>, Halt> {
        let mut distances = BTreeMap::from([(from.clone(), 0)]);
        let mut layer = vec![from.clone()];
        let mut distance = 0;
        while !layer.is_empty() {
            distance += 1;
            let mut next = Vec::new();
            for (k, tiles) in layer.iter().enumerate() {
                if k % 1024 == 0 {
                    self.run.tick(1024).map_err(Halt::Stop)?;
                    if distances.len() > MOST {
                        return Err(Halt::TooMany);
                    }
                }
                for there in self.slides(tiles) {
                    if !distances.contains_key(&there) {
                        distances.insert(there.clone(), distance);
                        next.push(there);
                    }
                }
            }
            layer = next;
        }
        Ok(distances)
    }

    /// The distance of two configurations, by layers around both; `None` if there is no way.
    /// Every slide can be undone, so a layer needs only the two before it.
    fn apart(&self, from: &Tiles, to: &Tiles) -> Result<Option<u64>, Halt> {
        let start = |tiles: &Tiles| [BTreeSet::new(), BTreeSet::from([tiles.clone()])];
        let mut ends = [start(from), start(to)];
        let (mut slides, mut met) = (0, 0);
        loop {
            if !ends[0][1].is_disjoint(&ends[1][1]) {
                return Ok(Some(slides));
            }
            slides += 1;
            let smaller = usize::from(ends[1][1].len() < ends[0][1].len());
            let [before, layer] = &mut ends[smaller];
            let mut next = BTreeSet::new();
            for tiles in layer.iter() {
                self.run.tick(1).map_err(Halt::Stop)?;
                let new = self.slides(tiles).into_iter();
                next.extend(new.filter(|there| !before.contains(there) && !layer.contains(there)));
                if met + next.len() > MOST {
                    return Err(Halt::TooMany);
                }
            }
            if next.is_empty() {
                return Ok(None);
            }
            met += next.len();
            *before = std::mem::replace(layer, next);
        }
    }

    /// The configurations of each solution, and the moves between them.
    fn positions(&self) -> Result<Vec<(Vec<Tiles>, &[Move])>> {
        let read = |figure: &'a Figure| match figure {
            Figure::Positions { closed: true, .. } => {
                wrong("solutions", "a solution does not return to its beginning")
            }
            Figure::Positions { drawings, moves, .. } => {
                let drawings = drawings.iter().map(|drawing| self.read("solutions", drawing));
                Ok((drawings.collect::<Result<_>>()?, &moves[..]))
            }
            Figure::Path { .. } => wrong("solutions", "a path is no solution of a sliding puzzle"),
        };
        self.answer.solutions.iter().map(|solution| read(&solution.figure)).collect()
    }

    /// Whether a move says what happens between two configurations one slide apart.
    fn is_move(&self, before: &Tiles, after: &Tiles, step: &Move) -> bool {
        let moved = |tiles: &Tiles, others: &Tiles| {
            (0..tiles.len()).find(|&cell| tiles[cell] != 0 && others[cell] == 0)
        };
        let (Some(from), Some(to)) = (moved(before, after), moved(after, before)) else {
            return false;
        };
        let (tile, from, to) = (before[from], self.cells[from], self.cells[to]);
        // On a hexagonal board a row down is half a cell to the right.
        let right = match self.lattice {
            Lattice::Square => 2 * (to.col - from.col),
            Lattice::Hex => 2 * (to.col - from.col) + (to.row - from.row),
        };
        let upright = ["up", "", "down"][(to.row - from.row + 1) as usize];
        let sideways = ["left", "", "right"][(right.signum() + 1) as usize];
        let words: Vec<&str> = [upright, sideways].into_iter().filter(|w| !w.is_empty()).collect();
        step.piece == tile.to_string()
            && step.from == Some(from)
            && step.to == Some(to)
            && step.direction.as_deref() == Some(&words.join("-"))
    }

    fn check_solution(&self) -> Result<Findings> {
        let found = self.positions()?;
        let [(way, moves)] = &found[..] else {
            return wrong("solutions", "there is not one solution");
        };
        let (Some(first), Some(last)) = (way.first(), way.last()) else {
            return wrong("solutions", "the solution is empty");
        };
        if self.given(&FROM)?.is_some_and(|from| from != *first) {
            return wrong("solutions", "the solution does not begin at the start");
        }
        let goal = self.goal()?;
        if goal.as_ref().is_some_and(|to| to != last) {
            return wrong("solutions", "the solution does not end at the goal");
        }
        let slides = way.len() - 1;
        if moves.len() != slides {
            let what = format!("{} moves are named for {slides} slides", moves.len());
            return wrong("solutions", what);
        }
        for (number, (pair, step)) in way.windows(2).zip(*moves).enumerate() {
            if !self.slides(&pair[0]).contains(&pair[1]) {
                return wrong("solutions", format!("step {} is no slide", number + 1));
            }
            if !self.is_move(&pair[0], &pair[1], step) {
                return wrong("solutions", format!("move {} is not what happens", number + 1));
            }
        }
        let slides = slides as u64;
        let replayed =
            format!("every one of the {slides} steps is a slide, from the start to the goal");
        if goal.is_none() {
            return Ok(Findings::unchecked(SOLVED, "the goal is not known"));
        }
        let found = Findings::checked(SOLVED, replayed);
        let number = match &self.answer.value {
            Value::Exact { number } => number,
            value if *value == Value::at_least(1u32) => {
                return Ok(found.and(VALUE, "one solution is given; others may be shorter"));
            }
            _ => return wrong(VALUE, "one solution is given, and another number is stated"),
        };
        if *number != BigUint::from(slides) {
            return wrong("value", format!("the solution has {slides} slides, not {number}"));
        }
        match self.apart(first, last) {
            Ok(least) if least == Some(slides) => Ok(found.and(VALUE, "no solution is shorter")),
            Ok(_) => wrong("value", "there is a shorter solution"),
            Err(halt) => {
                Ok(found.but(VALUE, format!("whether there is a shorter one: {}", halt.words())))
            }
        }
    }

    /// A solution that is given by its moves.
    fn check_way(&self) -> Result<Findings> {
        let answer = self.answer;
        let Some(certificate) = answer.certificate.as_ref().filter(|c| c.kind == WAY) else {
            return wrong(CERTIFICATE, "it holds no solution");
        };
        let Way { moves } = certificate.read()?;
        let Some((from, to)) = self.given(&FROM)?.zip(self.goal()?) else {
            return Ok(Findings::unchecked(CERTIFICATE, "the start or the goal is not known"));
        };
        let mut tiles = from.clone();
        for (number, step) in (1..).zip(&moves) {
            let mut next = self.slides(&tiles).into_iter();
            match next.find(|next| self.is_move(&tiles, next, step)) {
                Some(next) => tiles = next,
                None => return wrong(CERTIFICATE, format!("move {number} is no slide")),
            }
        }
        if tiles != to {
            return wrong(CERTIFICATE, "the moves do not end at the goal");
        }
        let replayed = "every move is a slide, from the start to the goal";
        let mut found = Findings::checked(CERTIFICATE, replayed);
        found = found.fact(answer, SLIDES_FACT.0, SLIDES_FACT.1, moves.len(), replayed)?;
        if let Some(first) = moves.first() {
            let tile: u32 = first.piece.parse().unwrap_or(0);
            let which = first.direction.clone();
            found = found
                .fact(answer, "tile", "tile", tile, replayed)?
                .fact(answer, "from", "from", first.from, replayed)?
                .fact(answer, "to", "to", first.to, replayed)?
                .fact(answer, "direction", "direction", which, replayed)?;
        }
        if answer.fact_of(SHORTEST_FACT.0) != Some(&Datum::Boolean(true)) {
            let how = "nothing more is claimed";
            return found.fact(answer, SHORTEST_FACT.0, SHORTEST_FACT.1, false, how);
        }
        match self.apart(&from, &to) {
            Ok(least) if least == Some(moves.len() as u64) => {
                let how = "no solution is shorter";
                found.fact(answer, SHORTEST_FACT.0, SHORTEST_FACT.1, true, how)
            }
            Ok(_) => wrong("facts.shortest", "there is a shorter solution"),
            Err(halt) => Ok(found.but("facts.shortest", halt.words())),
        }
    }

    fn check_none(&self) -> Result<Findings> {
        let Some((from, to)) = self.given(&FROM)?.zip(self.goal()?) else {
            return Ok(unchecked("the start or the goal is not known"));
        };
        let kind =
            self.answer.certificate.as_ref().map(|certificate| (&*certificate.kind, certificate));
        match kind {
            Some((HOLES_APART, certificate)) => {
                certificate.read::<Nothing>()?;
                match self.reach(&from, &[]) {
                    Err(halt) => Ok(unchecked(halt.words())),
                    Ok(met) if met.contains(&seen(&to, &[])) => {
                        wrong("certificate", "the holes can get there")
                    }
                    Ok(_) => Ok(proved("the holes never get where they should be")),
                }
            }
            Some((STUCK_PIECES, certificate)) => {
                let StuckPieces { pieces } = certificate.read()?;
                match self.reach(&from, &pieces) {
                    Err(halt) => Ok(unchecked(halt.words())),
                    Ok(met) if met.contains(&seen(&to, &pieces)) => {
                        wrong("certificate", "the named tiles can get to their places")
                    }
                    Ok(_) => Ok(proved("the named tiles never all get to their places")),
                }
            }
            Some((ODD_PERMUTATION, certificate)) => {
                certificate.read::<Nothing>()?;
                match self.parities(&from, &to)? {
                    Err(halt) => Ok(unchecked(halt.words())),
                    Ok(()) => Ok(proved(
                        "every closed way of the holes permutes the tiles evenly, and the goal is \
                         odd",
                    )),
                }
            }
            _ => match self.distances(&from) {
                Err(halt) => Ok(unchecked(halt.words())),
                Ok(met) if met.contains_key(&to) => wrong("value", "there is a solution"),
                Ok(_) => Ok(holds("everything that can be reached was reached again")),
            },
        }
    }

    /// All that can be seen on the way of the holes and of some tiles, whatever the others
    /// do.
    fn reach(&self, from: &Tiles, pieces: &[u16]) -> Result<BTreeSet<Tiles>, Halt> {
        let first = seen(from, pieces);
        let mut met = BTreeSet::from([first.clone()]);
        let mut queue = vec![first];
        while let Some(tiles) = queue.pop() {
            if met.len() > MOST {
                return Err(Halt::TooMany);
            }
            self.run.tick(1).map_err(Halt::Stop)?;
            for next in self.slides(&tiles) {
                if met.insert(next.clone()) {
                    queue.push(next);
                }
            }
        }
        Ok(met)
    }

    /// Whether all ways that bring the holes back permute evenly, and the goal oddly.
    fn parities(&self, from: &Tiles, to: &Tiles) -> Result<Result<(), Halt>> {
        // For each set of holes, the tiles as they were when it was first met.
        let mut first = BTreeMap::from([(seen(from, &[]), from.clone())]);
        let mut queue = vec![from.clone()];
        while let Some(tiles) = queue.pop() {
            if let Err(stop) = self.run.tick(1) {
                return Ok(Err(Halt::Stop(stop)));
            }
            if first.len() > MOST {
                return Ok(Err(Halt::TooMany));
            }
            for next in self.slides(&tiles) {
                match first.get(&seen(&next, &[])) {
                    None => {
                        first.insert(seen(&next, &[]), next.clone());
                        queue.push(next);
                    }
                    Some(known) if is_odd(known, &next) => {
                        return wrong(
                            "certificate",
                            "an odd permutation of the tiles can be reached",
                        );
                    }
                    Some(_) => {}
                }
            }
        }
        match first.get(&seen(to, &[])) {
            Some(known) if is_odd(known, to) => Ok(Ok(())),
            Some(_) => wrong("certificate", "the goal is an even permutation"),
            None => wrong("certificate", "the holes cannot get there at all"),
        }
    }

    /// God's number of all components, or of that of the start. What is at least so much is
    /// shown by two configurations alone.
    fn check_god(&self, number: &BigUint) -> Result<Findings> {
        let certificate = self.answer.certificate.as_ref();
        let Some(certificate) = certificate.filter(|known| known.kind == FARTHEST_POSITIONS) else {
            return Ok(unchecked("this answer carries no certificate"));
        };
        let FarthestPositions { from, to } = certificate.read()?;
        let (from, to) = (self.read("certificate", &from)?, self.read("certificate", &to)?);
        if let Some(holes) = self.holes()
            && from.iter().filter(|&&tile| tile == 0).count() != holes
        {
            return wrong("certificate", format!("a configuration has not {holes} holes"));
        }
        match self.apart(&from, &to) {
            Ok(least) if least.map(BigUint::from).as_ref() == Some(number) => {}
            Ok(_) => {
                let what = format!("the two configurations are not {number} slides apart");
                return wrong("certificate", what);
            }
            Err(halt) => {
                return Ok(unchecked(format!(
                    "neither how far the two configurations are apart nor whether others are \
                     farther is known, because {}",
                    halt.words()
                )));
            }
        }
        let apart = format!("the two configurations are {number} slides apart");
        let found = Findings::checked(CERTIFICATE, apart);
        if !matches!(self.answer.value, Value::Exact { .. }) {
            return Ok(found.and(VALUE, "two configurations are so far apart"));
        }
        let others = |halt: &Halt| {
            let why = format!("whether others are farther: {}", halt.words());
            Ok(found.clone().but(VALUE, why))
        };
        // Renaming tiles changes no distance, so one configuration for each set of holes will
        // do: of all sets, or of those that the holes of the start can become.
        let (starts, whose) = match self.given(&FROM)? {
            None => (self.hole_sets(&from), "no two configurations are farther apart"),
            Some(start) => {
                let sets = self.reach(&start, &[]);
                if sets.as_ref().is_ok_and(|sets| !sets.contains(&seen(&from, &[]))) {
                    let what = "the two configurations are not of a component like the start's";
                    return wrong("certificate", what);
                }
                (sets, "no two configurations of the start's component are farther apart")
            }
        };
        let starts = match starts {
            Ok(starts) => starts,
            Err(halt) => return others(&halt),
        };
        for start in &starts {
            let mut tile = 0;
            let number_tiles = |&kind: &u16| {
                tile += u16::from(kind != 0);
                if kind == 0 { 0 } else { tile }
            };
            let start: Tiles = start.iter().map(number_tiles).collect();
            match self.distances(&start) {
                Err(halt) => return others(&halt),
                Ok(distances) => {
                    let most = distances.values().copied().max().unwrap_or(0);
                    if BigUint::from(most) > *number {
                        let what = format!("some configurations are {most} slides apart");
                        return wrong("value", what);
                    }
                    if starts.len().saturating_mul(distances.len()) > WORK {
                        return others(&Halt::TooMany);
                    }
                }
            }
        }
        Ok(found.and(VALUE, whose))
    }

    /// All sets of as many holes, seen without the tiles' numbers.
    fn hole_sets(&self, like: &Tiles) -> Result<BTreeSet<Tiles>, Halt> {
        let holes = like.iter().filter(|&&tile| tile == 0).count();
        let mut sets = BTreeSet::from([vec![u16::MAX; like.len()]]);
        for _ in 0..holes {
            self.run.tick(sets.len() as u64).map_err(Halt::Stop)?;
            if sets.len() > MOST / 8 {
                return Err(Halt::TooMany);
            }
            let more = |set: &Tiles| {
                let set = set.clone();
                (0..set.len())
                    .filter(|&cell| set[cell] != 0)
                    .map(|cell| {
                        let mut next = set.clone();
                        next[cell] = 0;
                        next
                    })
                    .collect::<Vec<_>>()
            };
            sets = sets.iter().flat_map(more).collect();
        }
        Ok(sets)
    }

    /// The number of holes that the question asks for; `None` for the fewest that will do.
    fn holes(&self) -> Option<usize> {
        let question = &self.answer.question;
        let opt = if self.lattice == Lattice::Hex { HEX_HOLES } else { SQUARE_HOLES };
        for given in [&FROM, &TO] {
            if let Ok(Some(tiles)) = self.given(given) {
                return Some(tiles.iter().filter(|&&tile| tile == 0).count());
            }
        }
        question.number(&opt)?.to_usize()
    }

    /// That no tile can slide, whichever cells are holes; or that none is so far from a goal.
    fn check_nothing(&self) -> Result<Findings> {
        let cells = self.cells.len();
        let Some(holes) = self.holes().filter(|&holes| holes < cells) else {
            return Ok(unchecked("this proof is not one that can be checked"));
        };
        if !self.can_slide(holes) {
            return Ok(holds("no tile can slide, whichever cells are holes"));
        }
        let exactly = self.answer.question.number(&DISTANCE);
        let (Some(exactly), Some(goal)) = (exactly, self.goal()?) else {
            return wrong("value", "a tile can slide");
        };
        match self.distances(&goal) {
            Err(halt) => Ok(unchecked(halt.words())),
            Ok(distances) if distances.values().any(|&there| there == exactly) => {
                wrong("value", format!("something is {exactly} slides from the goal"))
            }
            Ok(_) => Ok(holds(format!("nothing is {exactly} slides from the goal"))),
        }
    }

    /// Whether a tile can slide if the right cells are holes. A slide needs no more than two
    /// of them, and others are not in its way as long as there is a tile.
    fn can_slide(&self, holes: usize) -> bool {
        let cells = self.cells.len();
        let pairs = (0..cells).flat_map(|a| (a..cells).map(move |b| (a, b)));
        pairs.into_iter().any(|(a, b)| {
            let mut tiles = vec![1; cells];
            (tiles[a], tiles[b]) = (0, 0);
            let fits = (a != b && holes >= 2) || (a == b && holes >= 1);
            fits && !self.slides(&tiles).is_empty()
        })
    }

    fn check_components(&self, number: &BigUint) -> Result<Findings> {
        let Some(holes) = self.holes() else {
            return Ok(unchecked("the question leaves the number of holes open"));
        };
        let cells = self.cells.len();
        let all = (holes.min(cells)..cells).try_fold(1usize, |all, k| all.checked_mul(k + 1));
        if all.is_none_or(|all| all > MOST / 4) {
            return Ok(unchecked(Halt::TooMany.words()));
        }
        let mut left: BTreeSet<Tiles> = BTreeSet::from([vec![0; cells]]);
        for tile in 1..=(cells - holes) as u16 {
            let put = |tiles: &Tiles| {
                let tiles = tiles.clone();
                let free: Vec<usize> = (0..cells).filter(|&cell| tiles[cell] == 0).collect();
                free.into_iter().map(move |cell| {
                    let mut next = tiles.clone();
                    next[cell] = tile;
                    next
                })
            };
            left = left.iter().flat_map(put).collect();
        }
        let mut components = 0u64;
        while let Some(first) = left.pop_first() {
            if let Err(stop) = self.run.tick(1) {
                return Ok(unchecked(Halt::Stop(stop).words()));
            }
            let mut queue = vec![first];
            let mut size = 0;
            while let Some(tiles) = queue.pop() {
                size += 1;
                queue.extend(self.slides(&tiles).into_iter().filter(|next| left.remove(next)));
            }
            components += u64::from(size > 1);
        }
        if BigUint::from(components) != *number {
            return wrong("value", format!("there are {components} components, not {number}"));
        }
        Ok(holds("visiting all configurations finds as many components"))
    }

    fn check_samples(&self) -> Result<Findings> {
        let drawn = self.positions()?;
        if let Value::AtLeast { number, stop } = &self.answer.value {
            let there = drawn.len() as u64;
            let asked = self.answer.question.number(&SAMPLES).unwrap_or(1);
            let is_so_many = *number == BigUint::from(there)
                && if stop.is_some() { there <= asked } else { there == asked };
            if !is_so_many {
                let what = format!("there are {there} configurations, {number} are stated and");
                return wrong(VALUE, format!("{what} {asked} were asked for"));
            }
        }
        // Asked for by number, or as God's number in the answer.
        let asked = self.answer.question.number(&DISTANCE);
        let exactly = match self.answer.fact_of(DISTANCE_FACT) {
            Some(Datum::Integer(slides)) => slides.to_u64(),
            _ => asked,
        };
        if asked.is_some() && asked != exactly {
            return wrong("facts", "the distance is not the one that was asked for");
        }
        let (Some(goal), false) = (self.goal()?, drawn.is_empty()) else {
            return Ok(unchecked(
                "the goal is not known, so only the form of the configurations was checked",
            ));
        };
        if self.answer.fact_of(LEAST_FACT).is_some() {
            return Ok(unchecked("how far the samples are from the goal is not known exactly"));
        }
        let distances = match self.distances(&goal) {
            // Where all are too many, the way to each sample may be short enough.
            Err(Halt::TooMany) if exactly.is_some() => {
                let mut distances = BTreeMap::new();
                for position in drawn.iter().flat_map(|(positions, _)| positions) {
                    match self.apart(position, &goal) {
                        Ok(Some(slides)) => _ = distances.insert(position.clone(), slides),
                        Ok(None) => {}
                        Err(halt) => return Ok(unchecked(halt.words())),
                    }
                }
                distances
            }
            Err(halt) => return Ok(unchecked(halt.words())),
            Ok(distances) => distances,
        };
        for (positions, moves) in &drawn {
            let ([position], true) = (&positions[..], moves.is_empty()) else {
                return wrong("solutions", "a sample is not one configuration");
            };
            match distances.get(position) {
                None => return wrong("solutions", "the goal cannot be reached from a sample"),
                Some(&there) if exactly.is_some_and(|exactly| exactly != there) => {
                    return wrong("solutions", format!("a sample is {there} slides from the goal"));
                }
                Some(_) => {}
            }
        }
        let mut how = "the goal can be reached from every sample".to_owned();
        if let Some(exactly) = exactly {
            how = format!("every sample is {exactly} slides from the goal");
        }
        let found = Findings::checked(SOLVED, how);
        if self.answer.value.stop().is_some() {
            return Ok(found.but(VALUE, "it was stopped, and why cannot be checked"));
        }
        let found = found.and(VALUE, "so many were asked for");
        // How far apart configurations can be was not measured again.
        let is_god = self.answer.question.text(&DISTANCE) == Some(GOD);
        let read: &[&Opt] = if is_god { &[&SAMPLES] } else { &[&SAMPLES, &DISTANCE] };
        Ok(found.reads(read))
    }
}

/// What is seen of a configuration if only some tiles are told apart: the others are all
/// one kind.
fn seen(tiles: &Tiles, pieces: &[u16]) -> Tiles {
    let kind = |&tile: &u16| if tile == 0 || pieces.contains(&tile) { tile } else { u16::MAX };
    tiles.iter().map(kind).collect()
}

/// Whether two configurations with the same holes differ by an odd permutation.
fn is_odd(a: &Tiles, b: &Tiles) -> bool {
    let place: BTreeMap<u16, usize> = a.iter().copied().zip(0..).filter(|(t, _)| *t != 0).collect();
    let mut met = vec![false; a.len()];
    let mut exchanges = 0;
    for start in 0..a.len() {
        let mut at = start;
        let mut length = 0;
        while !met[at] && b[at] != 0 {
            met[at] = true;
            at = place.get(&b[at]).copied().unwrap_or(at);
            length += 1;
        }
        exchanges += usize::saturating_sub(length, 1);
    }
    exchanges % 2 == 1
}
