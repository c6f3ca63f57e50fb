//! Relations with a value for each pair of neighbouring rows or columns: `(wall ?lane ?row ?side)`.

use super::group::Group;
use crate::table::Table;

/// How a relation lies between the rows or columns of boards. Numbers are those of columns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct GapReading {
    /// The columns that distinguish the boards.
    pub(crate) index: Vec<usize>,
    /// The row or column before the gap.
    pub(crate) before: usize,
    /// Whether the gaps are between rows.
    pub(crate) is_between_rows: bool,
    pub(crate) contents: Vec<usize>,
}

/// The gaps between rows or columns of a group, if a relation always has a value for each.
pub(super) fn read_gaps(table: &Table, group: &Group) -> Option<GapReading> {
    let n_columns = table.columns.len();
    if n_columns < group.index.len() + 2 || group.index.len() > 1 {
        return None;
    }
    let index_column = |values: &Vec<String>| {
        (0..n_columns).find(|&column| {
            let own = &table.columns[column].values;
            own.len() == values.len() && own.iter().all(|value| values.contains(value))
        })
    };
    let index = group.index.iter().map(index_column).collect::<Option<Vec<_>>>()?;
    let candidates = (0..n_columns).filter(|column| !index.contains(column));
    let mut ways = candidates.flat_map(|column| [(column, true), (column, false)]);
    ways.find_map(|(before, is_between_rows)| {
        let axis = table.columns[before].axis.as_ref()?;
        let lines = if is_between_rows { &group.rows } else { &group.columns };
        let is_one_shorter =
            axis.is_like(lines) && axis.len() + 1 == lines.len() && lines.index(&axis.values()[0]) == Some(0);
        let key = [index.as_slice(), &[before]].concat();
        let contents: Vec<usize> = (0..n_columns).filter(|column| !key.contains(column)).collect();
        (is_one_shorter && table.is_exact_key(&key) && table.is_complete(&key)).then(|| GapReading {
            index: index.clone(),
            before,
            is_between_rows,
            contents,
        })
    })
}
