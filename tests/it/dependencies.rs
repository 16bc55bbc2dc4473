//! What comes in with the dependencies: from where, under which licence, and whether in several versions. `.ci/run` runs
//! these; they ask cargo.

use std::collections::BTreeMap;
use std::process::Command;

use serde_json::Value;

/// Licences that a part of the program may be under.
const LICENCES: &str = "0BSD, Apache-2.0, Apache-2.0 WITH LLVM-exception, BSD-2-Clause, BSD-3-Clause, BSL-1.0, CC0-1.0, \
    ISC, MIT, MPL-2.0, NCSA, Unicode-3.0, Zlib";

/// Crates that are in the lock file in several versions, because others have not moved yet. `embedded-io` is only
/// named by postcard, for features that are off: it is not built.
const TWICE: &str =
    "bitflags embedded-io foldhash hashbrown miniz_oxide signal-hook syn thiserror thiserror-impl";

/// All packages of the lock file that this platform needs.
fn packages() -> Vec<Value> {
    let asked = ["metadata", "--format-version", "1", "--locked"];
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo).args(asked).current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    told["packages"].as_array().unwrap().clone()
}

/// Whether a choice of licences that is allowed satisfies an expression. Alternatives bind more closely than parts here,
/// as in every expression that brackets are left out of.
fn is_allowed(expression: &str) -> bool {
    expression.split(" AND ").all(|part| {
        let part = part.trim_matches(['(', ')']).replace('/', " OR ");
        part.split(" OR ").any(|licence| LICENCES.split(", ").any(|known| known == licence.trim()))
    })
}

#[test]
fn an_expression_is_allowed_when_a_choice_is() {
    for (expression, allowed) in [
        ("MIT", true),
        ("GPL-3.0-only", false),
        ("MIT OR GPL-3.0-only", true),
        ("Unlicense/MIT", true),
        ("(MIT OR Apache-2.0) AND Unicode-3.0", true),
        ("(MIT OR Apache-2.0) AND GPL-3.0-only", false),
    ] {
        assert_eq!(is_allowed(expression), allowed, "{expression}");
    }
}

#[test]
#[ignore = "asks cargo; .ci/run runs it"]
fn dependencies_come_from_the_registry_under_known_licences() {
    let registry = "registry+https://github.com/rust-lang/crates.io-index";
    let mut offences = Vec::new();
    for package in packages() {
        let name = package["name"].as_str().unwrap().to_owned();
        let licence = package["license"].as_str().unwrap_or("none");
        if !is_allowed(licence) {
            offences.push(format!("{name}: licence {licence}"));
        }
        if !name.starts_with("dupi-") && package["source"] != registry {
            offences.push(format!("{name}: from {}", package["source"]));
        }
    }
    assert!(offences.is_empty(), "{}", offences.join("\n"));
}

#[test]
#[ignore = "asks cargo; .ci/run runs it"]
fn few_dependencies_come_in_several_versions() {
    let mut versions = BTreeMap::new();
    for package in packages() {
        *versions.entry(package["name"].as_str().unwrap().to_owned()).or_insert(0) += 1;
    }
    let twice: Vec<&str> =
        versions.iter().filter(|(_, count)| **count > 1).map(|(name, _)| name.as_str()).collect();
    assert_eq!(twice.join(" "), TWICE);
}
