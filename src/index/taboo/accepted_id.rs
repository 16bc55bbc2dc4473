//! What a decision about a row is about: the id of a passage or of a cluster of documents, or a blot; and the texts by which a
//! passage is recognised when another copy represents it.

use std::fmt;
use std::str::FromStr;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use dupi_text::blot::Blot;

/// What was accepted: a passage, by the id of its text, a cluster of documents, by its name, or a blot. Written
/// `passage:0123456789abcdef`, `cluster:0123456789abcdef`, `blot:0123456789a`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum AcceptedId {
    /// A passage.
    Passage(u64),
    /// A cluster of documents or folders.
    Cluster(u64),
    /// A row of blots, by its first blot.
    Blot(Blot),
}

impl AcceptedId {
    /// The id of the passage, if it is one.
    pub fn passage(self) -> Option<u64> {
        if let Self::Passage(id) = self { Some(id) } else { None }
    }
}

impl fmt::Display for AcceptedId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Passage(id) => write!(f, "passage:{id:016x}"),
            Self::Cluster(id) => write!(f, "cluster:{id:016x}"),
            Self::Blot(blot) => write!(f, "blot:{blot}"),
        }
    }
}

impl FromStr for AcceptedId {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let id = |digits: &str| u64::from_str_radix(digits, 16).ok().filter(|_| digits.len() == 16);
        match text.split_once(':') {
            Some(("passage", digits)) => id(digits).map(Self::Passage),
            Some(("cluster", digits)) => id(digits).map(Self::Cluster),
            Some(("blot", digits)) => digits.parse().ok().map(Self::Blot),
            _ => None,
        }
        .ok_or_else(|| format!("`{text}` is not a passage, cluster or blot, as in passage:0123456789abcdef"))
    }
}

impl TryFrom<String> for AcceptedId {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<AcceptedId> for String {
    fn from(id: AcceptedId) -> Self {
        id.to_string()
    }
}

/// The most texts of copies that a decision keeps.
const MOST: usize = 16;

/// The fingerprints of texts that copies of a passage had when it was decided about, besides the text that its id is made
/// from. Written as hexadecimal numbers with spaces between them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeptTexts(Vec<u64>);

impl KeptTexts {
    /// Keeps the first of some texts.
    pub fn new(texts: &[u64]) -> Self {
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
