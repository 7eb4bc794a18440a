//! Jobs: questions that make sense, their engine chosen.
//!
//! A game turns a question into a **job** once, and refuses there everything that is wrong
//! with it. A job can be *planned* and *answered*, and both choose the engine by the same
//! code, so the engine of a plan is the engine of the answer. While it works, a job gives
//! solutions to a listener (**events**), one by one and in order, and asks whether more
//! are wanted; the answer itself holds no solutions.
//!
//! Some work can be done by machines that share nothing, in **rounds**: a job then also says what
//! is done in a round, and makes its answer of what all rounds told. Whoever carries parcels
//! between the machines knows no game, and no game knows who that is.
//!
//! Lists can have many millions of solutions. Where the listener can say how a solution is
//! written (an **encoder**), a job may write solutions on the threads that find them and hand
//! over bytes instead.

use std::sync::Arc;

use crate::answer::{Answer, Limit, Subject, Used, Value};
use crate::card::{Card, Method};
use crate::check::Findings;
use crate::error::{Code, Error, Result, one_line};
use crate::merge::{Joined, Misfit};
use crate::plan::Plan;
use crate::question::Question;
use crate::solution::Solution;
use pessoi_engine::ledger::Ledger;
use pessoi_engine::records::Unusable;
use pessoi_engine::rounds::{Ended, Rounds};
use pessoi_engine::run::{Claim, Run, Stop, Stopped};
use pessoi_engine::store::Store;

/// What the doors see of a game.
pub trait Game: Send + Sync {
    /// What it is.
    fn card(&self) -> &Card;

    /// Turns a question that [`Question::check`] let through into a job. Everything that is
    /// still wrong with it is refused here, with the field that is wrong.
    fn job<'a>(&'a self, question: &'a Question) -> Result<Box<dyn Job + 'a>>;

    /// Checks an answer of this game by code that did not find it: finds of each claim that
    /// it looks at whether it holds, and says which options it takes into account.
    fn check(&self, answer: &Answer, run: &Run) -> Result<Findings>;

    /// What all parts of a question are together, where that is not the sum of their numbers.
    /// They are of one question, method and version, and come in their order, each once. `None`
    /// if their numbers are added up.
    fn join(
        &self,
        _whole: &Question,
        _parts: &[&Answer],
        _run: &Run,
    ) -> Result<Option<Joined>, Misfit> {
        Ok(None)
    }

    /// Other questions that have the same exact number as this one; for an estimate, the
    /// exact number that it is about.
    fn restated(&self, _question: &Question) -> Vec<Question> {
        Vec::new()
    }

    /// The question whose exact number is term n of the sequence that this question asks for.
    fn term(&self, _question: &Question, _n: u64) -> Option<Question> {
        None
    }
}

impl<G: Game + ?Sized> Game for &G {
    fn card(&self) -> &Card {
        (**self).card()
    }

    fn job<'a>(&'a self, question: &'a Question) -> Result<Box<dyn Job + 'a>> {
        (**self).job(question)
    }

    fn check(&self, answer: &Answer, run: &Run) -> Result<Findings> {
        (**self).check(answer, run)
    }

    fn join(
        &self,
        whole: &Question,
        parts: &[&Answer],
        run: &Run,
    ) -> Result<Option<Joined>, Misfit> {
        (**self).join(whole, parts, run)
    }

    fn restated(&self, question: &Question) -> Vec<Question> {
        (**self).restated(question)
    }

    fn term(&self, question: &Question, n: u64) -> Option<Question> {
        (**self).term(question, n)
    }
}

/// A question that makes sense.
pub trait Job {
    /// Says what [`Job::answer`] would do, and at what cost.
    fn plan(&self, run: &Run) -> Result<Plan>;

    /// What an answer with this value is about; `None` if that is known only once it is
    /// answered.
    fn subject(&self, _value: &Value) -> Option<Subject> {
        None
    }

    /// Answers the question, within the limits of the run.
    fn answer(&self, run: &Run, events: &mut dyn Events) -> Result<Answer>;

    /// The work in rounds, for so many places; `None` if it is answered as soon as it is asked. Most
    /// jobs are refused: they have no rounds. What is prepared for all rounds is memory of this run.
    fn rounds(&self, _places: usize, _run: &Run) -> Result<Option<Box<dyn InRounds>>> {
        Err(Error::unsupported("rounds", "This work does not fall into rounds."))
    }

