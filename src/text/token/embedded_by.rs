//! What embeds other languages in a document.

/// What embeds other languages in a language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EmbeddedBy {
    /// The tags `<script>` and `<style>`.
    Tags,
    /// Fences with an info word: three or more backquotes or tildes.
    Fences,
}
