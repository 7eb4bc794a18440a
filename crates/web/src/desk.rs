//! The desk: it takes jobs in and has them done, a few at a time.
//!
//! Each client has a line of its own. Whoever has the fewest jobs under way is next; among equals
//! they take turns. So the jobs of a client who submits a hundred wait for each other and not
//! for everybody else's.
//!
//! A job that is here is *live*: its progress and the solutions found so far can be watched. When
//! it is done it is in the keep and no longer here.
//!
//! A job that was under way when the program ended goes on before any other is begun: what it saved
//! takes *room* on disk. If the program broke off several times while it was under way, the job may
//! be the reason, and it is not taken up again.

use std::collections::{HashMap, HashSet, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Instant;

use pessoi::job::{Collected, ENOUGH, MORE};
use pessoi::{
    Answer, Budget, Catalogue, Disk, Error, Events, Flow, Limit, Pace, Progress, Question, Result,
    Run, Solution, Value,
};
use tokio::sync::watch;

use crate::asking::Asking;
use crate::bounded::Count;
use crate::guard::Client;
use crate::keep::{self, End, Entry, Keep, State};
use crate::options::Options;
use crate::refusal::Refusal;
use crate::room::Room;

/// How many solutions of a job can be watched while it is under way.
const SHOWN: usize = 1000;
/// How often the program may break off while a job is under way.
const MOST_LOST: u32 = 3;

/// A job that waits or is under way.
pub(crate) struct Live {
    pub(crate) entry: Entry,
    budget: Budget,
    /// How much it may put on disk of what does not fit into memory.
    disk: Option<u64>,
    /// Whether its client cancelled it.
    is_unwanted: AtomicBool,
    /// There is one as soon as it is under way.
    run: OnceLock<Run>,
    state: watch::Sender<State>,
    found: Mutex<Vec<Solution>>,
    pace: Mutex<Pace>,
}

/// A look at a job that is under way.
pub(crate) struct Look {
    pub(crate) progress: Progress,
    pub(crate) a_second: f64,
    pub(crate) rest: Option<f64>,
    pub(crate) seconds: f64,
}

impl Live {
    fn new(entry: Entry, budget: Budget, disk: Option<u64>) -> Arc<Self> {
        Arc::new(Live {
            disk,
            is_unwanted: AtomicBool::new(false),
            state: watch::Sender::new(entry.state),
            entry,
            budget,
            run: OnceLock::new(),
            found: Mutex::default(),
            pace: Mutex::new(Pace::new(Instant::now())),
        })
    }

    pub(crate) fn state(&self) -> State {
        *self.state.borrow()
    }

    /// Changes of the state, for who waits for them.
    pub(crate) fn changes(&self) -> watch::Receiver<State> {
        self.state.subscribe()
    }

    /// How far it is; `None` if it has not begun.
    pub(crate) fn look(&self) -> Option<Look> {
        let run = self.run.get()?;
        let (progress, now) = (run.progress(), Instant::now());
        let mut pace = self.pace.lock().unwrap_or_else(PoisonError::into_inner);
        pace.update(&progress, now);
        Some(Look {
            a_second: pace.a_second(),
            rest: pace.rest(&progress, now).map(|rest| rest.as_secs_f64()),
            seconds: run.elapsed().as_secs_f64(),
            progress,
        })
    }

    /// The solutions from the `first` one on, as far as they can be watched.
    pub(crate) fn found(&self, first: usize) -> Vec<Solution> {
        let found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        found.get(first..).unwrap_or_default().to_vec()
    }
}

/// Keeps the solutions for the answer, and lets the first ones be watched.
struct Listener<'l> {
    live: &'l Live,
    collected: Collected,
    /// How many bytes of JSON the solutions have, and how many they may have.
    bytes: Count,
    most: u64,
    is_full: bool,
}

