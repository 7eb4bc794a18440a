//! Moves of leapers, and what the eight symmetries of the square make of them.
//!
//! The symmetries are numbered: `r + 4f` first exchanges row and column if f is 1, then
//! turns r times by a quarter. 0 changes nothing, 2 is the half turn, 5 and 7 mirror along
//! a row or column, 4 and 6 along a diagonal.
//!
//! The symmetries act *freely* on the moves of one (a,b)-leaper with 0 < a < b: each of its
//! eight moves is the image of (a,b) under exactly one symmetry, and is numbered by it. So a
//! move can be multiplied and inverted as a symmetry can, which is what turn words
//! ([`super::words`]) live on.

/// A place or a step: row and column.
pub(super) type Point = (i32, i32);

/// How many symmetries the square has.
pub(super) const SYMMETRIES: usize = 8;
/// The half turn: it turns a move into its opposite.
pub(super) const HALF_TURN: usize = 2;

/// What a symmetry makes of a point.
pub(super) fn image(symmetry: usize, (mut row, mut col): Point) -> Point {
    if symmetry & 4 != 0 {
        (row, col) = (col, row);
    }
    for _ in 0..symmetry & 3 {
        (row, col) = (-col, row);
    }
    (row, col)
}

/// The symmetry that does `second` after `first`.
pub(super) fn product(second: usize, first: usize) -> usize {
    let probe = image(second, image(first, (1, 2)));
    // The eight images of (1,2) are different, and one of them is the probe.
    (0..SYMMETRIES).find(|&symmetry| image(symmetry, (1, 2)) == probe).unwrap_or(0)
}

/// The symmetry that undoes this one.
pub(super) fn inverse(symmetry: usize) -> usize {
    (0..SYMMETRIES).find(|&other| product(other, symmetry) == 0).unwrap_or(0)
}

pub(super) fn plus(a: Point, b: Point) -> Point {
    (a.0 + b.0, a.1 + b.1)
}

pub(super) fn minus(a: Point, b: Point) -> Point {
    (a.0 - b.0, a.1 - b.1)
}

/// The moves of some leapers.
#[derive(Clone, Debug)]
pub(super) struct Moves {
    /// Each as (a,b) with a ≤ b, without repetition.
    leapers: Vec<Point>,
    steps: Vec<Point>,
    /// For each move, which move each symmetry makes of it.
    images: Vec<[u8; SYMMETRIES]>,
    /// For each symmetry, the steps of these images.
    turned: [Vec<Point>; SYMMETRIES],
}

impl Moves {
    /// All moves of these leapers; none of them is (0,0).
    pub(super) fn new(leapers: &[Point]) -> Self {
        let mut own: Vec<Point> = Vec::new();
        let mut steps: Vec<Point> = Vec::new();
        for &(a, b) in leapers {
            let leaper = (a.min(b), a.max(b));
            if own.contains(&leaper) {
                continue;
            }
            own.push(leaper);
            for symmetry in 0..SYMMETRIES {
                let step = image(symmetry, leaper);
                if !steps.contains(&step) {
                    steps.push(step);
                }
            }
        }
        let number = |step| steps.iter().position(|&known| known == step).unwrap_or(0) as u8;
        let images = steps
            .iter()
            .map(|&step| std::array::from_fn(|symmetry| number(image(symmetry, step))))
            .collect();
        let turned = std::array::from_fn(|symmetry| {
            steps.iter().map(|&step| image(symmetry, step)).collect()
        });
        Moves { leapers: own, steps, images, turned }
    }

    pub(super) fn leapers(&self) -> &[Point] {
        &self.leapers
    }

    pub(super) fn len(&self) -> usize {
        self.steps.len()
    }

    pub(super) fn steps(&self) -> &[Point] {
        &self.steps
    }

    pub(super) fn step(&self, number: u8) -> Point {
        self.steps[usize::from(number)]
    }

    /// The move that a symmetry makes of this one.
    pub(super) fn image(&self, symmetry: usize, number: u8) -> u8 {
        self.images[usize::from(number)][symmetry]
    }

