//! Crossed pixels whose figures are shaded first, each in one go and apart from what lies beneath, and then blended pixel by pixel
//! in their order.

use super::super::isa::Isa;
use super::super::paint::Style;
use super::super::pixels::{self, NOWHERE};
use super::super::shade::channels::Blend;
use super::super::shade::{AlphaTest, Job};
use super::super::{TRANSLUCENT, Tile};
use super::stacks::{Blended, Lay, Push, of_pixel};
use super::{Item, Sorted};
use crate::ListType;
use crate::core::colour::{blend, over};
use crate::core::plane::TILE;
use crate::param::BlendFactor;
use crate::settings::WeightScale;

/// How a figure is blended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Blending {
    blend: Blend,
    factors: [BlendFactor; 2],
}

impl Blending {
    /// Of what is not blended.
    const NONE: Self = Self {
        blend: Blend::Replace,
        factors: [BlendFactor::One, BlendFactor::Zero],
    };

    /// A colour on what is there.
    #[inline(always)]
    fn on(self, colour: u32, dest: u32) -> u32 {
        match self.blend {
            Blend::Replace => colour,
            Blend::Over => over(colour, dest),
            // Other weights have no fast way to get here.
            Blend::Other => {
                let [source, rest] = self.factors;
                blend(WeightScale::Scaled256, source, rest, colour, dest)
            }
        }
    }
}

impl<I: Isa> Tile<'_, I> {
    /// Notes how each figure with crossed pixels is blended, and makes ready for [`Self::shade_apart`]; false if that is no way to
    /// draw them: figures are not listed in their order, or one has to know what lies beneath or in which volume it is.
    pub(super) fn find_blendings(&mut self, crossed: &[u32; TILE]) -> bool {
        let buffers = &mut *self.buffers;
        let Sorted {
            items,
            masks,
            blendings,
            all_alike,
            stacks,
            as_submitted,
            ..
        } = &mut buffers.sorted;
        if !*as_submitted {
            return false;
        }
        stacks.clear();
        blendings.clear();
        blendings.resize(buffers.triangles.len(), Blending::NONE);
        let (mut first, mut alike) = (None, true);
        let in_volumes = !buffers.areas[TRANSLUCENT].is_empty();
        for item in items.iter().filter(|item| item.crosses(masks, crossed)) {
            let triangle = &buffers.triangles[item.tag as usize];
            let (paint, _) = buffers.caches.paint(&self.source, self.textures, triangle, 0);
            if paint.style == Style::Scalar || in_volumes && triangle.shadow {
                return false;
            }
            let own = Blending {
                blend: paint.blend,
                factors: paint.factors,
            };
            blendings[item.tag as usize] = own;
            alike &= *first.get_or_insert(own) == own;
        }
        *all_alike = first.filter(|_| alike);
        true
    }

    /// Shades a figure, blends what is not crossed and keeps the rest for [`Self::blend_stacks`]; false if a pixel has too many
    /// layers.
    pub(super) fn shade_apart(&mut self, item: &Item, uncrossed: &[u32], crossed: &[u32]) -> bool {
        let (x, y) = self.sample();
        let buffers = &mut *self.buffers;
        let first = item.first as usize;
        let triangle = &buffers.triangles[item.tag as usize];
        let (paint, texture) = buffers.caches.paint(&self.source, self.textures, triangle, 0);
        let Sorted {
            apart, stacks, masks, ..
        } = &mut buffers.sorted;
        I::shade(Job {
            paint,
            texture,
            blend: Blend::Replace,
            state: &self.state,
            x: f64::from(self.left) + self.shader.centre,
            y: f64::from(self.top) + self.shader.centre,
            first,
            masks: &masks[item.start as usize..item.end as usize],
            colours: apart,
            alpha_test: AlphaTest::None,
            passed: &mut NOWHERE.clone(),
        });
        self.counts.shaded[ListType::Translucent.index()] += pixels::count(uncrossed);
        I::lay(Lay {
            first,
            masks: uncrossed,
            from: apart,
            blend: paint.blend,
            factors: paint.factors,
            colours: &mut buffers.colours[0],
        });
        I::push(Push {
            stacks,
            first,
            masks: crossed,
            z: &item.z,
            x,
            y,
            store: self.source.settings.depth_store,
            tag: item.tag,
            colours: apart,
        })
    }

    /// Blends the fragments of each crossed pixel.
    pub(super) fn blend_stacks(&mut self, crossed: &[u32; TILE]) {
        let buffers = &mut *self.buffers;
        let Sorted {
            stacks,
            blendings,
            all_alike,
            ..
        } = &buffers.sorted;
        let colours = &mut buffers.colours[0];
        if let Some(Blending { blend, factors }) = *all_alike {
            I::blend_all(Blended {
                stacks,
                blend,
                factors,
                colours,
            });
            return;
        }
        for (row, &crossed) in crossed.iter().enumerate() {
            let mut left = crossed;
            while left != 0 {
                let at = row * TILE + left.trailing_zeros() as usize;
                left &= left - 1;
                for (tag, colour) in of_pixel(stacks, at) {
                    colours[at] = blendings[tag as usize].on(colour, colours[at]);
                }
            }
        }
    }
}
