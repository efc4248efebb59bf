//! A time history step by step, for control, coupling and research.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};
use std::time::{Duration, Instant};

use drystone_geometry::DVec3;
use drystone_model::{AnalysisKind, Case, Model, TimeHistory};
use drystone_questions::answer::Identity;
use drystone_questions::time_history::{Excitation, Progress, Run, Steering};
use drystone_results::{load_checkpoint, save_checkpoint};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use self_cell::self_cell;

use crate::compiled::Compiled;
use crate::{arrays, fault};

/// Blocks, points, normals, normal forces, shear forces, gaps.
type Contacts<'py> = (
    Bound<'py, PyArray2<u64>>,
    Bound<'py, PyArray2<f64>>,
    Bound<'py, PyArray2<f64>>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray2<f64>>,
    Bound<'py, PyArray1<f64>>,
);

/// How often signals are looked at.
const EVERY: Duration = Duration::from_millis(50);

/// What a run borrows.
struct Setting {
    case: Arc<Case>,
    history: TimeHistory,
}

self_cell!(
    struct Owned {
        owner: Setting,
        #[not_covariant]
        dependent: Run,
    }
);

/// A time history that is advanced step by step.
#[pyclass(frozen, module = "drystone._engine")]
pub struct Simulation {
    case: Arc<Case>,
    identity: Identity,
    owned: Mutex<Owned>,
}

impl Simulation {
    fn model(&self) -> &Model {
        self.case.model()
    }

    fn lock(&self, py: Python<'_>) -> PyResult<MutexGuard<'_, Owned>> {
        match self.owned.try_lock() {
            Ok(guard) => Ok(guard),
            // A panic is told where it happens.
            Err(TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => Err(fault::failed(
                py,
                "the simulation is being stepped by another thread",
            )),
        }
    }

    fn with<T>(
        &self,
        py: Python<'_>,
        ask: impl FnOnce(&mut Run<'_>) -> PyResult<T>,
    ) -> PyResult<T> {
        let mut owned = self.lock(py)?;
        catch_unwind(AssertUnwindSafe(|| {
            owned.with_dependent_mut(|_, run| ask(run))
        }))
        .unwrap_or_else(|panic| Err(fault::failed(py, fault::told(panic.as_ref()))))
    }

    /// Refuses what a planar model can't do; `first` is the degree of freedom of the vector's first component.
    fn in_plane(&self, py: Python<'_>, what: &str, vector: DVec3, first: usize) -> PyResult<()> {
        let free = &self.model().free[first..first + 3];
        if free
            .iter()
            .zip(vector.to_array())
            .all(|(&free, x)| free || x == 0.0)
        {
            return Ok(());
        }
        let message = format!(
            "{what}: {:?} leaves the plane of the model",
            vector.to_array()
        );
        Err(fault::input(py, message))
    }

    fn support(&self, py: Python<'_>, index: usize) -> PyResult<()> {
        match self.model().blocks.get(index) {
            Some(block) if block.support => Ok(()),
            Some(block) => Err(fault::input(
                py,
                format!(
                    "block \"{}\" is not a support; free blocks take forces and velocities",
                    block.name
                ),
            )),
            None => Err(fault::input(
                py,
                format!("block {index}: there are {}", self.model().blocks.len()),
            )),
        }
    }
}

#[pymethods]
impl Simulation {
    /// The time history of a model, at its start.
    #[new]
    fn new(py: Python<'_>, compiled: &Compiled, analysis: &str) -> PyResult<Self> {
        let case = Arc::clone(&compiled.case);
        let found = case.analysis(analysis);
        let history = found.and_then(|item| match &item.kind {
            AnalysisKind::TimeHistory(history) => {
                // Whoever takes the steps decides how many there are.
                let history = TimeHistory {
                    settle: 0.0,
                    ..history.clone()
                };
                Some((history, Identity::of(item)))
            }
            _ => None,
        });
        let Some((history, identity)) = history else {
            let message = format!("the model has no time_history \"{analysis}\"");
            return Err(fault::input(py, message));
        };
        let excitation = fault::guarded(py, || Excitation::new(case.model(), &history.motions))?
            .map_err(|error| fault::input(py, error))?;
        let setting = Setting {
            case: Arc::clone(&case),
            history,
        };
        let owned = fault::guarded(py, || {
            Owned::new(setting, |setting| {
                Run::new(setting.case.model(), &setting.history, excitation)
            })
        })?;
        Ok(Self {
            case,
            identity,
            owned: Mutex::new(owned),
        })
    }

    /// Takes steps; how many were taken, fewer than asked only if the analysis ends before and `beyond` is false.
    #[pyo3(signature = (steps, beyond=true))]
    fn step(&self, py: Python<'_>, steps: u64, beyond: bool) -> PyResult<u64> {
        let mut owned = self.lock(py)?;
        let owned = &mut *owned;
        let mut taken = 0;
        while taken < steps {
            let done = fault::guarded(py, || {
                owned.with_dependent_mut(|_, run| {
                    let begin = Instant::now();
                    let mut done = 0;
                    while taken + done < steps && (done == 0 || begin.elapsed() < EVERY) {
                        if run.finished() && !beyond {
                            return Ok((done, true));
                        }
                        if run.at_end() && run.is_adaptive() {
                            return Err("the duration is over, and adaptive steps do not go beyond it: say a longer `duration`".to_owned());
                        }
                        run.advance(&mut ()).map_err(|error| error.to_string())?;
                        done += 1;
                    }
                    Ok::<_, String>((done, false))
                })
            })?;
            let (done, end) = done.map_err(|message| fault::failed(py, message))?;
            taken += done;
            py.check_signals()?;
            if end {
                break;
            }
        }
        Ok(taken)
    }

    /// s.
    #[getter]
    fn time(&self, py: Python<'_>) -> PyResult<f64> {
        self.with(py, |run| Ok(run.progress().state.time))
    }

    /// Steps taken.
    #[getter]
    fn steps(&self, py: Python<'_>) -> PyResult<u64> {
        self.with(py, |run| Ok(run.progress().steps))
    }

    /// The duration of the analysis is over, or it was to stop at a collapse that happened.
    #[getter]
    fn finished(&self, py: Python<'_>) -> PyResult<bool> {
        self.with(py, |run| Ok(run.finished()))
    }

    /// Centroids, m, relative to the ground, a row per block.
    #[getter]
    fn positions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let n = self.model().blocks.len();
        self.with(py, |run| {
            arrays::rows(py, (0..n).map(|i| run.motion_of(i).0.position))
        })
    }

    /// Rotations since the start, unit quaternions x y z w, a row per block.
    #[getter]
    fn rotations<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        self.with(py, |run| {
            arrays::quaternions(py, &run.progress().state.poses)
        })
    }

    /// Velocities of centroids relative to the ground, m/s.
    #[getter]
    fn velocities<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let n = self.model().blocks.len();
        self.with(py, |run| {
            arrays::rows(py, (0..n).map(|i| run.motion_of(i).1))
        })
    }

