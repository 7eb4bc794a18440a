//! Rules: what follows from the numbers that are on a board, as people would see it.
//!
//! The words are defined in `reason`. [`Known::next`] gives the easiest step that some rule
//! allows. Each rule is sound: if the known numbers can be completed at all, then only with the
//! number where the rule puts it. The rules together are not complete: where none applies, one
//! has to look ahead (see `suppose`).
//!
//! Reach is the idea of the table that the search has (`reach`), here as sets of bits that are
//! made anew after each step; ways are that of `partial`, without its undoing.

use std::sync::Arc;

use super::reason::{Chain, Contradiction, Reason, Step, Ways};
use super::task::Task;
use crate::board::Cell;

/// Larger boards would need large tables: a bit for each number and cell.
pub(super) const MOST_CELLS: usize = 4096;

const NOBODY: u32 = u32::MAX;

/// The numbers that are on a board.
#[derive(Clone)]
pub(super) struct Known<'t> {
    task: &'t Task,
    /// For each cell the cells one move away, as bits; words of bits for each.
    near: Arc<[u64]>,
    width: usize,
    /// For each number from 1 its cell.
    at: Vec<u32>,
    /// For each cell its number, or 0.
    on: Vec<u32>,
    /// The empty cells.
    empty: Vec<u64>,
    missing: usize,
}

/// What the rules say.
#[derive(Debug)]
pub(super) enum Next {
    /// A number more.
    Step(Step),
    /// The numbers cannot all be right.
    Wrong(Contradiction),
    /// No rule applies, or none is missing.
    Stuck,
}

/// All rules.
pub(super) const ALL: usize = 4;

fn ones(set: &[u64]) -> impl Iterator<Item = u32> {
    (0..).zip(set).flat_map(|(word, &bits)| {
        let mut rest = bits;
        std::iter::from_fn(move || {
            let bit = rest.trailing_zeros();
            rest &= rest.wrapping_sub(1);
            (bit < 64).then_some(word * 64 + bit)
        })
    })
}

fn count(set: &[u64]) -> u32 {
    set.iter().map(|word| word.count_ones()).sum()
}

fn has(set: &[u64], cell: u32) -> bool {
    set[cell as usize / 64] >> (cell % 64) & 1 == 1
}

impl<'t> Known<'t> {
    /// The numbers that a task fixes.
    pub(super) fn new(task: &'t Task) -> Self {
        let n = task.len();
        let width = n.div_ceil(64);
        let mut near = vec![0; n * width];
        for cell in 0..n {
            for &to in task.graph.neighbours(cell as u32) {
                near[cell * width + to as usize / 64] |= 1 << (to % 64);
            }
        }
        let mut empty = vec![0; width];
        for cell in 0..n {
            empty[cell / 64] |= 1 << (cell % 64);
        }
        let (at, on) = (vec![NOBODY; n], vec![0; n]);
        let mut known = Known { task, near: near.into(), width, at, on, empty, missing: n };
        for (number, cell) in task.fixed() {
            known.put(number, cell);
        }
        known
    }

    /// How many numbers are missing.
    pub(super) fn missing(&self) -> usize {
        self.missing
    }

    /// Puts a missing number on an empty cell.
    pub(super) fn put(&mut self, number: u32, cell: u32) {
        self.at[number as usize - 1] = cell;
        self.on[cell as usize] = number;
        self.empty[cell as usize / 64] &= !(1 << (cell % 64));
        self.missing -= 1;
    }

    /// As [`Known::put`], if the cell is on the board.
    pub(super) fn place(&mut self, number: u32, cell: Cell) {
        if let Some(index) = self.task.board.index(cell) {
            self.put(number, index as u32);
        }
    }

    /// All cells in order, if no number is missing.
    pub(super) fn path(&self) -> Option<Vec<u32>> {
        (self.missing == 0).then(|| self.at.clone())
    }

    /// The numbers that are known, with their cells.
    pub(super) fn all(&self) -> impl Iterator<Item = (u32, u32)> {
        (1..).zip(self.at.iter().copied()).filter(|&(_, cell)| cell != NOBODY)
    }