impl Events for Listener<'_> {
    fn solution(&mut self, found: Solution) -> Flow {
        // Counting cannot fail.
        let _ = serde_json::to_writer(&mut self.bytes, &found);
        if self.bytes.0 > self.most {
            self.is_full = true;
            return ENOUGH;
        }
        {
            let mut shown = self.live.found.lock().unwrap_or_else(PoisonError::into_inner);
            if shown.len() < SHOWN {
                shown.push(found.clone());
            }
        }
        match self.collected.solution(found) {
            Flow::Continue(()) => MORE,
            Flow::Break(()) => ENOUGH,
        }
    }
}

/// The jobs that are here.
#[derive(Default)]
struct Jobs {
    /// All of them, by their ids.
    live: HashMap<String, Arc<Live>>,
    /// Those that were begun before the program ended: they come first.
    first: VecDeque<Arc<Live>>,
    /// Those that wait, by clients; who was served last is last.
    lines: VecDeque<(Client, VecDeque<Arc<Live>>)>,
    /// How many of each client are under way.
    running: HashMap<Client, usize>,
    is_closed: bool,
}

impl Jobs {
    fn waiting(&self) -> usize {
        self.first.len() + self.lines.iter().map(|(_, line)| line.len()).sum::<usize>()
    }

    fn of(&self, client: &Client) -> usize {
        let waiting = self.lines.iter().filter(|(whose, _)| whose == client);
        let waiting: usize = waiting.map(|(_, line)| line.len()).sum();
        let first = self.first.iter().filter(|live| live.entry.client == *client).count();
        first + waiting + self.running.get(client).copied().unwrap_or_default()
    }

    fn push(&mut self, live: Arc<Live>) {
        self.live.insert(live.entry.id.clone(), live.clone());
        if live.entry.begun > 0 {
            self.first.push_back(live);
            return;
        }
        let client = &live.entry.client;
        match self.lines.iter().position(|(whose, _)| whose == client) {
            Some(at) => self.lines[at].1.push_back(live),
            None => self.lines.push_back((client.clone(), VecDeque::from([live]))),
        }
    }

    /// The next one in turn.
    fn pop(&mut self) -> Option<Arc<Live>> {
        if let Some(live) = self.first.pop_front() {
            *self.running.entry(live.entry.client.clone()).or_default() += 1;
            return Some(live);
        }
        let running = |client: &Client| self.running.get(client).copied().unwrap_or_default();
        let waiting = (0..self.lines.len()).filter(|&at| !self.lines[at].1.is_empty());
        let next = waiting.min_by_key(|&at| running(&self.lines[at].0))?;
        let (client, mut line) = self.lines.remove(next)?;
        let live = line.pop_front()?;
        *self.running.entry(client.clone()).or_default() += 1;
        if !line.is_empty() {
            self.lines.push_back((client, line));
        }
        Some(live)
    }

    /// How many waiting jobs come before this one at the latest.
    fn ahead(&self, live: &Live) -> Option<usize> {
        let is_it = |other: &Arc<Live>| other.entry.id == live.entry.id;
        if let Some(place) = self.first.iter().position(is_it) {
            return Some(place);
        }
        let (_, own) = self.lines.iter().find(|(client, _)| *client == live.entry.client)?;
        let place = own.iter().position(is_it)?;
        let others = self.lines.iter().filter(|(client, _)| *client != live.entry.client);
        // While it moves up by one, each of the others is served once.
        let others: usize = others.map(|(_, line)| line.len().min(place + 1)).sum();
        Some(self.first.len() + place + others)
    }
}

/// Takes jobs in and has them done.
pub(crate) struct Desk {
    catalogue: Arc<Catalogue>,
    keep: Arc<Keep>,
    /// Where jobs put what they put on disk; `None` if they put nothing there.
    room: Option<Room>,
    jobs: Mutex<Jobs>,
    /// Held while a job is taken in, which is written to disk then: whoever only looks need not
    /// wait for that.
    taking: Mutex<()>,
    changed: Condvar,
    options: Arc<Options>,
}

