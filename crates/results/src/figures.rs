//! `figures.json`.

use std::path::Path;

use drystone_page::figure::Figure;

use crate::Error;

/// Figures as they stand in a file, without white space: a church has tens of thousands of polygons.
pub fn figures_to_json(figures: &[Figure], path: &Path) -> Result<Vec<u8>, Error> {
    serde_json::to_vec(figures).map_err(|error| Error::Encode {
        path: path.to_owned(),
        message: error.to_string(),
    })
}

/// Reads the figures of a folder of results.
pub fn read_figures(path: &Path) -> Result<Vec<Figure>, Error> {
    let bytes = std::fs::read(path).map_err(Error::file("read", path))?;
    serde_json::from_slice(&bytes).map_err(|error| {
        let why = format!("not figures of this version ({error}): run the analysis again");
        Error::damaged(path, why)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_figures_says_what_to_do() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("figures.json");
        std::fs::write(&path, figures_to_json(&[], &path).unwrap()).unwrap();
        assert_eq!(read_figures(&path).unwrap(), []);
        std::fs::write(&path, "[{}]").unwrap();
        let error = read_figures(&path).unwrap_err().to_string();
        assert!(error.contains("figures.json") && error.contains("run the analysis again"));
    }
}
