//! GaDeLaC's languages between GDL and an engine that runs rules forward.

pub mod demand;
pub mod mini;
pub mod shapes;
pub mod unions;
