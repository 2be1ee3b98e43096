//! How does a report look in a browser? One file that needs no other: the source with verdicts and requests in its margins, and for each kernel what goes
//! in and out, what each access costs a warp, what other orders of its loops would cost, and a drawing of where its threads are.
//!
//! Nothing is computed here but what is drawn.

use super::drawing;
use super::kernel;
use super::model::{AmountReport, KernelAccess, KernelReport, LoopReport, ObjectReport, Parameters, Report};
use super::sharing;
use super::text::headline;
use crate::input::Files;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use std::collections::BTreeMap;

/// The look of the page: light or dark as the reader's system has it.
const STYLE: &str = include_str!("html.css");

/// The whole page.
pub fn render(report: &Report, files: &Files) -> String {
    let parallel = report
        .loops
        .iter()
        .filter(|one| one.verdict.starts_with("parallel"))
        .count();
    let kernels: Vec<&LoopReport> = report.loops.iter().filter(|one| one.kernel.is_some()).collect();
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { "Ferry: " (report.files.iter().map(|one| one.file.as_str()).collect::<Vec<_>>().join(", ")) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                header {
                    h1 { "Which loops a GPU can run, and what they cost it" }
                    p {
                        (report.loops.len()) " loops, " (parallel) " of them parallel, " (kernels.len()) " kernels"
                        @if let Some(gpu) = kernels.iter().filter_map(|one| one.kernel.as_ref()).map(|one| &one.gpu).next() {
                            ". Requests are counted for " b { (gpu) } "."
                        }
                    }
                    @if !kernels.is_empty() { (contents(&kernels)) }
                }
                @for file in &report.files {
                    (source(report, &file.file, files))
                    @for one in kernels.iter().filter(|one| one.place.file == file.file) { (kernel_section(one)) }
                }
                @for error in &report.errors { p.error { (error) } }
            }
        }
    };
    page.into_string()
}

fn anchor(one: &LoopReport) -> String {
    let name: String = one
        .place
        .file
        .chars()
        .map(|c| if c.is_alphanumeric() { c } else { '-' })
        .collect();
    format!("kernel-{name}-{}-{}", one.place.line, one.place.column)
}

fn contents(kernels: &[&LoopReport]) -> Markup {
    html! {
        table.contents {
            thead { tr { th { "kernel" } th { "threads" } th.number { "lines" } th.number { "sectors" } th { "cheaper" } } }
            tbody {
                @for one in kernels {
                    @if let Some(kernel) = &one.kernel {
                        tr {
                            td { a href=(format!("#{}", anchor(one))) { (one.function) ", line " (one.place.line) } }
                            td { (kernel.threads.as_deref().unwrap_or("unknown")) }
                            td.number { (kernel.lines.as_ref().map(|lines| format!("{}{lines}", kernel::at_most(kernel.exact))).unwrap_or_default()) }
                            td.number { (kernel.sectors.as_ref().map(|sectors| format!("{}{sectors}", kernel::at_most(kernel.exact))).unwrap_or_default()) }
                            td { (kernel.advice.as_deref().unwrap_or("")) }
                        }
                    }
                }
            }
        }
        p.small { "Lines and sectors are those of one warp in one innermost iteration." }
    }
}

/// What stands in the margins of one line.
#[derive(Default)]
struct Margin<'a> {
    verdicts: Vec<&'a LoopReport>,
    accesses: Vec<&'a KernelAccess>,
}

fn source(report: &Report, path: &str, files: &Files) -> Markup {
    let mut margins: BTreeMap<u32, Margin<'_>> = BTreeMap::new();
    for one in report.loops.iter().filter(|one| one.place.file == path) {
        margins.entry(one.place.line).or_default().verdicts.push(one);
        for access in one
            .kernel
            .iter()
            .flat_map(|kernel| &kernel.accesses)
            .filter(|access| access.place.file == path)
        {
            margins
                .entry(access.place.line)
                .or_default()
                .accesses
                .push(access);
        }
    }
    let unit = files
        .loaded
        .units
        .iter()
        .find(|unit| unit.path.display().to_string() == path);
    let bytes = unit
        .and_then(|unit| unit.file)
        .map(|file| files.original(file))
        .unwrap_or_default();
    let text = String::from_utf8_lossy(bytes);
    let empty = Margin::default();
    html! {
        section {
            h2 { (path) }
            div.wide {
                table.source {
                    @for (number, line) in (1u32..).zip(text.lines()) {
                        @let margin = margins.get(&number).unwrap_or(&empty);
                        tr id=(format!("line-{number}")) {
                            td.verdict {
                                @for one in &margin.verdicts {
                                    span class=(format!("badge {}", one.verdict)) title=(headline(one)) { (short(one.verdict)) }
                                }
                            }
                            td.line { (number) }
                            td.code { (line) }
                            td.requests {
                                @for access in &margin.accesses {
                                    span class=(format!("cost {}", access.pattern)) title=(told(access)) {
                                        (&access.kind[..1]) " " (if access.lines.exact { "" } else { "≤" }) (access.lines.usual)
                                    }
                                }
                            }
                        }
                    }
                }
            }
            p.small {
                "Left: may the loop's iterations run in any order? Right: for each access of a kernel, read or written, the lines that a warp takes."
            }
        }
    }
}

