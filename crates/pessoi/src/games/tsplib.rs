//! Tours of other programs: as TSPLIB defines them and LKH writes them, or as Concorde writes
//! them.
//!
//! A tour of TSPLIB stands after `TOUR_SECTION`: nodes counted from 1, then -1. Concorde's
//! begins with the number of nodes, which it counts from 0.

/// A tour: its nodes, counted from 0, and the number that the file gives to the first of them.
#[derive(Debug)]
pub(crate) struct Tour {
    pub(crate) nodes: Vec<usize>,
    pub(crate) first: usize,
}

/// Reads a tour of so many nodes; the error says what is wrong with it.
pub(crate) fn tour(text: &str, n: usize) -> Result<Tour, String> {
    let (body, first) = match text.split_once("TOUR_SECTION") {
        Some((_, body)) => (body, 1),
        None => (text.trim_start().split_once(char::is_whitespace).map_or("", |two| two.1), 0),
    };
    let mut nodes = Vec::new();
    for word in body.split_whitespace().take_while(|&word| word != "-1" && word != "EOF") {
        let number: Option<usize> = word.parse().ok();
        let number = number.and_then(|number| number.checked_sub(first)).filter(|&k| k < n);
        nodes.push(number.ok_or_else(|| format!("{word:?} is no node of {n}"))?);
        if nodes.len() > n {
            break;
        }
    }
    let mut sorted = nodes.clone();
    sorted.sort_unstable();
    if !sorted.iter().copied().eq(0..n) {
        return Err(format!("it does not visit each of {n} nodes once"));
    }
    Ok(Tour { nodes, first })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tours_of_lkh_and_of_concorde() {
        let lkh = "NAME : a.3.tour\nCOMMENT : Length = 0\nTYPE : TOUR\nDIMENSION : 3\n\
                   TOUR_SECTION\n2\n3\n1\n-1\nEOF\n";
        assert_eq!(tour(lkh, 3).unwrap().nodes, [1, 2, 0]);
        assert_eq!(tour("3\n1 2 0\n", 3).unwrap().nodes, [1, 2, 0]);
        for bad in
            ["", "3", "3 0 1", "3 0 1 1", "3 0 1 3", "TOUR_SECTION 0 1 2", "3 0 1 2 0", "x y z"]
        {
            assert!(tour(bad, 3).is_err(), "{bad}");
        }
    }
}
