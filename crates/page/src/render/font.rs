//! Letters of labels.
//!
//! This reads the embedded font itself and sets letters side by side from left to right: a library that lays out every script takes
//! far longer to compile than all else that paints, and ttf-parser, the small reader of fonts, is no longer maintained. Of TrueType it knows what this one file
//! has: letters of the basic plane, outlines that may be put together from others, and widths, but no kerning.

use std::iter::repeat_n;

use tiny_skia::{Path, PathBuilder};

use crate::figure::Anchor;

/// Letters for plots; the same on every machine.
const FILE: &[u8] = include_bytes!("label.ttf");

/// The embedded font by its tables.
pub(super) struct Font {
    /// From characters to glyphs.
    map: &'static [u8],
    /// Where the outline of each glyph begins.
    starts: &'static [u8],
    outlines: &'static [u8],
    widths: &'static [u8],
    /// How many glyphs have a width of their own; those after them are as wide as the last of these.
    own_widths: u16,
    /// Units to the size of letters.
    em: f32,
}

/// A point of an outline: on the curve, or one that pulls at it.
#[derive(Clone, Copy)]
struct Node {
    at: [f32; 2],
    on: bool,
}

impl Font {
    pub(super) fn new() -> Self {
        let map = table(b"cmap");
        // Both of its maps are the same one, of format 4.
        let start = usize::from(u16_at(map, 10));
        Self {
            map: &map[start..],
            starts: table(b"loca"),
            outlines: table(b"glyf"),
            widths: table(b"hmtx"),
            own_widths: u16_at(table(b"hhea"), 34),
            em: f32::from(u16_at(table(b"head"), 18)),
        }
    }

    /// The outline of a text on one line; none if there is nothing to see.
    pub(super) fn outline(
        &self,
        text: &str,
        size: f32,
        anchor: Anchor,
        [x, y]: [f32; 2],
    ) -> Option<Path> {
        let scale = size / self.em;
        let glyphs = self.glyphs(text);
        let width: f32 = glyphs.iter().map(|glyph| scale * self.width(*glyph)).sum();
        let mut x = match anchor {
            Anchor::Start => x,
            Anchor::Middle => x - 0.5 * width,
            Anchor::End => x - width,
        };
        let mut pen = PathBuilder::new();
        for glyph in glyphs {
            for contour in self.contours(glyph) {
                let place = |[right, up]: [f32; 2]| [x + scale * right, y - scale * up];
                trace(&mut pen, &contour, place);
            }
            x += scale * self.width(glyph);
        }
        pen.finish()
    }

    /// Numbers of glyphs. As in SVG, spaces count once between words and not at the ends.
    fn glyphs(&self, text: &str) -> Vec<u16> {
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        words.join(" ").chars().map(|c| self.glyph(c)).collect()
    }

    /// Number of a glyph; 0, which is a gap, for what the font lacks.
    fn glyph(&self, letter: char) -> u16 {
        let Ok(code) = u16::try_from(u32::from(letter)) else {
            return 0;
        };
        let ranges = usize::from(u16_at(self.map, 6) / 2);
        let column = |number: usize, range: usize| {
            let padding = if number > 0 { 2 } else { 0 };
            u16_at(self.map, 14 + padding + 2 * (number * ranges + range))
        };
        // Last codes ascend, and the last of all is the greatest there is.
        let range = (0..ranges).find(|range| code <= column(0, *range));
        match range {
            Some(range) if code >= column(1, range) => code.wrapping_add(column(2, range)),
            _ => 0,
        }
    }

    /// How far the next glyph stands to the right.
    fn width(&self, glyph: u16) -> f32 {
        let row = usize::from(glyph.min(self.own_widths - 1));
        f32::from(u16_at(self.widths, 4 * row))
    }

