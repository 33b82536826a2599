//! Colours of vertices: combination of light and material to packed base and offset colours.

use crate::SceneError;
use crate::light::{grey, with_highlight};
use crate::settings::Highlight;
use sh4_kernels::Kernels;
use sh4_kernels::light_vertices::{LightBlock, light_vertices};
use sh4_kernels::shade_colours::{Shade, shade_colours};
use sh4_kernels::transform_normals_and_light::{Light, transform_normals_and_light};

/// Colouring of the vertices in strips of one material.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Shading {
    /// Number that identifies the material; 0 means no material.
    pub(crate) number: u32,
    /// True if normals are lit; otherwise colours are used directly.
    pub(crate) lit: bool,
    /// Diffuse colour of the material with the effective alpha.
    pub(crate) diffuse: u32,
    /// Specular colour of the material.
    pub(crate) specular: u32,
    /// Kind of highlights.
    pub(crate) highlight: Highlight,
    /// Exponent of highlights.
    pub(crate) exponent: u32,
    /// Ambient intensity if the strips use intensities instead of colours.
    pub(crate) intensity: Option<f32>,
    /// Ambient light and packing of the colours.
    pub(crate) shade: Shade,
    /// The only light, if it is directional and the material has no highlight.
    pub(crate) single: Option<Light>,
}

/// Vertices to colour, as slices of equal length. Positions and normals are in view space.
pub(crate) struct Vertices<'a> {
    pub(crate) positions: &'a [[f32; 4]],
    pub(crate) normals: &'a [[f32; 4]],
    pub(crate) diffuse: &'a [u32],
    pub(crate) specular: &'a [u32],
}

impl Shading {
    /// Lights `vertices`.
    pub(crate) fn light(
        &self,
        kernels: &mut dyn Kernels,
        lights: &[LightBlock],
        vertices: &Vertices<'_>,
        base: &mut [u32],
        offset: &mut [u32],
    ) -> Result<(), SceneError> {
        if let Some(ambient) = self.intensity {
            return intensities(kernels, lights, vertices, ambient, base, offset);
        }
        if let Some(light) = &self.single
            && vertices.diffuse.iter().all(|own| *own == self.diffuse)
            && vertices.specular.iter().all(|own| *own == self.specular)
        {
            transform_normals_and_light(kernels, light, vertices.normals, base)?;
            offset.fill(0);
            return Ok(());
        }
        let mut lit = vec![[0.0; 4]; base.len()];
        let mut gloss = lit.clone();
        for light in lights {
            let light = with_highlight(light, self.highlight, self.exponent);
            light_vertices(
                kernels,
                &light,
                vertices.positions,
                vertices.normals,
                &mut lit,
                &mut gloss,
            )?;
        }
        self.pack(kernels, &self.shade, [&lit, &gloss], vertices, base, offset)
    }

    /// Returns base and offset colours of vertices that are not lit but have their own specular colours.
    pub(crate) fn unlit(
        &self,
        kernels: &mut dyn Kernels,
        vertices: &Vertices<'_>,
        base: &mut [u32],
        offset: &mut [u32],
    ) -> Result<(), SceneError> {
        if !self.shade.fold {
            base.copy_from_slice(vertices.diffuse);
            offset.copy_from_slice(vertices.specular);
            return Ok(());
        }
        let full = vec![[1.0; 4]; base.len()];
        let shade = Shade {
            ambient: [0.0; 3],
            fold: true,
        };
        self.pack(kernels, &shade, [&full, &full], vertices, base, offset)
    }

    fn pack(
        &self,
        kernels: &mut dyn Kernels,
        shade: &Shade,
        [lit, gloss]: [&[[f32; 4]]; 2],
        vertices: &Vertices<'_>,
        base: &mut [u32],
        offset: &mut [u32],
    ) -> Result<(), SceneError> {
        let (diffuse, specular) = (vertices.diffuse, vertices.specular);
        shade_colours(kernels, shade, lit, gloss, diffuse, specular, base, offset)?;
        Ok(())
    }
}

/// Computes an intensity for each of `vertices`, and stores its float bits in `base` instead of a colour.
fn intensities(
    kernels: &mut dyn Kernels,
    lights: &[LightBlock],
    vertices: &Vertices<'_>,
    ambient: f32,
    base: &mut [u32],
    offset: &mut [u32],
) -> Result<(), SceneError> {
    let mut lit = vec![[ambient; 4]; base.len()];
    let mut gloss = vec![[0.0; 4]; base.len()];
    for light in lights {
        light_vertices(
            kernels,
            &grey(light),
            vertices.positions,
            vertices.normals,
            &mut lit,
            &mut gloss,
        )?;
    }
    for (base, [intensity, ..]) in base.iter_mut().zip(lit) {
        *base = intensity.to_bits();
    }
    offset.fill(0);
    Ok(())
}
