//! Pictures in a row, each as what differs from the one before, and the files that hold them: PNG with a
//! palette, animated where there is more than one.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufReader, BufWriter};
use std::path::Path;

use png::{BitDepth, BlendOp, ColorType, Compression, Decoder, Encoder, Filter, Transformations};

use crate::colours::Rgba;

/// No colour at all: in a change, what stays as it is.
const NOTHING: Rgba = 0;

/// Pixels, line by line.
#[derive(Clone, PartialEq, Eq)]
pub struct Picture {
    pub width: usize,
    pub height: usize,
    pixels: Vec<Rgba>,
}

/// What becomes of a picture.
struct Change {
    left: usize,
    top: usize,
    what: Picture,
    /// How long it is shown then, in milliseconds.
    stays: u16,
}

/// Pictures of one size, one behind the other.
#[derive(Default)]
pub struct Film {
    changes: Vec<Change>,
}

impl Picture {
    /// An empty one.
    pub fn new(width: usize, height: usize) -> Self {
        Self { width, height, pixels: vec![NOTHING; width * height] }
    }

    /// A part of a line.
    pub fn line_mut(&mut self, left: usize, y: usize, width: usize) -> &mut [Rgba] {
        let start = y * self.width + left;
        &mut self.pixels[start..start + width]
    }

    fn line(&self, left: usize, y: usize, width: usize) -> &[Rgba] {
        let start = y * self.width + left;
        &self.pixels[start..start + width]
    }

    /// Which share of the pixels looks otherwise in another picture.
    pub fn difference(&self, other: &Self) -> f64 {
        if (self.width, self.height) != (other.width, other.height) {
            return 1.0;
        }
        let mut count = 0;
        for y in 0..self.height {
            let (one, two) = (self.line(0, y, self.width), other.line(0, y, self.width));
            if one != two {
                count += one.iter().zip(two).filter(|(one, two)| is_other(**one, **two)).count();
            }
        }
        count as f64 / self.pixels.len() as f64
    }

    /// Makes a change.
    fn apply(&mut self, change: &Change) {
        for y in 0..change.what.height {
            let width = change.what.width;
            let line = self.line_mut(change.left, change.top + y, width);
            for (pixel, new) in line.iter_mut().zip(change.what.line(0, y, width)) {
                if *new != NOTHING {
                    *pixel = *new;
                }
            }
        }
    }

    /// What has to be changed to make another picture of this one; `None` where they are the same.
    fn change_to(&self, new: &Self, stays: u16) -> Option<Change> {
        let differs = |y: &usize| self.line(0, *y, self.width) != new.line(0, *y, self.width);
        let top = (0..self.height).find(differs)?;
        let bottom = (top..self.height).rfind(differs)? + 1;
        let columns = |y| {
            (0..self.width).filter(move |x| self.line(0, y, self.width)[*x] != new.line(0, y, self.width)[*x])
        };
        let left = (top..bottom).filter_map(|y| columns(y).next()).min()?;
        let right = (top..bottom).filter_map(|y| columns(y).next_back()).max()? + 1;
        let mut what = Self::new(right - left, bottom - top);
        for y in 0..what.height {
            let (old, new) = (self.line(left, top + y, right - left), new.line(left, top + y, right - left));
            for ((pixel, old), new) in what.line_mut(0, y, right - left).iter_mut().zip(old).zip(new) {
                *pixel = if old == new { NOTHING } else { *new };
            }
        }
        Some(Change { left, top, what, stays })
    }
}

/// Whether two colours are told apart at a glance.
fn is_other(one: Rgba, two: Rgba) -> bool {
    one.to_be_bytes().into_iter().zip(two.to_be_bytes()).any(|(one, two)| one.abs_diff(two) > 48)
}

impl Film {
    /// Adds the next picture, shown for so many milliseconds. `last` is the one before, and becomes this one.
    pub fn push(&mut self, last: &mut Picture, next: &Picture, stays: u16) {
        let same = || Change { left: 0, top: 0, what: Picture::new(1, 1), stays };
        self.changes.push(last.change_to(next, stays).unwrap_or_else(same));
        *last = next.clone();
    }

    /// How many pictures there are.
    pub fn len(&self) -> usize {
        self.changes.len()
    }

