//! A question in rounds, as workers and the driver see it.

use std::collections::BTreeMap;

use pessoi::error::{Code, Error, Result, one_line};
use pessoi::{Answer, Asked, Bytes, Catalogue, InRounds, Method, Question, Run, Takes};
use pessoi_engine::records::Unusable;
use pessoi_engine::rounds::{At, Ended, Label, unseal};
use pessoi_engine::run::{Claim, Stop};

use crate::log::{Course, Done, Log, Pass, VERSION, another, refused};

/// What a cluster engine carries: a parcel or a log, and the place that it is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The place, from 0.
    pub place: usize,
    /// Whether it is the log of the place; otherwise it is a parcel.
    pub is_log: bool,
    /// What is in it.
    pub bytes: Vec<u8>,
}

/// A question in rounds.
pub struct Work {
    question: Question,
    places: usize,
    rounds: Box<dyn InRounds>,
    identity: Vec<u64>,
    /// What was prepared for all rounds is memory of this run.
    kept: Run,
}

/// The rows that a task holds. All of them are claimed, and so is what was prepared, for a task
/// has to have room for that too.
struct Held {
    /// Those that are made.
    sent: Vec<Row>,
    /// Bytes of all rows and of what was prepared.
    bytes: u64,
    claim: Claim,
}

impl Held {
    fn take(&mut self, bytes: u64) -> std::result::Result<(), Stop> {
        self.bytes += bytes;
        self.claim.grow_to(self.bytes)
    }

    fn give(&mut self, bytes: u64) {
        self.bytes -= bytes;
        // Less is never refused.
        let _ = self.claim.grow_to(self.bytes);
    }
}

impl Work {
    /// A question in so many places; `None` if it is answered as soon as it is asked. What has no
    /// rounds is refused with the field `rounds`. What is prepared is kept from round to round: it is
    /// memory of this run, and counts in every task.
    pub fn open(
        catalogue: &Catalogue,
        question: &Question,
        places: usize,
        run: &Run,
    ) -> Result<Option<Self>> {
        if places == 0 {
            return Err(Error::option("places", "A count has at least one place."));
        }
        let job = catalogue.job(question)?;
        let Some(rounds) = job.rounds(places, run)? else { return Ok(None) };
        let most = rounds.work().most_places();
        if places > most {
            let sentence = format!(
                "{places} places are too many: on {} no more than {most} have something to do.",
                question.place
            );
            return Err(Error::option("places", sentence));
        }
        let identity = rounds.work().identity();
        let (question, kept) = (question.clone(), run.clone());
        Ok(Some(Work { question, places, rounds, identity, kept }))
    }

    /// The question.
    pub fn question(&self) -> &Question {
        &self.question
    }

    /// How many places there are.
    pub fn places(&self) -> usize {
        self.places
    }

    /// Rounds of a pass.
    pub fn rounds(&self) -> usize {
        self.rounds.work().rounds()
    }

    /// The run of what was prepared.
    pub fn kept(&self) -> &Run {
        &self.kept
    }

