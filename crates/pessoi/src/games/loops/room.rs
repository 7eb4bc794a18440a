//! Rooms: the cells that walks from home can reach, numbered, and how many moves each is from
//! home. A walk with so many moves left never enters a cell that is farther.

use super::moves::{Moves, Point};

/// Farther than was asked for.
pub(super) const TOO_FAR: u8 = u8::MAX;

/// How many moves each of `cells` numbered cells is from `home`, up to `most`. A move adds its
/// number in `steps`, modulo the number of cells.
pub(super) fn distances(cells: usize, home: usize, steps: &[usize], most: usize) -> Vec<u8> {
    let mut distance = vec![TOO_FAR; cells];
    distance[home] = 0;
    let mut layer = vec![home];
    for gone in 1..=most as u8 {
        let mut next = Vec::new();
        for cell in layer {
            for step in steps {
                let to = (cell + step) % cells;
                if distance[to] == TOO_FAR {
                    distance[to] = gone;
                    next.push(to);
                }
            }
        }
        layer = next;
    }
    distance
}

/// A square of cells with home in the middle.
#[derive(Debug)]
pub(super) struct Room {
    radius: i32,
    side: i32,
    distance: Vec<u8>,
}

impl Room {
    /// The number of cells of a room that goes so far from home in each direction.
    pub(super) fn cells(radius: i32) -> usize {
        let side = 2 * radius as usize + 1;
        side * side
    }

    /// A room with distances up to `most` moves, which do not lead out of it.
    pub(super) fn new(moves: &Moves, radius: i32, most: usize) -> Room {
        debug_assert!(moves.longest() * most as i32 <= radius);
        let (side, cells) = (2 * radius + 1, Room::cells(radius));
        let step = |&(row, col): &Point| (row * side + col).rem_euclid(cells as i32) as usize;
        let steps: Vec<usize> = moves.steps().iter().map(step).collect();
        let distance = distances(cells, cells / 2, &steps, most);
        Room { radius, side, distance }
    }

    pub(super) fn len(&self) -> usize {
        self.distance.len()
    }

    /// The number of a cell.
    #[inline]
    pub(super) fn index(&self, (row, col): Point) -> usize {
        ((row + self.radius) * self.side + col + self.radius) as usize
    }

    /// How many moves the cell with this number is from home.
    #[inline]
    pub(super) fn distance(&self, index: usize) -> u8 {
        self.distance[index]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_knight_needs_many_moves_to_cells_nearby() {
        let room = Room::new(&Moves::new(&[(1, 2)]), 9, 4);
        for (cell, moves) in
            [((0, 0), 0), ((1, 2), 1), ((1, 1), 2), ((0, 1), 3), ((2, 2), 4), ((-8, 4), 4)]
        {
            assert_eq!(room.distance(room.index(cell)), moves, "{cell:?}");
        }
        assert_eq!(room.distance(room.index((9, 9))), TOO_FAR);
    }
}
