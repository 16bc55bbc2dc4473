//! What the rules look for in code that a compiler wrote: the helpers that it adds to each file.

use super::sample::{Sample, Shares};
use super::scan::has;

/// Names of helpers that compilers of JavaScript add, and of what these have, in small letters.
const HELPERS: [&str; 36] = [
    "__awaiter",
    "__commonjs",
    "__createbinding",
    "__decorate",
    "__defprop",
    "__esmodule",
    "__exportstar",
    "__extends",
    "__generator",
    "__getownpropnames",
    "__importdefault",
    "__importstar",
    "__rest",
    "__setmoduledefault",
    "__spreadarray",
    "__toesm",
    "_arrayliketoarray",
    "_arraywithholes",
    "_asynctogenerator",
    "_classcallcheck",
    "_createclass",
    "_createsuper",
    "_defineproperties",
    "_getrequirewildcardcache",
    "_inherits",
    "_interoprequiredefault",
    "_interoprequirewildcard",
    "_iterabletoarray",
    "_noniterablerest",
    "_possibleconstructorreturn",
    "_slicedtoarray",
    "_toconsumablearray",
    "_unsupportediterabletoarray",
    "exports.default = void 0",
    "haspropertydescriptor",
    "nodeinterop",
];

/// A compiler added it to a file of JavaScript: it has two or more names of helpers, and one of them in every few lines.
pub(super) fn is_helper(sample: &Sample, _: &Shares) -> bool {
    /// So many bytes stand for each name, at most.
    const BYTES: usize = 400;
    if !sample.file.tongue.is_javascript {
        return false;
    }
    let text = sample.text.get(sample.start..).unwrap_or_default();
    let known = HELPERS.iter().filter(|name| has(text, name));
    let (mut names, mut count) = (0, 0);
    let small = text.to_ascii_lowercase();
    for name in known {
        names += 1;
        count += small.matches(name).count();
    }
    names >= 2 && count * BYTES >= text.len()
}
