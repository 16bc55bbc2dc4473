//! A corpus with passages of several kinds.
#![allow(dead_code, reason = "each test program uses a part")]

use crate::support::Home;

pub const LICENCE: &str = "\
/*
 * Permission is hereby granted, free of charge, to any person obtaining a copy
 * of this software and associated documentation files (the \"Software\"), to deal
 * in the Software without restriction, including without limitation the rights
 * to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
 * copies of the Software, and to permit persons to whom the Software is
 * furnished to do so.
 */
";

pub const CODE: &str = "\
static int moor_boat(struct harbour *harbour, struct boat *boat)
{
\tstruct rope *rope = find_rope(harbour, boat->weight);

\tif (!rope || rope->length < boat->length + harbour->tide)
\t\treturn -EINVAL;
\tlist_add_tail(&boat->list, &harbour->boats);
\tfor (int knot = 0; knot < rope->knots; knot++)
\t\ttie_knot(rope, boat->cleats[knot], harbour->rings[knot]);
\treturn notify_watch(harbour, boat, rope);
}
";

/// Two functions; the second of them stands in one more file alone.
const FAMILY: [&str; 2] = [
    "\
static void weigh_fish(struct scale *scale, struct fish *fish)
{
\tscale->sum += fish->grams * scale->factor;
\tif (fish->grams > scale->heaviest) scale->heaviest = fish->grams;
}
",
    "\
static void sort_catch(struct crate *crate, struct fish **fishes, size_t count)
{
\tfor (size_t at = 0; at < count; at++) {
\t\tstruct fish *fish = fishes[at];
\t\tunsigned int bin = hash_species(fish->species) % crate->bins;
\t\tcrate->weights[bin] += fish->grams;
\t\tlist_move(&fish->list, &crate->heads[bin]);
\t}
\tprint_labels(crate, stdout);
}
",
];

const PROSE: &str = "The lighthouse keeper counted every ship that passed before dawn, wrote its name into a blue \
    ledger, and sent the ledger to the capital each spring, where a clerk copied the names into a longer list that \
    nobody has read since the flood carried half of the archive into the sea.";

/// A table of constants.
pub fn table(seed: u32) -> String {
    let row = |at: u32| {
        let cell = |column: u32| format!("0x{:02x}, ", (seed + at * 37 + column * 101) % 251);
        format!("\t{}\n", (0..8).map(cell).collect::<String>())
    };
    format!("static const unsigned char table[] = {{\n{}}};\n", (0..12).map(row).collect::<String>())
}

/// C with a licence, a function, a table and a family of two passages, and letters with the same prose: file names and
/// texts.
pub fn files() -> Vec<(String, String)> {
    let mut files = Vec::new();
    let mut add = |name: String, text: String| files.push((name, text));
    for name in ["anchor", "buoy", "crane"] {
        add(format!("licence/{name}.c"), format!("{LICENCE}int {name}_of_{name}(void);\n"));
    }
    for name in ["dock", "eel"] {
        add(format!("code/{name}.c"), format!("int {name};\n\n{CODE}\nlong {name}_end;\n"));
        add(format!("data/{name}.c"), format!("char {name}_data;\n{}\nint {name}_x;\n", table(3)));
        let [first, second] = FAMILY;
        add(format!("family/{name}.c"), format!("short {name};\n{first}\n{second}\nint {name}_y;\n"));
        let letter = format!("Dear {name},\n\n{PROSE}\n\nYours, {name} and sons\n");
        add(format!("letters/{name}.txt"), letter);
    }
    add("family/gull.c".to_owned(), format!("float gull;\n{}\nint gull_z;\n", FAMILY[1]));
    files
}

/// A home with these files, indexed.
pub fn corpus() -> Home {
    let home = Home::new();
    for (name, text) in files() {
        home.write(&name, text);
    }
    home.stdout(&["index"]);
    home
}
