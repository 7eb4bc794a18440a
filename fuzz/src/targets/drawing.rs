//! Drawings, shapes, places and cells.

use pessoi::Place;
use pessoi::board::{Board, Cell, Drawing};

use crate::{Target, is_large, refused, refused_question};

pub(crate) const TARGET: Target =
    Target { name: "drawing", help: "drawings, shapes, places and cells", most: 128, check };

fn check(input: &[u8]) {
    let text = &*String::from_utf8_lossy(input);
    match Drawing::parse(text) {
        Ok(drawing) => {
            assert_eq!(Drawing::parse(&drawing.to_text()), Ok(drawing.clone()));
            let board = &drawing.board;
            let plain = Drawing::parse(&board.to_drawing()).map(|drawing| drawing.board);
            assert_eq!(plain.as_ref(), Ok(board));
            for (index, &cell) in board.cells().iter().enumerate() {
                assert_eq!(board.index(cell), Some(index));
            }
        }
        Err(error) => refused_question(&error),
    }
    match text.parse::<Cell>() {
        Ok(cell) => assert_eq!(cell.to_string().parse(), Ok(cell)),
        Err(error) => refused(&error),
    }
    if is_large(text) {
        return;
    }
    match Board::parse(text) {
        Ok(board) => assert_eq!(Board::parse(&board.name()), Ok(board)),
        Err(error) => refused_question(&error),
    }
    match Place::parse(text) {
        Ok(place) => {
            let json = serde_json::to_string(&place).expect("a place is written");
            assert_eq!(serde_json::from_str::<Place>(&json).expect("and read"), place);
        }
        Err(error) => refused_question(&error),
    }
}
