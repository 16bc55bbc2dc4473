//! The options that say how documents are compared, for `near` and for its parts on several machines.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};

use crate::cli::args::{path, share};
use crate::cli::ask::Given;
use crate::cli::error::CliError;
use dupi_near::settings::{
    ClusterRule, FingerprintRule, Identity, Method, NearSettings, Shingling, SignatureRule, SpotRule,
};
use dupi_near::spotsigs::{Antecedents, IdfBounds, USUAL_THRESHOLD};
use dupi_text::sketch::MAX_SHINGLE;
use dupi_text::token::listed;

/// How documents are compared.
#[derive(Clone, Debug, Args)]
pub struct MethodArgs {
    /// How documents are compared
    #[arg(long, default_value = "jaccard", value_enum)]
    pub method: MethodName,
    /// The least similarity, 0 to 1: with jaccard and minhash the resemblance of the shingles [default: 0.5], with
    /// spotsigs that of the spot signatures [default: 0.44], with identical the share of equal documents in folders
    /// that are almost the same [default: 0.9]
    #[arg(long, value_name = "SHARE", value_parser = share)]
    pub threshold: Option<f32>,
    /// With simhash, the largest number of bits, of 64, in which two fingerprints differ [default: 3]
    #[arg(long, value_name = "BITS", value_parser = clap::value_parser!(u8).range(0..=MOST_DISTANCE))]
    pub distance: Option<u8>,
    /// The tokens of a shingle, with jaccard, minhash and simhash [default: 5]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=MOST_SHINGLE))]
    pub shingle: Option<u8>,
    /// With jaccard and minhash, count each occurrence of a shingle in a document
    #[arg(long)]
    pub bag: bool,
    /// With minhash, do not verify the pairs that are found by all their shingles: their similarity is an estimate
    #[arg(long)]
    pub no_verify: bool,
    /// With spotsigs, only signatures with at least this inverse document frequency, 0 to 1: 0 is that of a signature of
    /// all documents [default: 0]
    #[arg(long, value_name = "SHARE", value_parser = share)]
    pub idf_min: Option<f32>,
    /// With spotsigs, only signatures with at most this inverse document frequency: 1 is that of a signature of one
    /// document [default: 1]
    #[arg(long, value_name = "SHARE", value_parser = share)]
    pub idf_max: Option<f32>,
    /// With spotsigs, the words that signatures begin with: those of a language (english, german, french, spanish,
    /// italian, portuguese, dutch), or of a file, with one on each line [default: those of all languages]
    #[arg(long, value_name = "LANGUAGE|FILE", value_parser = path())]
    pub antecedents: Option<PathBuf>,
    /// With identical, compare bytes instead of tokens: of files all bytes, of records all of their text
    #[arg(long)]
    pub bytes: bool,
}

/// The largest shingle.
const MOST_SHINGLE: i64 = MAX_SHINGLE as i64;

/// The greatest distance: beyond it unrelated texts are near each other.
const MOST_DISTANCE: i64 = 24;
/// The distance that is used if none is given (Manku, Jain and Das Sarma, “Detecting near-duplicates for web crawling”,
/// 2007).
const USUAL_DISTANCE: u8 = 3;

/// What `--method` names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "lower")]
pub enum MethodName {
    /// Documents with equal tokens, and folders with the same documents or almost
    Identical,
    /// All pairs by the resemblance of their shingles, exactly
    Jaccard,
    /// Almost all of these pairs, for very many documents
    MinHash,
    /// All pairs by the words behind stop words, so that menus and banners hardly count
    SpotSigs,
    /// All pairs with fingerprints of 64 bits that differ in few of them
    SimHash,
}

/// A name of a value, the value, and its description.
pub(super) type Named<T> = (&'static str, T, &'static str);

/// The parser of a value by its name.
pub(super) fn named<T: Clone + Send + Sync + 'static>(
    values: &'static [Named<T>],
) -> impl TypedValueParser<Value = T> {
    let names = PossibleValuesParser::new(
        values.iter().map(|(name, _, about)| PossibleValue::new(*name).help(*about)),
    );
    names.try_map(|given| {
        let value = values.iter().find(|(name, ..)| *name == given).map(|of| of.1.clone());
        value.ok_or_else(|| format!("`{given}` is not known"))
    })
}

/// A share as it was typed: 0.6 is not 0.60000002.
fn exact(share: f32) -> f64 {
    (f64::from(share) * 1e6).round() / 1e6
}

