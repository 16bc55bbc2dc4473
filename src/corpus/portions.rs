//! Splits work into portions of similar size, one a parallel task.

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_portion_ends_with_the_item_that_makes_it_large_enough() {
        let portions = |sizes: &'static [u64]| portions(sizes, 10, |&size| size);
        assert_eq!(portions(&[4, 4, 4, 1, 9, 1]), [&[4, 4, 4][..], &[1, 9], &[1]]);
        assert_eq!(portions(&[20, 0, 3]), [&[20][..], &[0, 3]]);
        assert!(portions(&[]).is_empty());
    }
}
