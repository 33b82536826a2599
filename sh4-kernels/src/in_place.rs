//! Pairs of buffers for which a kernel accepts the same address.

use crate::Kernel;

/// An output that may have the address of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InPlace {
    /// Name of the kernel.
    pub kernel: &'static str,
    /// Parameter that the kernel reads.
    pub input: &'static str,
    /// Parameter that the kernel writes.
    pub output: &'static str,
}

const fn pair(kernel: &'static str, input: &'static str, output: &'static str) -> InPlace {
    InPlace {
        kernel,
        input,
        output,
    }
}

/// All pairs of an input and an output that may have the same address. The test `in_place` of `swirl-verify`
/// runs all pairs of equal size and compares the result with this table.
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
    /// Pairs of this kernel.
    pub fn in_place(&self) -> impl Iterator<Item = &'static InPlace> {
        IN_PLACE.iter().filter(|pair| pair.kernel == self.name)
    }
}
