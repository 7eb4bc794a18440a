//! Connections: taken in, served, and ended.
//!
//! There are so many at most, and half of them for one address, so that nobody keeps the others
//! out. Who is slow to say what is wanted, or does not read what was asked for, is not waited for.
//! When the server stops, nothing new is taken in and what is under way has some seconds to end.

use std::collections::HashMap;
use std::convert::Infallible;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use axum::response::Response;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::Sleep;
use tower_service::Service;

use crate::guard::Peer;
use crate::options::Options;

/// How long what is under way may take to end.
const ENDING: Duration = Duration::from_secs(5);

/// Serves connections until the server stops.
pub(crate) async fn serve(
    listener: TcpListener,
    router: Router,
    options: Arc<Options>,
    mut stopping: watch::Receiver<bool>,
) {
    let graceful = GracefulShutdown::new();
    let free = Arc::new(Semaphore::new(options.connections));
    let crowd = Crowd::default();
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
            Ok((stream, peer)) => {
                // One too many is closed: there is no request yet that could be answered.
                if let Some(place) = crowd.enter(peer.ip(), options.connections.div_ceil(2)) {
                    one(stream, peer, (room, place), router.clone(), options.patience, &graceful);
                }
            }
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
    place: (Option<OwnedSemaphorePermit>, Place),
    router: Router,
    patience: Duration,
    graceful: &GracefulShutdown,
) {
    // Small answers are sent at once; if that cannot be set, they come later.
    let _ = stream.set_nodelay(true);
    let service = hyper::service::service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(Peer(peer));
        let answered = router.clone().call(request);
        async move { answered.await as Result<Response, Infallible> }
    });
    let stream = Patient { stream, patience, waiting: None };
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(patience)
        .serve_connection(TokioIo::new(stream), service);
    let connection = graceful.watch(connection);
    tokio::spawn(async move {
        // A connection that breaks is the client's affair.
        let _ = connection.await;
        drop(place);
    });
}

/// How many connections each address has.
#[derive(Clone, Default)]
struct Crowd(Arc<Mutex<HashMap<IpAddr, usize>>>);

/// A connection of an address, counted until this is dropped.
struct Place(Crowd, IpAddr);

impl Crowd {
    /// Counts a connection of this address, unless it has so many already.
    fn enter(&self, ip: IpAddr, most: usize) -> Option<Place> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let its = all.entry(ip).or_default();
        if *its >= most {
            return None;
        }
        *its += 1;
        Some(Place(self.clone(), ip))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut all = self.0.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(its) = all.get_mut(&self.1) {
            *its -= 1;
            if *its == 0 {
                all.remove(&self.1);
            }
        }
    }
}

/// A stream that fails if what is written to it is not taken for too long.
struct Patient {
    stream: TcpStream,
    patience: Duration,
    /// Until when, while something waits to be taken.
    waiting: Option<Pin<Box<Sleep>>>,
}

impl Patient {
    fn written(
        &mut self,
        polled: Poll<io::Result<usize>>,
        cx: &mut Context<'_>,
    ) -> Poll<io::Result<usize>> {
        if polled.is_ready() {
            self.waiting = None;
            return polled;
        }
        let patience = self.patience;
        let waiting = self.waiting.get_or_insert_with(|| Box::pin(tokio::time::sleep(patience)));
        waiting.as_mut().poll(cx).map(|()| Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for Patient {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, into)
    }
}

impl AsyncWrite for Patient {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let polled = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.written(polled, cx)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        pieces: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let polled = Pin::new(&mut self.stream).poll_write_vectored(cx, pieces);
        self.written(polled, cx)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_its_share() {
        let crowd = Crowd::default();
        let [here, there] = ["127.0.0.1", "::1"].map(|ip| ip.parse().unwrap());
        let first = crowd.enter(here, 2);
        let second = crowd.enter(here, 2);
        assert!(first.is_some() && second.is_some() && crowd.enter(here, 2).is_none());
        assert!(crowd.enter(there, 2).is_some());
        drop(first);
        assert!(crowd.enter(here, 2).is_some());
        drop(second);
        assert!(crowd.0.lock().unwrap().is_empty());
    }
}
