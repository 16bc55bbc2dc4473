//! `near --emit`: prints the files to keep or to drop, for other programs.

use std::io::{self, IsTerminal};
use std::os::unix::ffi::OsStrExt;

use crate::cli::args::{Emit, NearArgs};
use crate::cli::error::CliError;
use crate::cli::messages::tell;
use crate::cli::output::print_bytes;
use dupi_base::storage::shown;
use dupi_index::index::snapshot::Snapshot;
use dupi_near::documents::Document;
use dupi_near::found::{Found, NearCluster};
use dupi_near::kept_files::{KeptGroup, ListedFiles, kept_files};
use dupi_near::settings::{Method, NearSettings};

/// Prints the files of clusters with a document that `is_meant`, by path, and returns whether there were none.
pub(super) fn emit(
    args: &NearArgs,
    emit: Emit,
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
    let groups = meant.take(args.top.unwrap_or(usize::MAX)).filter_map(group);
    let list = kept_files(snapshot, groups, listed, wanted.memory);
    list.left_out("printed", "--json names").iter().for_each(tell);
    let end = if args.null { 0 } else { b'\n' };
    let mut bytes = Vec::new();
    for path in &list.files {
        if !args.null && path.as_os_str().as_bytes().contains(&b'\n') {
            return Err(CliError::Usage(format!("the path {} has a line break; use -0", shown(path))));
        }
        if io::stdout().is_terminal() {
            bytes.extend_from_slice(shown(path).text().as_bytes());
        } else {
            bytes.extend_from_slice(path.as_os_str().as_bytes());
        }
        bytes.push(end);
    }
    print_bytes(&bytes)?;
    Ok(list.files.is_empty())
}
