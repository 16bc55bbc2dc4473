//! `simhash`: fingerprints of texts, and pairs and clusters of near fingerprints, for scripts. Input and output are the
//! formats of the programs of simhash-cpp, `simhash-find-all` and `simhash-find-clusters`.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use super::args::{NearHashesArgs, SimHashArgs, SimHashVerb};
use super::ask::Given;
use super::error::CliError;
use super::outcome::Outcome;
use dupi_base::corpus::SkipReason;
use dupi_base::parallel;
use dupi_base::storage::shown;
use dupi_near::simhash::{HashListError, SimHashSettings, find_all, find_clusters, read_hashes};
use dupi_report::{write_arrays, write_numbers};
use dupi_text::sketch::fingerprint;
use dupi_text::token::{Comments, LexState, Tokeniser};

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
        let tokeniser = Tokeniser::of(args.tokens, Comments::Keep, path, text);
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
        .map_err(|error| CliError::Usage(format!("{error}; change --distance or --blocks")))?;
    let (name, hashes) = if is_standard(&args.input) {
        ("standard input".to_owned(), read_hashes(io::stdin().lock()))
    } else {
        let name = shown(&args.input).to_string();
        (name, File::open(&args.input).map_err(HashListError::from).and_then(read_hashes))
    };
    match hashes {
        Ok(hashes) => Ok((hashes, settings)),
        Err(error) => Err(CliError::Hashes(name, error)),
    }
}

/// Writes to a file or standard output.
fn written(file: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), CliError> {
    if is_standard(file) {
        let mut out = io::stdout().lock();
        return write(&mut out).and_then(|()| out.flush()).map_err(CliError::Output);
    }
    let failed = |error| CliError::Write(shown(file).to_string(), error);
    write(&mut File::create(file).map_err(failed)?).map_err(failed)
}