impl Desk {
    /// Opens the desk, with the jobs that did not come to their end when the program ended.
    pub(crate) fn open(
        catalogue: Arc<Catalogue>,
        keep: Arc<Keep>,
        options: Arc<Options>,
    ) -> Result<Arc<Self>> {
        let unfinished = keep.unfinished()?;
        let ids: HashSet<&str> = unfinished.iter().map(|entry| entry.id.as_str()).collect();
        let room = match (&options.data, options.disk_of_one()) {
            (Some(data), Some(share)) => Some(Room::open(data, share, options.save_every, &ids)?),
            _ => None,
        };
        let (jobs, taking, changed) = (Mutex::default(), Mutex::default(), Condvar::new());
        let desk = Desk { catalogue, keep, room, jobs, taking, changed, options };
        for entry in unfinished {
            desk.take_up(entry)?;
        }
        Ok(Arc::new(desk))
    }

    /// Takes up a job that did not come to its end when the program ended.
    fn take_up(&self, mut entry: Entry) -> Result<()> {
        let id = entry.id.clone();
        if entry.is_unwanted {
            return self.end(&id, &without_answer(State::Cancelled));
        }
        if entry.state == State::Running {
            entry.lost += 1;
            if entry.lost > MOST_LOST || !self.can_go_on(&entry) {
                return self.end(&id, &without_answer(State::Interrupted));
            }
            self.keep.put_back(&id, entry.lost)?;
            entry.state = State::Queued;
            // One of a version that did not count.
            entry.begun = entry.begun.max(1);
        }
        // What the operator allows may be less by now.
        match self.limits(&entry.asking) {
            Ok((budget, disk)) => self.lock().push(Live::new(entry, budget, disk)),
            Err(error) => self.end(&id, &failure(&error))?,
        }
        Ok(())
    }

    /// Whether a job that was under way can go on from what it saved.
    fn can_go_on(&self, entry: &Entry) -> bool {
        let job = self.catalogue.job(&entry.asking.question);
        self.room.is_some() && job.is_ok_and(|job| job.check_store().is_ok())
    }

    fn limits(&self, asking: &Asking) -> Result<(Budget, Option<u64>)> {
        Ok((asking.budget(&self.options, self.options.time)?, asking.disk(&self.options)?))
    }

    /// A job came to its end.
    fn end(&self, id: &str, end: &End) -> Result<()> {
        let written = self.keep.end(id, end);
        if let Some(room) = &self.room {
            room.clear(id);
        }
        written
    }

    fn lock(&self) -> MutexGuard<'_, Jobs> {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a job in. If the same was answered in full before, that job is returned, and `true`;
    /// if the client has the same waiting or under way, that job.
    pub(crate) fn submit(&self, client: &Client, asking: Asking) -> Result<(Entry, bool), Refusal> {
        let (budget, disk) = self.limits(&asking)?;
        // Everything that is wrong with it is refused now.
        let job = self.catalogue.job(&asking.question)?;
        if disk.is_some() {
            job.check_disk()
                .map_err(|error| Error { field: Some("limits.disk".into()), ..error })?;
        }
        drop(job);
        if let Some(id) = self.keep.same(&asking)?
            && let Some(entry) = self.keep.entry(&id)?
        {
            return Ok((entry, true));
        }
        let entry = Entry {
            id: new_id()?,
            client: client.clone(),
            asking,
            state: State::Queued,
            made: keep::now(),
            ended: None,
            error: None,
            has_answer: false,
            begun: 0,
            lost: 0,
            is_unwanted: false,
        };
        let taking = self.taking.lock().unwrap_or_else(PoisonError::into_inner);
        let jobs = self.lock();
        if jobs.is_closed {
            return Err(Refusal::overloaded("The server is stopping."));
        }
        let is_same = |live: &&Arc<Live>| {
            live.entry.client == *client
                && live.entry.asking == entry.asking
                && !live.is_unwanted.load(Ordering::Relaxed)
        };
        if let Some(live) = jobs.live.values().find(is_same) {
            return Ok((live.entry.clone(), false));
        }
        let (most, whole) = (self.options.per_client, self.options.waiting);
        if jobs.of(client) >= most {
            return Err(Refusal::too_many(format!(
                "You have {most} jobs waiting or under way, which is the most: wait for one to end, \
                 or cancel one."
            )));
        }
        if jobs.waiting() >= whole {
            return Err(Refusal::overloaded(format!(
                "{whole} jobs wait already, which is the most: try again soon."
            )));
        }
        drop(jobs);
        self.keep.add(&entry)?;
        // If the desk was closed by now, the job waits until it is opened again.
        self.lock().push(Live::new(entry.clone(), budget, disk));
        drop(taking);
        self.changed.notify_one();
        Ok((entry, false))
    }

