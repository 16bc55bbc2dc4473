//! What is true of the files that most copies of a passage stand in.
//!
//! The representative may stand in the one file that does not say that it is generated, while all others say so. What is
//! true of a file as a whole is therefore decided by all copies; if as many say the one as the other, the document of
//! the representative decides. But if half of the copies are generated, and the others stand in one document, a program
//! made them of that one. One licence that has it is enough for a passage to be a part of a licence.

use std::path::Path;

use super::file::{FileSigns, GENERATED, HeadSigns, LICENCE, NAMES_TESTS, RIGHTS, SampleFile, WITH_TESTS};
use super::table::is_true_of;

impl HeadSigns {
    /// Looks at the head of a text.
    pub fn from_text(text: &str) -> Self {
        let file = SampleFile::new(Path::new(""), text, None);
        Self { is_generated: is_true_of(&file, GENERATED), names_tests: is_true_of(&file, NAMES_TESTS) }
    }

    /// What the head of a text says, as flags that a search keeps of the document.
    pub fn flags_of(text: &str) -> u8 {
        Self::from_text(text).flags()
    }
}

impl FileSigns {
    /// Looks at a path, given what the head says.
    pub(super) fn from_path(path: &Path, head: HeadSigns) -> Self {
        let file = SampleFile::new(path, "", None);
        Self {
            head,
            lies_with_tests: is_true_of(&file, WITH_TESTS),
            is_licence: is_true_of(&file, LICENCE),
            is_about_rights: is_true_of(&file, RIGHTS),
        }
    }
}

/// What is true of the documents of most copies, given for each copy its document and what is true of that; `usual` is
/// what is true of the one that decides when there is no majority. Copies are sorted by document.
pub(super) fn of_most(copies: impl Iterator<Item = (u32, FileSigns)>, usual: FileSigns) -> FileSigns {
    let (mut count, mut generated, mut named, mut with_tests, mut about_rights) = (0, 0, 0, 0, 0);
    let mut has_licence = false;
    // The first and the last document of those that are not generated.
    let mut written: Option<(u32, u32)> = None;
    for (document, FileSigns { head, lies_with_tests, is_licence, is_about_rights }) in copies {
        has_licence |= is_licence;
        count += 1;
        generated += usize::from(head.is_generated);
        named += usize::from(head.names_tests);
        with_tests += usize::from(lies_with_tests);
        about_rights += usize::from(is_about_rights);
        if !head.is_generated {
            written = Some((written.map_or(document, |(first, _)| first), document));
        }
    }
    let most = |of: usize, usual: bool| if of * 2 == count { usual } else { of * 2 > count };
    let is_made = written.is_some_and(|(first, last)| first == last);
    let mut most_signs = usual;
    most_signs.head.is_generated = most(generated, usual.head.is_generated || is_made);
    most_signs.head.names_tests = most(named, usual.head.names_tests);
    most_signs.is_licence = has_licence;
    most_signs.is_about_rights = most(about_rights, usual.is_about_rights);
    most_signs.lies_with_tests = most(with_tests, usual.lies_with_tests);
    most_signs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_copies_decide_and_the_given_document_when_there_is_no_majority() {
        let signs = |is_generated, lies_with_tests| FileSigns {
            head: HeadSigns { is_generated, names_tests: false },
            lies_with_tests,
            is_licence: false,
            is_about_rights: false,
        };
        let most = |copies: &[(u32, FileSigns)]| of_most(copies.iter().copied(), copies[0].1);
        let (written, made) = (signs(false, true), signs(true, false));
        assert_eq!(most(&[(0, written), (1, made), (2, made)]), made);
        // Many copies in few documents.
        assert_eq!(most(&[(0, made), (0, made), (0, made), (1, written), (2, written)]), made);
        assert_eq!(most(&[(0, written), (0, written), (1, made)]), written);
        assert_eq!(most(&[(0, signs(true, true)), (1, written), (2, signs(false, false))]), written);
        // What a program made of one document, and what two share of which it made something.
        assert_eq!(most(&[(0, written), (1, made)]), signs(true, true));
        assert_eq!(most(&[(0, written), (1, made), (2, written), (3, made)]), written);
        // One licence is enough for a part of a licence; a text about rights stands in such files mostly.
        let licence = FileSigns { is_licence: true, is_about_rights: true, ..written };
        let quoted = FileSigns { is_licence: true, ..written };
        assert_eq!(most(&[(0, licence), (1, written), (2, written)]), quoted);
        assert_eq!(most(&[(0, licence), (1, written), (2, licence)]), licence);
    }
}