    /// Angular velocities, rad/s in world axes.
    #[getter]
    fn angular_velocities<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let n = self.model().blocks.len();
        self.with(py, |run| {
            arrays::rows(py, (0..n).map(|i| run.motion_of(i).2))
        })
    }

    /// How long before `time` the velocities hold, s: half a step in the staggered scheme.
    #[getter]
    fn lag(&self, py: Python<'_>) -> PyResult<f64> {
        self.with(py, |run| Ok(run.progress().state.lag))
    }

    /// Gives the free blocks other velocities.
    fn set_velocities(
        &self,
        py: Python<'_>,
        velocities: PyReadonlyArray2<'_, f64>,
        angular_velocities: PyReadonlyArray2<'_, f64>,
    ) -> PyResult<()> {
        let n = self.model().blocks.len();
        let v = arrays::vectors(py, "velocities", &velocities, n)?;
        let w = arrays::vectors(py, "angular_velocities", &angular_velocities, n)?;
        self.with(py, |run| {
            if run.set_velocities(&v, &w) {
                Ok(())
            } else {
                Err(fault::input(
                    py,
                    "velocities: so fast that the kinetic energy is no finite number",
                ))
            }
        })
    }

    /// Forces on blocks beside the loads of the model, N, a row per block.
    #[getter]
    fn forces<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let n = self.model().blocks.len();
        self.with(py, |run| {
            arrays::rows(py, (0..n).map(|i| run.steering().force(i).0))
        })
    }

    /// Couples about the centroids, N m.
    #[getter]
    fn couples<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let n = self.model().blocks.len();
        self.with(py, |run| {
            arrays::rows(py, (0..n).map(|i| run.steering().force(i).1))
        })
    }

    /// Sets forces and couples until they are set again.
    fn set_forces(
        &self,
        py: Python<'_>,
        forces: PyReadonlyArray2<'_, f64>,
        couples: PyReadonlyArray2<'_, f64>,
    ) -> PyResult<()> {
        let n = self.model().blocks.len();
        let f = arrays::vectors(py, "forces", &forces, n)?;
        let c = arrays::vectors(py, "couples", &couples, n)?;
        let mut forces: Vec<(DVec3, DVec3)> = f.into_iter().zip(c).collect();
        for (force, block) in forces.iter_mut().zip(&self.model().blocks) {
            if block.support {
                *force = (DVec3::ZERO, DVec3::ZERO);
            }
        }
        self.with(py, |run| {
            let time = run.progress().state.time;
            run.steering_mut().set_forces(time, forces);
            Ok(())
        })
    }

    /// Lets the ground accelerate from now on, m/s², beside the motions of the model.
    fn set_ground_acceleration(&self, py: Python<'_>, acceleration: [f64; 3]) -> PyResult<()> {
        let acceleration = arrays::vector(py, "ground_acceleration", acceleration)?;
        self.in_plane(py, "ground_acceleration", acceleration, 0)?;
        self.with(py, |run| {
            let time = run.progress().state.time;
            run.steering_mut()
                .set_ground_acceleration(time, acceleration);
            Ok(())
        })
    }

    /// Lets a support move, m/s, and turn about its centroid, rad/s, from now on.
    fn set_support_velocity(
        &self,
        py: Python<'_>,
        index: usize,
        velocity: [f64; 3],
        angular_velocity: [f64; 3],
    ) -> PyResult<()> {
        self.support(py, index)?;
        let v = arrays::vector(py, "velocity", velocity)?;
        let w = arrays::vector(py, "angular_velocity", angular_velocity)?;
        self.in_plane(py, "velocity", v, 0)?;
        self.in_plane(py, "angular_velocity", w, 3)?;
        self.with(py, |run| {
            let time = run.progress().state.time;
            run.steering_mut().set_support_velocity(time, index, v, w);
            Ok(())
        })
    }

    /// The acceleration of the ground that was set, m/s².
    #[getter]
    fn ground_acceleration<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.with(py, |run| {
            let acceleration = run.steering().ground_acceleration();
            Ok(acceleration.to_array().to_vec().into_pyarray(py))
        })
    }

    /// Displacement of the ground, m.
    #[getter]
    fn ground<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.with(py, |run| {
            let ground = run.frame().ground;
            Ok(ground.to_array().to_vec().into_pyarray(py))
        })
    }

    /// Energies, J.
    #[getter]
    fn energy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let energy = self.with(py, |run| Ok(run.frame().energy))?;
        let dict = PyDict::new(py);
        for (key, value) in [
            ("kinetic", energy.kinetic),
            ("potential", energy.potential),
            ("harvested", energy.harvested),
            ("dissipated", energy.dissipated),
            ("elastic", energy.elastic),
        ] {
            dict.set_item(key, value)?;
        }
        Ok(dict)
    }

    /// How well the last step was solved.
    #[getter]
    fn note<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let note = self.with(py, |run| Ok(*run.note()))?;
        let dict = PyDict::new(py);
        dict.set_item("time", note.time)?;
        dict.set_item("dt", note.dt)?;
        dict.set_item("residual", note.residual)?;
        dict.set_item("iterations", note.iterations)?;
        dict.set_item("contacts", note.contacts)?;
        dict.set_item("penetration", note.penetration)?;
        dict.set_item("natural_map", note.natural_map)?;
        Ok(dict)
    }

    /// Contact points of the last step: blocks (index pairs), points, normals, normal forces, shear forces, gaps. The force acts on the second block as `+`.
    fn contacts<'py>(&self, py: Python<'py>) -> PyResult<Contacts<'py>> {
        self.with(py, |run| {
            let found: Vec<_> = run.contact_forces().collect();
            let blocks: Vec<[u64; 2]> = found.iter().map(|c| c.blocks.map(|b| b as u64)).collect();
            let blocks =
                PyArray2::from_vec2(py, &blocks.iter().map(|b| b.to_vec()).collect::<Vec<_>>())
                    .map_err(|error| fault::failed(py, error))?;
            let column = |value: fn(&drystone_mechanics::ContactForce) -> f64| -> Vec<f64> {
                found.iter().map(value).collect()
            };
            let normal_force = column(|c| c.normal_force).into_pyarray(py);
            let gap = column(|c| c.gap).into_pyarray(py);
            Ok((
                blocks,
                arrays::rows(py, found.iter().map(|c| c.point))?,
                arrays::rows(py, found.iter().map(|c| c.normal))?,
                normal_force,
                arrays::rows(py, found.iter().map(|c| c.shear_force))?,
                gap,
            ))
        })
    }

    /// The results so far, as `summary.json` of a time history has them.
    fn summary(&self, py: Python<'_>) -> PyResult<String> {
        let summary = self.with(py, |run| Ok(run.summary()))?;
        serde_json::to_string(&summary).map_err(|error| fault::failed(py, error))
    }

    /// Saves everything whose loss would change a bit of what follows.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        self.with(py, |run| {
            let state = (run.progress(), run.steering());
            save_checkpoint(&path, &self.identity, &state).map_err(|error| fault::failed(py, error))
        })
    }

    /// Goes on from what was saved of the same model.
    fn load(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let (progress, steering): (Progress, Steering) =
            load_checkpoint(&path, &self.identity).map_err(|error| fault::input(py, error))?;
        self.with(py, |run| {
            run.resume(progress);
            *run.steering_mut() = steering;
            Ok(())
        })
    }
}
