//! Citations: how a saved answer is named in a paper or an entry of the OEIS.
//!
//! A number that was computed is cited by the program, its version, the command that gives it
//! again, what was counted, how well it is known, and by which method. All of that is in the
//! answer, so a citation is made of nothing else. It has no date: an answer does not say when it
//! was given.

use std::fmt::Write;

use crate::answer::{Answer, Value};
use crate::export::headline;

/// A citation in plain text and as an entry for BibTeX.
pub fn citation(answer: &Answer) -> String {
    let Answer { pessoi: version, question, method, .. } = answer;
    let seed = answer.seed.map(|seed| format!(" --seed {seed}")).unwrap_or_default();
    let command = question.command() + &seed;
    let mut text = format!("{}.\n", headline(answer).trim_end_matches('.'));
    // Writing to a String cannot fail.
    let _ = writeln!(
        text,
        "The Pessoi developers, Pessoi {version}: {command} (method {}).",
        method.name()
    );
    let _ = writeln!(text, "\n@misc{{{},", key(answer));
    let _ = writeln!(text, "  author = {{{{The Pessoi developers}}}},");
    let _ = writeln!(text, "  title = {{{{{}}}}},", escaped(&headline(answer)));
    let _ = writeln!(
        text,
        "  howpublished = {{Pessoi {}, \\texttt{{{}}}}},",
        escaped(version),
        escaped(&command)
    );
    let _ = writeln!(
        text,
        "  note = {{Standing: {}; method: {}}}",
        standing(&answer.value),
        escaped(&method.text)
    );
    text + "}\n"
}

/// How well the value is known, in a few words.
fn standing(value: &Value) -> &'static str {
    match value {
        Value::Exact { .. } => "exact",
        Value::Residue { .. } => "exact remainder",
        Value::AtLeast { .. } => "lower bound",
        Value::Estimated(_) => "estimate",
        Value::None { .. } => "none, proved",
        Value::Described {} => "described",
        Value::GaveUp { .. } => "not known, a limit was reached",
    }
}

/// A key: the game, the verb and the place, as letters and digits.
fn key(answer: &Answer) -> String {
    let question = &answer.question;
    let place = question.place.to_string();
    let place = if place.len() > 24 { "drawn" } else { &place };
    let words = format!("pessoi-{}-{}-{place}", question.verb, question.game);
    let plain = words.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' });
    plain.collect::<String>().trim_end_matches('-').to_owned()
}

/// The text for LaTeX.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '#' | '$' | '%' | '&' | '_' | '{' | '}' => out.extend(['\\', c]),
            '\\' => out.push_str("\\textbackslash{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '×' => out.push_str("$\\times$"),
            '≥' => out.push_str("$\\ge$"),
            '·' => out.push_str("$\\cdot$"),
            '<' => out.push_str("\\textless{}"),
            '>' => out.push_str("\\textgreater{}"),
            '|' => out.push_str("\\textbar{}"),
            // Typewriter fonts show it straight, as a shell wants it.
            '\'' => out.push_str("\\textquotesingle{}"),
            // Two dashes would become one long one.
            '-' if out.ends_with('-') => out.push_str("{}-"),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Catalogue, Question, Run, Verb};

    #[test]
    fn a_citation_has_all_that_gives_the_number_again() {
        let question = Question::new(Verb::Count, "knight-tours", "5x6").unwrap();
        let question = question.with("closed", true);
        let answer = Catalogue::standard().answer(&question, &Run::default()).unwrap();
        let cited = citation(&answer);
        for part in [
            "8 undirected closed paths, exactly",
            "pessoi count knight-tours 5x6 --closed",
            "@misc{pessoi-count-knight-tours-5x6,",
            "\\texttt{pessoi count knight-tours 5x6 -{}-closed}",
            env!("CARGO_PKG_VERSION"),
            "Standing: exact",
        ] {
            assert!(cited.contains(part), "{part} in {cited}");
        }
        let braces = |c| cited.matches(c).count();
        assert_eq!(braces('{'), braces('}'));
    }

    #[test]
    fn latex_is_escaped() {
        assert_eq!(
            escaped("a_b 50% {x} --y ~ \\"),
            "a\\_b 50\\% \\{x\\} -{}-y \\textasciitilde{} \\textbackslash{}"
        );
        assert_eq!(
            escaped("'..#' | a"),
            "\\textquotesingle{}..\\#\\textquotesingle{} \\textbar{} a"
        );
    }

    /// The file for those who cite the program names the version that this is.
    #[test]
    fn the_citation_file_is_of_this_version() {
        let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../CITATION.cff");
        let file = std::fs::read_to_string(file).unwrap();
        let version = format!("version: {}", env!("CARGO_PKG_VERSION"));
        assert!(file.lines().any(|line| line == version), "{file}");
    }
}
