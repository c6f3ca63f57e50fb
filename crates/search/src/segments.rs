//! Vectors that grow without moving their elements.

use std::ops::{Index, IndexMut};

/// Elements of a segment. A new one takes some 30 kB: few pages, whose first touch may be slow on a busy machine.
const SEGMENT: usize = 1 << 8;

/// A vector in segments of a fixed length. Growing by a segment moves no element.
pub(crate) struct Segments<T> {
    segments: Vec<Box<[T; SEGMENT]>>,
    len: usize,
}

impl<T> Default for Segments<T> {
    fn default() -> Self {
        Segments { segments: Vec::new(), len: 0 }
    }
}

impl<T: Default> Segments<T> {
    /// Makes room for the list of segments of so many elements: that list is not moved either until then.
    pub(crate) fn reserve(&mut self, n: usize) {
        // Without the room it grows as a vector does.
        let _ = self.segments.try_reserve(n.div_ceil(SEGMENT));
    }

    /// Whether the next element needs a new segment.
    pub(crate) fn is_full(&self) -> bool {
        self.len == self.segments.len() * SEGMENT
    }

    /// Adds a segment of empty places.
    pub(crate) fn grow(&mut self) {
        let segment: Box<[T]> = std::iter::repeat_with(T::default).take(SEGMENT).collect();
        let Ok(segment) = segment.try_into() else { unreachable!("it has the length of a segment") };
        self.segments.push(segment);
    }

    /// Appends an element.
    pub(crate) fn push(&mut self, value: T) {
        if self.is_full() {
            self.grow();
        }
        self.len += 1;
        let last = self.len - 1;
        self[last] = value;
    }
}

impl<T> Segments<T> {
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    #[cfg(test)]
    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> {
        self.segments.iter().flat_map(|segment| segment.iter()).take(self.len)
    }
}

impl<T> Index<usize> for Segments<T> {
    type Output = T;

    #[inline]
    fn index(&self, at: usize) -> &T {
        &self.segments[at / SEGMENT][at % SEGMENT]
    }
}

impl<T> IndexMut<usize> for Segments<T> {
    #[inline]
    fn index_mut(&mut self, at: usize) -> &mut T {
        &mut self.segments[at / SEGMENT][at % SEGMENT]
    }
}

/// Rows of numbers, all of the same width, in segments. It has as many rows as its segments have room for.
#[derive(Default)]
pub(crate) struct Rows<T> {
    width: usize,
    segments: Vec<Box<[T]>>,
}

impl<T: Copy + Default> Rows<T> {
    pub(crate) fn new(width: usize) -> Rows<T> {
        Rows { width, segments: Vec::new() }
    }

    /// Makes room for the list of segments of so many rows, see [`Segments::reserve`].
    pub(crate) fn reserve(&mut self, n_rows: usize) {
        let _ = self.segments.try_reserve(n_rows.div_ceil(SEGMENT));
    }

    /// Adds segments until there are so many rows.
    pub(crate) fn grow_to(&mut self, n_rows: usize) {
        while self.segments.len() * SEGMENT < n_rows {
            self.segments.push(vec![T::default(); SEGMENT * self.width].into());
        }
    }

    #[inline]
    pub(crate) fn row(&self, at: usize) -> &[T] {
        let first = at % SEGMENT * self.width;
        &self.segments[at / SEGMENT][first..first + self.width]
    }

    #[inline]
    pub(crate) fn row_mut(&mut self, at: usize) -> &mut [T] {
        let first = at % SEGMENT * self.width;
        &mut self.segments[at / SEGMENT][first..first + self.width]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_stay_where_they_are() {
        let mut segments = Segments::default();
        let mut rows = Rows::new(3);
        segments.reserve(5 * SEGMENT);
        rows.reserve(3 * SEGMENT);
        let lists = (segments.segments.as_ptr(), rows.segments.as_ptr());
        segments.push(0);
        let first: *const usize = &raw const segments[0];
        for at in 1..5 * SEGMENT {
            segments.push(at);
        }
        assert!(std::ptr::eq(first, &raw const segments[0]));
        assert!(segments.iter().copied().eq(0..5 * SEGMENT) && segments.len() == 5 * SEGMENT);
        assert!(segments.is_full());
        rows.grow_to(2 * SEGMENT + 1);
        for at in 0..3 * SEGMENT {
            rows.row_mut(at).fill(at);
        }
        assert!((0..3 * SEGMENT).all(|at| rows.row(at) == [at; 3]));
        assert!(std::ptr::eq(lists.0, segments.segments.as_ptr()));
        assert!(std::ptr::eq(lists.1, rows.segments.as_ptr()));
    }
}