    /// The engine.
    pub(crate) fn method(&self) -> &'static Method {
        self.rounds.method()
    }

    /// What it takes, if that is known beforehand.
    pub(crate) fn takes(&self) -> Option<Takes> {
        self.rounds.takes()
    }

    /// The rows that the first pass begins with: the logs of all places. `None` if there is none.
    pub fn begin(&self) -> Option<Vec<Row>> {
        self.pass(&[])
    }

    /// The rows that the next pass begins with, after one that has come to its end; `None` if there
    /// is none.
    pub fn begin_next(&self, course: &Course) -> Option<Vec<Row>> {
        self.pass(&self.ended(course))
    }

    fn ended(&self, course: &Course) -> Vec<Pass> {
        let mut ended = course.ended.clone();
        if self.is_over(course) {
            let Course { modulus, told, borders, bytes, .. } = course.clone();
            let bytes = bytes.into_iter().fold(0, u64::saturating_add);
            ended.push(Pass { modulus, told, borders, bytes });
        }
        ended
    }

    fn pass(&self, ended: &[Pass]) -> Option<Vec<Row>> {
        let done: Vec<Ended> = ended.iter().cloned().map(Ended::from).collect();
        let modulus = self.rounds.work().next_pass(&done)?;
        let log = |place: usize| Log {
            pessoi: VERSION.to_owned(),
            question: self.question.clone(),
            places: self.places,
            place,
            modulus,
            rounds: Vec::new(),
            told: Vec::new(),
            ended: if place == 0 { ended.to_vec() } else { Vec::new() },
        };
        let row = |place| Row { place, is_log: true, bytes: log(place).seal() };
        Some((0..self.places).map(row).collect())
    }

    /// Does the next round of all places whose rows these are.
    pub fn round(&self, rows: Vec<Row>, run: &Run) -> Result<Vec<Row>> {
        let mut places: BTreeMap<usize, Vec<Row>> = BTreeMap::new();
        let mut bytes = self.kept.progress().bytes;
        for row in rows {
            bytes += row.bytes.len() as u64;
            places.entry(row.place).or_default().push(row);
        }
        let mut held = Held { sent: Vec::new(), bytes, claim: run.claim() };
        for (place, rows) in places {
            self.place(place, rows, run, &mut held)?;
        }
        Ok(held.sent)
    }

    fn place(&self, place: usize, rows: Vec<Row>, run: &Run, held: &mut Held) -> Result<()> {
        let (logs, parcels): (Vec<Row>, Vec<Row>) = rows.into_iter().partition(|row| row.is_log);
        let [log] = logs.as_slice() else {
            return Err(refused(&format!("holds {} logs of place {place}", logs.len())));
        };
        let mut log = Log::unseal(&log.bytes)?;
        if log.pessoi != VERSION {
            return Err(versions(&one_line(&log.pessoi)));
        }
        let at = At { modulus: log.modulus, round: log.rounds.len(), place, places: self.places };
        if log.question != self.question || log.place != place || log.places != self.places {
            return Err(another(&log.question));
        }
        if at.round >= self.rounds() {
            return Err(refused("holds more rounds than there are"));
        }
        let failed = |why: &Unusable| self.failed(at, why);
        held.take(0).map_err(|stop| failed(&stop.into()))?;
        let bytes: usize = parcels.iter().map(|parcel| parcel.bytes.len()).sum();
        let mut came = Vec::with_capacity(parcels.len());
        for parcel in parcels {
            came.push(unseal(&parcel.bytes, &self.identity, at).map_err(|why| failed(&why))?);
        }
        // From here on the engine has them.
        held.give(bytes as u64);
        let mut done = Done::default();
        let told = self.rounds.work().round(at, came, run, &mut |to, words| {
            let bytes = Label::sent(&self.identity, at, to).seal(&words);
            done.parcels += 1;
            done.bytes += bytes.len() as u64;
            held.take(bytes.len() as u64)?;
            held.sent.push(Row { place: to, is_log: false, bytes });
            Ok(())
        });
        let told = told.map_err(|why| failed(&why))?;
        done.borders = told.borders;
        log.rounds.push(done);
        log.told = told.words;
        held.sent.push(Row { place, is_log: true, bytes: log.seal() });
        Ok(())
    }

    /// Why a round of a place failed.
    fn failed(&self, at: At, why: &Unusable) -> Error {
        let (place, round) = (at.place + 1, at.round + 1);
        let (places, rounds) = (self.places, self.rounds());
        let whose = format!("place {place} of {places} in round {round} of {rounds}");
        match why {
            Unusable::Stop(stop) => Error::new(
                Code::Stopped,
                "memory",
                format!(
                    "The {whose} was stopped: {stop}. More places take less memory each; a task \
                     takes what memory allows it."
                ),
            ),
            why => Error::new(Code::Io, "parcel", format!("A parcel for {whose} {why}.")),
        }
    }

    /// How far a count has come, by the logs of all places.
    pub fn look<'l>(&self, logs: impl IntoIterator<Item = &'l [u8]>) -> Result<Course> {
        let logs: Result<Vec<Log>> = logs.into_iter().map(Log::unseal).collect();
        let course = Course::of(logs?, &self.question, self.places)?;
        if course.rounds > self.rounds() {
            return Err(refused("holds more rounds than there are"));
        }
        Ok(course)
    }

    /// Whether the present pass has come to its end.
    pub fn is_over(&self, course: &Course) -> bool {
        course.rounds == self.rounds()
    }

    /// The answer, when the last pass has come to its end. `None` stands for a count that takes no
    /// pass.
    pub fn conclude(&self, course: Option<&Course>, run: &Run) -> Result<Answer> {
        let ended = course.map_or_else(Vec::new, |course| self.ended(course));
        let ended: Vec<Ended> = ended.into_iter().map(Ended::from).collect();
        if self.rounds.work().next_pass(&ended).is_some() {
            return Err(Error::internal("a count that has not come to its end"));
        }
        let mut answer = self.rounds.conclude(&Asked::new(&self.question, run), &ended)?;
        // How it was made, beside the engine.
        let (places, rounds) = (self.places, self.rounds() * ended.len());
        answer.method.text = format!(
            "{}; on a cluster, in {places} {} and {rounds} {}, {} shuffled",
            answer.method.text,
            if places == 1 { "place" } else { "places" },
            if rounds == 1 { "round" } else { "rounds" },
            Bytes(course.map_or(0, Course::shuffled))
        );
        Ok(answer)
    }
}

