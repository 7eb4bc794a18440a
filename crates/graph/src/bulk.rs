//! Boards as files for `neo4j-admin database import`, which fills a new database much faster
//! than any query could.
//!
//! Four files: what is in the columns, and the rows, for nodes and for relationships. The
//! ids that tie them together are the board's name and the node's number, so that files of
//! several boards can be imported together.

use std::fmt::Write as _;
use std::path::Path;

use pessoi::Error;

use crate::boards::Board;
use crate::store::Field;

/// The files by name, each with its content.
pub fn files(board: &Board) -> Vec<(&'static str, String)> {
    let is_cells = board.label() == "Cell";
    let nodes_header = if is_cells {
        "id:ID(Pessoi),board,number:long,row:long,col:long,:LABEL\n"
    } else {
        "id:ID(Pessoi),board,number:long,name,:LABEL\n"
    };
    let has_labels = !board.graph().labels.is_empty();
    let moves_header = if has_labels {
        ":START_ID(Pessoi),:END_ID(Pessoi),label,:TYPE\n"
    } else {
        ":START_ID(Pessoi),:END_ID(Pessoi),:TYPE\n"
    };
    let id = |number: i64| quoted(&format!("{} #{number}", board.name));
    let name = quoted(&board.name);
    let (mut nodes, mut moves) = (String::new(), String::new());
    // Writing to a String cannot fail.
    for (number, node) in (1..).zip(board.nodes()) {
        let _ = write!(nodes, "{},{name},{number}", id(number));
        for (_, field) in &node.properties {
            let _ = write!(nodes, ",{}", written(field));
        }
        let _ = writeln!(nodes, ",Pessoi;{}", board.label());
    }
    for link in board.links() {
        let _ = write!(moves, "{},{}", id(link.from), id(link.to));
        for (_, field) in &link.properties {
            let _ = write!(moves, ",{}", written(field));
        }
        moves += ",MOVE\n";
    }
    vec![
        ("nodes-header.csv", nodes_header.to_owned()),
        ("nodes.csv", nodes),
        ("moves-header.csv", moves_header.to_owned()),
        ("moves.csv", moves),
    ]
}

/// Writes the files into a folder, which is made if it is not there; gives the command that
/// imports them.
pub fn write(board: &Board, folder: &Path) -> Result<String, Error> {
    let cannot = |what: &Path, error: &std::io::Error| {
        Error::io(format!("{:?} cannot be written: {error}.", what.display().to_string()))
    };
    std::fs::create_dir_all(folder).map_err(|error| cannot(folder, &error))?;
    let files = files(board).into_iter();
    let files: Vec<_> = files.map(|(name, content)| (folder.join(name), content)).collect();
    // All or none.
    if let Some((path, _)) = files.iter().find(|(path, _)| path.exists()) {
        return Err(Error::io(format!(
            "The file {:?} is there already; give another folder.",
            path.display().to_string()
        )));
    }
    for (path, content) in files {
        std::fs::write(&path, content).map_err(|error| cannot(&path, &error))?;
    }
    let at = |name: &str| folder.join(name).display().to_string();
    Ok(format!(
        "neo4j-admin database import full neo4j --nodes={},{} --relationships={},{}",
        at("nodes-header.csv"),
        at("nodes.csv"),
        at("moves-header.csv"),
        at("moves.csv")
    ))
}

fn written(field: &Field) -> String {
    match field {
        Field::Int(number) => number.to_string(),
        Field::Text(text) => quoted(text),
        other => quoted(&format!("{other:?}")),
    }
}

/// A text in quotes, where quotes are doubled.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}
