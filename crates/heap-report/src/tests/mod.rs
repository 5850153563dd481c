//! Reports in all formats, and text for people.

mod report;
mod text;
