//! Functions of OpenMP and OpenACC that ask the run time something, and those on locks. What moves data is in [`super::super::runtime`].

use crate::effects::{Effect, Touch};

/// Functions that touch nothing of the program, by what they ask the run time for or set there.
const ASKING: &[(&str, &[&str])] = &[
    (
        "asks for devices",
        &["omp_get_num_devices", "acc_get_num_devices"],
    ),
    (
        "asks for a device",
        &[
            "omp_get_default_device",
            "omp_get_initial_device",
            "omp_get_device_num",
            "acc_get_device_num",
            "acc_get_device_type",
        ],
    ),
    ("chooses a device", &["omp_set_default_device"]),
    ("asks where it runs", &["omp_is_initial_device"]),
    (
        "asks for a thread",
        &["omp_get_thread_num", "omp_get_ancestor_thread_num"],
    ),
    (
        "asks for threads",
        &[
            "omp_get_num_threads",
            "omp_get_max_threads",
            "omp_get_thread_limit",
            "omp_get_team_size",
            "omp_get_dynamic",
            "omp_get_teams_thread_limit",
        ],
    ),
    (
        "sets the number of threads",
        &[
            "omp_set_num_threads",
            "omp_set_dynamic",
            "omp_set_teams_thread_limit",
        ],
    ),
    (
        "asks for the regions around",
        &[
            "omp_in_parallel",
            "omp_in_final",
            "omp_get_level",
            "omp_get_active_level",
            "omp_get_nested",
            "omp_get_max_active_levels",
            "omp_get_supported_active_levels",
            "omp_get_cancellation",
            "omp_get_max_task_priority",
        ],
    ),
    (
        "says how regions nest",
        &["omp_set_nested", "omp_set_max_active_levels"],
    ),
    ("sets the schedule", &["omp_set_schedule"]),
    ("asks for a team", &["omp_get_team_num"]),
    ("asks for teams", &["omp_get_num_teams", "omp_get_max_teams"]),
    ("sets the number of teams", &["omp_set_num_teams"]),
    (
        "asks for processors",
        &[
            "omp_get_num_procs",
            "omp_get_proc_bind",
            "omp_get_num_places",
            "omp_get_place_num",
            "omp_get_place_num_procs",
            "omp_get_partition_num_places",
        ],
    ),
    ("reads the time", &["omp_get_wtime", "omp_get_wtick"]),
];

/// Functions of OpenMP on locks, with what they do: make or destroy one, or take or release it. What other threads may do meanwhile is not looked at here: a lock
/// keeps a loop from being parallel.
const LOCKS: &[(&str, bool)] = &[
    ("init", true),
    ("destroy", true),
    ("set", false),
    ("unset", false),
    ("test", false),
];

/// `set` of `omp_set_lock` and `omp_set_nest_lock`; `None` for functions that are not about locks.
pub fn lock_verb(name: &str) -> Option<&str> {
    let verb = name.strip_prefix("omp_")?;
    let verb = verb.strip_suffix("_with_hint").unwrap_or(verb);
    verb.strip_suffix("_nest_lock")
        .or_else(|| verb.strip_suffix("_lock"))
}

/// The effect of a function on a lock: `omp_set_lock`, `omp_unset_nest_lock`.
pub fn on_a_lock(name: &str) -> Option<Effect> {
    let verb = lock_verb(name)?;
    let (_, makes) = LOCKS.iter().find(|(known, _)| *known == verb)?;
    let lock = Touch {
        arguments: [0].into(),
        ..Touch::default()
    };
    Some(Effect {
        reads: lock.clone(),
        writes: if *makes { lock } else { Touch::default() },
        external: Some(format!("{name} works on a lock")),
        ..Effect::default()
    })
}

/// Why a function of the run time is no function of values.
pub fn why_external(name: &str) -> Option<String> {
    let (what, _) = ASKING.iter().find(|(_, names)| names.contains(&name))?;
    Some(format!("{name} {what}"))
}
