//! Sealed files: what is written is read back, and every damage is told by name.

use super::*;

static KIND: FileKind =
    FileKind { name: "the file", magic: b"dupi tst", version: 3, remedy: "make it again" };

/// A file with a head, numbers and bytes, and all of its bytes.
fn written() -> (tempfile::TempDir, Folder, Vec<u8>) {
    let place = tempfile::tempdir().unwrap();
    let folder = Folder::new(place.path());
    let mut draft = KIND.create(&folder, "a", &to_bytes(&(7_u32, "head".to_owned()))).unwrap();
    draft.write_numbers(&[1, 2, 3_u64], u64::to_le_bytes).unwrap();
    draft.write(b"bytes").unwrap();
    draft.align().unwrap();
    let checksum = draft.seal().unwrap();
    assert_eq!(KIND.open(&folder, "a").unwrap().body().unwrap().checksum, checksum);
    let bytes = folder.read("a").unwrap().unwrap();
    (place, folder, bytes)
}

/// Reads all of the file in each way.
fn read(folder: &Folder) -> Result<(), SealedError> {
    let file = KIND.open(folder, "a")?;
    file.check()?;
    assert_eq!(file.value::<(u32, String)>()?, (7, "head".to_owned()));
    let numbers = file.numbers(8, 2, 5)?;
    assert_eq!((numbers.numbers(), numbers.bytes()), (&[2, 3][..], &b"bytes"[..]));
    assert_eq!(file.read_body(24..29)?, b"bytes");
    assert!(file.numbers(8, 4, 0).is_err() && file.numbers(0, usize::MAX / 8, 8).is_err());
    assert!(file.read_body(24..33).is_err());
    let mut records = file.into_records::<16>(1 << 12)?;
    assert_eq!(records.read()?.unwrap()[0], 1);
    assert_eq!(records.read()?.unwrap()[8..13], *b"bytes");
    assert!(records.read()?.is_none() && records.read()?.is_none());
    assert_eq!(KIND.open(folder, "a")?.body()?[24..], *b"bytes\0\0\0");
    Ok(())
}

#[test]
fn a_file_is_read_back_and_every_flipped_bit_and_every_cut_is_told() {
    let (_place, folder, bytes) = written();
    read(&folder).unwrap();
    for at in 0..bytes.len() {
        for damaged in
            [&bytes[..at], &[&bytes[..at], &[bytes[at] ^ 1 << (at % 8)], &bytes[at + 1..]].concat()]
        {
            folder.replace("a", damaged).unwrap();
            let error = read(&folder).unwrap_err();
            let is_version = matches!(error, SealedError::Version { found, .. } if found != 3);
            assert!(is_version || matches!(error, SealedError::Damaged { .. }), "{at}: {error}");
            assert!(error.to_string().contains(&format!("{}", shown(&folder.at("a")))), "{error}");
            let records = KIND.open(&folder, "a").and_then(|file| file.into_records::<8>(64));
            let all = records.and_then(|mut records| (0..9).try_for_each(|_| records.read().map(drop)));
            assert!(all.is_err(), "{at}");
        }
    }
}

#[test]
fn a_newer_version_and_what_the_head_claims_are_refused_by_name() {
    let (_place, folder, mut bytes) = written();
    bytes[8] = 4;
    folder.replace("a", &bytes).unwrap();
    let said = KIND.open(&folder, "a").unwrap_err().to_string();
    assert!(said.starts_with("the file /"), "{said}");
    assert!(
        said.ends_with("has format version 4, this program reads 3; use a newer dupi-tui, or make it again")
    );
    bytes[8] = 3;
    for claim in [u64::MAX, 1 << 60, 1 << 30, 10_000] {
        bytes[16..24].copy_from_slice(&claim.to_le_bytes());
        folder.replace("a", &bytes).unwrap();
        assert!(KIND.open(&folder, "a").unwrap_err().to_string().contains("it is too short"));
    }
    assert!(KIND.read::<u32>(&folder, "b", 1 << 10).unwrap().is_none());
    KIND.write(&folder, "b", &vec![5_u64; 9]).unwrap();
    assert_eq!(KIND.read::<Vec<u64>>(&folder, "b", 1 << 10).unwrap().unwrap(), [5; 9]);
    assert!(KIND.read::<Vec<u64>>(&folder, "b", 40).unwrap().is_none(), "larger than it may be");
    assert!(KIND.read::<u32>(&folder, "b", 1 << 10).is_err(), "more than the value");
    // A sequence is as long as its bytes, not as it says.
    assert!(from_bytes::<Vec<u64>>(&[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f]).is_none());
}
