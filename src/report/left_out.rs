//! The sentence on what a list of passages leaves out.

use dupi_judge::aside::AsideSummary;

/// Tells what is left out: how many passages of each kind, and how many members of families. `None` if nothing is.
pub fn left_out(aside: &[AsideSummary], members: u64) -> Option<String> {
    let kinds: Vec<String> = aside.iter().map(|sum| format!("{} {}", sum.passages, sum.kind)).collect();
    let kinds = (!kinds.is_empty()).then(|| format!("{} (--aside none shows them)", kinds.join(", ")));
    let members =
        (members > 0).then(|| format!("{members} in the families of others (--members shows them)"));
    let parts: Vec<String> = kinds.into_iter().chain(members).collect();
    (!parts.is_empty()).then(|| format!("aside: {}", parts.join("; ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use dupi_judge::kind::Kind;

    #[test]
    fn what_is_left_out_is_told_with_the_way_to_see_it() {
        let sum =
            |kind, passages| AsideSummary { kind, passages, copies: 2 * passages, tokens: 50 * passages };
        let aside = [sum(Kind::Licence, 120), sum(Kind::Data, 40)];
        assert_eq!(left_out(&[], 0), None);
        assert_eq!(left_out(&aside, 0).unwrap(), "aside: 120 licence, 40 data (--aside none shows them)");
        let members = "311 in the families of others (--members shows them)";
        assert_eq!(left_out(&[], 311).unwrap(), format!("aside: {members}"));
        let both = format!("aside: 120 licence, 40 data (--aside none shows them); {members}");
        assert_eq!(left_out(&aside, 311).unwrap(), both);
    }
}
