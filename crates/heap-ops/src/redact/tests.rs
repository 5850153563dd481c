//! What is redacted is gone, what is kept is the same.
