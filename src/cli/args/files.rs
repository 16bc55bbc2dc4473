//! The options that choose files: for an index, and for an answer from one.

use std::ffi::OsString;

use clap::Args;

use dupi_base::corpus::FileChoice;

/// Which files are indexed, besides the other rules.
#[derive(Debug, Args)]
#[command(next_help_heading = "Files (the index remembers them)")]
pub struct IndexedArgs {
    /// Index only files that match, or that do not match after a leading !
    #[arg(short, long, value_name = "GLOB")]
    pub glob: Vec<String>,
    /// Index only files of a type, by ripgrep's names
    #[arg(short = 't', long = "type", value_name = "TYPE")]
    pub types: Vec<String>,
    /// Index no files of a type
    #[arg(short = 'T', long = "type-not", value_name = "TYPE")]
    pub types_not: Vec<String>,
}

/// Which files of an index are looked at.
#[derive(Debug, Args)]
#[command(next_help_heading = "Files of the index (it stays as it is)")]
pub struct OnlyArgs {
    /// Look only at files that match, or that do not match after a leading !, as if the others were not there
    #[arg(short, long, value_name = "GLOB")]
    pub glob: Vec<String>,
    /// Look only at files of a type, by ripgrep's names
    #[arg(short = 't', long = "type", value_name = "TYPE")]
    pub types: Vec<String>,
    /// Look at no files of a type
    #[arg(short = 'T', long = "type-not", value_name = "TYPE")]
    pub types_not: Vec<String>,
}

impl IndexedArgs {
    /// The files.
    pub fn choice(&self) -> FileChoice {
        choice(&self.glob, &self.types, &self.types_not)
    }
}

impl OnlyArgs {
    /// These options as words of a command line.
    pub fn words(&self) -> Vec<OsString> {
        let lists = [("--glob", &self.glob), ("--type", &self.types), ("--type-not", &self.types_not)];
        let words = lists.into_iter().flat_map(|(option, values)| {
            values.iter().map(move |value| OsString::from(format!("{option}={value}")))
        });
        words.collect()
    }

    /// The files.
    pub fn choice(&self) -> FileChoice {
        choice(&self.glob, &self.types, &self.types_not)
    }
}

fn choice(globs: &[String], types: &[String], types_not: &[String]) -> FileChoice {
    FileChoice { globs: globs.to_vec(), types: types.to_vec(), types_not: types_not.to_vec() }
}
