//! Tests: real snapshots against figures that an independent program worked out, and hand-made ones rule by rule.

#![allow(clippy::format_push_string, reason = "tests build text; nobody waits for them")]

mod real;
mod rules;
