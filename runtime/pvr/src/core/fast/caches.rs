//! Caches of primitives and shading parameters, so that neighbouring tiles share the work of a primitive.

use super::isa::Isa;
use super::shade_setup::ShadeSetup;
use super::shape::Shape;
use super::textures::{Decoded, Textures};
use crate::core::objects::Triangle;
use crate::core::setup::{Source, warn};
use crate::event::Warnings;
use std::collections::HashMap;
use std::sync::Arc;

/// Cache entries of a thread. A tile of a busy frame has a few hundred primitives.
const PRIMITIVES: usize = 1024;
const SETUPS: usize = 512;

/// A direct-mapped cache.
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

    /// Returns the value of a key. On a miss, `make` overwrites the value in the key's slot.
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

    /// Removes all entries.
    fn clear(&mut self) {
        self.keys.fill(u64::MAX);
    }
}

/// Returns a unique key of a triangle and volume.
fn key(triangle: &Triangle, volume: u32) -> u64 {
    u64::from(triangle.address)
        | u64::from(triangle.n) << 32
        | u64::from(triangle.skip) << 36
        | u64::from(triangle.sprite) << 40
        | u64::from(triangle.shadow) << 41
        | u64::from(triangle.two_volumes) << 42
        | u64::from(volume) << 43
        | u64::from(triangle.replaces) << 44
}

/// Returns a hash that spreads neighbours in memory over the cache.
fn hash(triangle: &Triangle) -> usize {
    let words = triangle.address as usize / 4;
    words / 4 + usize::from(triangle.n) * 311 + (words >> 13) * 77
}

/// Textures that a thread used in a frame. Setups contain indices instead of `Arc`s, because all threads
/// would update the reference count of a shared `Arc`.
#[derive(Debug, Default)]
struct TextureTable {
    textures: Vec<Arc<Decoded>>,
    places: HashMap<u64, usize>,
    /// Latest key and its index.
    last: Option<(u64, usize)>,
}

impl TextureTable {
    fn clear(&mut self) {
        self.textures.clear();
        self.places.clear();
        self.last = None;
    }

    /// Returns the index of a texture, or `None` if it does not fit into the budget.
    fn place(&mut self, key: u64, get: impl FnOnce() -> Option<Arc<Decoded>>) -> Option<usize> {
        if let Some((_, place)) = self.last.filter(|(last, _)| *last == key) {
            return Some(place);
        }
        let place = match self.places.get(&key) {
            Some(place) => *place,
            None => {
                self.textures.push(get()?);
                self.places.insert(key, self.textures.len() - 1);
                self.textures.len() - 1
            }
        };
        self.last = Some((key, place));
        Some(place)
    }
}

/// The caches of one thread.
#[derive(Debug)]
pub(super) struct Caches {
    primitives: Cache<Shape>,
    setups: Cache<ShadeSetup>,
    table: TextureTable,
}

impl Default for Caches {
    fn default() -> Self {
        Self {
            primitives: Cache::new(PRIMITIVES),
            setups: Cache::new(SETUPS),
            table: TextureTable::default(),
        }
    }
}

impl Caches {
    /// Removes all entries, because memory may have changed.
    pub(super) fn clear(&mut self) {
        self.primitives.clear();
        self.setups.clear();
        self.table.clear();
    }

    #[inline]
    pub(super) fn primitive<I: Isa>(
        &mut self,
        isa: I,
        source: &Source<'_>,
        triangle: &Triangle,
        warnings: &mut Warnings,
    ) -> &Shape {
        self.primitives.get(key(triangle, 0), hash(triangle), |shape| {
            isa.shape(shape, source, triangle);
            if shape.outline.count > 0 {
                warn(source, triangle, warnings);
            }
        })
    }

    /// Returns the shading parameters of a triangle and its texture.
    #[inline]
    pub(super) fn shade_setup<I: Isa>(
        &mut self,
        isa: I,
        source: &Source<'_>,
        textures: &Textures,
        triangle: &Triangle,
        volume: u32,
    ) -> (&ShadeSetup, Option<&Decoded>) {
        let table = &mut self.table;
        let setup = self.setups.get(key(triangle, volume), hash(triangle), |setup| {
            setup.set_up::<I>(isa, source, triangle, volume, |tcw, tsp| {
                let place = table.place(Textures::key(tcw, tsp), || textures.get(source, tcw, tsp))?;
                let texture = table.textures.get(place)?;
                Some((place, [texture.width, texture.height]))
            });
        });
        let texture = setup.texture.and_then(|place| self.table.textures.get(place));
        (setup, texture.map(|texture| &**texture))
    }
}
