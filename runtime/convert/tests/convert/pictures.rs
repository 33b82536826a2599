//! Textures in formats other than PNG, and unreadable ones.

use convert::{Conversion, Options};
use serde_json::json;

use crate::glb::Glb;
use crate::gltf_scenes::{png, square};
use crate::warnings;

/// Converts a textured triangle. `bytes` are the texture's file `name`.
fn with_picture(name: &str, bytes: &[u8]) -> Conversion {
    with_file(name, name, bytes)
}

/// Converts a triangle with a texture named `name`. The only file is `file`, with the content `bytes`.
fn with_file(name: &str, file: &str, bytes: &[u8]) -> Conversion {
    let scene = crate::scene::Scene::of(crate::scene::Mesh {
        vertices: vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0]],
        polygons: vec![vec![0, 1, 2]],
        uv: Some(vec![[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]]),
        texture: Some(name.to_owned()),
        ..crate::scene::Mesh::default()
    });
    let mut find = |path: &str| (path == file).then(|| bytes.to_vec());
    convert::convert(&scene.write(), &Options::default(), &mut find).unwrap()
}

/// An uncompressed 24-bit TGA, stored from the bottom up: every pixel blue, the first one red.
fn tga() -> Vec<u8> {
    let mut bytes = vec![0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 8, 0, 24, 0];
    bytes.extend([0, 0, 255]);
    bytes.extend([255, 0, 0].repeat(63));
    bytes
}

/// The picture of [`tga`] as a BMP.
fn bmp() -> Vec<u8> {
    let mut bytes = b"BM".to_vec();
    let words = [
        54 + 192,
        0,
        54,
        40,
        8,
        8,
        1 | 24 << 16,
        0,
        192,
        2835,
        2835,
        0,
        0u32,
    ];
    bytes.extend(words.iter().flat_map(|w| w.to_le_bytes()));
    bytes.extend(&tga()[18..]);
    bytes
}

/// Pixels of 32 bits are decoded without a copy.
#[test]
fn pixels_with_alpha_keep_their_channels() {
    let mut bytes = vec![0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 1, 0, 32, 0x28];
    bytes.extend([3, 2, 1, 4, 0x30, 0x20, 0x10, 0x40]);
    let image = convert::read_picture(&bytes, "a.tga").unwrap();
    assert_eq!(image.texels, [0x0401_0203, 0x4010_2030]);
}

#[test]
fn a_tga_file_is_found_beside_the_scene() {
    let conversion = with_file("paint.png", "paint.tga", &tga());
    assert!(conversion.archive.is_some(), "{:?}", conversion.warnings);
}

#[test]
fn tga_and_bmp_give_their_texels() {
    for (name, bytes) in [("paint.tga", tga()), ("paint.BMP", bmp())] {
        let conversion = with_picture(name, &bytes);
        let archive = pvr::container::read_pvm(conversion.archive.as_ref().unwrap()).unwrap();
        let image = archive[0].texture.decode(None).unwrap();
        let image = pvr::texture::Rgba::from(image);
        assert_eq!((image.width, image.height), (8, 8), "{name}");
        assert_eq!(image.texels[56], 0xffff_0000, "{name}: bottom left");
        assert_eq!(image.texels[0], 0xff00_00ff, "{name}: top left");
    }
}

#[test]
fn an_unreadable_picture_is_a_warning() {
    let mut huge = tga();
    huge[12..16].fill(0xff);
    for (name, bytes, cause) in [
        ("paint.tga", huge, "65535x65535 pixels"),
        ("paint.png", b"text".to_vec(), "expected a PNG, BMP"),
        ("paint.bmp", bmp()[..60].to_vec(), "not readable"),
    ] {
        let conversion = with_picture(name, &bytes);
        let text = warnings(&conversion);
        assert!(text.contains(cause), "{name}: {text}");
        assert!(text.contains("a checkerboard takes its place"), "{name}: {text}");
        is_checker(&conversion);
        assert_eq!(conversion.report.textures[0].image, None);
        assert_eq!(conversion.report.triangles, 1, "{name}");
    }
}

/// Checks that the archive has a checkerboard in place of the picture.
pub(crate) fn is_checker(conversion: &Conversion) {
    let archive = pvr::container::read_pvm(conversion.archive.as_ref().unwrap()).unwrap();
    let image = pvr::texture::Rgba::from(archive[0].texture.decode(None).unwrap());
    let [a, b] = [image.texels[0], image.texels[4]];
    assert!(a != b && image.texels.iter().all(|t| [a, b].contains(t)));
}

