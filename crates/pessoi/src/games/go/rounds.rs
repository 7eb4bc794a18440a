//! Counts of positions in rounds: blocks in many places, and the plain sweep.
//!
//! By `matrix`, a place reads the blocks whose numbers are its own modulo the number of places. A
//! round is a half column, [`super::apart`] tells how; what a block has for all blocks of a
//! place is a parcel: the number of the block, and its tiles for them. Each modulus is a pass.

use super::block::{Bench, Benches, Element};
use super::count::POSITIONS;
use super::matrix::{self, Matrix};
use super::methods::{MATRIX, SWEEP};
use super::parts::{self, moduli};
use super::rectangle::{self, Counted};
use super::ring::{Ring, Rings};
use super::sweep::Legal;
use super::{count, options};
use crate::answer::Answer;
use crate::card::Method;
use crate::error::{Code, Error, Result};
use crate::job::{Asked, Halt, InRounds, Takes};
use crate::merge::{Joined, Misfit};
use pessoi_engine::records::Unusable;
use pessoi_engine::rounds::{At, Ended, Rounds, Told};
use pessoi_engine::run::{Run, Stop};
use pessoi_engine::sweep;

/// Bytes of a parcel beside its tiles: the number of the block, a label and checksums.
const A_PARCEL: u64 = 8 * 12;

/// A count by `matrix`.
pub(super) struct Blocks {
    height: usize,
    length: usize,
    matrix: Matrix,
    /// Elements of each tile, after each phase.
    sizes: [Vec<usize>; 2],
    moduli: Vec<u64>,
    /// The modulus that was asked for, if it is that of the only pass.
    single: Option<u64>,
    places: usize,
    benches: Benches<1>,
}

impl Blocks {
    /// A rectangle in so many places, modulo the number that was asked for if there is one.
    pub(super) fn new(
        (height, length): (usize, usize),
        asked: Option<u64>,
        places: usize,
        run: &Run,
    ) -> Result<Self> {
        let blocks = matrix::blocks_apart(height, places as u64);
        let matrix = Matrix::new(height, blocks, run).map_err(|halt| match halt {
            Halt::Stop(stop) => Error::new(Code::Stopped, "rounds", format!("{stop}.")),
            Halt::Error(error) => error,
        })?;
        let moduli = moduli(height, length, asked)?;
        if !moduli.iter().all(|&modulus| Ring::new(modulus).holds(matrix.growth())) {
            return Err(Error::internal("elements grow by more than was foreseen"));
        }
        Ok(Blocks {
            height,
            length,
            sizes: [0, 1].map(|half| matrix.tile_sizes(half)),
            matrix,
            single: asked.filter(|_| moduli.len() == 1),
            moduli,
            places,
            benches: Benches::default(),
        })
    }

    /// The blocks of a phase that a place reads.
    fn own(&self, half: usize, place: usize) -> impl Iterator<Item = usize> + '_ {
        (place..self.matrix.blocks(half)).step_by(self.places)
    }

    /// The tiles that came to a place, by the block of the phase before that they are from.
    fn came(&self, half: usize, at: At, came: Vec<Vec<u64>>) -> Option<Vec<Vec<u64>>> {
        let mut from = vec![Vec::new(); self.matrix.blocks(1 - half)];
        if came.len() != from.len() {
            return None;
        }
        let most = Ring::new(at.modulus).most();
        for mut words in came {
            let block = usize::try_from(words.pop()?).ok()?;
            let size = |own| self.sizes[1 - half][self.matrix.tile(half, own, block)];
            let to = from.get_mut(block).filter(|to| to.is_empty())?;
            let expected: usize = self.own(half, at.place).map(size).sum();
            if words.len() != expected || words.iter().any(|&element| element > most) {
                return None;
            }
            *to = words;
        }
        Some(from)
    }

    /// Puts the tiles of a block into a bench; `begins` says where they are in what came.
    fn load(
        &self,
        half: usize,
        block: usize,
        (came, begins): (&[Vec<u64>], &mut [usize]),
        bench: &mut Bench<1>,
    ) {
        for (from, (words, begin)) in came.iter().zip(begins).enumerate() {
            let size = self.sizes[1 - half][self.matrix.tile(half, block, from)];
            let tile = &words[*begin..*begin + size];
            *begin += size;
            self.matrix.load(half, block, from, tile.as_chunks().0, bench);
        }
    }
}

impl Rounds for Blocks {
    fn identity(&self) -> Vec<u64> {
        let blocks = [0, 1].map(|half| self.matrix.blocks(half) as u64);
        let sizes = self.sizes.iter().flatten().map(|&size| size as u64);
        let all = [self.height as u64, self.length as u64].into_iter().chain(blocks);
        all.chain(sizes).chain(self.moduli.iter().copied()).collect()
    }

    fn rounds(&self) -> usize {
        2 * (self.length - 1) + 1
    }

    fn most_places(&self) -> usize {
        matrix::most_parts(self.height) as usize
    }

    fn next_pass(&self, ended: &[Ended]) -> Option<u64> {
        self.moduli.get(ended.len()).copied()
    }

