//! Lines and blocks, drawn to the very edges of a cell, so that they join with those beside them.

use crate::glyphs::{CELL, Mask};

const LIGHT: usize = 2;
const HEAVY: usize = 4;

/// The mask of a line or a block; `None` for all other characters.
pub fn mask(character: char) -> Option<Mask> {
    let mut mask = Mask::new(1);
    if let Some([left, right, up, down]) = arms(character) {
        let (middle, center) = (CELL.1 / 2, CELL.0 / 2);
        // Each arm goes on to the far side of the lines that it meets.
        let (across, along) = (up.max(down) / 2, left.max(right) / 2);
        fill(&mut mask, (0, middle - left / 2), (center + across, middle + left / 2));
        fill(&mut mask, (center - across, middle - right / 2), (CELL.0, middle + right / 2));
        fill(&mut mask, (center - up / 2, 0), (center + up / 2, middle + along));
        fill(&mut mask, (center - down / 2, middle - along), (center + down / 2, CELL.1));
    } else if let Some((parts, is_upright, width)) = dashes(character) {
        let length = if is_upright { CELL.1 } else { CELL.0 };
        for part in 0..parts {
            // Half a gap on either side of each dash.
            let (from, to) = (length * (4 * part + 1) / (4 * parts), length * (4 * part + 3) / (4 * parts));
            let middle = if is_upright { CELL.0 / 2 } else { CELL.1 / 2 };
            let (thin, thick) = (middle - width / 2, middle + width / 2);
            let (start, end) =
                if is_upright { ((thin, from), (thick, to)) } else { ((from, thin), (to, thick)) };
            fill(&mut mask, start, end);
        }
    } else if let Some((is_right, is_down)) = bend(character) {
        curve(&mut mask, is_right, is_down);
    } else {
        block(&mut mask, character)?;
    }
    Some(mask)
}

fn fill(mask: &mut Mask, start: (usize, usize), end: (usize, usize)) {
    shade(mask, start, end, 255);
}

fn shade(mask: &mut Mask, start: (usize, usize), end: (usize, usize), coverage: u8) {
    for y in start.1..end.1 {
        for x in start.0..end.0 {
            mask.set(x, y, coverage);
        }
    }
}

/// How wide the arms of a line are: to the left, to the right, up, down.
fn arms(character: char) -> Option<[usize; 4]> {
    let (o, l, h) = (0, LIGHT, HEAVY);
    Some(match character {
        '─' => [l, l, o, o],
        '━' => [h, h, o, o],
        '│' => [o, o, l, l],
        '┃' => [o, o, h, h],
        '┌' => [o, l, o, l],
        '┐' => [l, o, o, l],
        '└' => [o, l, l, o],
        '┘' => [l, o, l, o],
        '├' => [o, l, l, l],
        '┤' => [l, o, l, l],
        '┬' => [l, l, o, l],
        '┴' => [l, l, l, o],
        '┼' => [l, l, l, l],
        '┏' => [o, h, o, h],
        '┓' => [h, o, o, h],
        '┗' => [o, h, h, o],
        '┛' => [h, o, h, o],
        '┣' => [o, h, h, h],
        '┫' => [h, o, h, h],
        '┳' => [h, h, o, h],
        '┻' => [h, h, h, o],
        '╋' => [h, h, h, h],
        '┝' => [o, h, l, l],
        '┥' => [h, o, l, l],
        '┠' => [o, l, h, h],
        '┨' => [l, o, h, h],
        '┯' => [h, h, o, l],
        '┷' => [h, h, l, o],
        '┿' => [h, h, l, l],
        '╂' => [l, l, h, h],
        '╴' => [l, o, o, o],
        '╵' => [o, o, l, o],
        '╶' => [o, l, o, o],
        '╷' => [o, o, o, l],
        '╸' => [h, o, o, o],
        '╹' => [o, o, h, o],
        '╺' => [o, h, o, o],
        '╻' => [o, o, o, h],
        '╼' => [l, h, o, o],
        '╾' => [h, l, o, o],
        '╽' => [o, o, l, h],
        '╿' => [o, o, h, l],
        _ => return None,
    })
}

/// How many dashes a line has, whether it is upright, and how wide it is.
fn dashes(character: char) -> Option<(usize, bool, usize)> {
    Some(match character {
        '╌' => (2, false, LIGHT),
        '╍' => (2, false, HEAVY),
        '╎' => (2, true, LIGHT),
        '╏' => (2, true, HEAVY),
        '┄' => (3, false, LIGHT),
        '┅' => (3, false, HEAVY),
        '┆' => (3, true, LIGHT),
        '┇' => (3, true, HEAVY),
        '┈' => (4, false, LIGHT),
        '┉' => (4, false, HEAVY),
        '┊' => (4, true, LIGHT),
        '┋' => (4, true, HEAVY),
        _ => return None,
    })
}

/// Whether a round corner goes on to the right, and whether it goes on downwards.
fn bend(character: char) -> Option<(bool, bool)> {
    Some(match character {
        '╭' => (true, true),
        '╮' => (false, true),
        '╰' => (true, false),
        '╯' => (false, false),
        _ => return None,
    })
}

/// A quarter of a circle from the side of a cell, and a line on from there.
fn curve(mask: &mut Mask, is_right: bool, is_down: bool) {
    let (center, middle) = (CELL.0 as f32 / 2.0, CELL.1 as f32 / 2.0);
    for y in 0..CELL.1 {
        for x in 0..CELL.0 {
            // As if it went to the right and downwards.
            let (along, down) = (x as f32 + 0.5 - center, y as f32 + 0.5 - middle);
            let (along, down) = (if is_right { along } else { -along }, if is_down { down } else { -down });
            let distance = if down > center {
                along.abs()
            } else {
                (((along - center).powi(2) + (down - center).powi(2)).sqrt() - center).abs()
            };
            let coverage = (LIGHT as f32 / 2.0 + 0.5 - distance).clamp(0.0, 1.0);
            mask.set(x, y, (coverage * 255.0).round() as u8);
        }
    }
}

/// Fills what a block fills; `None` for what is no block.
fn block(mask: &mut Mask, character: char) -> Option<()> {
    let (width, height) = CELL;
    let code = character as usize;
    match character {
        '▀' => fill(mask, (0, 0), (width, height / 2)),
        '▁'..='█' => fill(mask, (0, height - height * (code - 0x2580) / 8), (width, height)),
        '▉'..='▏' => fill(mask, (0, 0), (width * (0x2590 - code) / 8, height)),
        '▐' => fill(mask, (width / 2, 0), (width, height)),
        '░'..='▓' => shade(mask, (0, 0), (width, height), [64, 128, 192][code - 0x2591]),
        '▔' => fill(mask, (0, 0), (width, height / 8)),
        '▕' => fill(mask, (width - width / 8, 0), (width, height)),
        '▖'..='▟' => {
            // Upper left, upper right, lower left, lower right.
            let quarters = ["  x ", "   x", "x   ", "x xx", "x  x", "xxx ", "xx x", " x  ", " xx ", " xxx"];
            for (quarter, _) in quarters[code - 0x2596].char_indices().filter(|(_, mark)| *mark == 'x') {
                let (x, y) = (width / 2 * (quarter % 2), height / 2 * (quarter / 2));
                fill(mask, (x, y), (x + width / 2, y + height / 2));
            }
        }
        _ => return None,
    }
    Some(())
}
