//! Damaged files: whatever happens to a record, it is read or refused, never a panic nor memory without bound.

use super::samples;
use super::*;

/// A small generator; its sequence is the same everywhere, so that what fails once fails again.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        // SplitMix64.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % bound.max(1) as u64) as usize
    }
}

/// Words that readers stumble over.
const TRAPS: [&str; 16] = [
    "NaN",
    "-inf",
    "1e999",
    "99999999999999999999",
    "18446744073709551615",
    "-1",
    "0",
    "",
    "*",
    "é",
    "\u{feff}",
    "1e-320",
    "(8f0.0)",
    "(99i99)",
    ":",
    ";",
];

fn damage(text: &str, dice: &mut Dice) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=dice.below(3) {
        let at = dice.below(bytes.len());
        match dice.below(7) {
            0 => bytes[at] ^= 1 << dice.below(8),
            1 => bytes.truncate(at),
            2 => {
                let lines: Vec<Vec<u8>> =
                    bytes.split(|b| *b == b'\n').map(<[u8]>::to_vec).collect();
                let (from, to) = (dice.below(lines.len()), dice.below(lines.len()));
                let mut mixed = lines.clone();
                mixed.insert(to, lines[from].clone());
                bytes = mixed.join(&b'\n');
            }
            3 => {
                let mut lines: Vec<&[u8]> = bytes.split(|b| *b == b'\n').collect();
                lines.remove(dice.below(lines.len()));
                bytes = lines.join(&b'\n');
            }
            // A number becomes something else.
            4 | 5 => {
                let is_word = |b: &u8| b.is_ascii_alphanumeric() || b"+-.".contains(b);
                let Some(start) = bytes[at..].iter().position(is_word).map(|k| at + k) else {
                    continue;
                };
                let end = bytes[start..]
                    .iter()
                    .position(|b| !is_word(b))
                    .map_or(bytes.len(), |k| start + k);
                let trap = TRAPS[dice.below(TRAPS.len())];
                bytes.splice(start..end, trap.bytes());
            }
            _ => bytes.insert(at, dice.below(256) as u8),
        }
        if bytes.is_empty() {
            break;
        }
    }
    bytes
}

#[test]
fn damaged_files_are_read_or_refused() {
    let originals = [
        samples::at2(),
        samples::esm(),
        samples::cosmos(),
        samples::dmg(),
        samples::smc(),
        samples::columns(),
    ];
    let mut dice = Dice(1);
    let (mut read, mut refused) = (0, 0);
    for original in &originals {
        for _ in 0..1500 {
            let bytes = damage(original, &mut dice);
            let text = String::from_utf8_lossy(&bytes);
            let dt = [None, Some(0.005), Some(f64::MIN_POSITIVE)][dice.below(3)];
            // Every reader gets every file, whatever it was.
            for format in RecordFormat::ALL {
                match format.parse(&text, dt) {
                    Ok(content) => {
                        read += 1;
                        for part in &content.components {
                            part.series.check().unwrap();
                            assert!(part.series.acceleration.len() <= text.len());
                        }
                        assert!(!content.components.is_empty());
                    }
                    Err((line, message)) => {
                        refused += 1;
                        let lines = text.lines().count();
                        assert!(!message.is_empty());
                        assert!(line.is_none_or(|line| line >= 1 && line <= lines.max(1)));
                    }
                }
            }
            let _ = RecordFormat::of(Path::new("x.csv"), &text);
        }
    }
    // Neither is everything refused nor everything swallowed.
    assert!(read > 1000 && refused > 10_000, "{read} {refused}");
}
