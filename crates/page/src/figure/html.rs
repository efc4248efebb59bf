//! Figures in a page.

use std::fmt::Write as _;

use super::{Content, Drawing, Figure};
use crate::report::escape;

/// Figures in order; those that follow one another under the same title share a heading, and drawings stand side by side.
pub fn html(figures: &[Figure]) -> String {
    let mut page = String::new();
    for group in figures.chunk_by(|a, b| a.title == b.title) {
        let _ = write!(page, "<h2>{}</h2>", escape(&group[0].title));
        let strip = group
            .iter()
            .all(|figure| matches!(figure.content, Content::Drawing(_)));
        if strip {
            page.push_str("<div class=\"strip\">");
        }
        for figure in group {
            let svg = figure.picture().in_page();
            match &figure.caption {
                None => page.push_str(&svg),
                Some(caption) => {
                    let _ = write!(
                        page,
                        "<figure>{svg}<figcaption>{}{}</figcaption></figure>",
                        escape(caption),
                        key(&figure.content)
                    );
                }
            }
        }
        if strip {
            page.push_str("</div>");
        }
    }
    page
}

/// The names of the lines of a drawing in their colours, to follow its caption.
fn key(content: &Content) -> String {
    let Content::Drawing(Drawing { paths, .. }) = content else {
        return String::new();
    };
    let named = paths.iter().filter(|path| !path.label.is_empty());
    let parts: Vec<String> = named
        .map(|path| {
            let (colour, label) = (path.ink.colour(), escape(&path.label));
            format!("<span style=\"color:{colour}\">{label}</span>")
        })
        .collect();
    if parts.is_empty() {
        return String::new();
    }
    format!(": {}", parts.join(", "))
}
