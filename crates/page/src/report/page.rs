//! The frame of a page: head, verdict, what stands still for paper, what moves for the screen.

use std::fmt::Write as _;

use serde_json::Value;

use super::look::{DARK_CSS, LIGHT_CSS, PRINT_CSS, RAMP_CSS, TEXT_CSS};
use super::scene::{Scene, embedded};
use super::{escape, rows};
use crate::figure::{self, Figure};

const STYLE: &str = include_str!("style.css");

/// The viewer as one script; empty if the program was built without Node.
const VIEWER: &str = include_str!(concat!(env!("OUT_DIR"), "/viewer.js"));

/// Whatever a page holds, it asks for nothing over the network.
const ALONE: &str =
    "default-src 'none';script-src 'unsafe-inline';style-src 'unsafe-inline';img-src data: blob:";

/// Lists longer than this are left to the tables.
const LONG: usize = 40;

/// A page with the figures that it shows.
#[derive(Debug, Clone, PartialEq)]
pub struct Paper {
    /// One file that works offline.
    pub html: String,
    /// In the order of the page, each with a name of its own.
    pub figures: Vec<Figure>,
}

/// Parts of a page.
pub(super) struct Page<'a> {
    pub name: &'a str,
    pub analysis: &'a str,
    pub headline: &'a str,
    pub summary: &'a Value,
    /// Pictures and plots that need no script: what is printed, and what is seen without the viewer.
    pub still: Vec<Figure>,
    /// Pictures that the viewer has no substitute for.
    pub more: Vec<Figure>,
    /// What is said below them, as HTML.
    pub text: String,
    /// What the viewer is given; the analysis, its kind and its status are filled in.
    pub scene: Scene,
}

impl Page<'_> {
    /// The page and its figures.
    pub fn paper(self) -> Paper {
        Paper {
            html: self.html(),
            figures: figure::told_apart([self.still, self.more].concat()),
        }
    }

    fn html(&self) -> String {
        self.with_viewer(VIEWER)
    }

    /// A page that may ask the program that serves it, and nobody else.
    pub fn live_html(&self) -> String {
        let open = format!("{ALONE};connect-src 'self'");
        self.html().replacen(ALONE, &open, 1)
    }

    fn with_viewer(&self, viewer: &str) -> String {
        let mut page = String::new();
        let status = self.summary["status"].as_str().unwrap_or_default();
        let _ = write!(
            page,
            "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\
             <meta http-equiv=\"Content-Security-Policy\" content=\"{ALONE}\"><link rel=\"icon\" href=\"data:,\">\
             <title>{name}: {analysis}</title><style>{style}</style>\
             <header><h1>{name}</h1><p class=\"sub\">{analysis}</p></header><p class=\"verdict {status}\">{headline}</p>",
            style = style(),
            name = escape(self.name),
            analysis = escape(self.analysis),
            status = escape(status),
            headline = verdict(self.headline),
        );
        page.push_str(&notes(&self.summary["notes"]));
        // An assessment of values that were given has neither blocks nor anything over time.
        let is_shown = !self.scene.blocks.names.is_empty() || self.scene.history.is_some();
        if is_shown && viewer.is_empty() {
            page.push_str(
                "<p class=\"hint\">This program was built without Node, and its reports have no 3D viewer. Install Node 20 or newer with npm, \
                 build Drystone again, and repeat the run with <code>--overwrite</code>.</p>",
            );
        } else if is_shown {
            page.push_str("<main id=\"viewer\" hidden></main>");
        }
        let _ = write!(
            page,
            "<div id=\"still\">{}</div>{}{}",
            figure::html(&self.still),
            figure::html(&self.more),
            self.text
        );
        self.numbers(&mut page);
        self.provenance(&mut page);
        if is_shown && !viewer.is_empty() {
            let scene = Scene {
                analysis: self.analysis.to_owned(),
                kind: self.summary["kind"].as_str().map(str::to_owned),
                status: status.to_owned(),
                ..self.scene.clone()
            };
            let _ = write!(
                page,
                "<script type=\"application/json\" id=\"data\">{}</script><script>{viewer}</script>",
                embedded(&scene)
            );
        }
        page
    }

    fn numbers(&self, page: &mut String) {
        let mut short = self.summary.clone();
        // They stand below the verdict.
        if let Some(summary) = short.as_object_mut() {
            summary.remove("notes");
        }
        shorten(&mut short);
        page.push_str("<section id=\"numbers\"><h2>Numbers</h2><table>");
        rows(page, "", &short);
        page.push_str("</table></section>");
    }

    fn provenance(&self, page: &mut String) {
        let text = |key: &str| escape(self.summary[key].as_str().unwrap_or_default());
        let _ = write!(
            page,
            "<footer>Drystone {}, {} \"{}\" of the model with hash <code>{}</code>. SI units: m, kg, s, N; z points up.</footer>",
            text("version"),
            text("kind"),
            text("name"),
            text("model_sha256"),
        );
    }
}

