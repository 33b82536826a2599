//! Compares the demo's picture with the stored one, pixel for pixel.

#![allow(clippy::unwrap_used, reason = "a helper that fails is how a test fails")]

use sh4_kernels::Reference;
use std::path::Path;
use swirl::Demo;
use verify::Checked;

/// Kernels for features that the demo does not have.
const NOT_IN_THE_DEMO: [&str; 32] = [
    "keys_spline",
    "keys_quaternion",
    "shape_colours",
    "quaternion_matrix",
    "unpack_normals",
    "transform_normals_and_light",
    "submit_strips",
    "name_slots",
    "clip_near",
    "draw_indexed",
    "cell_billboards",
    "submit_cell_sprites",
    "transform_vectors",
    "copy_lines",
    "copy_bytes",
    "fill_words",
    "fill_bytes",
    "queue_copy",
    "queue_fill",
    "crc32",
    "adler32",
    "relocate",
    "twiddle_16",
    "twiddle_8",
    "twiddle_4",
    "vq_decode",
    "yuv_to_uyvy",
    "palette_load",
    "split_16",
    "split_4",
    "adpcm_decode",
    "mix_stereo",
];

fn expected() -> (u32, u32, Vec<u8>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/demo.png");
    let file = std::io::BufReader::new(std::fs::File::open(path).unwrap());
    let mut reader = png::Decoder::new(file).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    (info.width, info.height, pixels)
}

#[test]
fn the_demo_is_the_picture_of_the_readme() {
    let (width, height, expected) = expected();
    let found = Demo::new().unwrap().frame(&mut Reference).unwrap();
    assert_eq!(found.len(), (width * height * 4) as usize);
    let different = found
        .chunks(4)
        .zip(expected.chunks(4))
        .filter(|(a, b)| a != b)
        .count();
    assert_eq!(
        different, 0,
        "pixels that differ; `swirl demo -o tests/data/demo.png` if they are meant to"
    );
}

#[test]
fn the_emulated_sh4_draws_the_same_frame_again_and_again() {
    let mut demo = Demo::new().unwrap();
    let reference = demo.frame(&mut Reference).unwrap();
    let mut checked = Checked::new().unwrap();
    for _ in 0..2 {
        assert!(demo.frame(&mut checked).unwrap() == reference);
    }
    let unused: Vec<_> = sh4_kernels::KERNELS
        .iter()
        .map(|kernel| kernel.name)
        .filter(|name| checked.tally(name).words == 0)
        .collect();
    assert_eq!(unused, NOT_IN_THE_DEMO);
}
