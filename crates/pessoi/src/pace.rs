//! Pace: how fast a run goes, and how much of its stage is left.
//!
//! Whoever watches a run looks at its [`Progress`] now and then. The **rate** is that of the last
//! seconds rather than of all time. The **rest** is said only where it is honest: the steps of
//! the stage cost about the same, and a twentieth of them is done.

use std::time::{Duration, Instant};

use pessoi_engine::run::Progress;

/// How long the rate is measured before it is taken over.
const A_LOOK: Duration = Duration::from_millis(500);

/// What was seen of a run so far.
#[derive(Clone, Debug)]
pub struct Pace {
    /// When the rate was last measured, and what was handled by then.
    looked: (Instant, u64),
    a_second: f64,
    /// The stage, and when it began.
    stage: (String, Instant),
}

impl Pace {
    /// Nothing was seen yet.
    pub fn new(now: Instant) -> Self {
        Pace { looked: (now, 0), a_second: 0.0, stage: (String::new(), now) }
    }

    /// Takes in the progress as it is now.
    pub fn update(&mut self, progress: &Progress, now: Instant) {
        let (at, handled) = self.looked;
        let passed = now.saturating_duration_since(at);
        if passed >= A_LOOK {
            let rate = progress.handled.saturating_sub(handled) as f64 / passed.as_secs_f64();
            let is_first = self.a_second == 0.0;
            self.a_second = if is_first { rate } else { 0.7 * self.a_second + 0.3 * rate };
            self.looked = (now, progress.handled);
        }
        if self.stage.0 != progress.stage {
            self.stage = (progress.stage.clone(), now);
        }
    }

    /// Nodes, borders or states handled in a second.
    pub fn a_second(&self) -> f64 {
        self.a_second
    }

    /// How long the rest of the stage takes, where that can be said.
    pub fn rest(&self, progress: &Progress, now: Instant) -> Option<Duration> {
        let (done, total) = progress.steps?;
        if !progress.steps_are_alike || done == 0 || done.saturating_mul(20) < total {
            return None;
        }
        let spent = now.saturating_duration_since(self.stage.1).as_secs_f64();
        let rest = spent * total.saturating_sub(done) as f64 / done as f64;
        Duration::try_from_secs_f64(rest).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn progress(handled: u64, steps: (u64, u64), steps_are_alike: bool) -> Progress {
        Progress { stage: "reading".into(), steps: Some(steps), steps_are_alike, handled, bytes: 0 }
    }

    #[test]
    fn the_rest_is_said_where_it_is_honest() {
        let began = Instant::now();
        let mut pace = Pace::new(began);
        pace.update(&progress(0, (0, 100), true), began);
        let later = began + Duration::from_secs(10);
        pace.update(&progress(500, (25, 100), true), later);
        assert_eq!(
            pace.rest(&progress(500, (25, 100), true), later),
            Some(Duration::from_secs(30))
        );
        assert_eq!(pace.rest(&progress(500, (25, 100), false), later), None, "uneven steps");
        assert_eq!(pace.rest(&progress(500, (4, 100), true), later), None, "too early");
        assert_eq!(pace.rest(&progress(500, (0, 0), true), later), None);
        assert!((pace.a_second() - 50.0).abs() < 1e-9);
    }

    #[test]
    fn the_rate_is_that_of_the_last_seconds() {
        let began = Instant::now();
        let mut pace = Pace::new(began);
        for second in 1..=20 {
            let handled = if second <= 10 { 1000 * second } else { 10_000 };
            pace.update(&progress(handled, (1, 2), true), began + Duration::from_secs(second));
        }
        assert!(pace.a_second() < 50.0, "{}", pace.a_second());
    }
}
