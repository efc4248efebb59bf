//! The line of a fault, cut to what fits on a terminal.

/// Characters shown of a long line before and after the start of the fault.
const BEFORE: usize = 40;
const AFTER: usize = 60;

/// A line of the file with the value at fault marked.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Excerpt {
    pub text: String,
    /// Characters before the mark.
    pub skip: usize,
    /// Characters of the mark, at least one.
    pub width: usize,
}

impl Excerpt {
    /// Marks `start..end` on the line that begins at `line_start`; all three in bytes of the text, the first two on
    /// the boundaries of characters.
    pub fn new(text: &str, line_start: usize, start: usize, end: usize) -> Self {
        let tidy = |c: char| if c.is_control() { ' ' } else { c };
        let head = &text[line_start..start];
        let tail = text[start..].split(['\n', '\r']).next().unwrap_or_default();
        // Bytes instead of characters: near enough to choose, and a line may be the whole of a big file.
        let long = head.len() + tail.len() > BEFORE + AFTER;
        let before = if long && head.chars().nth(BEFORE).is_some() {
            let mut kept: Vec<char> = head.chars().rev().take(BEFORE).collect();
            kept.push('…');
            kept.into_iter().rev().map(tidy).collect()
        } else {
            head.trim_start().chars().map(tidy).collect::<String>()
        };
        let mut after: String = tail.chars().take(BEFORE + AFTER).map(tidy).collect();
        if long && let Some((cut, _)) = after.char_indices().nth(AFTER) {
            after.truncate(cut);
            after.push('…');
        } else {
            after.truncate(after.trim_end().len());
        }
        let length = end.saturating_sub(start);
        let marked = tail
            .char_indices()
            .take_while(|(at, _)| *at < length)
            .take(AFTER)
            .count();
        Self {
            skip: before.chars().count(),
            width: marked.min(after.chars().count()).max(1),
            text: before + &after,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_the_value() {
        let text = "a = 1\n  density = -5 # kg\n";
        let start = text.find("-5").unwrap();
        let excerpt = Excerpt::new(text, 6, start, start + 2);
        assert_eq!(excerpt.text, "density = -5 # kg");
        assert_eq!((excerpt.skip, excerpt.width), (10, 2));
        let text = format!("a = [{}5]", "0, ".repeat(25));
        let start = text.find('5').unwrap();
        assert_eq!(Excerpt::new(&text, 0, start, start + 1).text, text);
    }

    #[test]
    fn cuts_long_lines_around_the_value() {
        let text = format!("{}é{}", "x".repeat(500), "y".repeat(500));
        let excerpt = Excerpt::new(&text, 0, 500, 502);
        assert_eq!(
            excerpt.text,
            format!("…{}é{}…", "x".repeat(40), "y".repeat(59))
        );
        assert_eq!((excerpt.skip, excerpt.width), (41, 1));
    }

    #[test]
    fn marks_at_least_one_character_at_the_end_of_the_text() {
        let excerpt = Excerpt::new("a", 0, 1, 1);
        assert_eq!(
            (excerpt.text.as_str(), excerpt.skip, excerpt.width),
            ("a", 1, 1)
        );
    }
}
