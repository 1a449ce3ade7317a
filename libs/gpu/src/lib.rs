//! What a GPU is, and how long it takes.
