//! Stands in for what is being built.
use std::collections::BTreeMap;
/// Filters by their names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SavedFilters {
    filters: BTreeMap<String, String>,
}
impl SavedFilters {
    /// N.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.filters.keys().map(String::as_str)
    }
    /// G.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.filters.get(name).map(String::as_str)
    }
    /// I.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.filters.iter().map(|(a, b)| (a.as_str(), b.as_str()))
    }
}
