//! Reference tables: a rule laid out so that running it is reading numbers.
//!
//! The reference number before an input and the relation id of the input lead to the next reference number; reference numbers
//! lead to the places of conditions and results. Where permanent hypotheses were joined, one step may lead to several
//! reference numbers. Where the ids that agree with a reference number are few, they are written out as a row, and it is
//! asked which of them exist; otherwise the list of the input is read, as the paper does.

use crate::draft::{Draft, DraftLevel, Entry};
use crate::knowledge::{KnowledgeBase, Layout};
use std::ops::Range;

/// Numbers of a table, in the smallest width that fits.
pub(crate) trait Word: Copy + std::fmt::Debug + Send + Sync + 'static {
    fn new(number: u32) -> Self;
    fn get(self) -> u32;
}

impl Word for u16 {
    fn new(number: u32) -> u16 {
        number as u16
    }

    #[inline(always)]
    fn get(self) -> u32 {
        u32::from(self)
    }
}

impl Word for u32 {
    fn new(number: u32) -> u32 {
        number
    }

    #[inline(always)]
    fn get(self) -> u32 {
        self
    }
}

/// How the combinations of a level are gone through.
#[derive(Clone, Debug)]
enum Walk<W> {
    /// All that are written out for a reference number; with shared reference numbers, which one each leads to.
    Rows { first: Vec<W>, input: Vec<W>, to: Vec<W> },
    /// The ids of lists: the table has the next reference number plus one, 0 for fail.
    Direct { lists: Vec<u32>, place: u32, size: u32, table: Vec<W> },
    /// The ids of lists: the table says where the next reference numbers begin; if they are shared, which they are.
    Spread { lists: Vec<u32>, place: u32, size: u32, table: Vec<W>, to: Vec<W> },
}

#[derive(Clone, Debug)]
struct Level<W> {
    walk: Walk<W>,
    /// By reference number: places of positive conditions, of negative ones, and of the result if it is known here.
    records: Vec<W>,
    stride: usize,
    n_positive: usize,
    n_conditions: usize,
    /// The result was known before: one success is enough.
    is_once: bool,
}

/// The reference tables of a rule.
#[derive(Clone, Debug)]
pub(crate) struct Tables<W> {
    preconditions: [Vec<u32>; 2],
    levels: Vec<Level<W>>,
    result: Option<u32>,
}

/// The tables of a rule in one of two widths.
#[derive(Clone, Debug)]
pub(crate) enum RuleTables {
    Narrow(Tables<u16>),
    Wide(Tables<u32>),
}

/// What the choice of a walk is made by.
pub(crate) struct Expected<'a> {
    /// By literal: how many ids its lists have, on average.
    pub(crate) lengths: &'a [f64],
    /// By literal: its lists.
    pub(crate) lists: &'a [Vec<u32>],
    /// Whether the first input has to be read from its lists.
    pub(crate) is_triggered: bool,
    /// Whether the slower of two ways is wanted.
    pub(crate) is_worst: bool,
}

/// Times of Theorem 1 in relation to each other: to read an id and look it up, to test whether an id exists.
const TIME_TO_READ: f64 = 1.5;
const TIME_TO_TEST: f64 = 1.0;

/// The same as whole numbers, to count what is done.
const WORK_TO_READ: u64 = 3;
const WORK_TO_TEST: u64 = 2;

/// What a lookup in a table costs that does not fit into a cache (the paper's remark on Sheep and Wolf).
pub(crate) fn cache_factor(n_bytes: f64) -> f64 {
    match n_bytes {
        n if n > (8 << 20) as f64 => 6.0,
        n if n > (1 << 20) as f64 => 2.5,
        n if n > (128 << 10) as f64 => 1.5,
        _ => 1.0,
    }
}

/// No table of a list is larger than this.
const MOST_BYTES: u64 = 64 << 20;

impl RuleTables {
    pub(crate) fn new(mut draft: Draft, expected: &Expected<'_>) -> RuleTables {
        renumber(&mut draft.levels);
        let mut largest = draft.result.unwrap_or(0);
        for level in &draft.levels {
            largest = largest.max(level.records.iter().copied().max().unwrap_or(0));
            largest = largest.max(level.n_nodes as u32 + 1).max(level.entries.len() as u32);
            largest = largest.max(level.entries.iter().map(|entry| entry.1).max().unwrap_or(0));
        }
        match u16::try_from(largest) {
            Ok(_) => RuleTables::Narrow(Tables::new(draft, expected)),
            Err(_) => RuleTables::Wide(Tables::new(draft, expected)),
        }
    }

