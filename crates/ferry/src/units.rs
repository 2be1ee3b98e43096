//! How is work on several units spread over the cores? Each unit on one thread with a large stack, results in input order.

use ferry_frontend::LoadedUnit;
use ferry_frontend::clang::on_large_stack;
use ferry_source::{Finding, Severity};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Does `work` for every item, on `threads` threads (0: as many as there are cores). The result of an item whose work
/// fails by a panic is `None`; that is a bug in Ferry, but no reason to lose the other files.
pub fn map<I: Sync, T: Send>(
    items: &[I],
    threads: usize,
    work: impl Fn(usize, &I) -> T + Sync,
) -> Vec<Option<T>> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = if threads == 0 { cores } else { threads }.min(items.len());
    let next = AtomicUsize::new(0);
    let results: Vec<Mutex<Option<T>>> = items.iter().map(|_| Mutex::new(None)).collect();
    let run = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let (Some(item), Some(slot)) = (items.get(number), results.get(number)) else {
                return;
            };
            let one = std::panic::AssertUnwindSafe(|| work(number, item));
            if let Ok(value) = std::panic::catch_unwind(one)
                && let Ok(mut slot) = slot.lock()
            {
                *slot = Some(value);
            }
        }
    };
    if threads <= 1 {
        let _ = on_large_stack(run);
    } else {
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| on_large_stack(run));
            }
        });
    }
    results
        .into_iter()
        .map(|slot| slot.into_inner().ok().flatten())
        .collect()
}

/// What is to be said where the work on a unit failed by a panic.
pub fn failed(unit: &LoadedUnit) -> Finding {
    let message = format!("{}: the analysis failed; please report this", unit.path.display());
    Finding::new(Severity::Error, "internal", message)
}

#[cfg(test)]
mod tests {
    #[test]
    fn results_are_in_order_and_a_panic_costs_one() {
        let items: Vec<u32> = (0..50).collect();
        let results = super::map(&items, 3, |_, item| {
            assert!(*item != 7);
            item * 2
        });
        assert_eq!(results[7], None);
        assert_eq!(results[49], Some(98));
        assert_eq!(results.len(), 50);
    }
}
