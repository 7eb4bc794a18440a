//! The checker. It shares no code with the rest: it has its own rule, its own reading of
//! configurations, and plain searches over sorted sets.

use std::collections::{BTreeMap, BTreeSet};

use num_bigint::BigUint;
use pessoi_engine::run::{Run, Stop};

use crate::answer::{Answer, Figure, Value};
use crate::board::{Board, Cell, Lattice};
use crate::certificate::{Certificate, Verdict};
use crate::error::{Error, Result};
use crate::question::{Place, Verb};

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
            Halt::Stop(stop) => format!("repeating the search was cut short: {stop}"),
            Halt::TooMany => format!("repeating the search would take more than {MOST} states"),
        }
    }
}

fn wrong<T>(what: impl std::fmt::Display) -> Result<T> {
    Err(Error::input(format!("The answer does not hold: {what}.")))
}

/// Checks an answer.
pub(super) fn check(answer: &Answer, lattice: Lattice, run: &Run) -> Result<Verdict> {
    let Place::Board(drawing) = &answer.question.place else {
        return wrong("sliding puzzles need a board");
    };
    if drawing.board.lattice() != lattice {
        return wrong("the board is of the other lattice");
    }
    let checker = Checker::new(answer, &drawing.board, lattice, run);
    match (&answer.value, answer.question.verb) {
        (Value::GaveUp { .. }, _) => Ok(Verdict::Unchecked("there is nothing to check".into())),
        (Value::None { .. }, Verb::Find) => checker.check_none(),
        (Value::None { .. }, _) => checker.check_nothing(),
        (_, Verb::Find) => checker.check_solution(),
        (Value::Exact { number }, Verb::Explore) => checker.check_god(number),
        (Value::Exact { number }, Verb::Count) => checker.check_components(number),
        (_, Verb::Sample) => checker.check_samples(),
        _ => Ok(Verdict::Unchecked("this answer carries no certificate".into())),
    }
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

    /// Reads a configuration: numbers and dots in the order of the cells.
    fn read(&self, text: &str) -> Result<Tiles> {
        let words = text.split(|c: char| c.is_whitespace() || "/,".contains(c));
        let words = words.filter(|word| !matches!(*word, "" | "#" | "hex" | "square"));
        let mut tiles = Tiles::new();
        for word in words {
            match word {
                "." | "_" => tiles.push(0),
                number => match number.parse() {
                    Ok(tile) => tiles.push(tile),
                    Err(_) => return wrong(format!("{number:?} is no tile")),
                },
            }
        }
        let mut sorted: Tiles = tiles.iter().copied().filter(|&tile| tile != 0).collect();
        sorted.sort_unstable();
        let numbered = (1..).zip(&sorted).all(|(k, &tile)| k == tile);
        if tiles.len() != self.cells.len() || !numbered || sorted.is_empty() {
            return wrong(
                "a configuration has not each of its tiles once on the cells of the board",
            );
        }
        Ok(tiles)
    }

    /// A configuration that the question tells.
    fn told(&self, name: &str) -> Result<Option<Tiles>> {
        self.answer.question.text(name).map(|text| self.read(text)).transpose()
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

    fn positions(&self) -> Result<Vec<Vec<Tiles>>> {
        let read = |figure: &Figure| match figure {
            Figure::Positions { drawings, .. } => {
                drawings.iter().map(|drawing| self.read(drawing)).collect()
            }
            Figure::Path { .. } => wrong("a path is no solution of a sliding puzzle"),
        };
        self.answer.solutions.iter().map(|solution| read(&solution.figure)).collect()
    }

    fn check_solution(&self) -> Result<Verdict> {
        let found = self.positions()?;
        let [way] = &found[..] else { return wrong("there is not one solution") };
        let (Some(first), Some(last)) = (way.first(), way.last()) else {
            return wrong("the solution is empty");
        };
        if self.told("from")?.is_some_and(|from| from != *first) {
            return wrong("the solution does not begin at the start");
        }
        if self.told("to")?.is_some_and(|to| to != *last) {
            return wrong("the solution does not end at the goal");
        }
        for (number, pair) in (1..).zip(way.windows(2)) {
            let number: usize = number;
            if !self.slides(&pair[0]).contains(&pair[1]) {
                return wrong(format!("step {number} is no slide"));
            }
        }
        let slides = way.len() as u64 - 1;
        let holds =
            format!("every one of the {slides} steps is a slide, from the start to the goal");
        let Value::Exact { number } = &self.answer.value else {
            return Ok(Verdict::Holds(vec![holds]));
        };
        if *number != BigUint::from(slides) {
            return wrong(format!("the solution has {slides} slides, not {number}"));
        }
        match self.apart(first, last) {
            Ok(least) if least == Some(slides) => {
                Ok(Verdict::Holds(vec![holds, "no solution is shorter".into()]))
            }
            Ok(_) => wrong("there is a shorter solution"),
            Err(halt) => Ok(Verdict::Unchecked(format!(
                "{holds}; but whether a shorter one exists was not seen, because {}",
                halt.words()
            ))),
        }
    }

    fn ends(&self) -> Result<Option<(Tiles, Tiles)>> {
        Ok(self.told("from")?.zip(self.told("to")?))
    }

    fn check_none(&self) -> Result<Verdict> {
        let Some((from, to)) = self.ends()? else {
            return Ok(Verdict::Unchecked(
                "the proof can be checked only if both --from and --to were told".into(),
            ));
        };
        let unchecked = |halt: &Halt| Ok(Verdict::Unchecked(halt.words()));
        let holds = |what: &str| Ok(Verdict::Holds(vec![what.to_owned()]));
        match &self.answer.certificate {
            Some(Certificate::HolesApart) => match self.reach(&from, &[]) {
                Err(halt) => unchecked(&halt),
                Ok(met) if met.contains(&seen(&to, &[])) => wrong("the holes can get there"),
                Ok(_) => holds("the holes never get where they should be"),
            },
            Some(Certificate::StuckPieces { pieces }) => {
                let pieces: Vec<u16> = pieces.iter().map(|&piece| piece as u16).collect();
                match self.reach(&from, &pieces) {
                    Err(halt) => unchecked(&halt),
                    Ok(met) if met.contains(&seen(&to, &pieces)) => {
                        wrong("the named tiles can get to their places")
                    }
                    Ok(_) => holds("the named tiles never all get to their places"),
                }
            }
            Some(Certificate::OddPermutation) => match self.parities(&from, &to)? {
                Err(halt) => unchecked(&halt),
                Ok(()) => holds(
                    "every closed way of the holes permutes the tiles evenly, and the goal is odd",
                ),
            },
            _ => match self.distances(&from) {
                Err(halt) => unchecked(&halt),
                Ok(met) if met.contains_key(&to) => wrong("there is a solution"),
                Ok(_) => holds("everything that can be reached was reached again"),
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
                        return wrong("an odd permutation of the tiles can be reached");
                    }
                    Some(_) => {}
                }
            }
        }
        match first.get(&seen(to, &[])) {
            Some(known) if is_odd(known, to) => Ok(Ok(())),
            Some(_) => wrong("the goal is an even permutation"),
            None => wrong("the holes cannot get there at all"),
        }
    }

    fn check_god(&self, number: &BigUint) -> Result<Verdict> {
        let Some(Certificate::FarthestPositions { from, to }) = &self.answer.certificate else {
            return Ok(Verdict::Unchecked("this answer carries no certificate".into()));
        };
        let (from, to) = (self.read(from)?, self.read(to)?);
        let unchecked =
            |what: String, halt: &Halt| Ok(Verdict::Unchecked(format!("{what}{}", halt.words())));
        match self.apart(&from, &to) {
            Ok(least) if least.map(BigUint::from).as_ref() == Some(number) => {}
            Ok(_) => return wrong(format!("the two configurations are not {number} slides apart")),
            Err(halt) => {
                let what = "neither how far the two configurations are apart nor whether others \
                            are farther was seen, because ";
                return unchecked(what.to_owned(), &halt);
            }
        }
        let apart = format!("the two configurations are {number} slides apart");
        let others = format!("{apart}; but whether others are farther was not seen, because ");
        let distances = match self.distances(&from) {
            Ok(distances) => distances,
            Err(halt) => return unchecked(others, &halt),
        };
        // One configuration for each set of holes: renaming tiles changes no distance.
        let mut starts: BTreeMap<Tiles, &Tiles> = BTreeMap::new();
        for tiles in distances.keys() {
            starts.entry(seen(tiles, &[])).or_insert(tiles);
        }
        if starts.len().saturating_mul(distances.len()) > WORK {
            return unchecked(others, &Halt::TooMany);
        }
        for start in starts.values() {
            match self.distances(start) {
                Err(halt) => return unchecked(others, &halt),
                Ok(distances) => {
                    let most = distances.values().copied().max().unwrap_or(0);
                    if BigUint::from(most) > *number {
                        return wrong(format!("some configurations are {most} slides apart"));
                    }
                }
            }
        }
        Ok(Verdict::Holds(vec![apart, "no two configurations are farther apart".into()]))
    }

    /// The number of holes, if it was told.
    fn holes(&self) -> Option<usize> {
        match self.answer.question.text("holes") {
            None if self.lattice == Lattice::Hex => Some(2),
            None => Some(1),
            Some(text) => text.parse().ok(),
        }
    }

    /// That no tile can slide, whichever cells are holes. A slide needs no more than two of
    /// them, and others are not in its way as long as there is a tile.
    fn check_nothing(&self) -> Result<Verdict> {
        let cells = self.cells.len();
        let asks_distance = self.answer.question.text("distance").is_some();
        let Some(holes) = self.holes().filter(|&holes| holes < cells && !asks_distance) else {
            return Ok(Verdict::Unchecked("this proof is not one that can be checked".into()));
        };
        for a in 0..cells {
            for b in a..cells {
                let mut tiles = vec![1; cells];
                (tiles[a], tiles[b]) = (0, 0);
                let fits = (a != b && holes >= 2) || (a == b && holes >= 1);
                if fits && !self.slides(&tiles).is_empty() {
                    return wrong("a tile can slide");
                }
            }
        }
        Ok(Verdict::Holds(vec!["no tile can slide, whichever cells are holes".into()]))
    }

    fn check_components(&self, number: &BigUint) -> Result<Verdict> {
        let Some(holes) = self.holes() else {
            return Ok(Verdict::Unchecked("the number of holes was not told".into()));
        };
        let cells = self.cells.len();
        let all = (holes.min(cells)..cells).try_fold(1usize, |all, k| all.checked_mul(k + 1));
        if all.is_none_or(|all| all > MOST / 4) {
            return Ok(Verdict::Unchecked(Halt::TooMany.words()));
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
                return Ok(Verdict::Unchecked(Halt::Stop(stop).words()));
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
            return wrong(format!("there are {components} components, not {number}"));
        }
        Ok(Verdict::Holds(vec!["visiting all configurations finds as many components".into()]))
    }

    fn check_samples(&self) -> Result<Verdict> {
        let drawn = self.positions()?;
        let exactly: Option<u64> =
            self.answer.question.text("distance").and_then(|text| text.parse().ok());
        let goals = drawn.iter().filter_map(|positions| positions.get(1).cloned());
        let goal = self.told("to")?.or_else(|| goals.into_iter().next());
        let (Some(goal), false) = (goal, drawn.is_empty()) else {
            return Ok(Verdict::Unchecked(
                "the goal was not told, so only the form of the configurations was looked at"
                    .into(),
            ));
        };
        match self.distances(&goal) {
            Err(halt) => Ok(Verdict::Unchecked(halt.words())),
            Ok(distances) => {
                for positions in &drawn {
                    let distance = positions.first().and_then(|tiles| distances.get(tiles));
                    match distance {
                        None => return wrong("the goal cannot be reached from a sample"),
                        Some(&there) if exactly.is_some_and(|exactly| exactly != there) => {
                            return wrong(format!("a sample is {there} slides from the goal"));
                        }
                        Some(_) => {}
                    }
                }
                let mut checked = vec!["the goal can be reached from every sample".to_owned()];
                if let Some(exactly) = exactly {
                    checked.push(format!("every sample is {exactly} slides from the goal"));
                }
                Ok(Verdict::Holds(checked))
            }
        }
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