    /// Where a number is.
    pub(super) fn cell(&self, number: u32) -> Option<Cell> {
        self.index(number).map(|index| self.name(index))
    }

    /// The number on a cell.
    pub(super) fn number_at(&self, cell: Cell) -> Option<u32> {
        let index = self.task.board.index(cell)?;
        (self.on[index] > 0).then(|| self.on[index])
    }

    pub(super) fn name(&self, index: u32) -> Cell {
        self.task.board.cell(index as usize)
    }

    fn index(&self, number: u32) -> Option<u32> {
        let cell = *self.at.get(number as usize - 1)?;
        (cell != NOBODY).then_some(cell)
    }

    pub(super) fn is_known(&self, number: u32) -> bool {
        self.index(number).is_some()
    }

    fn is_empty(&self, cell: u32) -> bool {
        self.on[cell as usize] == 0
    }

    fn near(&self, cell: u32) -> &[u64] {
        &self.near[cell as usize * self.width..(cell as usize + 1) * self.width]
    }

    /// The numbers before and after a number.
    pub(super) fn beside_of(&self, number: u32) -> [Option<u32>; 2] {
        let n = self.at.len() as u32;
        let wrap = |number: u32, at_end: bool| match (at_end, self.task.closed) {
            (false, _) => Some(number),
            (true, true) => Some(if number == 0 { n } else { 1 }),
            (true, false) => None,
        };
        [wrap(number - 1, number == 1), wrap(number + 1, number == n)]
    }

    /// The nearest known numbers before and after a number, and how many moves away they are.
    pub(super) fn around(&self, number: u32) -> [Option<(u32, u32)>; 2] {
        [0, 1].map(|side| {
            let mut other = number;
            for far in 1..self.at.len() as u32 {
                other = self.beside_of(other)[side]?;
                if self.is_known(other) {
                    return Some((other, far));
                }
            }
            None
        })
    }

    /// The easiest step that one of the first so many rules allows.
    pub(super) fn next(&self, rules: usize) -> Next {
        if let Some(wrong) = self.not_joined() {
            return Next::Wrong(wrong);
        }
        if self.missing == 0 {
            return Next::Stuck;
        }
        let mut next = self.beside();
        if matches!(next, Next::Stuck) && rules > 1 {
            let table = self.reach();
            next = self.in_reach(&table);
            if matches!(next, Next::Stuck) && rules > 2 {
                next = self.only_number(&table);
            }
            if matches!(next, Next::Stuck) && rules > 3 {
                next = self.ways();
            }
        }
        next
    }

    fn not_joined(&self) -> Option<Contradiction> {
        let apart = |(number, cell): &(u32, u32)| {
            let next = self.beside_of(*number)[1].and_then(|next| self.index(next));
            next.is_some_and(|next| next != *cell && !self.task.graph.joined(*cell, next))
        };
        let (number, _) = self.all().find(apart)?;
        Some(Contradiction::NotJoined { number })
    }

    /// The empty cells beside the known numbers beside a missing one; `None` if there are no
    /// such numbers.
    fn beside_cells(&self, number: u32) -> Option<Vec<u64>> {
        let mut cells: Option<Vec<u64>> = None;
        for other in self.beside_of(number).into_iter().flatten() {
            let Some(there) = self.index(other) else { continue };
            let cells = cells.get_or_insert_with(|| self.empty.clone());
            for (word, near) in cells.iter_mut().zip(self.near(there)) {
                *word &= near;
            }
        }
        cells
    }

    fn is_missing(&self, number: u32) -> bool {
        !self.is_known(number)
    }

    /// All missing numbers.
    pub(super) fn all_missing(&self) -> impl Iterator<Item = u32> {
        (1..=self.at.len() as u32).filter(|&number| self.is_missing(number))
    }

    fn step(&self, number: u32, cell: u32, because: Reason) -> Next {
        Next::Step(Step { number, cell: self.name(cell), because })
    }

