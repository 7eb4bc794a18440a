//! The API: what each route does.
//!
//! Routes are declared in [`operations`] together with their descriptions. All is under `/api/v1`;
//! what is incompatible with that will be under another number.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{
    DefaultBodyLimit, Extension, FromRequest, FromRequestParts, Path, RawQuery, Request, State,
};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{delete, get, post};
use axum::{Router, middleware};
use pessoi::job::{ENOUGH, MORE};
use pessoi::{
    Answer, Budget, Card, Catalogue, Claim, Effort, Error, Events, Flow, Format, Place, Question,
    Run, Setting, Solution, Style, Verb, Written, schema,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::asking::{self, Asking, Limit};
use crate::assets;
use crate::bounded::Bounded;
use crate::gate::{Gate, Slot};
use crate::guard::{self, Client};
use crate::keep::Entry;
use crate::negotiate;
use crate::openapi::{self, Operation};
use crate::options::Options;
use crate::papers;
use crate::refusal::{Refusal, Why};
use crate::room::Room;
use crate::server::Shared;
use crate::watch::{self, Shown};

/// All routes, and the pages.
pub(crate) fn router(shared: &Arc<Shared>) -> Router {
    let mut router = Router::new();
    for operation in operations() {
        router = router.route(operation.path, operation.route);
    }
    router
        .fallback(otherwise)
        .method_not_allowed_fallback(|| async {
            Refusal::new(
                StatusCode::METHOD_NOT_ALLOWED,
                Why::MethodNotAllowed,
                "This route does not know this method; the header Allow names those that it does.",
            )
        })
        .layer(middleware::from_fn_with_state(shared.clone(), guard::watch))
        .layer(DefaultBodyLimit::max(shared.options.body))
        .with_state(shared.clone())
}

/// An id as an example.
const ID: &str = "0123456789abcdef0123456789abcdef";

/// What may be asked, as an example.
fn an_asking() -> serde_json::Value {
    serde_json::json!({
        "question": {"verb": "count", "game": "diplomatico", "place": "4x5"},
        "limits": {"time": "1s"}
    })
}

/// Every route with its description.
pub(crate) fn operations() -> Vec<Operation> {
    let mut all = operations_without_jobs();
    all.extend(operations_of_jobs());
    all
}

/// What is answered in the request.
fn operations_without_jobs() -> Vec<Operation> {
    vec![
        Operation::get("/api/v1/openapi.json", "openapi", "This description", get(describe))
            .gives(200, "The description of the API", "application/json", "Any"),
        Operation::get("/api/v1/about", "about", "The version and the limits", get(about))
            .gives(200, "The version and the limits", "application/json", "About"),
        Operation::get("/api/v1/games", "games", "The cards of all games", get(games))
            .about("For each verb a card has the JSON Schema of its questions, its engines and its formats.")
            .gives(200, "The cards", "application/json", "Any"),
        Operation::get("/api/v1/games/{game}", "game", "The card of a game", get(game))
            .takes("game", "A game's name", "hidato")
            .gives(200, "The card", "application/json", "Any")
            .refuses(404),
        Operation::get("/api/v1/papers", "papers", "The papers", get(papers))
            .about("Their names, titles and authors.")
            .gives(200, "The papers", "application/json", "Any"),
        Operation::get("/api/v1/papers/{paper}", "paper", "A paper's values", get(paper))
            .about(
                "Table by table: what is published, what was computed in stored runs, and what to \
                 think of it, with the questions that give it again. Nothing is computed.",
            )
            .takes("paper", "A paper's name", "knight")
            .gives(200, "The paper", "application/json", "Any")
            .refuses(404)
            .may_wait(),
        Operation::post("/api/v1/boards", "board", "A board as data", post(board))
            .about("The cells and clues of a shape such as 5x5 or P3x4, or of a drawing.")
            .reads("application/json", "Placed")
            .such_as("application/json", serde_json::json!({"place": "P3x4"}))
            .gives(200, "The board", "application/json", "Layout")
            .may_wait(),
        Operation::post("/api/v1/plans", "plan", "How a question would be answered", post(plan))
            .reads("application/json", "Asking")
            .such_as("application/json", an_asking())
            .gives(200, "The engine and the cost", "application/json", "Plan")
            .may_wait(),
        Operation::post("/api/v1/answers", "answer-now", "An answer at once", post(answer_now))
            .about(
                "For what takes a second or two, such as hints, checks and small counts. If the \
                 time does not suffice, the answer says that a limit was reached; submit a job \
                 then. The format is chosen by Accept, or by the parameter format.",
            )
            .asks("format", "The id of a format of the game's card, instead of Accept")
            .asks("download", "If it is true, the answer comes as a file")
            .reads("application/json", "Asking")
            .such_as("application/json", an_asking())
            .gives_answer()
            .may_wait(),
        Operation::post("/api/v1/verdicts", "verify", "Checks a saved answer", post(verify))
            .about("The body is an answer as it was given in JSON or as a packed list.")
            .asks("again", "If it is true, the number is computed again by other engines too")
            .reads("application/json", "Any")
            .reads("application/x-ndjson", "Any")
            .reads("application/octet-stream", "Bytes")
            .gives(200, "What was found", "application/json", "Verdict")
            .may_wait(),
    ]
}

/// Jobs: submitted, followed, fetched, cancelled, checked.
fn operations_of_jobs() -> Vec<Operation> {
    vec![
        Operation::get("/api/v1/jobs", "jobs", "Your jobs, the newest first", get(jobs))
            .gives(200, "At most a hundred jobs", "application/json", "Jobs"),
        Operation::post("/api/v1/jobs", "submit", "Submits a question as a job", post(submit))
            .reads("application/json", "Asking")
            .such_as("application/json", an_asking())
            .gives(200, "The same was answered before: that job", "application/json", "Job")
            .gives(202, "The job, which waits for its turn", "application/json", "Job")
            .leads_to(&["job", "cancel", "events", "answer", "verify-job"])
            .may_wait(),
        Operation::get("/api/v1/jobs/{id}", "job", "How a job stands", get(job))
            .takes("id", "The job's id", ID)
            .gives(200, "The job", "application/json", "Job")
            .refuses(404),
        Operation::delete("/api/v1/jobs/{id}", "cancel", "Cancels a job of yours", delete(cancel))
            .about("What is known by then becomes its answer. A job that came to its end stays as it is.")
            .takes("id", "The job's id", ID)
            .gives(202, "The job, which will end soon", "application/json", "Job")
            .refuses(404),
        Operation::get("/api/v1/jobs/{id}/events", "events", "Follows a job", get(events))
            .about(
                "Server-sent events: solution for each of the first solutions as they are found, \
                 progress several times a second, and end. With Last-Event-ID the solutions begin \
                 after that one.",
            )
            .takes("id", "The job's id", ID)
            .gives(200, "Events", "text/event-stream", "Event")
            .refuses(404),
        Operation::get("/api/v1/jobs/{id}/answer", "answer", "The answer of a job", get(answer))
            .about("The format is chosen by Accept, or by the parameter format.")
            .takes("id", "The job's id", ID)
            .asks("format", "The id of a format of the game's card, instead of Accept")
            .asks("download", "If it is true, the answer comes as a file")
            .asks("first", "Only so many solutions are written, the first ones: enough to look at")
            .gives_answer()
            .refuses(404)
            .refuses(409)
            .may_wait(),
        Operation::post(
            "/api/v1/jobs/{id}/verdict",
            "verify-job",
            "Checks the answer of a job",
            post(verify_job),
        )
        .takes("id", "The job's id", ID)
        .asks("again", "If it is true, the number is computed again by other engines too")
        .gives(200, "What was found", "application/json", "Verdict")
        .refuses(404)
        .refuses(409)
        .may_wait(),
    ]
}

type Answered = Result<Response, Refusal>;
type Us = State<Arc<Shared>>;

/// The body of a request, or why it could not be read.
struct Read(Result<Bytes, Refusal>);

impl FromRequest<Arc<Shared>> for Read {
    type Rejection = Infallible;

    async fn from_request(request: Request, us: &Arc<Shared>) -> Result<Self, Infallible> {
        let reading = Bytes::from_request(request, us);
        let read = match tokio::time::timeout(us.options.patience, reading).await {
            Ok(Ok(bytes)) => Ok(bytes),
            Ok(Err(rejection)) if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE => {
                Err(Refusal::new(
                    StatusCode::PAYLOAD_TOO_LARGE,
                    Why::TooLarge,
                    "The body is larger than what is read here.",
                ))
            }
            Ok(Err(_)) => Err(Refusal::malformed("The body broke off.")),
            Err(_) => Err(Refusal::new(
                StatusCode::REQUEST_TIMEOUT,
                Why::TooSlow,
                "The body did not come in time: send it at once.",
            )),
        };
        Ok(Read(read))
    }
}

/// The part of a path that is given.
struct Named(String);

impl<S: Send + Sync> FromRequestParts<S> for Named {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
        match Path::from_request_parts(parts, state).await {
            Ok(Path(name)) => Ok(Named(name)),
            Err(_) => Err(Refusal::malformed("The path is no text in UTF-8.")),
        }
    }
}