    /// The job with this id, if it waits or is under way.
    pub(crate) fn live(&self, id: &str) -> Option<Arc<Live>> {
        self.lock().live.get(id).cloned()
    }

    /// How many waiting jobs come before this one at the latest.
    pub(crate) fn ahead(&self, live: &Live) -> Option<usize> {
        self.lock().ahead(live)
    }

    /// Cancels a job that waits or is under way.
    pub(crate) fn cancel(&self, live: &Live) -> Result<()> {
        let id = &live.entry.id;
        live.is_unwanted.store(true, Ordering::Relaxed);
        let mut jobs = self.lock();
        let before = jobs.waiting();
        jobs.first.retain(|other| other.entry.id != *id);
        for (_, line) in &mut jobs.lines {
            line.retain(|other| other.entry.id != *id);
        }
        jobs.lines.retain(|(_, line)| !line.is_empty());
        let was_waiting = jobs.waiting() < before;
        drop(jobs);
        if was_waiting {
            let written = self.end(id, &without_answer(State::Cancelled));
            self.lock().live.remove(id);
            live.state.send_replace(State::Cancelled);
            written?;
        } else if let Some(run) = live.run.get() {
            run.cancel();
            self.keep.renounce(id)?;
        }
        Ok(())
    }

    /// Takes nothing more in, and ends what is under way. What waits, and what can go on from what
    /// it saved, waits when the server starts again.
    pub(crate) fn close(&self) {
        let mut jobs = self.lock();
        jobs.is_closed = true;
        for live in jobs.live.values() {
            if let Some(run) = live.run.get() {
                run.cancel();
            }
        }
        drop(jobs);
        self.changed.notify_all();
    }

    /// Does one job after the other, until the desk is closed.
    pub(crate) fn work(&self) {
        while let Some(live) = self.next() {
            let ended = self.carry_out(&live);
            let mut jobs = self.lock();
            jobs.live.remove(&live.entry.id);
            if let Some(running) = jobs.running.get_mut(&live.entry.client) {
                *running -= 1;
            }
            jobs.running.retain(|_, running| *running > 0);
            drop(jobs);
            live.state.send_replace(ended);
        }
    }

