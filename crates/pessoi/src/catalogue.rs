//! Catalogues: the games, methods and formats that a door was built with.
//!
//! A catalogue is a value. [`Catalogue::standard`] holds the games of this library; a door
//! adds games of its own ([`Catalogue::add_game`]) and methods that outside crates bring to
//! games, such as those of a graph database or a cluster ([`Catalogue::add_methods`]). What
//! was added is listed, asked, written and verified like the rest.
//!
//! ```
//! use pessoi::{Catalogue, Question, Run, Value, Verb};
//!
//! let catalogue = Catalogue::standard();
//! let question = Question::new(Verb::Count, "diplomatico", "5x5")?;
//! let answer = catalogue.answer(&question, &Run::default())?;
//! assert_eq!(answer.value, Value::exact(6200u32));
//! assert_eq!(answer.subject.id, "undirected-open-paths");
//! # Ok::<(), pessoi::Error>(())
//! ```

use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use crate::again;
use crate::answer::{Answer, FORMAT};
use crate::card::{Card, Kind, Menu, Method, Opt};
use crate::check::{self, Effort, Verdict};
use crate::compare;
use crate::error::{Code, Error, Result};
use crate::export::{self, Format, Page, Style, Written};
use crate::games;
use crate::job::{COMPLETE, Collected, Deaf, ENOUGH, Encoder, Events, Flow, Game, Job};
use crate::plan::Plan;
use crate::question::{Place, Question, Verb};
use crate::range::{self, Boards};
use crate::solution::Solution;
use pessoi_engine::run::{Run, Stop};
use pessoi_engine::store::Store;

/// Methods that an outside crate brings to games.
pub trait Methods: Send + Sync {
    /// Whether it brings them to this game.
    fn serves(&self, card: &Card) -> bool;

    /// The methods.
    fn methods(&self) -> &[Method];

    /// Options that go with these methods and no others.
    fn options(&self) -> &[Opt];

    /// Turns a question that asks for one of these methods into a job.
    fn job<'a>(&'a self, game: &'a dyn Game, question: &'a Question) -> Result<Box<dyn Job + 'a>>;
}

/// Games, methods and formats.
pub struct Catalogue {
    games: Vec<Box<dyn Game>>,
    methods: Vec<Box<dyn Methods>>,
}

impl Catalogue {
    /// Without any game.
    pub fn empty() -> Self {
        Catalogue { games: Vec::new(), methods: Vec::new() }
    }

    /// With all games of this library.
    pub fn standard() -> Self {
        let mut catalogue = Catalogue::empty();
        for game in games::all() {
            catalogue.add_game(Box::new(game));
        }
        catalogue
    }

    /// Adds a game. One of the same name that was there is replaced.
    pub fn add_game(&mut self, game: Box<dyn Game>) {
        self.games.retain(|known| known.card().name != game.card().name);
        self.games.push(game);
    }

    /// Adds methods to the games that they serve.
    pub fn add_methods(&mut self, methods: Box<dyn Methods>) {
        self.methods.push(methods);
    }

    /// All games.
    pub fn games(&self) -> impl Iterator<Item = &dyn Game> {
        self.games.iter().map(|game| &**game)
    }

    /// The game of this name.
    pub fn game(&self, name: &str) -> Result<&dyn Game> {
        self.games().find(|game| game.card().name == name).ok_or_else(|| {
            Error::unknown("game", "game", name, self.games().map(|game| game.card().name))
        })
    }

    /// What a game offers for a verb, with what was added to it.
    pub fn menu<'a>(&'a self, card: &'a Card, verb: Verb) -> Menu<'a> {
        let mut menu = card.menu(verb);
        for added in self.methods.iter().filter(|added| added.serves(card)) {
            let methods = added.methods().iter().filter(|method| method.verbs.contains(&verb));
            menu.methods.extend(methods);
            menu.options.extend(added.options().iter().filter(|opt| opt.verbs.contains(&verb)));
        }
        menu
    }

