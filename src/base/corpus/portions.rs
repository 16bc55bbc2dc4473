//! Splits work into portions of similar size, one a parallel task.

use std::ops::Range;

/// Splits items, such as files, into runs. A run ends with the item whose size brings its sum to `enough`.
pub fn portions<T>(items: &[T], enough: u64, size: impl Fn(&T) -> u64) -> Vec<&[T]> {
    let mut sum = 0;
    let goes_on = |item: &T, _: &T| {
        sum += size(item);
        let goes_on = sum < enough;
        if !goes_on {
            sum = 0;
        }
        goes_on
    };
    items.chunk_by(goes_on).collect()
}

/// The items of one of several parts, by its number, from 0. Items with these sizes are divided in their order into parts of
/// similar size; a part may have none.
pub fn part(sizes: &[u64], number: u32, parts: u32) -> Range<usize> {
    let total: u64 = sizes.iter().sum();
    let mut before = 0;
    let part_of = |size: &u64| {
        let part = u128::from(before) * u128::from(parts) / u128::from(total.max(1));
        before += size;
        // Items without a size behind all others.
        part.min(u128::from(parts.saturating_sub(1)))
    };
    let parts: Vec<u128> = sizes.iter().map(part_of).collect();
    let end = |number: u32| parts.partition_point(|&part| part < u128::from(number));
    end(number)..end(number + 1)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn each_item_is_in_one_part_and_parts_follow_each_other(
            sizes in prop::collection::vec(0..9000_u64, 0..60),
            parts in 1..9_u32,
        ) {
            let mut end = 0;
            for number in 0..parts {
                let part = part(&sizes, number, parts);
                prop_assert_eq!(part.start, end);
                end = part.end;
            }
            prop_assert_eq!(end, sizes.len());
        }

        #[test]
        fn parts_of_small_items_are_of_similar_size(sizes in prop::collection::vec(1..50_u64, 800), parts in 1..9_u32) {
            let total: u64 = sizes.iter().sum();
            for number in 0..parts {
                let own: u64 = sizes[part(&sizes, number, parts)].iter().sum();
                prop_assert!(own.abs_diff(total / u64::from(parts)) <= 100);
            }
        }
    }

    #[test]
    fn a_portion_ends_with_the_item_that_makes_it_large_enough() {
        let portions = |sizes: &'static [u64]| portions(sizes, 10, |&size| size);
        assert_eq!(portions(&[4, 4, 4, 1, 9, 1]), [&[4, 4, 4][..], &[1, 9], &[1]]);
        assert_eq!(portions(&[20, 0, 3]), [&[20][..], &[0, 3]]);
        assert!(portions(&[]).is_empty());
    }
}
