//! Numbers in the text of a page, compared with values of files of results.
//!
//! A check is `FILE VALUE NUMBER`. The number stands in the paragraph or table above, written in the same way, and is the value rounded
//! to its digits. It may also be a word, which is then equal. A value of a JSON file is a path, `impacts[0].time`, `len(impacts)`
//! the length of a list; one of a CSV file is a function of its columns, see [`Table`]. Values are multiplied and divided
//! from left to right by others and by numbers, with spaces around: `d_y * 1000`.

use std::fs;
use std::path::Path;

use serde_json::Value;

#[derive(Clone, Debug)]
pub struct Check {
    file: String,
    /// Operators and operands in turn; the first operator is `*`.
    terms: Vec<(char, String)>,
    shown: String,
}

enum Found {
    Number(f64),
    Word(String),
}

impl Check {
    pub fn parse(text: &str) -> Result<Self, String> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let [file, value @ .., shown] = &words[..] else {
            return Err(format!("`{text}` is not FILE VALUE NUMBER"));
        };
        let mut terms = Vec::new();
        let mut operator = Some('*');
        for word in value {
            operator = match (operator, *word) {
                (None, "*") => Some('*'),
                (None, "/") => Some('/'),
                (Some(operator), operand) => {
                    terms.push((operator, operand.to_owned()));
                    None
                }
                _ => return Err(format!("`{text}`: an operator is expected before `{word}`")),
            };
        }
        match terms.is_empty() || operator.is_some() {
            true => Err(format!("`{text}` has no value")),
            false => Ok(Self {
                file: (*file).to_owned(),
                terms,
                shown: (*shown).to_owned(),
            }),
        }
    }

    /// Compares the number with the value and with the text in which it stands.
    pub fn judge(&self, folder: &Path, text: &str) -> Result<(), String> {
        let shown = &self.shown;
        if !stands_in(shown, text) {
            return Err(format!("{shown} is checked but does not stand above"));
        }
        let path = folder.join(&self.file);
        let content =
            fs::read_to_string(path).map_err(|error| format!("{}: {error}", self.file))?;
        let find = |operand: &str| match self.file.ends_with(".csv") {
            true => Table::read(&content)
                .and_then(|table| table.value(operand))
                .map(Found::Number),
            false => serde_json::from_str(&content)
                .map_err(|error| error.to_string())
                .and_then(|json| json_value(&json, operand)),
        };
        let mut value = 1.0;
        for (operator, operand) in &self.terms {
            let factor = match operand.parse() {
                Ok(number) => number,
                Err(_) => match find(operand).map_err(|error| format!("{}: {error}", self.file))? {
                    Found::Number(number) => number,
                    Found::Word(word) if self.terms.len() == 1 && word == *shown => return Ok(()),
                    Found::Word(word) => {
                        return Err(format!("{}: {operand} is {word}, not {shown}", self.file));
                    }
                },
            };
            value = match operator {
                '*' => value * factor,
                _ => value / factor,
            };
        }
        let number: f64 = shown
            .parse()
            .map_err(|_| format!("{shown} is no number, but {value}"))?;
        // Half a unit of the last digit, and what binary numbers miss of decimal ones.
        let decimals = shown
            .split_once('.')
            .map_or(0, |(_, decimals)| decimals.len());
        let tolerance = 0.5 * 10f64.powi(-(decimals as i32)) * (1.0 + 1e-6);
        match (value - number).abs() <= tolerance {
            true => Ok(()),
            false => Err(format!(
                "{}: {} is {value}, not {shown}",
                self.file, self.terms[0].1
            )),
        }
    }
}

/// Whether a number stands in a text, and not as a part of another one.
fn stands_in(number: &str, text: &str) -> bool {
    text.match_indices(number).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let mut after = text[at + number.len()..].chars();
        let (next, second) = (after.next(), after.next());
        let digit = |letter: Option<char>| letter.is_some_and(|letter| letter.is_alphanumeric());
        let longer = digit(before)
            || before == Some('.')
            || digit(next)
            || next == Some('.') && digit(second);
        !longer
    })
}

/// A path through JSON: names with dots between, positions in brackets.
fn json_value(json: &Value, path: &str) -> Result<Found, String> {
    let (path, length) = match path
        .strip_prefix("len(")
        .and_then(|path| path.strip_suffix(')'))
    {
        Some(inner) => (inner, true),
        None => (path, false),
    };
    let pointer: String = path
        .split(['.', '['])
        .map(|part| format!("/{}", part.trim_end_matches(']')))
        .collect();
    let value = json
        .pointer(&pointer)
        .ok_or_else(|| format!("there is no {path}"))?;
    match value {
        Value::Array(list) if length => Ok(Found::Number(list.len() as f64)),
        Value::Number(number) => Ok(Found::Number(number.as_f64().unwrap_or(f64::NAN))),
        Value::String(word) => Ok(Found::Word(word.clone())),
        other => Err(format!("{path} is {other}")),
    }
}

/// A table of results. Its values, where `x` and `y` are columns and `k` counts from zero:
///
/// * `first(y)`, `last(y)`, `max(y)`, `min(y)`, `largest(y)`: the last one of magnitudes;
/// * `at(x,1.5,y)`: `y` where `x` first reaches 1.5, linear between rows;
/// * `cross(x,y,1.5,k)`: `x` where `y` passes 1.5 for the k-th time, linear between rows; `crossings(y,1.5)`: how often it does;
/// * `peak(x,y,k)`: `x` of the k-th maximum of `y` that is the highest within 0.06 on both sides and above the first value by a
///   thousandth of it or more;
/// * `end(x,y)`: the first `x` from which `y` stays below its first value.
struct Table {
    names: Vec<String>,
    rows: Vec<Vec<f64>>,
}

