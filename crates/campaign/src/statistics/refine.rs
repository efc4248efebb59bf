//! The boundary of a domain on a grid, without running all of the grid.

/// A point of a grid.
pub type Cell = [usize; 2];

/// Which points of a grid to run next so that the boundary between verdicts is known on all of it.
///
/// Runs begin on a coarse grid. Wherever the corners of a coarse cell disagree, its middles are asked for, until cells are those of
/// the full grid; neighbours of such cells are asked for as well, since the boundary may leave through an edge whose ends agree. A
/// point that is never asked for lies in a cell whose corners, and whose neighbours' corners, all agree, and has their verdict.
/// Islands smaller than a coarse cell can be missed.
///
/// A point may also be run without an answer. It then says nothing, neither for itself nor for its neighbours: the boundary may pass on
/// either side of it, so that what lies about it is asked for as if it disagreed with all that have a verdict.
#[derive(Debug, Clone)]
pub struct Refinement {
    size: Cell,
    first: usize,
    stride: usize,
    told: Vec<Told>,
}

/// What is known of a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Told {
    NotRun,
    NoAnswer,
    Verdict(bool),
}

impl Refinement {
    /// A grid of this many points each way, begun with every `stride`-th and the last; the stride is made a power of two.
    pub fn new(size: Cell, stride: usize) -> Self {
        let stride = stride.max(1).next_power_of_two();
        Self {
            size,
            first: stride,
            stride,
            told: vec![Told::NotRun; size[0] * size[1]],
        }
    }

    /// Points to run now; none when the boundary is known. Tell what came of all of them with [`Refinement::set`] before asking again.
    pub fn wanted(&mut self) -> Vec<Cell> {
        loop {
            let mut wanted = Vec::new();
            for i in self.lines(0) {
                for j in self.lines(1) {
                    if self.needed(i, j) && !self.was_run([i, j]) {
                        wanted.push([i, j]);
                    }
                }
            }
            if !wanted.is_empty() {
                return wanted;
            }
            if self.stride == 1 {
                return wanted;
            }
            self.stride /= 2;
        }
    }

    /// Tells the verdict of a point that was run; none if the run has no answer.
    pub fn set(&mut self, cell: Cell, verdict: Option<bool>) {
        let place = self.place(cell);
        self.told[place] = verdict.map_or(Told::NoAnswer, Told::Verdict);
    }

    /// The verdict of a point, if it was run and has one.
    pub fn verdict(&self, cell: Cell) -> Option<bool> {
        match self.told[self.place(cell)] {
            Told::Verdict(verdict) => Some(verdict),
            Told::NotRun | Told::NoAnswer => None,
        }
    }

    /// Whether a point was run.
    pub fn was_run(&self, cell: Cell) -> bool {
        self.told[self.place(cell)] != Told::NotRun
    }

    /// The verdict of every point, row by row of the first coordinate: its own if it was run, or that of the nearest run point. None where
    /// no answer was found.
    pub fn all(&self) -> Vec<Option<bool>> {
        let run: Vec<Cell> = (0..self.size[0])
            .flat_map(|i| (0..self.size[1]).map(move |j| [i, j]))
            .filter(|cell| self.was_run(*cell))
            .collect();
        let far = |a: Cell, b: Cell| a[0].abs_diff(b[0]).max(a[1].abs_diff(b[1]));
        let mut all = Vec::with_capacity(self.told.len());
        for i in 0..self.size[0] {
            for j in 0..self.size[1] {
                // Of several as near, one with an answer.
                let key = |cell: &&Cell| (far(**cell, [i, j]), self.verdict(**cell).is_none());
                all.push(
                    run.iter()
                        .min_by_key(key)
                        .and_then(|cell| self.verdict(*cell)),
                );
            }
        }
        all
    }

    /// How many points were run.
    pub fn runs(&self) -> usize {
        self.told
            .iter()
            .filter(|told| **told != Told::NotRun)
            .count()
    }

    fn place(&self, [i, j]: Cell) -> usize {
        i * self.size[1] + j
    }

    /// Coordinates of the present grid: every stride-th, and the last.
    fn lines(&self, axis: usize) -> Vec<usize> {
        let size = self.size[axis];
        let mut lines: Vec<usize> = (0..size).step_by(self.stride).collect();
        if let (Some(&last), Some(end)) = (lines.last(), size.checked_sub(1))
            && last != end
        {
            lines.push(end);
        }
        lines
    }

