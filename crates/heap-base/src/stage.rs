//! What a long run works on, for whoever waits: a line of the terminal shows it.
//!
//! Work that takes seconds begins a stage and knows nothing of terminals. One process does one thing for its user, so there is
//! one stage.

use std::sync::{Mutex, PoisonError};

static BEGUN: Mutex<Option<&'static str>> = Mutex::new(None);

/// Begins a stage: `dominators`.
pub fn begin(name: &'static str) {
    *BEGUN.lock().unwrap_or_else(PoisonError::into_inner) = Some(name);
}

/// The stage that has begun since the last call.
pub fn take() -> Option<&'static str> {
    BEGUN.lock().unwrap_or_else(PoisonError::into_inner).take()
}
