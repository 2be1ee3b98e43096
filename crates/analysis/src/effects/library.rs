//! The effects of the C library's functions, by name.

use super::{Effect, Touch, format};

/// Functions of math.h without the suffixes `f` and `l`: a value from values. (They may set `errno`, which no device
/// has and few programs read: not an effect here.)
const MATHEMATICS: &[&str] = &[
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cbrt",
    "ceil",
    "copysign",
    "cos",
    "cosh",
    "erf",
    "erfc",
    "exp",
    "exp2",
    "expm1",
    "fabs",
    "fdim",
    "floor",
    "fma",
    "fmax",
    "fmin",
    "fmod",
    "hypot",
    "ldexp",
    "lgamma",
    "log",
    "log10",
    "log1p",
    "log2",
    "nearbyint",
    "pow",
    "remainder",
    "rint",
    "round",
    "sin",
    "sinh",
    "sqrt",
    "tan",
    "tanh",
    "tgamma",
    "trunc",
    "lround",
    "llround",
    "lrint",
    "llrint",
];

/// Functions of one value that no device library is sure to have, or integers'.
const PURE: &[&str] = &[
    "abs",
    "labs",
    "llabs",
    "__builtin_expect",
    "__builtin_abs",
    "__builtin_popcount",
    "__builtin_popcountl",
    "__builtin_popcountll",
    "__builtin_clz",
    "__builtin_clzl",
    "__builtin_clzll",
    "__builtin_ctz",
    "__builtin_ctzl",
    "__builtin_ctzll",
    "__builtin_ffs",
    "__builtin_ffsl",
    "__builtin_ffsll",
    "__builtin_parity",
    "__builtin_parityl",
    "__builtin_parityll",
    "__builtin_fabs",
    "__builtin_sqrt",
    "__builtin_isnan",
    "__builtin_isinf",
    "__builtin_inff",
    "__builtin_inf",
    "__builtin_huge_val",
    "__builtin_nan",
    "__builtin_nanf",
    "isalpha",
    "isdigit",
    "isspace",
    "isupper",
    "islower",
    "toupper",
    "tolower",
];

/// Functions that write through some arguments and read through others, by position.
const MEMORY: &[(&str, &[usize], &[usize])] = &[
    ("memset", &[0], &[]),
    ("memcpy", &[0], &[1]),
    ("memmove", &[0], &[1]),
    ("memcmp", &[], &[0, 1]),
    ("strlen", &[], &[0]),
    ("strcmp", &[], &[0, 1]),
    ("strncmp", &[], &[0, 1]),
    ("strcpy", &[0], &[1]),
    ("strncpy", &[0], &[1]),
    ("strcat", &[0], &[0, 1]),
    ("atoi", &[], &[0]),
    ("atol", &[], &[0]),
    ("atof", &[], &[0]),
];

/// Functions whose effect besides memory is on the world.
const EXTERNAL: &[(&str, &str)] = &[
    ("printf", "printf does output"),
    ("fprintf", "fprintf does output"),
    ("dprintf", "dprintf does output"),
    ("puts", "puts does output"),
    ("putchar", "putchar does output"),
    ("fputs", "fputs does output"),
    ("fputc", "fputc does output"),
    ("fflush", "fflush does output"),
    ("fwrite", "fwrite does output"),
    ("perror", "perror does output"),
    ("clock", "clock reads the time"),
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

/// Functions that keep a state or read the world and write through their pointer arguments.
const STATEFUL: &[(&str, &str)] = &[
    ("rand", "rand changes the state of the random number generator"),
    ("srand", "srand changes the state of the random number generator"),
    (
        "random",
        "random changes the state of the random number generator",
    ),
    (
        "drand48",
        "drand48 changes the state of the random number generator",
    ),
    ("gettimeofday", "gettimeofday reads the time"),
    ("time", "time reads the time"),
    ("clock_gettime", "clock_gettime reads the time"),
    ("omp_get_wtime", "omp_get_wtime reads the time"),
    ("scanf", "scanf does input"),
    ("fscanf", "fscanf does input"),
    ("sscanf", "sscanf writes its arguments"),
    ("fgets", "fgets does input"),
    ("fread", "fread does input"),
    ("getenv", "getenv reads the environment"),
    ("fopen", "fopen opens a file"),
    ("fclose", "fclose closes a file"),
    ("sprintf", "sprintf writes its arguments"),
    ("snprintf", "snprintf writes its arguments"),
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
fn on_a_lock(name: &str) -> Option<Effect> {
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

/// The effect of a library function; `None` if the name is not known.
pub fn effect(name: &str) -> Option<Effect> {
    if let Some(effect) = on_a_lock(name) {
        return Some(effect);
    }
    if is_mathematics(name) {
        return Some(Effect {
            on_device: true,
            ..Effect::default()
        });
    }
    if PURE.contains(&name) {
        return Some(Effect {
            on_device: name.starts_with("__builtin") || name.ends_with("abs"),
            ..Effect::default()
        });
    }
    if let Some((_, writes, reads)) = MEMORY.iter().find(|(known, ..)| *known == name) {
        let touch = |arguments: &[usize]| Touch {
            arguments: arguments.iter().copied().collect(),
            ..Touch::default()
        };
        return Some(Effect {
            reads: touch(reads),
            writes: touch(writes),
            ..Effect::default()
        });
    }
    if let Some((_, why)) = EXTERNAL.iter().find(|(known, _)| *known == name) {
        let reads = Touch {
            all_arguments: true,
            ..Touch::default()
        };
        let formatted = format::takes_one(name);
        let writes = if formatted {
            reads.clone()
        } else {
            Touch::default()
        };
        return Some(Effect {
            reads,
            writes,
            external: Some((*why).to_owned()),
            formatted,
            ..Effect::default()
        });
    }
    if let Some((_, why)) = STATEFUL.iter().find(|(known, _)| *known == name) {
        let touch = Touch {
            all_arguments: true,
            ..Touch::default()
        };
        let external = Some((*why).to_owned());
        return Some(Effect {
            reads: touch.clone(),
            writes: touch,
            external,
            formatted: format::takes_one(name),
            ..Effect::default()
        });
    }
    match name {
        "malloc" | "calloc" | "aligned_alloc" => Some(Effect {
            external: Some(format!("{name} allocates storage")),
            allocates: true,
            ..Effect::default()
        }),
        "free" => Some(Effect {
            writes: Touch {
                arguments: [0].into(),
                ..Touch::default()
            },
            external: Some("free releases storage".to_owned()),
            releases: true,
            ..Effect::default()
        }),
        // What was there is in the new storage, which may be the old one; its old name means nothing any more.
        "realloc" => {
            let old = Touch {
                arguments: [0].into(),
                ..Touch::default()
            };
            Some(Effect {
                reads: old.clone(),
                writes: old,
                external: Some("realloc moves storage".to_owned()),
                releases: true,
                ..Effect::default()
            })
        }
        "exit" | "abort" | "_Exit" | "__assert_fail" => Some(Effect {
            external: Some(format!("{name} ends the program")),
            may_not_return: true,
            ..Effect::default()
        }),
        _ => None,
    }
}

fn is_mathematics(name: &str) -> bool {
    MATHEMATICS.contains(&name)
        || name
            .strip_suffix(['f', 'l'])
            .is_some_and(|stem| MATHEMATICS.contains(&stem))
}
