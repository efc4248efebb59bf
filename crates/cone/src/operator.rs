//! `D`, its transpose, and `H`, applied contact by contact and body by body.
//!
//! Nothing here is fast: the judge, the reference and the tests use these so that they share no code with the kernels
//! of the interior-point solver.

use crate::{Contact, FIXED, StepProblem};

pub(crate) fn dot(a: &[f64; 3], b: &[f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(crate) fn cross(a: &[f64; 3], b: &[f64; 3]) -> [f64; 3] {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

/// Lower Cholesky factor (row by row) of a 3x3 block in which degrees of freedom that are not free are replaced by
/// the identity; `None` if it is not positive definite.
pub(crate) fn masked_cholesky(block: &[f64; 9], free: &[bool; 6]) -> Option<[f64; 6]> {
    let at = |i: usize, j: usize| match (free[3 + i] && free[3 + j], i == j) {
        (true, _) => block[3 * i + j],
        (false, true) => 1.0,
        (false, false) => 0.0,
    };
    // A pivot that has lost all but rounding of its diagonal is no inertia.
    let root = |pivot: f64, diagonal: f64| {
        (pivot > 1e-14 * diagonal && diagonal > 0.0).then(|| pivot.sqrt())
    };
    let l00 = root(at(0, 0), at(0, 0))?;
    let l10 = at(1, 0) / l00;
    let l11 = root(at(1, 1) - l10 * l10, at(1, 1))?;
    let l20 = at(2, 0) / l00;
    let l21 = (at(2, 1) - l20 * l10) / l11;
    let l22 = root(at(2, 2) - l20 * l20 - l21 * l21, at(2, 2))?;
    Some([l00, l10, l11, l20, l21, l22])
}

pub(crate) fn cholesky_solve(l: &[f64; 6], x: [f64; 3]) -> [f64; 3] {
    let y0 = x[0] / l[0];
    let y1 = (x[1] - l[1] * y0) / l[2];
    let y2 = (x[2] - l[3] * y0 - l[4] * y1) / l[5];
    let z2 = y2 / l[5];
    let z1 = (y1 - l[4] * z2) / l[2];
    [(y0 - l[1] * z1 - l[3] * z2) / l[0], z1, z2]
}

impl StepProblem {
    /// Relative velocity `D' V` at a contact without its offset, local components, m/s.
    pub fn relative_velocity(&self, contact: &Contact, velocity: &[[f64; 6]]) -> [f64; 3] {
        let mut world = [0.0; 3];
        for (side, sign) in [(0, -1.0), (1, 1.0)] {
            if contact.bodies[side] == FIXED {
                continue;
            }
            let v = self.masked(&velocity[contact.bodies[side] as usize]);
            let turn = cross(&[v[3], v[4], v[5]], &contact.arms[side]);
            for k in 0..3 {
                world[k] += sign * (v[k] + turn[k]);
            }
        }
        contact.frame.map(|axis| dot(&axis, &world))
    }

    /// The velocity in the cone condition, `u = D' V + s + E r`, local components, m/s.
    pub fn cone_velocity(
        &self,
        contact: &Contact,
        velocity: &[[f64; 6]],
        impulse: &[f64; 3],
    ) -> [f64; 3] {
        let mut u = self.relative_velocity(contact, velocity);
        for k in 0..3 {
            u[k] += contact.offset[k] + contact.compliance[k.min(1)] * impulse[k];
        }
        u
    }

    /// Generalised impulses `D r`, N s and N m s.
    pub fn generalised_impulse(&self, impulse: &[[f64; 3]]) -> Vec<[f64; 6]> {
        let mut out = Vec::new();
        self.fill_generalised_impulse(impulse, &mut out);
        out
    }

    /// The same into a vector that is kept.
    pub(crate) fn fill_generalised_impulse(&self, impulse: &[[f64; 3]], out: &mut Vec<[f64; 6]>) {
        out.clear();
        out.resize(self.bodies(), [0.0; 6]);
        for (contact, r) in self.contacts.iter().zip(impulse) {
            let mut world = [0.0; 3];
            for (axis, component) in contact.frame.iter().zip(r) {
                for k in 0..3 {
                    world[k] += axis[k] * component;
                }
            }
            for (side, sign) in [(0, -1.0), (1, 1.0)] {
                if contact.bodies[side] != FIXED {
                    let moment = cross(&contact.arms[side], &world);
                    let target = &mut out[contact.bodies[side] as usize];
                    for k in 0..3 {
                        target[k] += sign * world[k];
                        target[3 + k] += sign * moment[k];
                    }
                }
            }
        }
        out.iter_mut().for_each(|x| *x = self.masked(x));
    }

    /// `H x` of one body on its free degrees of freedom.
    pub fn inertia_times(&self, body: usize, x: &[f64; 6]) -> [f64; 6] {
        let x = self.masked(x);
        let (m, j) = (self.mass[body], &self.rotational[body]);
        let turn = |i: usize| j[3 * i] * x[3] + j[3 * i + 1] * x[4] + j[3 * i + 2] * x[5];
        self.masked(&[m * x[0], m * x[1], m * x[2], turn(0), turn(1), turn(2)])
    }

    /// `H^-1 x` of one body on its free degrees of freedom; zero if the rotational block is not positive definite,
    /// which [`StepProblem::validate`] excludes.
    pub fn inertia_solve(&self, body: usize, x: &[f64; 6]) -> [f64; 6] {
        self.factored_solve(body, self.factor(body).as_ref(), x)
    }

    fn factor(&self, body: usize) -> Option<[f64; 6]> {
        masked_cholesky(&self.rotational[body], &self.free)
    }

    /// The same with the factor of the rotational block.
    fn factored_solve(&self, body: usize, factor: Option<&[f64; 6]>, x: &[f64; 6]) -> [f64; 6] {
        let x = self.masked(x);
        let m = self.mass[body];
        let turn = factor.map_or([0.0; 3], |l| cholesky_solve(l, [x[3], x[4], x[5]]));
        self.masked(&[x[0] / m, x[1] / m, x[2] / m, turn[0], turn[1], turn[2]])
    }

    /// The three columns of `D` of a contact on one of its sides: generalised impulses of unit local impulses.
    pub fn columns(&self, contact: &Contact, side: usize) -> [[f64; 6]; 3] {
        let sign = if side == 0 { -1.0 } else { 1.0 };
        contact.frame.map(|axis| {
            let moment = cross(&contact.arms[side], &axis);
            self.masked(
                &[axis[0], axis[1], axis[2], moment[0], moment[1], moment[2]].map(|x| sign * x),
            )
        })
    }

    /// Diagonal of the Delassus operator `N = D' H^-1 D` at a contact: normal, and the mean of the tangents, 1/kg.
    pub fn delassus_diagonal(&self, contact: &Contact) -> [f64; 2] {
        let mut diagonal = [0.0; 3];
        for side in 0..2 {
            if contact.bodies[side] != FIXED {
                let body = contact.bodies[side] as usize;
                let factor = self.factor(body);
                for (k, column) in self.columns(contact, side).iter().enumerate() {
                    let speed = self.factored_solve(body, factor.as_ref(), column);
                    diagonal[k] += (0..6).map(|i| column[i] * speed[i]).sum::<f64>();
                }
            }
        }
        [diagonal[0], 0.5 * (diagonal[1] + diagonal[2])]
    }

    /// What an impulse of the contact's cone moves at the contact, 1/kg: the inverse of the mass that it feels.
    pub(crate) fn contact_lightness(&self, contact: &Contact) -> f64 {
        let mu = contact.friction;
        let [normal, tangent] = self.delassus_diagonal(contact);
        // A contact across the plane of a planar model moves nothing; it still needs a scale.
        let inverse_mass: f64 = contact
            .bodies
            .iter()
            .filter(|&&b| b != FIXED)
            .map(|&b| 1.0 / self.mass[b as usize])
            .sum();
        normal.max(mu * mu * tangent).max(1e-3 * inverse_mass)
    }

    /// Zero in the degrees of freedom that are not free.
    pub fn masked(&self, x: &[f64; 6]) -> [f64; 6] {
        std::array::from_fn(|k| if self.free[k] { x[k] } else { 0.0 })
    }
}

#[cfg(test)]
mod tests {
    use crate::corpus;

    /// `r' (D' V) = V' (D r)` with `D` from its columns, its product and its transpose.
    #[test]
    fn columns_product_and_transpose_are_one_matrix() {
        for (name, p) in [
            ("wall", corpus::wall(3, 2)),
            ("planar", corpus::planar_arch(7)),
        ] {
            let mut random = corpus::Random::new(7);
            let v: Vec<[f64; 6]> = p
                .mass
                .iter()
                .map(|_| std::array::from_fn(|_| random.signed()))
                .collect();
            let r: Vec<[f64; 3]> = p
                .contacts
                .iter()
                .map(|_| std::array::from_fn(|_| random.signed()))
                .collect();
            let left: f64 = p
                .contacts
                .iter()
                .zip(&r)
                .map(|(c, r)| super::dot(&p.relative_velocity(c, &v), r))
                .sum();
            let product = p.generalised_impulse(&r);
            let right: f64 = product
                .iter()
                .zip(&v)
                .flat_map(|(x, v)| (0..6).map(move |k| x[k] * v[k]))
                .sum();
            let mut by_columns = vec![[0.0; 6]; p.bodies()];
            for (c, r) in p.contacts.iter().zip(&r) {
                for side in (0..2).filter(|&s| c.bodies[s] != crate::FIXED) {
                    for (column, x) in p.columns(c, side).iter().zip(r) {
                        (0..6)
                            .for_each(|k| by_columns[c.bodies[side] as usize][k] += column[k] * x);
                    }
                }
            }
            assert!((left - right).abs() < 1e-11, "{name}: {left} {right}");
            for (a, b) in product.iter().flatten().zip(by_columns.iter().flatten()) {
                assert!((a - b).abs() < 1e-12, "{name}");
            }
        }
    }

    #[test]
    fn inertia_and_its_inverse_cancel_on_free_freedoms() {
        for p in [corpus::wall(3, 2), corpus::planar_arch(5)] {
            let x = [0.3, -1.0, 2.0, 0.5, -0.25, 4.0];
            let back = p.inertia_solve(1, &p.inertia_times(1, &x));
            for (a, b) in back.iter().zip(p.masked(&x)) {
                assert!((a - b).abs() < 1e-13);
            }
        }
    }
}
