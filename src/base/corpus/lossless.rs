//! Paths in JSON without loss: as text if the path is valid UTF-8, else as bytes.

pub(super) mod list;

use std::borrow::Cow;
use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A path that is serialized as text, or as a list of bytes if it is not UTF-8.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct LosslessPath(#[serde(with = "self")] pub PathBuf);

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum PathForm<'a> {
    Text(Cow<'a, str>),
    Bytes(Cow<'a, [u8]>),
}

/// Serializes a path as text or as bytes.
pub fn serialize<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    let spelled = match path.to_str() {
        Some(text) => PathForm::Text(text.into()),
        None => PathForm::Bytes(path.as_os_str().as_bytes().into()),
    };
    spelled.serialize(serializer)
}

/// Reads a path that was serialized as text or as bytes.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<PathBuf, D::Error> {
    Ok(match PathForm::deserialize(deserializer)? {
        PathForm::Text(text) => PathBuf::from(text.into_owned()),
        PathForm::Bytes(bytes) => OsString::from_vec(bytes.into_owned()).into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_path_comes_back() {
        for bytes in [&b"plain"[..], b"\xff\xfe/x", "Gr\u{fc}n".as_bytes()] {
            let path = LosslessPath(OsString::from_vec(bytes.to_vec()).into());
            let json = serde_json::to_string(&path).unwrap();
            assert_eq!(serde_json::from_str::<LosslessPath>(&json).unwrap(), path);
        }
    }
}
