//! `pessoi serve`: play, ask and explore in a browser, and the same as an API.
//!
//! The server is a thin door: it turns requests into questions, lets the library answer them,
//! and writes the answers. Words used here:
//!
//! - A **client** is who asks: the holder of a token, or an address if no tokens are used.
//! - A **job** is a question that was submitted, with its limits. It has an id that cannot be
//!   guessed; whoever knows the id can read the job and its answer, so an answer has a link. Only
//!   its client can cancel it.
//! - The `desk` takes jobs in and has them done, a few at a time. Clients take turns, so one
//!   who submits a hundred jobs does not keep another from having one done.
//! - The `keep` holds jobs and answers in `SQLite`: in a folder, where they survive the end of
//!   the program however it comes, or in memory. A question that was answered in full is
//!   answered from there.
//! - The `room` is where jobs save themselves on disk, so that they go on when the program
//!   starts again.
//! - The `gate` lets through what is answered at once, without a job: hints, checks, small
//!   counts, plans. It has its own slots, so heavy jobs do not hold up play.
//! - The `guard` looks at every request before anything else: where it was sent to (`Host`),
//!   which page sent it (`Origin`) and with which token.
//!
//! What is served beside the API are the files of `pages`, built into the program. They use the
//! API and nothing else. The API describes itself (`openapi`): a route is declared together
//! with its description, so none is missing.

mod api;
mod asking;
mod assets;
mod bounded;
mod connections;
mod desk;
mod gate;
mod guard;
mod keep;
mod negotiate;
mod openapi;
mod options;
mod papers;
mod private;
mod refusal;
mod room;
mod server;
mod watch;

pub use options::{Options, PORT, Tokens};
pub use server::{Server, Stop, serve};