/// Pages, and what there is not.
async fn otherwise(method: Method, uri: Uri, headers: HeaderMap) -> Response {
    assets::serve(&method, uri.path(), &headers)
}

fn json(status: StatusCode, value: &impl Serialize) -> Answered {
    let json = serde_json::to_vec(value).map_err(|error| Error::internal(error.to_string()))?;
    let mut response = Response::new(Body::from(json));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(response)
}

/// The body of a request, of one of these media types.
fn body(headers: &HeaderMap, types: &[&str], read: Read) -> Result<Bytes, Refusal> {
    let given = headers.get(header::CONTENT_TYPE).and_then(|given| given.to_str().ok());
    let given = given.and_then(|given| given.split(';').next()).unwrap_or_default().trim();
    if !types.iter().any(|known| known.eq_ignore_ascii_case(given)) {
        return Err(Refusal::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Why::UnsupportedMediaType,
            format!("The body must be of type {}, and say so by Content-Type.", types.join(" or ")),
        ));
    }
    read.0
}

const JSON: &[&str] = &["application/json"];
const SAVED: &[&str] = &["application/json", "application/x-ndjson", "application/octet-stream"];

/// The parameters of an address.
struct Query(Vec<(String, String)>);

impl Query {
    fn read(query: Option<&str>) -> Self {
        let pairs = form_urlencoded::parse(query.unwrap_or_default().as_bytes());
        Query(pairs.map(|(name, value)| (name.into_owned(), value.into_owned())).collect())
    }