    /// Reads a question from words as they are typed after `pessoi`: verb, game, place and
    /// options. Files cannot be named here.
    pub fn read_question(&self, words: &[&str]) -> Result<Question> {
        let line = words.join(" ");
        let bad = |why: &str| Error::input(format!("{line:?} is no question: {why}."));
        let [verb, game, rest @ ..] = words else {
            return Err(bad("it begins with a verb and a game"));
        };
        let verb = Verb::parse(verb)?;
        let card = self.game(game)?.card();
        let menu = self.menu(card, verb);
        let mut question = Question::new(verb, game, "")?;
        let mut rest = rest.iter();
        while let Some(word) = rest.next() {
            let Some(name) = word.strip_prefix("--") else {
                if !question.place.is_nowhere() {
                    return Err(bad(&format!("{word:?} comes after the board")));
                }
                question.place = Place::parse(word)?;
                continue;
            };
            let text = match menu.option(name).map(|opt| opt.kind) {
                None | Some(Kind::Flag) => "true",
                Some(Kind::File(_)) => return Err(bad(&format!("--{name} names a file"))),
                Some(_) => rest.next().ok_or_else(|| bad(&format!("--{name} has no value")))?,
            };
            question.set(&menu, name, text)?;
        }
        question.check(&menu)?;
        Ok(question)
    }

    /// The question without the options of added methods: as the game itself is asked it.
    pub(crate) fn without_added(&self, question: &Question) -> Result<Question> {
        let menu = self.game(&question.game)?.card().menu(question.verb);
        let mut own = question.clone();
        own.options.retain(|name, _| menu.option(name).is_some());
        Ok(own)
    }

    /// Whether an added method answers the question, and not one of the game's own.
    pub(crate) fn is_by_added(&self, question: &Question, method: &str) -> Result<bool> {
        let card = self.game(&question.game)?.card();
        Ok(card.menu(question.verb).methods.iter().all(|own| own.id != method))
    }

    /// Turns a question into a job. Everything that is wrong with it is refused here.
    pub fn job<'a>(&'a self, question: &'a Question) -> Result<Box<dyn Job + 'a>> {
        let game = self.game(&question.game)?;
        let card = game.card();
        question.check(&self.menu(card, question.verb))?;
        if let Place::Range(range) = question.place {
            return Ok(Box::new(Boards::new(self, question, range)?));
        }
        let asked = question.method().unwrap_or_default();
        let mut added = self.methods.iter().map(Box::as_ref).filter(|added| added.serves(card));
        let is_asked = |added: &&dyn Methods| {
            let mut methods = added.methods().iter();
            methods.any(|method| method.id == asked && method.verbs.contains(&question.verb))
        };
        if let Some(added) = added.clone().find(is_asked) {
            return added.job(game, question);
        }
        // Options of added methods mean nothing to the game's own.
        if let Some((added, opt)) = added.find_map(|added| {
            Some((added, added.options().iter().find(|opt| question.is_given(opt))?))
        }) {
            let names: Vec<_> = added.methods().iter().map(|method| method.id).collect();
            return Err(Error::conflict(
                opt.name,
                format!("--{} goes with --method {}.", opt.name, names.join(" or ")),
            ));
        }
        game.job(question)
    }

    /// Turns a question into a job that uses all that the run gives it.
    fn job_for<'a>(&'a self, question: &'a Question, run: &Run) -> Result<Box<dyn Job + 'a>> {
        let job = self.job(question)?;
        if run.store().is_some() {
            job.check_store()?;
        }
        if run.disk().is_some() {
            job.check_disk()?;
        }
        job.check_share(run.share().is_some())?;
        Ok(job)
    }

    /// Says how a question would be answered.
    pub fn plan(&self, question: &Question, run: &Run) -> Result<Plan> {
        let job = self.job_for(question, run)?;
        job.plan(run)
    }

    /// Answers a question; solutions go to the events.
    pub fn ask(&self, question: &Question, run: &Run, events: &mut dyn Events) -> Result<Answer> {
        let job = self.job_for(question, run)?;
        answered(&*job, run, events)
    }

    /// Answers a question; the answer holds the solutions.
    pub fn answer(&self, question: &Question, run: &Run) -> Result<Answer> {
        let mut collected = Collected::new(run);
        let mut answer = self.ask(question, run, &mut collected)?;
        collected.into_answer(&mut answer);
        Ok(answer)
    }

    /// Answers a question by every method that takes it, one after the other. Each may take so
    /// long, on each board of a range; ten seconds if that is not said. The run's own time is that
    /// of the whole comparison. Numbers that differ are an error.
    pub fn compare(
        &self,
        question: &Question,
        each: Option<Duration>,
        run: &Run,
    ) -> Result<Answer> {
        let game = self.game(&question.game)?;
        question.check(&self.menu(game.card(), question.verb))?;
        compare::compare(self, question, each.unwrap_or(compare::PATIENCE), run)
    }