/// A verdict in a margin.
fn short(verdict: &str) -> &str {
    match verdict {
        "parallel_if" => "parallel if",
        "parallel_assuming" => "assuming",
        other => other,
    }
}

fn told(access: &KernelAccess) -> String {
    format!(
        "{}: lines {}, sectors {}, {}",
        access
            .text
            .as_deref()
            .or(access.object.as_deref())
            .unwrap_or("memory"),
        kernel::range(&access.lines),
        kernel::range(&access.sectors),
        kernel::words(access.pattern)
    )
}

fn kernel_section(one: &LoopReport) -> Markup {
    let Some(kernel) = &one.kernel else {
        return html! {};
    };
    html! {
        section.kernel id=(anchor(one)) {
            h3 { "Kernel in " (one.function) ", line " (one.place.line) }
            p { (headline(one)) }
            p {
                (kernel.threads.as_deref().unwrap_or("An unknown number of"))
                " threads" @if kernel.in_team { " in each team" }
                @if kernel.alone {
                    ", each alone in its warp, run the iterations of "
                } @else {
                    "; neighbours in warps of " (kernel.warp) " run neighbouring iterations of "
                }
                (kernel.lanes.iter().map(|lane| lane.variable.as_str()).collect::<Vec<_>>().join(" and ")) "."
            }
            @if let Some(advice) = &kernel.advice { p.advice { b { "Cheaper: " } (advice) "." } }
            @if let Some(parameters) = &one.parameters { (parameters_table(parameters)) }
            (accesses_table(kernel))
            (mappings_table(kernel))
            (divergence_table(kernel))
            (sharing_table(kernel))
            @if let Some(fitness) = &one.fitness {
                details {
                    summary { "Does it suit a GPU? " b { (fitness.suits) } }
                    ul { @for reason in &fitness.reasons { li { "line " (reason.place.line) ": " (reason.message) } } }
                }
            }
            details {
                summary { "What the counts rest on" }
                ul { @for assumption in &kernel.assumptions { li { (assumption) } } @for assumption in &one.assumptions { li { (assumption) } } }
            }
        }
    }
}

fn parameters_table(parameters: &Parameters) -> Markup {
    let rows: [(&str, &[ObjectReport]); 4] = [
        ("in", &parameters.inbound),
        ("out", &parameters.outbound),
        ("in, nested", &parameters.nested_inbound),
        ("out, nested", &parameters.nested_outbound),
    ];
    html! {
        h4 { "What goes in and out" }
        div.wide {
            table {
                thead { tr { th { "" } th { "section" } th { "bytes" } } }
                tbody {
                    @for (direction, objects) in rows {
                        @for object in objects {
                            tr {
                                td { (direction) }
                                td.code { (object.section.as_deref().unwrap_or(&object.object)) }
                                td.code {
                                    @match (&object.bytes, &object.cause) {
                                        (Some([first, end]), _) => { "[" (first) ", " (end) ")" }
                                        (None, Some(cause)) => { (cause) }
                                        _ => {}
                                    }
                                }
                            }
                        }
                    }
                    @if !parameters.scalars.is_empty() {
                        tr { td { "in, by value" } td.code { (parameters.scalars.join(", ")) } td {} }
                    }
                    @if !parameters.results.is_empty() {
                        tr { td { "out, by value" } td.code { (parameters.results.join(", ")) } td {} }
                    }
                }
            }
        }
    }
}

fn amount(amount: &AmountReport) -> Markup {
    let title = format!(
        "at least {}, at most {}; wherever it begins at least {}, at most {}",
        amount.best, amount.worst, amount.any_base.best, amount.any_base.worst
    );
    html! { span title=(title) { (kernel::range(amount)) } }
}