    fn beside(&self) -> Next {
        let mut first = None;
        for number in self.all_missing() {
            let Some(cells) = self.beside_cells(number) else { continue };
            match count(&cells) {
                0 => return Next::Wrong(Contradiction::NoCell { number }),
                1 => {
                    // Between two known numbers it is seen best.
                    let known = self.beside_of(number).into_iter().flatten();
                    let sides = known.filter(|&other| self.is_known(other)).count();
                    if sides == 2 || first.is_none() {
                        first = first
                            .filter(|&(_, _, best)| best >= sides)
                            .or_else(|| Some((number, ones(&cells).next()?, sides)));
                    }
                }
                _ => {}
            }
        }
        match first {
            Some((number, cell, _)) => self.step(number, cell, Reason::Beside {}),
            None => Next::Stuck,
        }
    }

    /// For each number from 1 the cells where it is or, if it is missing, those which walks
    /// over empty cells reach in time from both sides.
    pub(super) fn reach(&self) -> Vec<u64> {
        let (n, width) = (self.at.len(), self.width);
        let mut table = vec![0; n * width];
        // A closed tour is read from a known number on, once around.
        let start = if self.task.closed {
            self.at.iter().position(|&cell| cell != NOBODY)
        } else {
            Some(0)
        };
        let mut fill = |order: &mut dyn Iterator<Item = usize>, is_second: bool| {
            let mut before: Option<Vec<u64>> = None;
            for number in order {
                let mut cells = vec![0; width];
                match self.at[number] {
                    NOBODY => match &before {
                        None => cells.copy_from_slice(&self.empty),
                        Some(before) => {
                            for cell in ones(before) {
                                for (word, near) in cells.iter_mut().zip(self.near(cell)) {
                                    *word |= near;
                                }
                            }
                            for (word, empty) in cells.iter_mut().zip(&self.empty) {
                                *word &= empty;
                            }
                        }
                    },
                    cell => cells[cell as usize / 64] |= 1 << (cell % 64),
                }
                let row = &mut table[number * width..(number + 1) * width];
                if is_second {
                    for (word, cells) in row.iter_mut().zip(&cells) {
                        *word &= cells;
                    }
                } else {
                    row.copy_from_slice(&cells);
                }
                before = Some(cells);
            }
        };
        match start {
            Some(start) => {
                fill(&mut (0..n).map(|k| (start + k) % n), false);
                let last = if self.task.closed { start } else { n - 1 };
                fill(&mut (0..n).map(|k| (last + n - k) % n), true);
            }
            None => {
                for number in 0..n {
                    table[number * width..(number + 1) * width].copy_from_slice(&self.empty);
                }
            }
        }
        table
    }

