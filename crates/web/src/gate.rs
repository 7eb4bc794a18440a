//! The gate: what is answered at once goes through here.
//!
//! There are some *slots*. Who finds none free waits, and if too many wait already, is refused
//! politely. A client has at most half of the slots at one time, so that there is always one for
//! the others.
//!
//! Who is far *overdue*, because an engine does not look at its limits, loses the slot to the
//! others while the work still goes on. There are no more of those than slots.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::guard::Client;
use crate::refusal::Refusal;

/// How many may wait for each slot.
const PATIENCE: usize = 128;

/// Slots for what is answered at once.
pub(crate) struct Gate {
    slots: usize,
    all: Share,
    overdue: Arc<Semaphore>,
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

/// A slot, which is free again when this is dropped, or when it is lost.
pub(crate) struct Slot(Arc<Held>);

/// What whoever is in a slot has.
struct Held {
    /// A place among those of the client and among those of all; or, after these were lost, one
    /// among the overdue.
    places: Mutex<Vec<OwnedSemaphorePermit>>,
    overdue: Arc<Semaphore>,
}

impl Slot {
    /// After so long the others get the slot, if the work still goes on then.
    pub(crate) fn lost_after(&self, patience: Duration) -> impl Future<Output = ()> + 'static {
        let slot = Arc::downgrade(&self.0);
        async move {
            tokio::time::sleep(patience).await;
            if let Some(held) = slot.upgrade()
                && let Ok(overdue) = held.overdue.clone().try_acquire_owned()
            {
                *held.places.lock().unwrap_or_else(PoisonError::into_inner) = vec![overdue];
            }
        }
    }
}

impl Gate {
    pub(crate) fn new(slots: usize) -> Self {
        let slots = slots.max(2);
        let overdue = Arc::new(Semaphore::new(slots));
        Gate { slots, all: Share::of(slots), overdue, clients: Mutex::default() }
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
        let own = share.slot().await;
        let places = own.into_iter().chain(self.all.slot().await).collect();
        Ok(Slot(Arc::new(Held { places: Mutex::new(places), overdue: self.overdue.clone() })))
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
    async fn who_is_overdue_loses_the_slot() {
        let gate = Gate::new(2);
        let who = client("a");
        let mut overdue = Vec::new();
        // A client has one of two slots, and there are two who may be overdue.
        for _ in 0..2 {
            let slot = gate.enter(&who).await.unwrap();
            slot.lost_after(Duration::ZERO).await;
            overdue.push(slot);
        }
        let third = gate.enter(&who).await.unwrap();
        third.lost_after(Duration::ZERO).await;
        assert_eq!(gate.all.slots.available_permits(), 1, "it keeps the slot");
        drop(third);
        assert_eq!(gate.all.slots.available_permits(), 2);
        drop(overdue);
        assert_eq!((gate.all.slots.available_permits(), gate.overdue.available_permits()), (2, 2));
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
