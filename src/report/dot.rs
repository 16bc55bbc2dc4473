//! A graph of documents for Graphviz: which of them share text. An edge has the number of shared tokens: of the texts that
//! are listed, each counted once for each pair of documents. Similar documents and folders have their similarity in per
//! cent instead.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use super::finding::Finding;
use super::format::{Format, Report};

/// A graph of documents for Graphviz.
pub(super) const FORMAT: Format = Format::of_findings(
    "dot",
    Some("dot"),
    "a graph of documents with the number of shared tokens, for Graphviz",
    |_| Box::new(Graph::default()),
);

/// A text that more documents have is a node of its own, so that it does not take an edge for each pair of them.
const PAIRED: usize = 24;

#[derive(Default)]
struct Graph {
    /// The names of documents, with their numbers.
    documents: BTreeMap<String, usize>,
    /// Weights of the edges between documents.
    edges: BTreeMap<(usize, usize), u64>,
    /// Texts in many documents: their words, and the weight of each edge.
    hubs: Vec<(String, u64, Vec<usize>)>,
}

impl Graph {
    fn number(&mut self, name: String) -> usize {
        let next = self.documents.len();
        *self.documents.entry(name).or_insert(next)
    }
}

impl Report for Graph {
    fn finding(&mut self, finding: &Finding, _: &mut dyn Write) -> io::Result<()> {
        let numbers: BTreeSet<usize> = finding.places.iter().map(|place| self.number(place.name())).collect();
        let numbers: Vec<usize> = numbers.into_iter().collect();
        let other = finding.places.get(1);
        let weight = match finding.text {
            "" => other.and_then(|place| {
                place.tokens.or(place.similarity.map(|similarity| (similarity * 100.0).floor() as u64))
            }),
            _ => finding.tokens,
        };
        let weight = weight.unwrap_or(1);
        if numbers.len() > PAIRED {
            self.hubs.push((finding.headline(40), weight, numbers));
            return Ok(());
        }
        for (at, &one) in numbers.iter().enumerate() {
            for &other in &numbers[at + 1..] {
                let edge = self.edges.entry((one, other)).or_default();
                // A text adds to what both have; the same two documents may be named again as such.
                *edge = if finding.text.is_empty() { weight.max(*edge) } else { *edge + weight };
            }
        }
        Ok(())
    }

    fn end(&mut self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(b"graph dupi {\n  node [shape=box];\n")?;
        let mut names: Vec<(&String, &usize)> = self.documents.iter().collect();
        names.sort_unstable_by_key(|(_, number)| **number);
        for (name, number) in names {
            writeln!(out, "  d{number} [label={}];", quoted(name))?;
        }
        for ((one, other), weight) in &self.edges {
            writeln!(out, "  d{one} -- d{other} [label=\"{weight}\", weight={}];", (*weight).min(1 << 20))?;
        }
        for (number, (words, weight, documents)) in self.hubs.iter().enumerate() {
            writeln!(out, "  t{number} [shape=ellipse, label={}];", quoted(words))?;
            for document in documents {
                writeln!(out, "  t{number} -- d{document} [label=\"{weight}\"];")?;
            }
        }
        out.write_all(b"}\n")
    }
}

/// A string of the language. A backslash would begin an escape, and is written as two.
fn quoted(text: &str) -> String {
    let text = dupi_base::storage::printable(text).replace(['\n', '\t'], " ");
    let text = dupi_base::storage::uncommanded(&text);
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
