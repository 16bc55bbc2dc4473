//! The texts by which a passage is recognised when another copy represents it.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The most texts of copies that a decision keeps.
const MOST: usize = 16;

/// The fingerprints of texts that copies of a passage had when it was decided about, besides the text that its id is made
/// from. Written as hexadecimal numbers with spaces between them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeptTexts(Vec<u64>);

impl KeptTexts {
    /// Keeps the first of some texts.
    pub fn of(texts: &[u64]) -> Self {
        Self(texts[..texts.len().min(MOST)].to_vec())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The fingerprints.
    pub fn iter(&self) -> impl Iterator<Item = u64> + '_ {
        self.0.iter().copied()
    }
}

impl Serialize for KeptTexts {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let texts: Vec<String> = self.iter().map(|text| format!("{text:016x}")).collect();
        to.serialize_str(&texts.join(" "))
    }
}

impl<'d> Deserialize<'d> for KeptTexts {
    fn deserialize<D: Deserializer<'d>>(from: D) -> Result<Self, D::Error> {
        let texts = String::deserialize(from)?;
        let text = |word: &str| {
            u64::from_str_radix(word, 16)
                .map_err(|_| D::Error::custom(format!("`{word}` is not a hexadecimal number")))
        };
        Ok(Self(texts.split_whitespace().map(text).collect::<Result<_, _>>()?))
    }
}