    /// Takes a parameter out.
    fn take(&mut self, name: &str) -> Option<String> {
        let at = self.0.iter().position(|(known, _)| known == name)?;
        Some(self.0.remove(at).1)
    }

    /// Takes a parameter out that is there or not.
    fn flag(&mut self, name: &str) -> Result<bool, Refusal> {
        match self.take(name).as_deref() {
            None | Some("false") => Ok(false),
            Some("true" | "") => Ok(true),
            Some(other) => Err(Refusal::from(Error::new(
                pessoi::Code::BadValue,
                name,
                format!("{name}={other:?} is not accepted: give true or false."),
            ))),
        }
    }

    /// Takes a parameter out that is a whole number.
    fn number(&mut self, name: &str, most: usize) -> Result<Option<usize>, Refusal> {
        let Some(text) = self.take(name) else { return Ok(None) };
        match text.parse() {
            Ok(number) if number <= most => Ok(Some(number)),
            _ => {
                let sentence = format!(
                    "{name}={text:?} is not accepted: give a whole number from 0 to {most}."
                );
                Err(Error::new(pessoi::Code::BadValue, name, sentence).into())
            }
        }
    }

    /// Refuses what is left.
    fn end(&self) -> Result<(), Refusal> {
        match self.0.first() {
            None => Ok(()),
            Some((name, _)) => Err(Refusal::from(Error::new(
                pessoi::Code::Unknown,
                name.as_str(),
                format!("There is no parameter {name:?} here."),
            ))),
        }
    }
}

