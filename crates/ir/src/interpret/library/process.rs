//! How does the program meet the world? Ending, time, environment, threads (one), and files (none).

use super::output::emit;
use super::{Host, LibraryFunction, State, arg, own_object, string, write};
use crate::interpret::code::Object;
use crate::interpret::machine::StopKind;
use crate::interpret::memory::Memory;

/// Seconds since 1970 at the start of every run.
const START: u64 = 1_700_000_000;

/// Operations that count as a nanosecond.
const STEPS_PER_NANOSECOND: u64 = 1;

pub(super) fn find(name: &str) -> Option<LibraryFunction> {
    Some(match name {
        "exit" => |_, a| Err(StopKind::Exit(arg(a, 0) as i32 & 0xff).into()),
        "_exit" | "_Exit" | "quick_exit" => |host, a| {
            lose_buffered(host);
            host.state().exit_functions.clear();
            Err(StopKind::Exit(arg(a, 0) as i32 & 0xff).into())
        },
        "abort" | "trap" => |_, _| Err(StopKind::Abort.into()),
        "unreachable" => |_, _| Err("__builtin_unreachable is reached".into()),
        "__assert_fail" | "__assert" => |host, a| {
            let mut text = host.state().program_name.clone().into_bytes();
            let (condition, file, function) = (string(host, arg(a, 0))?, string(host, arg(a, 1))?, arg(a, 3));
            text.extend_from_slice(b": ");
            text.extend(file);
            text.extend(format!(":{}: ", arg(a, 2) as u32).into_bytes());
            if function != 0 {
                text.extend(string(host, function)?);
                text.extend_from_slice(b": ");
            }
            text.extend_from_slice(b"Assertion `");
            text.extend(condition);
            text.extend_from_slice(b"' failed.\n");
            emit(host, 2, &text)?;
            Err(StopKind::Abort.into())
        },
        "atexit" => |host, a| {
            host.state().exit_functions.push(arg(a, 0));
            Ok(0)
        },
        "time" => |host, a| {
            let now = START + host.steps() / STEPS_PER_NANOSECOND / 1_000_000_000;
            if arg(a, 0) != 0 {
                write(host, arg(a, 0), &now.to_le_bytes())?;
            }
            Ok(now)
        },
        "clock" => |host, _| Ok(host.steps() / STEPS_PER_NANOSECOND / 1000),
        "gettimeofday" => |host, a| {
            let nanoseconds = host.steps() / STEPS_PER_NANOSECOND;
            two_words(
                host,
                arg(a, 0),
                START + nanoseconds / 1_000_000_000,
                nanoseconds % 1_000_000_000 / 1000,
            )
        },
        "clock_gettime" | "timespec_get" | "clock_getres" => |host, a| {
            let nanoseconds = host.steps() / STEPS_PER_NANOSECOND;
            let to = if arg(a, 1) < 1 << 32 { arg(a, 0) } else { arg(a, 1) };
            two_words(
                host,
                to,
                START + nanoseconds / 1_000_000_000,
                nanoseconds % 1_000_000_000,
            )
        },
        "omp_get_wtime" => |host, _| Ok((host.steps() as f64 / STEPS_PER_NANOSECOND as f64 / 1e9).to_bits()),
        "omp_get_wtick" => |_, _| Ok(1e-9f64.to_bits()),
        "difftime" => |_, a| Ok((arg(a, 0).wrapping_sub(arg(a, 1)) as i64 as f64).to_bits()),
        "getrusage" => |host, a| {
            write(host, arg(a, 1), &[0; 144])?;
            Ok(0)
        },
        "sleep" | "usleep" | "nanosleep" | "sched_yield" => |_, _| Ok(0),
        "getenv" | "secure_getenv" => |_, _| Ok(0),
        "setlocale" => |_, _| Ok(0),
        "getpid" => |_, _| Ok(4242),
        "sysconf" => |_, a| Ok(if arg(a, 0) == 30 { 4096 } else { 1 }),
        "signal" => |_, _| Ok(0),
        "system" => |_, _| Err("the program runs another program".into()),
        "fopen" | "fopen64" | "fdopen" | "tmpfile" | "popen" => |_, _| Ok(0),
        "fclose" => |host, a| match host.state().streams.contains(&arg(a, 0)) {
            true => Ok(0),
            false => Err("fclose of what is not an open stream".into()),
        },
        "open" | "close" | "access" | "stat" | "unlink" | "remove" => |_, _| Ok(u64::MAX),
        "getchar" | "getc" | "fgetc" | "_IO_getc" | "ungetc" => |_, _| Ok(u64::MAX),
        "fgets" | "gets" | "fread" => |_, _| Ok(0),
        "scanf" | "fscanf" | "__isoc99_scanf" | "__isoc99_fscanf" | "getline" => |_, _| Ok(u64::MAX),
        "feof" => |_, _| Ok(1),
        "ferror" => |_, _| Ok(0),
        "fileno" => |host, a| {
            let at = host
                .state()
                .streams
                .iter()
                .position(|&stream| stream == arg(a, 0));
            Ok(at.map_or(u64::MAX, |at| at as u64))
        },
        "isatty" => |_, _| Ok(0),
        "__errno_location" => |host, _| {
            if host.state().error_number == 0 {
                let address = own_object(host, &[0; 4])?;
                host.state().error_number = address;
            }
            Ok(host.state().error_number)
        },
        _ if name.starts_with("omp_") || name.starts_with("acc_") => return runtime(name),
        _ => return None,
    })
}