impl MethodArgs {
    /// What is searched for, with the usual clusters. `antecedents` are those that `--antecedents` names.
    ///
    /// # Errors
    /// A sentence about an option that has no effect with the method.
    pub(crate) fn settings(&self, memory: u64, antecedents: &Antecedents) -> Result<NearSettings, CliError> {
        self.refuse_unused()?;
        let shingling = Shingling {
            size: self
                .shingle
                .and_then(|size| NonZeroUsize::new(size.into()))
                .unwrap_or(Shingling::default().size),
            bag: self.bag,
        };
        let (method, usual) = match self.method {
            MethodName::Identical if self.bytes => (Method::Identical(Identity::Bytes), 0.9),
            MethodName::Identical => (Method::Identical(Identity::Tokens), 0.9),
            MethodName::Jaccard => (Method::Jaccard(shingling), 0.5),
            MethodName::MinHash => {
                (Method::MinHash(SignatureRule { shingling, verify: !self.no_verify }), 0.5)
            }
            MethodName::SpotSigs => {
                let bound = |given: Option<f32>, usual: f64| given.map_or(usual, exact);
                let idf = IdfBounds { min: bound(self.idf_min, 0.0), max: bound(self.idf_max, 1.0) };
                let antecedents = antecedents.clone();
                (Method::SpotSigs(SpotRule { antecedents, idf }), USUAL_THRESHOLD)
            }
            MethodName::SimHash => {
                let distance = self.distance.unwrap_or(USUAL_DISTANCE).into();
                (Method::SimHash(FingerprintRule { distance, shingle: shingling.size }), 0.0)
            }
        };
        let threshold = self.threshold.map_or(usual, exact);
        let rule = ClusterRule { threshold, ..ClusterRule::default() };
        Ok(NearSettings { method, rule, clusters: true, memory })
    }

    /// Each option with the methods that it has an effect with.
    fn refuse_unused(&self) -> Result<(), CliError> {
        use MethodName::{Identical, Jaccard, MinHash, SimHash, SpotSigs};
        let options: [(&str, bool, &[MethodName]); 9] = [
            ("--threshold", self.threshold.is_some(), &[Identical, Jaccard, MinHash, SpotSigs]),
            ("--distance", self.distance.is_some(), &[SimHash]),
            ("--shingle", self.shingle.is_some(), &[Jaccard, MinHash, SimHash]),
            ("--bag", self.bag, &[Jaccard, MinHash]),
            ("--no-verify", self.no_verify, &[MinHash]),
            ("--idf-min", self.idf_min.is_some(), &[SpotSigs]),
            ("--idf-max", self.idf_max.is_some(), &[SpotSigs]),
            ("--antecedents", self.antecedents.is_some(), &[SpotSigs]),
            ("--bytes", self.bytes, &[Identical]),
        ];
        let unused = options.iter().find(|(_, given, methods)| *given && !methods.contains(&self.method));
        unused.map_or(Ok(()), |(option, _, methods)| Err(self.no_effect(option, methods)))
    }

    /// A sentence about an option that has an effect only with other methods.
    pub(super) fn no_effect(&self, option: &str, methods: &[MethodName]) -> CliError {
        CliError::Failed(format!(
            "{option} has no effect with the method {}; leave it out, or use --method {}",
            name(self.method),
            listed(methods.iter().map(|&method| name(method)).collect::<Vec<_>>()),
        ))
    }

    /// These options as words of a command line.
    pub fn words(&self) -> Vec<OsString> {
        let share = |of: &Option<f32>| of.map(|share| share.to_string());
        let number = |of: Option<u8>| of.map(|number| number.to_string());
        let mut words = vec!["--method".into(), name(self.method).into()];
        let values = [
            ("--threshold", share(&self.threshold)),
            ("--distance", number(self.distance)),
            ("--shingle", number(self.shingle)),
            ("--idf-min", share(&self.idf_min)),
            ("--idf-max", share(&self.idf_max)),
        ];
        for (option, value) in values {
            words.extend(value.into_iter().flat_map(|value| [option.into(), value.into()]));
        }
        let antecedents = self.antecedents.iter().flat_map(|given| ["--antecedents".into(), given.into()]);
        words.extend(antecedents);
        let flags = [("--bag", self.bag), ("--no-verify", self.no_verify), ("--bytes", self.bytes)];
        words.extend(flags.iter().filter(|(_, is_given)| *is_given).map(|(flag, _)| (*flag).into()));
        words
    }
}

/// The name of a method.
fn name(of: MethodName) -> String {
    of.to_possible_value().map_or(String::new(), |value| value.get_name().to_owned())
}

/// The antecedents of a language, of a file, or of all languages.
pub(crate) fn antecedents(args: &MethodArgs) -> Result<Antecedents, CliError> {
    let Some(given) = &args.antecedents else { return Ok(Antecedents::of_all_languages()) };
    if let Some(Ok(of_language)) = given.to_str().map(Antecedents::of_language) {
        return Ok(of_language);
    }
    Antecedents::parse(&Given::read(given)?.text).map_err(CliError::from)
}