    /// Waits for the next job, which is then under way.
    fn next(&self) -> Option<Arc<Live>> {
        let mut jobs = self.lock();
        loop {
            if jobs.is_closed {
                return None;
            }
            if let Some(live) = jobs.pop() {
                // From here on it can be cancelled by its run.
                let _ = live.run.set(Run::new(live.budget.clone()));
                return Some(live);
            }
            jobs = self.changed.wait(jobs).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn carry_out(&self, live: &Live) -> State {
        let id = &live.entry.id;
        // `next` has set it.
        let Some(run) = live.run.get() else { return State::Failed };
        let answered = self.keep.begin(id).and_then(|()| self.equip(live, run)).and_then(|run| {
            live.state.send_replace(State::Running);
            // A job that panics must not take the worker with it.
            catch_unwind(AssertUnwindSafe(|| self.answer(live, &run)))
                .unwrap_or_else(|_| Err(Error::internal("the job panicked")))
        });
        let is_closed = self.lock().is_closed && !live.is_unwanted.load(Ordering::Relaxed);
        let state = match (&answered, run.cancelled(), is_closed) {
            (Err(_), true, true) => State::Interrupted,
            (Err(_), ..) => State::Failed,
            (Ok(found), true, true) if !found.is_stopped => State::Done,
            (Ok(_), true, true) if self.can_go_on(&live.entry) => State::Queued,
            (Ok(_), true, true) => State::Interrupted,
            (Ok(_), true, false) => State::Cancelled,
            (Ok(_), false, _) => State::Done,
        };
        let written = match &answered {
            Ok(_) if state == State::Queued => self.keep.put_back(id, 0),
            Ok(found) => {
                let is_whole = !found.is_stopped && !run.cancelled();
                let answer = Some(&found.json[..]);
                self.end(id, &End { state, error: None, answer, is_whole })
            }
            Err(error) => self.end(id, &End { state, ..failure(error) }),
        };
        match written {
            Ok(()) => state,
            Err(error) => {
                eprintln!("The answer of job {id} is lost: {error}");
                State::Failed
            }
        }
    }

    /// The disk with which a question is planned that asks for one.
    pub(crate) fn disk_of_plans(&self, most: u64) -> Result<Option<Arc<Disk>>> {
        self.room.as_ref().map(|room| room.disk("plans", most)).transpose()
    }

    /// The run with what the job may put on disk.
    fn equip(&self, live: &Live, run: &Run) -> Result<Run> {
        let (mut run, entry) = (run.clone(), &live.entry);
        let Some(room) = &self.room else { return Ok(run) };
        if let Some(most) = live.disk {
            run = run.with_disk(room.disk(&entry.id, most)?);
        }
        if self.can_go_on(entry) {
            match room.store(&entry.id, live.disk) {
                Ok(store) => run = run.with_store(store),
                // It can be answered without that.
                Err(error) => run.warn(error.sentence),
            }
        }
        Ok(run)
    }

    /// Answers the question; if what was saved cannot be gone on with, from the beginning.
    fn ask(&self, question: &Question, run: &Run, events: &mut dyn Events) -> Result<Answer> {
        match (self.catalogue.ask(question, run, events), run.store()) {
            // It is damaged, or of another version of the program.
            (Err(error), Some(store)) if error.field.as_deref() == Some("store") => {
                if store.remove().is_err() {
                    return Err(error);
                }
                self.catalogue.ask(question, run, events)
            }
            (answered, _) => answered,
        }
    }

    fn answer(&self, live: &Live, run: &Run) -> Result<Found> {
        let most = self.options.most_of_answer();
        let (collected, bytes) = (Collected::new(run), Count::default());
        let mut listener = Listener { live, collected, bytes, most, is_full: false };
        let question = &live.entry.asking.question;
        let mut answer: Answer = self.ask(question, run, &mut listener)?;
        let kept = listener.collected.solutions.len();
        if listener.is_full {
            let text =
                format!("the answer is larger than what is kept here, {}", pessoi::Bytes(most));
            answer.value = Value::stopped(kept, Limit::Size { text });
            answer.solutions = listener.collected.solutions;
        } else {
            listener.collected.into_answer(&mut answer);
        }
        let is_stopped = answer.value.stop().is_some();
        let mut size = Count::default();
        serde_json::to_writer(&mut size, &answer)
            .map_err(|error| Error::internal(error.to_string()))?;
        // Beside the solutions there may be tables.
        if size.0 > 2 * most {
            let most = pessoi::Bytes(2 * most);
            let sentence =
                format!("The answer is larger than what is kept here, {most}: ask for less.");
            return Err(Error::unsupported("question", sentence));
        }
        let mut json = Vec::with_capacity(size.0 as usize);
        serde_json::to_writer(&mut json, &answer)
            .map_err(|error| Error::internal(error.to_string()))?;
        Ok(Found { json, is_stopped })
    }
}

/// An answer.
struct Found {
    json: Vec<u8>,
    /// Whether a limit cut it short.
    is_stopped: bool,
}

fn failure(error: &Error) -> End<'_> {
    End { state: State::Failed, error: Some(error), answer: None, is_whole: false }
}

fn without_answer(state: State) -> End<'static> {
    End { state, error: None, answer: None, is_whole: false }
}

