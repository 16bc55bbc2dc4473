//! What a passage is in a change, by how many copies it has and had.
//!
//! Copies are counted, not followed: a copy that moved is one less where it was and one more where it is. So a moved, a
//! renamed and a re-indented copy are not new, wherever they come from.

/// What a passage is in a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// A copy of what was there before.
    NewCopy,
    /// All copies came with the change.
    WithinChange,
    /// It was accepted with fewer copies.
    OneMore,
    /// Copies of which only some were changed.
    Drifted,
}

impl Verdict {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::NewCopy, Self::WithinChange, Self::OneMore, Self::Drifted];

    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::NewCopy => "new-copy",
            Self::WithinChange => "within-change",
            Self::OneMore => "one-more",
            Self::Drifted => "drifted",
        }
    }

    /// Whether there is something that was not there before.
    pub fn is_new(self) -> bool {
        self != Self::Drifted
    }
}

/// The copies of a passage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CopyCounts {
    /// In files that the change leaves as they are.
    pub elsewhere: usize,
    /// In changed files now.
    pub now: usize,
    /// Of these, those with an added line.
    pub touched: usize,
    /// In changed files before the change.
    pub before: usize,
    /// With how many copies it was accepted, if it was.
    pub accepted: Option<u64>,
}

/// Why a passage that a change touches is not reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unreported {
    /// No copy has an added line.
    Untouched,
    /// It had as many copies before: they were moved or edited.
    AsMany,
    /// It was accepted with as many copies.
    Accepted,
}

impl CopyCounts {
    /// What the passage is.
    ///
    /// # Errors
    /// Why it is not reported.
    pub fn verdict(&self) -> Result<Verdict, Unreported> {
        let Self { elsewhere, now, touched, before, accepted } = *self;
        if touched == 0 {
            return Err(Unreported::Untouched);
        }
        if now <= before {
            return Err(Unreported::AsMany);
        }
        match accepted {
            Some(accepted) if (elsewhere + now) as u64 <= accepted => Err(Unreported::Accepted),
            Some(_) => Ok(Verdict::OneMore),
            None if elsewhere + before == 0 => Ok(Verdict::WithinChange),
            None => Ok(Verdict::NewCopy),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A copy: whether its file is changed, whether it was there before, whether it is there now, and whether it has an
    /// added line.
    type Copy = (bool, bool, bool, bool);

    /// What a person would say who looks at each copy.
    fn said(copies: &[Copy], accepted: Option<u64>) -> Option<Verdict> {
        let before = copies.iter().filter(|copy| copy.1).count();
        let now = copies.iter().filter(|copy| copy.2).count();
        if now <= before || !copies.iter().any(|copy| copy.2 && copy.3) {
            return None;
        }
        if let Some(accepted) = accepted {
            return (now as u64 > accepted).then_some(Verdict::OneMore);
        }
        Some(if before == 0 { Verdict::WithinChange } else { Verdict::NewCopy })
    }

    proptest! {
        #[test]
        fn counts_say_what_the_copies_say(
            copies in prop::collection::vec((any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>()), 0..7),
            accepted in prop::option::of(0..7_u64),
        ) {
            // What is in an unchanged file was there and is there, without an added line.
            let copy = |(changed, before, now, added): Copy| if changed { (changed, before, now, added) } else { (false, true, true, false) };
            let copies: Vec<Copy> = copies.into_iter().map(copy).collect();
            let count = |is: &dyn Fn(&Copy) -> bool| copies.iter().filter(|copy| is(copy)).count();
            let counts = CopyCounts {
                elsewhere: count(&|copy| !copy.0),
                now: count(&|copy| copy.0 && copy.2),
                touched: count(&|copy| copy.0 && copy.2 && copy.3),
                before: count(&|copy| copy.0 && copy.1),
                accepted,
            };
            prop_assert_eq!(counts.verdict().ok(), said(&copies, accepted));
        }
    }
}
