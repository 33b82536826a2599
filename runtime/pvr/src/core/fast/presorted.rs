//! Translucent primitives in the order of their list, each shaded at once.

use super::cover::Cover;
use super::depth::{AfterTest, Layer};
use super::isa::Isa;
use super::pixels::{NOWHERE, Pixels};
use super::{TRANSLUCENT, Tile};
use crate::ListType;
use crate::core::objects::Triangle;
use crate::settings::PresortModvol;

impl<I: Isa> Tile<'_, I> {
    /// Draws a translucent list as it comes.
    pub(super) fn presorted(&mut self, objects: &[u32]) {
        let isa = self.isa;
        let (reader, source) = (self.reader, self.source);
        let mut cover = Cover::default();
        let mut count = 0;
        let complete = reader.each_announced(objects, false, super::fetch::<I>(isa, source), |triangle| {
            count += 1;
            self.presorted_figure(&triangle, &mut cover);
        });
        self.finish_list(ListType::Translucent, count, complete);
    }

    fn presorted_figure(&mut self, triangle: &Triangle, cover: &mut Cover) {
        let isa = self.isa;
        let (x, y) = self.sample();
        let buffers = &mut *self.buffers;
        let primitive = buffers
            .caches
            .primitive::<I>(isa, &self.source, triangle, &mut self.warnings);
        if !isa.cover(primitive, x, y, cover) {
            return;
        }
        let first = cover.first;
        let masks = cover.masks_mut();
        isa.layer(Layer {
            first,
            masks,
            z: &primitive.z,
            x,
            y,
            store: self.source.settings.depth_store,
            mode: primitive.isp.depth_mode(),
            depth: &mut buffers.depth,
            then: if primitive.isp.z_write_disable() {
                AfterTest::Nothing
            } else {
                AfterTest::Write
            },
        });
        let with_volumes = self.source.settings.presort_modvol == PresortModvol::PerList;
        let z = primitive.z;
        let found;
        let inside = if with_volumes && triangle.shadow {
            found = self.inside_of(TRANSLUCENT, &z, first, masks);
            &found
        } else {
            &NOWHERE
        };
        let pixels = Pixels {
            list: ListType::Translucent,
            triangle,
            first,
            masks,
        };
        self.shade(pixels, inside);
    }
}