/// An id that cannot be guessed.
fn new_id() -> Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| Error::internal(error.to_string()))?;
    Ok(format!("{:032x}", u128::from_ne_bytes(bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn desk(options: Options) -> Arc<Desk> {
        let keep = Arc::new(Keep::open(None, 1 << 20).unwrap());
        Desk::open(Arc::new(Catalogue::standard()), keep, Arc::new(options)).unwrap()
    }

    fn asking(place: &str) -> Asking {
        let body = format!(r#"{{"question":{{"verb":"count","game":"go","place":"{place}"}}}}"#);
        Asking::read(body.as_bytes(), 100).unwrap()
    }

    fn client(name: &str) -> Client {
        Client(name.into())
    }

    #[test]
    fn clients_take_turns() {
        let desk = desk(Options::default());
        let mut whose = Vec::new();
        for (name, number) in [("a", 4), ("b", 2), ("c", 1)] {
            for size in 0..number {
                let place = format!("1x{}", whose.len() + size + 1);
                desk.submit(&client(name), asking(&place)).unwrap();
            }
        }
        let mut jobs = desk.lock();
        while let Some(live) = jobs.pop() {
            whose.push(live.entry.client.0.clone());
            // Each is done at once.
            jobs.running.clear();
        }
        assert_eq!(whose.concat(), "abcabaa");
    }

    #[test]
    fn who_has_least_under_way_is_next() {
        let desk = desk(Options::default());
        for (name, place) in [("a", "1x1"), ("a", "1x2"), ("a", "1x3"), ("b", "1x4")] {
            desk.submit(&client(name), asking(place)).unwrap();
        }
        let mut jobs = desk.lock();
        let next = |jobs: &mut Jobs| jobs.pop().unwrap().entry.client.0.clone();
        assert_eq!([next(&mut jobs), next(&mut jobs), next(&mut jobs)], ["a", "b", "a"]);
    }

    #[test]
    fn too_many_jobs_are_refused() {
        let desk = desk(Options { per_client: 2, waiting: 3, ..Options::default() });
        let submit =
            |name, place| desk.submit(&client(name), asking(place)).map(|(entry, _)| entry);
        let first = submit("a", "1x1").unwrap();
        submit("a", "1x2").unwrap();
        assert!(submit("a", "1x3").is_err(), "a client has two at most");
        submit("b", "1x4").unwrap();
        assert!(submit("c", "1x5").is_err(), "three wait at most");
        desk.cancel(&desk.live(&first.id).unwrap()).unwrap();
        assert_eq!(desk.keep.entry(&first.id).unwrap().unwrap().state, State::Cancelled);
        submit("c", "1x5").unwrap();
    }

    #[test]
    fn the_same_question_is_answered_once() {
        let desk = desk(Options::default());
        let (first, _) = desk.submit(&client("a"), asking("2x2")).unwrap();
        let worker = std::thread::spawn({
            let desk = desk.clone();
            move || desk.work()
        });
        while desk.live(&first.id).is_some() {
            std::thread::yield_now();
        }
        let (again, was_kept) = desk.submit(&client("b"), asking("2x2")).unwrap();
        assert_eq!((again.id, was_kept, again.state), (first.id.clone(), true, State::Done));
        let answer = desk.keep.answer(&first.id).unwrap().unwrap();
        assert!(String::from_utf8(answer).unwrap().contains(r#""number":"57""#));
        desk.close();
        worker.join().unwrap();
        assert!(desk.submit(&client("a"), asking("3x3")).is_err(), "it is closed");
    }

    #[test]
    fn wrong_questions_are_refused_when_they_are_submitted() {
        let desk = desk(Options::default());
        let mut wrong = asking("2x2");
        wrong.question.options.insert("closed".into(), true.into());
        assert!(desk.submit(&client("a"), wrong).is_err());
        assert!(desk.lock().live.is_empty());
    }
}