/// Work that blocks, on a thread of its own.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done,
        Err(_) => Err(Error::internal("a request panicked").into()),
    }
}

/// Cancels what nobody waits for any more.
struct Waiting(Run);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// Work of the library that is waited for: it has a slot, and ends when nobody waits any more. An
/// engine that does not look at its limits is not waited for, and loses the slot.
async fn at_once<T: Send + 'static>(
    shared: &Shared,
    slot: Slot,
    run: Run,
    work: impl FnOnce(&Run) -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let _waiting = Waiting(run.clone());
    // Who gave it less time than there is may wait as long as the others.
    let time = run.budget().time.unwrap_or_default().max(shared.options.quick);
    let patience = 2 * time + GRACE;
    // This goes on if the client goes away, and then looks after the slot alone.
    let losing = tokio::spawn(slot.lost_after(patience));
    let working = blocking(move || {
        let _slot = slot;
        work(&run)
    });
    let Ok(done) = tokio::time::timeout(patience, working).await else {
        return Err(Refusal::overdue());
    };
    losing.abort();
    done
}

/// What an answer may be late, beside as much again as its time.
const GRACE: Duration = Duration::from_secs(1);

/// A slot, and what is asked: that is read on a thread of its own, since boards take time.
async fn asked(
    shared: &Shared,
    gate: &Gate,
    client: &Client,
    bytes: Bytes,
) -> Result<(Slot, Asking), Refusal> {
    let slot = gate.enter(client).await?;
    let cells = shared.options.cells;
    blocking(move || Ok((slot, Asking::read(&bytes, cells)?))).await
}

/// A run for what is answered at once: it shares its memory with the others, and has at most half.
fn run_of(shared: &Shared, mut budget: Budget) -> Run {
    let most = shared.options.memory_at_once() / 2;
    budget.memory = Some(budget.memory.map_or(most, |memory| memory.min(most)));
    Run::sharing(budget, &shared.memory)
}

async fn describe(State(shared): Us) -> Answered {
    json(StatusCode::OK, &openapi::document(&operations(), &shared.catalogue))
}

/// The version and the limits.
#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub(crate) struct About {
    /// The version of Pessoi.
    pessoi: &'static str,
    /// The most seconds that a job takes.
    seconds: f64,
    /// The most seconds that an answer without a job takes.
    quick_seconds: f64,
    /// The most bytes of memory that a job takes; absent if there is no limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(default)]
    bytes: Option<u64>,
    /// The most bytes that a job may put on disk of what does not fit into memory; absent if
    /// nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(default)]
    disk_bytes: Option<u64>,
    /// The most bytes of an answer that is kept; what is listed beyond is left out.
    answer_bytes: u64,
    /// The most cells of a board.
    cells: usize,
    /// The threads that a job has.
    threads: usize,
    /// How many jobs of a client may wait or be under way.
    jobs_per_client: usize,
    /// Whether jobs and answers survive the end of the server.
    keeps: bool,
}

async fn about(State(shared): Us) -> Answered {
    let options: &Options = &shared.options;
    let about = About {
        pessoi: env!("CARGO_PKG_VERSION"),
        seconds: options.time.as_secs_f64(),
        quick_seconds: options.quick.as_secs_f64(),
        bytes: options.memory_of_one(),
        disk_bytes: options.disk_of_one().map(Room::most_of),
        answer_bytes: options.most_of_answer(),
        cells: options.cells,
        threads: options.threads_of_one(),
        jobs_per_client: options.per_client,
        keeps: options.data.is_some(),
    };
    json(StatusCode::OK, &about)
}

async fn games(State(shared): Us) -> Answered {
    json(StatusCode::OK, &schema::cards(&shared.catalogue, None)?)
}

