//! Engines whose kind is known only at run time.

use crate::{
    Engine, GameError, Match, MoveGenerator, Observations, PerftOptions, PerftRow, PlayError, PlayoutOptions,
    PlayoutStatistics, Position, RoleId, check_laws, observe, perft,
};
use senet_gdl::Interner;
use std::collections::BTreeMap;
use std::sync::Arc;

/// An engine of any kind.
pub trait AnyEngine: Send + Sync {
    /// See [`Engine::name`].
    fn name(&self) -> &'static str;
    /// See [`Engine::role_names`].
    fn role_names(&self) -> &[String];
    /// See [`Match::new`].
    fn start(self: Arc<Self>) -> Result<Box<dyn AnyMatch>, GameError>;
    /// See [`Match::from_facts`].
    fn start_from(self: Arc<Self>, facts: &[String]) -> Result<Box<dyn AnyMatch>, GameError>;
    /// See [`Engine::n_side_by_side`].
    fn n_side_by_side(&self) -> u64;
    /// See [`Engine::n_gates`].
    fn n_gates(&self) -> Option<usize>;
    /// See [`Engine::level_name`].
    fn level_name(&self) -> Option<&'static str>;
    /// See [`Engine::figures`].
    fn figures(&self) -> Vec<(&'static str, f64)>;
    /// See [`Engine::remarks`].
    fn remarks(&self) -> Vec<String>;
    /// See [`Engine::all_playouts`].
    fn playouts(&self, options: PlayoutOptions) -> Result<PlayoutStatistics, GameError>;
    /// See [`Engine::playouts`].
    fn playouts_one_by_one(&self, options: PlayoutOptions) -> Result<PlayoutStatistics, GameError>;
    /// See [`perft`].
    fn perft(&self, options: PerftOptions, row: &mut dyn FnMut(PerftRow)) -> Result<(), GameError>;
    /// See [`observe`].
    fn observe(&self, positions: u64, seed: u64) -> Result<Observations, GameError>;
    /// See [`check_laws`].
    fn check_laws(&self, symbols: &Interner, playouts: u32, seed: u64) -> Result<(), String>;
}

impl<E: Engine> AnyEngine for E {
    fn name(&self) -> &'static str {
        Engine::name(self)
    }

    fn role_names(&self) -> &[String] {
        Engine::role_names(self)
    }

    fn n_gates(&self) -> Option<usize> {
        Engine::n_gates(self)
    }

    fn level_name(&self) -> Option<&'static str> {
        Engine::level_name(self)
    }

    fn figures(&self) -> Vec<(&'static str, f64)> {
        Engine::figures(self)
    }

    fn remarks(&self) -> Vec<String> {
        Engine::remarks(self)
    }

    fn start(self: Arc<Self>) -> Result<Box<dyn AnyMatch>, GameError> {
        Ok(Box::new(Match::new(self)?))
    }

    fn start_from(self: Arc<Self>, facts: &[String]) -> Result<Box<dyn AnyMatch>, GameError> {
        Ok(Box::new(Match::from_facts(self, facts)?))
    }

    fn n_side_by_side(&self) -> u64 {
        Engine::n_side_by_side(self)
    }

    fn playouts(&self, options: PlayoutOptions) -> Result<PlayoutStatistics, GameError> {
        Engine::all_playouts(self, options)
    }

    fn playouts_one_by_one(&self, options: PlayoutOptions) -> Result<PlayoutStatistics, GameError> {
        Engine::playouts(self, &mut self.worker(), options)
    }

    fn perft(&self, options: PerftOptions, row: &mut dyn FnMut(PerftRow)) -> Result<(), GameError> {
        perft(self, &mut self.worker(), options, row)
    }

    fn observe(&self, positions: u64, seed: u64) -> Result<Observations, GameError> {
        observe(self, &mut self.worker(), positions, seed)
    }

    fn check_laws(&self, symbols: &Interner, playouts: u32, seed: u64) -> Result<(), String> {
        check_laws(self, symbols, playouts, seed)
    }
}

/// A match on an engine of any kind.
pub trait AnyMatch: Send {
    /// See [`Match::restart`].
    fn restart(&mut self) -> Result<(), GameError>;
    /// See [`Match::set`].
    fn set(&mut self, facts: &[String]) -> Result<(), GameError>;
    /// See [`Match::play`].
    fn play(&mut self, moves: &BTreeMap<String, String>) -> Result<(), PlayError>;
    /// See [`Match::undo`].
    fn undo(&mut self) -> Result<(), PlayError>;
    /// See [`Match::random_move`].
    fn random_move(&mut self, role: RoleId, generator: &mut MoveGenerator) -> Result<String, PlayError>;
    /// See [`Match::position`].
    fn position(&mut self) -> Position;
    /// See [`Match::moves_played`].
    fn moves_played(&self) -> usize;
}

impl<E: Engine> AnyMatch for Match<E> {
    fn restart(&mut self) -> Result<(), GameError> {
        Match::restart(self)
    }

    fn set(&mut self, facts: &[String]) -> Result<(), GameError> {
        Match::set(self, facts)
    }

    fn play(&mut self, moves: &BTreeMap<String, String>) -> Result<(), PlayError> {
        Match::play(self, moves)
    }

    fn undo(&mut self) -> Result<(), PlayError> {
        Match::undo(self)
    }

    fn random_move(&mut self, role: RoleId, generator: &mut MoveGenerator) -> Result<String, PlayError> {
        Match::random_move(self, role, generator)
    }

    fn position(&mut self) -> Position {
        Match::position(self)
    }

    fn moves_played(&self) -> usize {
        Match::moves_played(self)
    }
}
