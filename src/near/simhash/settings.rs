//! The settings of a search for near fingerprints.

/// The bits of a fingerprint.
const BITS: u32 = u64::BITS;

/// How far fingerprints may be apart, and how they are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SimHashSettings {
    /// The largest number of differing bits, of 64, of two near fingerprints.
    pub(super) distance: u32,
    /// Into how many blocks the bits are divided.
    pub(super) blocks: Option<u32>,
}

/// Why there are no such settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SimHashSettingsError {
    /// The distance is more than the bits of a fingerprint.
    #[error("a distance of {0} bits is too large: a fingerprint has {BITS}")]
    Distance(u32),
    /// Pairs would be missed.
    #[error("{blocks} blocks are too few for a distance of {distance} bits: there must be at least {}", distance + 1)]
    FewBlocks {
        /// The number of blocks.
        blocks: u32,
        /// The distance.
        distance: u32,
    },
    /// More blocks than bits.
    #[error("{0} blocks are too many: a fingerprint has {BITS} bits")]
    ManyBlocks(u32),
}

impl SimHashSettings {
    /// The distance that is usual for 64 bits (Manku, Jain, Das Sarma 2007).
    pub const USUAL_DISTANCE: u32 = 3;

    /// Settings for a distance in bits, 0 to 64. The number of blocks changes the time that a search takes, not what it
    /// finds; by default, the search estimates which number is fastest.
    pub fn new(distance: u32, blocks: Option<u32>) -> Result<Self, SimHashSettingsError> {
        if distance > BITS {
            return Err(SimHashSettingsError::Distance(distance));
        }
        match blocks {
            Some(blocks) if blocks > BITS => Err(SimHashSettingsError::ManyBlocks(blocks)),
            Some(blocks) if blocks <= distance => Err(SimHashSettingsError::FewBlocks { blocks, distance }),
            blocks => Ok(Self { distance, blocks }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_more_blocks_than_bits_that_differ_and_at_most_64() {
        let said =
            |distance, blocks| SimHashSettings::new(distance, blocks).map_err(|error| error.to_string());
        for (distance, blocks) in [(0, Some(1)), (3, Some(4)), (63, Some(64)), (64, None)] {
            assert_eq!(said(distance, blocks), Ok(SimHashSettings { distance, blocks }));
        }
        for (distance, blocks, words) in
            [(3, Some(3), "at least 4"), (3, Some(65), "64"), (65, None, "too large")]
        {
            assert!(said(distance, blocks).unwrap_err().contains(words), "{distance} {blocks:?}");
        }
    }
}