async fn game(State(shared): Us, Named(game): Named) -> Answered {
    match schema::cards(&shared.catalogue, Some(&game)) {
        Ok(card) => json(StatusCode::OK, &card),
        Err(_) => Err(Refusal::not_found("such game").of("game")),
    }
}

async fn papers() -> Answered {
    json(StatusCode::OK, &blocking(papers::list).await?)
}

async fn paper(
    State(shared): Us,
    Extension(client): Extension<Client>,
    Named(name): Named,
) -> Answered {
    let catalogue = shared.catalogue.clone();
    let slot = shared.quick.enter(&client).await?;
    let run = run_of(&shared, Budget::default());
    let paper = at_once(&shared, slot, run, move |_| papers::paper(&catalogue, &name));
    json(StatusCode::OK, &paper.await?)
}

/// A place alone.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Placed {
    /// A shape such as `5x5` or `P3x4`, or a drawing.
    place: String,
}

async fn board(
    State(shared): Us,
    Extension(client): Extension<Client>,
    headers: HeaderMap,
    read: Read,
) -> Answered {
    let bytes = body(&headers, JSON, read)?;
    let (slot, cells) = (shared.quick.enter(&client).await?, shared.options.cells);
    let layout = at_once(&shared, slot, run_of(&shared, Budget::default()), move |_| {
        let Placed { place } = asking::object(asking::json(&bytes)?)?;
        match Place::parse_within(&place, cells)? {
            Place::Board(drawing) => Ok(drawing.layout()),
            _ => Err(Error::place("Give a board: a shape such as 5x5, or a drawing.").into()),
        }
    });
    json(StatusCode::OK, &layout.await?)
}

async fn plan(
    State(shared): Us,
    Extension(client): Extension<Client>,
    headers: HeaderMap,
    read: Read,
) -> Answered {
    let bytes = body(&headers, JSON, read)?;
    let (slot, asking) = asked(&shared, &shared.slow, &client, bytes).await?;
    // It is planned as the job would be done, with the memory that the job would have, and has
    // less time for that.
    let budget = asking.budget(&shared.options, shared.options.time)?;
    let run = Run::new(Budget { time: Some(PLANNING), ..budget });
    let disk = asking.disk(&shared.options)?;
    let us = shared.clone();
    let plan = at_once(&shared, slot, run, move |run| {
        let mut run = run.clone();
        if let Some(disk) = disk.map(|most| us.desk.disk_of_plans(most)).transpose()?.flatten() {
            run = run.with_disk(disk);
        }
        Ok(us.catalogue.plan(&asking.question, &run)?)
    });
    json(StatusCode::OK, &plan.await?)
}

/// How long a plan may take.
const PLANNING: Duration = Duration::from_secs(5);
/// How long a verdict may take.
const VERIFYING: Duration = Duration::from_secs(20);
/// The most bytes of an answer that is written.
const MOST_WRITTEN: u64 = 64 << 20;
/// How many times its bytes a kept answer takes while it is read and written in another format.
const READ: u64 = 6;

/// How an answer is to be written: the format, its options, and whether as a file.
struct Wish {
    format: &'static dyn Format,
    style: Style,
    is_file: bool,
}

impl Wish {
    fn read(
        catalogue: &Catalogue,
        question: &Question,
        mut query: Query,
        headers: &HeaderMap,
    ) -> Result<Self, Refusal> {
        let card: &Card = catalogue.game(&question.game)?.card();
        let verb: Verb = question.verb;
        let is_file = query.flag("download")?;
        let format = if let Some(id) = query.take("format") {
            catalogue.format(card, verb, &id)?
        } else {
            let accept = headers.get_all(header::ACCEPT).iter();
            let accept: Vec<&str> = accept.filter_map(|value| value.to_str().ok()).collect();
            let accept = (!accept.is_empty()).then(|| accept.join(","));
            negotiate::choose(&catalogue.formats(card, verb), accept.as_deref())?
        };
        let mut style = Style::default();
        for opt in format.options().iter().filter(|opt| opt.verbs.contains(&verb)) {
            if let Some(text) = query.take(opt.name) {
                let setting: Setting = opt.parse(&text, &[])?;
                style.options.insert(opt.name.to_owned(), setting);
            }
        }
        query.end()?;
        Ok(Wish { format, style, is_file })
    }

