//! Layers of a tile: translucent figures far to near, punch-through figures near to far.
//!
//! The chip draws one layer after another, each time scanning the whole list for the next depth. Here the
//! fragments of a pixel are gathered and sorted once, by the same order, and then drawn layer by layer.

use super::layers::key;
use super::plane::TILE;
use super::scene::{Id, NONE, Scene};
use super::shade::Shader;
use super::tile::{Origin, Setup, Tile, depths, passes, spans};
use crate::settings::PtDepth;

/// Translucent or punch-through triangles of one tile that are sorted; a frame of the console holds fewer.
const MAX_REFS: usize = 1 << 16;
/// Fragments that are gathered at once; with more, the tile is drawn in bands of rows.
const MAX_FRAGMENTS: usize = 1 << 20;

/// A covered pixel of a figure.
#[derive(Debug, Clone, Copy)]
struct Fragment {
    /// Sort key: depth, then submission order.
    key: u64,
    id: Id,
    pixel: u32,
}

/// Fragments of a band of rows, by pixel.
#[derive(Debug, Default)]
pub(super) struct Fragments {
    gathered: Vec<Fragment>,
    sorted: Vec<Fragment>,
    /// First fragment of each pixel in `sorted`, and the end.
    first: Vec<u32>,
}

impl Fragments {
    /// Sorts by pixel, then by key; of equal keys one is kept, as a figure listed twice is drawn once.
    fn sort(&mut self, pixels: usize) {
        self.first.clear();
        self.first.resize(pixels + 1, 0);
        for fragment in &self.gathered {
            self.first[fragment.pixel as usize + 1] += 1;
        }
        for n in 0..pixels {
            self.first[n + 1] += self.first[n];
        }
        self.sorted.clear();
        self.sorted.resize(
            self.gathered.len(),
            Fragment {
                key: 0,
                id: NONE,
                pixel: 0,
            },
        );
        let mut next = self.first.clone();
        for &fragment in &self.gathered {
            let at = &mut next[fragment.pixel as usize];
            self.sorted[*at as usize] = fragment;
            *at += 1;
        }
        for pixel in self.first.windows(2) {
            self.sorted[pixel[0] as usize..pixel[1] as usize].sort_unstable_by_key(|f| f.key);
        }
    }

    /// Fragments of a pixel in ascending order.
    fn of(&self, pixel: usize) -> &[Fragment] {
        &self.sorted[self.first[pixel] as usize..self.first[pixel + 1] as usize]
    }
}

/// A band of rows of the tile.
#[derive(Debug, Clone, Copy)]
struct Band {
    from: usize,
    to: usize,
}

impl Tile {
    /// Translucent figures, sorted at each pixel: smallest 1/W first, of equal ones the earlier submitted.
    pub(super) fn translucent(
        &mut self,
        scene: &Scene,
        setup: &Setup,
        shader: &Shader<'_>,
        origin: Origin,
        refs: &[Id],
    ) {
        let refs = self.limited(refs);
        if self.layers.gather(scene, setup, origin, refs, &self.depth) {
            self.counts.fragments += self.layers.fragments;
            self.few_layers(scene, shader, origin);
            return;
        }
        self.band(
            scene,
            setup,
            origin,
            refs,
            Band { from: 0, to: TILE },
            false,
            &mut |tile, band| {
                tile.layers_back_to_front(scene, shader, origin, band);
            },
        );
    }

    /// Punch-through figures: the nearest at each pixel that passes the alpha test.
    pub(super) fn punch_through(
        &mut self,
        scene: &Scene,
        setup: &Setup,
        shader: &Shader<'_>,
        origin: Origin,
        refs: &[Id],
    ) {
        let refs = self.limited(refs);
        self.band(
            scene,
            setup,
            origin,
            refs,
            Band { from: 0, to: TILE },
            true,
            &mut |tile, band| {
                tile.layers_front_to_back(scene, shader, origin, band);
            },
        );
    }

