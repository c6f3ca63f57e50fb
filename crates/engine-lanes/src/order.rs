//! The order of operations: cycles after what they need, equal operations together.

use crate::flow::{Flow, ValueOperation};
use rustc_hash::FxHashMap;
use senet_circuit::Components;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A run is not continued with operations that were found so much later: their operands would wait long in memory.
const FARTHEST: u32 = 200;
/// Nor further than so many: values that are needed soon would wait for the others.
const LONGEST_RUN: usize = 24;

/// The values of loops, and of what they become.
pub(crate) type Loops = Vec<(u32, u32)>;

/// Operations, then a cycle.
#[derive(Default)]
pub(crate) struct Section {
    pub(crate) straight: Vec<ValueOperation>,
    /// Operations that depend on each other, and the loops among their values.
    pub(crate) cycle: Option<(Vec<ValueOperation>, Loops)>,
}

/// The operations of a part of a step, in order.
pub(crate) fn sections(flow: &Flow, operations: &[ValueOperation]) -> Vec<Section> {
    let operations: Vec<ValueOperation> = operations.iter().map(canonical).collect();
    let producer: FxHashMap<u32, u32> = operations.iter().map(|it| it.result).zip(0..).collect();
    let becomes: FxHashMap<u32, u32> =
        flow.loops.iter().filter_map(|(value, new)| Some((*value, *producer.get(new)?))).collect();
    let mut sections: Vec<Section> = vec![Section::default()];
    if becomes.is_empty() {
        sections[0].straight = in_runs(operations);
        return sections;
    }
    let needed: Vec<Vec<u32>> = operations
        .iter()
        .map(|it| {
            let operands = it.operands[..it.n_operands as usize].iter();
            operands.filter_map(|value| producer.get(value).or_else(|| becomes.get(value))).copied().collect()
        })
        .collect();
    let mut is_definition = vec![false; operations.len()];
    becomes.values().for_each(|&at| is_definition[at as usize] = true);
    let mut n_cycles = 0;
    // By operation: after how many cycles it can be computed.
    let mut place = vec![0; operations.len()];
    for component in Components::new(operations.len(), |at| &needed[at]).iter() {
        let mut component = component.to_vec();
        component.sort_unstable();
        let is_cycle = component.iter().any(|&at| is_definition[at as usize]);
        let earliest = component
            .iter()
            .flat_map(|&at| &needed[at as usize])
            .map(|&at| place[at as usize])
            .max()
            .unwrap_or(0);
        if !is_cycle {
            place[component[0] as usize] = earliest;
            sections[earliest].straight.push(operations[component[0] as usize]);
            continue;
        }
        let is_inside =
            |(_, new): &&(u32, u32)| producer.get(new).is_some_and(|at| component.binary_search(at).is_ok());
        let loops = flow.loops.iter().filter(is_inside).copied().collect();
        let body = in_runs(component.iter().map(|&at| operations[at as usize]).collect());
        sections[n_cycles].cycle = Some((body, loops));
        sections.push(Section::default());
        n_cycles += 1;
        component.iter().for_each(|&at| place[at as usize] = n_cycles);
    }
    for section in &mut sections {
        section.straight = in_runs(std::mem::take(&mut section.straight));
    }
    sections
}

/// Puts operations with the same table next to each other as far as their operands allow.
fn in_runs(operations: Vec<ValueOperation>) -> Vec<ValueOperation> {
    let producer: FxHashMap<u32, u32> = operations.iter().map(|it| it.result).zip(0..).collect();
    let mut n_missing = vec![0_u32; operations.len()];
    let mut users: Vec<Vec<u32>> = vec![Vec::new(); operations.len()];
    for (at, operation) in operations.iter().enumerate() {
        for value in &operation.operands[..operation.n_operands as usize] {
            // An operand inside a cycle may be computed later: it is the value of the last time.
            if let Some(&from) = producer.get(value)
                && (from as usize) < at
            {
                users[from as usize].push(at as u32);
                n_missing[at] += 1;
            }
        }
    }
    let mut ready: Vec<BinaryHeap<Reverse<u32>>> = vec![BinaryHeap::new(); 256];
    for (at, operation) in operations.iter().enumerate() {
        if n_missing[at] == 0 {
            ready[operation.table as usize].push(Reverse(at as u32));
        }
    }
    let mut order = Vec::with_capacity(operations.len());
    loop {
        let first = ready.iter().enumerate().filter_map(|(table, heap)| Some((heap.peek()?.0, table))).min();
        let Some((first, table)) = first else { break };
        for _ in 0..LONGEST_RUN {
            let Some(&Reverse(at)) = ready[table].peek().filter(|at| at.0 <= first + FARTHEST) else { break };
            ready[table].pop();
            order.push(operations[at as usize]);
            for &user in &users[at as usize] {
                n_missing[user as usize] -= 1;
                if n_missing[user as usize] == 0 {
                    ready[operations[user as usize].table as usize].push(Reverse(user));
                }
            }
        }
    }
    order
}

/// With its operands in the order that gives the smallest table; missing operands repeat the first.
fn canonical(operation: &ValueOperation) -> ValueOperation {
    const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    let mut operation = *operation;
    if operation.n_operands == 0 {
        return operation;
    }
    let first = operation.operands[0];
    operation.operands[operation.n_operands as usize..].fill(first);
    operation.n_operands = 3;
    // Operand `j` goes to place `order[j]`.
    let permuted = |order: [usize; 3]| {
        (0..8).fold(0_u8, |table, row: usize| {
            let source = (0..3).fold(0, |source, at| source | (row >> order[at] & 1) << at);
            table | (operation.table >> source & 1) << row
        })
    };
    let (table, order) =
        ORDERS.iter().map(|&order| (permuted(order), order)).min().expect("there are six orders");
    let mut operands = [0; 3];
    order.iter().zip(operation.operands).for_each(|(&place, value)| operands[place] = value);
    ValueOperation { table, operands, ..operation }
}
