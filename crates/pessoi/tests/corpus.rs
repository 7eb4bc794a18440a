//! Odd inputs that were kept: none may panic, and what is refused is refused in one
//! sentence. Add a file to `corpus` and it is tested.

use std::path::Path;
use std::time::Duration;

use pessoi::board::{Board, Cell, Drawing};
use pessoi::{Budget, Catalogue, Code, Effort, Place, Run};

fn inputs(folder: &str) -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus").join(folder);
    let entries = std::fs::read_dir(&folder).expect("the corpus is there");
    let read = |path: &Path| String::from_utf8(std::fs::read(path).expect("a file")).expect("text");
    let mut inputs: Vec<_> = entries
        .map(|entry| entry.expect("an entry").path())
        .map(|path| (path.display().to_string(), read(&path)))
        .collect();
    inputs.sort();
    assert!(inputs.len() > 5, "the corpus is nearly empty");
    inputs
}

fn is_sentence(name: &str, error: &pessoi::Error) {
    let text = error.to_string();
    assert_ne!(error.code, Code::Internal, "{name}: {text}");
    assert!(text.lines().count() == 1 && text.ends_with(['.', '?']), "{name}: {text:?}");
}

#[test]
fn places_and_drawings() {
    for (name, text) in inputs("places").into_iter().chain(inputs("drawings")) {
        for result in [
            Place::parse(&text).map(|_| ()),
            Board::parse(&text).map(|_| ()),
            text.parse::<Cell>().map(|_| ()),
        ] {
            if let Err(error) = result {
                is_sentence(&name, &error);
            }
        }
        match Drawing::parse(&text) {
            Ok(drawing) => assert_eq!(Drawing::parse(&drawing.to_text()), Ok(drawing), "{name}"),
            Err(error) => is_sentence(&name, &error),
        }
    }
}

#[test]
fn answers() {
    let catalogue = Catalogue::standard();
    for (name, text) in inputs("answers") {
        let time = Some(Duration::from_secs(10));
        let run = Run::new(Budget { time, ..Budget::default() });
        match catalogue.verify(text.as_bytes(), Effort::Usual, &run) {
            Ok(verdict) if verdict.holds => panic!("{name} is said to hold: {verdict:?}"),
            Ok(_) => {}
            Err(error) => is_sentence(&name, &error),
        }
    }
}
