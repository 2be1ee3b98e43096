//! How do findings look in SARIF 2.1.0?

use super::{Outcome, confidence, fingerprint, severity};
use crate::input::Files;
use crate::report::place_of;
use ferry_checks::Checked;
use ferry_source::{Edit, Severity, Span};
use serde_sarif::sarif;
use std::collections::BTreeMap;

/// The SARIF text.
///
/// # Errors
/// If it cannot be written as text.
pub fn render(outcome: &Outcome, files: &Files) -> Result<String, String> {
    let rules: Vec<sarif::ReportingDescriptor> = ferry_checks::ALL
        .iter()
        .map(|rule| {
            sarif::ReportingDescriptor::builder()
                .id(rule.name)
                .short_description(&rule.title.to_owned())
                .help(&rule.page.to_owned())
                .build()
        })
        .collect();
    let driver = sarif::ToolComponent::builder()
        .name("ferry")
        .version(env!("CARGO_PKG_VERSION"))
        .rules(rules)
        .build();
    let results: Vec<sarif::Result> = outcome
        .findings
        .iter()
        .enumerate()
        .map(|(number, one)| result(one, outcome.fixes.get(number), files))
        .collect();
    let run = sarif::Run::builder().tool(driver).results(results).build();
    let log = sarif::Sarif::builder()
        .schema(sarif::SCHEMA_URL)
        .version(serde_json::json!("2.1.0"))
        .runs(vec![run])
        .build();
    let text = serde_json::to_string_pretty(&log).map_err(|error| error.to_string())?;
    Ok(text + "\n")
}

fn result(checked: &Checked, edits: Option<&Vec<Edit>>, files: &Files) -> sarif::Result {
    let finding = &checked.finding;
    let level = match severity(checked) {
        Severity::Error => sarif::ResultLevel::Error,
        Severity::Warning => sarif::ResultLevel::Warning,
        Severity::Note => sarif::ResultLevel::Note,
    };
    let number = ferry_checks::ALL
        .iter()
        .position(|rule| rule.name == finding.rule);
    let places = finding
        .primary
        .iter()
        .map(|label| location(label.at, None, files));
    let related = finding
        .related
        .iter()
        .map(|label| location(label.at, Some(&label.message), files));
    let mut properties = BTreeMap::new();
    properties.insert("confidence".to_owned(), serde_json::json!(confidence(checked)));
    properties.insert("object".to_owned(), serde_json::json!(checked.object));
    let mut prints = BTreeMap::new();
    prints.insert("ferry/v1".to_owned(), fingerprint(checked, files));
    let fixes = edits.filter(|edits| !edits.is_empty());
    let fixes = fixes.map(|edits| fix(edits, files));
    sarif::Result::builder()
        .fixes(fixes.into_iter().collect::<Vec<_>>())
        .rule_id(finding.rule.as_str())
        .rule_index(number.and_then(|number| i64::try_from(number).ok()).unwrap_or(-1))
        .level(level)
        .message(&finding.message)
        .locations(places.collect::<Vec<_>>())
        .related_locations(related.collect::<Vec<_>>())
        .partial_fingerprints(prints)
        .properties(
            sarif::PropertyBag::builder()
                .additional_properties(properties)
                .build(),
        )
        .build()
}

/// Edits of one file.
fn fix(edits: &[Edit], files: &Files) -> sarif::Fix {
    let replacement = |edit: &Edit| {
        let region = sarif::Region::builder()
            .byte_offset(i64::from(edit.at.start))
            .byte_length(i64::from(edit.at.end - edit.at.start))
            .build();
        let text = String::from_utf8_lossy(&edit.text).into_owned();
        sarif::Replacement::builder()
            .deleted_region(region)
            .inserted_content(sarif::ArtifactContent::builder().text(text).build())
            .build()
    };
    let path = edits.first().map(|edit| place_of(&files.sources, edit.at).file);
    let artifact = sarif::ArtifactLocation::builder()
        .uri(path.unwrap_or_default())
        .build();
    let change = sarif::ArtifactChange::builder()
        .artifact_location(artifact)
        .replacements(edits.iter().map(replacement).collect::<Vec<_>>())
        .build();
    sarif::Fix::builder().artifact_changes(vec![change]).build()
}

fn location(at: Span, message: Option<&String>, files: &Files) -> sarif::Location {
    let place = place_of(&files.sources, at);
    let end = place_of(&files.sources, Span::new(at.file, at.end, at.end));
    let region = sarif::Region::builder()
        .start_line(i64::from(place.line))
        .start_column(i64::from(place.column))
        .end_line(i64::from(end.line))
        .end_column(i64::from(end.column))
        .build();
    let artifact = sarif::ArtifactLocation::builder().uri(place.file).build();
    let physical = sarif::PhysicalLocation::builder()
        .artifact_location(artifact)
        .region(region)
        .build();
    match message {
        Some(message) => sarif::Location::builder()
            .physical_location(physical)
            .message(message)
            .build(),
        None => sarif::Location::builder().physical_location(physical).build(),
    }
}
