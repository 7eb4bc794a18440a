//! JSON: the whole answer, or for verbs that stream one line for each solution and the
//! answer as the last line.

use std::sync::Arc;

use super::{Format, Out, Page, Writer, lines, whole, write_cells};
use crate::answer::{Answer, FORMAT};
use crate::error::{Error, Result, one_line};
use crate::job::{Encoder, Events};
use crate::question::Verb;
use crate::solution::{Class, Figure, Solution};

pub(super) struct Json;

impl Format for Json {
    fn id(&self) -> &'static str {
        "json"
    }

    fn help(&self) -> &'static str {
        "the whole answer, for programs and for verify"
    }

    fn media_type(&self) -> &'static str {
        "application/json"
    }

    fn extension(&self) -> &'static str {
        "json"
    }

    fn holds(&self, _: Verb) -> bool {
        true
    }

    fn writer<'a>(&self, page: &Page<'a>, out: Out<'a>) -> Result<Box<dyn Writer + 'a>> {
        if page.question.verb.streams() {
            return Ok(lines(out, "", Arc::new(Line), |answer| {
                let mut line = serde_json::to_vec(&without_solutions(answer))
                    .map_err(|error| failed(&error))?;
                line.push(b'\n');
                Ok(line)
            }));
        }
        Ok(whole(page, out, |answer, _| {
            let mut text = serde_json::to_vec_pretty(answer).map_err(|error| failed(&error))?;
            text.push(b'\n');
            Ok(Some(text))
        }))
    }

    fn reads(&self, saved: &[u8]) -> bool {
        std::str::from_utf8(saved).is_ok()
    }

    fn read(&self, saved: &[u8], events: &mut dyn Events) -> Result<Answer> {
        let text = std::str::from_utf8(saved).map_err(|error| Error::input(error.to_string()))?;
        read(text, events)
    }
}

fn failed(error: &serde_json::Error) -> Error {
    Error::internal(error.to_string())
}

/// Solutions stand on the lines before.
fn without_solutions(answer: &Answer) -> Answer {
    Answer { solutions: Vec::new(), ..answer.clone() }
}

/// A solution as a line. Paths are written by hand: serde would take ten times as long.
struct Line;

impl Encoder for Line {
    fn encode(&self, solution: &Solution, out: &mut Vec<u8>) {
        if let Figure::Path { cells, closed } = &solution.figure
            && !cells.is_empty()
        {
            out.extend_from_slice(b"{\"figure\":\"path\",\"cells\":[\"");
            write_cells(cells, b"\",\"", out);
            let end: &[u8] = if *closed { b"\"],\"closed\":true" } else { b"\"],\"closed\":false" };
            out.extend_from_slice(end);
            if let Some(Class { orbit, symmetries }) = &solution.class {
                out.extend_from_slice(b",\"class\":{\"orbit\":");
                out.extend_from_slice(orbit.to_string().as_bytes());
                out.extend_from_slice(b",\"symmetries\":");
                // Most classes have none. Names have nothing that JSON cannot hold.
                let names = match &symmetries[..] {
                    [] => b"[]".to_vec(),
                    names => serde_json::to_vec(names).unwrap_or_default(),
                };
                out.extend(names);
                out.push(b'}');
            }
            out.push(b'}');
        } else if let Ok(line) = serde_json::to_vec(solution) {
            // Solutions have nothing that JSON cannot hold.
            out.extend(line);
        }
        out.push(b'\n');
    }
}

fn read(text: &str, events: &mut dyn Events) -> Result<Answer> {
    if text.trim().is_empty() {
        return Err(Error::input("The file is empty: an answer in JSON was expected."));
    }
    let wrong = |line: usize, error: &serde_json::Error| {
        // The reader knows only the line that it was given.
        let what = error.to_string();
        let what = what.split(" at line ").next().unwrap_or_default();
        let what = one_line(what.trim_end_matches('.'));
        Error::input(format!(
            "This is not an answer in JSON, as written by --format json: line {line}: {what}."
        ))
    };
    // One answer, perhaps over several lines …
    let error = match serde_json::from_str::<Answer>(text) {
        Ok(mut answer) => {
            check_format(&answer)?;
            for solution in std::mem::take(&mut answer.solutions) {
                if events.solution(solution).is_break() {
                    break;
                }
            }
            return Ok(answer);
        }
        Err(error) => error,
    };
    // … or solutions line by line, and their answer last.
    let lines: Vec<(usize, &str)> =
        (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()).collect();
    let Some(((last, answer), solutions)) = lines.split_last().filter(|(_, rest)| !rest.is_empty())
    else {
        return Err(wrong(error.line().max(1), &error));
    };
    let mut is_wanted = true;
    for (k, (number, line)) in solutions.iter().enumerate() {
        match serde_json::from_str::<Solution>(line) {
            Ok(solution) => is_wanted = is_wanted && events.solution(solution).is_continue(),
            // It never was a list of solutions: the first message is the right one.
            Err(_) if k == 0 => return Err(wrong(error.line().max(1), &error)),
            Err(error) => return Err(wrong(*number, &error)),
        }
    }
    let answer: Answer = serde_json::from_str(answer).map_err(|e| wrong(*last, &e))?;
    check_format(&answer)?;
    Ok(answer)
}

fn check_format(answer: &Answer) -> Result<()> {
    if answer.format == FORMAT {
        return Ok(());
    }
    let found = answer.format;
    Err(Error::new(
        crate::error::Code::BadValue,
        "format",
        format!("This answer is of format {found}; version {FORMAT} is read."),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Cell;
    use crate::job::Deaf;

    #[test]
    fn lines_by_hand_are_lines_by_serde() {
        let cells: Vec<Cell> = [(0, 0), (8, 9), (9, 8), (98, 99), (99, 98), (5000, 0)]
            .map(|(row, col)| Cell { row, col })
            .to_vec();
        let class = |symmetries: &[&str]| {
            let symmetries = symmetries.iter().map(ToString::to_string).collect();
            Some(Class { orbit: 8, symmetries })
        };
        let classes = [None, class(&[]), class(&["half turn", "a \"name\""])];
        let shapes = [true, false].into_iter().flat_map(|c| classes.clone().map(|k| (c, k)));
        for ((closed, class), length) in
            shapes.flat_map(|shape| [0, 1, cells.len()].map(|length| (shape.clone(), length)))
        {
            let figure = Figure::Path { cells: cells[..length].to_vec(), closed };
            let solution = Solution { figure, class };
            let mut line = Vec::new();
            Line.encode(&solution, &mut line);
            assert_eq!(line, (serde_json::to_string(&solution).unwrap() + "\n").into_bytes());
            assert_eq!(serde_json::from_slice::<Solution>(&line).unwrap(), solution);
        }
    }

    #[test]
    fn what_is_not_an_answer_is_said_so() {
        for bad in ["", "  \n", "{}", "hello", "{\"verb\":1}\n{}\n", "[1,2]\n[3]"] {
            let error = read(bad, &mut Deaf).unwrap_err().to_string();
            assert!(error.contains("JSON") && error.ends_with('.'), "{error}");
        }
    }
}
