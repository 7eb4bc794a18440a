//! Moves drawn as straight lines: which of them get in each other's way, on whole numbers.

/// A row and a column.
type Point = (i32, i32);

fn minus(a: Point, b: Point) -> Point {
    (a.0 - b.0, a.1 - b.1)
}

/// On which side of the line from a to b the point c is.
fn side(a: Point, b: Point, c: Point) -> i64 {
    let (u, v) = (minus(b, a), minus(c, a));
    (i64::from(u.0) * i64::from(v.1) - i64::from(u.1) * i64::from(v.0)).signum()
}

/// Whether c, known to be on the line through a and b, is between them or one of them.
fn is_between(a: Point, b: Point, c: Point) -> bool {
    (a.0.min(b.0)..=a.0.max(b.0)).contains(&c.0) && (a.1.min(b.1)..=a.1.max(b.1)).contains(&c.1)
}

/// Whether the segments from a to b and from c to d have a point in common.
fn touch(a: Point, b: Point, c: Point, d: Point) -> bool {
    let (c_side, d_side) = (side(a, b, c), side(a, b, d));
    let (a_side, b_side) = (side(c, d, a), side(c, d, b));
    if c_side != d_side && a_side != b_side && c_side * d_side <= 0 && a_side * b_side <= 0 {
        return true;
    }
    c_side == 0 && is_between(a, b, c)
        || d_side == 0 && is_between(a, b, d)
        || a_side == 0 && is_between(c, d, a)
        || b_side == 0 && is_between(c, d, b)
}

/// Whether two different moves, from a to b and from c to d, cannot both be part of a
/// non-crossing path. If they have an end in common they follow one another there.
pub(crate) fn conflict(a: Point, b: Point, c: Point, d: Point) -> bool {
    let common = [(a, b, c, d), (a, b, d, c), (b, a, c, d), (b, a, d, c)];
    match common.into_iter().find(|(end, _, other, _)| end == other) {
        Some((end, far, _, other)) => {
            // They leave their common end the same way: one lies on the other.
            let (u, v) = (minus(far, end), minus(other, end));
            side(end, far, other) == 0
                && u.0.signum() == v.0.signum()
                && u.1.signum() == v.1.signum()
        }
        None => touch(a, b, c, d),
    }
}