    /// The literals whose lists will be read.
    pub(crate) fn read_inputs(
        draft: &Draft,
        lengths: &[f64],
        is_triggered: bool,
        is_worst: bool,
    ) -> Vec<usize> {
        let mut inputs = Vec::new();
        let mut n_before = 1;
        for (at, level) in draft.levels.iter().enumerate() {
            if let Some(input) = level.input
                && is_list_read(&level.entries, n_before, lengths[input], at == 0 && is_triggered, is_worst)
            {
                inputs.push(input);
            }
            n_before = level.n_nodes;
        }
        inputs
    }

    /// Runs the rule.
    #[inline(always)]
    pub(crate) fn run<const COUNT: bool>(&self, base: &mut KnowledgeBase, layout: &Layout) {
        match self {
            RuleTables::Narrow(tables) => tables.run::<COUNT>(base, layout),
            RuleTables::Wide(tables) => tables.run::<COUNT>(base, layout),
        }
    }

    /// Runs the rule for what came to a list of its trigger.
    pub(crate) fn run_triggered<const COUNT: bool>(
        &self,
        base: &mut KnowledgeBase,
        layout: &Layout,
        list: u32,
        window: Range<u32>,
    ) {
        match self {
            RuleTables::Narrow(tables) => tables.run_triggered::<COUNT>(base, layout, list, window),
            RuleTables::Wide(tables) => tables.run_triggered::<COUNT>(base, layout, list, window),
        }
    }

    /// The lists that the first input reads.
    pub(crate) fn first_lists(&self) -> &[u32] {
        match self {
            RuleTables::Narrow(tables) => tables.first_lists(),
            RuleTables::Wide(tables) => tables.first_lists(),
        }
    }

    /// The memory it takes.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            RuleTables::Narrow(tables) => 2 * tables.n_words(),
            RuleTables::Wide(tables) => 4 * tables.n_words(),
        }
    }
}

/// Numbers references as their entries are sorted where each has one entry: then the entry is the reference number.
fn renumber(levels: &mut [DraftLevel]) {
    for at in 0..levels.len() {
        levels[at].entries.sort_unstable();
        let DraftLevel { entries, n_nodes, .. } = &levels[at];
        if entries.len() != *n_nodes {
            continue;
        }
        let stride = levels[at].stride();
        let mut numbers = vec![0; levels[at].n_nodes];
        let mut records = Vec::with_capacity(levels[at].records.len());
        for (number, entry) in levels[at].entries.iter_mut().enumerate() {
            let old = entry.2 as usize;
            records.extend_from_slice(&levels[at].records[old * stride..(old + 1) * stride]);
            numbers[old] = number as u32;
            entry.2 = number as u32;
        }
        levels[at].records = records;
        if let Some(later) = levels.get_mut(at + 1) {
            later.entries.iter_mut().for_each(|(before, ..)| *before = numbers[*before as usize]);
        }
    }
}

/// The least and the greatest place of an input.
fn range(entries: &[Entry]) -> (u32, u32) {
    entries.iter().fold((u32::MAX, 0), |(least, most), entry| (least.min(entry.1), most.max(entry.1)))
}

/// Whether the list of an input is read, or what is written out for each reference number.
fn is_list_read(entries: &[Entry], n_before: usize, length: f64, must_read: bool, is_worst: bool) -> bool {
    let (least, most) = range(entries);
    let n_bytes = 2 * n_before as u64 * u64::from(most - least + 1);
    let per_row = entries.len() as f64 / n_before as f64;
    let time_of_list = length * TIME_TO_READ * cache_factor(n_bytes as f64);
    let time_of_row = per_row * TIME_TO_TEST * cache_factor(4.0 * entries.len() as f64);
    must_read || ((time_of_list <= time_of_row) != is_worst && n_bytes <= MOST_BYTES)
}

fn words<W: Word>(numbers: impl Iterator<Item = u32>) -> Vec<W> {
    numbers.map(W::new).collect()
}

/// For each key below `n_keys` where its entries begin, and one end more.
fn firsts<W: Word>(entries: &[Entry], n_keys: usize, key: impl Fn(&Entry) -> usize) -> Vec<W> {
    let mut first = vec![0_u32; n_keys + 1];
    entries.iter().for_each(|entry| first[key(entry) + 1] += 1);
    let mut sum = 0;
    first.iter_mut().for_each(|count| {
        sum += *count;
        *count = sum;
    });
    words(first.into_iter())
}

