//! Drawings of positions as plain data: boards, pieces, walls between squares, the facts beside them.
//!
//! A [`Survey`] looks at the rulesheet and at positions of random matches and learns a [`Layout`]: which relations are
//! boards, their axes, what stands on the squares. A layout turns the facts of a position into a [`Scene`], which any
//! screen can draw, and tells which squares a move names. [`svg`] draws a scene as text that browsers show.
//!
//! Boards are found by structure: by orders of coordinates, by which arguments determine the others, by what changes. A
//! rulesheet with other names is drawn the same.
//!
//! ```
//! use senet_boards::{Class, Survey};
//!
//! let game = senet_engines::library::find("tic-tac-toe").unwrap();
//! let description = senet_gdl::parse(&game.text);
//! let engine = senet_engines::load("reference", &description).unwrap();
//! let mut survey = Survey::new(&description, engine.role_names());
//! survey.explore(&engine);
//! let layout = survey.layout();
//! assert_eq!(layout.class(), Class::Grid);
//!
//! let position = engine.start()?.position();
//! let scene = layout.scene(&position.state, &[]);
//! assert_eq!(scene.boards[0].square(1, 1).unwrap().text(), ".");
//! assert_eq!(scene.to_move, ["x"]);
//! let to = layout.route("(mark 3 1)").unwrap().to.unwrap();
//! assert_eq!((to.column, to.row), (2, 0));
//! assert!(senet_boards::svg(&scene).starts_with("<svg"));
//! # Ok::<(), senet_game::GameError>(())
//! ```

mod class;
mod rules;
mod survey;
mod table;
mod detect;
mod layout;
mod routes;
mod scene;
mod svg;

pub use class::Class;
pub use layout::{Layout, Shape};
pub use scene::{Board, Edge, EdgeKind, Piece, Place, Route, Scene, Square};
pub use survey::Survey;
pub use svg::svg;
