//! Answers, plans and cards as text for people.

use std::fmt::Write;

use anstyle::{AnsiColor, Style};
use pessoi::board::picture::grid;
use pessoi::board::{Board, Cell};
use pessoi::{Answer, Bytes, Card, Figure, Kind, Place, Plan, Solution, Table, Value, Verb};

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const GREEN: Style = AnsiColor::Green.on_default().bold();
/// For errors.
pub(crate) const RED: Style = AnsiColor::Red.on_default().bold();
/// Ends any style.
pub(crate) const PLAIN: anstyle::Reset = anstyle::Reset;

// Writing to a String cannot fail, so the results of write! are not looked at.

/// An answer.
pub(crate) fn answer(answer: &Answer) -> String {
    let mut text = String::new();
    for solution in &answer.solutions {
        text += &picture(answer, solution);
        text.push('\n');
    }
    for table in &answer.tables {
        text += &self::table(table);
        text.push('\n');
    }
    if !answer.terms.is_empty() {
        for term in &answer.terms {
            let _ = writeln!(text, "{:>4}  {}", term.n, term.value);
        }
        text.push('\n');
    }
    if let Some(graph) = &answer.graph {
        for &(a, b) in &graph.edges {
            let _ = writeln!(text, "{} {}", graph.nodes[a as usize], graph.nodes[b as usize]);
        }
        text.push('\n');
    }
    text + &summary(answer)
}

/// A puzzle as a drawing, and its solution if that is asked for.
pub(crate) fn puzzle(answer: &Answer) -> String {
    let Some(Place::Board(drawing)) = &answer.puzzle else { return String::new() };
    let mut text = drawing.to_text();
    if answer.question.flag("solution") {
        for solution in &answer.solutions {
            text.push('\n');
            text += &picture(answer, solution);
        }
    }
    text
}

/// What is known, and how.
pub(crate) fn summary(answer: &Answer) -> String {
    let mut text = format!("{BOLD}{}{PLAIN}\n", headline(answer));
    for note in &answer.notes {
        let _ = writeln!(text, "{note}");
    }
    let _ = writeln!(text, "{DIM}{}{PLAIN}", small_print(answer));
    text
}

/// What is known, in one line.
pub(crate) fn headline(answer: &Answer) -> String {
    let question = &answer.question;
    let place = match &question.place {
        Place::Board(_) => format!("{} on {}", question.game, question.place),
        Place::Size(_) => format!("{} {}", question.game, question.place),
        Place::Nowhere => question.game.clone(),
    };
    let is_one = matches!(&answer.value, Value::Exact { number } | Value::AtLeast { number, .. }
        if number.to_string() == "1");
    let one = answer
        .counts
        .replace("paths", "path")
        .replace("classes", "class")
        .replace("puzzles", "puzzle")
        .replace("components", "component")
        .replace("configurations drawn", "configuration drawn")
        .replace("slides in a", "slide in a");
    let counts = if is_one && !is_measure(question.verb) { &one } else { &answer.counts };
    match &answer.value {
        Value::Exact { number } if is_measure(question.verb) => {
            format!("{place}: {counts}: {number}, exactly")
        }
        Value::Exact { number } => format!("{place}: {number} {counts}, exactly"),
        Value::AtLeast { number, why: None } if question.verb == Verb::Recurrence => {
            format!("{place}: {counts}: at least {number}")
        }
        Value::AtLeast { number, why: Some(why) } => {
            format!("{place}: at least {number} {counts}; stopped because {why}")
        }
        Value::AtLeast { number, why: None }
            if matches!(question.verb, Verb::Sample | Verb::Generate) =>
        {
            format!("{place}: {number} {counts}")
        }
        Value::AtLeast { number, why: None } => {
            format!("{place}: found {number} {counts}; there may be more")
        }
        Value::Estimated { mean, low, high, .. } => format!(
            "{place}: about {} {counts}, between {} and {} with 95 % confidence",
            rounded(*mean),
            rounded(*low),
            rounded(*high)
        ),
        Value::None { proof } => format!("{place}: there are no {counts}; proof: {proof}"),
        Value::GaveUp { why } => format!("{place}: gave up, because {why}"),
    }
}

/// Whether the value is a measure of something rather than a number of things.
fn is_measure(verb: Verb) -> bool {
    matches!(verb, Verb::Explore | Verb::Recurrence)
}

