//! Arches: how the cut ends of a closed curve in the plane are joined behind a line.
//!
//! A line is moved across the plane and cuts a curve that does not meet itself. Behind the line
//! the curve is a set of arcs, each with two **ends** on the line, and no two arcs cross. So the
//! ends, in their order along the line, are brackets that match: an **arch word** has at each
//! *place* an end that opens an arc, an end that closes one, or nothing. All that the part behind
//! the line can still say to the rest is its word and the number of its pieces, say edges. That
//! is I. G. Enting's way to count polygons (Generating functions for enumerating self-avoiding
//! rings on the square lattice, 1980).
//!
//! A [`Layer`] holds all words that the line may cut at one time and, for each, how many parts
//! there are with so many edges, up to a most. What is known not to end within that is left out
//! by the caller, who has a lower bound of what is still needed (I. Jensen and A. J. Guttmann,
//! Self-avoiding polygons on the square lattice, 1999). Numbers are exact: an addition that
//! would overflow is an error.

use rustc_hash::FxHashMap;

use crate::run::{Claim, Run, Stop};

/// Places of a word.
pub const MOST_PLACES: usize = 30;

/// Nothing is cut here.
pub const FREE: u8 = 0;
/// The end that comes first of the two of an arc.
pub const OPENS: u8 = 1;
/// The end that comes last of the two of an arc.
pub const CLOSES: u8 = 2;

/// How ends are joined, two bits a place; above them there are the caller's three *marks*.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Arches(pub u64);

/// The bits of the places.
const PLACES: u64 = (1 << (2 * MOST_PLACES)) - 1;

/// What becomes of a word in which two ends that lie side by side are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Joined {
    /// They were the two ends of one arc, which is now closed; the word is what is left.
    Closed(Arches),
    /// They were of two arcs, which are now one.
    Open(Arches),
}

impl Arches {
    /// What is at a place.
    pub fn at(self, place: usize) -> u8 {
        (self.0 >> (2 * place) & 3) as u8
    }

    /// The word with something else at a place.
    #[must_use]
    pub fn with(self, place: usize, end: u8) -> Self {
        Arches(self.0 & !(3 << (2 * place)) | u64::from(end) << (2 * place))
    }

    /// Whether nothing is cut.
    pub fn is_free(self) -> bool {
        self.0 & PLACES == 0
    }

    /// How many ends there are.
    pub fn ends(self) -> u32 {
        (self.0 & PLACES).count_ones()
    }

    /// How many ends there are at places before this one.
    pub fn ends_before(self, place: usize) -> u32 {
        (self.0 & ((1 << (2 * place)) - 1)).count_ones()
    }

    /// Whether a mark, 0 to 2, is set.
    pub fn is_marked(self, mark: u32) -> bool {
        self.0 >> (60 + mark) & 1 == 1
    }

    /// The word with a mark.
    #[must_use]
    pub fn marked(self, mark: u32) -> Self {
        Arches(self.0 | 1 << (60 + mark))
    }

    /// The word with a free place put before all others.
    #[must_use]
    pub fn shifted(self) -> Self {
        Arches(self.0 & !PLACES | (self.0 << 2) & PLACES)
    }

    /// The word as it is read from the other side, of so many places. Marks stay.
    #[must_use]
    pub fn reversed(self, places: usize) -> Self {
        (0..places).fold(Arches(self.0 & !PLACES), |word, place| {
            let end = match self.at(place) {
                OPENS => CLOSES,
                CLOSES => OPENS,
                _ => FREE,
            };
            word.with(places - 1 - place, end)
        })
    }

    /// The word without marks.
    #[must_use]
    pub fn unmarked(self) -> Self {
        Arches(self.0 & PLACES)
    }

    /// The other end of the arc that ends at this place. There must be one.
    pub fn partner(self, place: usize) -> usize {
        let mut depth = 0i32;
        let mut at = place;
        loop {
            depth += match self.at(at) {
                OPENS => 1,
                CLOSES => -1,
                _ => 0,
            };
            if depth == 0 {
                return at;
            }
            // A word that does not match would lead out of it.
            match self.at(place) {
                OPENS if at + 1 < MOST_PLACES => at += 1,
                CLOSES if at > 0 => at -= 1,
                _ => return place,
            }
        }
    }

