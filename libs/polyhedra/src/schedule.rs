//! Schedule trees.