    /// A row of the table.
    pub(super) fn row<'r>(&self, table: &'r [u64], number: u32) -> &'r [u64] {
        let number = number as usize - 1;
        &table[number * self.width..(number + 1) * self.width]
    }

    /// The cells of a row.
    pub(super) fn cells_of(&self, table: &[u64], number: u32) -> Vec<u32> {
        ones(self.row(table, number)).collect()
    }

    /// The missing numbers that can reach a cell.
    pub(super) fn numbers_of(&self, table: &[u64], cell: u32) -> Vec<u32> {
        self.all_missing().filter(|&number| has(self.row(table, number), cell)).collect()
    }

    fn in_reach(&self, table: &[u64]) -> Next {
        let mut best: Option<(u32, u32, u32)> = None;
        for number in self.all_missing() {
            let cells = self.row(table, number);
            match count(cells) {
                0 => return Next::Wrong(Contradiction::NoCell { number }),
                1 => {
                    let far = self.around(number).into_iter().flatten().map(|(_, far)| far).sum();
                    if best.is_none_or(|(least, _, _)| far < least) {
                        best = ones(cells).next().map(|cell| (far, number, cell));
                    }
                }
                _ => {}
            }
        }
        match best {
            Some((_, number, cell)) => self.step(number, cell, Reason::Reach {}),
            None => Next::Stuck,
        }
    }

    fn only_number(&self, table: &[u64]) -> Next {
        const MANY: u32 = u32::MAX;
        // For each cell: no number yet, one, or more.
        let mut found = vec![0; self.on.len()];
        for number in self.all_missing() {
            for cell in ones(self.row(table, number)) {
                let found = &mut found[cell as usize];
                *found = if *found == 0 { number } else { MANY };
            }
        }
        let mut only = Next::Stuck;
        for cell in ones(&self.empty) {
            match found[cell as usize] {
                0 => return Next::Wrong(Contradiction::NoNumber { cell: self.name(cell) }),
                MANY => {}
                number if matches!(only, Next::Stuck) => {
                    only = self.step(number, cell, Reason::OnlyNumber {});
                }
                _ => {}
            }
        }
        only
    }

    fn ways(&self) -> Next {
        let mut web = match Web::new(self) {
            Ok(web) => web,
            Err(cell) => {
                let cell = self.name(cell);
                return Next::Wrong(Contradiction::FewWays { cell, ways: Vec::new() });
            }
        };
        if let Some((number, cell)) = web.end() {
            return self.step(number, cell, Reason::Ways { ways: Vec::new() });
        }
        let mut taken: Vec<(u32, Vec<u32>)> = Vec::new();
        loop {
            let before = taken.len();
            for cell in 0..self.on.len() as u32 {
                match web.look(cell) {
                    Look::Open => {}
                    Look::Few => {
                        return Next::Wrong(self.few(cell, &taken));
                    }
                    Look::Just(to) => {
                        taken.push((cell, to.clone()));
                        if !web.take(cell, &to) {
                            return Next::Wrong(self.few(cell, &taken));
                        }
                        if let Some((number, at)) = web.forced() {
                            let trimmed = self.trimmed(&taken, |web, is_broken| {
                                !is_broken && web.forced_at(at) == Some(number)
                            });
                            return self.step(number, at, Reason::Ways { ways: trimmed });
                        }
                    }
                }
            }
            if taken.len() == before {
                return Next::Stuck;
            }
        }
    }

    fn few(&self, cell: u32, taken: &[(u32, Vec<u32>)]) -> Contradiction {
        let ways =
            self.trimmed(taken, |web, is_broken| is_broken || matches!(web.look(cell), Look::Few));
        // A cell that breaks off is the last that was looked at.
        Contradiction::FewWays { cell: self.name(cell), ways }
    }

    /// Leaves out ways without which the goal is reached too.
    fn trimmed(&self, taken: &[(u32, Vec<u32>)], goal: impl Fn(&Web, bool) -> bool) -> Vec<Ways> {
        let reaches = |kept: &[(u32, Vec<u32>)]| {
            let Ok(mut web) = Web::new(self) else { return false };
            web.follow(kept).is_some_and(|is_broken| goal(&web, is_broken))
        };
        let mut kept = taken.to_vec();
        for k in (0..taken.len()).rev() {
            let mut fewer = kept.clone();
            fewer.remove(k);
            if reaches(&fewer) {
                kept = fewer;
            }
        }
        let name = |(cell, to): (u32, Vec<u32>)| Ways {
            cell: self.name(cell),
            to: to.into_iter().map(|to| self.name(to)).collect(),
        };
        kept.into_iter().map(name).collect()
    }

    fn unnamed(&self, ways: &[Ways]) -> Option<Vec<(u32, Vec<u32>)>> {
        let index = |cell: &Cell| self.task.board.index(*cell).map(|index| index as u32);
        let one = |ways: &Ways| {
            Some((index(&ways.cell)?, ways.to.iter().map(index).collect::<Option<_>>()?))
        };
        ways.iter().map(one).collect()
    }

    /// Whether a step follows by its rule; look-ahead and search are not repeated.
    fn follows(&self, step: &Step) -> bool {
        let Some(cell) = self.task.board.index(step.cell) else { return false };
        let (number, cell) = (step.number, cell as u32);
        if !self.is_missing(number) || !self.is_empty(cell) {
            return false;
        }
        let is_only = |cells: &[u64]| count(cells) == 1 && has(cells, cell);
        match &step.because {
            Reason::Beside {} => self.beside_cells(number).is_some_and(|cells| is_only(&cells)),
            Reason::Reach {} => is_only(self.row(&self.reach(), number)),
            Reason::OnlyNumber {} => self.numbers_of(&self.reach(), cell) == [number],
            Reason::Ways { ways } => {
                let (Ok(mut web), Some(ways)) = (Web::new(self), self.unnamed(ways)) else {
                    return false;
                };
                if ways.is_empty() {
                    return web.end() == Some((number, cell));
                }
                web.follow(&ways) == Some(false) && web.forced_at(cell) == Some(number)
            }
            Reason::Suppose { .. } | Reason::Search {} => false,
        }
    }

    /// Whether a contradiction is one.
    fn is_wrong(&self, end: &Contradiction) -> bool {
        match end {
            Contradiction::NotJoined { number } => {
                self.not_joined() == Some(Contradiction::NotJoined { number: *number })
            }
            Contradiction::NoCell { number } => {
                self.is_missing(*number) && count(self.row(&self.reach(), *number)) == 0
            }
            Contradiction::NoNumber { cell } => {
                let index = self.task.board.index(*cell).map(|index| index as u32);
                index.is_some_and(|cell| {
                    self.is_empty(cell) && self.numbers_of(&self.reach(), cell).is_empty()
                })
            }
            Contradiction::FewWays { cell, ways } => {
                let Some(ways) = self.unnamed(ways) else { return false };
                let Some(cell) = self.task.board.index(*cell) else { return false };
                match Web::new(self) {
                    Err(_) => ways.is_empty(),
                    Ok(mut web) => web.follow(&ways).is_some_and(|is_broken| {
                        is_broken || matches!(web.look(cell as u32), Look::Few)
                    }),
                }
            }
            Contradiction::Nowhere { .. } => false,
        }
    }

    /// Leaves out steps of a chain without which it comes to its end too.
    pub(super) fn shortened(&self, chain: Chain) -> Chain {
        // So many tables at most.
        const MOST: usize = 20_000;
        let cells = self.on.len();
        if chain.steps.len().pow(2) * cells.div_ceil(64) > MOST {
            return chain;
        }
        let holds = |steps: &[Step]| {
            let mut known = self.clone();
            steps.iter().all(|step| {
                let follows = known.follows(step);
                if follows {
                    known.place(step.number, step.cell);
                }
                follows
            }) && known.is_wrong(&chain.end)
        };
        let mut steps = chain.steps.clone();
        for k in (0..steps.len()).rev() {
            let mut fewer = steps.clone();
            fewer.remove(k);
            if holds(&fewer) {
                steps = fewer;
            }
        }
        Chain { steps, end: chain.end }
    }
}