    fn limited<'a>(&mut self, refs: &'a [Id]) -> &'a [Id] {
        self.counts.translucent_cut |= refs.len() > MAX_REFS;
        &refs[..refs.len().min(MAX_REFS)]
    }

    /// Gathers and sorts the fragments of a band and draws them; halves the band if they are too many.
    #[allow(clippy::too_many_arguments)] // one recursion for both kinds of list
    fn band(
        &mut self,
        scene: &Scene,
        setup: &Setup,
        origin: Origin,
        refs: &[Id],
        band: Band,
        punch: bool,
        draw: &mut dyn FnMut(&mut Self, Band),
    ) {
        let cap = if band.to - band.from > 1 {
            MAX_FRAGMENTS
        } else {
            usize::MAX
        };
        if !self.gather(scene, setup, origin, refs, band, punch, cap) {
            let middle = (band.from + band.to) / 2;
            self.band(
                scene,
                setup,
                origin,
                refs,
                Band { to: middle, ..band },
                punch,
                draw,
            );
            self.band(
                scene,
                setup,
                origin,
                refs,
                Band { from: middle, ..band },
                punch,
                draw,
            );
            return;
        }
        self.fragments.sort((band.to - band.from) * TILE);
        self.counts.fragments += self.fragments.sorted.len() as u64;
        draw(self, band);
    }

    /// Collects the fragments that are not behind the opaque depth; false if they are more than `cap`.
    #[allow(clippy::too_many_arguments)] // as above
    fn gather(
        &mut self,
        scene: &Scene,
        setup: &Setup,
        origin: Origin,
        refs: &[Id],
        band: Band,
        punch: bool,
        cap: usize,
    ) -> bool {
        let own_mode = punch && setup.pt_depth == PtDepth::OwnMode;
        self.fragments.gathered.clear();
        for &id in refs {
            let figure = &scene.figures[id as usize];
            let mode = figure.isp.depth_mode();
            spans(figure, setup, origin, |span| {
                if !(band.from..band.to).contains(&span.row) {
                    return;
                }
                let z = depths(figure, setup, origin, span);
                let behind = &self.depth[span.row * TILE..(span.row + 1) * TILE];
                for n in span.from..span.to {
                    let visible = if own_mode {
                        passes(mode, z[n], behind[n])
                    } else {
                        z[n] >= behind[n]
                    };
                    if visible {
                        self.fragments.gathered.push(Fragment {
                            key: key(z[n], figure.order),
                            id,
                            pixel: ((span.row - band.from) * TILE + n) as u32,
                        });
                    }
                }
            });
            if self.fragments.gathered.len() > cap {
                return false;
            }
        }
        true
    }

    /// Draws what [`Layers`](super::layers::Layers) holds, far to near.
    fn few_layers(&mut self, scene: &Scene, shader: &Shader<'_>, origin: Origin) {
        for row in 0..TILE {
            for layer in 0..self.layers.count(row) {
                let tags = self.layers.tags(layer, row);
                let colours = &mut self.colour[row * TILE..(row + 1) * TILE];
                self.counts.shaded += shader.row(scene, origin, row, &tags, colours, &mut self.work);
            }
        }
    }

    fn layers_back_to_front(&mut self, scene: &Scene, shader: &Shader<'_>, origin: Origin, band: Band) {
        for row in band.from..band.to {
            let mut left = [0; TILE];
            let mut last_key = [None; TILE];
            loop {
                let mut tags = [NONE; TILE];
                let mut any = false;
                for (n, tag) in tags.iter_mut().enumerate() {
                    let fragments = self.fragments.of((row - band.from) * TILE + n);
                    while let Some(fragment) = fragments.get(left[n]) {
                        left[n] += 1;
                        if last_key[n] != Some(fragment.key) {
                            last_key[n] = Some(fragment.key);
                            *tag = fragment.id;
                            any = true;
                            break;
                        }
                    }
                }
                if !any {
                    break;
                }
                let colours = &mut self.colour[row * TILE..(row + 1) * TILE];
                self.counts.shaded += shader.row(scene, origin, row, &tags, colours, &mut self.work);
            }
        }
    }

    fn layers_front_to_back(&mut self, scene: &Scene, shader: &Shader<'_>, origin: Origin, band: Band) {
        for row in band.from..band.to {
            let mut used = [0; TILE];
            let mut open = [true; TILE];
            loop {
                let mut tags = [NONE; TILE];
                let mut keys = [0; TILE];
                for n in 0..TILE {
                    if !open[n] {
                        continue;
                    }
                    let fragments = self.fragments.of((row - band.from) * TILE + n);
                    used[n] += 1;
                    match fragments.len().checked_sub(used[n]) {
                        Some(at) => (tags[n], keys[n]) = (fragments[at].id, fragments[at].key),
                        None => open[n] = false,
                    }
                }
                if tags == [NONE; TILE] {
                    break;
                }
                let colours = &mut self.colour[row * TILE..(row + 1) * TILE];
                let passed = shader.punch_row(scene, origin, row, &tags, colours, &mut self.work);
                self.counts.shaded += tags.iter().filter(|&&t| t != NONE).count() as u64;
                for n in (0..TILE).filter(|&n| passed >> n & 1 != 0) {
                    open[n] = false;
                    self.depth[row * TILE + n] = unsortable((keys[n] >> 32) as u32);
                }
            }
        }
    }
}

/// The float of a [`sortable`] key.
fn unsortable(key: u32) -> f32 {
    f32::from_bits(if key >> 31 != 0 { key & 0x7FFF_FFFF } else { !key })
}

#[cfg(test)]
mod tests {
    use super::super::layers::sortable;
    use super::*;

    #[test]
    fn keys_order_as_floats() {
        let values = [f32::NEG_INFINITY, -2.0, -1e-30, 0.0, 1e-30, 1.0, f32::INFINITY];
        assert!(values.is_sorted_by_key(|&z| sortable(z)));
        assert!(values.iter().all(|&z| unsortable(sortable(z)) == z));
        assert_eq!(sortable(-0.0), sortable(0.0));
    }
}
