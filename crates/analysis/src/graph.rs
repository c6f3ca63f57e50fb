//! Strongly connected components, without recursion.

/// A directed graph on dense numbers.
#[derive(Clone, Debug)]
pub struct Graph {
    first_edge: Vec<u32>,
    targets: Vec<u32>,
    /// The place of each edge among those that the graph was made of.
    numbers: Vec<u32>,
}

impl Graph {
    /// The graph of these edges.
    pub fn new(n_nodes: usize, edges: impl Iterator<Item = (usize, usize)> + Clone) -> Self {
        let mut first_edge = vec![0u32; n_nodes + 1];
        edges.clone().for_each(|(from, _)| first_edge[from + 1] += 1);
        for node in 0..n_nodes {
            first_edge[node + 1] += first_edge[node];
        }
        let mut next_free = first_edge.clone();
        let mut targets = vec![0u32; first_edge[n_nodes] as usize];
        let mut numbers = targets.clone();
        for (number, (from, to)) in edges.enumerate() {
            let free = &mut next_free[from];
            targets[*free as usize] = to as u32;
            numbers[*free as usize] = number as u32;
            *free += 1;
        }
        Self { first_edge, targets, numbers }
    }

    pub(crate) fn n_nodes(&self) -> usize {
        self.first_edge.len() - 1
    }

    /// The targets of the edges from `node`, in the order they were given.
    pub(crate) fn targets(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        self.edges(node).map(|edge| self.targets[edge] as usize)
    }

    /// The numbers of the edges from `node`: their places among those that the graph was made of.
    pub(crate) fn numbers(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        self.edges(node).map(|edge| self.numbers[edge] as usize)
    }

    fn edges(&self, node: usize) -> std::ops::Range<usize> {
        self.first_edge[node] as usize..self.first_edge[node + 1] as usize
    }

    /// Which nodes can be reached from `sources`.
    pub(crate) fn reachable(&self, sources: impl IntoIterator<Item = usize>) -> Vec<bool> {
        let mut is_reached = vec![false; self.n_nodes()];
        let mut pending: Vec<usize> = sources.into_iter().collect();
        pending.iter().for_each(|&node| is_reached[node] = true);
        while let Some(node) = pending.pop() {
            for target in self.targets(node) {
                if !std::mem::replace(&mut is_reached[target], true) {
                    pending.push(target);
                }
            }
        }
        is_reached
    }

    /// Which nodes lead to `goal` by at least one edge. `components` are those of this graph.
    pub(crate) fn leading_to(&self, goal: usize, components: &Components) -> Vec<bool> {
        let mut leads = vec![false; self.n_nodes()];
        for members in components.members() {
            let leaves = |&member: &usize| self.targets(member).any(|target| target == goal || leads[target]);
            if members.iter().any(leaves) {
                members.iter().for_each(|&member| leads[member] = true);
            }
        }
        leads
    }

    /// Tarjan's algorithm.
    pub fn components(&self) -> Components {
        const UNSEEN: u32 = u32::MAX;
        let mut found = Components {
            of_node: vec![UNSEEN; self.n_nodes()],
            nodes: Vec::with_capacity(self.n_nodes()),
            ends: Vec::with_capacity(self.n_nodes()),
        };
        let mut order = vec![UNSEEN; self.n_nodes()];
        let mut low = vec![0u32; self.n_nodes()];
        let mut n_seen = 0;
        let mut stack = Vec::new();
        let mut path: Vec<(usize, std::ops::Range<usize>)> = Vec::new();
        for root in 0..self.n_nodes() {
            if order[root] != UNSEEN {
                continue;
            }
            let mut entered = Some(root);
            loop {
                if let Some(node) = entered.take() {
                    order[node] = n_seen;
                    low[node] = n_seen;
                    n_seen += 1;
                    stack.push(node);
                    path.push((node, self.edges(node)));
                }
                let Some((node, edges)) = path.last_mut() else { break };
                let node = *node;
                if let Some(edge) = edges.next() {
                    let target = self.targets[edge] as usize;
                    if order[target] == UNSEEN {
                        entered = Some(target);
                    } else if found.of_node[target] == UNSEEN {
                        low[node] = low[node].min(order[target]);
                    }
                    continue;
                }
                path.pop();
                if let Some(&(parent, _)) = path.last() {
                    low[parent] = low[parent].min(low[node]);
                }
                if low[node] == order[node] {
                    let at =
                        stack.iter().rposition(|&member| member == node).expect("the root is on the stack");
                    let component = found.len() as u32;
                    stack[at..].iter().for_each(|&member| found.of_node[member] = component);
                    found.nodes.extend(stack.drain(at..));
                    found.ends.push(found.nodes.len());
                }
            }
        }
        found
    }
}

/// The strongly connected components of a graph, each after those it leads to.
#[derive(Clone, Debug)]
pub struct Components {
    of_node: Vec<u32>,
    /// The members of all components, and where those of each end.
    nodes: Vec<usize>,
    ends: Vec<usize>,
}

impl Components {
    /// The number of the component of a node.
    pub fn of(&self, node: usize) -> usize {
        self.of_node[node] as usize
    }

    pub(crate) fn are_together(&self, left: usize, right: usize) -> bool {
        self.of_node[left] == self.of_node[right]
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The members of each component; a component that can be reached from another comes before it.
    pub fn members(&self) -> impl Iterator<Item = &[usize]> {
        let mut start = 0;
        self.ends.iter().map(move |&end| &self.nodes[std::mem::replace(&mut start, end)..end])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn components(n_nodes: usize, edges: &[(usize, usize)]) -> Vec<Vec<usize>> {
        let components = Graph::new(n_nodes, edges.iter().copied()).components();
        let mut members: Vec<_> = components.members().map(<[usize]>::to_vec).collect();
        members.iter_mut().for_each(|members| members.sort_unstable());
        members
    }

    #[test]
    fn components_come_after_what_they_lead_to() {
        assert_eq!(
            components(5, &[(0, 1), (1, 2), (2, 0), (2, 3), (4, 0)]),
            [vec![3], vec![0, 1, 2], vec![4]]
        );
        assert_eq!(components(3, &[(0, 0), (1, 2), (2, 1)]), [vec![0], vec![1, 2]]);
    }

    #[test]
    fn a_long_chain_needs_no_stack() {
        let n_nodes = 1_000_000;
        let chain: Vec<_> = (1..n_nodes).map(|node| (node - 1, node)).collect();
        assert_eq!(components(n_nodes, &chain).len(), n_nodes);
        let ring: Vec<_> = (0..n_nodes).map(|node| (node, (node + 1) % n_nodes)).collect();
        assert_eq!(components(n_nodes, &ring).len(), 1);
    }

    #[test]
    fn reachable_nodes() {
        let graph = Graph::new(4, [(0, 1), (1, 2), (3, 0)].into_iter());
        assert_eq!(graph.reachable([1]), [false, true, true, false]);
    }

    #[test]
    fn nodes_lead_to_a_goal_by_an_edge() {
        let graph = Graph::new(5, [(0, 1), (1, 2), (3, 0), (2, 4), (4, 2)].into_iter());
        let leading_to = |goal| graph.leading_to(goal, &graph.components());
        assert_eq!(leading_to(1), [true, false, false, true, false]);
        assert_eq!(leading_to(2), [true, true, true, true, true]);
    }
}
