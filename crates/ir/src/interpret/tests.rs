//! Programs built by hand.