    /// The bytes as a response.
    fn respond(&self, question: &Question, bytes: Bytes) -> Response {
        let media = self.format.media_type();
        let is_bare = media.starts_with("text/") && !media.contains("charset");
        let media = if is_bare { format!("{media}; charset=utf-8") } else { media.to_owned() };
        let mut response = Response::new(Body::from(bytes));
        let mut set = |name, value: String| {
            // Media types, verbs, games and extensions are ASCII.
            if let Ok(value) = HeaderValue::from_str(&value) {
                response.headers_mut().insert(name, value);
            }
        };
        set(header::CONTENT_TYPE, media);
        set(header::VARY, "Accept".into());
        set(header::CACHE_CONTROL, "no-store".into());
        if self.is_file {
            let (verb, game, end) = (question.verb, &question.game, self.format.extension());
            set(
                header::CONTENT_DISPOSITION,
                format!("attachment; filename=\"{game}-{verb}.{end}\""),
            );
        }
        response
    }
}

/// What was written, if there was anything to write.
fn there(written: &Written, out: Bounded, too_much: &str) -> Result<Bytes, Refusal> {
    let bytes = out.end(too_much)?;
    if written.wrote {
        return Ok(bytes.into_body());
    }
    // How it was found is on the lines after.
    let aside = written.aside.lines().next().unwrap_or_default().trim_end_matches('.');
    Err(Refusal::new(
        StatusCode::NOT_ACCEPTABLE,
        Why::NotAcceptable,
        format!("There is nothing that this format could show: {aside}."),
    ))
}

async fn answer_now(
    State(shared): Us,
    Extension(client): Extension<Client>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    read: Read,
) -> Answered {
    let bytes = body(&headers, JSON, read)?;
    let (slot, asking) = asked(&shared, &shared.quick, &client, bytes).await?;
    let query = Query::read(query.as_deref());
    let wish = Wish::read(&shared.catalogue, &asking.question, query, &headers)?;
    let budget = asking.budget(&shared.options, shared.options.quick)?;
    if asking.limits.contains_key(&Limit::Disk) {
        let sentence = "What is answered at once puts nothing on disk: leave out the limit disk, or \
                        submit a job.";
        return Err(Error::new(pessoi::Code::Unsupported, "limits.disk", sentence).into());
    }
    let (us, run) = (shared.clone(), run_of(&shared, budget));
    at_once(&shared, slot, run, move |run| {
        let (format, style) = (wish.format, &wish.style);
        if let Some(id) = us.keep.same(&asking)?
            && let Some(saved) = saved(&us, &id, run)?
        {
            return convert(&us.catalogue, &saved, &asking.question, &wish, run);
        }
        let mut out = Bounded::new(us.options.most_of_answer(), run);
        let written = us.catalogue.write(&asking.question, run, format, style, &mut out)?;
        let too_much = "The answer is too large to be given at once: submit a job.";
        Ok(wish.respond(&asking.question, there(&written, out, too_much)?))
    })
    .await
}

/// An answer that is kept, and the memory for it.
struct Saved {
    bytes: Vec<u8>,
    _claim: Claim,
}

/// The answer of a job, as it is kept.
fn saved(shared: &Shared, id: &str, run: &Run) -> Result<Option<Saved>, Refusal> {
    let Some(size) = shared.keep.size(id)? else { return Ok(None) };
    let mut claim = run.claim();
    claim.grow_to(READ * size).map_err(Error::from)?;
    Ok(shared.keep.answer(id)?.map(|bytes| Saved { bytes, _claim: claim }))
}

fn convert(
    catalogue: &Catalogue,
    saved: &Saved,
    question: &Question,
    wish: &Wish,
    run: &Run,
) -> Answered {
    let mut out = Bounded::new(MOST_WRITTEN, run);
    let choose = |_: &Card, _| Ok(wish.format);
    let written = catalogue.convert(&saved.bytes, choose, &wish.style, run, &mut out)?;
    let too_much = "The answer is too large in this format: choose another one, such as json.";
    Ok(wish.respond(question, there(&written, out, too_much)?))
}

