//! The command line as its help shows it: verbs in groups, and a short help that fits on a screen.

use clap::{Arg, Command, CommandFactory};

use super::Cli;

/// The groups of verbs. The last one is shown by `help all` only.
const GROUPS: [(&str, &[&str]); 4] = [
    ("Verbs", &["passages", "near", "review", "history", "like", "documents", "files"]),
    ("Decisions", &["taboo", "accept", "kind", "exclude", "filter"]),
    ("The index and the program", &["index", "inspect", "clean", "config", "completions", "man", "help"]),
    ("Blots, clusters and other machines", &["extract", "blot", "unblot", "simhash", "segment", "spark"]),
];

/// Headings of options that the short help leaves out: those that many verbs have.
const SHARED: [&str; 8] =
    ["Index", "Recipe", "Files", "Files of the index", "Log", "Passages", "Screen", "Spark"];
/// The most characters of an option's description in the short help.
const SHORT: usize = 56;
/// The most characters of a verb's description in the groups.
const SHORT_ABOUT: usize = 80;
/// What may end the part of a description that can stand alone.
const CLAUSE_ENDS: [&str; 6] = [". ", "; ", ": ", " (", " [", ", such as "];

impl Cli {
    /// The command line with the groups of verbs for people, without those for clusters.
    pub fn grouped() -> Command {
        with_groups(&GROUPS[..3])
    }

    /// The command line with all groups of verbs.
    pub fn with_all_verbs() -> Command {
        with_groups(&GROUPS)
    }

    /// The command line as `-h` shows it.
    pub fn brief() -> Command {
        brief(Self::grouped(), "dupi-tui")
    }
}

fn with_groups(groups: &[(&str, &[&str])]) -> Command {
    let mut command = Cli::command();
    let about = |name: &str| {
        let verb = command.find_subcommand(name);
        let about = verb.and_then(Command::get_about).map(ToString::to_string).unwrap_or_default();
        format!("  {name:<12} {}\n", first_clause(&about, &CLAUSE_ENDS[..2], SHORT_ABOUT))
    };
    let texts: Vec<String> = groups
        .iter()
        .map(|(heading, verbs)| {
            format!("{heading}:\n{}", verbs.iter().map(|verb| about(verb)).collect::<String>())
        })
        .collect();
    let texts = texts.join("\n");
    // They are in the groups.
    for verb in command.get_subcommands_mut() {
        *verb = verb.clone().hide(true);
    }
    command.help_template(format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n       dupi-tui VERB …\n\n{texts}\n{{all-args}}{{after-help}}"
    ))
}

/// A command whose options have one line each; those that many verbs share are left out.
fn brief(command: Command, name: &str) -> Command {
    let names: Vec<String> = command.get_subcommands().map(|verb| verb.get_name().to_owned()).collect();
    let mut command = command.mut_args(brief_argument).after_help(format!("All of it: {name} --help"));
    for verb in names {
        let name = format!("{name} {verb}");
        command = command.mut_subcommand(&verb, |verb| brief(verb, &name));
    }
    command
}

fn brief_argument(argument: Arg) -> Arg {
    let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
    let heading = argument.get_help_heading().unwrap_or_default();
    let is_shared =
        SHARED.iter().any(|shared| heading == *shared || heading.starts_with(&format!("{shared} (")));
    let is_hidden = is_shared || argument.is_hide_set();
    let argument = argument.help(first_clause(&help, &CLAUSE_ENDS, SHORT)).hide(is_hidden);
    match argument.get_action().takes_values() {
        true => argument.hide_possible_values(true).hide_env(true).hide_default_value(true),
        false => argument,
    }
}

/// The beginning of a description that can stand alone: up to one of these ends, or if it is longer, to a comma.
fn first_clause(text: &str, ends: &[&str], most: usize) -> String {
    let text = text.lines().next().unwrap_or_default();
    let ends = ends.iter().filter_map(|end| text.find(end));
    let clause = &text[..ends.min().unwrap_or(text.len())];
    let is_long = clause.chars().count() > most;
    let comma = clause.rmatch_indices(", ").map(|(at, _)| at).find(|at| *at <= most);
    let end = comma.filter(|_| is_long).unwrap_or(clause.len());
    clause[..end].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_description_is_cut_where_it_can_end() {
        for (text, expected) in [
            ("The fewest tokens [default: 25]", "The fewest tokens"),
            ("Only the first N", "Only the first N"),
            ("Which rows: all, or some. More of it", "Which rows"),
            (
                "Only passages that pass a filter and are of some kind, such as `ext:c copies:>5 -path:vendor`",
                "Only passages that pass a filter and are of some kind",
            ),
        ] {
            assert_eq!(first_clause(text, &CLAUSE_ENDS, SHORT), expected);
        }
    }
}
