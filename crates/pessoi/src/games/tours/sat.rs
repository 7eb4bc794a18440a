//! Finding, or proving that there is none, by a SAT solver.
//!
//! Each move is a variable: is it part of the tour? Every cell has exactly two, where an
//! open tour is closed through the *outside*, one cell more that is joined to its ends. What
//! satisfies this is a set of loops that cover the board. If it is one loop, it is a tour; if
//! not, each loop is *cut*: one of the moves that lead out of it must be taken, and the
//! solver goes on from where it was. There are exponentially many possible cuts, but few
//! are needed. When nothing satisfies the cells and the cuts, no tour exists: that is a
//! proof.
//!
//! Where a symmetry is to keep the tour, a move and all its images are one variable: all are part
//! of it or none. Nothing else changes, and there are fewer variables.
//!
//! The solver is `BatSat`, a descendant of `MiniSat` written in Rust.

use batsat::{Callbacks, Lit, Solver, SolverInterface, SolverOpts, Var, lbool};
use pessoi_engine::run::{Run, Stop};

use rustc_hash::FxHashMap;

use super::task::Task;

/// What the solver came to.
pub(super) enum Outcome {
    /// A tour, from number 1 on.
    Tour(Vec<u32>),
    /// There is none; so many cuts were needed to see it.
    None { cuts: u64 },
}

/// Whether the solver can be used: it does not know when a cell is visited.
pub(super) fn suits(task: &Task) -> bool {
    let needs_order = task.has_inner_clues() || (task.closed && task.is_numbered());
    !needs_order && task.len() > 2
}

/// Looks for a tour until one is found or proved not to exist.
pub(super) fn solve(task: &Task, run: &Run) -> Result<Outcome, Stop> {
    solve_by(Model::new(task, None, run), run)
}

/// Looks for a tour that a symmetry keeps: cell i goes to `image[i]`.
pub(super) fn solve_kept(task: &Task, image: &[u32], run: &Run) -> Result<Outcome, Stop> {
    solve_by(Model::new(task, Some(image), run), run)
}

fn solve_by(mut model: Model, run: &Run) -> Result<Outcome, Stop> {
    run.stage("solving by SAT", 0);
    let mut claim = run.claim();
    let mut cuts = 0;
    loop {
        run.tick(1)?;
        claim.grow_to(model.bytes())?;
        let result = model.solver.solve_limited(&[]);
        if result == lbool::FALSE {
            return Ok(Outcome::None { cuts });
        }
        if result != lbool::TRUE {
            // It stops undecided only when the run says so.
            run.check()?;
            return Err(Stop::Cancelled);
        }
        let loops = model.loops();
        if let [tour] = &loops[..] {
            return Ok(Outcome::Tour(model.numbered(tour)));
        }
        for inside in &loops {
            cuts += 1;
            model.cut(inside);
        }
    }
}

/// Asks the run whether to go on.
struct Watcher(Run);

impl Callbacks for Watcher {
    fn stop(&self) -> bool {
        self.0.check().is_err()
    }
}

struct Model<'t> {
    task: &'t Task,
    solver: Solver<Watcher>,
    /// For each cell, and last the outside: its moves as (other cell, variable).
    moves: Vec<Vec<(u32, Var)>>,
    literals: u64,
    /// What a symmetry that is to keep the tour does to the cells.
    image: Option<&'t [u32]>,
    /// With a symmetry, the variable of the least of all images of a move.
    orbits: FxHashMap<(u32, u32), Var>,
}

impl<'t> Model<'t> {
    fn new(task: &'t Task, image: Option<&'t [u32]>, run: &Run) -> Self {
        let n = task.len();
        let opts =
            SolverOpts { random_seed: run.budget().seed as f64 + 1.0, ..SolverOpts::default() };
        let solver = Solver::new(opts, Watcher(run.clone()));
        let (moves, orbits) = (vec![Vec::new(); n + 1], FxHashMap::default());
        let mut model = Model { task, solver, moves, literals: 0, image, orbits };
        for (a, b) in task.graph.edges() {
            model.join(a, b);
        }
        if !task.closed {
            let ends = [task.cell_of(1), task.cell_of(n)];
            let given: Vec<u32> = ends.into_iter().flatten().collect();
            for cell in 0..n as u32 {
                if given.len() < 2 || given.contains(&cell) {
                    let end = model.join(cell, n as u32);
                    if given.contains(&cell) {
                        model.clause(vec![Lit::new(end, true)]);
                    }
                }
            }
            model.at_most_two_ends();
        }
        for cell in 0..n {
            model.exactly_two(cell);
        }
        model
    }

    fn join(&mut self, a: u32, b: u32) -> Var {
        let orbit = self.orbit(a, b);
        let known = orbit.and_then(|orbit| self.orbits.get(&orbit).copied());
        let variable = known.unwrap_or_else(|| self.solver.new_var_default());
        if let Some(orbit) = orbit {
            self.orbits.insert(orbit, variable);
        }
        self.moves[a as usize].push((b, variable));
        self.moves[b as usize].push((a, variable));
        variable
    }

