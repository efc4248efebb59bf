//! Pictures as PNG, painted without display, browser or fonts of the system.

use std::sync::{Arc, OnceLock};

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb};

use crate::figure::FAMILY;

/// Letters for plots; the same on every machine.
const LABELS: &[u8] = include_bytes!("label.ttf");
/// A picture has at most this many points along a side.
const LARGEST: u32 = 20_000;

/// Paints a picture that [`Svg::alone`](crate::figure::Svg::alone) made, as PNG.
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
        let alone = |body: &str| {
            format!(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"180\" height=\"60\" viewBox=\"0 0 90 30\">\
                 <rect width=\"90\" height=\"30\" fill=\"#fff\"/>{body}</svg>"
            )
        };
        let (blank, word) = ("", "<text x=\"5\" y=\"20\">µ = 0.7</text>");
        let bytes = |body: &str| png(&alone(body)).unwrap();
        assert_eq!(&bytes(blank)[1..4], b"PNG");
        // Width and height stand in the header.
        assert_eq!(bytes(blank)[16..24], [0, 0, 0, 180, 0, 0, 0, 60]);
        let [blank, word] = [blank, word].map(|body| {
            let map = Pixmap::decode_png(&bytes(body)).unwrap();
            map.pixels().iter().filter(|p| p.red() < 128).count()
        });
        assert_eq!(blank, 0);
        assert!(word > 100, "{word} dark points");
    }

    #[test]
    fn what_is_no_picture_or_too_large_is_refused() {
        assert!(png("<svg").is_err());
        let tall = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"20001\"/>";
        assert!(png(tall).unwrap_err().contains("too large"));
    }
}
