//! The parts of a large document have the tokens of the whole document.

use std::collections::BTreeMap;

use crate::naive::indexed;
use dupi::index::posting::PartId;
use dupi::index::snapshot::DocumentId;
use dupi::ingest::Options;
use dupi::query::page::DocumentReader;
use dupi::token::Token;

/// A component of Vue with many short scripts, of two parts.
fn component(between: &str) -> String {
    let part = |at: usize| {
        format!(
            "<template>{between}\n  <p>{{{{ w{at} }}}}</p>\n</template>\n<script lang=\"ts\" setup>\nf{at}({at});\n</script>\n"
        )
    };
    (0..14_000).map(part).collect()
}

#[test]
fn a_part_that_ends_in_a_tag_has_the_tokens_of_the_document() {
    let texts: Vec<String> = ["", " x y"].map(component).into();
    let files: BTreeMap<String, String> =
        texts.into_iter().enumerate().map(|(number, text)| (format!("{number}.vue"), text)).collect();
    let (_folder, snapshot) = indexed(&files, |usual| Options { threads: 1, ..usual });
    let mut reader = DocumentReader::new(&snapshot);
    let hashes = |tokens: &[Token]| tokens.iter().map(|token| (token.hash, token.start)).collect::<Vec<_>>();
    let mut parts = 0;
    for file in snapshot.files().collect::<Vec<_>>() {
        let table = snapshot.segment(file.segment).table();
        for document in table.documents_of(file.file) {
            let id = DocumentId { segment: file.segment, document };
            let whole = hashes(&reader.whole(&snapshot, id).unwrap().tokens);
            for part in table.parts_of(document).map(PartId) {
                let page = reader.pages(&snapshot, id, &[part]).unwrap().pop().unwrap();
                let own = hashes(&page.tokens);
                let first = whole.iter().position(|token| token.1 == own[0].1).unwrap();
                assert!(own.len() < whole.len());
                let same = own.iter().zip(&whole[first..]).take_while(|(own, whole)| own == whole).count();
                assert_eq!(same, own.len(), "{part:?}");
                parts += 1;
            }
        }
    }
    assert!(parts >= 4, "{parts}");
}
