//! Questions as they are typed.

use crate::{CATALOGUE, Target, is_large, refused, refused_question};

pub(crate) const TARGET: Target =
    Target { name: "words", help: "questions as they are typed", most: 160, check };

/// The words of a line, as a shell has them: white space parts them, unless it stands in
/// single quotes, and `\` takes the next character as it is.
fn split(line: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match c {
            '\'' => word.get_or_insert_default().extend(chars.by_ref().take_while(|&c| c != '\'')),
            '\\' => word.get_or_insert_default().extend(chars.next()),
            c if c.is_whitespace() => words.extend(word.take()),
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

fn check(input: &[u8]) {
    let line = &*String::from_utf8_lossy(input);
    if is_large(line) {
        return;
    }
    let words = split(line);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let question = match CATALOGUE.read_question(&words) {
        Ok(question) => question,
        Err(error) => return refused(&error),
    };
    let typed = question.words();
    let again = split(&typed);
    let again: Vec<&str> = again.iter().map(String::as_str).collect();
    assert_eq!(CATALOGUE.read_question(&again).as_ref(), Ok(&question), "{typed}");
    if let Err(error) = CATALOGUE.job(&question) {
        refused_question(&error);
    }
}
