//! `near --emit`: prints the files to keep or to drop, for other programs.

use std::io::{self, IsTerminal};
use std::os::unix::ffi::OsStrExt;

use clap::ValueEnum;

use crate::cli::error::CliError;
use crate::cli::output::{print_bytes, tell};
use dupi_base::storage::shown;
use dupi_index::index::snapshot::Snapshot;
use dupi_index::query::documents::Document;
use dupi_near::found::{Found, NearCluster};
use dupi_near::kept_files::{KeptGroup, ListedFiles, kept_files};
use dupi_near::settings::{Method, NearSettings};

/// What `--emit` prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Emit {
    /// The files of representatives
    Keep,
    /// The files of all other documents in clusters
    Drop,
}

/// Prints the files of clusters with a document that `is_meant`, by path, and returns whether there were none.
pub(super) fn print(
    (emit, null, top): (Emit, bool, Option<usize>),
    snapshot: &Snapshot,
    wanted: &NearSettings,
    found: &Found,
    is_meant: impl Fn(&Document) -> bool,
) -> Result<bool, CliError> {
    let document = |number: u32| &found.documents[number as usize];
    let identity = match wanted.method {
        Method::Identical(identity) => Some(identity),
        _ => None,
    };
    let meant = found
        .clusters
        .iter()
        .filter(|cluster| cluster.members.iter().any(|member| is_meant(document(member.document))));
    let group = |cluster: &NearCluster| {
        let mut members = cluster.members.iter().map(|member| document(member.document).id);
        Some(KeptGroup { kept: members.next()?, others: members.collect(), identity })
    };
    let listed = match emit {
        Emit::Keep => ListedFiles::Keep,
        Emit::Drop => ListedFiles::Drop,
    };
    let groups = meant.take(top.unwrap_or(usize::MAX)).filter_map(group);
    let list = kept_files(snapshot, groups, listed, wanted.memory);
    list.left_out("printed", "--json names").iter().for_each(tell);
    let end = if null { 0 } else { b'\n' };
    let mut bytes = Vec::new();
    for path in &list.files {
        if !null && path.as_os_str().as_bytes().contains(&b'\n') {
            return Err(CliError::Failed(format!("the path {} has a line break; use -0", shown(path))));
        }
        match io::stdout().is_terminal() {
            true => bytes.extend_from_slice(shown(path).text().as_bytes()),
            false => bytes.extend_from_slice(path.as_os_str().as_bytes()),
        }
        bytes.push(end);
    }
    print_bytes(&bytes)?;
    Ok(list.files.is_empty())
}
