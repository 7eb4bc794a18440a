//! Elements of a group as words in its generators.
//!
//! A **word** is a list of generators, done one after the other. To write any element as a
//! word there is a table like that of a stabiliser chain: for each base point and each
//! point of its orbit one element that takes it there and leaves all earlier base points
//! alone, here with a word. An element is divided by one entry a level, and the words are
//! put together.
//!
//! Words that come out of the Schreier–Sims method itself grow beyond all bounds. T. Minkwitz
//! (*An algorithm for solving the factorization problem in permutation groups*, 1998) fills
//! the table with short ones instead: words are tried in the order of their length and
//! sifted; each goes where it fits if nothing shorter is there; and products of entries are
//! sifted now and then. Whether the table is full is known from the orbits, so what it reports
//! rests on no chance; only how long it takes does. On 17 points words of some hundred
//! generators come out.

use super::{Generated, Permutation};
use crate::run::{Run, Stop};

/// A table by which elements are written as words.
#[derive(Clone, Debug)]
pub struct Words {
    levels: Vec<Level>,
    generators: Vec<Permutation>,
    /// For each generator, which one is its inverse.
    inverses: Vec<u32>,
    degree: usize,
    /// How many entries are not there yet.
    missing: usize,
}

#[derive(Clone, Debug)]
struct Level {
    base: u32,
    /// By point: an element that takes the base point there, with its word.
    entries: Vec<Option<Entry>>,
}

#[derive(Clone, Debug)]
struct Entry {
    element: Permutation,
    word: Vec<u32>,
}

/// How many words are tried.
const TRIES: usize = 20_000;
/// After so many, products are sifted.
const OFTEN: usize = 500;

impl Words {
    /// The table of a group; the generators must make it, and the inverse of each must be
    /// among them. `None` if the table was not full when enough had been tried.
    pub fn new(
        group: &Generated,
        generators: &[Permutation],
        run: &Run,
    ) -> Result<Option<Words>, Stop> {
        let inverse = |g: &Permutation| {
            let inverse = g.inverse();
            generators.iter().position(|other| *other == inverse).map(|k| k as u32)
        };
        let Some(inverses) = generators.iter().map(inverse).collect() else { return Ok(None) };
        let degree = group.degree();
        let identity = Entry { element: Permutation::identity(degree), word: Vec::new() };
        let orbits = group.orbits();
        let missing = orbits.iter().map(|(_, length)| length - 1).sum();
        let level = |(base, _): (u32, usize)| {
            let mut entries = vec![None; degree];
            entries[base as usize] = Some(identity.clone());
            Level { base, entries }
        };
        let mut words = Words {
            levels: orbits.into_iter().map(level).collect(),
            generators: generators.to_vec(),
            inverses,
            degree,
            missing,
        };
        words.fill(run)?;
        Ok((words.missing == 0).then_some(words))
    }

    /// An element as a word: doing its generators one after the other, the first one first,
    /// is the element. `None` if it is no element.
    pub fn word(&self, element: &Permutation) -> Option<Vec<u32>> {
        let mut rest = element.clone();
        let mut parts = Vec::new();
        for level in &self.levels {
            let entry = level.entries[rest.images()[level.base as usize] as usize].as_ref()?;
            rest = rest.then(&entry.element.inverse());
            parts.push(&entry.word);
        }
        rest.is_identity().then(|| parts.into_iter().rev().flatten().copied().collect())
    }