/// Takes so many solutions.
struct Few {
    left: usize,
    solutions: Vec<Solution>,
}

impl Events for Few {
    fn solution(&mut self, found: Solution) -> Flow {
        if self.left == 0 {
            return ENOUGH;
        }
        self.left -= 1;
        self.solutions.push(found);
        MORE
    }
}

/// The most solutions that are given alone.
pub(crate) const MOST_FIRST: usize = 1000;

/// The answer with its first solutions alone: enough to look at.
fn beginning(
    catalogue: &Catalogue,
    saved: &Saved,
    first: usize,
    wish: &Wish,
    run: &Run,
) -> Answered {
    let mut few = Few { left: first, solutions: Vec::new() };
    let answer = catalogue.read(&saved.bytes, &mut few)?;
    let answer = Answer { solutions: few.solutions, ..answer };
    let mut out = Bounded::new(MOST_WRITTEN, run);
    let written = catalogue.write_answer(&answer, wish.format, &wish.style, run, &mut out)?;
    let too_much = "The answer is too large in this format: choose another one, such as json.";
    Ok(wish.respond(&answer.question, there(&written, out, too_much)?))
}

async fn verify(
    State(shared): Us,
    Extension(client): Extension<Client>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    read: Read,
) -> Answered {
    let given = body(&headers, SAVED, read)?;
    let cells = shared.options.cells;
    let slot = shared.slow.enter(&client).await?;
    verdict(&shared, slot, query.as_deref(), move |run| {
        asking::check_saved(&given, cells)?;
        let mut claim = run.claim();
        claim.grow_to(READ * given.len() as u64).map_err(Error::from)?;
        Ok(Saved { bytes: given.into(), _claim: claim })
    })
    .await
}

async fn verdict(
    shared: &Arc<Shared>,
    slot: Slot,
    query: Option<&str>,
    saved: impl FnOnce(&Run) -> Result<Saved, Refusal> + Send + 'static,
) -> Answered {
    let mut query = Query::read(query);
    let effort = if query.flag("again")? { Effort::Again } else { Effort::Usual };
    query.end()?;
    let run = run_of(shared, verifying(&shared.options));
    let catalogue = shared.catalogue.clone();
    let verdict = at_once(shared, slot, run, move |run| {
        Ok(catalogue.verify(&saved(run)?.bytes, effort, run)?)
    });
    json(StatusCode::OK, &verdict.await?)
}

/// What may be used to check an answer, or to write a kept one in another format.
fn verifying(options: &Options) -> Budget {
    Budget {
        time: Some(VERIFYING.min(options.time)),
        memory: options.memory_of_one(),
        threads: options.threads_of_one(),
        ..Budget::default()
    }
}

async fn jobs(State(shared): Us, Extension(client): Extension<Client>) -> Answered {
    let us = shared.clone();
    let entries = blocking(move || Ok(us.keep.of_client(&client, 100)?)).await?;
    let shown = entries.into_iter().map(|entry| match shared.desk.live(&entry.id) {
        Some(live) => Shown::live(&shared, &live),
        None => Shown::kept(entry),
    });
    json(StatusCode::OK, &shown.collect::<Vec<_>>())
}

async fn submit(
    State(shared): Us,
    Extension(client): Extension<Client>,
    headers: HeaderMap,
    read: Read,
) -> Answered {
    let bytes = body(&headers, JSON, read)?;
    let (slot, asking) = asked(&shared, &shared.quick, &client, bytes).await?;
    let us = shared.clone();
    let (entry, was_kept) = blocking(move || {
        let _slot = slot;
        us.desk.submit(&client, asking)
    })
    .await?;
    let location = format!("/api/v1/jobs/{}", entry.id);
    let status = if was_kept { StatusCode::OK } else { StatusCode::ACCEPTED };
    let shown = match shared.desk.live(&entry.id) {
        Some(live) => Shown::live(&shared, &live),
        None => Shown::kept(kept(&shared, &entry.id).await.unwrap_or(entry)),
    };
    let mut response = json(status, &shown)?;
    if let Ok(location) = HeaderValue::from_str(&location) {
        response.headers_mut().insert(header::LOCATION, location);
    }
    Ok(response)
}

