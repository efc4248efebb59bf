//! Pictures as files of their own: SVG as it is drawn, PNG painted from it, without display, browser or fonts of the system.

mod found;

use std::sync::{Arc, OnceLock};

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb};

pub use found::{Found, found};

/// Letters for plots; the same on every machine.
const LABELS: &[u8] = include_bytes!("label.ttf");
const FAMILY: &str = "DejaVu Sans";
/// A picture has at most this many points along a side.
const LARGEST: u32 = 20_000;

/// A picture that stands in a page made a file of its own: with its namespace, its size and paper behind it.
pub fn alone(svg: &str, width: u32) -> Option<String> {
    let rest = svg.strip_prefix("<svg ")?;
    let (_, from) = rest.split_once("viewBox=\"")?;
    let (bounds, _) = from.split_once('"')?;
    let numbers: Vec<f64> = bounds
        .split_whitespace()
        .map_while(|word| word.parse().ok())
        .collect();
    let [x, y, w, h] = numbers[..] else {
        return None;
    };
    if !(w > 0.0 && h > 0.0) {
        return None;
    }
    let height = (f64::from(width) * h / w).round().max(1.0);
    let (head, body) = rest.split_once('>')?;
    // Its own size in a page is no concern of a file.
    let head = head.replace(" style=\"max-width:28rem\"", "");
    Some(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" font-family=\"{FAMILY}, sans-serif\" {head}>\
         <rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" fill=\"#fff\" stroke=\"none\"/>{body}\n"
    ))
}

/// Paints a picture that [`alone`] made, as PNG.
pub fn png(svg: &str) -> Result<Vec<u8>, String> {
    static FONTS: OnceLock<Arc<fontdb::Database>> = OnceLock::new();
    let fonts = FONTS.get_or_init(|| {
        let mut fonts = fontdb::Database::new();
        fonts.load_font_data(LABELS.to_vec());
        fonts.set_sans_serif_family(FAMILY);
        Arc::new(fonts)
    });
    let options = Options {
        font_family: FAMILY.to_owned(),
        fontdb: fonts.clone(),
        ..Options::default()
    };
    let tree = Tree::from_str(svg, &options).map_err(|error| error.to_string())?;
    let size = tree.size().to_int_size();
    if size.width() > LARGEST || size.height() > LARGEST {
        return Err(format!(
            "a picture of {} by {} points is too large: at most {LARGEST} on a side",
            size.width(),
            size.height()
        ));
    }
    let mut paper = Pixmap::new(size.width(), size.height())
        .ok_or_else(|| "a picture needs at least one point on each side".to_owned())?;
    resvg::render(&tree, Transform::identity(), &mut paper.as_mut());
    paper.encode_png().map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_painted_with_letters() {
        let blank = "<svg viewBox=\"0 0 90 30\" role=\"img\"></svg>";
        let word =
            "<svg viewBox=\"0 0 90 30\" role=\"img\"><text x=\"5\" y=\"20\">µ = 0.7</text></svg>";
        let bytes = |svg: &str| png(&alone(svg, 180).unwrap()).unwrap();
        assert_eq!(&bytes(blank)[1..4], b"PNG");
        // Width and height stand in the header.
        assert_eq!(bytes(blank)[16..24], [0, 0, 0, 180, 0, 0, 0, 60]);
        let [blank, word] = [blank, word].map(|svg| {
            let map = Pixmap::decode_png(&bytes(svg)).unwrap();
            map.pixels().iter().filter(|p| p.red() < 128).count()
        });
        assert_eq!(blank, 0);
        assert!(word > 100, "{word} dark points");
    }

    #[test]
    fn what_is_no_picture_is_refused() {
        for text in [
            "",
            "<p>",
            "<svg role=\"img\"></svg>",
            "<svg viewBox=\"0 0 0 1\"></svg>",
        ] {
            assert_eq!(alone(text, 100), None, "{text}");
        }
        assert!(png("<svg").is_err());
        assert!(png(&alone("<svg viewBox=\"0 0 1 9\"></svg>", 9000).unwrap()).is_err());
    }
}
