//! `like` and `passages` agree: what one says of two texts, the other says too.

use crate::near_promises::{World, pairs, two_documents};
use dupi::blot::Profile;
use dupi::passage::Measure;
use proptest::prelude::*;

fn check(texts: &crate::near_promises::Texts, profile: Profile, measure: Measure) {
    let world = World::with(texts, profile);
    let rows = world.rows(measure);
    let is_row = !pairs(&rows).is_empty();
    for name in texts.keys() {
        assert_eq!(!world.like(name, measure).is_empty(), is_row, "{name} {measure:?} {profile}\n{rows:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn like_names_the_document_exactly_when_passages_has_a_row(
        texts in two_documents(),
        is_ocr: bool,
        least in 8..45_u32,
        gap in prop_oneof![1 => Just(0_u32), 6 => 1..14_u32],
        overlap in 0.3..0.9_f32,
        one_sided: bool,
    ) {
        let profile = if is_ocr { Profile::Ocr } else { Profile::Default };
        check(&texts, profile, Measure { least, overlap, one_sided, gap });
    }
}
