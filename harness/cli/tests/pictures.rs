//! Pictures of `swirl render`: position and brightness of the model.

#![allow(clippy::unwrap_used, reason = "a helper that fails is how a test fails")]

use crate::common::{assets, swirl, text};
use ninja::{
    Chunk, File, Model, Object, ObjectTree, Plist, PolyChunk, StripChunk, StripEntry, StripFlags, StripKind,
    StripSource, Vertex, VertexChunk, VertexKind, Vlist,
};
use std::path::{Path, PathBuf};

/// Background colour, which no model of these tests has.
const BACKGROUND: [u8; 3] = [0xFF, 0x00, 0xFE];

/// A picture's pixels.
struct Picture {
    width: usize,
    height: usize,
    rgb: Vec<[u8; 3]>,
}

impl Picture {
    fn read(path: &Path) -> Self {
        let file = std::io::BufReader::new(std::fs::File::open(path).unwrap());
        let mut reader = png::Decoder::new(file).read_info().unwrap();
        let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut bytes).unwrap();
        assert_eq!(info.bit_depth, png::BitDepth::Eight);
        let samples = info.color_type.samples();
        Self {
            width: info.width as usize,
            height: info.height as usize,
            rgb: bytes
                .chunks_exact(samples)
                .map(|pixel| [pixel[0], pixel[1], pixel[2]])
                .collect(),
        }
    }

    /// Returns the first and last column and row with another colour than the background.
    fn model(&self) -> Option<[usize; 4]> {
        let seen = (0..self.rgb.len()).filter(|i| self.rgb[*i] != BACKGROUND);
        let places: Vec<(usize, usize)> = seen.map(|i| (i % self.width, i / self.width)).collect();
        let (columns, rows) = (|| places.iter().map(|p| p.0), || places.iter().map(|p| p.1));
        Some([columns().min()?, columns().max()?, rows().min()?, rows().max()?])
    }
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Path of a model of the regression cases.
fn scene(name: &str) -> String {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/scene");
    data.join(name).display().to_string()
}

/// Draws into `picture` with `swirl render` and returns standard error.
fn render(picture: &Path, words: &[&str]) -> String {
    let options = ["--background", "FF00FE", "-o", picture.to_str().unwrap()];
    let output = swirl(&[&["render"], words, &options].concat());
    assert_eq!(
        output.status.code(),
        Some(0),
        "{words:?}: {}",
        text(&output.stderr)
    );
    text(&output.stderr)
}

/// Returns the larger share of width and height that `model` fills, and the distance of its centre from the
/// picture's centre in pixels.
fn fill([left, right, top, bottom]: [usize; 4], width: usize, height: usize) -> (f64, f64) {
    let share = |low: usize, high: usize, side: usize| (high - low + 1) as f64 / side as f64;
    let aside = |low: usize, high: usize, side: usize| ((low + high + 1) as f64 - side as f64).abs() / 2.0;
    (
        share(left, right, width).max(share(top, bottom, height)),
        aside(left, right, width).max(aside(top, bottom, height)),
    )
}

#[test]
fn models_fill_four_fifths_of_the_picture() {
    let folder = folder("fill");
    let shark = assets("fill-shark").join("shark.nj");
    let models = [
        "weights_three/model.nja",
        "motions/arm.nja",
        "strip_normals/model.nja",
    ]
    .map(scene);
    for model in models.iter().map(String::as_str).chain([shark.to_str().unwrap()]) {
        for (size, yaw) in [("640x480", "30"), ("240x400", "30"), ("640x480", "-40")] {
            let png = folder.join("model.png");
            let _ = std::fs::remove_file(&png);
            render(&png, &[model, "--size", size, "--yaw", yaw]);
            let picture = Picture::read(&png);
            let (fill, aside) = fill(picture.model().unwrap(), picture.width, picture.height);
            // The vertices at the tips of fins cover no pixel.
            assert!((0.775..0.806).contains(&fill), "{model} {size} {yaw}: {fill}");
            assert!(aside < 3.0, "{model} {size} {yaw}: {aside} pixels aside");
        }
    }
}

/// All frames of a motion must be considered: no frame leaves the picture, and together they fill it.
#[test]
fn motions_fill_four_fifths_of_the_picture() {
    let folder = folder("fill-motion");
    let (model, motion) = (scene("motions/arm.nja"), scene("motions/slide.nam"));
    let png = folder.join("frame.png");
    let words = [
        &model, "--motion", &motion, "--frames", "0..10", "--size", "320x240",
    ];
    render(&png, &words);
    let frames: Vec<PathBuf> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    assert_eq!(frames.len(), 11);
    let models = frames.iter().map(|path| Picture::read(path).model().unwrap());
    let all = models
        .reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1]), a[2].min(b[2]), a[3].max(b[3])])
        .unwrap();
    let (fill, aside) = fill(all, 320, 240);
    assert!((fill - 0.8).abs() < 0.012 && aside < 3.0, "{fill} {aside}");
}

