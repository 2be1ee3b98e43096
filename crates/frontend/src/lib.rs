//! C to IR, through libclang.
#![allow(unsafe_code)]
