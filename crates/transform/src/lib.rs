//! Changes to a program: deciding where kernels and data environments go, and the edits that put them there.
