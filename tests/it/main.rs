//! The tests of the library and of the program, one module a subject, in one test program.
#![allow(
    unreachable_pub,
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test program: it is its own crate, and fails by a panic"
)]

#[path = "../support/books.rs"]
mod books;
#[path = "../support/branches.rs"]
mod branches;
#[path = "../support/browser.rs"]
mod browser;
#[path = "../fuzz/decoders.rs"]
mod decoders;
#[path = "../support/every_verb.rs"]
mod every_verb;
#[path = "../support/faulty.rs"]
mod faulty;
#[path = "../support/folder.rs"]
mod folder;
#[path = "../support/followed.rs"]
mod followed;
#[path = "../support/known_row.rs"]
mod known_row;
#[path = "../support/news.rs"]
mod made_news;
#[path = "../support/methods.rs"]
mod methods;
#[path = "../support/naive.rs"]
mod naive;
#[path = "../support/planted.rs"]
mod planted;
#[path = "../support/revised.rs"]
mod revised;
#[path = "../support/schema.rs"]
mod schema;
#[path = "../support/scored.rs"]
mod scored;
#[path = "../support/script.rs"]
mod script;
#[path = "../support/set_aside.rs"]
mod set_aside;
#[path = "../support/shown.rs"]
mod shown;
#[path = "../support/story.rs"]
mod story;
#[path = "../support/mod.rs"]
mod support;
#[path = "../support/transcript.rs"]
mod transcript;

mod amended_passages;
mod architecture;
mod aside_rows;
mod attack;
mod blot_filters;
mod cloned_methods;
mod clusters;
mod criteria;
mod deaf;
mod decided;
mod decisions_kept;
mod decoding;
mod deletable_lines;
mod dependencies;
mod documents;
mod equal_files;
mod excluded;
mod first_look;
mod folder_rows;
mod following;
mod grown_files;
mod guide;
mod history;
mod hostile;
mod hostile_repositories;
mod hyperlinks;
mod identical;
mod ignored_text;
mod imports;
mod index_verbs;
mod join_never_lost;
mod kept_hidden;
mod kept_passages;
mod keys;
mod killed;
mod kinds;
mod like_agrees;
mod lost_index;
mod main_job;
mod matching;
mod minute;
mod near_documents;
mod near_links;
mod near_parts;
mod near_promises;
mod near_renamed;
mod near_sketches;
mod near_uses;
mod near_wholes;
mod never_lost;
mod news;
mod others_files;
mod parts;
mod passage_blocks;
mod passage_choices;
mod passage_worth;
mod passages;
mod pinned;
mod planted_passages;
mod printed;
mod printed_rows;
mod recognised;
mod reference;
mod repeated_blots;
mod repetitive;
mod report_formats;
mod report_page;
mod review_agrees;
mod review_blame;
mod review_gate;
mod review_screen;
mod rows_above;
mod segments;
mod session_faults;
mod shattered_blots;
mod shown_activity;
mod shown_filters;
mod shown_rows;
mod sieved;
mod sieved_copies;
mod signals;
mod since_visit;
#[cfg(target_os = "linux")]
mod spark;
mod spark_near;
mod spark_passages;
mod terminal;
mod transcribed_books;
mod transcripts;
mod unread;
mod unrelated;
mod user_taboo;
mod verdicts;
#[cfg(target_os = "linux")]
mod watching;
mod written_rows;

use folder::tempdir;
