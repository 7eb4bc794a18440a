//! Connections: taken in, served, and ended.
//!
//! There are so many at most; who is slow to say what is wanted is not waited for. When the
//! server stops, nothing new is taken in and what is under way has some seconds to end.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use axum::response::Response;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tower_service::Service;

use crate::guard::Peer;

/// How long a client may take to send the head of a request.
const HEAD: Duration = Duration::from_secs(15);
/// How long what is under way may take to end.
const ENDING: Duration = Duration::from_secs(5);

/// Serves connections until the server stops.
pub(crate) async fn serve(
    listener: TcpListener,
    router: Router,
    most: usize,
    mut stopping: watch::Receiver<bool>,
) {
    let graceful = GracefulShutdown::new();
    let free = Arc::new(Semaphore::new(most));
    loop {
        let room = free.clone().acquire_owned();
        let accepted = async {
            // The semaphore is never closed.
            let room = room.await.ok();
            (room, listener.accept().await)
        };
        let (room, accepted) = tokio::select! {
            accepted = accepted => accepted,
            _ = stopping.wait_for(|stopping| *stopping) => break,
        };
        match accepted {
            Ok((stream, peer)) => one(stream, peer, room, router.clone(), &graceful),
            // Such as too many open files: others must end first.
            Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
        }
    }
    drop(listener);
    tokio::select! {
        () = graceful.shutdown() => {}
        () = tokio::time::sleep(ENDING) => {}
    }
}

fn one(
    stream: TcpStream,
    peer: SocketAddr,
    room: Option<OwnedSemaphorePermit>,
    router: Router,
    graceful: &GracefulShutdown,
) {
    // Small answers are sent at once; if that cannot be set, they come later.
    let _ = stream.set_nodelay(true);
    let service = hyper::service::service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(Peer(peer));
        let answered = router.clone().call(request);
        async move { answered.await as Result<Response, Infallible> }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD)
        .serve_connection(TokioIo::new(stream), service);
    let connection = graceful.watch(connection);
    tokio::spawn(async move {
        // A connection that breaks is the client's affair.
        let _ = connection.await;
        drop(room);
    });
}
