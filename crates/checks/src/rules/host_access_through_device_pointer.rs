//! `host-access-through-device-pointer`: the host reads or writes memory that a function of the run time gave on the device.

use super::{Rule, Words};
use crate::case::Case;
use ferry_analysis::coherence::Kind;
use ferry_source::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    name: "host-access-through-device-pointer",
    kind: Some(Kind::HostAccessThroughDevicePointer),
    severity: Severity::Error,
    title: "The host touches memory that was allocated on the device.",
    page: include_str!("../../pages/host-access-through-device-pointer.md"),
    say,
};

fn say(case: &Case<'_>) -> Words {
    Words {
        message: format!("`{}` is memory of the device, and the host touches it", case.object),
        here: "runs on the host",
        help: case.either(
            "copy it with `omp_target_memcpy`, or touch it in a target region with `is_device_ptr`",
            "copy it with `acc_memcpy_from_device` or `acc_memcpy_to_device`, or touch it in a region with `deviceptr`",
        ),
        ..Words::default()
    }
}