    /// The closed curves of a glyph, y upwards.
    fn contours(&self, glyph: u16) -> Vec<Vec<Node>> {
        let start = |glyph: usize| 2 * usize::from(u16_at(self.starts, 2 * glyph));
        let number = usize::from(glyph);
        let bytes = &self.outlines[start(number)..start(number + 1)];
        if bytes.is_empty() {
            return Vec::new();
        }
        let mut read = Reader(bytes);
        let count = read.i16();
        // Its bounds.
        read.skip(8);
        match usize::try_from(count) {
            Ok(count) => simple(read, count),
            Err(_) => self.composite(read),
        }
    }

    /// A glyph put together from others that are shifted.
    fn composite(&self, mut read: Reader) -> Vec<Vec<Node>> {
        const WORDS: u16 = 0x01;
        const MORE: u16 = 0x20;
        let mut all = Vec::new();
        loop {
            let [flags, glyph] = [read.u16(), read.u16()];
            let shift = if flags & WORDS != 0 {
                [read.i16(), read.i16()].map(f32::from)
            } else {
                [read.u8(), read.u8()].map(|byte| f32::from(byte.cast_signed()))
            };
            for mut contour in self.contours(glyph) {
                for Node { at: [x, y], .. } in &mut contour {
                    *x += shift[0];
                    *y += shift[1];
                }
                all.push(contour);
            }
            if flags & MORE == 0 {
                return all;
            }
        }
    }
}

/// So many closed curves, by their points.
fn simple(mut read: Reader, count: usize) -> Vec<Vec<Node>> {
    const ON: u8 = 0x01;
    const REPEATED: u8 = 0x08;
    let ends: Vec<usize> = (0..count).map(|_| usize::from(read.u16()) + 1).collect();
    let instructions = usize::from(read.u16());
    read.skip(instructions);
    let count = ends.last().copied().unwrap_or(0);
    let mut flags = Vec::with_capacity(count);
    while flags.len() < count {
        let flag = read.u8();
        let more = if flag & REPEATED != 0 { read.u8() } else { 0 };
        flags.extend(repeat_n(flag, 1 + usize::from(more)));
    }
    // Each number is the step from the one before. A byte has its sign in the other flag, which else says that there is no step.
    let mut column = |byte: u8, other: u8| -> Vec<f32> {
        let mut value = 0;
        let next = flags.iter().map(|flag| {
            value += match (flag & byte != 0, flag & other != 0) {
                (true, true) => i16::from(read.u8()),
                (true, false) => -i16::from(read.u8()),
                (false, true) => 0,
                (false, false) => read.i16(),
            };
            f32::from(value)
        });
        next.collect()
    };
    let x = column(0x02, 0x10);
    let y = column(0x04, 0x20);
    let mut first = 0;
    let curve = |end: usize| {
        let nodes = first..end;
        first = end;
        let node = |k: usize| Node {
            at: [x[k], y[k]],
            on: flags[k] & ON != 0,
        };
        nodes.map(node).collect()
    };
    ends.into_iter().map(curve).collect()
}

/// Adds a closed curve of parabolas and straight lines to a path.
fn trace(pen: &mut PathBuilder, contour: &[Node], place: impl Fn([f32; 2]) -> [f32; 2]) {
    let mut nodes = Vec::with_capacity(2 * contour.len());
    for (k, node) in contour.iter().enumerate() {
        nodes.push(*node);
        // Midway between two points that pull lies one on the curve, which is not written.
        let next = contour[(k + 1) % contour.len()];
        if !node.on && !next.on {
            let at = [0, 1].map(|axis| 0.5 * (node.at[axis] + next.at[axis]));
            nodes.push(Node { at, on: true });
        }
    }
    let Some(first) = nodes.iter().position(|node| node.on) else {
        return;
    };
    nodes.rotate_left(first);
    let [x, y] = place(nodes[0].at);
    pen.move_to(x, y);
    let mut pull: Option<[f32; 2]> = None;
    for node in nodes[1..].iter().chain(&nodes[..1]) {
        let [x, y] = place(node.at);
        match pull.take() {
            _ if !node.on => pull = Some([x, y]),
            Some([a, b]) => pen.quad_to(a, b, x, y),
            None => pen.line_to(x, y),
        }
    }
    pen.close();
}

