//! Groups of which each member alone is followed by one: turns and counters. That needs no look at other rules.

use crate::program::{AtomId, GroundProgram, Kind, MutexGroup};

/// Whether in all of these groups each member alone makes a rule fire that gives a member of the group in the next
/// state, or ends the game.
pub(super) fn are_handed_on(program: &GroundProgram, groups: &[MutexGroup], candidates: &[usize]) -> bool {
    let [fluents, nexts] = [Kind::True, Kind::Next].map(|kind| program.atoms_of(kind));
    let ends = program.atoms_of(Kind::Terminal);
    let mut is_last = vec![false; fluents.len()];
    let mut successors: Vec<(usize, usize)> = Vec::new();
    for (rule, &head) in program.rules.heads.iter().enumerate() {
        let head = head as usize;
        if !nexts.contains(&head) && !ends.contains(&head) {
            continue;
        }
        let &[only] = program.body(rule) else { continue };
        let atom = only.atom().index();
        if only.is_negative() || !fluents.contains(&atom) {
            continue;
        }
        if ends.contains(&head) {
            is_last[atom - fluents.start] = true;
        } else {
            successors.push((atom, head - nexts.start + fluents.start));
        }
    }
    successors.sort_unstable();
    candidates.iter().all(|&group| {
        let members = &groups[group].fluents;
        members.iter().all(|member| {
            let member = member.index();
            let begin = successors.partition_point(|&(before, _)| before < member);
            let mut after = successors[begin..].iter().take_while(|&&(before, _)| before == member);
            is_last[member - fluents.start]
                || after.any(|&(_, next)| members.binary_search(&AtomId::new(next)).is_ok())
        })
    })
}
