//! Changes to a program: deciding where kernels and data environments go, and the edits that put them there.

pub mod addresses;
pub mod atomic;
pub mod c_text;
pub mod called;
pub mod computed;
pub mod device_types;
pub mod emit;
pub mod environment;
pub mod existing;
pub mod express;
pub mod fitness;
pub mod hoist;
pub mod kernel;
pub mod links;
pub mod loads;
pub mod meaning;
pub mod nested;
pub mod plan;
pub mod promoted;
pub mod reread;
pub mod reshape;
pub mod said;
pub mod sample;
pub mod scope;
pub mod scratch;
pub mod stepped;