impl<W: Word> Tables<W> {
    fn new(draft: Draft, expected: &Expected<'_>) -> Tables<W> {
        let mut levels = Vec::new();
        let mut n_before = 1;
        let mut is_known = draft.result.is_some();
        for level in draft.levels {
            let must_read = levels.is_empty() && expected.is_triggered;
            let n_nodes = level.n_nodes;
            let has_result = level.has_result;
            levels.push(Level::new(level, n_before, must_read, is_known, expected));
            is_known |= has_result;
            n_before = n_nodes;
        }
        Tables { preconditions: draft.preconditions, levels, result: draft.result }
    }

    #[inline(always)]
    fn is_blocked(&self, base: &KnowledgeBase) -> bool {
        let [positive, negative] = &self.preconditions;
        positive.iter().any(|&place| !base.exists(place))
            || negative.iter().any(|&place| base.exists(place))
            || self.result.is_some_and(|result| base.exists(result))
    }

    #[inline(always)]
    fn run<const COUNT: bool>(&self, base: &mut KnowledgeBase, layout: &Layout) {
        if self.is_blocked(base) {
            return;
        }
        let is_found = self.levels.is_empty() || visit::<W, COUNT>(&self.levels, 0, base, layout);
        if let Some(result) = self.result.filter(|_| is_found) {
            base.write(layout, result);
        }
    }

    fn run_triggered<const COUNT: bool>(
        &self,
        base: &mut KnowledgeBase,
        layout: &Layout,
        list: u32,
        window: Range<u32>,
    ) {
        if self.is_blocked(base) {
            return;
        }
        let [level, deeper @ ..] = &self.levels[..] else { return };
        let is_found = level.read::<COUNT>(deeper, list, window, 0, base, layout);
        if let Some(result) = self.result.filter(|_| is_found) {
            base.write(layout, result);
        }
    }

    fn first_lists(&self) -> &[u32] {
        match self.levels.first().map(|level| &level.walk) {
            Some(Walk::Direct { lists, .. } | Walk::Spread { lists, .. }) => lists,
            _ => &[],
        }
    }

    fn n_words(&self) -> usize {
        let walk = |walk: &Walk<W>| match walk {
            Walk::Rows { first, input, to } => first.len() + input.len() + to.len(),
            Walk::Direct { table, .. } => table.len(),
            Walk::Spread { table, to, .. } => table.len() + to.len(),
        };
        self.levels.iter().map(|level| walk(&level.walk) + level.records.len()).sum()
    }
}

impl<W: Word> Level<W> {
    fn new(
        level: DraftLevel,
        n_before: usize,
        must_read: bool,
        is_once: bool,
        expected: &Expected<'_>,
    ) -> Level<W> {
        let stride = level.stride();
        let DraftLevel { input, entries, n_nodes, records, n_positive, n_conditions, .. } = level;
        let is_shared = entries.len() != n_nodes;
        let to = || if is_shared { words(entries.iter().map(|entry| entry.2)) } else { Vec::new() };
        let rows = |input| Walk::Rows {
            first: firsts(&entries, n_before, |entry| entry.0 as usize),
            input,
            to: to(),
        };
        let walk = match input {
            None => rows(Vec::new()),
            Some(input) => {
                let (least, most) = range(&entries);
                let size = most - least + 1;
                if !is_list_read(&entries, n_before, expected.lengths[input], must_read, expected.is_worst) {
                    rows(words(entries.iter().map(|entry| entry.1)))
                } else {
                    let lists = expected.lists[input].clone();
                    let key = |entry: &Entry| entry.0 as usize * size as usize + (entry.1 - least) as usize;
                    let is_direct = entries.windows(2).all(|pair| key(&pair[0]) != key(&pair[1]));
                    let n_keys = n_before * size as usize;
                    if is_direct {
                        let mut table = vec![W::new(0); n_keys];
                        entries.iter().for_each(|entry| table[key(entry)] = W::new(entry.2 + 1));
                        Walk::Direct { lists, place: least, size, table }
                    } else {
                        let table = firsts(&entries, n_keys, key);
                        Walk::Spread { lists, place: least, size, table, to: to() }
                    }
                }
            }
        };
        let records = words(records.into_iter());
        Level { walk, records, stride, n_positive, n_conditions, is_once }
    }

