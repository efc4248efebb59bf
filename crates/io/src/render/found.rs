//! The still pictures of a report: whatever is drawn for paper can be had as a file.

/// A picture in a report.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// From its heading, for a file: small letters, digits and hyphens.
    pub name: String,
    /// As it stands in the page.
    pub svg: String,
}

/// All pictures of a page, in order.
pub fn found(page: &str) -> Vec<Found> {
    // Beyond the numbers come only data and script.
    let page = page.split("<section id=\"numbers\"").next().unwrap_or(page);
    let mut all: Vec<Found> = Vec::new();
    let mut heading = String::from("picture");
    let mut rest = page;
    while let Some(at) = rest.find('<') {
        rest = &rest[at..];
        if let Some(text) = between(rest, "<h2>", "</h2>") {
            heading = slug(text);
        } else if rest.starts_with("<svg ")
            && let Some(end) = rest.find("</svg>")
        {
            let (svg, after) = rest.split_at(end + "</svg>".len());
            rest = after;
            let caption = between(rest, "<figcaption>", "</figcaption>").map(slug);
            let name = match caption.filter(|caption| !caption.is_empty()) {
                Some(caption) => format!("{heading}-{caption}"),
                None => heading.clone(),
            };
            let same = |found: &&Found| found.name == name;
            let count = all.iter().filter(same).count();
            all.push(Found {
                name: if count > 0 {
                    format!("{name}-{}", count + 1)
                } else {
                    name
                },
                svg: svg.to_owned(),
            });
            continue;
        }
        rest = &rest[1..];
    }
    all
}

fn between<'a>(text: &'a str, start: &str, end: &str) -> Option<&'a str> {
    let (found, _) = text.strip_prefix(start)?.split_once(end)?;
    Some(found)
}

/// Up to the first comma, colon or tag, in letters that any file name may have.
fn slug(text: &str) -> String {
    let text = text.split([',', ':', '<', '(']).next().unwrap_or_default();
    let mut out = String::new();
    for c in text.trim().chars() {
        if c.is_ascii_alphanumeric() || c == '.' {
            out.push(c.to_ascii_lowercase());
        } else if !out.ends_with('-') {
            out.push('-');
        }
    }
    out.trim_matches('-').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_have_names_from_headings_and_captions() {
        let page = "<h2>Motion</h2><figure><svg a><g/></svg><figcaption>0.50 s</figcaption></figure><svg b></svg>\
                    <h2>Energy per unit weight, m</h2><svg c></svg><svg d></svg><section id=\"numbers\"><svg e></svg>";
        let names: Vec<String> = found(page).into_iter().map(|found| found.name).collect();
        assert_eq!(
            names,
            [
                "motion-0.50-s",
                "motion",
                "energy-per-unit-weight",
                "energy-per-unit-weight-2"
            ]
        );
        assert_eq!(found(page)[0].svg, "<svg a><g/></svg>");
        assert!(found("").is_empty());
    }
}
