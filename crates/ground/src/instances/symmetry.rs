//! Whether two ways to satisfy a body can be the same instance.

use super::overlap::{clash, dynamic};
use crate::facts::FactStore;
use senet_rules::{Atom, Literal, Pattern, Rule, Substitution, VarSet};
use smallvec::SmallVec;

/// Whether two conditions may change places, at first sight.
pub(crate) fn is_symmetric(store: &FactStore, rule: &Rule) -> bool {
    let atoms: SmallVec<[_; 8]> = dynamic(store, rule).collect();
    // Where the head shows every variable, different values give different instances.
    let head = rule.head_vars();
    let mut is_shown = true;
    for (atom, _) in &atoms {
        atom.for_each_var(&mut |var| is_shown &= head.contains(var));
    }
    if is_shown {
        return false;
    }
    // A negated atom that cannot hold is left out, and its variables with it.
    let mut shown = head;
    atoms.iter().filter(|(_, is_positive)| *is_positive).for_each(|(atom, _)| {
        atom.for_each_var(&mut |var| shown.insert(var));
    });
    let mut is_lost = false;
    for (atom, _) in &atoms {
        atom.for_each_var(&mut |var| is_lost |= !shown.contains(var));
    }
    if is_lost {
        return true;
    }
    let is_pair =
        |at: usize, other: usize| atoms[at].1 == atoms[other].1 && !clash(atoms[at].0, atoms[other].0);
    (0..atoms.len()).any(|at| (at + 1..atoms.len()).any(|other| is_pair(at, other)))
}

/// Whether two different ways to satisfy the body can have the same head and the same positive
/// atoms. That takes longer to say: two copies of the body are made equal as sets, in every way
/// there is.
pub(crate) fn can_repeat(store: &FactStore, rule: &Rule) -> bool {
    let n_vars = rule.n_vars as u32;
    let copy = |atom: &Atom| atom.map_args(&mut |arg| arg.map_vars(&mut |var| Pattern::Var(var + n_vars)));
    let mut vars = VarSet::default();
    dynamic(store, rule).for_each(|(atom, _)| atom.for_each_var(&mut |var| vars.insert(var)));
    let atoms: Vec<Atom> =
        dynamic(store, rule).filter(|(_, is_positive)| *is_positive).map(|(atom, _)| atom.clone()).collect();
    let copies: Vec<Atom> = atoms.iter().map(copy).collect();
    let mut statics = Vec::new();
    for literal in &rule.body {
        if let Literal::Positive(atom) = literal
            && store.relations[atom.relation.index()].is_static()
        {
            statics.extend([atom.clone(), copy(atom)]);
        }
    }
    let mut values = Substitution::new(2 * rule.n_vars);
    for var in rule.head_vars().iter() {
        let _ = values.unify(&Pattern::Var(var), &Pattern::Var(var + n_vars), &store.terms);
    }
    let mut search = Search { store, sides: [&atoms, &copies], statics: &statics, n_vars, vars, n_steps: 0 };
    search.finds_repetition(0, &values)
}

struct Search<'a> {
    store: &'a FactStore,
    /// The positive dynamic atoms of the body, and the same with other variables.
    sides: [&'a [Atom]; 2],
    statics: &'a [Atom],
    n_vars: u32,
    /// The variables of instances.
    vars: VarSet,
    n_steps: usize,
}

impl Search<'_> {
    /// Whether values are left for which both sides are the same set and some variable is not the
    /// same. The first atoms are known to be on the other side.
    fn finds_repetition(&mut self, n_known: usize, values: &Substitution) -> bool {
        const MOST_STEPS: usize = 2000;
        self.n_steps += 1;
        if self.n_steps > MOST_STEPS {
            return true;
        }
        let is_same =
            |var| values.resolve(&Pattern::Var(var)) == values.resolve(&Pattern::Var(var + self.n_vars));
        if self.vars.iter().all(is_same) {
            return false;
        }
        let n_atoms = self.sides[0].len();
        if n_known == 2 * n_atoms {
            return true;
        }
        let [own, others] = if n_known < n_atoms { [0, 1] } else { [1, 0] };
        let atom = &self.sides[own][n_known % n_atoms];
        for other in self.sides[others].iter().filter(|other| other.relation == atom.relation) {
            let mut values = values.clone();
            let mut args = atom.args.iter().zip(&other.args);
            if args.all(|(left, right)| values.unify(left, right, &self.store.terms).is_ok())
                && self.statics.iter().all(|atom| self.may_hold(atom, &values))
                && self.finds_repetition(n_known + 1, &values)
            {
                return true;
            }
        }
        false
    }

    /// Whether each known argument of a static atom is somewhere in its column.
    fn may_hold(&self, atom: &Atom, values: &Substitution) -> bool {
        const MOST_ROWS: u32 = 1000;
        let table = &self.store.tables[self.store.table_of(atom).index()];
        table.len() > MOST_ROWS
            || atom.args.iter().enumerate().all(|(column, arg)| match values.resolve(arg) {
                Pattern::Ground(term) => (0..table.len()).any(|row| table.row(row)[column] == term),
                _ => true,
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lower::lower;

    /// Whether a rule for `next` with this body can have an instance twice.
    fn of_body(head: &str, body: &str) -> bool {
        let text = format!(
            "(role p) (legal p a) (goal p 1) (<= terminal (true end)) (init (at 1)) (init (pair 1 2))
            (<= (next (at ?x)) (true (at ?x))) (<= (next (pair ?x ?y)) (true (pair ?x ?y))) (<= (next {head}) {body})"
        );
        let description = senet_gdl::parse(&text);
        let program = senet_analysis::analyze(&description, false).program.expect("well-formed");
        let lowered = lower(&program, false);
        let rule = lowered.dynamic_rules.iter().max_by_key(|rule| rule.body.len()).expect("it is there");
        assert!(is_symmetric(&lowered.store, rule), "{body}");
        can_repeat(&lowered.store, rule)
    }

    #[test]
    fn what_may_change_places_repeats() {
        assert!(of_body("two", "(true (at ?x)) (true (at ?y))"));
        assert!(of_body("two", "(true (pair ?x ?y)) (true (pair ?y ?x))"));
        assert!(of_body("(at ?x)", "(true (pair ?x ?y)) (true (pair ?x ?z))"));
        // With a pair of the same twice: 1 1, 1 2, 2 1.
        assert!(of_body("(at ?x)", "(true (pair ?x ?y)) (true (pair ?y ?z)) (true (pair ?z ?x))"));
    }

    #[test]
    fn what_the_head_or_other_atoms_tell_apart_does_not() {
        assert!(!of_body("(at ?x)", "(true (at ?x)) (true (at ?y))"));
        assert!(!of_body("(at ?x)", "(true (pair ?x ?y)) (true (pair ?y ?z))"));
    }
}