/// A table of the file.
fn table(tag: &[u8; 4]) -> &'static [u8] {
    let count = usize::from(u16_at(FILE, 4));
    let mut entries = FILE[12..].chunks_exact(16).take(count);
    let Some(entry) = entries.find(|entry| entry.starts_with(tag)) else {
        return &[];
    };
    let [start, length] = [8, 12].map(|at| {
        let high = usize::from(u16_at(entry, at));
        (high << 16) | usize::from(u16_at(entry, at + 2))
    });
    &FILE[start..start + length]
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    Reader(&bytes[at..]).u16()
}

/// What is left to read, numbers with their high byte first. The file is part of the program and tests read all of it, so that nothing runs
/// past its end.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn skip(&mut self, count: usize) {
        self.0 = &self.0[count..];
    }

    fn u8(&mut self) -> u8 {
        let byte = self.0[0];
        self.skip(1);
        byte
    }

    fn u16(&mut self) -> u16 {
        u16::from_be_bytes([self.u8(), self.u8()])
    }

    fn i16(&mut self) -> i16 {
        self.u16().cast_signed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tables are those that the reader knows, and it comes to the end of every outline.
    #[test]
    fn all_of_the_font_can_be_read() {
        let font = Font::new();
        // Scales of parts of a glyph, ranges of characters by a list, long starts of outlines and kerning are not read.
        assert_eq!(u16_at(font.map, 0), 4);
        let ranges = usize::from(u16_at(font.map, 6) / 2);
        assert!((0..ranges).all(|k| u16_at(font.map, 16 + 2 * (3 * ranges + k)) == 0));
        assert_eq!(u16_at(table(b"head"), 50), 0);
        assert!(table(b"kern").is_empty() && table(b"GPOS").is_empty());
        let glyphs = u16_at(table(b"maxp"), 4);
        let empty = (0..glyphs).filter(|glyph| font.contours(*glyph).is_empty());
        // Spaces, and what stands for characters that the font lacks.
        assert_eq!(empty.count(), 3);
        for glyph in 0..glyphs {
            assert!(font.width(glyph) <= 2.0 * font.em, "{glyph}");
            for node in font.contours(glyph).concat() {
                assert!(node.at.iter().all(|x| x.abs() < 2.0 * font.em), "{glyph}");
            }
        }
    }

    #[test]
    fn letters_have_their_size() {
        let font = Font::new();
        let bounds = |text: &str| {
            let path = font.outline(text, font.em, Anchor::Start, [0.0, 0.0]);
            path.map(|path| path.bounds())
        };
        // As other programs read them from the same file.
        let capital = bounds("H").unwrap();
        assert_eq!([capital.left(), capital.right()], [201.0, 1339.0]);
        assert_eq!([capital.top(), capital.bottom()], [-1493.0, 0.0]);
        // Put together from a letter and a mark above it.
        let [plain, marked] = ["e", "é"].map(|text| bounds(text).unwrap());
        assert_eq!(plain.bottom(), marked.bottom());
        assert!(marked.top() < plain.top() - 300.0);
        assert_eq!(bounds("  "), None);
    }

    #[test]
    fn what_the_font_lacks_is_a_gap() {
        let font = Font::new();
        assert_eq!(font.glyphs("漢😀\u{ffff}"), [0, 0, 0]);
        assert!(font.width(0) > 0.0);
        assert!(!font.glyphs("aµα–→−~").contains(&0));
    }

    #[test]
    fn spaces_count_once() {
        let font = Font::new();
        assert_eq!(font.glyphs("  a \t b\n"), font.glyphs("a b"));
        assert_eq!(font.glyphs("a b").len(), 3);
    }
}