    fn round(
        &self,
        at: At,
        came: Vec<Vec<u64>>,
        run: &Run,
        send: &mut dyn FnMut(usize, Vec<u64>) -> Result<(), Stop>,
    ) -> Result<Told, Unusable> {
        let is_known = self.moduli.contains(&at.modulus) && at.round < self.rounds();
        if !is_known || at.places != self.places || (at.round == 0 && !came.is_empty()) {
            return Err(Unusable::Damaged);
        }
        let half = Matrix::written_by(at.round as u64);
        let mut claim = run.claim();
        let words: usize = came.iter().map(Vec::len).sum();
        claim.grow_to(8 * words as u64 + self.matrix.beside(1))?;
        let came = if at.round == 0 {
            Vec::new()
        } else {
            self.came(half, at, came).ok_or(Unusable::Damaged)?
        };
        let mut begins = vec![0; came.len()];
        let rings = Rings::new([at.modulus]);
        let is_last = at.round + 1 == self.rounds();
        let mut sum = 0;
        let mut borders = 0;
        for block in self.own(half, at.place) {
            run.check()?;
            let mut bench = self.matrix.fitted(half, block, &self.benches)?;
            if at.round == 0 {
                self.matrix.begin(block, &mut bench);
            } else {
                self.load(half, block, (&came, &mut begins), &mut bench);
                self.matrix.read(half, block, &rings, &mut bench);
            }
            run.tick(self.matrix.elements_of(half, block))?;
            borders += self.matrix.elements_of(half, block);
            if is_last {
                let [more] = self.matrix.legal_of(block, &bench);
                sum += more;
            } else {
                let tiles: Vec<&[Element<1>]> = Matrix::tiles_of(&bench).collect();
                for to in 0..self.places {
                    let own: Vec<&[u64]> =
                        self.own(1 - half, to).map(|other| tiles[other].as_flattened()).collect();
                    send(to, [own.concat(), vec![block as u64]].concat())?;
                }
            }
            self.benches.give(bench);
        }
        let words = if is_last { vec![Ring::new(at.modulus).residue(sum)] } else { Vec::new() };
        // What the first column takes is not worth counting.
        let borders = if at.round == 0 { 0 } else { borders };
        Ok(Told { borders, words })
    }
}

impl InRounds for Blocks {
    fn method(&self) -> &'static Method {
        &MATRIX
    }

    fn work(&self) -> &dyn Rounds {
        self
    }

    /// Blocks are not equal, so neither are the places that read them.
    fn takes(&self) -> Option<Takes> {
        let [mut places, mut layers] = [0; 2];
        for half in [0, 1] {
            let others = self.matrix.blocks(1 - half);
            let tiles = |sizes: &[usize], own| -> usize {
                (0..others).map(|other| sizes[self.matrix.tile(half, own, other)]).sum()
            };
            for place in 0..self.places {
                let own = || self.own(half, place);
                let came: usize = own().map(|own| tiles(&self.sizes[1 - half], own)).sum();
                let sent: usize = own().map(|own| tiles(&self.sizes[half], own)).sum();
                let sent = 8 * sent as u64 + (own().count() * self.places) as u64 * A_PARCEL;
                places = places.max(8 * came as u64 + sent);
                layers += sent;
            }
        }
        let columns = (self.length - 1) as u64;
        Some(Takes {
            place: self.matrix.bytes() + self.matrix.beside(1) + places,
            sent: layers * columns * self.moduli.len() as u64,
        })
    }

    fn conclude(&self, asked: &Asked, ended: &[Ended]) -> Result<Answer> {
        let residues = ended.iter().map(|pass| {
            let ring = Ring::new(pass.modulus);
            let told = pass.told.iter().flatten().map(|&word| u128::from(word));
            (pass.modulus, ring.residue(told.sum()))
        });
        let whole = parts::whole(asked.question, self.single, residues.collect(), asked.run);
        let Joined { value, facts, certificate, notes } = whole.map_err(|misfit| match misfit {
            Misfit::All(error) => error,
            Misfit::Part { why, .. } => Error::internal(why),
        })?;
        let mut answer = asked.answer(&POSITIONS, value, &MATRIX);
        (answer.facts, answer.certificate, answer.notes) = (facts, certificate, notes);
        answer.cost.borders = Some(ended.iter().flat_map(|pass| &pass.borders).sum());
        answer.cost.peak_borders = Some(self.matrix.most_elements());
        Ok(answer)
    }
}

/// A count by `sweep`.
pub(super) struct Swept(pub(super) sweep::InRounds<Legal>);

impl InRounds for Swept {
    fn method(&self) -> &'static Method {
        &SWEEP
    }

    fn work(&self) -> &dyn Rounds {
        &self.0
    }

    fn conclude(&self, asked: &Asked, ended: &[Ended]) -> Result<Answer> {
        let counted =
            self.0.counted(ended).ok_or_else(|| Error::internal("a sweep with passes"))?;
        let board = asked.question.board()?;
        let modulus = asked.question.number(&options::MOD);
        let counted = Counted {
            borders: counted.handled(),
            peak: counted.peak(),
            total: counted.total,
            residues: Vec::new(),
        };
        if let Some((height, length)) = rectangle::sides(board) {
            let checked =
                super::formula::Formula::check_total(height, length, &counted.total, asked.run);
            if let Err(Halt::Error(error)) = checked {
                return Err(error);
            }
        }
        let ternary = asked.question.flag(&options::TERNARY);
        Ok(count::counted(asked, board, &SWEEP, &counted, modulus, ternary))
    }
}
