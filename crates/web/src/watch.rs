//! Watching jobs: how they are shown, and how they are followed.
//!
//! Who follows a job gets server-sent events: `solution` for each solution as it is found (the
//! first thousand), with its number as the event's id, so that a broken connection goes on where
//! it was; `progress` several times a second; and, last, `end`. `progress` and `end` hold the
//! job as `GET /api/v1/jobs/{id}` shows it.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::stream::{self, Stream};
use pessoi::{Error, Question};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use tokio::sync::mpsc;

use crate::desk::{Live, Look};
use crate::keep::{Entry, State};
use crate::refusal::Fault;
use crate::server::Shared;

/// A job, as clients see it.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Job", deny_unknown_fields)]
pub(crate) struct Shown {
    /// Its id: whoever knows it can read the job and its answer.
    id: String,
    /// How it stands.
    state: State,
    /// What was asked.
    #[schemars(with = "Value")]
    question: Question,
    /// The limits that were given.
    limits: Value,
    /// When it was submitted, in seconds since 1970.
    made: u64,
    /// When it came to its end, in seconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(default)]
    ended: Option<u64>,
    /// How many waiting jobs come before it at the latest.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(default)]
    ahead: Option<usize>,
    /// How far it is, while it is under way.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(default)]
    progress: Option<Far>,
    /// What was wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Fault>", default)]
    error: Option<Error>,
    /// Whether there is an answer.
    has_answer: bool,
    /// How often it was taken up again after the server had ended; absent if never.
    #[serde(skip_serializing_if = "is_zero")]
    #[schemars(default)]
    resumed: u32,
}

#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// How far a job is.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Progress", deny_unknown_fields)]
pub(crate) struct Far {
    /// What is being done, in a few words.
    stage: String,
    /// Steps of this stage that are done.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(default)]
    done: Option<u64>,
    /// Steps of this stage in all.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(default)]
    total: Option<u64>,
    /// Nodes, borders or states handled so far.
    handled: u64,
    /// Nodes, borders or states handled in a second.
    a_second: f64,
    /// Bytes in use.
    bytes: u64,
    /// Seconds since it began.
    seconds: f64,
    /// Seconds until this stage ends, where that can be said.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(default)]
    rest: Option<f64>,
}

impl From<Look> for Far {
    fn from(look: Look) -> Self {
        let Look { progress, a_second, rest, seconds } = look;
        Far {
            done: progress.steps.map(|(done, _)| done),
            total: progress.steps.map(|(_, total)| total),
            stage: progress.stage,
            handled: progress.handled,
            bytes: progress.bytes,
            a_second,
            seconds,
            rest,
        }
    }
}

impl Shown {
    /// A job as it is kept.
    pub(crate) fn kept(entry: Entry) -> Self {
        Shown {
            id: entry.id,
            state: entry.state,
            question: entry.asking.question,
            limits: serde_json::to_value(&entry.asking.limits).unwrap_or_default(),
            made: entry.made,
            ended: entry.ended,
            ahead: None,
            progress: None,
            error: entry.error,
            has_answer: entry.has_answer,
            resumed: entry.begun.saturating_sub(1),
        }
    }

    /// A job that waits or is under way.
    pub(crate) fn live(shared: &Shared, live: &Live) -> Self {
        let state = live.state();
        // It was begun so often before it came here.
        let begun = live.entry.begun + u32::from(state != State::Queued);
        let shown = Shown::kept(Entry { state, begun, ..live.entry.clone() });
        let ahead = if state == State::Queued { shared.desk.ahead(live) } else { None };
        Shown { ahead, progress: live.look().map(Far::from), ..shown }
    }
}

/// How often progress is sent.
const BEAT: Duration = Duration::from_millis(250);

/// The events of a job that waits or is under way, from solution number `seen` on.
pub(crate) fn follow(
    shared: Arc<Shared>,
    live: Arc<Live>,
    seen: usize,
) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let (send, receive) = mpsc::channel(16);
    tokio::spawn(async move { tell(&shared, &live, seen, &send).await });
    as_events(receive)
}

/// The only event of a job that came to its end.
pub(crate) fn ended(shown: &Shown) -> Sse<impl Stream<Item = Result<Event, Infallible>> + use<>> {
    let (send, receive) = mpsc::channel(1);
    // There is room for one.
    let _ = send.try_send(event("end", shown));
    as_events(receive)
}

fn as_events(receive: mpsc::Receiver<Event>) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let events = stream::unfold(receive, |mut receive| async {
        let event = receive.recv().await?;
        Some((Ok(event), receive))
    });
    Sse::new(events).keep_alive(KeepAlive::new())
}

fn event(name: &str, data: &impl Serialize) -> Event {
    // These have nothing that JSON cannot hold, and JSON has no line breaks.
    Event::default().event(name).data(serde_json::to_string(data).unwrap_or_default())
}

/// Sends until the job is done, or nobody listens, or the server stops.
async fn tell(shared: &Shared, live: &Live, mut seen: usize, send: &mpsc::Sender<Event>) {
    let mut changes = live.changes();
    let mut stopping = shared.stopping.subscribe();
    let mut beat = tokio::time::interval(BEAT);
    loop {
        let state = *changes.borrow_and_update();
        for solution in live.found(seen) {
            seen += 1;
            if send.send(event("solution", &solution).id(seen.to_string())).await.is_err() {
                return;
            }
        }
        if state.is_final() {
            let id = &live.entry.id;
            let shown = match shared.keep.entry(id) {
                Ok(Some(entry)) => Shown::kept(entry),
                _ => Shown::live(shared, live),
            };
            // If nobody listens any more, nobody misses it.
            let _ = send.send(event("end", &shown)).await;
            return;
        }
        if send.send(event("progress", &Shown::live(shared, live))).await.is_err() {
            return;
        }
        tokio::select! {
            _ = changes.changed() => {}
            _ = beat.tick() => {}
            () = send.closed() => return,
            _ = stopping.wait_for(|stopping| *stopping) => return,
        }
    }
}
