//! What contacts carry when a run begins.
//!
//! Contacts under Coulomb's law yield, see [`crate::easing`]. A model describes its blocks as they stand, under their weight and their loads: the compression that these cause is in the drawing already. If it were not,
//! every structure would begin by sinking into its joints, tremble for a while, and come to rest some micrometres away from where it was put. So a contact yields to what it carries beyond
//! the forces of the structure at rest, if it can rest: those of a structure whose weight and loads have grown slowly. (Those of rigid contacts under the associated law would press where nothing does: they would hold a block between two walls that merely touch it.)

use drystone_cone::ProblemFault;
use drystone_geometry::DVec3;

use crate::easing::{Past, corners, ease, share};
use crate::prescribed::Prescribed;
use crate::state::State;
use crate::step::Stepper;

impl Stepper<'_> {
    /// Impulses of the contacts of the problem that is posed, local components, N s, with which everything would rest; zero where something moves.
    pub(crate) fn impulses_at_rest(
        &mut self,
        state: &State,
        given: &Prescribed,
    ) -> Result<Vec<[f64; 3]>, ProblemFault> {
        let posed = self.problem.clone();
        let mut still = state.clone();
        still.velocity.fill(given.frame[0]);
        still.angular_velocity.fill(DVec3::ZERO);
        // What shakes has not begun.
        still.ground_velocity = given.ground_velocity;
        self.assemble_bodies(&still, given, None);
        let mut problem = std::mem::replace(&mut self.problem, posed);
        for (contact, point) in problem.contacts.iter_mut().zip(&self.contacts.points) {
            // The supports rest too, and overlaps of the drawing are not pushed out.
            contact.offset = [point.gap.max(0.0) / given.dt, 0.0, 0.0];
        }
        let count = problem.contacts.len();
        let past = Past {
            last: &vec![[0.0; 3]; count],
            preload: &vec![0.0; count],
            parts: &corners(&self.contacts),
        };
        let share = share(given.dt, given.span);
        ease(&mut problem, share, &past, |_, _| 0.0);
        self.solver.compressed(&problem)
    }
}