/// Writes a model of one square: a strip of its corners, all with the same normal.
fn square(path: &Path, normal: [f32; 3], corners: [[f32; 3]; 4]) {
    let vertices = corners.map(|position| Vertex {
        position,
        normal,
        ..Vertex::default()
    });
    let entries = (0..4).map(|index| StripEntry {
        index,
        ..StripEntry::default()
    });
    let strip = StripSource {
        reversed: false,
        entries: entries.collect(),
    };
    let strip = StripChunk::build(StripKind::Cs, StripFlags(0), &[strip]).unwrap();
    let mut tree = ObjectTree::new();
    let vlist = tree.push_vlist(Vlist {
        chunks: vec![VertexChunk::build(VertexKind::CvVn, 0, 0, &vertices).unwrap()],
    });
    let plist = tree.push_plist(Plist {
        chunks: vec![PolyChunk::Strip(strip)],
    });
    let model = Some(tree.push_model(Model {
        vlist: Some(vlist),
        plist: Some(plist),
        center: [0.0; 3],
        radius: 2.0,
    }));
    tree.push_object(Object {
        model,
        ..Object::default()
    });
    std::fs::write(path, File::new(vec![Chunk::Model(tree)]).write().unwrap()).unwrap();
}

/// A square that shows its back to the default camera, and one that is edge-on.
#[test]
fn the_camera_turns_to_models_that_face_away() {
    let folder = folder("away");
    let (model, png) = (folder.join("model.nj"), folder.join("model.png"));
    let back = [
        [1.0, -1.0, 0.0],
        [-1.0, -1.0, 0.0],
        [1.0, 1.0, 0.0],
        [-1.0, 1.0, 0.0],
    ];
    let side = [
        [0.87, -1.0, 1.5],
        [-0.87, -1.0, -1.5],
        [0.87, 1.0, 1.5],
        [-0.87, 1.0, -1.5],
    ];
    for (normal, corners) in [([0.0, 0.0, -1.0], back), ([-0.86, 0.0, 0.5], side)] {
        square(&model, normal, corners);
        let model = model.to_str().unwrap();
        let _ = std::fs::remove_file(&png);
        let told = render(&png, &[model]);
        assert!(told.contains("so the camera moves to yaw"), "{told}");
        let picture = Picture::read(&png);
        let seen = picture.rgb.iter().filter(|pixel| **pixel != BACKGROUND).count();
        assert!(seen * 4 > picture.rgb.len(), "{seen} pixels");
        // A requested direction must be kept, with a hint.
        let _ = std::fs::remove_file(&png);
        let told = render(&png, &[model, "--yaw", "30"]);
        assert!(told.contains("shows more"), "{told}");
        let picture = Picture::read(&png);
        let seen = picture.rgb.iter().filter(|pixel| **pixel != BACKGROUND).count();
        assert!(seen * 50 < picture.rgb.len(), "{seen} pixels");
    }
    let front = [
        [-1.0, -1.0, 0.0],
        [1.0, -1.0, 0.0],
        [-1.0, 1.0, 0.0],
        [1.0, 1.0, 0.0],
    ];
    square(&model, [0.0, 0.0, 1.0], front);
    let _ = std::fs::remove_file(&png);
    assert_eq!(render(&png, &[model.to_str().unwrap()]), "");
}

/// A white surface that faces the light must not be overexposed by default.
#[test]
fn white_stays_below_full_under_the_default_lights() {
    let folder = folder("bright");
    let (model, png) = (folder.join("model.nj"), folder.join("model.png"));
    let front = [
        [-1.0, -1.0, 0.0],
        [1.0, -1.0, 0.0],
        [-1.0, 1.0, 0.0],
        [1.0, 1.0, 0.0],
    ];
    // The normal points to the light, (-1, 2, 2) / 3.
    square(&model, [-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0], front);
    let brightest = |words: &[&str]| {
        let _ = std::fs::remove_file(&png);
        render(&png, &[&[model.to_str().unwrap()], words].concat());
        let picture = Picture::read(&png);
        let middle = picture.rgb[picture.width * (picture.height / 2) + picture.width / 2];
        assert!(middle[0] == middle[1] && middle[1] == middle[2], "{middle:?}");
        middle[0]
    };
    assert!((235..250).contains(&brightest(&[])), "{}", brightest(&[]));
    assert_eq!(brightest(&["--draw", "lights=bright"]), 255);
    assert_eq!(
        brightest(&["--draw", "lights=bright", "--draw", "lights=soft"]),
        brightest(&[])
    );
}

