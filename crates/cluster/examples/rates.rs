//! What a border costs in rounds, beside what it costs on one machine: the same question, answered
//! by the engine on one thread, and by rounds whose rows are carried in this process.
//!
//!     cargo run --release -p pessoi-cluster --example rates -- 8 count knight-tours 7x8 --closed
//!
//! prints both, with the seconds and bytes of each round's rows. Spark's own time is not in it.

use std::time::Instant;

use pessoi::{Budget, Catalogue, Run};
use pessoi_cluster::{Row, Work};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let (places, words) = words.split_first().ok_or("say how many places, and a question")?;
    let places: usize = places.parse()?;
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let catalogue = Catalogue::standard();
    let question = catalogue.read_question(&words)?;
    let run = Run::new(Budget { threads: 1, ..Budget::default() });
    let began = Instant::now();
    let whole = catalogue.answer(&question, &run)?;
    let one = began.elapsed().as_secs_f64();
    // What is prepared counts, as it does on one machine.
    let began = Instant::now();
    let work = Work::open(&catalogue, &question, places, &Run::default())?
        .ok_or("it is answered at once")?;
    let mut rows = work.begin();
    let mut course = None;
    let (mut most, mut peak) = (0.0f64, 0);
    while let Some(mut now) = rows {
        for _ in 0..work.rounds() {
            let mut tasks: Vec<Vec<Row>> = vec![Vec::new(); places];
            for row in now {
                tasks[row.place].push(row);
            }
            now = Vec::new();
            let mut longest = 0.0f64;
            for task in tasks {
                let began = Instant::now();
                let run = Run::new(Budget { threads: 1, ..Budget::default() });
                now.extend(work.round(task, &run)?);
                peak = peak.max(run.peak_bytes());
                longest = longest.max(began.elapsed().as_secs_f64());
            }
            // With a machine for each place, a round takes as long as its longest task.
            most += longest;
        }
        let end = work.look(now.iter().filter(|row| row.is_log).map(|row| &row.bytes[..]))?;
        rows = work.begin_next(&end);
        course = Some(end);
    }
    let rounds = began.elapsed().as_secs_f64();
    let answer = work.conclude(course.as_ref(), &run)?;
    let sent = course.map_or(0, |course| course.shuffled());
    assert_eq!(answer.value, whole.value);
    let borders = |answer: &pessoi::Answer| answer.cost.borders.unwrap_or(0) as f64;
    println!(
        "one machine ({}): {one:.2} s, {:.1} ns a border",
        whole.method.id,
        one * 1e9 / borders(&whole)
    );
    println!(
        "rounds in {places} places: {rounds:.2} s, {:.1} ns a border, {:.1} bytes sent a border, \
         {:.2} times one machine; {most:.2} s with a machine for each place",
        rounds * 1e9 / borders(&answer),
        sent as f64 / borders(&answer),
        rounds / one,
    );
    println!(
        "the largest task took {}; the largest layer has {} borders",
        pessoi::Bytes(peak),
        answer.cost.peak_borders.unwrap_or(0)
    );
    println!("{}", answer.method.text);
    Ok(())
}
