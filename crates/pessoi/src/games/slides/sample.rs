//! Random starts that can be solved, also at a given distance from the goal.

use num_bigint::BigUint;
use pessoi_engine::explore::layers as plain_layers;
use pessoi_engine::lift::{Table as Planes, diameter};
use pessoi_engine::random::Random;
use pessoi_engine::run::Stop;

use super::explore::{Engine, Known, geometry, reached, too_large};
use super::holes::{Holes, Part};
use super::plain::{Configurations, isolated};
use super::position::Position;
use super::task::Asked;
use crate::answer::{Answer, Figure, Solution, Value};
use crate::certificate::Certificate;
use crate::error::{Error, Result};

const COUNTS: &str = "random configurations drawn";

/// How far from the goal.
enum Distance {
    Any,
    Exactly(u32),
    God,
}

/// Answers `sample`.
pub(super) fn sample(asked: &Asked) -> Result<Answer> {
    let Asked { question, puzzle, .. } = asked;
    let holes = puzzle.len() - asked.tiles()?;
    let distance = match question.text("distance") {
        None => Distance::Any,
        Some("god") if question.text("to").is_some() => {
            return Err(Error::input(
                "--distance god chooses the goal's holes itself, so it goes without --to.",
            ));
        }
        Some("god") => Distance::God,
        Some(text) => match text.parse() {
            Ok(slides) => Distance::Exactly(slides),
            Err(_) => {
                return Err(Error::input(format!(
                    "--distance {text:?} is not accepted: give a number of slides, or god."
                )));
            }
        },
    };
    if let Some(none) = asked.nothing(holes, "configurations that allow a slide") {
        return Ok(none);
    }
    let goal = asked.to(holes)?;
    if puzzle.is_isolated(goal.holes()) {
        return Err(isolated("to"));
    }
    let known = match Known::new(asked, holes) {
        Ok(known) => known,
        Err(stop) => return Ok(asked.gave_up(&stop, COUNTS, "the group")),
    };
    match (known, distance) {
        (Known::Holes(found), Distance::Any) => draw_any(asked, &found, &goal),
        (Known::Maximal { .. }, Distance::Any) => Ok(draw_from_all(asked, &goal)),
        (Known::Maximal { .. }, _) => {
            let why = "there are too many sets of holes for distances".into();
            Ok(asked.answer(Value::GaveUp { why }, COUNTS, "the group"))
        }
        (Known::Holes(found), Distance::Exactly(slides)) => {
            draw_at(asked, &found, &goal, Some(slides))
        }
        (Known::Holes(found), Distance::God) => draw_at(asked, &found, &goal, None),
    }
}

fn samples(asked: &Asked) -> u64 {
    asked.question.number("samples").unwrap_or(1)
}

fn tell(asked: &Asked, drawn: Vec<Solution>, stop: Option<&Stop>, method: &str) -> Answer {
    let number = BigUint::from(drawn.len());
    let value = match stop {
        Some(stop) => Value::stopped(number, stop),
        None => Value::AtLeast { number, why: None },
    };
    let mut answer = asked.answer(value, COUNTS, method);
    answer.solutions = drawn;
    answer.seed = Some(asked.run.budget().seed);
    answer.certificate = Some(Certificate::Solutions);
    answer
}

fn figure(asked: &Asked, positions: &[&Position]) -> Solution {
    let drawings = positions.iter().map(|position| position.drawing(&asked.puzzle)).collect();
    Figure::Positions { drawings, closed: false }.into()
}

/// Draws as often as asked.
fn draw(
    asked: &Asked,
    mut one: impl FnMut(&mut Random) -> Option<Solution>,
) -> (Vec<Solution>, Option<Stop>) {
    let mut random = Random::new(asked.run.budget().seed, 0);
    let mut drawn = Vec::new();
    let mut claim = asked.run.claim();
    for number in 1..=samples(asked) {
        let room = number * (100 + 8 * asked.puzzle.len() as u64);
        if let Err(stop) = asked.run.check().and_then(|()| claim.grow_to(room)) {
            return (drawn, Some(stop));
        }
        drawn.extend(one(&mut random));
    }
    (drawn, None)
}

/// Every configuration of the goal's component with the same chance.
fn draw_any(asked: &Asked, found: &Holes, goal: &Position) -> Result<Answer> {
    let puzzle = &asked.puzzle;
    let Some((part, node)) = found.place(goal) else { return Err(isolated("to")) };
    let part = &found.parts[part];
    let before = part.gauge.rename(node, &goal.tiles());
    let (drawn, stop) = draw(asked, |random| {
        let node = random.below(part.sets.len() as u64) as u32;
        let element = part.group.random(random);
        let named: Vec<u8> = element.images().iter().map(|&s| before[s as usize]).collect();
        let tiles = part.gauge.restore(node, &named);
        let position = Position::new(puzzle.len(), part.sets[node as usize], &tiles);
        Some(figure(asked, &[&position]))
    });
    let mut answer = tell(asked, drawn, stop.as_ref(), "a random element of the group");
    answer.notes.push(format!(
        "Each of the {} configurations from which {} can be reached had the same chance.",
        part.size(),
        goal.line(puzzle)
    ));
    Ok(answer)
}