/// What a cell's ways say.
enum Look {
    /// Nothing.
    Open,
    /// There are too few.
    Few,
    /// There are just enough: these.
    Just(Vec<u32>),
}

/// The ways that are taken and those that are left.
struct Web<'k, 't> {
    known: &'k Known<'t>,
    /// How many ways each cell needs, at most.
    need: Vec<usize>,
    /// Whether empty cells need as many and not fewer.
    are_sure: bool,
    /// Cells that must be ends.
    ends: Vec<u32>,
    taken: Vec<Vec<u32>>,
    /// For each cell the first of its part, where known neighbours and taken ways join.
    part: Vec<u32>,
}

impl<'k, 't> Web<'k, 't> {
    /// The ways of all cells; a cell with too few of them is an error.
    fn new(known: &'k Known<'t>) -> Result<Self, u32> {
        let n = known.on.len();
        let mut need = vec![2; n];
        for (number, cell) in known.all() {
            let beside = known.beside_of(number).into_iter().flatten();
            need[cell as usize] = beside.filter(|&other| known.is_missing(other)).count();
        }
        let mut web = Web {
            known,
            need,
            are_sure: true,
            ends: Vec::new(),
            taken: vec![Vec::new(); n],
            part: (0..n as u32).collect(),
        };
        for (number, cell) in known.all() {
            if let Some(next) = known.beside_of(number)[1].and_then(|next| known.index(next)) {
                web.join(cell, next);
            }
        }
        // Empty cells with one way are ends, and there are so many ends at most.
        let last = n as u32;
        let free = [1, last].into_iter().filter(|&end| known.is_missing(end)).count();
        let free = if known.task.closed || n < 2 { 0 } else { free };
        if n < 2 {
            return Ok(web);
        }
        for cell in (0..last).filter(|&cell| known.is_empty(cell)) {
            match web.ways(cell).len() {
                0 => return Err(cell),
                1 if web.ends.len() == free => return Err(cell),
                1 => web.ends.push(cell),
                _ => {}
            }
        }
        web.are_sure = web.ends.len() == free;
        if web.are_sure {
            for &cell in &web.ends {
                web.need[cell as usize] = 1;
            }
        }
        Ok(web)
    }

