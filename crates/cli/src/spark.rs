//! A history as a line of bars, for terminals.

use std::path::Path;

const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/// Bars in a line.
const WIDTH: usize = 48;

/// The history that decides in a folder of results, with its name and its largest value: how far the monitor that goes farthest went, or else the
/// kinetic energy; of a rocking block its angle.
pub fn decisive(folder: &Path) -> Option<String> {
    let mut reader = csv::Reader::from_path(folder.join("history.csv")).ok()?;
    let names: Vec<String> = reader.headers().ok()?.iter().map(str::to_owned).collect();
    let rows: Vec<Vec<f64>> = reader.deserialize().flatten().collect();
    let column = |name: &str| -> Option<Vec<f64>> {
        let k = names.iter().position(|other| other == name)?;
        Some(rows.iter().map(|row| row[k]).collect())
    };
    let monitors = names.iter().filter_map(|name| name.strip_suffix(".ux"));
    let farthest = monitors
        .filter(|name| *name != "ground")
        .filter_map(|name| {
            let axes = ["ux", "uy", "uz"].map(|axis| column(&format!("{name}.{axis}")));
            let [Some(x), Some(y), Some(z)] = axes else {
                return None;
            };
            let way = (0..rows.len()).map(|k| x[k].hypot(y[k]).hypot(z[k]));
            Some((name, way.collect::<Vec<f64>>()))
        })
        .max_by(|a, b| largest(&a.1).total_cmp(&largest(&b.1)));
    let (label, unit, values) = match farthest {
        Some((name, way)) => (name.to_owned(), "m", way),
        None => match (column("angle"), column("kinetic")) {
            (Some(angle), _) => {
                let angle = angle.iter().map(|x| x.abs()).collect();
                ("angle".to_owned(), "rad", angle)
            }
            (None, Some(kinetic)) => ("kinetic".to_owned(), "J", kinetic),
            (None, None) => return None,
        },
    };
    let most = largest(&values);
    (most > 0.0).then(|| {
        // Eighty columns, whatever the name.
        let label: String = label.chars().take(14).collect();
        format!("{label} {} {most:.2e} {unit}", bars(&values, most))
    })
}

fn largest(values: &[f64]) -> f64 {
    values
        .iter()
        .copied()
        .filter(|v| v.is_finite())
        .fold(0.0, f64::max)
}

/// The largest value of every part of the history, as heights between nought and `most`.
fn bars(values: &[f64], most: f64) -> String {
    let width = WIDTH.min(values.len());
    (0..width)
        .map(|k| {
            let part = &values[k * values.len() / width..(k + 1) * values.len() / width];
            let height = (largest(part) / most * (BARS.len() - 1) as f64).round() as usize;
            BARS[height.min(BARS.len() - 1)]
        })
        .collect()
}

/// Text in lines of at most 80 columns, those after the first indented.
pub fn wrapped(text: &str) -> String {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let full = lines.last().is_some_and(|line| {
            !line.trim().is_empty() && line.chars().count() + 1 + word.chars().count() > 80
        });
        if full {
            lines.push(format!("  {word}"));
        } else if let Some(line) = lines.last_mut() {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_monitor_that_goes_farthest_is_drawn() {
        let folder = tempfile::tempdir().unwrap();
        let table = "time,kinetic,a.ux,a.uy,a.uz,b.ux,b.uy,b.uz,ground.ux,ground.uy,ground.uz\n\
                     0,9,0,0,0,0,0,0,5,5,5\n1,9,0.1,0,0,0.3,0.4,0,5,5,5\n2,9,0.1,0,0,0,0,1,5,5,5\n";
        std::fs::write(folder.path().join("history.csv"), table).unwrap();
        assert_eq!(decisive(folder.path()).unwrap(), "b ▁▅█ 1.00e0 m");
        assert_eq!(decisive(&folder.path().join("none")), None);
    }

    #[test]
    fn lines_fit_into_eighty_columns() {
        let text = "word ".repeat(60);
        let lines = wrapped(&text);
        assert!(lines.lines().count() > 3 && lines.lines().all(|line| line.chars().count() <= 80));
        assert_eq!(lines.split_whitespace().count(), 60);
        let long = "x".repeat(100);
        assert_eq!(wrapped(&long), long);
    }
}