    /// Refuses a store that would not be used: most jobs do not save themselves.
    fn check_store(&self) -> Result<()> {
        Err(Error::new(
            Code::Unsupported,
            "store",
            "This work does not save itself: leave out --checkpoint.",
        ))
    }

    /// Refuses a disk that would not be used: most jobs keep everything in memory.
    fn check_disk(&self) -> Result<()> {
        Err(Error::new(
            Code::Unsupported,
            "disk",
            "This work does not use the disk: leave out --disk.",
        ))
    }

    /// Refuses a shared folder that would not be used, as most jobs would, and the lack of one
    /// that is needed.
    fn check_share(&self, is_given: bool) -> Result<()> {
        if !is_given {
            return Ok(());
        }
        Err(Error::new(
            Code::Unsupported,
            "share",
            "The parts of this work need nothing of each other: leave out --share.",
        ))
    }
}

/// A job in rounds.
pub trait InRounds: Send + Sync {
    /// The engine.
    fn method(&self) -> &'static Method;

    /// Its work.
    fn work(&self) -> &dyn Rounds;

    /// What it takes, if that is known before anything is counted.
    fn takes(&self) -> Option<Takes> {
        None
    }

    /// The answer of passes that have all ended.
    fn conclude(&self, asked: &Asked, ended: &[Ended]) -> Result<Answer>;
}

/// What work in rounds takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Takes {
    /// Bytes of the largest place in a round, with all that was prepared.
    pub place: u64,
    /// Bytes that all places send in all passes.
    pub sent: u64,
}

/// Whether more is wanted.
pub type Flow = std::ops::ControlFlow<()>;
/// More is wanted.
pub const MORE: Flow = Flow::Continue(());
/// Nothing more is wanted.
pub const ENOUGH: Flow = Flow::Break(());

/// What a door hears while a job runs.
pub trait Events: Send {
    /// A solution; they come in order.
    fn solution(&mut self, found: Solution) -> Flow;

    /// How solutions can be written on any thread; `None` if they must come one by one.
    fn encoder(&self) -> Option<Arc<dyn Encoder>> {
        None
    }

    /// Solutions that were written by the encoder, in order.
    fn encoded(&mut self, _bytes: &[u8], _solutions: u64) -> Flow {
        ENOUGH
    }
}

/// Writes solutions, on any thread.
pub trait Encoder: Send + Sync {
    /// Appends a solution as it is to stand in the file.
    fn encode(&self, solution: &Solution, out: &mut Vec<u8>);
}

/// Listens to nothing.
pub struct Deaf;

impl Events for Deaf {
    fn solution(&mut self, _: Solution) -> Flow {
        MORE
    }
}

/// Keeps all solutions, as far as the run's memory allows.
pub struct Collected {
    /// The solutions.
    pub solutions: Vec<Solution>,
    /// The limit that was reached, if not all could be kept.
    pub stop: Option<Stop>,
    claim: Claim,
    bytes: u64,
}

impl Collected {
    /// Nothing yet.
    pub fn new(run: &Run) -> Self {
        Collected { solutions: Vec::new(), stop: None, claim: run.claim(), bytes: 0 }
    }

    /// Puts the solutions into their answer. If not all could be kept, the answer says so.
    pub fn into_answer(self, answer: &mut Answer) {
        if let Some(stop) = self.stop {
            answer.value = Value::stopped(self.solutions.len(), stop);
        }
        answer.solutions = self.solutions;
    }
}

impl Events for Collected {
    fn solution(&mut self, found: Solution) -> Flow {
        self.bytes += found.bytes();
        if let Err(stop) = self.claim.grow_to(self.bytes) {
            self.stop = Some(stop);
            return ENOUGH;
        }
        self.solutions.push(found);
        MORE
    }
}

/// Why a piece of work ended without a result.
#[derive(Debug)]
pub enum Halt {
    /// A limit was reached: the answer says which.
    Stop(Limit),
    /// Something is wrong.
    Error(Error),
}

impl From<Stop> for Halt {
    fn from(stop: Stop) -> Self {
        Halt::Stop(stop.into())
    }
}

impl<T> From<Stopped<T>> for Halt {
    fn from(stopped: Stopped<T>) -> Self {
        stopped.why.into()
    }
}

impl From<Limit> for Halt {
    fn from(limit: Limit) -> Self {
        Halt::Stop(limit)
    }
}

