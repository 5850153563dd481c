//! Tests: real snapshots against figures that an independent program worked out, and hand-made ones rule by rule.

mod real;
mod rules;
