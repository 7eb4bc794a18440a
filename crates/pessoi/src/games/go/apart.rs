//! A pass in parts over blocks: several machines read one board, and hand each other their tiles
//! through a folder that all of them see ([`pessoi_engine::share`]).
//!
//! Blocks of a phase are dealt out: part i of m reads the blocks number i, i+m, i+2m … A block
//! needs one tile of every block of the phase before it ([`super::switch`]), whoever has read
//! that, and makes one for every block of the next phase. What a block has for all blocks of one
//! part is a **parcel**: a file with a record for each tile. So in a phase there are not as many
//! files as tiles (blocks × blocks), only blocks × parts; its receiver is one part, which reads
//! every tile once, for the block that it belongs to. This is the `MapReduce`
//! formulation of Tromp and Farnebäck, whose mappers and reducers are the halves of a column.
//!
//! A part goes from phase to phase. It *waits* until the parcels of all blocks of the phase before
//! are there; reads its own blocks, and sends parcels for each; writes into its *logbook* that
//! the phase is done; and removes the parcels that it has read. After the last column a block
//! gives its share of the number of legal positions, and the part adds up those of its blocks.
//!
//! **Killed at any moment**, a part that is started again goes on in the phase that its logbook
//! says, and reads again only blocks that have not sent all their parcels. What it needs is still
//! there: parcels are removed when the logbook is on disk, and that is written when all that was
//! sent is. A parcel that is sent twice is the same parcel. No part gets further ahead than two
//! phases, so at most three copies of the layer lie in the folder, and mostly between one and two.
//!
//! **What the parts must agree on** depends on the question and the number of parts alone, never
//! on the memory or the threads of a machine: moduli, blocks, and which part has which. It is in
//! the label of every parcel and in every logbook, with the version of the program. What lies in
//! the folder and says otherwise is refused, and so are changed and shortened files. If a parcel
//! is gone that its sender's logbook says was sent, nobody waits for it forever.

use rayon::prelude::*;

use super::block::{Bench, Benches, Element};
use super::matrix::{self, Matrix};
use super::parts::Divided;
use super::rectangle::{Found, plural};
use super::ring::{Ring, Rings};
use crate::error::{Code, Error, one_line};
use crate::job::{Halt, Work};
use pessoi_engine::records::{Unusable, Words};
use pessoi_engine::run::Run;
use pessoi_engine::search::Part;
use pessoi_engine::share::{Label, Logbook, Share};

/// How often a part looks for a parcel that was sent before it takes it for lost: some minutes, so
/// that a network that shows new files late is not taken for one that lost them.
const LOOKS: u32 = 200;

/// How far a part has come.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Progress {
    /// What its blocks add up to, modulo the first moduli.
    sums: Vec<u64>,
    /// Phases that are done for the next modulus; the first column is one.
    phases: u64,
}

impl Words for Progress {
    fn put(&self, words: &mut Vec<u64>) {
        self.sums.put(words);
        self.phases.put(words);
    }

    fn take(words: &mut &[u64]) -> Option<Self> {
        Some(Progress { sums: Words::take(words)?, phases: Words::take(words)? })
    }
}

impl Progress {
    /// Passes and phases that are done.
    fn done(&self) -> (u64, u64) {
        (self.sums.len() as u64, self.phases)
    }
}

/// A parcel: what a block has for a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Sent {
    pass: u64,
    phase: u64,
    block: usize,
    to: u64,
}

impl Sent {
    fn name(self) -> String {
        let Sent { pass, phase, block, to } = self;
        format!("{}-{phase}-{}-{to}.tiles", pass + 1, block + 1)
    }

    fn of_name(name: &str) -> Option<Sent> {
        let numbers = name.strip_suffix(".tiles")?.split('-').map(|number| number.parse().ok());
        let numbers: Vec<u64> = numbers.collect::<Option<_>>()?;
        let [pass, phase, block, to] = numbers[..] else { return None };
        let block = usize::try_from(block.checked_sub(1)?).ok()?;
        Some(Sent { pass: pass.checked_sub(1)?, phase, block, to })
    }
}

/// A part, and what it reads.
struct Apart<'a> {
    matrix: &'a Matrix,
    share: &'a Share,
    part: Part,
    moduli: Vec<u64>,
    /// Half columns after the first column.
    phases: u64,
    /// Elements of each tile, after each phase.
    sizes: [Vec<usize>; 2],
    benches: Benches<1>,
    about: String,
}

