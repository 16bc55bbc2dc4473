//! Sketches: a few bytes that stand for a whole document when it is compared with others.
//!
//! All of it is made of the document's shingles, in one pass over the hashes of its tokens ([`Sketcher`]):
//!
//! - a signature, whose hashes agree in two documents as often as their sets of shingles resemble each other ([`Signer`]);
//! - a fingerprint of 64 bits, which differs in few of them for similar documents ([`fingerprint`]);
//! - a hash of all shingles, each as often as it occurs, which is equal for equal documents.
//!
//! The index keeps them, with [`USUAL_SHINGLE`] tokens a shingle, beside the postings.

mod fingerprint;
mod sketcher;

use std::num::NonZeroUsize;

pub use fingerprint::{MAX_SHINGLE, avalanche, fingerprint, scatter, shingles};
pub use sketcher::{Signer, Sketcher, WholeSketch};

/// How many hashes the signature of a sketch has.
pub const HASHES: usize = 128;

/// The tokens of a shingle, where the user does not say, and of the sketches that an index keeps.
pub const USUAL_SHINGLE: NonZeroUsize = NonZeroUsize::new(5).unwrap();

/// The sketch of a document as an index keeps it. Of each hash of the signature the lower 8 bits are left (b-bit minwise
/// hashing: Li and König, “b-Bit minwise hashing”, 2010), by which one in 256 unequal hashes agree by chance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sketch {
    /// The hash of all shingles, each as often as it occurs: equal bags of shingles have equal ones. Never 0.
    pub bag: u128,
    /// The fingerprint.
    pub fingerprint: u64,
    /// The signature.
    pub signature: [u8; HASHES],
}

impl Sketch {
    /// How many bytes it has.
    pub const BYTES: usize = size_of::<u128>() + size_of::<u64>() + HASHES;
    /// The bytes in the place of a sketch that there is none of.
    pub const NONE: [u8; Self::BYTES] = [0; Self::BYTES];

    /// Its bytes.
    pub fn to_bytes(&self) -> [u8; Self::BYTES] {
        let mut bytes = Self::NONE;
        let (bag, rest) = bytes.split_at_mut(size_of::<u128>());
        let (fingerprint, signature) = rest.split_at_mut(size_of::<u64>());
        bag.copy_from_slice(&self.bag.to_le_bytes());
        fingerprint.copy_from_slice(&self.fingerprint.to_le_bytes());
        signature.copy_from_slice(&self.signature);
        bytes
    }

    /// A sketch from its bytes; none from [`Self::NONE`].
    pub fn of_bytes(bytes: &[u8; Self::BYTES]) -> Option<Self> {
        let (bag, rest) = bytes.split_first_chunk()?;
        let (fingerprint, signature) = rest.split_first_chunk()?;
        let bag = u128::from_le_bytes(*bag);
        let fingerprint = u64::from_le_bytes(*fingerprint);
        (bag != 0).then_some(Self { bag, fingerprint, signature: signature.try_into().ok()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sketch_is_read_back_from_its_bytes() {
        let sketch =
            Sketch { bag: 1 << 99, fingerprint: 7 << 60, signature: std::array::from_fn(|at| at as u8) };
        assert_eq!(Sketch::of_bytes(&sketch.to_bytes()), Some(sketch));
        assert_eq!(Sketch::of_bytes(&Sketch::NONE), None);
    }
}
