//! In which order atoms are computed, and which of them depend on themselves.

/// What a search has seen of a node.
const UNSEEN: u32 = u32::MAX;

/// The strongly connected components of a graph, each after those it depends on (Tarjan).
pub struct Components {
    /// Where each component begins, and one end more.
    first: Vec<u32>,
    nodes: Vec<u32>,
}

impl Components {
    /// Of the nodes `0..n`; `successors` tells what a node depends on.
    pub fn new<'s>(n: usize, successors: impl Fn(usize) -> &'s [u32]) -> Components {
        let mut found = Components { first: vec![0], nodes: Vec::with_capacity(n) };
        let mut index = vec![UNSEEN; n];
        let mut low = vec![0_u32; n];
        let mut is_open = vec![false; n];
        let (mut open, mut path, mut n_seen) = (Vec::new(), Vec::<(u32, u32)>::new(), 0);
        for root in 0..n {
            if index[root] != UNSEEN {
                continue;
            }
            path.push((root as u32, 0));
            while let Some(&mut (node, ref mut next)) = path.last_mut() {
                let at = node as usize;
                if *next == 0 {
                    index[at] = n_seen;
                    low[at] = n_seen;
                    n_seen += 1;
                    open.push(node);
                    is_open[at] = true;
                }
                if let Some(&successor) = successors(at).get(*next as usize) {
                    *next += 1;
                    let to = successor as usize;
                    if index[to] == UNSEEN {
                        path.push((successor, 0));
                    } else if is_open[to] {
                        low[at] = low[at].min(index[to]);
                    }
                    continue;
                }
                path.pop();
                if let Some(&(parent, _)) = path.last() {
                    low[parent as usize] = low[parent as usize].min(low[at]);
                }
                if low[at] == index[at] {
                    while let Some(member) = open.pop() {
                        is_open[member as usize] = false;
                        found.nodes.push(member);
                        if member == node {
                            break;
                        }
                    }
                    found.first.push(found.nodes.len() as u32);
                }
            }
        }
        found
    }

    /// The components in order.
    pub fn iter(&self) -> impl Iterator<Item = &[u32]> {
        self.first.windows(2).map(|pair| &self.nodes[pair[0] as usize..pair[1] as usize])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_depends_on_itself_is_one_component_after_what_it_needs() {
        let successors: [&[u32]; 6] = [&[1], &[2, 3], &[0], &[4], &[], &[3]];
        let components = Components::new(6, |node| successors[node]);
        let found: Vec<Vec<u32>> = components
            .iter()
            .map(|nodes| {
                let mut nodes = nodes.to_vec();
                nodes.sort_unstable();
                nodes
            })
            .collect();
        assert_eq!(found, [vec![4], vec![3], vec![0, 1, 2], vec![5]]);
    }
}
