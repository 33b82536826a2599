//! What keeps figures from being set up again in every tile.

use super::paint::Paint;
use super::textures::{Decoded, Textures};
use crate::core::objects::Triangle;
use crate::core::setup::{Figure, Source, set_up, warn};
use crate::event::Warnings;
use std::sync::Arc;

/// Figures and paints that a thread keeps; a tile of a busy frame has some hundred.
const FIGURES: usize = 1024;
const PAINTS: usize = 512;
/// Textures that a thread finds without asking for the shared ones.
const TEXTURES: usize = 64;

/// Values by key, each key in one place: a newcomer takes it.
#[derive(Debug)]
pub(super) struct Cache<T> {
    keys: Vec<u64>,
    values: Vec<T>,
}

impl<T: Default> Cache<T> {
    fn new(size: usize) -> Self {
        Self {
            keys: vec![u64::MAX; size],
            values: std::iter::repeat_with(T::default).take(size).collect(),
        }
    }

    /// The value of a key, made of whatever is in its place if it is not there.
    #[inline]
    fn get(&mut self, key: u64, hash: usize, make: impl FnOnce(&mut T)) -> &T {
        let at = hash & (self.keys.len() - 1);
        let value = &mut self.values[at];
        if self.keys[at] != key {
            self.keys[at] = key;
            make(value);
        }
        value
    }

    /// Forgets everything; `drop` gives up what a value holds.
    fn clear(&mut self, drop: impl Fn(&mut T)) {
        for (key, value) in self.keys.iter_mut().zip(&mut self.values) {
            if *key != u64::MAX {
                *key = u64::MAX;
                drop(value);
            }
        }
    }
}

/// A key for a triangle; all parts of it are in different bits.
fn key(triangle: &Triangle, volume: u32) -> u64 {
    u64::from(triangle.address)
        | u64::from(triangle.n) << 32
        | u64::from(triangle.skip) << 36
        | u64::from(triangle.sprite) << 40
        | u64::from(triangle.shadow) << 41
        | u64::from(triangle.two_volumes) << 42
        | u64::from(volume) << 43
}

/// Neighbours in memory lie in different places.
fn hash(triangle: &Triangle) -> usize {
    let words = triangle.address as usize / 4;
    words / 4 + usize::from(triangle.n) * 311 + (words >> 13) * 77
}

/// What one thread has set up.
#[derive(Debug)]
pub(super) struct Caches {
    figures: Cache<Figure>,
    paints: Cache<Paint>,
    textures: Cache<Option<Arc<Decoded>>>,
}

impl Default for Caches {
    fn default() -> Self {
        Self {
            figures: Cache::new(FIGURES),
            paints: Cache::new(PAINTS),
            textures: Cache::new(TEXTURES),
        }
    }
}

impl Caches {
    /// Forgets everything: memory may have changed.
    pub(super) fn clear(&mut self) {
        self.figures.clear(|_| {});
        self.paints.clear(|paint| paint.texture = None);
        self.textures.clear(|texture| *texture = None);
    }

    #[inline]
    pub(super) fn figure(
        &mut self,
        source: &Source<'_>,
        triangle: &Triangle,
        warnings: &mut Warnings,
    ) -> &Figure {
        self.figures.get(key(triangle, 0), hash(triangle), |figure| {
            set_up(figure, source, triangle);
            if figure.edge_count > 0 {
                warn(source, triangle, warnings);
            }
        })
    }

    #[inline]
    pub(super) fn paint(
        &mut self,
        source: &Source<'_>,
        textures: &Textures,
        triangle: &Triangle,
        volume: u32,
    ) -> &Paint {
        let known = &mut self.textures;
        self.paints.get(key(triangle, volume), hash(triangle), |paint| {
            paint.set_up(source, triangle, volume, |tcw, tsp| {
                let key = Textures::key(tcw, tsp);
                let hash = (key ^ key >> 9 ^ key >> 32) as usize;
                let texture = known.get(key, hash, |texture| *texture = textures.get(source, tcw, tsp));
                texture.clone()
            });
        })
    }
}
