//! Helpers of the whole-chain tests.