    /// The steps of all moves after a symmetry.
    pub(super) fn turned(&self, symmetry: usize) -> &[Point] {
        &self.turned[symmetry]
    }

    pub(super) fn opposite(&self, number: u8) -> u8 {
        self.image(HALF_TURN, number)
    }

    /// The move with this step, if there is one.
    pub(super) fn find(&self, step: Point) -> Option<u8> {
        self.steps.iter().position(|&known| known == step).map(|number| number as u8)
    }

    /// The longest side of a move.
    pub(super) fn longest(&self) -> i32 {
        self.leapers.iter().map(|leaper| leaper.1).max().unwrap_or(0)
    }

    /// Whether two moves of different lengths go the same way, so that a loop may lie in one
    /// line.
    pub(super) fn can_stay_in_a_line(&self) -> bool {
        let parallel = |&(a, b): &Point, &(c, d): &Point| a * d == b * c;
        let differ = |one: &Point, other: &Point| one != other && *one != (-other.0, -other.1);
        self.steps()
            .iter()
            .any(|one| self.steps().iter().any(|other| parallel(one, other) && differ(one, other)))
    }

    /// Whether the symmetries act freely: one leaper with 0 < a < b.
    pub(super) fn are_free(&self) -> bool {
        matches!(self.leapers[..], [(a, b)] if 0 < a && a < b)
    }

    /// Whether the cells have two colours that every move changes, so that every loop is
    /// even.
    ///
    /// There is an odd closed walk exactly if some odd number of moves adds up to nothing:
    /// if the moves, each written with a third coordinate 1, can be combined to (0,0,odd).
    /// A move and its opposite give (0,0,2), so Euclid's algorithm on the first two
    /// coordinates leaves (0,0,1) or (0,0,2).
    pub(super) fn alternate(&self) -> bool {
        let mut rows: Vec<[i64; 3]> =
            self.steps.iter().map(|&(a, b)| [i64::from(a), i64::from(b), 1]).collect();
        for column in 0..2 {
            loop {
                rows.sort_by_key(|row| (row[column] == 0, row[column].abs()));
                if rows.len() < 2 || rows[1][column] == 0 {
                    break;
                }
                let pivot = rows[0];
                for row in &mut rows[1..] {
                    let times = row[column] / pivot[column];
                    for (entry, by) in row.iter_mut().zip(pivot) {
                        *entry -= times * by;
                    }
                }
            }
            if rows[0][column] != 0 {
                rows.remove(0);
            }
        }
        rows.iter().all(|row| row[2] % 2 == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symmetries_form_a_group() {
        for a in 0..SYMMETRIES {
            assert_eq!(product(a, inverse(a)), 0);
            assert_eq!(product(HALF_TURN, a), product(a, HALF_TURN));
            for b in 0..SYMMETRIES {
                assert_eq!(image(a, image(b, (3, -7))), image(product(a, b), (3, -7)));
            }
        }
    }

    #[test]
    fn free_moves_are_numbered_by_symmetries() {
        let knight = Moves::new(&[(2, 1)]);
        assert!(knight.are_free() && knight.len() == 8);
        for m in 0..8 {
            for symmetry in 0..SYMMETRIES {
                let wanted = product(symmetry, usize::from(m)) as u8;
                assert_eq!(knight.image(symmetry, m), wanted);
                assert_eq!(knight.turned(symmetry)[usize::from(m)], knight.step(wanted));
            }
        }
        assert_eq!(Moves::new(&[(1, 0), (0, 1)]).len(), 4);
        assert!(!Moves::new(&[(1, 0), (1, 1)]).are_free());
    }

    #[test]
    fn colours() {
        for (leapers, alternate) in [
            (&[(1, 2)][..], true),
            (&[(1, 3)], true),
            (&[(2, 4)], true),
            (&[(2, 2)], true),
            (&[(1, 0)], true),
            (&[(1, 0), (1, 1)], false),
            (&[(3, 0), (2, 2)], false),
            (&[(1, 0), (1, 2)], true),
            (&[(2, 0), (4, 4)], false),
        ] {
            assert_eq!(Moves::new(leapers).alternate(), alternate, "{leapers:?}");
        }
    }
}
