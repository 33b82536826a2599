//! Scenes for the pixel tests: rectangles over a frame of one or a few tiles.
#![allow(dead_code)] // each test file uses its part

use pvr::texture::{LinearExpand, TextureSettings};
use pvr::*;

/// Channels of 4 bits widened to 8, so that values in the tests are round numbers.
pub(crate) fn full_range() -> Settings {
    let texture = TextureSettings {
        linear_expand: LinearExpand::Replicate,
        ..TextureSettings::default()
    };
    Settings {
        texture,
        ..Settings::default()
    }
}

/// A frame with a given background.
pub(crate) fn frame(width: u32, height: u32, background: u32) -> Frame {
    let mut frame = Frame::new(width, height, full_range()).expect("size");
    frame.set_background(Argb(background));
    frame
}

/// Depth mode greater-equal, no culling.
pub(crate) fn isp() -> IspWord {
    IspWord(0).with_depth_mode(DepthMode::GreaterEqual)
}

/// Factors ONE and ZERO, no fog, vertex alpha used.
pub(crate) fn tsp() -> TspWord {
    TspWord(0)
        .with_src(BlendFactor::One)
        .with_dst(BlendFactor::Zero)
        .with_fog(FogMode::None)
        .with_use_alpha(true)
}

/// Opens a polygon.
pub(crate) fn polygon(frame: &mut Frame, list: ListType, isp: IspWord, tsp: TspWord, gouraud: bool) {
    let flags = PolygonFlags {
        gouraud,
        ..PolygonFlags::default()
    };
    frame.block(&polygon_header(list, isp, tsp, None, flags));
}

/// A rectangle as a strip of two triangles; `uv` are the coordinates of its corners (u0, v0, u1, v1).
pub(crate) fn quad(
    frame: &mut Frame,
    [x0, y0, x1, y1]: [f32; 4],
    z: f32,
    uv: [f32; 4],
    base: u32,
    offset: u32,
) {
    let [u0, v0, u1, v1] = uv;
    for (last, x, y, u, v) in [
        (false, x0, y0, u0, v0),
        (false, x1, y0, u1, v0),
        (false, x0, y1, u0, v1),
        (true, x1, y1, u1, v1),
    ] {
        frame.block(&vertex(last, [x, y, z], [u, v], Argb(base), Argb(offset)));
    }
}

/// A flat untextured rectangle with its own polygon parameter.
pub(crate) fn rect(
    frame: &mut Frame,
    list: ListType,
    isp: IspWord,
    tsp: TspWord,
    place: [f32; 4],
    z: f32,
    colour: u32,
) {
    polygon(frame, list, isp, tsp, false);
    quad(frame, place, z, [0.0; 4], colour, 0);
}

pub(crate) fn end(frame: &mut Frame) {
    frame.block(&end_of_list());
}

/// Renders and returns the framebuffer words (ARGB) row by row.
pub(crate) fn render(frame: &mut Frame) -> Vec<u32> {
    let image = frame.render(1).expect("render");
    let two = frame.render(2).expect("render");
    assert!(image == two, "two threads draw what one draws");
    let (width, height) = frame.size();
    let base = frame.pvr().read_register(reg::FB_W_SOF1);
    let stride = frame.pvr().read_register(reg::FB_W_LINESTRIDE) * 8;
    (0..height)
        .flat_map(|y| (0..width).map(move |x| base + y * stride + x * 4))
        .map(|at| frame.pvr().vram().read32(Area::Bits32, at))
        .collect()
}

/// Returns the pixel at (x, y) of a frame of this width.
pub(crate) fn at(pixels: &[u32], width: u32, x: u32, y: u32) -> u32 {
    pixels[(y * width + x) as usize]
}