impl Table {
    fn read(text: &str) -> Result<Self, String> {
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let names = reader.headers().map_err(|error| error.to_string())?;
        let names = names.iter().map(str::to_owned).collect();
        let rows = reader
            .records()
            .map(|record| {
                record
                    .unwrap()
                    .iter()
                    .map(|cell| cell.parse().unwrap_or(f64::NAN))
                    .collect()
            })
            .collect();
        Ok(Self { names, rows })
    }

    fn column(&self, name: &str) -> Result<Vec<f64>, String> {
        let at = self.names.iter().position(|known| known == name);
        let at = at.ok_or_else(|| format!("there is no column {name} among {:?}", self.names))?;
        Ok(self.rows.iter().map(|row| row[at]).collect())
    }

    /// A column less a level.
    fn above(&self, name: &str, level: &str) -> Result<Vec<f64>, String> {
        let level: f64 = level.parse().map_err(|_| format!("{level} is no number"))?;
        Ok(self
            .column(name)?
            .iter()
            .map(|value| value - level)
            .collect())
    }

    fn value(&self, call: &str) -> Result<f64, String> {
        let unknown = || format!("`{call}` is no value of a table");
        let (function, arguments) = call
            .strip_suffix(')')
            .and_then(|call| call.split_once('('))
            .ok_or_else(unknown)?;
        let arguments: Vec<&str> = arguments.split(',').collect();
        let fold = |column: &str, better: fn(f64, f64) -> f64| {
            Ok(self
                .column(column)?
                .into_iter()
                .reduce(better)
                .unwrap_or(f64::NAN))
        };
        let found = match (function, &arguments[..]) {
            ("first", [y]) => self.column(y)?.first().copied(),
            ("last", [y]) => self.column(y)?.last().copied(),
            ("max", [y]) => return fold(y, f64::max),
            ("min", [y]) => return fold(y, f64::min),
            ("largest", [y]) => return fold(y, |a, b| a.abs().max(b.abs())),
            ("at", [x, level, y]) => changes(&self.column(y)?, &self.above(x, level)?).next(),
            ("cross", [x, y, level, k]) => {
                let k = k.parse().map_err(|_| unknown())?;
                changes(&self.column(x)?, &self.above(y, level)?).nth(k)
            }
            ("crossings", [y, level]) => {
                let y = self.above(y, level)?;
                Some(changes(&y, &y).count() as f64)
            }
            ("peak", [x, y, k]) => {
                let k = k.parse().map_err(|_| unknown())?;
                peaks(&self.column(x)?, &self.column(y)?).nth(k)
            }
            ("end", [x, y]) => {
                let (x, y) = (self.column(x)?, self.column(y)?);
                let last = y.iter().rposition(|value| *value >= y[0]);
                last.and_then(|last| x.get(last + 1).copied())
            }
            _ => return Err(unknown()),
        };
        found.ok_or_else(|| format!("there is no {call}"))
    }
}

/// The places where a column changes its sign, linear between rows.
fn changes<'t>(x: &'t [f64], y: &'t [f64]) -> impl Iterator<Item = f64> + 't {
    (1..y.len())
        .filter(|&row| y[row - 1] != 0.0 && y[row - 1] * y[row] <= 0.0)
        .map(|row| x[row - 1] + (x[row] - x[row - 1]) * y[row - 1] / (y[row - 1] - y[row]))
}

fn peaks<'t>(x: &'t [f64], y: &'t [f64]) -> impl Iterator<Item = f64> + 't {
    let highest = |row: usize| {
        (0..x.len())
            .filter(|&other| (x[other] - x[row]).abs() <= 0.06 && other != row)
            .all(|other| y[other] < y[row] || y[other] == y[row] && other > row)
    };
    (1..y.len().saturating_sub(1))
        .filter(move |&row| y[row] - y[0] >= 1e-3 * y[0].abs() && highest(row))
        .map(|row| x[row])
}

#[test]
fn numbers_are_compared_to_their_digits() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(
        folder.path().join("a.json"),
        r#"{"m": 0.44421, "list": [{"t": 2}], "status": "stood"}"#,
    )
    .unwrap();
    fs::write(folder.path().join("a.csv"), "time,u\n0,0\n1,2\n2,-2\n3,1\n").unwrap();
    let text = "At 0.4442 of 444.2 g, 1 of 2 s, 0.5 it stood, 0.4443 and 1.5.";
    let judge = |check: &str| Check::parse(check).unwrap().judge(folder.path(), text);
    for right in [
        "a.json m 0.4442",
        "a.json m * 1000 444.2",
        "a.json list[0].t 2",
        "a.json len(list) / list[0].t 0.5",
        "a.json status stood",
        "a.csv max(u) 2",
        "a.csv cross(time,u,0,0) 1.5",
        "a.csv crossings(u,0.5) / 6 0.5",
        "a.csv at(time,2.5,u) / -1 0.5",
    ] {
        assert_eq!(judge(right), Ok(()), "{right}");
    }
    for wrong in [
        "a.json m 0.4443",
        "a.json m 0.444",
        "a.json m * 1000 44",
        "a.json n 0.4442",
        "a.csv max(v) 2",
        "a.csv least(u) 2",
        "b.json m 0.4442",
    ] {
        assert!(judge(wrong).is_err(), "{wrong}");
    }
    for unreadable in ["a.json 0.4", "a.json m m 0.4", "a.json m * 0.4"] {
        assert!(Check::parse(unreadable).is_err(), "{unreadable}");
    }
}