    /// Goes on from a reference number; says whether the rule succeeded.
    #[inline(always)]
    fn node<const COUNT: bool>(
        &self,
        deeper: &[Level<W>],
        node: usize,
        base: &mut KnowledgeBase,
        layout: &Layout,
    ) -> bool {
        let record = &self.records[node * self.stride..][..self.stride];
        let (conditions, result) = record.split_at(self.n_conditions);
        let (positive, negative) = conditions.split_at(self.n_positive);
        for place in positive {
            base.count::<COUNT>(WORK_TO_TEST);
            if !base.exists(place.get()) {
                return false;
            }
        }
        for place in negative {
            base.count::<COUNT>(WORK_TO_TEST);
            if base.exists(place.get()) {
                return false;
            }
        }
        if let [result] = result {
            let result = result.get();
            if deeper.is_empty() {
                base.write(layout, result);
                return true;
            }
            if base.exists(result) || !visit::<W, COUNT>(deeper, node, base, layout) {
                return false;
            }
            base.write(layout, result);
            return true;
        }
        deeper.is_empty() || visit::<W, COUNT>(deeper, node, base, layout)
    }

    /// Reads a part of a list.
    #[inline(always)]
    fn read<const COUNT: bool>(
        &self,
        deeper: &[Level<W>],
        list: u32,
        window: Range<u32>,
        from: usize,
        base: &mut KnowledgeBase,
        layout: &Layout,
    ) -> bool {
        let mut is_found = false;
        let window = base.places_of(list, window);
        match &self.walk {
            Walk::Rows { .. } => unreachable!("rows have no lists"),
            Walk::Direct { place, size, table, .. } => {
                let table = &table[from * *size as usize..][..*size as usize];
                // What only has a result to write needs no look at a record.
                let has_result_only = deeper.is_empty() && self.stride == 1 && self.n_conditions == 0;
                for at in window {
                    base.count::<COUNT>(WORK_TO_READ);
                    let chi = base.read(at).wrapping_sub(*place);
                    let Some(next) = table.get(chi as usize) else { continue };
                    let next = next.get();
                    if has_result_only && next != 0 && !self.is_once {
                        base.write(layout, self.records[next as usize - 1].get());
                        is_found = true;
                    } else if next != 0 {
                        is_found |= self.node::<COUNT>(deeper, next as usize - 1, base, layout);
                        if is_found && self.is_once {
                            return true;
                        }
                    }
                }
            }
            Walk::Spread { place, size, table, to, .. } => {
                let table = &table[from * *size as usize..][..*size as usize + 1];
                for at in window {
                    base.count::<COUNT>(WORK_TO_READ);
                    let chi = base.read(at).wrapping_sub(*place);
                    if chi >= *size {
                        continue;
                    }
                    let (first, end) = (table[chi as usize].get(), table[chi as usize + 1].get());
                    for entry in first..end {
                        let node = if to.is_empty() { entry } else { to[entry as usize].get() };
                        is_found |= self.node::<COUNT>(deeper, node as usize, base, layout);
                        if is_found && self.is_once {
                            return true;
                        }
                    }
                }
            }
        }
        is_found
    }
}

/// Goes through the combinations of the first of some levels; says whether the rule succeeded.
fn visit<W: Word, const COUNT: bool>(
    levels: &[Level<W>],
    from: usize,
    base: &mut KnowledgeBase,
    layout: &Layout,
) -> bool {
    let [level, deeper @ ..] = levels else { unreachable!("there is a level to visit") };
    let mut is_found = false;
    match &level.walk {
        Walk::Rows { first, input, to } => {
            for entry in first[from].get()..first[from + 1].get() {
                base.count::<COUNT>(WORK_TO_TEST);
                if let Some(place) = input.get(entry as usize)
                    && !base.exists(place.get())
                {
                    continue;
                }
                let node = if to.is_empty() { entry } else { to[entry as usize].get() };
                is_found |= level.node::<COUNT>(deeper, node as usize, base, layout);
                if is_found && level.is_once {
                    return true;
                }
            }
        }
        Walk::Direct { lists, .. } | Walk::Spread { lists, .. } => {
            for &list in lists {
                // What comes to the list meanwhile is for the next time.
                let len = base.len(list);
                if len > 0 {
                    is_found |= level.read::<COUNT>(deeper, list, 0..len, from, base, layout);
                    if is_found && level.is_once {
                        return true;
                    }
                }
            }
        }
    }
    is_found
}
