//! The whole measurement, family by family and size by size.

use drystone_cone::{Law, Method, Settings, Tolerances, islands};

use crate::capture::{Captured, Motion, Standing};
use crate::clock::{forget_peak, peak_megabytes, wall_ms};
use crate::family::Family;
use crate::measure::{Count, Series, Timing, time};
use crate::report::{Report, Row};

/// What to measure.
#[derive(Debug, Clone)]
pub struct Options {
    /// Structures.
    pub families: Vec<Family>,
    /// Numbers of blocks, ascending.
    pub sizes: Vec<usize>,
    /// Clarabel on every problem, however large.
    pub all: bool,
    /// Clarabel is left out from this number of blocks on, unless `all`.
    pub clarabel_below: usize,
    /// Seconds that Clarabel may take in all, unless `all`; it is not begun afterwards.
    pub clarabel_seconds: f64,
    /// Tolerances of all solvers.
    pub tolerances: Tolerances,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            families: Family::ALL.to_vec(),
            sizes: vec![200, 1000, 5000],
            all: false,
            clarabel_below: 2000,
            clarabel_seconds: 300.0,
            tolerances: Tolerances::default(),
        }
    }
}

impl Options {
    /// What fits into a minute: 200 blocks.
    pub fn quick() -> Self {
        Self {
            sizes: vec![200],
            clarabel_seconds: 15.0,
            ..Self::default()
        }
    }
}

/// Measures. `tell` hears what is being done and every row as it is found; `stop` is asked between measurements, and what was
/// measured until it says yes is kept. What can't be measured is told and left out.
///
/// Call it from inside a pool of one thread: detection is shared out among the threads of the pool, and what others do is not
/// counted.
pub fn run(
    options: &Options,
    tell: &mut dyn FnMut(&str, Option<&Row>),
    stop: &dyn Fn() -> bool,
) -> Report {
    let mut report = Report::new(options.tolerances);
    let mut clarabel_left = options.clarabel_seconds;
    // Small ones first, so that whoever stops has all structures, and so that what large ones leave of memory is not counted as that
    // of small ones.
    'sizes: for &size in &options.sizes {
        for &family in &options.families {
            if !family.has_size(size) {
                continue;
            }
            let mut bench = One {
                options,
                family,
                clarabel_left: &mut clarabel_left,
                report: &mut report,
            };
            match bench.measure(size, tell, stop) {
                Ok(true) => {}
                Ok(false) => {
                    report.complete = false;
                    break 'sizes;
                }
                Err(reason) => {
                    let reason = format!("{} {size}: {reason}", family.word());
                    tell(&reason, None);
                    report.left_out.push(reason);
                }
            }
        }
    }
    // Within a structure, states and sizes stay in the order in which they were measured.
    let place = |row: &Row| options.families.iter().position(|&f| f == row.family);
    report.rows.sort_by_key(place);
    report
}

/// One structure.
struct One<'a> {
    options: &'a Options,
    family: Family,
    clarabel_left: &'a mut f64,
    report: &'a mut Report,
}