    /// Whether the boundary may pass by a point of the present grid: run points within one coarser cell of it disagree, or some have a
    /// verdict and others no answer. The first grid is run whole.
    fn needed(&self, i: usize, j: usize) -> bool {
        if self.stride == self.first {
            return true;
        }
        let reach = 2 * self.stride;
        let [near_i, near_j] = [(i, self.size[0]), (j, self.size[1])]
            .map(|(at, size)| at.saturating_sub(reach)..(at + reach + 1).min(size));
        let [mut stands, mut falls, mut silent] = [false; 3];
        for k in near_i {
            for l in near_j.clone() {
                match self.told[self.place([k, l])] {
                    Told::Verdict(true) => falls = true,
                    Told::Verdict(false) => stands = true,
                    Told::NoAnswer => silent = true,
                    Told::NotRun => {}
                }
            }
        }
        // Where nothing has an answer, more runs will hardly have one.
        (stands && falls) || (silent && (stands || falls))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(
        size: Cell,
        stride: usize,
        inside: impl Fn(f64, f64) -> bool,
    ) -> (Refinement, Vec<Option<bool>>) {
        run_some(size, stride, |x, y| Some(inside(x, y)))
    }

    fn run_some(
        size: Cell,
        stride: usize,
        inside: impl Fn(f64, f64) -> Option<bool>,
    ) -> (Refinement, Vec<Option<bool>>) {
        let at = |[i, j]: Cell| inside(i as f64 / size[0] as f64, j as f64 / size[1] as f64);
        let mut grid = Refinement::new(size, stride);
        loop {
            let wanted = grid.wanted();
            if wanted.is_empty() {
                break;
            }
            for cell in wanted {
                assert!(!grid.was_run(cell), "asked twice");
                grid.set(cell, at(cell));
            }
        }
        let full = (0..size[0])
            .flat_map(|i| (0..size[1]).map(move |j| [i, j]))
            .map(at)
            .collect();
        (grid, full)
    }

    /// A hyperbola as overturning domains have it, a disc, and a straight line: all points right, with few runs.
    #[test]
    fn the_boundary_is_that_of_the_full_grid() {
        type Inside = fn(f64, f64) -> bool;
        let shapes: [Inside; 3] = [
            |x, y| (x + 0.02) * (y - 0.2) > 0.1,
            |x, y| (x - 0.5).powi(2) + (y - 0.5).powi(2) < 0.1,
            |x, y| x + 0.5 * y > 0.6,
        ];
        for inside in shapes {
            let (grid, full) = run([65, 49], 8, inside);
            assert_eq!(grid.all(), full);
            assert!(grid.runs() * 3 < full.len(), "{} runs", grid.runs());
        }
    }

    #[test]
    fn grids_that_strides_do_not_fit() {
        for size in [[1, 1], [2, 7], [10, 3], [13, 30]] {
            let (grid, full) = run(size, 4, |x, y| x * x + y * y > 0.5);
            assert_eq!(grid.all(), full, "{size:?}");
        }
    }

    /// Without a boundary the coarse grid is all.
    #[test]
    fn nothing_to_refine() {
        let (grid, full) = run([33, 33], 8, |_, _| false);
        assert_eq!(grid.all(), full);
        assert_eq!(grid.runs(), 25);
    }

    /// Points without an answer, coarse ones on the boundary among them, change nothing but themselves.
    #[test]
    fn points_without_an_answer_say_nothing_of_others() {
        let inside = |x: f64, y: f64| (x + 0.02) * (y - 0.2) > 0.1;
        for lost in [[16, 24], [24, 16], [32, 48], [0, 0], [64, 48], [17, 25]] {
            let point = [lost[0] as f64 / 65.0, lost[1] as f64 / 49.0];
            let (grid, full) =
                run_some([65, 49], 8, |x, y| ([x, y] != point).then(|| inside(x, y)));
            let differ = |(a, b): (&Option<bool>, &Option<bool>)| a != b;
            let wrong = grid.all().iter().zip(&full).filter(|p| differ(*p)).count();
            // One that was never asked for is known from its neighbours.
            assert_eq!(wrong, usize::from(!grid.was_run(lost)), "{lost:?}");
            assert!(grid.runs() * 2 < full.len(), "{} runs", grid.runs());
        }
        let (grid, full) = run_some([33, 33], 8, |_, _| None);
        assert_eq!(grid.all(), full);
        assert_eq!(grid.runs(), 25);
    }
}
