//! The server: everything put together, begun and stopped.

use std::net::SocketAddr;
use std::sync::{Arc, Weak};
use std::thread::JoinHandle;
use std::time::Duration;

use pessoi::error::reason;
use pessoi::{Catalogue, Error, Memory, Result};
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tokio::sync::watch;

use crate::api;
use crate::connections;
use crate::desk::Desk;
use crate::gate::Gate;
use crate::keep::Keep;
use crate::options::Options;

/// How long what nobody waits for any more may take to end.
const ENDING: Duration = Duration::from_secs(5);

/// What all requests share.
pub(crate) struct Shared {
    pub(crate) options: Arc<Options>,
    pub(crate) catalogue: Arc<Catalogue>,
    pub(crate) keep: Arc<Keep>,
    pub(crate) desk: Arc<Desk>,
    /// For what is answered at once.
    pub(crate) quick: Gate,
    /// For plans and verdicts, which may take longer.
    pub(crate) slow: Gate,
    /// The memory of what is answered at once.
    pub(crate) memory: Arc<Memory>,
    /// Whether the server stops.
    pub(crate) stopping: watch::Sender<bool>,
}

/// A server that listens.
pub struct Server {
    address: SocketAddr,
    runtime: Runtime,
    serving: tokio::task::JoinHandle<()>,
    workers: Vec<JoinHandle<()>>,
    shared: Arc<Shared>,
}

/// Stops a server; may be used from any thread, more than once, and after its end.
#[derive(Clone)]
pub struct Stop(Weak<Shared>);

impl Stop {
    /// Takes nothing more in, ends what is under way, and lets [`Server::wait`] return.
    pub fn stop(&self) {
        if let Some(shared) = self.0.upgrade() {
            shared.desk.close();
            shared.stopping.send_replace(true);
        }
    }
}

impl Server {
    /// Begins to listen.
    pub fn start(catalogue: Catalogue, options: Options) -> Result<Self> {
        options.check()?;
        let options = Arc::new(options);
        let catalogue = Arc::new(catalogue);
        let keep = Arc::new(Keep::open(options.data.as_deref(), options.kept)?);
        let desk = Desk::open(catalogue.clone(), keep.clone(), options.clone())?;
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .map_err(|error| Error::io(format!("The server cannot begin: {error}.")))?;
        let listen = options.listen;
        let listener = runtime.block_on(TcpListener::bind(listen)).map_err(|error| {
            let why = reason(&error);
            Error::option("listen", format!("The server cannot listen on {listen}: {why}."))
        })?;
        let address = listener
            .local_addr()
            .map_err(|error| Error::io(format!("The server has no address: {error}.")))?;
        let shared = Arc::new(Shared {
            quick: Gate::new(2 * options.threads),
            slow: Gate::new(options.threads),
            memory: Memory::new(options.memory_at_once()),
            stopping: watch::Sender::new(false),
            catalogue,
            keep,
            desk,
            options,
        });
        let router = api::router(&shared);
        let (options, stopping) = (shared.options.clone(), shared.stopping.subscribe());
        let serving = runtime.spawn(connections::serve(listener, router, options, stopping));
        let workers = (0..shared.options.at_once).map(|_| {
            let desk = shared.desk.clone();
            std::thread::spawn(move || desk.work())
        });
        Ok(Server { address, runtime, serving, workers: workers.collect(), shared })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// What stops it.
    pub fn stopper(&self) -> Stop {
        Stop(Arc::downgrade(&self.shared))
    }

    /// Waits until it is stopped and all that was under way has come to its end.
    pub fn wait(self) -> Result<()> {
        let Server { runtime, serving, workers, shared, .. } = self;
        let served = runtime.block_on(serving);
        // If the serving ended by itself, the workers must end too.
        shared.desk.close();
        let worked = workers.into_iter().all(|worker| worker.join().is_ok());
        // What is answered at once was cancelled when its connection ended.
        runtime.shutdown_timeout(ENDING);
        if served.is_ok() && worked {
            Ok(())
        } else {
            Err(Error::internal("a thread of the server panicked"))
        }
    }

    /// Stops on Ctrl-C and SIGTERM.
    fn stop_on_signals(&self) {
        let stop = self.stopper();
        self.runtime.spawn(async move {
            interrupted().await;
            stop.stop();
        });
    }
}

/// Waits for Ctrl-C or SIGTERM.
async fn interrupted() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminated) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = terminated.recv() => {}
            }
            return;
        }
    }
    // Where no handler can be set, Ctrl-C does what it does everywhere.
    let _ = tokio::signal::ctrl_c().await;
}

/// Serves until Ctrl-C or SIGTERM. `ready` is told the address as soon as there is one.
pub fn serve(
    catalogue: Catalogue,
    options: Options,
    ready: impl FnOnce(SocketAddr) -> Result<()>,
) -> Result<()> {
    let server = Server::start(catalogue, options)?;
    server.stop_on_signals();
    ready(server.address())?;
    server.wait()
}