/// Converts a 32-bit TGA of one colour. Returns the sizes of the textures, and the warnings.
fn sides(side: u16, options: &Options) -> (Vec<[u32; 2]>, String) {
    let mut bytes = vec![0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    bytes.extend([side.to_le_bytes(), side.to_le_bytes()].concat());
    bytes.extend([24, 0]);
    bytes.extend([255, 0, 0].repeat(usize::from(side) * usize::from(side)));
    let scene = crate::scene::Scene::of(crate::scene::Mesh {
        vertices: vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0]],
        polygons: vec![vec![0, 1, 2]],
        uv: Some(vec![[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]]),
        texture: Some("paint.tga".to_owned()),
        ..crate::scene::Mesh::default()
    });
    let conversion = convert::convert(&scene.write(), options, &mut |_| Some(bytes.clone())).unwrap();
    let archive = pvr::container::read_pvm(conversion.archive.as_ref().unwrap()).unwrap();
    let sizes = archive
        .iter()
        .map(|entry| [entry.texture.width, entry.texture.height]);
    (sizes.collect(), warnings(&conversion))
}

#[test]
fn textures_are_scaled_down_to_a_side_and_to_video_memory() {
    let (whole, said) = sides(64, &Options::default());
    assert_eq!(
        (whole, said.contains("scaled down")),
        (vec![[64, 64]], false),
        "{said}"
    );
    let narrow = Options {
        max_texture: 16,
        ..Options::default()
    };
    let (small, said) = sides(64, &narrow);
    assert_eq!(small, [[16, 16]]);
    assert!(said.contains("resized to 16x16"), "{said}");
    // 64x64 texels of 16 bits are 8192 bytes, 32x32 are 2048.
    let little = Options {
        texture_bytes: Some(8191),
        ..Options::default()
    };
    let (half, said) = sides(64, &little);
    assert_eq!(half, [[32, 32]]);
    assert!(said.contains("from 8192 to 2048 bytes"), "{said}");
    let none = Options {
        texture_bytes: Some(1),
        ..Options::default()
    };
    let (least, said) = sides(64, &none);
    assert_eq!(least, [[8, 8]]);
    assert!(
        said.contains("128 bytes of video memory, but only 1 are free"),
        "{said}"
    );
}

/// Three masked materials and an opaque one share an image with an alpha of 100.
#[test]
fn masked_materials_of_gltf_cut_their_textures() {
    let mut glb = Glb::default();
    let uv = glb.floats("VEC2", &[[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]]);
    let mut scene = square(&mut glb, json!({ "TEXCOORD_0": uv }));
    let image = glb.view(&png(100));
    scene["images"] = json!([{ "bufferView": image, "mimeType": "image/png", "name": "leaf" }]);
    scene["textures"] = json!([{ "source": 0 }]);
    let material = |mode: &str, cutoff: f64, factor: f64| {
        let metallic = json!({
            "baseColorFactor": [1, 1, 1, factor],
            "baseColorTexture": { "index": 0 },
        });
        let mut material = json!({ "alphaMode": mode, "pbrMetallicRoughness": metallic });
        if mode == "MASK" {
            material["alphaCutoff"] = json!(cutoff);
        }
        material
    };
    // 100 of 255 is 0.392.
    scene["materials"] = json!([
        material("MASK", 0.39, 1.0),
        material("MASK", 0.4, 1.0),
        material("MASK", 0.39, 0.5),
        material("OPAQUE", 0.0, 1.0),
        material("BLEND", 0.0, 1.0),
    ]);
    let primitive = scene["meshes"][0]["primitives"][0].clone();
    let with = |n: usize| {
        let mut primitive = primitive.clone();
        primitive["material"] = json!(n);
        primitive
    };
    scene["meshes"][0]["primitives"] = (0..5).map(with).collect();
    let conversion = crate::convert_bytes(&glb.write(&scene), &Options::default()).unwrap();
    let archive = pvr::container::read_pvm(conversion.archive.as_ref().unwrap()).unwrap();
    let alphas: Vec<u8> = archive
        .iter()
        .map(|entry| pvr::texture::Rgba::from(entry.texture.decode(None).unwrap()))
        .map(|image| (image.texels[0] >> 24) as u8)
        .collect();
    // Four bits store 102.
    assert_eq!(alphas, [255, 0, 0, 255, 102]);
    let tree = conversion.model.models().next().unwrap();
    let diffuse = tree.plists[0].chunks.iter().filter_map(|c| match c {
        ninja::PolyChunk::Material(material) => material.diffuse,
        _ => None,
    });
    assert!(diffuse.into_iter().all(|d| d.0 >> 24 == 255));
}