    /// The formats that a game's answers to a verb can be written in: its own, and those
    /// that all games share.
    pub fn formats(&self, card: &Card, verb: Verb) -> Vec<&'static dyn Format> {
        let own = || card.formats.iter().copied().filter(|format| format.holds(verb));
        let shared = export::FORMATS
            .iter()
            .copied()
            .filter(|format| format.holds(verb) && own().all(|known| known.id() != format.id()));
        shared.chain(own()).collect()
    }

    /// The format of this name for a game's answers to a verb.
    pub fn format(&self, card: &Card, verb: Verb, id: &str) -> Result<&'static dyn Format> {
        let formats = self.formats(card, verb);
        if let Some(format) = formats.iter().find(|format| format.id() == id) {
            return Ok(*format);
        }
        let everywhere = self.games().flat_map(|game| game.card().formats).chain(export::FORMATS);
        let names: Vec<_> = formats.iter().map(|format| format.id()).collect();
        if everywhere.map(|format| format.id()).any(|known| known == id) {
            let sentence = format!(
                "The answer to {verb} {} cannot be written as {id}; it can be written as {}.",
                card.name,
                names.join(", ")
            );
            return Err(Error::new(Code::Unsupported, "format", sentence));
        }
        Err(Error::unknown("format", "format", id, names))
    }

    /// The format whose files end like this path; `None` if no format does. An ending of a
    /// format that cannot hold this answer is refused.
    pub fn format_of_path(
        &self,
        card: &Card,
        verb: Verb,
        path: &str,
    ) -> Result<Option<&'static dyn Format>> {
        let name = path.rsplit(['/', '\\']).next().unwrap_or_default();
        let Some((_, extension)) = name.rsplit_once('.') else { return Ok(None) };
        let extension = extension.to_ascii_lowercase();
        let is_meant = |format: &&'static dyn Format| format.extension() == extension;
        if let Some(format) = self.formats(card, verb).into_iter().find(is_meant) {
            return Ok(Some(format));
        }
        let own = self.games().flat_map(|game| game.card().formats);
        match own.chain(export::FORMATS).copied().find(is_meant) {
            Some(other) => self.format(card, verb, other.id()).map(Some),
            None => Ok(None),
        }
    }

    /// Answers a question and writes the answer as it is made.
    pub fn write(
        &self,
        question: &Question,
        run: &Run,
        format: &dyn Format,
        style: &Style,
        out: &mut (dyn Write + Send),
    ) -> Result<Written> {
        let game = self.game(&question.game)?;
        let job = self.job_for(question, run)?;
        let page = Page { game, question, run, style };
        export::write(&page, format, out, |events| answered(&*job, run, events))
    }

    /// Writes an answer that is there already, with the solutions that it holds.
    pub fn write_answer(
        &self,
        answer: &Answer,
        format: &dyn Format,
        style: &Style,
        run: &Run,
        out: &mut (dyn Write + Send),
    ) -> Result<Written> {
        let game = self.game(&answer.question.game)?;
        let page = Page { game, question: &answer.question, run, style };
        export::write(&page, format, out, |events| {
            // As a job does: the solutions first, and then the answer without them.
            for solution in &answer.solutions {
                if events.solution(solution.clone()).is_break() {
                    break;
                }
            }
            Ok(Answer { solutions: Vec::new(), ..answer.clone() })
        })
    }

    /// Reads a saved answer: the JSON of one answer, or lines of JSON that are solutions and,
    /// last, their answer, or what a game's own format reads. Solutions go to the events.
    pub fn read(&self, saved: &[u8], events: &mut dyn Events) -> Result<Answer> {
        let own = self.games().flat_map(|game| game.card().formats);
        let mut formats = own.chain(export::FORMATS);
        match formats.find(|format| format.reads(saved)) {
            Some(format) => format.read(saved, events),
            None => Err(Error::input(
                "This is neither an answer in JSON nor a packed list: it is not text.",
            )),
        }
    }

    /// Writes a saved answer in another format.
    pub fn convert(
        &self,
        saved: &[u8],
        choose: impl FnOnce(&Card, Verb) -> Result<&'static dyn Format>,
        style: &Style,
        run: &Run,
        out: &mut (dyn Write + Send),
    ) -> Result<Written> {
        // The answer comes after its solutions, so they are read twice.
        let head = self.read_within(saved, run, &mut Deaf)?;
        let game = self.game(&head.question.game)?;
        head.question.check(&self.menu(game.card(), head.question.verb))?;
        let format = choose(game.card(), head.question.verb)?;
        let page = Page { game, question: &head.question, run, style };
        export::write(&page, format, out, |events| self.read_within(saved, run, events))
    }

    /// As [`Catalogue::read`], within the limits of a run.
    fn read_within(&self, saved: &[u8], run: &Run, events: &mut dyn Events) -> Result<Answer> {
        let mut checked = Checked { events, run, stop: None };
        let answer = self.read(saved, &mut checked);
        checked.stop.map_or(answer, |stop| Err(stop.into()))
    }

    /// Checks a saved answer, as [`Catalogue::read`] reads it. What does not hold is an error.
    pub fn verify(&self, saved: &[u8], effort: Effort, run: &Run) -> Result<Verdict> {
        let mut collected = Collected::new(run);
        let mut answer = self.read(saved, &mut collected)?;
        if let Some(stop) = collected.stop {
            return Ok(Verdict::unchecked(
                check::SOLVED,
                format!("the solutions were not all read: {stop}"),
            ));
        }
        answer.solutions.append(&mut collected.solutions);
        self.check(&answer, effort, run)
    }

    /// Checks an answer that holds its solutions, claim by claim.
    pub fn check(&self, answer: &Answer, effort: Effort, run: &Run) -> Result<Verdict> {
        if answer.format != FORMAT {
            let sentence = format!("The format is {}; {FORMAT} is read.", answer.format);
            return Err(Error::forged("format", sentence));
        }
        if answer.method.id == compare::EACH {
            return compare::check(self, answer, effort, run);
        }
        if let Place::Range(range) = answer.question.place {
            return range::check(self, answer, range, effort, run);
        }
        let game = self.game(&answer.question.game)?;
        let job = self.job(&answer.question)?;
        let card = game.card();
        let claims = check::claims(answer, &card.menu(answer.question.verb))?;
        let mut found = check::common(answer, &self.menu(card, answer.question.verb))?;
        if let Some(expected) = job.subject(&answer.value) {
            found = found.plus(check::subject(answer, &expected.asked(&answer.question))?);
        }
        if effort == Effort::Again {
            found = found.plus(again::recompute(self, answer, &again::most_of(run))?);
        }
        let checker = match effort {
            Effort::Usual => game.check(answer, &again::most_of(run))?,
            Effort::Again => {
                game.check(answer, &run.part(again::budget(run, Some(again::PATIENCE))))?
            }
        };
        found = found.plus(checker);
        found = check::options(answer, found);
        let open = check::open(&claims, &found);
        if !open.is_empty() {
            let most = (effort == Effort::Usual).then_some(again::PATIENCE);
            found = found.plus(again::repeat(self, answer, &open, most, run)?);
        }
        Ok(check::verdict(&claims, &found))
    }
}

