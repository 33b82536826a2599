//! Cycle limits of kernels.

use crate::Kernel;

/// Maximum number of cycles of one call on the modelled console.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Name of the kernel.
    pub kernel: &'static str,
    /// Seed of the call's generated arguments.
    pub seed: u64,
    /// Cycles with empty caches.
    pub cold: u64,
    /// Cycles with the caches as left by the same call.
    pub warm: u64,
}

const fn budget(kernel: &'static str, seed: u64, cold: u64, warm: u64) -> Budget {
    Budget {
        kernel,
        seed,
        cold,
        warm,
    }
}

/// One row for each kernel with a limit. The rows are separate from the manifest, because they change with
/// the cycle model. Cold limits are 2 % above the measurement, because cold cycles depend on the kernel's
/// address in the ROM: it determines which SDRAM rows the code shares with the data.
pub static BUDGETS: &[Budget] = &[
    budget("keys_linear", 1, 788, 285),
    budget("keys_spline", 1, 1151, 409),
    budget("keys_angles", 1, 989, 398),
    budget("keys_quaternion", 1, 928, 368),
    budget("shape_floats", 1, 682, 128),
    budget("shape_colours", 1, 1121, 649),
    budget("sincos", 1, 329, 64),
    budget("quaternion_matrix", 1, 798, 229),
    budget("matrix_multiply", 1, 247, 35),
    budget("bounding_sphere", 1, 241, 60),
    budget("transform_points", 1, 1316, 246),
    budget("unpack_normals", 1, 1033, 379),
    budget("blend_weighted", 1, 1315, 454),
    budget("transform_normals_and_light", 1, 1277, 626),
    budget("light_vertices", 1, 1690, 761),
    budget("shade_colours", 1, 2449, 1243),
    budget("project_points", 1, 1158, 298),
    budget("submit_strip", 1, 1110, 384),
    budget("submit_strips", 1, 1389, 494),
    budget("name_slots", 1, 856, 438),
    budget("shorts_to_floats", 1, 947, 286),
    budget("clip_near", 1, 2789, 1587),
    budget("submit_vertices", 1, 1283, 293),
    budget("submit_volume", 1, 1052, 401),
    budget("draw_indexed", 1, 1488, 393),
    budget("cell_corners", 1, 1043, 503),
    budget("cell_billboards", 1, 994, 252),
    budget("cell_depths", 1, 575, 160),
    budget("cell_colours", 1, 1248, 437),
    budget("submit_cell_strips", 1, 1234, 403),
    budget("submit_cell_sprites", 1, 818, 211),
    budget("transform_vectors", 1, 945, 132),
    budget("copy_lines", 1, 635, 222),
    budget("copy_bytes", 1, 386, 128),
    budget("fill_words", 1, 192, 81),
    budget("fill_bytes", 1, 158, 34),
    budget("queue_copy", 1, 841, 270),
    budget("queue_fill", 1, 377, 344),
    budget("crc32", 1, 1493, 639),
    budget("adler32", 1, 922, 593),
    budget("relocate", 1, 576, 197),
    budget("twiddle_16", 1, 1016, 432),
    budget("twiddle_8", 1, 993, 405),
    budget("twiddle_4", 1, 862, 386),
    budget("vq_decode", 1, 1131, 174),
    budget("yuv_to_uyvy", 1, 743, 412),
    budget("palette_load", 1, 363, 97),
    budget("split_16", 1, 513, 163),
    budget("split_4", 1, 834, 473),
    budget("adpcm_decode", 1, 1653, 1277),
    budget("mix_stereo", 1, 1624, 1206),
];

impl Kernel {
    /// Cycle limit of the kernel, if it has one.
    #[must_use]
    pub fn budget(&self) -> Option<&'static Budget> {
        BUDGETS.iter().find(|budget| budget.kernel == self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::BUDGETS;
    use crate::find;

    #[test]
    fn each_budget_is_of_one_kernel() {
        for budget in BUDGETS {
            assert!(find(budget.kernel).is_some(), "{}", budget.kernel);
            let same = BUDGETS.iter().filter(|other| other.kernel == budget.kernel);
            assert_eq!(same.count(), 1, "{}", budget.kernel);
            assert!(budget.warm <= budget.cold, "{}", budget.kernel);
        }
    }
}
