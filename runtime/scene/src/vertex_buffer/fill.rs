//! Transfer of vertex lists to the buffer.

use super::{SLOTS, SlotAttributes, VertexBuffer};
use crate::SceneError;
use ninja::{Attribute, Normal, VertexChunk, Weight};
use sh4_kernels::blend_weighted::{ADD, NORMALS, blend_weighted};
use sh4_kernels::transform_points::transform_points;
use sh4_kernels::unpack_normals::unpack_normals;
use sh4_kernels::{Kernels, Matrix};
use std::borrow::Cow;

impl VertexBuffer {
    /// Transforms one vertex chunk into the buffer.
    pub(crate) fn fill(
        &mut self,
        kernels: &mut dyn Kernels,
        matrix: &Matrix,
        chunk: &VertexChunk,
        weight_scale: f32,
    ) -> Result<(), SceneError> {
        if chunk.count == 0 {
            return Ok(());
        }
        match chunk.weight_status() {
            Some(status) => self.blend(kernels, matrix, chunk, status, weight_scale),
            None => self.replace(kernels, matrix, chunk),
        }
    }

    fn replace(
        &mut self,
        kernels: &mut dyn Kernels,
        matrix: &Matrix,
        chunk: &VertexChunk,
    ) -> Result<(), SceneError> {
        let start = usize::from(chunk.index_offset);
        let end = start + usize::from(chunk.count);
        self.grow(end)?;
        let (words, stride) = (&chunk.words, chunk.kind.stride());
        transform_points(
            kernels,
            matrix,
            words,
            stride,
            1.0,
            &mut self.positions[start..end],
        )?;
        let normals = &mut self.normals[start..end];
        match chunk.kind.normal() {
            Normal::None => {}
            Normal::Float(word) => transform_points(kernels, matrix, &words[word..], stride, 0.0, normals)?,
            Normal::Packed(word) => {
                let mut unpacked = vec![[0.0; 4]; normals.len()];
                unpack_normals(kernels, &words[word..], stride, &mut unpacked)?;
                let words: Vec<u32> = unpacked
                    .iter()
                    .flatten()
                    .map(|part: &f32| part.to_bits())
                    .collect();
                transform_points(kernels, matrix, &words, 4, 0.0, normals)?;
            }
        }
        for (i, slot) in (start..end).enumerate() {
            let attributes = SlotAttributes {
                filled: true,
                normal: chunk.kind.normal() != Normal::None,
                diffuse: chunk.diffuse(i).map(|colour| colour.0),
                specular: chunk.specular(i).map(|colour| colour.0),
            };
            self.set_attributes(slot, attributes);
        }
        Ok(())
    }

    fn blend(
        &mut self,
        kernels: &mut dyn Kernels,
        matrix: &Matrix,
        chunk: &VertexChunk,
        status: Weight,
        weight_scale: f32,
    ) -> Result<(), SceneError> {
        let offset = i32::from(chunk.index_offset);
        let slots = (0..usize::from(chunk.count)).map(|i| chunk.slot(i));
        let (Some(first), Some(last)) = (slots.clone().min(), slots.clone().max()) else {
            return Ok(());
        };
        if first < 0 {
            return Err(SceneError::Slot {
                slot: first.into(),
                limit: SLOTS,
            });
        }
        let (start, end) = (first as usize, last as usize + 1);
        self.grow(end)?;
        let has_normals = chunk.kind.normal() != Normal::None;
        let add = if status == Weight::Start { 0 } else { ADD };
        blend_weighted(
            kernels,
            matrix,
            &weighted_words(chunk),
            usize::from(chunk.count),
            &mut self.positions[start..end],
            &mut self.normals[start..end],
            first - offset,
            add | if has_normals { NORMALS } else { 0 },
            weight_scale,
        )?;
        for (i, slot) in slots.enumerate() {
            // The colour of CV_NF_D8 applies only in the last stage (docs/formats/ninja.md 2.2).
            let own = chunk.diffuse(i).filter(|_| status == Weight::End);
            let attributes = SlotAttributes {
                filled: true,
                normal: has_normals,
                diffuse: own.map(|colour| colour.0),
                specular: None,
            };
            self.set_attributes(slot as usize, attributes);
        }
        Ok(())
    }
}

/// Returns the words of weighted vertices in the format of the kernel. A vertex ends with its NinjaFlags; a
/// colour after them is removed.
fn weighted_words(chunk: &VertexChunk) -> Cow<'_, [u32]> {
    let Attribute::NinjaD8(flags) = chunk.kind.attribute() else {
        return Cow::Borrowed(&chunk.words);
    };
    let vertices = chunk.words.chunks_exact(chunk.kind.stride());
    Cow::Owned(
        vertices
            .flat_map(|vertex| vertex[..=flags].iter().copied())
            .collect(),
    )
}