impl From<Error> for Halt {
    fn from(error: Error) -> Self {
        Halt::Error(error)
    }
}

/// The result of a piece of work.
pub type Work<T> = std::result::Result<T, Halt>;

/// Why lists are not saved: what was given is not the job's to take up again.
pub(crate) const LISTED: &str = "What is listed is given at once; a long list can be made in \
                                 parts, by list --part i/m, and a part that is lost made again";

/// What is noted where all work is done that a checkpoint could save.
pub(crate) const COMPLETE: &str = "The checkpoint is complete and is no longer needed.";

/// A question and the run that it is answered in.
#[derive(Clone, Copy)]
pub struct Asked<'a> {
    /// What is asked.
    pub question: &'a Question,
    /// Under which limits.
    pub run: &'a Run,
}

impl<'a> Asked<'a> {
    /// A question and its run.
    pub fn new(question: &'a Question, run: &'a Run) -> Self {
        Asked { question, run }
    }

    /// What an earlier run saved of this work, done in this way, or nothing yet. What cannot be
    /// gone on with is refused.
    pub fn ledger(&self, way: &str) -> Result<Ledger<'a>> {
        let version = env!("CARGO_PKG_VERSION");
        let about = format!("{} by {way}, version {version}", self.question.words());
        Ledger::open(self.run, about).map_err(|why| self.unusable(&why))
    }

    /// Saves the work at its end, and notes on the answer if all of it is done. A checkpoint
    /// that was found not to fit is refused.
    pub fn close(&self, ledger: &Ledger, answer: &mut Answer) -> Result<()> {
        ledger.close().map_err(|why| self.unusable(&why))?;
        let is_done = answer.value.stop().is_none() && self.run.warnings().is_empty();
        if self.run.store().is_some() && is_done {
            answer.notes.push(COMPLETE.into());
        }
        Ok(())
    }

    /// What is wrong where numbers do not fit together: the checkpoint from which the work went
    /// on, or the program itself.
    pub fn off(&self, ledger: &Ledger, sentence: impl Into<String>) -> Error {
        if ledger.is_resumed() {
            self.unusable(&Unusable::Damaged)
        } else {
            Error::internal(sentence.into())
        }
    }

    /// The refusal of a checkpoint.
    pub fn unusable(&self, why: &Unusable) -> Error {
        let path = self.run.store().map(Store::shown);
        let code = match why {
            Unusable::Unread(_) => Code::Io,
            _ => Code::BadValue,
        };
        // What it is about may be a drawing, or anything.
        let why = why.to_string();
        let (shown, why) = (path.unwrap_or_default(), one_line(&why));
        let sentence = format!("The checkpoint {shown:?} {why}. It was left as it is.");
        Error::new(code, "store", sentence)
    }

    /// An answer with this value.
    pub fn answer(&self, subject: &Subject, value: Value, method: impl Into<Used>) -> Answer {
        Answer::new(self.question, subject, value, method, self.run)
    }

    /// An answer without a value: a limit was reached.
    pub fn gave_up(
        &self,
        subject: &Subject,
        stop: impl Into<Limit>,
        method: impl Into<Used>,
    ) -> Answer {
        self.answer(subject, Value::gave_up(stop), method)
    }

    /// The answer of a piece of work; if a limit ended it, that is the answer.
    pub fn settle(
        &self,
        subject: &Subject,
        method: impl Into<Used>,
        work: Work<Answer>,
    ) -> Result<Answer> {
        match work {
            Ok(answer) => Ok(answer),
            Err(Halt::Stop(stop)) => Ok(self.gave_up(subject, stop, method)),
            Err(Halt::Error(error)) => Err(error),
        }
    }
}

/// Draws `number` solutions one after the other and gives them to the events. Says how many
/// were drawn, and why not all if that is so.
pub fn draw(
    number: u64,
    run: &Run,
    events: &mut dyn Events,
    mut one: impl FnMut(u64) -> Work<Solution>,
) -> Result<(u64, Option<Limit>)> {
    run.stage("drawing", number);
    for drawn in 0..number {
        match run.check().map_err(Halt::from).and_then(|()| one(drawn)) {
            Ok(solution) => {
                run.step(1);
                if events.solution(solution).is_break() {
                    return Ok((drawn + 1, None));
                }
            }
            Err(Halt::Stop(stop)) => return Ok((drawn, Some(stop))),
            Err(Halt::Error(error)) => return Err(error),
        }
    }
    Ok((number, None))
}