/// The overdraw picture must be black except where the model is.
#[test]
fn overdraw_keeps_the_outline() {
    let folder = folder("overdraw");
    let shark = assets("overdraw-shark").join("shark.nj");
    let (png, overdraw) = (folder.join("shark.png"), folder.join("overdraw.png"));
    render(
        &png,
        &[shark.to_str().unwrap(), "--overdraw", overdraw.to_str().unwrap()],
    );
    let (picture, overdraw) = (Picture::read(&png), Picture::read(&overdraw));
    let pairs = picture.rgb.iter().zip(&overdraw.rgb);
    let wrong = pairs
        .filter(|(seen, times)| (**seen != BACKGROUND) != (**times != [0; 3]))
        .count();
    assert_eq!(wrong, 0);
    assert!(overdraw.rgb.contains(&[0, 0, 160]), "nothing is shaded once");
}

/// Textures must be drawn on rectangles of their shape, and scenes like their conversions.
#[test]
fn textures_and_scenes_are_drawn_without_a_conversion() {
    let folder = assets("direct");
    let at = |name: &str| folder.join(name).display().to_string();
    // Red on the left, blue on the right, twice as wide as high, and no power of two.
    let file = std::fs::File::create(folder.join("halves.png")).unwrap();
    let mut encoder = png::Encoder::new(file, 48, 24);
    encoder.set_color(png::ColorType::Rgb);
    let pixel = |i: usize| if i % 48 < 24 { [255, 0, 0] } else { [0, 0, 255] };
    let pixels: Vec<u8> = (0..48 * 24).flat_map(pixel).collect();
    encoder.write_header().unwrap().write_image_data(&pixels).unwrap();
    let png = folder.join("drawn.png");
    assert_eq!(render(&png, &[&at("halves.png")]), "");
    let picture = Picture::read(&png);
    let [left, right, top, bottom] = picture.model().unwrap();
    let (width, height) = (right - left + 1, bottom - top + 1);
    assert!(
        width.abs_diff(512) < 3 && height.abs_diff(256) < 3,
        "{width}x{height}"
    );
    for (x, colour) in [
        (left + 2, [255, 0, 0]),
        (316, [255, 0, 0]),
        // A texel covers 10.7 pixels. Its border moves by half of them, because samples are texel centres.
        (332, [0, 0, 255]),
        (right - 2, [0, 0, 255]),
    ] {
        for y in [top + 2, 240, bottom - 2] {
            assert_eq!(picture.rgb[y * picture.width + x], colour, "at {x}, {y}");
        }
    }

    let archive = at("all.pvm");
    let packed = swirl(&[
        "convert",
        &at("SKIN.pvr"),
        &at("SAND.pvr"),
        &at("SWIRL.pvr"),
        &archive,
    ]);
    assert_eq!(packed.status.code(), Some(0), "{}", text(&packed.stderr));
    for (name, told) in [("SKIN.pvr", ""), ("all.pvm", "")] {
        let _ = std::fs::remove_file(&png);
        assert_eq!(render(&png, &[&at(name)]), told, "{name}");
        let picture = Picture::read(&png);
        let (fill, _) = fill(picture.model().unwrap(), picture.width, picture.height);
        assert!((0.775..0.806).contains(&fill), "{name}: {fill}");
    }

    let scenes = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../runtime/convert/tests/data");
    let scene = scenes.join("skin_anim.fbx").display().to_string();
    let _ = std::fs::remove_file(&png);
    render(&png, &[&scene]);
    let rest = Picture::read(&png);
    let (fill, _) = fill(rest.model().unwrap(), rest.width, rest.height);
    assert!((0.775..0.806).contains(&fill), "{fill}");
    // The file contains a motion.
    let moved = folder.join("moved.png");
    render(&moved, &[&scene, "--motion", ":0", "--frame", "9"]);
    assert!(Picture::read(&moved).rgb != rest.rgb);

    // Errors must name the damaged file.
    std::fs::write(folder.join("bad.pvr"), b"GBIX").unwrap();
    let bad = swirl(&["render", &at("bad.pvr"), "-o", &at("bad.png")]);
    assert_eq!(bad.status.code(), Some(2));
    assert!(text(&bad.stderr).contains("bad.pvr"), "{}", text(&bad.stderr));
}