/// Counts what the blocks of a part add up to. `words` are those of the whole question.
pub(super) fn counted(
    (height, length): (usize, usize),
    divided: &Divided,
    words: &str,
    share: &Share,
    run: &Run,
) -> Work<Found> {
    run.stage(format!("laying out the borders of height {height}"), 0);
    let parts = divided.part.of();
    let matrix = Matrix::new(height, matrix::blocks_apart(height, parts), run)?;
    let moduli = divided.own();
    if !moduli.iter().all(|&modulus| Ring::new(modulus).holds(matrix.growth())) {
        return Err(Error::internal("elements grow by more than was foreseen").into());
    }
    let [upper, lower] = [0, 1].map(|half| matrix.blocks(half));
    let version = env!("CARGO_PKG_VERSION");
    let apart = Apart {
        matrix: &matrix,
        share,
        part: divided.part,
        moduli,
        phases: 2 * (length as u64 - 1),
        sizes: [0, 1].map(|half| matrix.tile_sizes(half)),
        benches: Benches::default(),
        about: format!(
            "{words} in {parts} parts over {upper} and {lower} blocks, version {version}"
        ),
    };
    let sums = apart.count(run)?;
    let elements = |half| apart.own(half).map(|block| matrix.elements_of(half, block)).sum::<u64>();
    let a_column: u64 = [0, 1].map(elements).into_iter().sum();
    Ok(Found {
        borders: a_column * (length as u64 - 1) * sums.len() as u64,
        peak: matrix.most_elements(),
        residues: apart.moduli.iter().copied().zip(sums).collect(),
    })
}

/// The name of a part's logbook.
fn logbook(part: u64, of: u64) -> String {
    format!("part-{part}-of-{of}")
}