fn small_print(answer: &Answer) -> String {
    let mut words = vec![answer.method.clone()];
    if let Value::Estimated { samples, effective_samples, standard_error, mean, .. } = answer.value
    {
        words.push(format!("{} samples worth {effective_samples:.0}", thousands(samples)));
        words.push(format!("standard error {:.2} %", 100.0 * standard_error / mean));
    }
    let cost = &answer.cost;
    let count = |words: &mut Vec<String>, number: Option<u64>, what: &str| {
        if let Some(number) = number {
            words.push(format!("{} {what}", thousands(number)));
        }
    };
    count(&mut words, cost.nodes, "nodes");
    count(&mut words, cost.borders, "borders");
    count(&mut words, cost.peak_borders, "in the largest layer");
    count(&mut words, cost.states, "states");
    words.push(seconds(cost.seconds));
    if cost.peak_bytes >= 1 << 20 {
        words.push(format!("{} of tables", Bytes(cost.peak_bytes)));
    }
    if let Some(seed) = answer.seed {
        words.push(format!("seed {seed}"));
    }
    words.join(" · ")
}

/// The board of an answer; where there is none, the cells of a path make one.
fn board_of(answer: &Answer, cells: &[Cell]) -> Option<Board> {
    if let Place::Board(drawing) = &answer.question.place {
        return Some(drawing.board.clone());
    }
    let side = |of: fn(&Cell) -> i32| cells.iter().map(of).max().unwrap_or(0) as usize + 1;
    Board::rectangle(side(|cell| cell.row), side(|cell| cell.col)).ok()
}

/// A solution as a grid of numbers, the first and the last in colour.
fn picture(answer: &Answer, solution: &Solution) -> String {
    let cells = match &solution.figure {
        Figure::Path { cells, .. } => cells,
        Figure::Positions { drawings, .. } => return side_by_side(drawings),
    };
    let Some(board) = board_of(answer, cells) else { return String::new() };
    let mut numbers = vec![None; board.len()];
    for (number, cell) in (1..).zip(cells) {
        if let Some(index) = board.index(*cell) {
            numbers[index] = Some(number);
        }
    }
    let plain = grid(&board, |cell| numbers[cell].map(|number: usize| number.to_string()));
    // Styles take no room on the screen, so they are put in once the columns stand.
    let ends = [1.to_string(), cells.len().to_string()];
    plain
        .split_inclusive([' ', '\n'])
        .map(|word| {
            let number = word.trim_end();
            if ends.iter().any(|end| end == number) {
                format!("{GREEN}{number}{PLAIN}{}", &word[number.len()..])
            } else {
                word.to_owned()
            }
        })
        .collect()
}

/// Drawings next to each other, as many as fit on a line of the screen.
fn side_by_side(drawings: &[String]) -> String {
    const SCREEN: usize = 78;
    const GAP: usize = 4;
    let width = drawings.iter().flat_map(|drawing| drawing.lines()).map(|l| l.chars().count());
    let width = width.max().unwrap_or(0).max(1);
    let across = ((SCREEN + GAP) / (width + GAP)).max(1);
    let mut bands = Vec::new();
    for band in drawings.chunks(across) {
        let height = band.iter().map(|drawing| drawing.lines().count()).max().unwrap_or(0);
        let mut text = String::new();
        for row in 0..height {
            let mut line = String::new();
            for (k, drawing) in band.iter().enumerate() {
                let part = drawing.lines().nth(row).unwrap_or_default();
                let gap = if k > 0 { GAP } else { 0 };
                let _ = write!(line, "{:gap$}{part:width$}", "");
            }
            text += line.trim_end();
            text.push('\n');
        }
        bands.push(text);
    }
    bands.join("\n")
}

/// A table.
pub(crate) fn table(table: &Table) -> String {
    let rows: Vec<&Vec<String>> = std::iter::once(&table.columns).chain(&table.rows).collect();
    let width = |column: usize| {
        let widths = rows.iter().filter_map(|row| row.get(column)).map(|word| word.chars().count());
        widths.max().unwrap_or(0)
    };
    let mut text = format!("{BOLD}{}{PLAIN}\n", table.title);
    for row in &rows {
        let last = row.len().saturating_sub(1);
        for (column, word) in row.iter().enumerate() {
            let room = if column < last { width(column) } else { 0 };
            let gap = if column < last { "  " } else { "" };
            let _ = write!(text, "{word:room$}{gap}");
        }
        text.push('\n');
    }
    text
}

