//! The order of operations: cycles after what they need, equal operations together.

use crate::flow::{Flow, ValueOperation};
use crate::fuse::fuse;
use crate::shape::Shape;
use rustc_hash::FxHashMap;
use senet_circuit::Components;
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

/// A run is not continued with operations that were found so much later: their operands would wait long in memory.
const FARTHEST: u32 = 200;
/// Nor further than so many: values that are needed soon would wait for the others.
const LONGEST_RUN: usize = 24;

/// The values of loops, and of what they become.
pub(crate) type Loops = Vec<(u32, u32)>;

/// Operations, then a cycle.
pub(crate) struct Section {
    pub(crate) straight: Vec<ValueOperation>,
    /// Operations that depend on each other, and the loops among their values.
    pub(crate) cycle: Option<(Vec<ValueOperation>, Loops)>,
}

/// The operations of a part of a step, in order.
pub(crate) fn sections(flow: &Flow, operations: &[ValueOperation], n_reads: &[u32]) -> Vec<Section> {
    let ordered = |operations: Vec<ValueOperation>| in_runs(fuse(&operations, n_reads));
    let producer = producers(operations);
    let becomes: FxHashMap<u32, u32> =
        flow.loops.iter().filter_map(|(value, new)| Some((*value, *producer.get(new)?))).collect();
    if becomes.is_empty() {
        return vec![Section { straight: ordered(operations.to_vec()), cycle: None }];
    }
    let needed: Vec<Vec<u32>> = operations
        .iter()
        .map(|it| {
            let from = |value: u32| producer.get(&value).or_else(|| becomes.get(&value)).copied();
            it.operands.iter().copied().filter_map(from).collect()
        })
        .collect();
    let mut is_definition = vec![false; operations.len()];
    becomes.values().for_each(|&at| is_definition[at as usize] = true);
    let mut straights: Vec<Vec<ValueOperation>> = vec![Vec::new()];
    let mut cycles: Vec<(Vec<ValueOperation>, Loops)> = Vec::new();
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
            straights[earliest].push(operations[component[0] as usize].clone());
            continue;
        }
        let is_inside =
            |(_, new): &&(u32, u32)| producer.get(new).is_some_and(|at| component.binary_search(at).is_ok());
        let loops = flow.loops.iter().filter(is_inside).copied().collect();
        let body = ordered(component.iter().map(|&at| operations[at as usize].clone()).collect());
        cycles.push((body, loops));
        straights.push(Vec::new());
        component.iter().for_each(|&at| place[at as usize] = cycles.len());
    }
    let cycles = cycles.into_iter().map(Some).chain([None]);
    let sections = straights.into_iter().zip(cycles);
    sections.map(|(straight, cycle)| Section { straight: ordered(straight), cycle }).collect()
}

/// By value: the operation it is a result of.
fn producers(operations: &[ValueOperation]) -> FxHashMap<u32, u32> {
    let results =
        operations.iter().zip(0..).flat_map(|(it, at)| it.results.iter().map(move |it| (it.value, at)));
    results.collect()
}

/// Puts operations of the same shape next to each other as far as their operands allow.
fn in_runs(operations: Vec<ValueOperation>) -> Vec<ValueOperation> {
    let producer = producers(&operations);
    let mut n_missing = vec![0_u32; operations.len()];
    let mut users: Vec<Vec<u32>> = vec![Vec::new(); operations.len()];
    for (at, operation) in operations.iter().enumerate() {
        for value in &operation.operands {
            // What goes in circles goes through loops, which are given.
            if let Some(&from) = producer.get(value) {
                debug_assert!((from as usize) < at, "operands come first");
                users[from as usize].push(at as u32);
                n_missing[at] += 1;
            }
        }
    }
    let shapes: BTreeSet<Shape> = operations.iter().map(|it| it.shape).collect();
    let number: FxHashMap<Shape, usize> = shapes.into_iter().zip(0..).collect();
    let shape_of: Vec<usize> = operations.iter().map(|it| number[&it.shape]).collect();
    let mut ready: Vec<BinaryHeap<Reverse<u32>>> = vec![BinaryHeap::new(); number.len()];
    for at in (0..operations.len()).filter(|&at| n_missing[at] == 0) {
        ready[shape_of[at]].push(Reverse(at as u32));
    }
    let mut order = Vec::with_capacity(operations.len());
    loop {
        let first = ready.iter().enumerate().filter_map(|(shape, heap)| Some((heap.peek()?.0, shape))).min();
        let Some((first, shape)) = first else { break };
        for _ in 0..LONGEST_RUN {
            let Some(&Reverse(at)) = ready[shape].peek().filter(|at| at.0 <= first + FARTHEST) else { break };
            ready[shape].pop();
            order.push(at);
            for &user in &users[at as usize] {
                n_missing[user as usize] -= 1;
                if n_missing[user as usize] == 0 {
                    ready[shape_of[user as usize]].push(Reverse(user));
                }
            }
        }
    }
    debug_assert_eq!(order.len(), operations.len());
    let mut operations: Vec<Option<ValueOperation>> = operations.into_iter().map(Some).collect();
    order.into_iter().filter_map(|at| operations[at as usize].take()).collect()
}