impl Apart<'_> {
    /// A file in the folder that cannot be used.
    fn unusable(&self, name: &str, why: &Unusable) -> Halt {
        let code = match why {
            Unusable::Stop(stop) => return stop.clone().into(),
            Unusable::Unread(_) => Code::Io,
            _ => Code::BadValue,
        };
        let shown = self.share.folder().join(name).display().to_string();
        let why = why.to_string();
        let sentence = format!("The file {shown:?} {}. It was left as it is.", one_line(&why));
        Error::new(code, "share", sentence).into()
    }

    /// The blocks of a phase that this part reads.
    fn own(&self, half: usize) -> impl Iterator<Item = usize> + '_ {
        (0..self.matrix.blocks(half)).filter(|&block| self.part.contains(block as u64))
    }

    /// The part that reads a block.
    fn owner(&self, block: usize) -> u64 {
        block as u64 % self.part.of() + 1
    }

    fn label(&self, sent: Sent) -> Label {
        let modulus = self.moduli[sent.pass as usize];
        let numbers = vec![modulus, sent.pass, sent.phase, sent.block as u64, sent.to];
        Label { about: self.about.clone(), numbers }
    }

    /// Makes all passes, from where the part has come to.
    fn count(&self, run: &Run) -> Work<Vec<u64>> {
        let log = self.hold()?;
        self.look_at_others()?;
        let mut at = self.begun(&log)?;
        self.clear_away(&at)?;
        let threads = run.budget().threads;
        let largest = self.sizes.iter().flatten().max().copied().unwrap_or(0) as u64;
        let mut claim = run.claim();
        claim.grow_to(self.matrix.beside(threads) + 8 * largest * threads as u64)?;
        // What was sent before a kill is there.
        let mut is_begun = true;
        self.show(&at, run);
        while let Some(&modulus) = self.moduli.get(at.sums.len()) {
            let ring = Ring::new(modulus);
            self.wait(&at, run)?;
            let sum = self.phase(&at, ring, is_begun, run)?;
            is_begun = false;
            // Also here a part may be stopped: all is sent, and the logbook does not say so.
            run.check()?;
            let read = at.clone();
            if at.phases == self.phases {
                at.sums.push(ring.residue(sum));
                at.phases = 0;
            } else {
                at.phases += 1;
            }
            log.save(&at)?;
            self.remove_read(&read)?;
            run.step(1);
        }
        self.clear_away(&at)?;
        Ok(at.sums)
    }

    /// Shows how far the part has come.
    fn show(&self, at: &Progress, run: &Run) {
        let (moduli, passes) = (self.moduli.len(), self.phases + 1);
        let what = plural(moduli, "modulus", "moduli");
        run.stage(format!("reading half columns for {moduli} {what}"), moduli as u64 * passes);
        run.step(at.sums.len() as u64 * passes + at.phases);
    }

    /// Holds the logbook, so that no other run is this part.
    fn hold(&self) -> Work<Logbook> {
        let name = logbook(self.part.index(), self.part.of());
        self.share.logbook(&name, self.about.clone()).map_err(|error| {
            let folder = self.share.folder().display().to_string();
            let sentence = if error.kind() == std::io::ErrorKind::ResourceBusy {
                format!("Another run is counting part {} in the folder {folder:?}.", self.part)
            } else {
                format!("The folder {folder:?} cannot be used: {error}.")
            };
            Error::new(Code::BadValue, "share", sentence).into()
        })
    }

    /// Refuses a folder where other parts count something else.
    fn look_at_others(&self) -> Work<()> {
        let names = self.share.names().map_err(|error| {
            let folder = self.share.folder().display().to_string();
            Error::new(Code::Io, "share", format!("{folder:?} cannot be read: {error}."))
        })?;
        // Saved answers may lie here too, under any names.
        let is_logbook = |name: &&String| {
            let numbers = name.strip_prefix("part-").and_then(|rest| rest.split_once("-of-"));
            numbers
                .is_some_and(|(part, of)| part.parse::<u64>().is_ok() && of.parse::<u64>().is_ok())
        };
        for name in names.iter().filter(is_logbook) {
            let log = self.share.look_into::<Progress>(name, &self.about);
            log.map_err(|why| self.unusable(name, &why))?;
        }
        Ok(())
    }

    /// How far the part has come, which may be nowhere.
    fn begun(&self, log: &Logbook) -> Work<Progress> {
        let name = logbook(self.part.index(), self.part.of());
        let found: Option<Progress> = log.load().map_err(|why| self.unusable(&name, &why))?;
        let Some(at) = found else {
            log.save(&Progress::default())?;
            return Ok(Progress::default());
        };
        let is_residue = |(&sum, &modulus): (&u64, &u64)| modulus == 0 || sum < modulus;
        let is_right = at.sums.iter().zip(&self.moduli).all(is_residue)
            && at.sums.len() <= self.moduli.len()
            && at.phases <= self.phases
            && (at.sums.len() < self.moduli.len() || at.phases == 0);
        if is_right { Ok(at) } else { Err(self.unusable(&name, &Unusable::Damaged)) }
    }

    /// Removes parcels for this part that it has read already: it may have been killed before.
    fn clear_away(&self, at: &Progress) -> Work<()> {
        for name in self.share.names().unwrap_or_default() {
            let is_read = |sent: Sent| {
                sent.to == self.part.index() && (sent.pass, sent.phase + 1) < at.done()
            };
            if Sent::of_name(&name).is_some_and(is_read) {
                self.share.remove(&name)?;
            }
        }
        Ok(())
    }

    /// Removes the parcels that the next phase is read from.
    fn remove_read(&self, at: &Progress) -> Work<()> {
        for sent in self.needed(at) {
            self.share.remove(&sent.name())?;
        }
        Ok(())
    }

    /// The parcels that the next phase is read from: none for the first column.
    fn needed(&self, at: &Progress) -> Vec<Sent> {
        let Some(phase) = at.phases.checked_sub(1) else { return Vec::new() };
        let (pass, to) = (at.sums.len() as u64, self.part.index());
        let blocks = 0..self.matrix.blocks(Matrix::written_by(phase));
        blocks.map(|block| Sent { pass, phase, block, to }).collect()
    }

    /// Waits until all parcels are there that the next phase is read from.
    fn wait(&self, at: &Progress, run: &Run) -> Work<()> {
        let mut missing = self.needed(at);
        let (mut shown, mut late) = (None, 0);
        let waited = self.share.wait(run, || -> Work<bool> {
            missing.retain(|sent| !self.share.holds(&sent.name()));
            let Some(&first) = missing.first() else { return Ok(true) };
            let owner = self.owner(first.block);
            if shown.replace(owner) != Some(owner) {
                let (of, pass, passes) = (self.part.of(), first.pass + 1, self.moduli.len());
                run.stage(
                    format!(
                        "waiting for part {owner}/{of}: modulus {pass} of {passes}, half column {} \
                         of {}",
                        first.phase, self.phases
                    ),
                    0,
                );
            }
            let name = logbook(owner, self.part.of());
            let log = self.share.look_into::<Progress>(&name, &self.about);
            let there = log.map_err(|why| self.unusable(&name, &why))?;
            let is_sent = there.is_some_and(|there| (first.pass, first.phase) < there.done());
            late = if is_sent && !self.share.holds(&first.name()) { late + 1 } else { 0 };
            if late > LOOKS {
                let shown = self.share.folder().join(first.name()).display().to_string();
                let sentence = format!(
                    "The file {shown:?} is not there, and part {owner} has written it: begin all \
                     parts anew in an empty folder."
                );
                return Err(Error::new(Code::BadValue, "share", sentence).into());
            }
            Ok(false)
        });
        if let (Err(Halt::Stop(_)), Some(owner)) = (&waited, shown) {
            run.warn(format!("It was waiting for part {owner}/{}.", self.part.of()));
        }
        waited?;
        if shown.is_some() {
            self.show(at, run);
        }
        Ok(())
    }

    /// Reads the next phase of all own blocks; what they add up to, if it is the last.
    fn phase(&self, at: &Progress, ring: Ring, is_begun: bool, run: &Run) -> Work<u128> {
        let half = Matrix::written_by(at.phases);
        let own: Vec<usize> = self.own(half).collect();
        let is_last = at.phases == self.phases;
        let rings = Rings::new([self.moduli[at.sums.len()]]);
        let read = |&block: &usize| -> Work<u128> {
            run.check()?;
            if is_begun && !is_last && self.has_sent(at, block)? {
                return Ok(0);
            }
            let mut bench = self.matrix.fitted(half, block, &self.benches)?;
            if at.phases == 0 {
                self.matrix.begin(block, &mut bench);
            } else {
                self.fetch(at, half, block, ring, &mut bench)?;
                self.matrix.read(half, block, &rings, &mut bench);
            }
            run.tick(self.matrix.elements_of(half, block))?;
            let [sum] = if is_last {
                self.matrix.legal_of(block, &bench)
            } else {
                self.send(at, block, &bench)?;
                [0]
            };
            self.benches.give(bench);
            Ok(sum)
        };
        if run.budget().threads == 1 || self.matrix.is_small() {
            return own.iter().map(read).sum();
        }
        run.parallel(|| own.par_iter().map(read).try_reduce(|| 0, |a, b| Ok(a + b)))
    }

    /// The parcels of a block.
    fn parcels(&self, at: &Progress, block: usize) -> impl Iterator<Item = Sent> {
        let (pass, phase) = at.done();
        (1..=self.part.of()).map(move |to| Sent { pass, phase, block, to })
    }

    /// Whether a block has sent all its parcels.
    fn has_sent(&self, at: &Progress, block: usize) -> Work<bool> {
        for sent in self.parcels(at, block) {
            let name = sent.name();
            let there = self.share.open_parcel(&name, &self.label(sent));
            if there.map_err(|why| self.unusable(&name, &why))?.is_none() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Sends what a block has to all parts.
    fn send(&self, at: &Progress, block: usize, bench: &Bench<1>) -> Work<()> {
        let tiles: Vec<&[Element<1>]> = Matrix::tiles_of(bench).collect();
        for sent in self.parcels(at, block) {
            let own = tiles.iter().enumerate().filter(|&(other, _)| self.owner(other) == sent.to);
            let own: Vec<&[u64]> = own.map(|(_, tile)| tile.as_flattened()).collect();
            self.share.send(&sent.name(), &self.label(sent), &own)?;
        }
        Ok(())
    }

    /// Fetches the tiles of a block.
    fn fetch(
        &self,
        at: &Progress,
        half: usize,
        block: usize,
        ring: Ring,
        bench: &mut Bench<1>,
    ) -> Work<()> {
        let most = ring.most();
        for sent in self.needed(at) {
            let name = sent.name();
            let refuse = |why: &Unusable| self.unusable(&name, why);
            let size = |own: usize| self.sizes[1 - half][self.matrix.tile(half, own, sent.block)];
            let before: Vec<usize> =
                self.own(half).take_while(|&own| own < block).map(size).collect();
            let parcel = self.share.open_parcel(&name, &self.label(sent));
            // It was there when it was waited for.
            let mut parcel = parcel
                .map_err(|why| refuse(&why))?
                .ok_or_else(|| refuse(&Unusable::Unread("it was removed".to_owned())))?;
            let tile = parcel.record(&before, size(block)).map_err(|why| refuse(&why))?;
            // The checksum does not tell: it is right in a file that was made to look right.
            if tile.iter().any(|&element| element > most) {
                return Err(refuse(&Unusable::Damaged));
            }
            self.matrix.load(half, block, sent.block, tile.as_chunks().0, bench);
        }
        Ok(())
    }
}