    /// The picture of a number, made of the one before.
    pub fn turn(&self, number: usize, picture: &mut Picture) {
        if let Some(change) = self.changes.get(number) {
            if number == 0 {
                *picture = Picture::new(change.what.width, change.what.height);
            }
            picture.apply(change);
        }
    }

    /// Writes the film to a file.
    pub fn write(&self, path: &Path) {
        let first = &self.changes[0].what;
        let palette = self.palette();
        let mut encoder = Encoder::new(
            BufWriter::new(File::create(path).unwrap()),
            first.width as u32,
            first.height as u32,
        );
        encoder.set_color(ColorType::Indexed);
        encoder.set_depth(BitDepth::Eight);
        encoder.set_palette(
            palette.iter().flat_map(|colour| colour.to_be_bytes()[..3].to_vec()).collect::<Vec<u8>>(),
        );
        encoder.set_trns(palette.iter().map(|colour| *colour as u8).collect::<Vec<u8>>());
        encoder.set_compression(Compression::High);
        encoder.set_filter(Filter::NoFilter);
        if self.changes.len() > 1 {
            encoder.set_animated(self.changes.len() as u32, 0).unwrap();
            encoder.set_blend_op(BlendOp::Over).unwrap();
        }
        let mut writer = encoder.write_header().unwrap();
        let mut known: HashMap<Rgba, u8> = HashMap::new();
        for change in &self.changes {
            if self.changes.len() > 1 {
                writer.reset_frame_position().unwrap();
                writer.set_frame_dimension(change.what.width as u32, change.what.height as u32).unwrap();
                writer.set_frame_position(change.left as u32, change.top as u32).unwrap();
                writer.set_frame_delay(change.stays, 1000).unwrap();
            }
            let indices = change.what.pixels.iter();
            let indices =
                indices.map(|colour| *known.entry(*colour).or_insert_with(|| nearest(&palette, *colour)));
            writer.write_image_data(&indices.collect::<Vec<u8>>()).unwrap();
        }
        writer.finish().unwrap();
    }

    /// Reads a film from a file; `None` where there is none.
    pub fn read(path: &Path) -> Option<Self> {
        let mut decoder = Decoder::new(BufReader::new(File::open(path).ok()?));
        decoder.set_transformations(Transformations::EXPAND);
        let mut reader = decoder.read_info().ok()?;
        let count = reader.info().animation_control().map_or(1, |control| control.num_frames);
        let mut buffer = vec![0; reader.output_buffer_size()?];
        let mut film = Self::default();
        for _ in 0..count {
            let frame = reader.next_frame(&mut buffer).ok()?;
            let control = reader.info().frame_control().copied().unwrap_or_default();
            let (width, height) = (frame.width as usize, frame.height as usize);
            let pixels = buffer[..frame.buffer_size()].chunks_exact(4);
            let pixels = pixels.map(|part| Rgba::from_be_bytes([part[0], part[1], part[2], part[3]]));
            let what = Picture { width, height, pixels: pixels.collect() };
            let (left, top) = (control.x_offset as usize, control.y_offset as usize);
            film.changes.push(Change { left, top, what, stays: control.delay_num });
        }
        Some(film)
    }

    /// The colours that are used, at most 256: the most frequent ones, and first the one that is none.
    fn palette(&self) -> Vec<Rgba> {
        let mut counts: HashMap<Rgba, usize> = HashMap::new();
        for colour in self.changes.iter().flat_map(|change| &change.what.pixels) {
            *counts.entry(*colour).or_default() += 1;
        }
        counts.remove(&NOTHING);
        let mut colours: Vec<(Rgba, usize)> = counts.into_iter().collect();
        colours.sort_by_key(|(colour, count)| (usize::MAX - count, *colour));
        [NOTHING].into_iter().chain(colours.into_iter().map(|(colour, _)| colour)).take(256).collect()
    }
}

/// The colour of a palette that is most like another one.
fn nearest(palette: &[Rgba], colour: Rgba) -> u8 {
    let distance = |other: Rgba| {
        let parts = colour.to_be_bytes().into_iter().zip(other.to_be_bytes());
        parts.map(|(one, two)| u32::from(one.abs_diff(two)).pow(2)).sum::<u32>()
    };
    (0..palette.len()).min_by_key(|at| distance(palette[*at])).unwrap() as u8
}
