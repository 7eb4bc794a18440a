//! The gate: what is answered at once goes through here.
//!
//! There are some *slots*. Who finds none free waits, and if too many wait already, is refused
//! politely. A client has at most half of the slots at one time, so that there is always one for
//! the others.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::guard::Client;
use crate::refusal::Refusal;

/// How many may wait for each slot.
const PATIENCE: usize = 128;

/// Slots for what is answered at once.
pub(crate) struct Gate {
    slots: usize,
    all: Share,
    clients: Mutex<HashMap<Client, Share>>,
}

/// What all have, or a client: slots, and room to wait for them.
#[derive(Clone)]
struct Share {
    slots: Arc<Semaphore>,
    waiting: Arc<Semaphore>,
}

impl Share {
    fn of(slots: usize) -> Self {
        Share {
            slots: Arc::new(Semaphore::new(slots)),
            waiting: Arc::new(Semaphore::new(slots * PATIENCE)),
        }
    }

    fn wait(&self) -> Option<OwnedSemaphorePermit> {
        self.waiting.clone().try_acquire_owned().ok()
    }

    /// Waits for a slot. The semaphores are never closed.
    async fn slot(&self) -> Option<OwnedSemaphorePermit> {
        self.slots.clone().acquire_owned().await.ok()
    }
}

/// A slot, which is free again when this is dropped.
pub(crate) struct Slot {
    _own: Option<OwnedSemaphorePermit>,
    _slot: Option<OwnedSemaphorePermit>,
}

impl Gate {
    pub(crate) fn new(slots: usize) -> Self {
        let slots = slots.max(2);
        Gate { slots, all: Share::of(slots), clients: Mutex::default() }
    }

    /// Waits for a slot.
    pub(crate) async fn enter(&self, client: &Client) -> Result<Slot, Refusal> {
        let share = self.share(client);
        let Some(_own_place) = share.wait() else {
            return Err(Refusal::too_many("You ask too much at one time: try again soon."));
        };
        let Some(_place) = self.all.wait() else {
            return Err(Refusal::overloaded("Too many ask at one time: try again soon."));
        };
        Ok(Slot { _own: share.slot().await, _slot: self.all.slot().await })
    }

    fn share(&self, client: &Client) -> Share {
        let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        // Who has nothing under way is forgotten, so that the list does not grow for ever.
        if clients.len() > 1000 {
            clients.retain(|_, share| {
                Arc::strong_count(&share.slots) > 1 || Arc::strong_count(&share.waiting) > 1
            });
        }
        let half = self.slots.div_ceil(2);
        clients.entry(client.clone()).or_insert_with(|| Share::of(half)).clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(name: &str) -> Client {
        Client(name.into())
    }

    #[tokio::test]
    async fn one_client_leaves_slots_to_the_others() {
        let gate = Arc::new(Gate::new(4));
        let mut held = vec![gate.enter(&client("a")).await.unwrap()];
        held.push(gate.enter(&client("a")).await.unwrap());
        let third = tokio::spawn({
            let gate = gate.clone();
            async move { gate.enter(&client("a")).await.is_ok() }
        });
        // The other gets in while the third of the first waits.
        held.push(gate.enter(&client("b")).await.unwrap());
        assert!(!third.is_finished());
        held.remove(0);
        assert!(third.await.unwrap());
    }

    #[tokio::test]
    async fn too_many_are_refused() {
        let gate = Gate::new(2);
        let clients = ["a", "b", "c"].map(client);
        let mut held = vec![gate.enter(&clients[0]).await.unwrap()];
        held.push(gate.enter(&clients[1]).await.unwrap());
        let mut waiting = Vec::new();
        let mut fill = |client| {
            for _ in 0..PATIENCE {
                waiting.push(Box::pin(gate.enter(client)));
            }
        };
        fill(&clients[0]);
        fill(&clients[1]);
        for one in &mut waiting {
            tokio::select! {
                biased;
                _ = one => panic!("there is no slot"),
                () = async {} => {}
            }
        }
        // A client who has half of the places, and then another when there is no place at all.
        assert!(gate.enter(&clients[0]).await.is_err());
        assert!(gate.enter(&clients[2]).await.is_err());
        drop((waiting, held));
        assert!(gate.enter(&clients[2]).await.is_ok());
    }
}