    /// The missing end and its cell, if there is one of each.
    fn end(&self) -> Option<(u32, u32)> {
        let known = self.known;
        let last = known.at.len() as u32;
        let mut missing = [1, last].into_iter().filter(|&end| known.is_missing(end));
        match (&self.ends[..], missing.next(), missing.next()) {
            ([cell], Some(end), None) if !known.task.closed => Some((end, *cell)),
            _ => None,
        }
    }

    fn part(&self, mut cell: u32) -> u32 {
        while self.part[cell as usize] != cell {
            cell = self.part[cell as usize];
        }
        cell
    }

    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.part(a), self.part(b));
        self.part[a.max(b) as usize] = a.min(b);
    }

    /// Whether a way can still be taken.
    fn is_open(&self, a: u32, b: u32) -> bool {
        let has_need = |cell: u32| self.taken[cell as usize].len() < self.need[cell as usize];
        let is_empty = |cell| self.known.is_empty(cell);
        if !(is_empty(a) || is_empty(b)) || !has_need(a) || !has_need(b) {
            return false;
        }
        if self.taken[a as usize].contains(&b) {
            return false;
        }
        let (first, second) = (self.part(a), self.part(b));
        if first != second {
            return true;
        }
        // A loop, which only the last way of a closed tour makes.
        let all = 0..self.part.len() as u32;
        self.known.task.closed && all.into_iter().all(|cell| self.part(cell) == first)
    }

    /// The ways that are taken, and those that can be.
    fn ways(&self, cell: u32) -> Vec<u32> {
        let near = self.known.task.graph.neighbours(cell).iter().copied();
        let is_way = |to: &u32| self.taken[cell as usize].contains(to) || self.is_open(cell, *to);
        near.filter(is_way).collect()
    }

    fn look(&self, cell: u32) -> Look {
        let need = self.need[cell as usize];
        if self.known.is_empty(cell) && !self.are_sure || self.taken[cell as usize].len() == need {
            return Look::Open;
        }
        let ways = self.ways(cell);
        match ways.len().cmp(&need) {
            std::cmp::Ordering::Less => Look::Few,
            std::cmp::Ordering::Equal => Look::Just(ways),
            std::cmp::Ordering::Greater => Look::Open,
        }
    }

    /// Takes all ways of a cell; says whether that was possible.
    fn take(&mut self, cell: u32, to: &[u32]) -> bool {
        for &to in to {
            if self.taken[cell as usize].contains(&to) {
                continue;
            }
            if !self.is_open(cell, to) {
                return false;
            }
            self.taken[cell as usize].push(to);
            self.taken[to as usize].push(cell);
            self.join(cell, to);
        }
        true
    }

    /// Takes the ways of one cell after the other. Says whether they broke off; `None` if a
    /// cell has other ways than these.
    fn follow(&mut self, ways: &[(u32, Vec<u32>)]) -> Option<bool> {
        for (k, (cell, to)) in ways.iter().enumerate() {
            match self.look(*cell) {
                Look::Just(just) if just == *to => {}
                _ => return None,
            }
            if !self.take(*cell, to) {
                return (k + 1 == ways.len()).then_some(true);
            }
        }
        Some(false)
    }

    /// The number that a taken way puts on an empty cell.
    fn forced_at(&self, cell: u32) -> Option<u32> {
        let known = self.known;
        if !known.is_empty(cell) {
            return None;
        }
        self.taken[cell as usize].iter().find_map(|&to| {
            let number = known.on[to as usize];
            if number == 0 || self.need[to as usize] != 1 {
                return None;
            }
            known.beside_of(number).into_iter().flatten().find(|&other| known.is_missing(other))
        })
    }

    /// A number that a taken way puts on an empty cell.
    fn forced(&self) -> Option<(u32, u32)> {
        let cells = 0..self.taken.len() as u32;
        cells.into_iter().find_map(|cell| Some((self.forced_at(cell)?, cell)))
    }
}
