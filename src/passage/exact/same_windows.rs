//! Brings windows with equal fingerprints together, in a hash table.

use super::fingerprints::SPREAD;

/// The window occurs more than once.
pub const REPEATED: u8 = 1;
/// Not all its copies have the same token before them.
pub const DIFFERS_BEFORE: u8 = 2;
/// Not all its copies have the same token after them.
pub const DIFFERS_AFTER: u8 = 4;

/// A window with its fingerprint and the tokens beside it.
#[derive(Clone, Copy)]
pub(super) struct Window {
    pub(super) fingerprint: u64,
    pub(super) before: u64,
    pub(super) after: u64,
    pub(super) place: u32,
    /// Whether it has no token before it, and none after it.
    pub(super) at_edge: (bool, bool),
    /// Whether its text was gathered several times.
    pub(super) is_copied: bool,
}

/// The table; its memory is used again for other windows.
#[derive(Default)]
pub(super) struct SameWindows {
    /// For each place of the table, the number of the fingerprint there, from 1; 0 where there is none.
    table: Vec<u32>,
    /// For each fingerprint, the first of its windows, and the flags of all of them.
    firsts: Vec<(Window, u8)>,
    /// For each window, the number of its fingerprint, from 0.
    numbers: Vec<u32>,
}

impl SameWindows {
    /// Hands on each repeated window with its flags.
    pub(super) fn for_each<'w>(
        &mut self,
        windows: impl Iterator<Item = &'w Window> + Clone,
        mut repeated: impl FnMut(&Window, u8),
    ) {
        self.table.clear();
        self.table.resize((windows.clone().count() * 2).next_power_of_two(), 0);
        self.firsts.clear();
        self.numbers.clear();
        for window in windows.clone() {
            let number = self.number(window);
            self.numbers.push(number);
        }
        for (window, &number) in windows.zip(&self.numbers) {
            let (_, flags) = self.firsts[number as usize];
            if flags & REPEATED != 0 {
                repeated(window, flags);
            }
        }
    }

    /// The number of a window's fingerprint. Its flags are brought up to date.
    fn number(&mut self, window: &Window) -> u32 {
        let mask = self.table.len() - 1;
        // All windows here have the same bucket and round, which the low and the high bits of the mixed fingerprint select. The
        // place is selected by the bits between them, from the 24th on.
        let mut at = (window.fingerprint.wrapping_mul(SPREAD) >> 24) as usize & mask;
        loop {
            let Some(number) = self.table[at].checked_sub(1) else {
                let flags = repeated_flags(window.at_edge.0, window.at_edge.1);
                self.firsts.push((*window, if window.is_copied { flags } else { flags & !REPEATED }));
                self.table[at] = self.firsts.len() as u32;
                return self.table[at] - 1;
            };
            let (first, flags) = &mut self.firsts[number as usize];
            if first.fingerprint == window.fingerprint {
                let differs = (
                    window.at_edge.0 || window.before != first.before,
                    window.at_edge.1 || window.after != first.after,
                );
                *flags |= repeated_flags(differs.0, differs.1);
                return number;
            }
            at = (at + 1) & mask;
        }
    }
}

/// The flags of a repeated window.
pub(super) fn repeated_flags(differs_before: bool, differs_after: bool) -> u8 {
    REPEATED | if differs_before { DIFFERS_BEFORE } else { 0 } | if differs_after { DIFFERS_AFTER } else { 0 }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_flags_are_those_of_all_windows_with_the_fingerprint(
            some in prop::collection::vec((0..20_u64, 0..3_u64, 0..3_u64, any::<(bool, bool)>(), 0..9_u8), 0..60),
        ) {
            let window = |(place, &(print, before, after, at_edge, copied)): (u32, &(u64, u64, u64, _, u8))| Window {
                fingerprint: print.wrapping_mul(SPREAD), before, after, place, at_edge, is_copied: copied == 0,
            };
            let windows: Vec<Window> = (0..).zip(&some).map(window).collect();
            let mut of_print: HashMap<u64, Vec<&Window>> = HashMap::new();
            windows.iter().for_each(|window| of_print.entry(window.fingerprint).or_default().push(window));
            let mut expected: Vec<(u32, u8)> = Vec::new();
            for same in of_print.values() {
                let before = same.iter().any(|window| window.at_edge.0 || window.before != same[0].before);
                let after = same.iter().any(|window| window.at_edge.1 || window.after != same[0].after);
                if same.len() > 1 || same[0].is_copied {
                    expected.extend(same.iter().map(|window| (window.place, repeated_flags(before, after))));
                }
            }
            expected.sort_unstable();
            let mut same = SameWindows::default();
            for _ in 0..2 {
                let mut found = Vec::new();
                same.for_each(windows.iter(), |window, flags| found.push((window.place, flags)));
                prop_assert_eq!(&found, &expected);
            }
        }
    }
}
