//! Reading what the user names: drawings, saved answers, files given for options.

use std::io::{Read, Write};
use std::path::Path;

use pessoi::board::Drawing;
use pessoi::error::reason;
use pessoi::range::Range;
use pessoi::{Error, Place, charset};

/// A shape, a size, a drawing's file, or a drawing on standard input.
pub(crate) fn place(word: &str) -> Result<Place, Error> {
    if word == "-" {
        return drawn(&text("-")?);
    }
    // Shapes and sizes have none of these signs; drawings and most paths do.
    let is_name = !word.contains(['.', '#', '/', '\\']);
    let looks_like_path =
        word.contains(['/', '\\']) || (!is_name && word.contains(char::is_alphabetic));
    // A range has dots and letters as a path has, and nothing else but digits.
    let is_range = word.contains("..")
        && word.chars().all(|c| c.is_ascii_digit() || ".nx×".contains(c))
        && !Path::new(word).exists();
    match Place::parse(word) {
        result if is_range => result,
        Ok(place) if is_name => Ok(place),
        // A range such as 1..6x1..6 has dots and a letter, as paths have.
        parsed if Range::is_meant(word) && !Path::new(word).exists() => parsed,
        _ if looks_like_path || Path::new(word).exists() => drawn(&text(word)?),
        // Without a digit it was hardly meant for a shape.
        Err(_) if is_name && !word.contains(|c: char| c.is_ascii_digit()) => Err(Error::place(
            format!("{word:?} is neither a shape, such as 8x8 or P3x4, nor a file with a drawing."),
        )),
        result => result,
    }
}

/// A drawing; how it was read is said where that may surprise.
fn drawn(text: &str) -> Result<Place, Error> {
    let text = as_drawing(text);
    let place = Place::parse(&text)?;
    if let Some(sentence) = Drawing::reading(&text) {
        // Nothing is lost if standard error is closed.
        let _ = writeln!(std::io::stderr(), "{sentence}");
    }
    Ok(place)
}

/// A drawing of one row, without its line end, could be taken for a size.
fn as_drawing(text: &str) -> String {
    format!("{}\n", text.trim_end_matches(['\r', '\n']))
}

/// The largest file that is read: far above any board, far below any memory.
const MOST_BYTES: u64 = 1 << 30;

/// A file of ours as text; `-` is standard input.
pub(crate) fn text(file: &str) -> Result<String, Error> {
    String::from_utf8(bytes(file)?).map_err(|_| {
        Error::io(format!("The file {file:?} cannot be read: it is not text (UTF-8)."))
    })
}

/// A file of another program as text, in the character set that it says it has.
pub(crate) fn foreign_text(file: &str) -> Result<String, Error> {
    charset::text(&bytes(file)?)
        .map_err(|error| Error::io(format!("The file {file:?} cannot be read: {error}.")))
}

/// A file as it is; `-` is standard input.
pub(crate) fn bytes(file: &str) -> Result<Vec<u8>, Error> {
    let cannot = |why: String| Error::io(format!("The file {file:?} cannot be read: {why}."));
    let read = |source: &mut dyn Read| {
        let mut bytes = Vec::new();
        let size = source.take(MOST_BYTES + 1).read_to_end(&mut bytes);
        match size {
            Ok(size) if size as u64 > MOST_BYTES => Err(cannot("it is over 1 GiB large".into())),
            Ok(_) => Ok(bytes),
            Err(error) => Err(cannot(reason(&error))),
        }
    };
    if file == "-" {
        return read(&mut std::io::stdin().lock());
    }
    if Path::new(file).is_dir() {
        return Err(cannot("it is a folder".into()));
    }
    match std::fs::File::open(file) {
        Ok(mut source) => read(&mut source),
        Err(error) => Err(cannot(reason(&error))),
    }
}
