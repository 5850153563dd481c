//! Reads the text of the prototype in mdb_v8.
