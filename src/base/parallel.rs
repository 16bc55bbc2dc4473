//! Loops over slices that run on the threads of the current rayon pool.
//!
//! rayon compiles each of its iterators anew for every closure, element type and sink: half of the machine code of a crate
//! that uses it often. Here the work is divided into blocks of consecutive elements, and one loop over the numbers of the
//! blocks is compiled once. Results keep the order of the elements, whatever the number of threads.

use std::cmp::Ordering;
use std::convert::Infallible;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;

/// The greatest number of blocks of a slice. Blocks are small, because elements may differ much in cost.
const BLOCKS: usize = 1024;

/// Calls `task` once with each number below `count`.
pub fn for_each(count: usize, task: &(dyn Fn(usize) + Sync)) {
    (0..count).into_par_iter().for_each(task);
}

/// The results of `f` for each element, or the error of the first block that has one. Blocks behind
/// it may be left out.
pub fn try_map<T: Sync, R: Send, E: Send>(
    items: &[T],
    f: impl Fn(&T) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    try_map_init(items, || (), |(), _, item| f(item))
}

/// [`try_map`] with a value that `init` makes for each block, and the number of the element.
pub fn try_map_init<T: Sync, S, R: Send, E: Send>(
    items: &[T],
    init: impl Fn() -> S + Sync,
    f: impl Fn(&mut S, usize, &T) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    try_blocks(items.len(), |block, results| {
        let mut state = init();
        for number in block {
            results.push(f(&mut state, number, &items[number])?);
        }
        Ok(())
    })
}

/// The results of `f` for each element.
pub fn map<T: Sync, R: Send>(items: &[T], f: impl Fn(&T) -> R + Sync) -> Vec<R> {
    blocks(items.len(), |block, results| results.extend(items[block].iter().map(&f)))
}

/// The results of `f` for each number below `count`.
pub fn map_numbers<R: Send>(count: usize, f: impl Fn(usize) -> R + Sync) -> Vec<R> {
    blocks(count, |block, results| results.extend(block.map(&f)))
}

/// The results of `f` for each element, with a value that `init` makes for each block, and the number of the element.
pub fn map_init<T: Sync, S, R: Send>(
    items: &[T],
    init: impl Fn() -> S + Sync,
    f: impl Fn(&mut S, usize, &T) -> R + Sync,
) -> Vec<R> {
    blocks(items.len(), |block, results| {
        let mut state = init();
        results.extend(block.map(|number| f(&mut state, number, &items[number])));
    })
}

/// All results of `f` for each element, which may give several or none.
pub fn flat_map<T: Sync, R: Send, I: IntoIterator<Item = R>>(
    items: &[T],
    f: impl Fn(&T) -> I + Sync,
) -> Vec<R> {
    blocks(items.len(), |block, results| results.extend(items[block].iter().flat_map(&f)))
}

/// The numbers below `count` for which `is_wanted` holds.
pub fn filter_numbers(count: usize, is_wanted: impl Fn(usize) -> bool + Sync) -> Vec<usize> {
    blocks(count, |block, results| results.extend(block.filter(|&number| is_wanted(number))))
}

/// Changes each element. `f` is also given the number of the element.
pub fn for_each_mut<T: Send>(items: &mut [T], f: impl Fn(usize, &mut T) + Sync) {
    let size = block_len(items.len());
    let blocks: Vec<Mutex<&mut [T]>> = items.chunks_mut(size).map(Mutex::new).collect();
    for_each(blocks.len(), &|block| {
        for (number, item) in (block * size..).zip(lock(&blocks[block]).iter_mut()) {
            f(number, item);
        }
    });
}

/// Sorts elements by a key that is costly to compute: each once. Equal ones keep their order.
pub fn sort_by_cached_key<T: Sync, K: Ord + Send + Sync>(items: &mut [T], key: impl Fn(&T) -> K + Sync) {
    let keys = map(items, key);
    let mut order = sorted_numbers(items.len(), &|a, b| keys[a].cmp(&keys[b]).then(a.cmp(&b)));
    // Each place is filled once; an element that was moved away is found by following the order.
    for place in 0..items.len() {
        let mut from = order[place];
        while from < place {
            from = order[from];
        }
        order[place] = from;
        items.swap(place, from);
    }
}

