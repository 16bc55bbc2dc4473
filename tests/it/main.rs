//! The tests of the library and of the program, one module a subject, in one test program.

#[path = "../fuzz/decoders.rs"]
mod decoders;
#[path = "../support/faulty.rs"]
mod faulty;
#[path = "../support/followed.rs"]
mod followed;
#[path = "../support/naive.rs"]
mod naive;
#[path = "../support/planted.rs"]
mod planted;
#[path = "../support/scored.rs"]
mod scored;
#[path = "../support/shown.rs"]
mod shown;
#[path = "../support/story.rs"]
mod story;
#[path = "../support/mod.rs"]
mod support;

mod architecture;
mod attack;
mod decided;
mod decision_verbs;
mod decisions_kept;
mod decoding;
mod dependencies;
mod documents;
mod filter_verbs;
mod following;
mod hostile;
mod imports;
mod keys;
mod killed;
mod main_job;
mod minute;
mod never_lost;
mod passage_verbs;
mod passages;
mod planted_passages;
mod reference;
mod settings_verbs;
mod share_verbs;
mod shown_rows;
mod sieved;
mod terminal;
mod verbs;
#[cfg(target_os = "linux")]
mod watching;
