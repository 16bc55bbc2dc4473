//! How signatures are cut into bands.

/// The least expected recall of pairs whose resemblance is just the threshold.
const RECALL: f64 = 0.99;
/// Steps of an integral from 0 to 1.
const STEPS: u32 = 1000;

/// A signature is cut into `bands` of `rows` hashes. Two documents are candidates if they agree in all rows of a band, which
/// two of resemblance s do with probability 1 − (1 − s^rows)^bands (Indyk and Motwani, “Approximate nearest neighbors”,
/// 1998; Leskovec, Rajaraman and Ullman, “Mining of massive datasets”, 3.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bands {
    /// How many bands a signature has.
    pub bands: usize,
    /// How many hashes a band has.
    pub rows: usize,
}

impl Bands {
    /// The bands with the most rows, and so the fewest candidates, that are expected to find 99 of 100 pairs whose
    /// resemblance is just the threshold, and more of all others. With one row each if no bands find so many.
    pub fn choose(threshold: f64, hashes: usize) -> Self {
        let cut = |rows: usize| Self { bands: hashes / rows, rows };
        (1..=hashes).rev().map(cut).find(|bands| bands.probability(threshold) >= RECALL).unwrap_or(cut(1))
    }

    /// The probability that two documents of this resemblance are candidates.
    pub fn probability(self, resemblance: f64) -> f64 {
        let band = resemblance.clamp(0.0, 1.0).powf(self.rows as f64);
        1.0 - (1.0 - band).powf(self.bands as f64)
    }

    /// The curve of that probability: for each resemblance 0, 0.05, … 1.
    pub fn curve(self) -> Vec<(f64, f64)> {
        (0..=20).map(|step| f64::from(step) / 20.0).map(|at| (at, self.probability(at))).collect()
    }

    /// The share of pairs at or above a threshold that is expected to be found, if they are spread evenly over all
    /// resemblances from the threshold to 1.
    pub fn expected_recall(self, threshold: f64) -> f64 {
        self.mean(threshold.clamp(0.0, 1.0), 1.0)
    }

    /// The share of pairs below a threshold that are candidates, if they are spread evenly over all resemblances.
    pub fn expected_excess(self, threshold: f64) -> f64 {
        self.mean(0.0, threshold.clamp(0.0, 1.0))
    }

    /// The mean probability between two resemblances.
    fn mean(self, from: f64, to: f64) -> f64 {
        let at = |step: u32| from + (to - from) * (f64::from(step) + 0.5) / f64::from(STEPS);
        (0..STEPS).map(|step| self.probability(at(step))).sum::<f64>() / f64::from(STEPS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bands_find_almost_all_pairs_at_the_threshold_with_the_most_rows() {
        assert_eq!(Bands::choose(0.5, 128), Bands { bands: 42, rows: 3 });
        assert_eq!(Bands::choose(0.8, 128), Bands { bands: 21, rows: 6 });
        assert_eq!(Bands::choose(1.0, 128), Bands { bands: 1, rows: 128 });
        assert_eq!(Bands::choose(0.01, 128), Bands { bands: 128, rows: 1 });
        for percent in 5..=100 {
            let threshold = f64::from(percent) / 100.0;
            let bands = Bands::choose(threshold, 128);
            assert!(bands.probability(threshold) >= 0.99, "{threshold}");
            assert!(bands.expected_recall(threshold) >= bands.probability(threshold), "{threshold}");
        }
    }

    #[test]
    fn the_curve_rises_from_0_to_1() {
        let curve = Bands { bands: 42, rows: 3 }.curve();
        assert_eq!(curve[0], (0.0, 0.0));
        assert_eq!(curve[20], (1.0, 1.0));
        assert!(curve.is_sorted_by(|(_, a), (_, b)| a <= b));
        let at_half = 1.0 - (1.0_f64 - 0.125).powi(42);
        assert!((curve[10].1 - at_half).abs() < 1e-12);
    }
}
