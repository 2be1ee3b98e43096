//! Which findings are old? Those in the JSON of an earlier run.

use std::collections::BTreeSet;

/// The findings of an earlier run, by their fingerprints.
#[derive(Clone, Debug)]
pub struct Baseline {
    fingerprints: BTreeSet<String>,
}

impl Baseline {
    /// True if the finding was there.
    pub fn has(&self, fingerprint: &str) -> bool {
        self.fingerprints.contains(fingerprint)
    }
}

/// Reads the output of `ferry check --format json`.
///
/// # Errors
/// Says why it cannot be read.
pub fn baseline(path: &str) -> Result<Baseline, String> {
    let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
    let report: serde_json::Value =
        serde_json::from_slice(&bytes).map_err(|error| format!("this is no JSON: {error}"))?;
    let findings = report.get("findings").and_then(|findings| findings.as_array());
    let findings = findings.ok_or("this is not what `ferry check --format json` writes")?;
    let fingerprint = |one: &serde_json::Value| Some(one.get("fingerprint")?.as_str()?.to_owned());
    Ok(Baseline {
        fingerprints: findings.iter().filter_map(fingerprint).collect(),
    })
}