fn accesses_table(kernel: &KernelReport) -> Markup {
    html! {
        h4 { "What each access costs a warp" }
        div.wide {
            table {
                thead {
                    tr { th { "line" } th { "" } th { "access" } th { "object" } th { "threads" } th { "bytes apart" } th.number { "lines" } th.number { "sectors" } @if !kernel.after.is_empty() { th.number { "lines then" } } th { "times" } th { "" } }
                }
                tbody {
                    @for (number, access) in kernel.accesses.iter().enumerate() {
                        tr {
                            td { a href=(format!("#line-{}", access.place.line)) { (access.place.line) } }
                            td { (access.kind) }
                            td.code { (access.text.as_deref().or(access.object.as_deref()).unwrap_or("memory")) }
                            td.code { (access.object.as_deref().unwrap_or("unknown")) }
                            td { span class=(format!("cost {}", access.pattern)) { (kernel::words(access.pattern)) } }
                            td.code { (access.stride.as_deref().unwrap_or("")) }
                            td.number { (amount(&access.lines)) }
                            td.number { (amount(&access.sectors)) }
                            @if let Some(after) = kernel.after.get(number) { td.number { (amount(&after.lines)) } }
                            td.code { (access.times.as_deref().unwrap_or("unknown")) }
                            td {
                                @if access.in_part { "In some warps fewer threads. " }
                                @if access.straddles { "Some warps run two rows. " }
                                @if let Some(counts) = kernel::wherever(access) { "Wherever it begins: " (counts) ". " }
                                @if let Some(advice) = &access.advice { (advice) }
                            }
                        }
                    }
                    @if let (Some(lines), Some(sectors)) = (&kernel.lines, &kernel.sectors) {
                        tr.sum { td colspan="6" { "in an innermost iteration" } td.number { (kernel::at_most(kernel.exact)) (lines) } td.number { (kernel::at_most(kernel.exact)) (sectors) } @if !kernel.after.is_empty() { td {} } td {} td {} }
                    }
                }
            }
        }
        (drawings("Where the threads of a warp are", kernel, &kernel.accesses))
        (drawings("Where they would be with the cheaper order", kernel, &kernel.after))
    }
}

fn drawings(title: &str, kernel: &KernelReport, accesses: &[KernelAccess]) -> Markup {
    let drawn = drawing::of_accesses(kernel.warp, accesses);
    html! {
        @if !drawn.is_empty() {
            details open {
                summary { (title) }
                @for one in &drawn { figure { (PreEscaped(&one.svg)) figcaption { (one.caption) } } }
            }
        }
    }
}

fn sharing_table(kernel: &KernelReport) -> Markup {
    html! {
        @if !kernel.sharing.is_empty() {
            h4 { "What a block could copy to its shared memory" }
            @for one in &kernel.sharing {
                div.share {
                    (PreEscaped(drawing::tile(one)))
                    p { b { (one.object) } ": " (sharing::sentence(one)) "." }
                }
            }
        }
    }
}

fn mappings_table(kernel: &KernelReport) -> Markup {
    let Some(present) = kernel.mappings.first() else {
        return html! {};
    };
    html! {
        h4 { "What other orders of the loops would cost" }
        div.wide {
            table {
                thead { tr { th { "order" } th { "together" } th.number { "of a warp" } th { "formula" } th.number { "lines" } th.number { "sectors" } th.number { "threads" } th {} th {} } }
                tbody {
                    @for one in &kernel.mappings {
                        tr class=(if one.legal { "" } else { "illegal" }) {
                            td.code { (one.order.join(", ")) }
                            td.code { (one.order.get(..one.together).unwrap_or_default().join(", ")) }
                            td.number { (one.warp_lines.as_deref().unwrap_or("?")) " / " (one.warp_sectors.as_deref().unwrap_or("?")) }
                            td.code { (kernel::symbolic_lines(one).unwrap_or_default()) }
                            td.number { (rounded(one.lines)) }
                            td.number { (rounded(one.sectors)) }
                            td.number { (rounded(one.threads)) }
                            td { (PreEscaped(drawing::bar(one.lines / present.lines.max(1.0)))) }
                            td {
                                @if one.present { "as it is" }
                                @if let Some(reason) = &one.reason { "another program: " (reason) }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn divergence_table(kernel: &KernelReport) -> Markup {
    if kernel.divergence.is_empty() {
        return html! {};
    }
    html! {
        h4 { "Where threads of a warp part" }
        div.wide {
            table {
                thead { tr { th.number { "line" } th { "what" } th { "depends on" } th { "avoided by" } } }
                tbody {
                    @for one in &kernel.divergence {
                        tr {
                            td.number { (one.place.line) }
                            td { (one.what) }
                            td { (kernel::depends_on(one)) }
                            td { (one.avoided_by.as_deref().unwrap_or("")) }
                        }
                    }
                }
            }
        }
    }
}

/// Three digits are enough: `1.23 million`.
fn rounded(value: f64) -> String {
    match value {
        value if value >= 1e9 => format!("{:.2} thousand million", value / 1e9),
        value if value >= 1e6 => format!("{:.2} million", value / 1e6),
        value => format!("{value:.0}"),
    }
}
