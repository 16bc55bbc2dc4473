//! `simhash`: fingerprints of texts, and pairs and clusters of near fingerprints, for scripts. Input and output are the
//! formats of the programs of simhash-cpp, `simhash-find-all` and `simhash-find-clusters`.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};

use super::args::path;
use super::ask::Given;
use super::error::CliError;
use super::output::Outcome;
use dupi_base::corpus::SkipReason;
use dupi_base::parallel;
use dupi_base::storage::shown;
use dupi_near::simhash::{HashListError, SimHashSettings, find_all, find_clusters, read_hashes};
use dupi_report::{write_arrays, write_numbers};
use dupi_text::sketch::{MAX_SHINGLE, USUAL_SHINGLE, fingerprint};
use dupi_text::token::{Comments, LexState, TokenMode, Tokeniser};

/// What the verb reads and writes, for its help.
pub(super) const ABOUT: &str = "\
A list of hashes has one decimal number of 64 bits a line. Pairs and clusters are written as JSON arrays, one a line,
sorted by their numbers: [3, 11]. `hash` makes such a list; find-all and find-clusters read any.

Examples:
  dupi-tui simhash hash -i *.txt | dupi-tui simhash find-all --distance 6
  dupi-tui simhash find-clusters --input hashes.txt --output clusters.json

Exit codes: 0 success, also if there is no pair; 2 wrong use or failure.";

/// `simhash`.
#[derive(Debug, Subcommand)]
pub enum SimHashVerb {
    /// Print the SimHash of each text
    Hash(SimHashArgs),
    /// List all pairs of hashes that differ in few bits
    FindAll(NearHashesArgs),
    /// List the clusters of hashes that such pairs connect
    FindClusters(NearHashesArgs),
}

/// `simhash hash`.
#[derive(Debug, Args)]
pub struct SimHashArgs {
    /// Files, each one text; `-` is standard input
    #[arg(short, long, value_name = "FILE", num_args = 1.., default_value = "-", value_parser = path())]
    pub input: Vec<PathBuf>,
    /// The file that the hashes are written to, in the order of the texts; `-` is standard output
    #[arg(short, long, value_name = "FILE", default_value = "-", value_parser = path())]
    pub output: PathBuf,
    /// Tokens per shingle
    #[arg(long, value_name = "K", default_value_t = USUAL_SHINGLE.get() as u16,
        value_parser = clap::value_parser!(u16).range(1..=MAX_SHINGLE as i64))]
    pub shingle: u16,
    /// The token mode; the help lists all of them.
    #[arg(long, value_name = "MODE", default_value_t, help = TokenMode::help())]
    pub tokens: TokenMode,
    /// Each line of the input is a text
    #[arg(long)]
    pub lines: bool,
}

/// `simhash find-all` and `simhash find-clusters`.
#[derive(Debug, Args)]
pub struct NearHashesArgs {
    /// The file with the hashes; `-` is standard input
    #[arg(short, long, value_name = "FILE", default_value = "-", value_parser = path())]
    pub input: PathBuf,
    /// The file that is written; `-` is standard output
    #[arg(short, long, value_name = "FILE", default_value = "-", value_parser = path())]
    pub output: PathBuf,
    /// The number of blocks that the bits are divided into, more than the distance. It changes the time, not what is found
    /// [default: estimated]
    #[arg(short, long, value_name = "N")]
    pub blocks: Option<u32>,
    /// The largest number of bits, of 64, in which near hashes differ
    #[arg(short, long, value_name = "BITS", default_value_t = SimHashSettings::USUAL_DISTANCE)]
    pub distance: u32,
}

/// Runs a verb of `simhash`.
pub(super) fn run(verb: &SimHashVerb) -> Result<Outcome, CliError> {
    match verb {
        SimHashVerb::Hash(args) => hash(args)?,
        SimHashVerb::FindAll(args) => {
            let (hashes, settings) = read(args)?;
            let pairs = find_all(hashes, settings, &|_| Ok(()))?;
            written(&args.output, |out| write_arrays(pairs.iter().map(|&(a, b)| [a, b]), out))?;
        }
        SimHashVerb::FindClusters(args) => {
            let (hashes, settings) = read(args)?;
            let clusters = find_clusters(hashes, settings, &|_| Ok(()))?;
            written(&args.output, |out| write_arrays(&clusters, out))?;
        }
    }
    Ok(Outcome::Done)
}

fn is_standard(file: &Path) -> bool {
    file.as_os_str() == "-"
}

fn hash(args: &SimHashArgs) -> Result<(), CliError> {
    let of = |path: &Path, text: &str| {
        let tokeniser = Tokeniser::for_file(args.tokens, Comments::Keep, path, text);
        let tokens = tokeniser.tokens(text, LexState::default());
        let tokens: Vec<u64> = tokens.iter().map(|token| token.hash).collect();
        fingerprint(&tokens, usize::from(args.shingle))
    };
    let hashes_of = |path: &Path| -> Result<Vec<u64>, CliError> {
        let text = match Given::read(path) {
            // The hashes have the order of the files, so none is left out.
            Err(CliError::File(_, SkipReason::Empty)) => String::new(),
            given => given?.text,
        };
        if args.lines {
            let lines: Vec<&str> = text.lines().collect();
            return Ok(parallel::map(&lines, |line| of(path, line)));
        }
        Ok(vec![of(path, &text)])
    };
    let hashes: Result<Vec<Vec<u64>>, CliError> = parallel::try_map(&args.input, |path| hashes_of(path));
    let hashes = hashes?.concat();
    written(&args.output, |out| write_numbers(&hashes, out))
}

fn read(args: &NearHashesArgs) -> Result<(Vec<u64>, SimHashSettings), CliError> {
    let settings = SimHashSettings::new(args.distance, args.blocks)
        .map_err(|error| CliError::Failed(format!("{error}; change --distance or --blocks")))?;
    let (name, hashes) = if is_standard(&args.input) {
        ("standard input".to_owned(), read_hashes(io::stdin().lock()))
    } else {
        let name = shown(&args.input).to_string();
        (name, File::open(&args.input).map_err(HashListError::from).and_then(read_hashes))
    };
    let hashes = hashes.map_err(|error| CliError::Failed(format!("cannot read {name}: {error}")))?;
    Ok((hashes, settings))
}

/// Writes to a file or standard output.
fn written(file: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), CliError> {
    if is_standard(file) {
        let mut out = BufWriter::new(io::stdout().lock());
        return write(&mut out).and_then(|()| out.flush()).map_err(CliError::Output);
    }
    let failed = CliError::write(file);
    let mut out = BufWriter::new(File::create(file).map_err(failed)?);
    write(&mut out).and_then(|()| out.flush()).map_err(failed)
}