/// A job as it is kept.
async fn kept(shared: &Arc<Shared>, id: &str) -> Result<Entry, Refusal> {
    let (us, wanted) = (shared.clone(), id.to_owned());
    let entry = blocking(move || Ok(us.keep.entry(&wanted)?)).await?;
    entry.ok_or_else(|| Refusal::not_found("such job; the oldest answers go first").of("id"))
}

async fn shown(shared: &Arc<Shared>, id: &str) -> Result<Shown, Refusal> {
    match shared.desk.live(id) {
        Some(live) => Ok(Shown::live(shared, &live)),
        None => Ok(Shown::kept(kept(shared, id).await?)),
    }
}

async fn job(State(shared): Us, Named(id): Named) -> Answered {
    json(StatusCode::OK, &shown(&shared, &id).await?)
}

async fn cancel(
    State(shared): Us,
    Extension(client): Extension<Client>,
    Named(id): Named,
) -> Answered {
    let whose = kept(&shared, &id).await?.client;
    if whose != client {
        return Err(Refusal::forbidden("Only who submitted a job can cancel it.").of("id"));
    }
    if let Some(live) = shared.desk.live(&id) {
        let us = shared.clone();
        blocking(move || Ok(us.desk.cancel(&live)?)).await?;
    }
    json(StatusCode::ACCEPTED, &shown(&shared, &id).await?)
}

async fn events(State(shared): Us, Named(id): Named, headers: HeaderMap) -> Answered {
    let seen = headers.get("last-event-id").and_then(|seen| seen.to_str().ok()?.parse().ok());
    match shared.desk.live(&id) {
        Some(live) => Ok(watch::follow(shared, live, seen.unwrap_or(0)).into_response()),
        None => Ok(watch::ended(&Shown::kept(kept(&shared, &id).await?)).into_response()),
    }
}

/// Why a job has no answer.
fn not_there(entry: &Entry) -> Refusal {
    let refusal = |sentence: &str| Refusal::new(StatusCode::CONFLICT, Why::NotReady, sentence);
    if entry.state.is_final() {
        refusal("The job ended without an answer.")
    } else {
        refusal("The job has no answer yet: follow its events, or ask again later.").retry(1)
    }
}

async fn answer(
    State(shared): Us,
    Extension(client): Extension<Client>,
    Named(id): Named,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Answered {
    let entry = kept(&shared, &id).await?;
    let question = entry.asking.question.clone();
    let mut query = Query::read(query.as_deref());
    let first = query.number("first", MOST_FIRST)?;
    let wish = Wish::read(&shared.catalogue, &question, query, &headers)?;
    if !entry.has_answer {
        return Err(not_there(&entry));
    }
    let slot = shared.slow.enter(&client).await?;
    let (us, run) = (shared.clone(), run_of(&shared, verifying(&shared.options)));
    at_once(&shared, slot, run, move |run| {
        let saved = saved(&us, &id, run)?.ok_or_else(|| not_there(&entry))?;
        match first {
            None => convert(&us.catalogue, &saved, &question, &wish, run),
            Some(first) => beginning(&us.catalogue, &saved, first, &wish, run),
        }
    })
    .await
}

async fn verify_job(
    State(shared): Us,
    Extension(client): Extension<Client>,
    Named(id): Named,
    RawQuery(query): RawQuery,
) -> Answered {
    let entry = kept(&shared, &id).await?;
    if !entry.has_answer {
        return Err(not_there(&entry));
    }
    let slot = shared.slow.enter(&client).await?;
    let us = shared.clone();
    verdict(&shared, slot, query.as_deref(), move |run| {
        saved(&us, &id, run)?.ok_or_else(|| not_there(&entry))
    })
    .await
}
