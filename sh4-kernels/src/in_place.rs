//! Buffers of a kernel that may be the same.

use crate::Kernel;

/// An output that may be at the address of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InPlace {
    /// The kernel's name.
    pub kernel: &'static str,
    /// The parameter that is read.
    pub input: &'static str,
    /// The parameter that is written.
    pub output: &'static str,
}

const fn pair(kernel: &'static str, input: &'static str, output: &'static str) -> InPlace {
    InPlace {
        kernel,
        input,
        output,
    }
}

/// Every such pair. Test `in_place` of `swirl-verify` runs all pairs of equal size and compares with this
/// table.
pub static IN_PLACE: &[InPlace] = &[
    pair("shape_floats", "a", "out"),
    pair("shape_floats", "b", "out"),
    pair("shape_colours", "a", "out"),
    pair("shape_colours", "b", "out"),
    pair("matrix_multiply", "a", "out"),
    pair("matrix_multiply", "b", "out"),
    pair("bounding_sphere", "sphere", "out"),
    pair("shade_colours", "diffuse", "base"),
    pair("shade_colours", "specular", "base"),
    pair("shade_colours", "diffuse", "offset"),
    pair("shade_colours", "specular", "offset"),
    pair("project_points", "src", "dst"),
];

impl Kernel {
    /// The pairs of this kernel.
    pub fn in_place(&self) -> impl Iterator<Item = &'static InPlace> {
        IN_PLACE.iter().filter(|pair| pair.kernel == self.name)
    }
}