impl One<'_> {
    fn settings(&self, law: Law) -> Settings {
        Settings {
            law,
            tolerances: self.options.tolerances,
            ..Settings::default()
        }
    }

    /// All states of a size; false if `stop` said yes before the last.
    fn measure(
        &mut self,
        size: usize,
        tell: &mut dyn FnMut(&str, Option<&Row>),
        stop: &dyn Fn() -> bool,
    ) -> Result<bool, String> {
        if stop() {
            return Ok(false);
        }
        let name = self.family.word();
        tell(&format!("{name} {size}: self-weight"), None);
        let model = drystone_model::from_toml(&self.family.text(size))
            .map_err(|faults| faults.to_string())?;
        let stand = |law: Law| Standing::new(&model, self.family, self.settings(law), stop);
        let Some(standing) = stand(Law::Associated)? else {
            return Ok(false);
        };
        // Its own motion into its own problem: the laws part ways as soon as anything slides.
        let coulomb = stand(Law::Coulomb);
        if matches!(coulomb, Ok(None)) {
            return Ok(false);
        }
        for motion in Motion::ALL {
            if !motion.suits(self.family) {
                continue;
            }
            tell(&format!("{name} {size}: {}", motion.word()), None);
            let Some(captured) = standing.capture(motion, stop)? else {
                return Ok(false);
            };
            let Some(mut row) = self.row(size, motion, &captured, stop)? else {
                return Ok(false);
            };
            let found = match &coulomb {
                Ok(Some(other)) => self.laws([&standing, other], motion, stop),
                Ok(None) => Ok(None),
                Err(reason) => Err(reason.clone()),
            };
            match found {
                Ok(Some(laws)) => row.laws = Some(laws),
                Ok(None) => return Ok(false),
                Err(reason) => {
                    let what = format!("{name} {size}, {}, both laws: {reason}", motion.word());
                    tell(&what, None);
                    self.report.left_out.push(what);
                }
            }
            tell("", Some(&row));
            self.report.rows.push(row);
        }
        Ok(true)
    }

    /// The steps of a motion under the associated and under Coulomb's law, each of its own run; `None` if `stop` said yes.
    fn laws(
        &self,
        standing: [&Standing<'_>; 2],
        motion: Motion,
        stop: &dyn Fn() -> bool,
    ) -> Result<Option<[Series; 2]>, String> {
        let [associated, coulomb] = standing;
        let Some(associated) = associated.series(motion, stop)? else {
            return Ok(None);
        };
        let coulomb = coulomb.series(motion, stop)?;
        Ok(coulomb.map(|coulomb| [associated, coulomb]))
    }

    fn row(
        &mut self,
        size: usize,
        motion: Motion,
        captured: &Captured,
        stop: &dyn Fn() -> bool,
    ) -> Result<Option<Row>, String> {
        if stop() {
            return Ok(None);
        }
        let (stored, settings) = (&captured.stored, self.settings(Law::Associated));
        let warm = time(stored, settings, stored.warm(), Count::Processor)?;
        if stop() {
            return Ok(None);
        }
        // What is at rest is only checked; its cold solution is that of the self-weight and nobody waits for it again.
        let cold = if motion == Motion::Rest {
            None
        } else {
            forget_peak();
            Some(time(stored, settings, None, Count::Processor)?)
        };
        let peak_megabytes = cold.and_then(|_| peak_megabytes());
        let two_threads = if motion == Motion::Rest {
            None
        } else {
            Some(two_threads(captured, settings)?)
        };
        if stop() {
            return Ok(None);
        }
        let bodies = stored.problem.bodies();
        let affordable = bodies < self.options.clarabel_below && *self.clarabel_left > 0.0;
        let clarabel = if motion != Motion::Rest && (affordable || self.options.all) {
            let settings = Settings {
                method: Method::Clarabel,
                ..settings
            };
            let begin = wall_ms();
            let timing = time(stored, settings, None, Count::Processor)?;
            *self.clarabel_left -= 1e-3 * (wall_ms() - begin);
            Some(timing)
        } else {
            None
        };
        Ok(Some(Row {
            family: self.family,
            motion,
            asked: size,
            blocks: bodies,
            contacts: stored.problem.contacts.len(),
            islands: islands(&stored.problem).len(),
            speed: captured.speed,
            detect_ms: captured.detect_ms,
            assemble_ms: captured.assemble_ms,
            cold,
            warm,
            two_threads,
            laws: None,
            clarabel,
            peak_megabytes,
        }))
    }
}

/// The warm solution in a pool of two threads, in wall time.
fn two_threads(captured: &Captured, settings: Settings) -> Result<Timing, String> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(2)
        .build()
        .map_err(|error| error.to_string())?;
    let stored = &captured.stored;
    pool.install(|| time(stored, settings, stored.warm(), Count::Wall))
}
