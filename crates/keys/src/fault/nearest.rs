//! The word that was probably meant.

/// Words of other programs and papers for keys of the model.
const SYNONYMS: [(&str, &str); 16] = [
    ("coefficient", "friction"),
    ("end_time", "duration"),
    ("fixed", "support"),
    ("friction_coefficient", "friction"),
    ("g", "gravity"),
    ("initial_rotation", "initial_angle"),
    ("materials", "between"),
    ("mu", "friction"),
    ("omega", "angular_velocity"),
    ("points", "vertices"),
    ("rho", "density"),
    ("t_end", "duration"),
    ("time_step", "dt"),
    ("timestep", "dt"),
    ("type", "kind"),
    ("unit_mass", "density"),
];

/// The known word nearest to `word`, if any is near.
fn nearest<'k>(word: &str, known: impl Iterator<Item = &'k str>) -> Option<&'k str> {
    let lower = word.to_lowercase();
    let synonym = SYNONYMS
        .iter()
        .find(|(other, _)| *other == lower)
        .map(|&(_, ours)| ours);
    // One wrong letter in three still reads as the same word; transposed letters count as one.
    // One letter is as near to any other, so it is not a guess.
    let allowed = match lower.chars().count() {
        0 | 1 => 0,
        count => (count / 3).max(1),
    };
    let mut best: Option<(usize, &str)> = None;
    for candidate in known {
        if synonym == Some(candidate) {
            return Some(candidate);
        }
        if candidate.len().abs_diff(lower.len()) > allowed {
            continue;
        }
        let distance = strsim::damerau_levenshtein(&lower, &candidate.to_lowercase());
        if distance <= allowed && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// A help line that names the nearest known word, or all of them if none is near and they are few.
pub fn did_you_mean<'k>(
    word: &str,
    kind: &str,
    known: impl Iterator<Item = &'k str> + Clone,
) -> Option<String> {
    if let Some(candidate) = nearest(word, known.clone()) {
        return Some(format!("did you mean \"{candidate}\"?"));
    }
    let first: Vec<&str> = known.take(25).collect();
    match first.len() {
        0 => Some(format!("the model has no {kind}")),
        1..=24 => Some(format!("{kind}: {}", listed(first.iter().copied()))),
        _ => None,
    }
}

/// Words with commas between them.
pub fn listed<'k>(words: impl Iterator<Item = &'k str>) -> String {
    words.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(word: &str) -> Option<&'static str> {
        nearest(
            word,
            ["friction", "density", "dt", "duration", "vertices"].into_iter(),
        )
    }

    #[test]
    fn misspellings_transpositions_and_synonyms_are_found() {
        assert_eq!(near("fricton"), Some("friction"));
        assert_eq!(near("denisty"), Some("density"));
        assert_eq!(near("Vertexes"), Some("vertices"));
        assert_eq!(near("mu"), Some("friction"));
        assert_eq!(near("colour"), None);
        let soils = ["A", "B", "C"];
        assert_eq!(nearest("F", soils.into_iter()), None);
        assert_eq!(nearest("b", soils.into_iter()), Some("B"));
    }

    #[test]
    fn few_words_are_listed_and_many_are_not() {
        let help = did_you_mean("xyzzy", "known keys", ["a", "b"].into_iter());
        assert_eq!(help.as_deref(), Some("known keys: a, b"));
        let many: Vec<String> = (0..30).map(|n| format!("word{n}")).collect();
        assert_eq!(
            did_you_mean("xyzzy", "words", many.iter().map(String::as_str)),
            None
        );
        assert_eq!(
            did_you_mean("xyzzy", "motions", [].into_iter()).as_deref(),
            Some("the model has no motions")
        );
    }
}
