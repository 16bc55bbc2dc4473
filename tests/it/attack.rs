//! Attacks on the real program: a damaged or replaced index, limits of the system, signals, and texts made to be
//! expensive. Each has a short form that runs with the other tests, and a long one, bounded too:
//!
//! ```text
//! cargo test --release --test it attack:: -- --ignored --nocapture --test-threads 1
//! ```
//!
//! The long form prints its figures as Markdown. Kills are in `killed`, hostile names in `hostile`.

mod damage;
mod limits;
mod signals;
mod texts;
mod trial;
