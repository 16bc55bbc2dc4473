//! The bits by which a shuffle finds near fingerprints: each table has some blocks of them, and two fingerprints that differ
//! in at most d bits agree in all bits of a table.
//!
//! Of m blocks at least m − d agree, so the tables are the choices of m − d blocks (Manku, Jain and Das Sarma 2007). Here no
//! choice shares the work of another, as in the search on one machine: each table is one more row for each document.

use super::plan::Plan;

/// The most tables.
const MOST: u64 = 1_000;
/// The cost of a row of a table in a shuffle, in comparisons of two fingerprints.
const ROW: f64 = 50.0;

/// The bits of each table for a number of documents and a distance. None for the distance 0: no two different fingerprints are
/// that near.
pub(crate) fn tables(documents: u64, distance: u32) -> Vec<u64> {
    if distance == 0 {
        return Vec::new();
    }
    let cost = |blocks: u32| {
        let tables = choices(blocks, distance)?;
        let bits = f64::from(u64::BITS * (blocks - distance)) / f64::from(blocks);
        let in_bucket = documents as f64 / bits.exp2();
        Some((tables as f64 * documents as f64 * (ROW + in_bucket / 2.0), blocks))
    };
    let all = (distance + 1..=u64::BITS).map_while(cost);
    let Some((_, blocks)) = all.min_by(|a, b| a.0.total_cmp(&b.0)) else { return vec![0] };
    let plan = Plan::new(blocks, u64::MAX);
    let mut found = Vec::new();
    choose(&plan.blocks, (blocks - distance) as usize, 0, &mut found);
    found
}

/// In how many ways all but `distance` blocks can be chosen; `None` if there are too many.
fn choices(blocks: u32, distance: u32) -> Option<u64> {
    let (blocks, distance) = (u64::from(blocks), u64::from(distance));
    let mut ways = 1;
    for chosen in 1..=distance.min(blocks - distance) {
        ways = ways * (blocks + 1 - chosen) / chosen;
        if ways > MOST {
            return None;
        }
    }
    Some(ways)
}

/// Adds the bits of each choice of this number of blocks to those that are chosen already.
fn choose(blocks: &[u64], rest: usize, chosen: u64, found: &mut Vec<u64>) {
    match blocks.split_first() {
        _ if rest == 0 => found.push(chosen),
        Some((first, others)) if blocks.len() >= rest => {
            choose(others, rest - 1, chosen | first, found);
            choose(others, rest, chosen, found);
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dupi_text::sketch::mix::avalanche;

    #[test]
    fn near_fingerprints_agree_in_a_table() {
        for (documents, distance) in [(10, 3), (1_000_000, 3), (1_000, 1), (100_000, 8), (1_000_000_000, 24)]
        {
            let tables = tables(documents, distance);
            assert!(!tables.is_empty() && tables.len() as u64 <= MOST, "{}", tables.len());
            for number in 0..200 {
                let bits = (0..u64::from(distance)).map(|bit| 1 << (avalanche(number << 32 | bit) % 64));
                let differing: u64 = bits.fold(0, |all, bit: u64| all | bit);
                assert!(tables.iter().any(|table| table & differing == 0), "{distance}: {differing:x}");
            }
        }
    }

    #[test]
    fn more_documents_need_more_tables() {
        let count = |documents, distance| tables(documents, distance).len();
        assert_eq!([count(1_000, 3), count(1_000_000_000, 3), count(5, 0), count(5, 64)], [4, 10, 0, 1]);
    }
}