/// The style of a page: its colours in light, in the dark if the system or the reader wants it so, and on paper.
fn style() -> String {
    format!(
        ":root{{color-scheme:light dark;{LIGHT_CSS}{TEXT_CSS}{RAMP_CSS}}}\n\
         @media (prefers-color-scheme:dark){{:root:not([data-theme=light]){{{DARK_CSS}}}}}\n\
         :root[data-theme=dark]{{color-scheme:dark;{DARK_CSS}}}\n\
         :root[data-theme=light]{{color-scheme:light}}\n\
         {STYLE}@media print{{:root,:root[data-theme]{{{PRINT_CSS}}}}}"
    )
}

/// The verdict, with how it was come by in smaller letters.
fn verdict(headline: &str) -> String {
    match headline.rsplit_once(" (") {
        Some((verdict, how)) => format!(
            "<strong>{}</strong> <small>({}</small>",
            escape(verdict),
            escape(how)
        ),
        None => format!("<strong>{}</strong>", escape(headline)),
    }
}

/// What whoever relies on the verdict should know, as a list; nothing if there is nothing.
pub fn notes(notes: &Value) -> String {
    let notes = notes.as_array().into_iter().flatten();
    let items: String = notes
        .filter_map(Value::as_str)
        .map(|note| format!("<li>{}", escape(note)))
        .collect();
    match items.is_empty() {
        true => String::new(),
        false => format!("<ul class=\"notes\" aria-label=\"Notes\">{items}</ul>"),
    }
}

/// Replaces long lists by their length.
fn shorten(value: &mut Value) {
    match value {
        Value::Array(items) if items.len() > LONG => {
            *value = format!("{} entries, in the summary", items.len()).into();
        }
        Value::Array(items) => items.iter_mut().for_each(shorten),
        Value::Object(map) => map.values_mut().for_each(shorten),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::scene::SceneBlocks;
    use super::*;

    fn page(viewer: &str) -> String {
        let name = "</script><script>alert(1)</script>";
        Page {
            name,
            analysis: "<!--",
            headline: "stood",
            summary: &json!({"status": "stood", "name": name}),
            still: Vec::new(),
            more: Vec::new(),
            text: String::new(),
            scene: Scene {
                blocks: SceneBlocks {
                    names: vec![name.to_owned(), "<!--<script>".to_owned()],
                    ..SceneBlocks::default()
                },
                ..Scene::default()
            },
        }
        .with_viewer(viewer)
    }

    #[test]
    fn notes_stand_below_the_verdict_and_not_among_the_numbers() {
        let told = |list: Value| {
            let summary = json!({"status": "stood", "notes": list});
            let page = Page {
                name: "wall",
                analysis: "quake",
                headline: "stood",
                summary: &summary,
                still: Vec::new(),
                more: Vec::new(),
                text: String::new(),
                scene: Scene::default(),
            };
            page.with_viewer("")
        };
        let page = told(json!(["1 block touches nothing: \"<b>\"", "another"]));
        let (before, after) = page.split_once("<ul class=\"notes\"").unwrap();
        assert!(before.contains("class=\"verdict") && !before.contains("id=\"numbers\""));
        assert!(
            after.contains("<li>1 block touches nothing: &quot;&lt;b&gt;&quot;<li>another</ul>"),
            "{after}"
        );
        assert_eq!(page.matches("another").count(), 1);
        assert!(!told(json!([])).contains("class=\"notes\""));
    }

    #[test]
    fn long_lists_are_told_by_their_length() {
        let mut value = json!({"a": vec![1; 41], "b": [1, 2]});
        shorten(&mut value);
        assert_eq!(value["a"], "41 entries, in the summary");
        assert_eq!(value["b"][1], 2);
    }

    #[test]
    fn names_cannot_end_the_script_that_holds_them() {
        let page = page("show()");
        assert_eq!(page.matches("</script>").count(), 2);
        assert_eq!(page.matches("<script").count(), 2);
        assert!(!page.contains("<!--"));
        let (_, data) = page.split_once("id=\"data\">").unwrap();
        let (data, _) = data.split_once("</script>").unwrap();
        let data: Value = serde_json::from_str(data).unwrap();
        assert_eq!(
            data["blocks"]["names"][0],
            "</script><script>alert(1)</script>"
        );
    }

    #[test]
    fn without_a_viewer_the_page_says_how_to_get_it() {
        let page = page("");
        assert!(page.contains("Install Node") && !page.contains("<script"));
    }

    #[test]
    fn the_viewer_can_stand_in_a_page() {
        assert!(!VIEWER.contains("</script") && !VIEWER.contains("<!--"));
    }
}
