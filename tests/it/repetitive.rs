//! Texts that repeat themselves with small differences: a search takes time and memory in proportion to them.

use std::fmt::Write;
use std::io::Read;
use std::process::Stdio;

use crate::support::{Home, process};

/// What a search may take for each repeated token, as the README states it, in bytes.
const BYTES_A_TOKEN: u64 = 200;

/// Rows of a table of numbers, with one column that counts to seven.
fn table(rows: u64) -> String {
    let mut text = String::new();
    for row in 0..rows {
        writeln!(text, "0,0,0,0,{},0,0,0,0,0,0,0,0,0", row % 7).unwrap();
    }
    text
}

/// The peak memory of the program, in KiB, when it has begun to print what the arguments ask for: as nobody reads more
/// of it than the first byte, it waits, and must have more to print than a pipe holds.
#[cfg(target_os = "linux")]
fn peak(home: &Home, arguments: &[&str]) -> u64 {
    let mut child = home.command(arguments).stdout(Stdio::piped()).spawn().unwrap();
    let mut output = child.stdout.take().unwrap();
    output.read_exact(&mut [0]).unwrap();
    let peak = process::memory(child.id(), "VmHWM").unwrap();
    drop(output);
    child.wait().unwrap();
    peak
}

#[cfg(target_os = "linux")]
#[test]
fn a_table_of_numbers_takes_memory_in_proportion_to_its_rows() {
    const ROWS: u64 = 6000;
    const FEW: u64 = 2000;
    const TOKENS: u64 = (ROWS - FEW) * 14;
    let home = Home::new();
    home.write("small.csv", table(FEW));
    home.stdout(&["index"]);
    let small = peak(&home, &["passages", "--json", "--no-update"]);
    home.write("large.csv", table(ROWS - FEW));
    home.stdout(&["index"]);
    let large = peak(&home, &["passages", "--json", "--no-update"]);
    assert!(large < small + TOKENS * BYTES_A_TOKEN / 1024, "{small} KiB and {large} KiB");
}
