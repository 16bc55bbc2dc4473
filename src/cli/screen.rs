//! No verb: the terminal UI.

use super::args::{ScreenArgs, WatchArgs};
use super::place::Place;
use super::{CliError, Outcome, demo};
use crate::config::{Places, Settings};
use crate::session::{Session, Watch};
use crate::tui::{self, Look};

/// Opens the terminal UI on a corpus.
pub fn open(args: &ScreenArgs, settings: &Settings) -> Result<Outcome, CliError> {
    let paths = if args.demo { vec![demo::lay_out()?] } else { args.paths.clone() };
    let place = Place::of_paths(&paths, &args.build, watch(&args.watch), settings)?;
    let title =
        if args.demo { "the demo corpus".to_owned() } else { place.corpus.base.display().to_string() };
    let look = Look {
        title,
        base: place.corpus.base.clone(),
        theme: settings.theme,
        mouse: !args.watch.no_mouse && settings.mouse.unwrap_or(true),
        editor: settings.editor.clone(),
        reports: Places::find().ok().map(|places| places.state().to_owned()),
    };
    if args.build.rebuild {
        drop(place.open()?);
    }
    let Place { corpus, options, .. } = place;
    tui::run(look, |updates| Session::start(corpus, options, updates))?;
    Ok(Outcome::Done)
}

fn watch(args: &WatchArgs) -> Watch {
    match args.poll {
        _ if args.no_watch => Watch::Off,
        Some(every) => Watch::Poll(every),
        None => Watch::Events,
    }
}
