//! Which library is linked? The shared `libisl` of the system (Debian: `libisl-dev` to build, `libisl23` to run).
//!
//! Shared, because gcc's own `cpp` depends on the same `libisl.so.23`: who compiles C with Debian's gcc has it. The static one would need GMP's
//! development files too, and would put GMP's licence (LGPL) on the binary. `FERRY_ISL_FOLDER` names another folder with the library.

fn main() {
    println!("cargo:rerun-if-env-changed=FERRY_ISL_FOLDER");
    println!("cargo:rerun-if-changed=build.rs");
    if let Ok(folder) = std::env::var("FERRY_ISL_FOLDER") {
        println!("cargo:rustc-link-search=native={folder}");
    }
    println!("cargo:rustc-link-lib=dylib=isl");
}
