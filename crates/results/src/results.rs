//! The folder of one analysis' results.

use std::fs;
use std::path::{Path, PathBuf};

use crate::Error;
use crate::atomic::{copy_path, partial_path};

/// What to do with results that are already there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Existing {
    /// Leave them, and refuse to run.
    Refuse,
    /// Remove them first.
    Replace,
    /// Go on from them.
    Resume,
}

/// Every file this program writes into a folder of results, without `.partial`.
const NAMES: [&str; 17] = [
    "summary.json",
    "report.html",
    "figures.json",
    "history.csv",
    "diagnostics.csv",
    "forces.csv",
    "motion.parquet",
    "mechanism.csv",
    "joints.csv",
    "reactions.csv",
    "polar.csv",
    "curve.csv",
    "thrust_line.csv",
    "checkpoint.bin",
    "assessment.md",
    "spectra.csv",
    "ties.csv",
];

/// The folder of one analysis' results.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResultDir {
    path: PathBuf,
}

impl ResultDir {
    /// Opens a folder, making it if need be.
    ///
    /// Only files that this program writes count as results: replacing them touches nothing else in the folder.
    pub fn create(path: &Path, existing: Existing) -> Result<Self, Error> {
        fs::create_dir_all(path).map_err(Error::file("create", path))?;
        let folder = Self {
            path: path.to_owned(),
        };
        match existing {
            Existing::Resume => {}
            Existing::Refuse => {
                if Self::is_occupied(path) {
                    return Err(Error::ResultsExist {
                        path: path.to_owned(),
                    });
                }
            }
            Existing::Replace => {
                for file in folder.files().filter(|file| file.exists()) {
                    fs::remove_file(&file).map_err(Error::file("remove", &file))?;
                }
            }
        }
        Ok(folder)
    }

    /// Removes the folder again if nothing was written into it.
    pub(crate) fn leave(&self) {
        // Refused where there are files, which is right.
        let _ = fs::remove_dir(&self.path);
    }

    /// Whether a folder holds results, complete or not.
    pub fn is_occupied(path: &Path) -> bool {
        let folder = Self {
            path: path.to_owned(),
        };
        folder.files().any(|file| file.exists())
    }

    /// Removes the unfinished files of a complete run: a kill at its very end can leave some.
    pub fn tidy(&self) -> Result<(), Error> {
        for name in NAMES {
            let file = self.path.join(name);
            for stray in [partial_path(&file), copy_path(&file)] {
                if stray.exists() {
                    fs::remove_file(&stray).map_err(Error::file("remove", &stray))?;
                }
            }
        }
        Ok(())
    }

    fn files(&self) -> impl Iterator<Item = PathBuf> + '_ {
        NAMES.iter().flat_map(|name| {
            let file = self.path.join(name);
            [partial_path(&file), copy_path(&file), file]
        })
    }

    /// The folder itself.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// `summary.json`.
    pub fn summary(&self) -> PathBuf {
        self.path.join("summary.json")
    }

    /// `report.html`.
    pub fn report(&self) -> PathBuf {
        self.path.join("report.html")
    }

    /// `figures.json`.
    pub fn figures(&self) -> PathBuf {
        self.path.join("figures.json")
    }

    /// `history.csv`.
    pub fn history(&self) -> PathBuf {
        self.path.join("history.csv")
    }

    /// `diagnostics.csv`.
    pub fn diagnostics(&self) -> PathBuf {
        self.path.join("diagnostics.csv")
    }

    /// `forces.csv`.
    pub fn forces(&self) -> PathBuf {
        self.path.join("forces.csv")
    }

    /// `motion.parquet`.
    pub fn motion(&self) -> PathBuf {
        self.path.join("motion.parquet")
    }

    /// `mechanism.csv`.
    pub fn mechanism(&self) -> PathBuf {
        self.path.join("mechanism.csv")
    }

    /// `joints.csv`.
    pub fn joints(&self) -> PathBuf {
        self.path.join("joints.csv")
    }

    /// `reactions.csv`.
    pub fn reactions(&self) -> PathBuf {
        self.path.join("reactions.csv")
    }

    /// `polar.csv`.
    pub fn polar(&self) -> PathBuf {
        self.path.join("polar.csv")
    }

    /// `curve.csv`.
    pub fn curve(&self) -> PathBuf {
        self.path.join("curve.csv")
    }

    /// `thrust_line.csv`.
    pub fn thrust_line(&self) -> PathBuf {
        self.path.join("thrust_line.csv")
    }

    /// `assessment.md`.
    pub fn text(&self) -> PathBuf {
        self.path.join("assessment.md")
    }

    /// `spectra.csv`.
    pub fn spectra(&self) -> PathBuf {
        self.path.join("spectra.csv")
    }

    /// `ties.csv`.
    pub fn ties(&self) -> PathBuf {
        self.path.join("ties.csv")
    }

    /// `checkpoint.bin`.
    pub fn checkpoint(&self) -> PathBuf {
        self.path.join("checkpoint.bin")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_replaces_and_resumes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep").join("shake");
        let results = ResultDir::create(&path, Existing::Refuse).unwrap();
        let foreign = path.join("notes.txt");
        fs::write(&foreign, "mine").unwrap();
        // Other people's files do not count as results.
        ResultDir::create(&path, Existing::Refuse).unwrap();

        let half_done = crate::partial_path(&results.history());
        fs::write(&half_done, "time\n").unwrap();
        let error = ResultDir::create(&path, Existing::Refuse).unwrap_err();
        assert!(
            error.is_input() && error.to_string().contains("shake"),
            "{error}"
        );
        ResultDir::create(&path, Existing::Resume).unwrap();
        assert!(half_done.exists());
        ResultDir::create(&path, Existing::Replace).unwrap();
        assert!(!half_done.exists() && foreign.exists());
    }

    #[test]
    fn every_file_is_known_to_the_policy() {
        let folder = tempfile::tempdir().unwrap();
        let results = ResultDir::create(folder.path(), Existing::Refuse).unwrap();
        let known: Vec<PathBuf> = results.files().collect();
        for file in [
            results.summary(),
            results.report(),
            results.figures(),
            results.history(),
            results.diagnostics(),
            results.forces(),
            results.motion(),
            results.mechanism(),
            results.joints(),
            results.reactions(),
            results.polar(),
            results.curve(),
            results.thrust_line(),
            results.checkpoint(),
            results.text(),
            results.spectra(),
            results.ties(),
        ] {
            assert!(known.contains(&file));
        }
    }
}