/// The runtime libraries of OpenMP and OpenACC, as one thread on the host.
fn runtime(name: &str) -> Option<LibraryFunction> {
    Some(match name {
        "omp_get_num_threads"
        | "omp_get_max_threads"
        | "omp_get_num_procs"
        | "omp_get_num_teams"
        | "omp_get_thread_limit"
        | "omp_is_initial_device"
        | "omp_get_max_active_levels" => |_, _| Ok(1),
        "omp_get_thread_num"
        | "omp_get_team_num"
        | "omp_get_num_devices"
        | "omp_in_parallel"
        | "omp_get_level"
        | "omp_get_active_level"
        | "omp_get_dynamic"
        | "omp_get_nested"
        | "omp_get_default_device"
        | "omp_get_initial_device"
        | "omp_in_final"
        | "omp_get_cancellation"
        | "acc_get_num_devices"
        | "acc_get_device_num" => |_, _| Ok(0),
        "acc_get_device_type" => |_, _| Ok(2),
        "omp_test_lock" | "omp_target_is_present" => |_, _| Ok(1),
        "omp_set_num_threads"
        | "omp_set_dynamic"
        | "omp_set_nested"
        | "omp_set_default_device"
        | "omp_set_schedule"
        | "omp_set_max_active_levels"
        | "omp_init_lock"
        | "omp_destroy_lock"
        | "omp_set_lock"
        | "omp_unset_lock"
        | "omp_init_nest_lock"
        | "omp_destroy_nest_lock"
        | "omp_set_nest_lock"
        | "omp_unset_nest_lock"
        | "acc_init"
        | "acc_shutdown"
        | "acc_wait"
        | "acc_wait_all"
        | "acc_set_device_type"
        | "acc_set_device_num" => |_, _| Ok(0),
        _ => return None,
    })
}

fn two_words(host: &mut dyn Host, address: u64, first: u64, second: u64) -> Result<u64, super::Stop> {
    if address != 0 {
        write(
            host,
            address,
            &[first.to_le_bytes(), second.to_le_bytes()].concat(),
        )?;
    }
    Ok(0)
}

/// What a process that ends without flushing has already written: whole blocks, and what was flushed.
pub(in crate::interpret) fn lose_buffered(host: &mut dyn Host) {
    let state = host.state();
    let kept = state.flushed.max(state.stdout.len() / 4096 * 4096);
    state.stdout.truncate(kept);
}

/// The object that a name means which no unit defines.
pub(in crate::interpret) fn environment_object(
    memory: &mut Memory,
    state: &mut State,
    name: &str,
) -> Option<u64> {
    let number = match name {
        "stdin" => 0,
        "stdout" => 1,
        "stderr" => 2,
        "environ" | "__environ" => {
            let list = memory.allocate(8, true, Object::Environment)?;
            let pointer = memory.allocate(8, true, Object::Environment)?;
            memory.write(pointer, &list.to_le_bytes()).ok()?;
            return Some(pointer);
        }
        _ => return None,
    };
    if state.streams[number] == 0 {
        state.streams[number] = memory.allocate(216, true, Object::Environment)?;
    }
    let pointer = memory.allocate(8, true, Object::Environment)?;
    memory.write(pointer, &state.streams[number].to_le_bytes()).ok()?;
    Some(pointer)
}