    fn fill(&mut self, run: &Run) -> Result<(), Stop> {
        // The longest word that is kept; it grows.
        let mut most = 12;
        // All words by length, none with a generator right after its inverse.
        let mut queue =
            std::collections::VecDeque::from([(Permutation::identity(self.degree), Vec::new())]);
        for step in 1..=TRIES {
            run.tick(1)?;
            if let Some((element, word)) = queue.pop_front() {
                if queue.len() < TRIES {
                    for (k, generator) in (0..).zip(&self.generators) {
                        if word.last().is_none_or(|&last| self.inverses[last as usize] != k) {
                            let mut longer = word.clone();
                            longer.push(k);
                            queue.push_back((element.then(generator), longer));
                        }
                    }
                }
                self.sift(0, element, word, most);
            }
            if step % OFTEN == 0 {
                self.improve(most, run)?;
                self.complete(most, run)?;
                most += most / 4;
                // Once full, one more round makes words shorter.
                if self.missing == 0 && step >= 4 * OFTEN {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Puts an element where it fits, level by level, as long as its word is not too long.
    fn sift(&mut self, from: usize, mut element: Permutation, mut word: Vec<u32>, most: usize) {
        for at in from..self.levels.len() {
            if word.len() > most {
                return;
            }
            let point = element.images()[self.levels[at].base as usize] as usize;
            let entry = &mut self.levels[at].entries[point];
            let Some(known) = entry else {
                self.missing -= 1;
                *entry = Some(Entry { element: element.clone(), word: word.clone() });
                // Its inverse is as short.
                let (back, word) = (element.inverse(), self.inverse(&word));
                return self.sift(at, back, word, most);
            };
            if word.len() < known.word.len() {
                let better = Entry { element: element.clone(), word: word.clone() };
                let worse = std::mem::replace(known, better);
                (element, word) = (worse.element, worse.word);
            }
            // What is left when the entry is divided off leaves this base point alone.
            if let Some(entry) = &self.levels[at].entries[point] {
                element = element.then(&entry.element.inverse());
                word = reduced(word, &self.inverse(&entry.word), &self.inverses);
            }
            if element.is_identity() {
                return;
            }
        }
    }

    /// Sifts all products of two entries of a level.
    fn improve(&mut self, most: usize, run: &Run) -> Result<(), Stop> {
        for at in 0..self.levels.len() {
            let entries: Vec<Entry> = self.levels[at].entries.iter().flatten().cloned().collect();
            for a in &entries {
                run.tick(1)?;
                for b in entries.iter().filter(|b| a.word.len() + b.word.len() <= most) {
                    let word = reduced(a.word.clone(), &b.word, &self.inverses);
                    self.sift(at, a.element.then(&b.element), word, most);
                }
            }
        }
        Ok(())
    }

    /// Fills orbits by going on from their points with elements of this and deeper levels.
    fn complete(&mut self, most: usize, run: &Run) -> Result<(), Stop> {
        for at in 0..self.levels.len() {
            let deeper =
                |level: &Level| level.entries.iter().flatten().cloned().collect::<Vec<_>>();
            let others: Vec<Entry> = self.levels[at..].iter().flat_map(deeper).collect();
            let known: Vec<Entry> = deeper(&self.levels[at]);
            for entry in known {
                run.tick(1)?;
                let point = entry.element.images()[self.levels[at].base as usize];
                for other in &others {
                    let to = other.element.images()[point as usize] as usize;
                    if self.levels[at].entries[to].is_none()
                        && entry.word.len() + other.word.len() <= 8 * most
                    {
                        let word = reduced(entry.word.clone(), &other.word, &self.inverses);
                        self.sift(at, entry.element.then(&other.element), word, 8 * most);
                    }
                }
            }
        }
        Ok(())
    }

    fn inverse(&self, word: &[u32]) -> Vec<u32> {
        word.iter().rev().map(|&k| self.inverses[k as usize]).collect()
    }
}

/// One word after another, without what cancels where they meet.
fn reduced(mut word: Vec<u32>, next: &[u32], inverses: &[u32]) -> Vec<u32> {
    for &k in next {
        if word.last().is_some_and(|&last| inverses[last as usize] == k) {
            word.pop();
        } else {
            word.push(k);
        }
    }
    word
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    fn cycle(degree: u32, points: &[u32]) -> Permutation {
        let mut images: Vec<u32> = (0..degree).collect();
        for (k, &from) in points.iter().enumerate() {
            images[from as usize] = points[(k + 1) % points.len()];
        }
        Permutation::new(images).unwrap()
    }

    /// Random elements of giants, of a Mathieu group and of groups in pieces.
    #[test]
    fn words_make_their_elements() {
        let m11 = Permutation::new([0, 1, 6, 9, 5, 3, 10, 2, 8, 4, 7]).unwrap();
        for (degree, makers) in [
            (3, vec![]),
            (6, vec![cycle(6, &[0, 1, 2])]),
            (11, vec![cycle(11, &(0..11).collect::<Vec<_>>()), m11]),
            (
                13,
                vec![
                    cycle(13, &[0, 1, 2, 3, 4]),
                    cycle(13, &[3, 4, 5, 6, 7]),
                    cycle(13, &[6, 7, 8, 9, 10]),
                ],
            ),
            (
                12,
                vec![
                    cycle(12, &[0, 1, 2, 3, 4]),
                    cycle(12, &[0, 1]),
                    cycle(12, &[5, 6, 7, 8, 9]),
                    cycle(12, &[5, 6]),
                ],
            ),
            (
                17,
                (0..6)
                    .map(|k| cycle(17, &[2 * k, 2 * k + 1, 2 * k + 2, 2 * k + 3, 2 * k + 4]))
                    .collect(),
            ),
        ] {
            let mut generators: Vec<Permutation> = makers.clone();
            generators.extend(makers.iter().map(Permutation::inverse));
            let run = Run::default();
            let group = Generated::new(degree, &generators, &run).unwrap();
            let words = Words::new(&group, &generators, &run).unwrap().unwrap();
            let mut random = Random::new(5, degree as u64);
            for _ in 0..20 {
                let element = group.random(&mut random);
                let word = words.word(&element).unwrap();
                let product = word.iter().fold(Permutation::identity(degree), |product, &k| {
                    product.then(&generators[k as usize])
                });
                assert_eq!(product, element);
                assert!(word.len() < 2000, "{} on {degree} points", word.len());
            }
            let stranger = cycle(degree as u32, &[0, degree as u32 - 1]);
            if !group.contains(&stranger) {
                assert_eq!(words.word(&stranger), None);
            }
        }
    }
}