/// Versions that differ.
pub(crate) fn versions(other: &str) -> Error {
    Error::new(
        Code::Conflict,
        "version",
        format!(
            "The driver has pessoi {other}, and a worker has {VERSION}: install the same version \
             on all machines, or let the driver ship its own."
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use pessoi::Budget;
    use std::sync::OnceLock;

    fn catalogue() -> &'static Catalogue {
        static CATALOGUE: OnceLock<Catalogue> = OnceLock::new();
        CATALOGUE.get_or_init(Catalogue::standard)
    }

    fn question(words: &str) -> Question {
        let words: Vec<&str> = words.split(' ').collect();
        catalogue().read_question(&words).unwrap()
    }

    fn work(words: &str, places: usize) -> Work {
        Work::open(catalogue(), &question(words), places, &Run::default()).unwrap().unwrap()
    }

    /// Carries rows as a cluster engine does: it puts several places together, shuffles, forgets
    /// everything but the rows, and does some tasks twice.
    fn carried(words: &str, places: usize) -> Answer {
        let run = Run::new(Budget { threads: 1, ..Budget::default() });
        let driver = work(words, places);
        let mut course: Option<Course> = None;
        let mut rows = driver.begin();
        while let Some(mut now) = rows {
            // Any worker knows the question only.
            let worker = work(words, places);
            for _ in 0..worker.rounds() {
                let mut tasks: Vec<Vec<Row>> = vec![Vec::new(); 2];
                for row in now {
                    tasks[row.place % 2].push(row);
                }
                let again = worker.round(tasks[0].clone(), &run).unwrap();
                now = worker.round(std::mem::take(&mut tasks[1]), &run).unwrap();
                let once = worker.round(std::mem::take(&mut tasks[0]), &run).unwrap();
                assert_eq!(once, again, "a round can be done again");
                now.splice(0..0, once);
                let last = now.len() - 1;
                now.swap(0, last);
            }
            assert!(now.iter().all(|row| row.is_log), "the last round sends nothing");
            let end = driver.look(now.iter().map(|row| &row.bytes[..])).unwrap();
            assert!(driver.is_over(&end));
            rows = driver.begin_next(&end);
            course = Some(end);
        }
        driver.conclude(course.as_ref(), &run).unwrap()
    }

    #[test]
    fn rounds_answer_what_one_machine_answers() {
        for words in [
            "count knight-tours 6x6 --closed",
            "count knight-tours 5x6",
            "count knight-tours 5x5 --from 1,1",
            "count diplomatico 5x6",
            "count diplomatico 5x5 --directed",
            "count wazir-tours 5x6 --method plain-sweep",
            "count king-tours 3x40 --closed",
            "count go 5x5",
            "count go 5x7",
            "count go 6x6 --ternary",
            "count go 5x6 --mod 1000003",
            "count go 4x4 --method sweep",
        ] {
            let asked = question(words);
            let whole = catalogue().answer(&asked, &Run::default()).unwrap();
            for places in [1, 3] {
                let found = carried(words, places);
                assert_eq!(found.value, whole.value, "{words} {places}");
                assert_eq!(found.subject, whole.subject, "{words}");
                assert_eq!(found.facts, whole.facts, "{words}");
                // Go's blocks are counted modulo other primes.
                if found.method.id == whole.method.id {
                    let (found, whole) = (&found.certificate, &whole.certificate);
                    assert_eq!(found.is_some(), whole.is_some(), "{words}");
                }
            }
        }
    }

    /// An answer like any other.
    #[test]
    fn answers_of_clusters_are_verified() {
        for words in ["count knight-tours 5x5", "count go 4x4", "count go 4x5 --mod 1009"] {
            let saved = serde_json::to_vec(&carried(words, 2)).unwrap();
            let verdict = catalogue().verify(&saved, pessoi::Effort::Usual, &Run::default());
            assert!(verdict.unwrap().holds, "{words}");
        }
    }

    #[test]
    fn what_is_soon_answered_or_has_no_rounds_is_told_apart() {
        let open = |words: &str, places| {
            Work::open(catalogue(), &question(words), places, &Run::default())
        };
        assert!(open("count knight-tours 3x3", 2).unwrap().is_none(), "proved at once");
        assert!(open("count go 3x3", 2).unwrap().is_none(), "a table");
        for words in [
            "count knight-tours 5x5 --classes",
            "count knight-tours 5x5 --method branch",
            "count knight-loops 8",
            "list knight-tours 5x5",
            "explore hex-slide T3",
            "count go 2x2 --games",
        ] {
            let Err(error) = open(words, 2) else { panic!("{words}") };
            assert_eq!(error.field.as_deref(), Some("rounds"), "{words}");
        }
        // With no method asked for, another shape may do.
        for words in ["count king-tours 1x2", "count knight-tours 20x20"] {
            let Err(error) = open(words, 2) else { panic!("{words}") };
            assert_eq!(error.field.as_deref(), Some("rounds"), "{words}");
        }
        let Err(error) = open("count knight-tours 20x20 --method pairings", 2) else { panic!() };
        assert_eq!(error.field.as_deref(), Some("place"));
        let Err(error) = open("count go 4x4", 1000) else { panic!() };
        assert_eq!(error.field.as_deref(), Some("options.places"));
        assert!(open("count go 4x4", 0).is_err());
    }

    #[test]
    fn rows_of_another_count_are_refused() {
        let ours = work("count knight-tours 5x6 --closed", 2);
        let run = Run::default();
        let rows = ours.round(ours.begin().unwrap(), &run).unwrap();
        let logs = |rows: &[Row]| -> Vec<Vec<u8>> {
            rows.iter().filter(|row| row.is_log).map(|row| row.bytes.clone()).collect()
        };
        let look = |work: &Work, logs: &[Vec<u8>]| work.look(logs.iter().map(|log| &log[..]));
        assert_eq!(look(&ours, &logs(&rows)).unwrap().rounds, 1);
        let other = work("count knight-tours 5x6", 2);
        let error = look(&other, &logs(&rows)).unwrap_err();
        assert!(error.sentence.contains("another question (count knight-tours 5x6"), "{error}");
        assert!(other.round(rows.clone(), &run).is_err());
        let error = look(&work("count knight-tours 5x6 --closed", 3), &logs(&rows)).unwrap_err();
        assert!(error.sentence.contains("in 2 places, and not in 3"), "{error}");
        // A round that was not written to its end.
        assert!(look(&ours, &logs(&rows)[..1]).is_err());
        assert!(look(&ours, &[]).is_err());
        let mixed = [logs(&rows)[0].clone(), logs(&ours.begin().unwrap())[1].clone()];
        assert!(look(&ours, &mixed).is_err());
        // A flipped bit, in a log or in a parcel.
        for row in 0..rows.len() {
            let mut changed = rows.clone();
            let middle = changed[row].bytes.len() / 2;
            changed[row].bytes[middle] ^= 4;
            assert!(ours.round(changed, &run).is_err());
        }
        // A parcel that went astray.
        let mut astray = rows.clone();
        if let Some(row) = astray.iter_mut().find(|row| !row.is_log) {
            row.place = 1 - row.place;
            assert!(ours.round(astray, &run).is_err());
        }
        // A place without its log.
        let lost: Vec<Row> = rows.iter().filter(|row| !row.is_log).cloned().collect();
        assert!(ours.round(lost, &run).is_err());
    }

    #[test]
    fn memory_that_is_too_small_is_said() {
        let ours = work("count knight-tours 6x6 --closed", 1);
        let run = Run::new(Budget { memory: Some(20_000), threads: 1, ..Budget::default() });
        let mut rows = ours.begin().unwrap();
        let error = loop {
            match ours.round(rows, &run) {
                Ok(next) => rows = next,
                Err(error) => break error,
            }
        };
        assert_eq!((error.code, error.field.as_deref()), (Code::Stopped, Some("memory")));
        assert!(error.sentence.contains("The place 1 of 1 in round"), "{error}");
        assert!(error.sentence.contains("memory limit"), "{error}");
    }

    /// An engine may give all places to one task. It claims what all of them hold.
    #[test]
    fn a_task_of_all_places_claims_for_all() {
        let ours = work("count knight-tours 5x6", 4);
        let mut rows = ours.begin().unwrap();
        for _ in 0..12 {
            rows = ours.round(rows, &Run::default()).unwrap();
        }
        let held: usize = rows.iter().map(|row| row.bytes.len()).sum();
        let run = Run::default();
        let sent = ours.round(rows, &run).unwrap();
        let parcels = sent.iter().filter(|row| !row.is_log);
        let made: usize = parcels.map(|row| row.bytes.len()).sum();
        assert!(run.peak_bytes() >= held.max(made) as u64, "{held} {made}");
    }

    #[test]
    fn another_version_is_refused() {
        let ours = work("count knight-tours 5x6 --closed", 1);
        let mut rows = ours.begin().unwrap();
        let mut log = Log::unseal(&rows[0].bytes).unwrap();
        log.pessoi = "0.0.1".to_owned();
        rows[0].bytes = log.seal();
        let error = ours.round(rows.clone(), &Run::default()).unwrap_err();
        assert!(error.sentence.contains("The driver has pessoi 0.0.1"), "{error}");
        let error = ours.look(rows.iter().map(|row| &row.bytes[..])).unwrap_err();
        assert!(error.sentence.contains("was written by version 0.0.1"), "{error}");
    }
}