/// Every configuration that allows a slide, where all of them hang together.
fn draw_from_all(asked: &Asked, goal: &Position) -> Answer {
    let puzzle = &asked.puzzle;
    let (drawn, stop) = draw(asked, |random| {
        // Isolated ones are drawn again; there are few of them with many holes.
        loop {
            let mut position = goal.clone();
            random.shuffle(&mut position.0);
            if !puzzle.is_isolated(position.holes()) {
                return Some(figure(asked, &[&position]));
            }
            if asked.run.check().is_err() {
                return None;
            }
        }
    });
    let mut answer = tell(asked, drawn, stop.as_ref(), "a random order of the tiles and holes");
    answer.notes.push(
        "Each configuration that allows a slide had the same chance; all of them hang together."
            .into(),
    );
    answer
}

/// Configurations at a distance from the goal, each with the same chance; or, for `None`,
/// at God's number from a goal that is that far from something.
fn draw_at(asked: &Asked, found: &Holes, goal: &Position, slides: Option<u32>) -> Result<Answer> {
    let run = asked.run;
    let method = "a layer of the puzzle graph";
    let Some((part, node)) = found.place(goal) else { return Err(isolated("to")) };
    let part = &found.parts[part];
    match Engine::choose(asked, part, run) {
        Err(stop) => Ok(asked.gave_up(&stop, COUNTS, method)),
        Ok(Engine::TooLarge { states, bytes }) => {
            let why = too_large(&states, &bytes, run);
            Ok(asked.answer(Value::GaveUp { why }, COUNTS, method))
        }
        Ok(Engine::Plain { .. }) => match slides {
            Some(slides) => Ok(plain_at(asked, goal, slides)),
            None => Err(Error::input(
                "--distance god needs tables, and this board's group is too small for them; see \
                 explore for God's number.",
            )),
        },
        Ok(Engine::Fast { gauge, .. }) => {
            let mut planes = match Planes::new(&part.gains, gauge, run) {
                Ok(planes) => planes,
                Err(stop) => return Ok(asked.gave_up(&stop, COUNTS, method)),
            };
            Ok(fast_at(asked, part, &mut planes, (goal, node), slides))
        }
    }
}

fn fast_at(
    asked: &Asked,
    part: &Part,
    planes: &mut Planes,
    (goal, node): (&Position, u32),
    slides: Option<u32>,
) -> Answer {
    let Asked { puzzle, run, .. } = asked;
    let method = "a layer of the puzzle graph, by tables of two bits a configuration";
    let (goal, node, slides) = match slides {
        Some(slides) => (goal.clone(), node, slides),
        None => match diameter(planes, &part.gains, &geometry(puzzle, part), run) {
            Err(stopped) => return asked.gave_up(&stopped.why, COUNTS, method),
            Ok(found) => {
                let goal = Position::home(puzzle, part.sets[found.from as usize]);
                (goal, found.from, found.layers.depth())
            }
        },
    };
    let layers = match planes.layers(node, Some(slides), run) {
        Ok(layers) => layers,
        Err(stop) => return asked.gave_up(&stop, COUNTS, method),
    };
    if layers.depth() < slides {
        return none_so_far(asked, &goal, layers.depth(), method);
    }
    let count = layers.sizes[slides as usize];
    let (drawn, stop) = draw(asked, |random| {
        let (there, does) = planes.state(random.below(count))?;
        let position = reached(planes, part, node, &goal, there, does.images(), puzzle);
        Some(figure(asked, &[&position, &goal]))
    });
    at_distance(asked, drawn, stop.as_ref(), (count, slides), &goal, method)
}

fn plain_at(asked: &Asked, goal: &Position, slides: u32) -> Answer {
    let Asked { puzzle, run, .. } = asked;
    let method = "a layer of the puzzle graph, by a plain search";
    let space = Configurations { puzzle, starts: Vec::new() };
    let found = match plain_layers(&space, [goal.clone()], run) {
        Ok(found) => found,
        Err(stopped) => return asked.gave_up(&stopped.why, COUNTS, method),
    };
    let sizes = found.sizes();
    let Some(&count) = sizes.get(slides as usize) else {
        return none_so_far(asked, goal, sizes.len() as u32 - 1, method);
    };
    let (drawn, stop) = draw(asked, |random| {
        let position = found.layer(slides.into()).nth(random.below(count) as usize)?;
        Some(figure(asked, &[position, goal]))
    });
    at_distance(asked, drawn, stop.as_ref(), (count, slides), goal, method)
}

fn none_so_far(asked: &Asked, goal: &Position, farthest: u32, method: &str) -> Answer {
    let proof =
        format!("nothing is farther than {farthest} slides from {}", goal.line(&asked.puzzle));
    asked.answer(Value::None { proof }, "configurations at that distance", method)
}

fn at_distance(
    asked: &Asked,
    drawn: Vec<Solution>,
    stop: Option<&Stop>,
    (count, slides): (u64, u32),
    goal: &Position,
    method: &str,
) -> Answer {
    let mut answer = tell(asked, drawn, stop, method);
    answer.notes.push(format!(
        "Each of the {count} configurations that are {slides} slides from {} had the same chance; \
         the goal is shown second.",
        goal.line(&asked.puzzle)
    ));
    answer
}
