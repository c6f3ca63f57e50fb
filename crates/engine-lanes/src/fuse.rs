//! Operations that share operands or hand on their results are done in one go: less is read, written and looked up.

use crate::flow::{Flow, ValueOperation};
use crate::shape::{FOLDS, ODD, SUMS, Shape, in_order, permuted};
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

/// How often each value is read, from outside too.
pub(crate) fn count_reads(flow: &Flow) -> Vec<u32> {
    let mut n_reads = vec![0; flow.n_values];
    let operands = flow.parts.iter().flatten().flat_map(|it| it.operands.iter().copied());
    let loops = flow.loops.iter().flat_map(|&(value, new)| [value, new]);
    operands.chain(flow.outputs()).chain(loops).for_each(|value| n_reads[value as usize] += 1);
    n_reads
}

/// Fuses operations that are given in an order in which operands come first.
pub(crate) fn fuse(operations: &[ValueOperation], n_reads: &[u32]) -> Vec<ValueOperation> {
    let mut fusing = Fusing { fused: operations.iter().map(|it| Some(alone(it))).collect() };
    fusing.join_sums();
    fusing.join_folds(n_reads);
    fusing.fused.into_iter().flatten().collect()
}

/// An operation as it stands, the operands of a table in the order of the smallest one.
fn alone(operation: &ValueOperation) -> ValueOperation {
    let mut alone = operation.clone();
    if let Shape::Table(table) = operation.shape {
        let n = operation.operands.len();
        let (table, places) = in_order(table, n);
        alone.shape = Shape::Table(table);
        (0..n).for_each(|at| alone.operands[places[at]] = operation.operands[at]);
    }
    alone
}

struct Fusing {
    /// By place of an operation; nothing where it was fused with another one.
    fused: Vec<Option<ValueOperation>>,
}

impl Fusing {
    /// Sums and carries of the same three operands.
    fn join_sums(&mut self) {
        let mut known: FxHashMap<[u32; 3], usize> = FxHashMap::default();
        for at in 0..self.fused.len() {
            let Some(ValueOperation { shape: Shape::Table(table), operands, .. }) = &self.fused[at] else {
                continue;
            };
            let is_carry = SUMS.contains(table);
            if !is_carry && *table != ODD {
                continue;
            }
            let mut key = [operands[0], operands[1], operands[2]];
            key.sort_unstable();
            let Some(&first) = known.get(&key) else {
                known.insert(key, at);
                continue;
            };
            let is_other =
                |fused: &ValueOperation| matches!(fused.shape, Shape::Table(it) if (it == ODD) == is_carry);
            if self.fused[first].as_ref().is_some_and(is_other) {
                let second = self.fused[at].take().expect("it is there");
                let first = self.fused[first].as_mut().expect("it is there");
                let (odd, carry) = if is_carry { (&*first, &second) } else { (&second, &*first) };
                let Shape::Table(table) = carry.shape else { unreachable!("both are tables") };
                *first = ValueOperation {
                    shape: Shape::Sum(table),
                    operands: carry.operands.clone(),
                    results: smallvec![odd.results[0], carry.results[0]],
                };
            }
        }
    }

    /// Operations with the same table, each of which reads what nobody else reads of the one before.
    fn join_folds(&mut self, n_reads: &[u32]) {
        let mut producer: FxHashMap<u32, usize> = FxHashMap::default();
        for at in 0..self.fused.len() {
            let Some(fused) = &self.fused[at] else { continue };
            let joined = self.longest_fold(fused, &producer);
            let result = fused.results[0];
            if let Some((from, longer)) = joined {
                self.fused[from] = None;
                self.fused[at] = Some(longer);
            }
            let is_handed_on = n_reads[result.value as usize] == 1 && result.next_fluent.is_none();
            if is_handed_on {
                producer.insert(result.value, at);
            }
        }
    }

    /// The longest fold that ends with an operation, and the place of the one it continues.
    fn longest_fold(
        &self,
        last: &ValueOperation,
        producer: &FxHashMap<u32, usize>,
    ) -> Option<(usize, ValueOperation)> {
        let Shape::Table(table) = last.shape else { return None };
        if last.operands.len() < 3 {
            return None;
        }
        let joined = last.operands.iter().enumerate().filter_map(|(place, value)| {
            let from = *producer.get(value)?;
            let (table, terms) = continued(table, &last.operands, place)?;
            let begin = as_fold(self.fused[from].as_ref()?, table)?;
            let operands = begin.iter().copied().chain(terms).collect::<SmallVec<[u32; 4]>>();
            let shape = Shape::Fold { table, n_terms: (operands.len() / 2) as u32 };
            Some((from, ValueOperation { shape, operands, results: last.results.clone() }))
        });
        joined.max_by_key(|(_, fused)| fused.operands.len())
    }
}

/// The table with what there is as the first operand, and the two others, if that is a fold.
fn continued(table: u8, operands: &[u32], place: usize) -> Option<(u8, [u32; 2])> {
    let others = [(1, 2), (0, 2), (0, 1)][place];
    let places = [[0, 1, 2], [1, 0, 2], [1, 2, 0]][place];
    let (one, other) = (operands[others.0], operands[others.1]);
    let plain = permuted(table, places);
    let swapped = permuted(plain, [0, 2, 1]);
    let (table, terms) = if plain <= swapped { (plain, [one, other]) } else { (swapped, [other, one]) };
    FOLDS.contains(&table).then_some((table, terms))
}

/// The operands of an operation as a fold with a table.
fn as_fold(fused: &ValueOperation, wanted: u8) -> Option<SmallVec<[u32; 4]>> {
    match fused.shape {
        Shape::Fold { table, .. } => (table == wanted).then(|| fused.operands.clone()),
        Shape::Table(table) if fused.operands.len() == 3 => (0..3).find_map(|place| {
            let (table, terms) = continued(table, &fused.operands, place)?;
            (table == wanted).then(|| smallvec![fused.operands[place], terms[0], terms[1]])
        }),
        _ => None,
    }
}