/// Events that hear no more when a limit of the run is reached.
struct Checked<'e> {
    events: &'e mut dyn Events,
    run: &'e Run,
    stop: Option<Stop>,
}

impl Checked<'_> {
    fn is_stopped(&mut self) -> bool {
        self.stop = self.stop.take().or_else(|| self.run.check().err());
        self.stop.is_some()
    }
}

impl Events for Checked<'_> {
    fn solution(&mut self, found: Solution) -> Flow {
        if self.is_stopped() { ENOUGH } else { self.events.solution(found) }
    }

    fn encoder(&self) -> Option<Arc<dyn Encoder>> {
        self.events.encoder()
    }

    fn encoded(&mut self, bytes: &[u8], solutions: u64) -> Flow {
        if self.is_stopped() { ENOUGH } else { self.events.encoded(bytes, solutions) }
    }
}

/// A job's answer; what went wrong on the way is among its notes.
fn answered(job: &dyn Job, run: &Run, events: &mut dyn Events) -> Result<Answer> {
    let mut answer = job.answer(run, events)?;
    // Whoever asked was not told of a private checkpoint.
    if run.store().is_some_and(Store::is_private) {
        answer.notes.retain(|note| note != COMPLETE);
    }
    answer.notes.extend(run.warnings());
    Ok(answer)
}

impl Default for Catalogue {
    fn default() -> Self {
        Catalogue::standard()
    }
}
