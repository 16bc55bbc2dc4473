//! What is true of most of the files that have a copy of a passage.
//!
//! The representative may stand in the one file that does not say that it is generated, while all others say so. What is
//! true of a file as a whole is therefore decided by all documents with a copy. Each counts once; if as many say the one
//! as the other, the document of the representative decides.

use super::file::FileSigns;

/// What is true of most of some documents, given for each what is true of it, and for the one that decides when there
/// is no majority.
pub(super) fn of_most(documents: impl Iterator<Item = FileSigns>, usual: FileSigns) -> FileSigns {
    let (mut count, mut generated, mut named, mut with_tests) = (0, 0, 0, 0);
    for FileSigns { head, lies_with_tests } in documents {
        count += 1;
        generated += usize::from(head.is_generated);
        named += usize::from(head.names_tests);
        with_tests += usize::from(lies_with_tests);
    }
    let most = |of: usize, usual: bool| if of * 2 == count { usual } else { of * 2 > count };
    let mut most_signs = usual;
    most_signs.head.is_generated = most(generated, usual.head.is_generated);
    most_signs.head.names_tests = most(named, usual.head.names_tests);
    most_signs.lies_with_tests = most(with_tests, usual.lies_with_tests);
    most_signs
}

#[cfg(test)]
mod tests {
    use super::super::file::HeadSigns;
    use super::*;

    #[test]
    fn most_documents_decide_and_the_given_one_when_there_is_no_majority() {
        let signs = |is_generated, lies_with_tests| FileSigns {
            head: HeadSigns { is_generated, names_tests: false },
            lies_with_tests,
        };
        let most = |documents: &[FileSigns]| of_most(documents.iter().copied(), documents[0]);
        assert_eq!(most(&[signs(false, true), signs(true, false), signs(true, false)]), signs(true, false));
        assert_eq!(most(&[signs(false, true), signs(true, false)]), signs(false, true));
        assert_eq!(most(&[signs(true, true), signs(false, true), signs(false, false)]), signs(false, true));
    }
}