/// The numbers below `count`, sorted.
fn sorted_numbers(count: usize, compare: &(dyn Fn(usize, usize) -> Ordering + Sync)) -> Vec<usize> {
    let mut numbers: Vec<usize> = (0..count).collect();
    numbers.par_sort_unstable_by(|&a, &b| compare(a, b));
    numbers
}

/// The results that `f` adds for each block of the numbers below `len`, in their order.
fn blocks<R: Send>(len: usize, f: impl Fn(Range<usize>, &mut Vec<R>) + Sync) -> Vec<R> {
    let Ok(results) = try_blocks(len, |block, results| {
        f(block, results);
        Ok::<(), Infallible>(())
    });
    results
}

/// As [`blocks`]; the first block with an error gives it.
fn try_blocks<R: Send, E: Send>(
    len: usize,
    f: impl Fn(Range<usize>, &mut Vec<R>) -> Result<(), E> + Sync,
) -> Result<Vec<R>, E> {
    let size = block_len(len);
    let parts: Vec<Mutex<Vec<R>>> = (0..len.div_ceil(size)).map(|_| Mutex::default()).collect();
    let failed: Mutex<Option<(usize, E)>> = Mutex::new(None);
    for_each(parts.len(), &|number| {
        if lock(&failed).as_ref().is_some_and(|(earlier, _)| *earlier < number) {
            return;
        }
        let block = number * size..len.min((number + 1) * size);
        let mut results = Vec::with_capacity(block.len());
        match f(block, &mut results) {
            Ok(()) => *lock(&parts[number]) = results,
            Err(error) => {
                let mut failed = lock(&failed);
                if failed.as_ref().is_none_or(|(earlier, _)| number < *earlier) {
                    *failed = Some((number, error));
                }
            }
        }
    });
    if let Some((_, error)) = failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(error);
    }
    let parts = parts.into_iter().map(|part| part.into_inner().unwrap_or_else(PoisonError::into_inner));
    let parts: Vec<Vec<R>> = parts.collect();
    let mut all = Vec::with_capacity(parts.iter().map(Vec::len).sum());
    parts.into_iter().for_each(|part| all.extend(part));
    Ok(all)
}

fn block_len(len: usize) -> usize {
    len.div_ceil(BLOCKS).max(1)
}

/// Locks a mutex, even if a thread panicked while it held it.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_keep_the_order_of_the_elements() {
        for len in [0, 1, 7, 1023, 1024, 1025, 5000] {
            let items: Vec<usize> = (0..len).collect();
            assert_eq!(map(&items, |item| item * 2), items.iter().map(|item| item * 2).collect::<Vec<_>>());
            assert_eq!(map_numbers(len, |number| number), items);
            let thrice = |&item: &usize| std::iter::repeat_n(item, item % 4);
            assert_eq!(flat_map(&items, thrice), items.iter().flat_map(thrice).collect::<Vec<_>>());
            let is_odd = |number: usize| number % 2 == 1;
            assert_eq!(filter_numbers(len, is_odd), (0..len).filter(|&n| is_odd(n)).collect::<Vec<_>>());
            let mut changed = items.clone();
            for_each_mut(&mut changed, |number, item| *item += number);
            assert_eq!(changed, items.iter().map(|item| item * 2).collect::<Vec<_>>());
            let mut sorted = items.clone();
            sort_by_cached_key(&mut sorted, |item| (item % 10).to_string());
            let mut expected = items.clone();
            expected.sort_by_key(|item| item % 10);
            assert_eq!(sorted, expected);
        }
    }

    #[test]
    fn one_state_serves_the_elements_of_a_block() {
        let items: Vec<usize> = (0..3000).collect();
        let counted = map_init(
            &items,
            || 0,
            |count, _, _| {
                *count += 1;
                *count
            },
        );
        assert!(counted.iter().all(|&count| (1..=block_len(3000)).contains(&count)));
    }

    #[test]
    fn an_error_ends_the_loop() {
        let items: Vec<usize> = (0..5000).collect();
        let found = try_map(&items, |&item| if item % 1000 == 999 { Err(item) } else { Ok(item) });
        assert!(found.is_err_and(|item| item % 1000 == 999));
        assert_eq!(try_map(&items, |&item| Ok::<_, ()>(item)), Ok(items));
    }
}
