//! All views of tables, and the ways in which whole rows are found.

use super::direct::NONE;
use super::index::Index;
use super::table::{Table, TableId};
use super::view::{LEAF, View, has_shape, shape_of};
use senet_rules::{Atom, Pattern};
use senet_terms::{Functor, Terms};
use smallvec::SmallVec;
use std::cell::{Cell, RefCell};

/// How a whole row is found.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Way {
    /// By arithmetic.
    Direct,
    /// By an index on all columns.
    Index(u32),
    /// In the table itself.
    Table,
}

senet_ids::define_id! {
    /// A view of a table.
    pub(crate) struct ViewId;
}

/// All views, each table and shape once.
#[derive(Debug, Default)]
pub(crate) struct Views {
    views: Vec<View>,
    /// By table: its views, each with the beginning of its shape.
    of_table: Vec<Vec<(Functor, ViewId)>>,
}

impl Views {
    /// The view through which an atom looks at its table.
    pub(crate) fn view(&mut self, table: TableId, atom: &Atom) -> ViewId {
        if self.of_table.len() <= table.index() {
            self.of_table.resize(table.index() + 1, Vec::new());
        }
        let first = match atom.args.first() {
            Some(Pattern::App(functor, _)) => *functor,
            _ => LEAF,
        };
        let of_table = &mut self.of_table[table.index()];
        let known = of_table.iter().find(|&&(known, view)| {
            known == first && has_shape(&atom.args, &mut self.views[view.index()].shape.as_slice())
        });
        if let Some((_, view)) = known {
            return *view;
        }
        let view = ViewId::new(self.views.len());
        of_table.push((first, view));
        let shape = shape_of(atom);
        let width = shape.iter().filter(|&&functor| functor == LEAF).count();
        self.views.push(View {
            table,
            is_plain: width == shape.len(),
            shape,
            width,
            rows: Vec::new(),
            fact: Vec::new(),
            synced: 0,
            indexes: Vec::new(),
            n_scans: 0,
            direct: None,
            not_direct: NONE,
            distinct: vec![Cell::new(None); width],
            distinct_rows: RefCell::default(),
        });
        view
    }

    #[inline]
    pub(crate) fn get(&self, view: ViewId) -> &View {
        &self.views[view.index()]
    }

    pub(crate) fn sync(&mut self, view: ViewId, tables: &[Table], terms: &Terms) {
        let view = &mut self.views[view.index()];
        view.sync(&tables[view.table.index()], terms);
    }

    /// Makes the next counts exact: what is decided by them does not depend on how the facts were
    /// derived.
    pub(crate) fn forget_counts(&mut self) {
        self.views.iter().flat_map(|view| &view.distinct).for_each(|count| count.set(None));
    }

    /// The index of a view on columns for one single use, if there is one or if it is time to make
    /// one.
    pub(crate) fn index_for_once(
        &mut self,
        view: ViewId,
        tables: &[Table],
        n_terms: usize,
        columns: &[u32],
    ) -> Option<usize> {
        /// An index is made in the time of about so many passes.
        const FEW: u32 = 8;
        let own = &mut self.views[view.index()];
        let is_known = own.indexes.iter().any(|index| index.columns == columns);
        own.n_scans += u32::from(!is_known);
        (is_known || own.n_scans > FEW).then(|| self.index(view, tables, n_terms, columns))
    }

    /// The index of a view on columns, made now if there is none.
    pub(crate) fn index(&mut self, view: ViewId, tables: &[Table], n_terms: usize, columns: &[u32]) -> usize {
        let view = &mut self.views[view.index()];
        if let Some(known) = view.indexes.iter().position(|index| index.columns == columns) {
            return known;
        }
        let columns_of = columns.iter().map(|&column| column as usize);
        let can_be_placed =
            Index::can_be_placed(view.len(), || view.combinations(tables, columns_of, n_terms));
        let rows = view.rows(&tables[view.table.index()]);
        let index = Index::new(columns, rows, view.width, view.len(), can_be_placed);
        view.indexes.push(index);
        view.indexes.len() - 1
    }

    /// Prepares a view of a complete table for looking up whole rows.
    pub(crate) fn lookup(&mut self, view: ViewId, tables: &[Table], n_terms: usize) -> Way {
        let own = &mut self.views[view.index()];
        if own.make_direct(tables, n_terms) {
            return Way::Direct;
        }
        if own.is_plain {
            return Way::Table;
        }
        let columns: SmallVec<[u32; 8]> = (0..own.width as u32).collect();
        Way::Index(self.index(view, tables, n_terms, &columns) as u32)
    }

    /// How a whole row of a table that may still grow is found: by arithmetic only where the rows
    /// of the view are those of the table, which is asked when there are no more places.
    pub(crate) fn growing_lookup(&mut self, view: ViewId, tables: &[Table], n_terms: usize) -> Way {
        /// Fewer rows are near anyway.
        const FEW: u32 = 1 << 12;
        let own = &mut self.views[view.index()];
        let is_direct = own.is_plain && own.len() >= FEW && own.make_direct(tables, n_terms);
        if is_direct { Way::Direct } else { Way::Table }
    }

    /// Forgets the rows of tables that start anew.
    pub(crate) fn reset(&mut self, is_reset: impl Fn(TableId) -> bool) {
        for view in self.views.iter_mut().filter(|view| is_reset(view.table)) {
            view.rows.clear();
            view.fact.clear();
            view.synced = 0;
            view.direct = None;
            view.not_direct = NONE;
            view.distinct_rows.get_mut().clear();
            view.indexes.iter_mut().for_each(Index::clear);
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.views.iter().map(View::bytes).sum()
    }
}
