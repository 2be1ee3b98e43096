//! What is known of one GPU? Numbers from its maker's manuals, one file for each.

use serde::Deserialize;
use std::fmt;
use std::sync::OnceLock;

/// The facts about a GPU. Sizes are in bytes.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Gpu {
    /// What it is called, and asked for by `--gpu`.
    pub name: String,
    /// Threads that run in step (a warp, a wavefront, a sub-group).
    pub warp: u32,
    /// The least that is moved from memory.
    pub sector: u64,
    /// What caches look up at a time.
    pub line: u64,
    /// Multiprocessors (compute units).
    pub multiprocessors: u64,
    /// Threads that one holds.
    pub threads_per_multiprocessor: u64,
    /// Blocks (teams, gangs) that one holds.
    pub blocks_per_multiprocessor: u64,
    /// Threads of one block.
    pub threads_per_block: u64,
    /// Shared memory of a multiprocessor.
    pub shared_per_multiprocessor: u64,
    /// Of it, what one block may have.
    pub shared_per_block: u64,
    /// Banks of the shared memory.
    pub banks: u64,
    /// Bytes of one word of a bank.
    pub bank_bytes: u64,
    /// Bytes per second from and to its memory.
    pub memory_bandwidth: f64,
    /// Bytes per second from and to the host; none where they share their memory.
    pub link_bandwidth: Option<f64>,
    /// Seconds that the start of a kernel takes.
    pub launch_seconds: f64,
}

impl Gpu {
    /// Threads that it holds at a time.
    pub fn resident_threads(&self) -> u64 {
        self.multiprocessors * self.threads_per_multiprocessor
    }
}

/// Why a file does not describe a GPU.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wrong(String);

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Wrong {}

/// Reads the text of a description.
///
/// # Errors
/// If it is not TOML, a number is missing or one makes no sense.
pub fn read(text: &str) -> Result<Gpu, Wrong> {
    let gpu: Gpu = toml::from_str(text).map_err(|error| Wrong(error.to_string().trim_end().to_owned()))?;
    let positive = [
        ("warp", u64::from(gpu.warp)),
        ("sector", gpu.sector),
        ("line", gpu.line),
        ("multiprocessors", gpu.multiprocessors),
        ("threads-per-multiprocessor", gpu.threads_per_multiprocessor),
        ("blocks-per-multiprocessor", gpu.blocks_per_multiprocessor),
        ("threads-per-block", gpu.threads_per_block),
        ("banks", gpu.banks),
        ("bank-bytes", gpu.bank_bytes),
    ];
    if let Some((name, _)) = positive.iter().find(|(_, value)| *value == 0) {
        return Err(Wrong(format!("{name} is 0")));
    }
    // Counts stay far from the ends of the types in which they are made.
    let most = 1 << 40;
    let sizes = [gpu.shared_per_multiprocessor, gpu.shared_per_block];
    let large = positive
        .iter()
        .map(|(_, value)| *value)
        .chain(sizes)
        .any(|value| value > most);
    if large || gpu.warp > 1 << 10 || gpu.line > 1 << 16 {
        return Err(Wrong("a number is larger than any GPU has".to_owned()));
    }
    if !gpu.line.is_multiple_of(gpu.sector) {
        return Err(Wrong(format!(
            "a line of {} bytes is not made of sectors of {}",
            gpu.line, gpu.sector
        )));
    }
    Ok(gpu)
}

/// The texts of the descriptions that Ferry comes with; the first is the default.
const BUILTIN: [&str; 7] = [
    include_str!("../devices/h200.toml"),
    include_str!("../devices/h100.toml"),
    include_str!("../devices/a100.toml"),
    include_str!("../devices/v100.toml"),
    include_str!("../devices/p100.toml"),
    include_str!("../devices/mi250x.toml"),
    include_str!("../devices/integrated.toml"),
];

/// The GPUs that Ferry knows, the default first.
pub fn all() -> &'static [Gpu] {
    static FOUND: OnceLock<Vec<Gpu>> = OnceLock::new();
    FOUND.get_or_init(|| BUILTIN.iter().filter_map(|text| read(text).ok()).collect())
}

/// The default.
pub fn builtin() -> &'static Gpu {
    &all()[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_description_is_read() {
        for text in BUILTIN {
            read(text).unwrap();
        }
        let mut names: Vec<&str> = all().iter().map(|gpu| gpu.name.as_str()).collect();
        assert_eq!(names.len(), BUILTIN.len());
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), BUILTIN.len(), "two have one name");
    }

    #[test]
    fn wrong_descriptions_are_refused_with_the_reason() {
        let good = BUILTIN[0];
        let wrong = |from: &str, to: &str| {
            let text = good.replace(from, to);
            assert_ne!(text, good);
            read(&text).unwrap_err().to_string()
        };
        assert_eq!(wrong("sector = 32", "sector = 0"), "sector is 0");
        assert!(wrong("sector = 32", "sector = 48").contains("not made of sectors"));
        assert!(wrong("sector = 32", "sector = 'x'").contains("sector"));
        assert!(wrong("sector = 32", "").contains("missing field `sector`"));
        assert!(wrong("sector = 32", "sectors = 32").contains("unknown field `sectors`"));
        assert!(wrong("warp = 32", "warp = 4294967295").contains("larger than any"));
        assert!(read("").is_err());
    }
}
