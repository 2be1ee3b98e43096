//! Ready observers.
