//! What the search finds out, by playouts, not by time.
