//! The four control words of a parameter: PCW, ISP/TSP instruction, TSP instruction, texture control.
//!
//! Bit positions: `docs/hardware/pvr2.md`, "Parameter control word", "ISP", "TSP" and "Textures". Every word
//! is a `u32`, read little-endian from a 32-byte block.

use super::enums::{
    BlendFactor, ColourType, CullMode, DepthMode, Filter, FogMode, ListType, ParamType, PixelFormat, Shading,
    UserClip,
};

/// Generates one newtype over `u32`.
macro_rules! word {
    ($(#[$meta:meta])* $name:ident) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
        pub struct $name(pub u32);

        impl $name {
            const fn bit(self, n: u32) -> bool {
                self.0 >> n & 1 != 0
            }

            const fn field(self, shift: u32, bits: u32) -> u32 {
                self.0 >> shift & ((1 << bits) - 1)
            }

            #[must_use]
            const fn set(self, shift: u32, bits: u32, value: u32) -> Self {
                let mask = (1u32 << bits) - 1;
                Self(self.0 & !(mask << shift) | (value & mask) << shift)
            }
        }
    };
}

/// Generates `name()` and `with_name()` for a one-bit flag.
macro_rules! flags {
    ($($(#[$meta:meta])* $get:ident, $with:ident, $bit:literal;)*) => {
        $(
            $(#[$meta])*
            pub const fn $get(self) -> bool { self.bit($bit) }
            #[doc = concat!("Sets or clears bit ", stringify!($bit), ", see [`Self::", stringify!($get), "`].")]
            #[must_use]
            pub const fn $with(self, on: bool) -> Self { self.set($bit, 1, on as u32) }
        )*
    };
}

/// Generates `name()` and `with_name()` for a field with a named code.
macro_rules! codes {
    ($($(#[$meta:meta])* $get:ident, $with:ident, $ty:ty, $shift:literal, $bits:literal;)*) => {
        $(
            $(#[$meta])*
            pub const fn $get(self) -> $ty { <$ty>::from_code(self.field($shift, $bits)) }
            #[doc = concat!("Sets the field of [`Self::", stringify!($get), "`].")]
            #[must_use]
            pub const fn $with(self, value: $ty) -> Self { self.set($shift, $bits, value.code()) }
        )*
    };
}

word! {
    /// Parameter control word, the first word of every TA parameter.
    Pcw
}

impl Pcw {
    codes! {
        /// Kind of parameter, bits 31:29.
        param_type, with_param_type, ParamType, 29, 3;
        /// Colour encoding of the vertices, bits 5:4.
        colour, with_colour, ColourType, 4, 2;
        /// User clip mode, bits 17:16.
        user_clip, with_user_clip, UserClip, 16, 2;
    }
    flags! {
        /// Last vertex of a strip (vertex parameters only).
        end_of_strip, with_end_of_strip, 28;
        /// Bits 19:16 (strip length, user clip) are valid.
        group_enable, with_group_enable, 23;
        /// Polygon reacts to modifier volumes.
        shadow, with_shadow, 7;
        /// Polygon: two volumes (with `shadow`). Modifier volume: last triangle group of its volume.
        volume, with_volume, 6;
        /// Textured.
        texture, with_texture, 3;
        /// Offset (specular) colour present.
        offset, with_offset, 2;
        /// Gouraud shading; flat when clear.
        gouraud, with_gouraud, 1;
        /// Texture coordinates are two 16-bit halves of one word.
        uv16, with_uv16, 0;
    }

    /// List type, bits 26:24; `None` for the codes 5, 6 and 7.
    #[must_use]
    pub const fn list(self) -> Option<ListType> {
        ListType::from_code(self.field(24, 3))
    }

    /// Sets the list type.
    #[must_use]
    pub const fn with_list(self, list: ListType) -> Self {
        self.set(24, 3, list.index() as u32)
    }

    /// Maximum number of vertices of an object, from the strip length code in bits 19:18: 3, 4, 6 or 8.
    #[must_use]
    pub const fn strip_vertices(self) -> usize {
        match self.field(18, 2) {
            0 => 3,
            1 => 4,
            2 => 6,
            _ => 8,
        }
    }

    /// Sets the strip length code (0 to 3 for 1, 2, 4 or 6 triangles).
    #[must_use]
    pub const fn with_strip_code(self, code: u32) -> Self {
        self.set(18, 2, code)
    }

    /// True if vertices have two sets of colours and coordinates: bits 7 and 6 are both set.
    #[must_use]
    pub const fn two_volumes(self) -> bool {
        self.shadow() && self.volume()
    }
}

word! {
    /// ISP/TSP instruction word: depth, culling, and the copies of the PCW's texture flags.
    IspWord
}

impl IspWord {
    codes! {
        /// Depth compare mode, bits 31:29 (polygons).
        depth_mode, with_depth_mode, DepthMode, 29, 3;
        /// Culling, bits 28:27.
        cull, with_cull, CullMode, 27, 2;
    }
    flags! {
        /// Depth is compared but not written.
        z_write_disable, with_z_write_disable, 26;
        /// Textured.
        texture, with_texture, 25;
        /// Offset colour present.
        offset, with_offset, 24;
        /// Gouraud shading.
        gouraud, with_gouraud, 23;
        /// 16-bit texture coordinates.
        uv16, with_uv16, 22;
        /// The object is in only one tile, so caching its parameters has no benefit.
        cache_bypass, with_cache_bypass, 21;
        /// Exact mip level calculation.
        dcalc, with_dcalc, 20;
    }

    /// Volume instruction of a modifier volume, bits 31:29: 0 normal, 1 inside last, 2 outside last.
    #[must_use]
    pub const fn volume_instruction(self) -> u32 {
        self.field(29, 3)
    }
}

word! {
    /// TSP instruction word: blending, fog, texture sampling and combining.
    TspWord
}

impl TspWord {
    codes! {
        /// Source blend factor, bits 31:29.
        src, with_src, BlendFactor, 29, 3;
        /// Destination blend factor, bits 28:26.
        dst, with_dst, BlendFactor, 26, 3;
        /// Fog mode, bits 23:22.
        fog, with_fog, FogMode, 22, 2;
        /// Texture filter, bits 14:13.
        filter, with_filter, Filter, 13, 2;
        /// Texture shading instruction, bits 7:6.
        shading, with_shading, Shading, 6, 2;
    }
    flags! {
        /// Source of the blend is the second accumulator.
        src_second, with_src_second, 25;
        /// Destination of the blend is the second accumulator.
        dst_second, with_dst_second, 24;
        /// Colour clamp against FOG_CLAMP_MIN and FOG_CLAMP_MAX.
        colour_clamp, with_colour_clamp, 21;
        /// Vertex alpha counts; otherwise it is 255.
        use_alpha, with_use_alpha, 20;
        /// Texture alpha is taken as 255.
        ignore_texture_alpha, with_ignore_texture_alpha, 19;
        /// Mirror U at every second repetition.
        flip_u, with_flip_u, 18;
        /// Mirror V at every second repetition.
        flip_v, with_flip_v, 17;
        /// Clamp U to the texture.
        clamp_u, with_clamp_u, 16;
        /// Clamp V to the texture.
        clamp_v, with_clamp_v, 15;
        /// Super-sampled texture.
        supersample, with_supersample, 12;
    }

    /// Mip level adjustment D, bits 11:8, an unsigned 2.2 fixed-point number (4 is 1.0).
    #[must_use]
    pub const fn mip_adjust(self) -> u32 {
        self.field(8, 4)
    }

    /// Sets the mip level adjustment.
    #[must_use]
    pub const fn with_mip_adjust(self, value: u32) -> Self {
        self.set(8, 4, value)
    }

    /// Texture width in texels: 8 to 1024.
    #[must_use]
    pub const fn width(self) -> u32 {
        8 << self.field(3, 3)
    }

    /// Texture height in texels: 8 to 1024 (mipmapped textures are square and use the width).
    #[must_use]
    pub const fn height(self) -> u32 {
        8 << self.field(0, 3)
    }

    /// Sets the size codes so that the texture is `width` x `height` texels; each side is rounded down to a
    /// power of two from 8 to 1024.
    #[must_use]
    pub const fn with_size(self, width: u32, height: u32) -> Self {
        self.set(3, 3, size_code(width)).set(0, 3, size_code(height))
    }
}

/// Code 0 to 7 for 8 to 1024 texels.
const fn size_code(texels: u32) -> u32 {
    let clamped = if texels < 8 {
        8
    } else if texels > 1024 {
        1024
    } else {
        texels
    };
    clamped.ilog2() - 3
}

word! {
    /// Texture control word (TCW).
    TextureWord
}

impl TextureWord {
    codes! {
        /// Texel format, bits 29:27.
        format, with_format, PixelFormat, 27, 3;
    }
    flags! {
        /// Mipmapped.
        mip, with_mip, 31;
        /// Vector quantised.
        vq, with_vq, 30;
        /// Row by row instead of twiddled. Not a flag in palette formats, which use the bit for the selector.
        linear, with_linear, 26;
        /// Row length from TEXT_CONTROL instead of the U size. Not a flag in palette formats.
        stride, with_stride, 25;
    }

    /// Byte address in the 64-bit area: bits 20:0 times 8.
    #[must_use]
    pub const fn address(self) -> u32 {
        self.field(0, 21) << 3
    }

    /// Sets the byte address in the 64-bit area; the low three bits are lost.
    #[must_use]
    pub const fn with_address(self, address: u32) -> Self {
        self.set(0, 21, address >> 3)
    }

    /// Palette selector, bits 26:21: entry `16 * n` for 4-bit texels; 8-bit texels use `16 * (n & 0x30)`.
    #[must_use]
    pub const fn palette_selector(self) -> u32 {
        self.field(21, 6)
    }

    /// Sets the palette selector.
    #[must_use]
    pub const fn with_palette_selector(self, selector: u32) -> Self {
        self.set(21, 6, selector)
    }
}