    /// Joins the ends at this place and the next.
    pub fn join(self, place: usize) -> Joined {
        let left = self.with(place, FREE).with(place + 1, FREE);
        match (self.at(place), self.at(place + 1)) {
            (OPENS, CLOSES) => Joined::Closed(left),
            // The inner arc's far end is now the nearer end of what both have become.
            (OPENS, OPENS) => Joined::Open(left.with(self.partner(place + 1), OPENS)),
            (CLOSES, CLOSES) => Joined::Open(left.with(self.partner(place), CLOSES)),
            _ => Joined::Open(left),
        }
    }
}

/// Words, and how many parts with so many edges each stands for.
///
/// Of a word the caller knows that at least so many edges are *needed* to end what it stands for.
/// With those it has `least` edges or more, whatever the word, and only what has `most` edges or
/// fewer is kept. So the numbers of a word are `most − least + 1` at most; and as parts with even
/// and with odd numbers of edges are kept apart, only every other one has a room. (Mostly a word
/// has one parity only: on a lattice with two colours a place of the line is reached from another
/// by an even number of edges only, or by an odd one only.)
#[derive(Debug)]
pub struct Layer {
    /// The rows of words, by word and parity.
    index: FxHashMap<u64, u32>,
    words: Vec<Arches>,
    /// The edges of the first room of each row.
    first: Vec<u32>,
    rooms: Vec<u128>,
    /// Rooms of a row.
    width: usize,
    least: usize,
    most: usize,
    claim: Claim,
}

/// Why a layer could not grow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Full {
    /// A limit of the run was reached.
    Stop(Stop),
    /// A number became too large.
    Overflow,
}

impl From<Stop> for Full {
    fn from(stop: Stop) -> Self {
        Full::Stop(stop)
    }
}

impl Layer {
    /// No words yet, for things with `least` to `most` edges.
    pub fn new(least: usize, most: usize, run: &Run) -> Self {
        Layer {
            index: FxHashMap::default(),
            words: Vec::new(),
            first: Vec::new(),
            rooms: Vec::new(),
            width: most.saturating_sub(least) / 2 + 1,
            least,
            most,
            claim: run.claim(),
        }
    }

    /// How many words there are.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Forgets all words.
    pub fn clear(&mut self) {
        self.index.clear();
        self.words.clear();
        self.first.clear();
        self.rooms.clear();
    }

    /// Adds one part without edges, of which so many are needed.
    pub fn begin(&mut self, word: Arches, needed: usize) -> Result<(), Full> {
        let one = Parts { word, first: 0, rooms: &[1] };
        self.add(word, &one, 0, needed)
    }

    /// The words and their parts.
    pub fn words(&self) -> impl Iterator<Item = Parts<'_>> {
        let rooms = self.rooms.chunks_exact(self.width);
        let words = self.words.iter().zip(&self.first).zip(rooms);
        words.map(|((&word, &first), rooms)| Parts { word, first: first as usize, rooms })
    }

    /// Adds parts that were made of others by so many more edges, and need so many beyond those:
    /// all of which that does not become too much.
    ///
    /// # Panics
    ///
    /// If the parts and what they need are less than the least.
    pub fn add(
        &mut self,
        word: Arches,
        from: &Parts<'_>,
        more: usize,
        needed: usize,
    ) -> Result<(), Full> {
        let Some(most) = self.most.checked_sub(needed) else { return Ok(()) };
        let is_kept =
            |&(room, number): &(usize, &u128)| *number != 0 && from.first + 2 * room + more <= most;
        let Some((room, _)) = from.rooms.iter().enumerate().find(is_kept) else { return Ok(()) };
        let edges = from.first + 2 * room + more;
        let (row, first) = self.row(word, edges % 2, needed)?;
        assert!(edges >= first, "{edges} edges and {needed} are less than the least");
        let start = (edges - first) / 2;
        let own = &mut self.rooms[row * self.width..][start..self.width];
        let until = (most + 2 - edges) / 2;
        for (own, &number) in own.iter_mut().zip(&from.rooms[room..]).take(until) {
            *own = own.checked_add(number).ok_or(Full::Overflow)?;
        }
        Ok(())
    }

    /// The row of a word, and the edges of its first room.
    fn row(&mut self, word: Arches, odd: usize, needed: usize) -> Result<(usize, usize), Full> {
        let key = word.0 | (odd as u64) << 63;
        if let Some(&row) = self.index.get(&key) {
            return Ok((row as usize, self.first[row as usize] as usize));
        }
        let row = self.words.len();
        // Vectors and maps may double, so what is claimed is twice what is used.
        let each = 16 * self.width as u64 + 40;
        if (row as u64 + 1) * 2 * each > self.claim.bytes() {
            self.claim.grow_to(4 * each * (row as u64 + 16))?;
        }
        let least = self.least.saturating_sub(needed);
        let first = least + (least + odd) % 2;
        self.index.insert(key, row as u32);
        self.words.push(word);
        self.first.push(first as u32);
        self.rooms.resize(self.rooms.len() + self.width, 0);
        Ok((row, first))
    }
}

