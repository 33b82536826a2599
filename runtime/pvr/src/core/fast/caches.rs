//! What keeps figures from being set up again in every tile.

use super::isa::Isa;
use super::paint::Paint;
use super::shape::Shape;
use super::textures::{Decoded, Textures};
use crate::core::objects::Triangle;
use crate::core::setup::{Source, warn};
use crate::event::Warnings;
use std::collections::HashMap;
use std::sync::Arc;

/// Figures and paints that a thread keeps; a tile of a busy frame has some hundred.
const FIGURES: usize = 1024;
const PAINTS: usize = 512;

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

    /// Forgets everything.
    fn clear(&mut self) {
        self.keys.fill(u64::MAX);
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

/// Textures that a thread has asked for in a frame. Paints name them by place: references counted for each paint would be counted
/// by all threads in the same word of memory.
#[derive(Debug, Default)]
struct Known {
    textures: Vec<Arc<Decoded>>,
    places: HashMap<u64, usize>,
    /// The newest key and its place.
    last: Option<(u64, usize)>,
}

impl Known {
    fn clear(&mut self) {
        self.textures.clear();
        self.places.clear();
        self.last = None;
    }

    /// The place of a texture; `None` if there was no room to decode it.
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

/// What one thread has set up.
#[derive(Debug)]
pub(super) struct Caches {
    figures: Cache<Shape>,
    paints: Cache<Paint>,
    known: Known,
}

impl Default for Caches {
    fn default() -> Self {
        Self {
            figures: Cache::new(FIGURES),
            paints: Cache::new(PAINTS),
            known: Known::default(),
        }
    }
}

impl Caches {
    /// Forgets everything: memory may have changed.
    pub(super) fn clear(&mut self) {
        self.figures.clear();
        self.paints.clear();
        self.known.clear();
    }

    #[inline]
    pub(super) fn figure<I: Isa>(
        &mut self,
        isa: I,
        source: &Source<'_>,
        triangle: &Triangle,
        warnings: &mut Warnings,
    ) -> &Shape {
        self.figures.get(key(triangle, 0), hash(triangle), |shape| {
            isa.shape(shape, source, triangle);
            if shape.outline.count > 0 {
                warn(source, triangle, warnings);
            }
        })
    }

    /// The paint of a triangle, and its texture.
    #[inline]
    pub(super) fn paint<I: Isa>(
        &mut self,
        isa: I,
        source: &Source<'_>,
        textures: &Textures,
        triangle: &Triangle,
        volume: u32,
    ) -> (&Paint, Option<&Decoded>) {
        let known = &mut self.known;
        let paint = self.paints.get(key(triangle, volume), hash(triangle), |paint| {
            paint.set_up::<I>(isa, source, triangle, volume, |tcw, tsp| {
                let place = known.place(Textures::key(tcw, tsp), || textures.get(source, tcw, tsp))?;
                let texture = known.textures.get(place)?;
                Some((place, [texture.width, texture.height]))
            });
        });
        let texture = paint.texture.and_then(|place| self.known.textures.get(place));
        (paint, texture.map(|texture| &**texture))
    }
}
