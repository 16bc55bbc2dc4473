//! `dupi` finds what is written more than once in a large, growing folder of documents.
//!
//! This crate is the program: its verbs, and a face that names the rooms of the workspace. The rooms are in crates below
//! `src`; data flows through them in one direction, and Cargo keeps the order:
//!
//! ```text
//! base ─→ text ─→ index ─┬→ passage ─→ judge ─→ review ─┬→ report ─→ session ─→ screen ─→ cli
//!                        └→ near ─→ ingest ─────────────┘
//! ```
//!
//! A crate with several rooms: `base` has parallel → storage → config → corpus, `text` has token → blot → sketch, `index` has taboo →
//! index → query, `review` has change → review, and `session` has protocol → known → rows → preview → decisions → worker.
//! `tests/it/architecture.rs` keeps the order inside of crates.
//!
//! # Rooms
//!
//! Each room answers one question.
//!
//! | room | question |
//! | --- | --- |
//! | [`parallel`] | How is a loop divided among threads? |
//! | [`storage`] | How does a file of our own reach the disk, whole or not at all? |
//! | [`config`] | Where are the program's folders, and what did the user set? |
//! | [`corpus`] | Which files are documents, what is their text, and what changed? |
//! | [`token`] | Which tokens does a text have? |
//! | [`blot`] | Which fingerprints does a document have? |
//! | [`sketch`] | Which few bytes stand for a whole document? |
//! | [`taboo`] | What did the user hide or accept? |
//! | [`index`] | Which documents have a blot, and how is that kept on disk? |
//! | [`query`] | Where does a blot stand in the files now, and which rows does a filter want? |
//! | [`passage`] | Which stretches of text are duplicated, and where are their copies? |
//! | [`judge`] | What is each worth, of which kind and family is it, and what is kept of the search? |
//! | [`near`] | How similar are two documents as wholes? |
//! | [`change`] | Which lines does a change add and remove, in a git repository or a patch? |
//! | [`review`] | Which copies are new in a change, and which did it change on one side only? |
//! | [`report`] | Which fields does a row have that is printed or exported, and how does each format write it? |
//! | [`ingest`] | How is an index brought up to date with its corpus? |
//! | [`session`] | What does a front end show now, while the corpus and the decisions change? |
//! | [`screen`] | How is that drawn in a terminal, and what does a key do? |
//! | [`cli`] | What does a command line ask for, and what is its exit code? |
//!
//! # Example
//!
//! Index a folder, then find its passages:
//!
//! ```
//! use std::fs;
//!
//! use dupi::corpus::Corpus;
//! use dupi::ingest::{Opened, Options, Silent, bring_up_to_date};
//! use dupi::judge::PassageOrder;
//! use dupi::judge::location::locate;
//! use dupi::judge::search::{Passages, SearchSettings};
//! use dupi::storage::{Folder, shown};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // Two documents that share a text of more than 25 tokens.
//! let shared = "The tenant shall return all keys on the last day of the lease, leave the rooms clean \
//!     and empty, and tell the landlord in writing where letters and the deposit should be sent.";
//! let folder = tempfile::tempdir()?;
//! let corpus = folder.path().join("corpus");
//! fs::create_dir(&corpus)?;
//! fs::write(corpus.join("flat.txt"), format!("Lease of a flat by the river.\n{shared}\n"))?;
//! fs::write(corpus.join("shop.txt"), format!("Agreement about one shop in town.\n{shared}\n"))?;
//!
//! // The index is kept in another folder. The corpus is only read.
//! let options = Options::new(Folder::new(folder.path().join("index")));
//! let Opened::Ready(mut updater) = options.open(&Corpus::resolve(&[corpus])?)? else {
//!     panic!("a new index has the recipe that was asked for")
//! };
//! bring_up_to_date(&mut updater, &Silent)?;
//! let snapshot = updater.snapshot();
//!
//! // The closure receives the share that is done, and can stop the search with an error.
//! let passages = Passages::find(snapshot, &SearchSettings::default(), PassageOrder::Copies, &|_| Ok(()))?;
//! assert_eq!(passages.found.len(), 1);
//! assert_eq!(passages.found[0].copies.len(), 2);
//!
//! // A copy is read again from its file: its text, its path, its line.
//! let located = locate(snapshot, &passages.sources, &[&passages.found[0]], None);
//! assert!(located[0].text.starts_with("The tenant shall return"));
//! let mut places: Vec<String> = located[0]
//!     .copies
//!     .iter()
//!     .map(|copy| format!("{}:{}", shown(&copy.occurrence.path), copy.occurrence.line))
//!     .collect();
//! places.sort();
//! assert_eq!(places, ["flat.txt:2", "shop.txt:2"]);
//! # Ok(())
//! # }
//! ```
//!
//! # Where to begin
//!
//! Six usual changes and the files that they touch, tests aside. The compiler names every `match` that a new variant must
//! be added to.
//!
//! - **A format of output.** A file in `src/report/` with a [`Report`](report::Report) and its [`Format`](report::Format),
//!   as `src/report/json.rs` has them, and a line in [`FORMATS`](report::FORMATS) in `src/report/lib.rs`. `--format` takes its
//!   name from there, and the screen's export the ending of its files. Two files.
//! - **A tokeniser.** A programming language is one entry of `assets/languages.txt`. Another kind of tokeniser is a
//!   [`Lexer`](token::Lexer) in a file of its own in `src/text/token/`, which `src/text/token.rs` names, and a variant of
//!   [`Tokeniser`](token::Tokeniser) in `src/text/token/tokeniser.rs`. If users can ask for it by name, it is also a variant of
//!   [`TokenMode`](token::TokenMode) in that file. `--tokens`, its help and the reading of taboo texts follow. Three files.
//! - **A view of the screen.** A file in `src/screen/views/` describes it by one `ListSpec` or `LinesSpec`, and
//!   `src/screen/views.rs` lists it. A view of lines is also a variant of `ViewPage` in `src/screen/action.rs`, with its
//!   key context: three files. A view of rows has a [`Subject`](session::Subject) with its sort keys in
//!   `src/session/protocol/subject.rs`, and the type of its rows in `src/session/protocol/items.rs`. A file in
//!   `src/session/rows/` says what such a row does: its text and facts, its export and how its lists are made;
//!   `src/session/rows.rs` has a line for each kind: six files in all; `src/screen/fixture/rows.rs` makes such a row for
//!   tests.
//! - **A verb.** A file in `src/cli/` with its arguments and what it does, named in `src/cli.rs`, which also has a line for it
//!   in `dispatch`; a variant of [`Verb`](cli::program::Verb) in `src/cli/program.rs`; its name in a group of the help in
//!   `src/cli/help.rs`. Options that several verbs have are in `src/cli/args.rs`, and what the verbs have in common that ask
//!   an index in `src/cli/ask.rs`. Four files with rows that exist. A new kind of row is a type with a
//!   [`ReportRow`](report::ReportRow): its serialized fields, how it reads for people, and the finding that it is, if any.
//! - **A profile.** A variant of [`Profile`](blot::Profile) in `src/text/blot/profile.rs`: its name, its recipe, and its place in the
//!   list that the help of `--profile` and error messages are made from. One file.
//! - **A file format of the corpus.** `src/base/corpus/records.rs` recognises a format and splits a file of it into documents.
//!   A format that the user must ask for is also a field of [`Formats`](corpus::Formats) in `src/base/corpus.rs`, and an option
//!   in `src/cli/args.rs`, which sets the field. Three files. An index that exists reads unchanged files again only after
//!   `--rebuild` or when the formats that it was asked for change.
#![deny(unsafe_code)]
#![cfg_attr(not(test), warn(unused_crate_dependencies))]

pub mod cli;

pub use dupi_base::{config, corpus, parallel, storage};
pub use dupi_index::{index, query, taboo};
pub use dupi_ingest as ingest;
pub use dupi_judge as judge;
pub use dupi_near as near;
pub use dupi_passage as passage;
pub use dupi_report as report;
pub use dupi_review::{change, review};
pub use dupi_screen as screen;
pub use dupi_session as session;
pub use dupi_text::{blot, sketch, token};