    /// The least of all images of a move; the outside goes to itself.
    fn orbit(&self, a: u32, b: u32) -> Option<(u32, u32)> {
        let image = self.image?;
        let to = |cell: u32| image.get(cell as usize).copied().unwrap_or(cell);
        let first = (a.min(b), a.max(b));
        let (mut least, mut at) = (first, first);
        loop {
            let (a, b) = (to(at.0), to(at.1));
            at = (a.min(b), a.max(b));
            if at == first {
                return Some(least);
            }
            least = least.min(at);
        }
    }

    fn clause(&mut self, mut literals: Vec<Lit>) {
        self.literals += literals.len() as u64;
        // Whether it is still satisfiable is asked of `solve_limited`.
        let _ = self.solver.add_clause_reuse(&mut literals);
    }

    /// About what the solver keeps of the clauses that it was given, twice over for what
    /// it learns.
    fn bytes(&self) -> u64 {
        2 * (8 * self.literals + 64 * u64::from(self.solver.num_vars()))
    }

    /// Of all moves but one, one is taken; of any three, one is not.
    fn exactly_two(&mut self, cell: usize) {
        let moves: Vec<Var> = self.moves[cell].iter().map(|&(_, variable)| variable).collect();
        for left_out in 0..moves.len().max(1) {
            let others = (0..moves.len()).filter(|&k| k != left_out);
            let literals = others.map(|k| Lit::new(moves[k], true)).collect();
            self.clause(literals);
        }
        for a in 0..moves.len() {
            for b in a + 1..moves.len() {
                for c in b + 1..moves.len() {
                    let literals = [a, b, c].map(|k| Lit::new(moves[k], false)).to_vec();
                    self.clause(literals);
                }
            }
        }
    }

    /// The outside has one move or two; since each loop meets it an even number of times,
    /// it has two. Counted by a chain: `one[k]` says that one of the first k is taken,
    /// `two[k]` that two are (Sinz 2005).
    fn at_most_two_ends(&mut self) {
        let outside = self.moves.len() - 1;
        let ends: Vec<Var> = self.moves[outside].iter().map(|&(_, variable)| variable).collect();
        self.clause(ends.iter().map(|&end| Lit::new(end, true)).collect());
        let mut before: Option<(Var, Var)> = None;
        for end in ends {
            let (one, two) = (self.solver.new_var_default(), self.solver.new_var_default());
            let is = |variable| Lit::new(variable, true);
            let not = |variable| Lit::new(variable, false);
            self.clause(vec![not(end), is(one)]);
            if let Some((one_before, two_before)) = before {
                self.clause(vec![not(one_before), is(one)]);
                self.clause(vec![not(two_before), is(two)]);
                self.clause(vec![not(end), not(one_before), is(two)]);
                self.clause(vec![not(end), not(two_before)]);
            }
            before = Some((one, two));
        }
    }

    /// The loops of the present solution, each as cells in order; the outside is a cell.
    fn loops(&self) -> Vec<Vec<u32>> {
        let is_taken = |variable| self.solver.value_var(variable) == lbool::TRUE;
        let mut seen = vec![false; self.moves.len()];
        if self.task.closed {
            seen[self.moves.len() - 1] = true;
        }
        let mut loops = Vec::new();
        for first in (0..self.moves.len() as u32).rev() {
            if seen[first as usize] {
                continue;
            }
            let mut cells = vec![first];
            seen[first as usize] = true;
            let mut at = first;
            while let Some(&(next, _)) = self.moves[at as usize]
                .iter()
                .find(|&&(to, variable)| !seen[to as usize] && is_taken(variable))
            {
                seen[next as usize] = true;
                cells.push(next);
                at = next;
            }
            loops.push(cells);
        }
        loops
    }

    /// Some move must lead out of these cells.
    fn cut(&mut self, inside: &[u32]) {
        let mut within = vec![false; self.moves.len()];
        for &cell in inside {
            within[cell as usize] = true;
        }
        let out = inside.iter().flat_map(|&cell| &self.moves[cell as usize]);
        let out = out.filter(|(to, _)| !within[*to as usize]);
        let literals = out.map(|&(_, variable)| Lit::new(variable, true)).collect();
        self.clause(literals);
    }

    /// A tour from number 1 on, without the outside.
    fn numbered(&self, tour: &[u32]) -> Vec<u32> {
        let outside = self.moves.len() as u32 - 1;
        // Loops begin at their highest cell: the outside, if it is there.
        let mut path: Vec<u32> = tour.iter().copied().filter(|&cell| cell != outside).collect();
        let ends = (path.first().copied(), path.last().copied());
        let first = self.task.cell_of(1);
        let last = self.task.cell_of(path.len());
        let wrong_way = (first.is_some() && first != ends.0) || (last.is_some() && last != ends.1);
        if wrong_way {
            path.reverse();
        }
        path
    }
}