/// What would be done.
pub(crate) fn plan(plan: &Plan) -> String {
    let question = &plan.question;
    let place =
        if question.place.is_nowhere() { String::new() } else { format!(" {}", question.place) };
    let mut text = format!(
        "{BOLD}{} {}{place} would be answered by {}{PLAIN}: {}.\n",
        question.verb,
        question.game,
        plan.method,
        plan.why.trim_end_matches('.')
    );
    let predictions = [
        (plan.nodes.map(rounded), "nodes of the search tree"),
        (plan.peak_borders.map(rounded), "borders in the largest layer"),
        (plan.bytes.map(|bytes| Bytes(bytes as u64).to_string()), "of memory"),
        (plan.seconds.map(seconds), "of time"),
    ];
    for (prediction, what) in predictions {
        if let Some(prediction) = prediction {
            let _ = writeln!(text, "About {prediction} {what}.");
        }
    }
    for note in &plan.notes {
        let _ = writeln!(text, "{note}");
    }
    text
}

/// All games, a line each.
pub(crate) fn games() -> String {
    let games = pessoi::games::all();
    let width = games.iter().map(|game| game.card().name.len()).max().unwrap_or(0);
    let mut text = String::new();
    for game in games {
        let card = game.card();
        let _ = writeln!(text, "{BOLD}{:width$}{PLAIN}  {}", card.name, card.title);
    }
    text + "\nMore about one: pessoi games NAME\n"
}

/// One game's card.
pub(crate) fn card(card: &Card) -> String {
    let mut text = format!("{BOLD}{}{PLAIN}: {}\n\n", card.name, card.title);
    let _ = writeln!(text, "{}\n", card.rules);
    let _ = writeln!(text, "Board   {}", card.place);
    let _ = writeln!(text, "Source  {}", card.source);
    let verbs: Vec<_> = card.verbs.iter().map(|verb| verb.name()).collect();
    let _ = writeln!(text, "Verbs   {}\n", verbs.join(", "));
    text += "Options\n";
    for opt in card.options {
        let verbs: Vec<_> = opt.verbs.iter().map(|verb| verb.name()).collect();
        let left = format!("--{} {}", opt.name, opt.kind.placeholder());
        let _ = writeln!(text, "  {left:17}  {}", opt.help);
        if let Kind::OneOf(names) = opt.kind {
            let _ = writeln!(text, "  {:17}  one of {}", "", names.join(", "));
        }
        let _ = writeln!(text, "  {:17}  {DIM}for {}{PLAIN}", "", verbs.join(", "));
    }
    text += "\nTry\n";
    for example in card.examples {
        let _ = writeln!(text, "  {example}");
    }
    text
}

/// What was checked.
pub(crate) fn holds(checked: &[String]) -> String {
    let mut text = format!("{GREEN}What could be checked holds.{PLAIN}\n");
    for sentence in checked {
        let mut chars = sentence.chars();
        let first = chars.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
        let _ = writeln!(text, "- {first}{}.", chars.as_str());
    }
    text += "Costs, notes, tables and names of symmetries were not looked at.\n";
    text
}

/// A number with its digits in threes.
pub(crate) fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Seconds as people say them.
pub(crate) fn seconds(seconds: f64) -> String {
    if seconds < 1.0 {
        format!("{:.0} ms", seconds * 1000.0)
    } else if seconds < 120.0 {
        format!("{seconds:.1} s")
    } else if seconds < 7200.0 {
        format!("{:.0} min", seconds / 60.0)
    } else if seconds < 172_800.0 {
        format!("{:.1} h", seconds / 3600.0)
    } else {
        format!("{} days", rounded(seconds / 86400.0))
    }
}

/// A float with four digits that matter.
fn rounded(number: f64) -> String {
    // Shares may be tiny.
    if number > 0.0 && number < 0.001 {
        format!("{number:.3e}")
    } else if (0.0..1e6).contains(&number) {
        let places = if number < 10.0 { 2 } else { usize::from(number < 1000.0) };
        format!("{number:.places$}")
    } else {
        format!("{number:.3e}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_for_people() {
        assert_eq!(thousands(0), "0");
        assert_eq!(thousands(999), "999");
        assert_eq!(thousands(1_234_567), "1,234,567");
        assert_eq!(seconds(0.0123), "12 ms");
        assert_eq!(seconds(90.0), "90.0 s");
        assert_eq!(seconds(600.0), "10 min");
        assert_eq!(rounded(41234.6), "41235");
        assert_eq!(rounded(4.1234e9), "4.123e9");
        assert_eq!(rounded(2.0e-38), "2.000e-38");
    }
}
