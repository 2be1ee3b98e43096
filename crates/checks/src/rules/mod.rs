//! Which rules are there? One file for each, with what it says; its page is beside it in `pages`.

mod atomic_and_plain;
mod copied_back_unwritten;
mod dead_copy_back;
mod dead_copy_in;
mod device_write_overwritten;
mod different_locks;
mod directive_contradicts_dependence;
mod enter_without_exit;
mod exit_without_enter;
mod freed_while_mapped;
mod host_access_through_device_pointer;
mod host_write_overwritten;
mod missing_barrier;
mod never_copied_back;
mod never_copied_in;
mod not_on_the_device;
mod partial_overlap;
mod pointer_without_section;
mod present_missing;
mod redundant_transfer;
mod scalar_change_lost;
mod section_beyond_object;
mod section_longer_than_used;
mod section_too_short;
mod shallow_struct;
mod stale_device_read;
mod stale_host_read;
mod task_outlives_storage;
mod transfer_in_loop;
mod unattached_pointer;
mod unordered_tasks;
mod unprotected_update;

use crate::case::Case;
use ferry_analysis::coherence::Kind;
use ferry_source::Severity;

/// What is wrong, in general.
pub struct Rule {
    /// Its name, as suppressions and reports give it.
    pub name: &'static str,
    /// The defect that it is about; `None` if another analysis finds it.
    pub kind: Option<Kind>,
    /// How bad it is where it is sure.
    pub severity: Severity,
    /// One sentence.
    pub title: &'static str,
    /// Its page: what, why, an example, the fix.
    pub page: &'static str,
    /// What to say of one case.
    pub say: fn(&Case<'_>) -> Words,
}

impl Rule {
    /// True if what it finds is right and costs time: advice, no defect.
    pub fn is_performance(&self) -> bool {
        matches!(
            self.kind,
            Some(
                Kind::RedundantTransfer
                    | Kind::DeadCopyIn
                    | Kind::DeadCopyBack
                    | Kind::TransferInLoop
                    | Kind::SectionLongerThanUsed
            )
        )
    }
}

/// What is said of one case; what is empty is not said.
#[derive(Default)]
pub struct Words {
    /// The finding in one sentence.
    pub message: String,
    /// At the place where it shows.
    pub here: &'static str,
    /// Where the value was written that is missed.
    pub written: &'static str,
    /// At the directive or clause.
    pub directive: &'static str,
    /// What to do.
    pub help: String,
}

/// All rules, by name.
pub const ALL: &[&Rule] = &[
    &atomic_and_plain::RULE,
    &copied_back_unwritten::RULE,
    &dead_copy_back::RULE,
    &dead_copy_in::RULE,
    &device_write_overwritten::RULE,
    &different_locks::RULE,
    &directive_contradicts_dependence::RULE,
    &enter_without_exit::RULE,
    &exit_without_enter::RULE,
    &freed_while_mapped::RULE,
    &host_access_through_device_pointer::RULE,
    &host_write_overwritten::RULE,
    &missing_barrier::RULE,
    &never_copied_back::RULE,
    &never_copied_in::RULE,
    &not_on_the_device::RULE,
    &partial_overlap::RULE,
    &pointer_without_section::RULE,
    &present_missing::RULE,
    &redundant_transfer::RULE,
    &scalar_change_lost::RULE,
    &section_beyond_object::RULE,
    &section_longer_than_used::RULE,
    &section_too_short::RULE,
    &shallow_struct::RULE,
    &stale_device_read::RULE,
    &stale_host_read::RULE,
    &task_outlives_storage::RULE,
    &transfer_in_loop::RULE,
    &unattached_pointer::RULE,
    &unordered_tasks::RULE,
    &unprotected_update::RULE,
];

/// The rule for a defect.
pub fn of(kind: Kind) -> Option<&'static Rule> {
    ALL.iter().copied().find(|rule| rule.kind == Some(kind))
}

/// The rule with a name.
pub fn named(name: &str) -> Option<&'static Rule> {
    ALL.iter().copied().find(|rule| rule.name == name)
}
