//! The boundary of a domain on a grid, without running all of the grid.

/// A point of a grid.
pub type Cell = [usize; 2];

/// Which points of a grid to run next so that the boundary between verdicts is known on all of it.
///
/// Runs begin on a coarse grid. Wherever the corners of a coarse cell disagree, its middles are asked for, until cells are those of
/// the full grid; neighbours of such cells are asked for as well, since the boundary may leave through an edge whose ends agree. A
/// point that is never asked for lies in a cell whose corners, and whose neighbours' corners, all agree, and has their verdict.
/// Islands smaller than a coarse cell can be missed.
#[derive(Debug, Clone)]
pub struct Refinement {
    size: Cell,
    first: usize,
    stride: usize,
    verdicts: Vec<Option<bool>>,
}

impl Refinement {
    /// A grid of this many points each way, begun with every `stride`-th and the last; the stride is made a power of two.
    pub fn new(size: Cell, stride: usize) -> Self {
        let stride = stride.max(1).next_power_of_two();
        Self {
            size,
            first: stride,
            stride,
            verdicts: vec![None; size[0] * size[1]],
        }
    }

    /// Points to run now; none when the boundary is known. Give all their verdicts with [`Refinement::set`] before asking again.
    pub fn wanted(&mut self) -> Vec<Cell> {
        loop {
            let mut wanted = Vec::new();
            for i in self.lines(0) {
                for j in self.lines(1) {
                    if self.needed(i, j) && self.verdict([i, j]).is_none() {
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

    /// Tells the verdict of a point.
    pub fn set(&mut self, cell: Cell, verdict: bool) {
        let place = self.place(cell);
        self.verdicts[place] = Some(verdict);
    }

    /// The verdict of a point that was run.
    pub fn verdict(&self, cell: Cell) -> Option<bool> {
        self.verdicts[self.place(cell)]
    }

    /// The verdict of every point, row by row of the first coordinate: run, or that of the nearest run point.
    pub fn all(&self) -> Vec<bool> {
        let known: Vec<(Cell, bool)> = (0..self.size[0])
            .flat_map(|i| (0..self.size[1]).map(move |j| [i, j]))
            .filter_map(|cell| Some((cell, self.verdict(cell)?)))
            .collect();
        let far = |a: Cell, b: Cell| a[0].abs_diff(b[0]).max(a[1].abs_diff(b[1]));
        let mut all = Vec::with_capacity(self.verdicts.len());
        for i in 0..self.size[0] {
            for j in 0..self.size[1] {
                let nearest = known.iter().min_by_key(|(cell, _)| far(*cell, [i, j]));
                all.push(nearest.is_some_and(|(_, verdict)| *verdict));
            }
        }
        all
    }

    /// How many points were run.
    pub fn runs(&self) -> usize {
        self.verdicts.iter().flatten().count()
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

    /// Whether the boundary may pass by a point of the present grid: run points within one coarser cell of it disagree. The first grid
    /// is run whole.
    fn needed(&self, i: usize, j: usize) -> bool {
        if self.stride == self.first {
            return true;
        }
        let reach = 2 * self.stride;
        let [near_i, near_j] = [(i, self.size[0]), (j, self.size[1])]
            .map(|(at, size)| at.saturating_sub(reach)..(at + reach + 1).min(size));
        let mut seen = [false; 2];
        for k in near_i {
            for l in near_j.clone() {
                if let Some(verdict) = self.verdict([k, l]) {
                    seen[usize::from(verdict)] = true;
                }
            }
        }
        seen == [true; 2]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(
        size: Cell,
        stride: usize,
        inside: impl Fn(f64, f64) -> bool,
    ) -> (Refinement, Vec<bool>) {
        let at = |[i, j]: Cell| inside(i as f64 / size[0] as f64, j as f64 / size[1] as f64);
        let mut grid = Refinement::new(size, stride);
        loop {
            let wanted = grid.wanted();
            if wanted.is_empty() {
                break;
            }
            for cell in wanted {
                assert_eq!(grid.verdict(cell), None, "asked twice");
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
}