/// The parts of one word.
#[derive(Clone, Copy, Debug)]
pub struct Parts<'l> {
    /// The word.
    pub word: Arches,
    first: usize,
    rooms: &'l [u128],
}

impl Parts<'_> {
    /// Numbers of edges, and how many parts have them; those that none has are left out.
    pub fn numbers(&self) -> impl Iterator<Item = (usize, u128)> {
        let rooms = self.rooms.iter().enumerate().filter(|(_, number)| **number != 0);
        rooms.map(|(room, &number)| (self.first + 2 * room, number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::Budget;

    fn word(text: &str) -> Arches {
        text.chars().enumerate().fold(Arches::default(), |word, (place, c)| {
            word.with(place, [FREE, OPENS, CLOSES]["-()".find(c).unwrap_or(0)])
        })
    }

    #[test]
    fn ends_are_joined() {
        for (before, place, after) in [
            ("(-()-)", 2, None),
            ("((-))", 0, Some("---()")),
            ("(()())", 1, None),
            ("(-)()", 2, Some("(---)")),
            ("((-))", 3, Some("()---")),
            ("(())", 0, Some("--()")),
        ] {
            let joined = word(before).join(place);
            match after {
                None => assert!(matches!(joined, Joined::Closed(_)), "{before}"),
                Some(after) => assert_eq!(joined, Joined::Open(word(after)), "{before}"),
            }
        }
    }

    #[test]
    fn partners_are_mutual() {
        let arches = word("(()-(())-)()").marked(2);
        for place in (0..12).filter(|&place| arches.at(place) != FREE) {
            assert_eq!(arches.partner(arches.partner(place)), place);
        }
        assert_eq!((arches.partner(0), arches.partner(4), arches.partner(10)), (9, 7, 11));
        assert!(arches.is_marked(2) && !arches.is_marked(0));
        assert_eq!((arches.ends(), arches.ends_before(5)), (10, 4));
        assert_eq!(arches.shifted().at(1), OPENS);
        assert!(arches.shifted().is_marked(2));
        assert_eq!(word("(-())-()").reversed(8), word("()-(()-)"));
        assert_eq!(arches.reversed(12).reversed(12), arches);
    }

    /// What does not match, as no layer has it, is no endless loop.
    #[test]
    fn words_that_do_not_match_end() {
        assert_eq!(word("((").partner(0), 0);
        assert_eq!(word("))").partner(1), 1);
    }

    #[test]
    fn only_what_can_end_is_kept() {
        let run = Run::default();
        let (mut one, mut two) = (Layer::new(3, 9, &run), Layer::new(3, 9, &run));
        one.begin(word("-"), 3).unwrap();
        let parts = one.words().next().unwrap();
        two.add(word("()"), &parts, 3, 0).unwrap();
        two.add(word("()"), &parts, 5, 5).unwrap();
        two.add(word("()"), &parts, 5, 4).unwrap();
        two.add(word("()"), &parts, 4, 3).unwrap();
        let found: Vec<Vec<_>> = two.words().map(|parts| parts.numbers().collect()).collect();
        assert_eq!(found, [vec![(3, 1), (5, 1)], vec![(4, 1)]]);
        assert_eq!(two.len(), 2);
    }

    #[test]
    #[should_panic(expected = "less than the least")]
    fn what_is_needed_must_not_be_too_little() {
        let run = Run::default();
        let mut layer = Layer::new(3, 9, &run);
        let _ = layer.begin(word("-"), 1);
    }

    #[test]
    fn nothing_wraps_and_memory_is_claimed() {
        let run = Run::default();
        let mut layer = Layer::new(0, 2, &run);
        let most = Parts { word: word("-"), first: 0, rooms: &[u128::MAX] };
        layer.add(word("-"), &most, 0, 0).unwrap();
        assert_eq!(layer.add(word("-"), &most, 0, 0), Err(Full::Overflow));
        let run = Run::new(Budget { memory: Some(100), ..Budget::default() });
        assert!(matches!(Layer::new(0, 60, &run).begin(word("-"), 0), Err(Full::Stop(_))));
    }
}
