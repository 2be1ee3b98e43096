//! The judges: a guarded second memory, races, traces, runners.
