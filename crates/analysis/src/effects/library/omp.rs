//! Functions of OpenMP and OpenACC that ask the run time something, and those on locks. What moves data is in [`super::super::runtime`].

use crate::effects::{Effect, Touch};

/// What a function asks for or sets.
const ASKING: &[(&str, &str)] = &[
    ("omp_get_num_devices", "omp_get_num_devices asks for devices"),
    (
        "omp_get_default_device",
        "omp_get_default_device asks for a device",
    ),
    (
        "omp_set_default_device",
        "omp_set_default_device chooses a device",
    ),
    (
        "omp_get_initial_device",
        "omp_get_initial_device asks for a device",
    ),
    (
        "omp_is_initial_device",
        "omp_is_initial_device asks where it runs",
    ),
    ("omp_get_thread_num", "omp_get_thread_num asks for a thread"),
    ("omp_get_num_threads", "omp_get_num_threads asks for threads"),
    ("omp_get_max_threads", "omp_get_max_threads asks for threads"),
    (
        "omp_set_num_threads",
        "omp_set_num_threads sets the number of threads",
    ),
    ("omp_get_team_num", "omp_get_team_num asks for a team"),
    ("omp_get_num_teams", "omp_get_num_teams asks for teams"),
    ("acc_get_num_devices", "acc_get_num_devices asks for devices"),
    ("acc_get_device_num", "acc_get_device_num asks for a device"),
];

/// Reads the time.
const TIME: &[(&str, &str)] = &[
    ("omp_get_wtime", "omp_get_wtime reads the time"),
    ("omp_get_wtick", "omp_get_wtick reads the time"),
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
pub fn why_external(name: &str) -> Option<&'static str> {
    let mut all = ASKING.iter().chain(TIME);
    all.find(|(known, _)| *known == name).map(|(_, why)| *why)
}
