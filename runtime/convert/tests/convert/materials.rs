//! Colours, highlights, samplers and lights must follow the same rules in all formats.

use convert::{Ambient, Conversion, Options, SceneFormat, Specular};
use ninja::{Chunk, Element, Filter, Keys, Motion, PolyChunk};
use serde_json::json;

use crate::glb::Glb;
use crate::gltf_scenes::{png, square};
use crate::{convert_bytes, data, warnings};

/// Returns diffuse, ambient and specular colours of all materials, in ascending order.
fn colours(conversion: &Conversion) -> Vec<[u32; 3]> {
    let (mut all, mut now) = (Vec::new(), [0; 3]);
    for tree in conversion.model.models() {
        for chunk in tree.plists.iter().flat_map(|list| &list.chunks) {
            match chunk {
                PolyChunk::Material(material) => {
                    now[0] = material.diffuse.map_or(now[0], |c| c.0);
                    now[1] = material.ambient.map_or(now[1], |c| c.0);
                    now[2] = material.specular.map_or(0, |s| {
                        u32::from_be_bytes([s.exponent, s.rgb[0], s.rgb[1], s.rgb[2]])
                    });
                }
                PolyChunk::Strip(_) if !all.contains(&now) => all.push(now),
                _ => {}
            }
        }
    }
    all.sort_unstable();
    all
}

/// A scene of `formats.py`.
fn format(name: &str, options: Options) -> Conversion {
    let folder = data("formats");
    let bytes = std::fs::read(folder.join(name)).unwrap();
    let format = name.ends_with(".obj").then_some(SceneFormat::Obj);
    let options = Options { format, ..options };
    convert::convert(&bytes, &options, &mut |path| {
        std::fs::read(folder.join(path)).ok()
    })
    .unwrap()
}

/// Linear 0.5, 0.05 and 0.02 are 188, 63 and 39 on the screen (IEC 61966-2-1), 0.18 is 118, 0.3 is 149.
#[test]
fn a_scene_of_blender_has_the_same_colours_in_three_formats() {
    let wanted = [
        [0xFF27_953F, 0xFF27_953F, 0],
        [0xFF76_7676, 0xFF76_7676, 0],
        [0xFFBC_3F27, 0xFFBC_3F27, 0],
    ];
    for name in ["scene.fbx", "scene.glb", "scene.obj"] {
        assert_eq!(colours(&format(name, Options::default())), wanted, "{name}");
    }
    let file = Options {
        ambient: Ambient::File,
        specular: Specular::File,
        ..Options::default()
    };
    // Blender writes black to FBX and white to OBJ.
    let of = |name: &str| {
        let colours = colours(&format(name, file.clone()));
        colours.iter().map(|c| c[1]).collect::<Vec<u32>>()
    };
    assert_eq!(of("scene.fbx"), [0xFF00_0000; 3]);
    assert_eq!(of("scene.obj"), [u32::MAX; 3]);
}

/// Converts one triangle per material of an MTL file.
fn obj(mtl: &str, options: Options) -> Conversion {
    let mut text = "mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 1 1 0\n".to_owned();
    for name in mtl.lines().filter_map(|line| line.strip_prefix("newmtl ")) {
        text += &format!("usemtl {name}\nf 1 2 3\n");
    }
    let options = Options {
        format: Some(SceneFormat::Obj),
        ..options
    };
    convert::convert(text.as_bytes(), &options, &mut |_| Some(mtl.as_bytes().to_vec())).unwrap()
}

fn ambient(mtl: &str, ambient: Ambient) -> (Vec<u32>, String) {
    let options = Options {
        ambient,
        ..Options::default()
    };
    let conversion = obj(mtl, options);
    let colours = colours(&conversion).iter().map(|c| c[1]).collect();
    (colours, warnings(&conversion))
}

/// Greys are defaults of exporters. A colour was chosen, unless materials of all colours share it.
#[test]
fn an_ambient_colour_counts_if_an_artist_has_chosen_it() {
    let red = "newmtl a\nKd 1 0 0\n";
    for grey in [
        "0 0 0",
        "0.2 0.2 0.2",
        "0.0508760884 0.0508760884 0.0508760884",
        "1 1 1",
    ] {
        let mtl = format!("{red}Ka {grey}\n");
        let (colours, said) = ambient(&mtl, Ambient::Auto);
        assert_eq!(colours, [0xFFFF_0000], "{grey}");
        assert!(said.contains("ambient colours of 1 material"), "{grey}: {said}");
        assert_ne!(ambient(&mtl, Ambient::File).0, colours, "{grey}");
    }
    let (colours, said) = ambient(&format!("{red}Ka 0 0 1\n"), Ambient::Auto);
    assert_eq!(
        (colours, said.contains("ambient")),
        (vec![0xFF00_00FF], false),
        "{said}"
    );
    let (colours, said) = ambient(&format!("{red}Ka 1 0 0\n"), Ambient::Auto);
    assert_eq!(
        (colours, said.contains("ambient")),
        (vec![0xFFFF_0000], false),
        "{said}"
    );
    let two = "newmtl a\nKd 1 0 0\nKa 0 0 1\nnewmtl b\nKd 0 1 0\nKa 0 0 1\n";
    assert_eq!(ambient(two, Ambient::Auto).0, [0xFF00_FF00, 0xFFFF_0000]);
    assert_eq!(ambient(two, Ambient::File).0, [0xFF00_00FF; 2]);
    let one = Ambient::Colour([0.0, 0.0, 1.0]);
    let (colours, said) = ambient(red, one);
    assert_eq!(
        (colours, said.contains("ambient")),
        (vec![0xFF00_00FF], false),
        "{said}"
    );
    assert_eq!(
        ambient(&format!("{red}Ka 0 0 1\n"), Ambient::Diffuse).0,
        [0xFFFF_0000]
    );
}

/// A highlight with exponent 0 has full strength at every angle.
#[test]
fn a_highlight_without_falloff_does_not_cover_the_model() {
    let mtl = "newmtl a\nKd 1 0 0\nKs 1 1 1\nNs 0\n";
    let with = |specular| {
        obj(
            mtl,
            Options {
                specular,
                ..Options::default()
            },
        )
    };
    let conversion = with(Specular::Auto);
    assert_eq!(colours(&conversion)[0][2], 0);
    assert!(warnings(&conversion).contains("exponent is 0"));
    assert_eq!(colours(&with(Specular::File))[0][2], 0x00FF_FFFF);
    let shiny = mtl.replace("Ns 0", "Ns 9");
    assert_eq!(colours(&obj(&shiny, Options::default()))[0][2], 0x09FF_FFFF);
    let drop = Options {
        specular: Specular::Drop,
        ..Options::default()
    };
    assert_eq!(colours(&obj(&shiny, drop))[0][2], 0);
}

#[test]
fn a_model_that_is_wholly_transparent_is_a_warning() {
    let glass = "newmtl a\nd 0\nnewmtl b\nd 0\n";
    let said = |mtl: &str| warnings(&obj(mtl, Options::default()));
    assert!(said(glass).contains("the whole model is transparent"));
    assert!(!said(&glass.replacen("d 0", "d 1", 1)).contains("transparent"));
}

/// Older exporters write diffuse colours in an extension. Its values replace the base colour, which is red
/// here.
#[test]
fn diffuse_colours_of_specular_materials_replace_the_base_colour() {
    let mut glb = Glb::default();
    let uv = glb.floats("VEC2", &[[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]]);
    let mut scene = square(&mut glb, json!({ "TEXCOORD_0": uv }));
    let image = glb.view(&png(255));
    scene["images"] = json!([{ "bufferView": image, "mimeType": "image/png" }]);
    scene["textures"] = json!([{ "source": 0 }]);
    let diffuse = json!({ "diffuseFactor": [0.0, 1.0, 0.0, 1.0], "diffuseTexture": { "index": 0 } });
    let name = "KHR_materials_pbrSpecularGlossiness";
    scene["materials"] = json!([{
        "pbrMetallicRoughness": { "baseColorFactor": [1.0, 0.0, 0.0, 1.0] },
        "extensions": { name: diffuse },
    }]);
    scene["meshes"][0]["primitives"][0]["material"] = json!(0);
    scene["extensionsUsed"] = json!([name]);
    scene["extensionsRequired"] = json!([name]);
    let conversion = convert_bytes(&glb.write(&scene), &Options::default()).unwrap();
    assert_eq!(colours(&conversion)[0][0] & 0x00FF_FFFF, 0x0000_FF00);
    assert!(conversion.archive.is_some() && conversion.warnings.is_empty());
}

/// Sampler constants of glTF 2.0, section 5.26.
#[test]
fn samplers_give_filter_and_wrapping() {
    let [nearest, linear, clamp, mirrored, repeat] = [9728_u32, 9729, 33071, 33648, 10497];
    for (mag, u, v) in [
        (nearest, repeat, clamp),
        (linear, mirrored, repeat),
        (nearest, clamp, mirrored),
    ] {
        let mut glb = Glb::default();
        let uv = glb.floats("VEC2", &[[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]]);
        let mut scene = square(&mut glb, json!({ "TEXCOORD_0": uv }));
        let image = glb.view(&png(255));
        scene["images"] = json!([{ "bufferView": image, "mimeType": "image/png" }]);
        scene["samplers"] = json!([{ "magFilter": mag, "wrapS": u, "wrapT": v }]);
        scene["textures"] = json!([{ "source": 0, "sampler": 0 }]);
        scene["materials"] = json!([{ "pbrMetallicRoughness": { "baseColorTexture": { "index": 0 } } }]);
        scene["meshes"][0]["primitives"][0]["material"] = json!(0);
        let conversion = convert_bytes(&glb.write(&scene), &Options::default()).unwrap();
        let tree = conversion.model.models().next().unwrap();
        let tiny = tree.plists[0].chunks.iter().find_map(|chunk| match chunk {
            PolyChunk::Texture(tiny) => Some(*tiny),
            _ => None,
        });
        let tiny = tiny.unwrap();
        let filter = if mag == nearest {
            Filter::Point
        } else {
            Filter::Bilinear
        };
        assert_eq!(tiny.filter, filter);
        assert_eq!([tiny.clamp_u, tiny.clamp_v], [u == clamp, v == clamp]);
        assert_eq!([tiny.flip_u, tiny.flip_v], [u == mirrored, v == mirrored]);
    }
}

fn lights(conversion: &Conversion) -> Vec<Motion> {
    let chunks = conversion.views.iter().flat_map(|view| &view.file.chunks);
    let motions = chunks.filter_map(|chunk| match chunk {
        Chunk::Motion(motion) => Some(motion.clone()),
        _ => None,
    });
    motions.collect()
}

fn first(motion: &Motion, element: Element) -> Option<Vec<f32>> {
    Some(match motion.keys(0, element)? {
        Keys::F(keys) => keys[0].value.to_vec(),
        Keys::F2(keys) => keys[0].value.to_vec(),
        other => panic!("{other:?}"),
    })
}

/// A white surface under a sun of 2 W/m^2 has the radiance 2 / pi = 0.637, which is 0.819 on the screen. A
/// lamp of 1,000 W at distance d gives 1,000 / (4 pi^2 d^2).
#[test]
fn lights_of_blender_are_as_bright_as_in_its_pictures() {
    for name in ["lit.fbx", "lit.glb"] {
        let conversion = format(name, Options::default());
        let lights = lights(&conversion);
        let sun = lights.iter().find_map(|motion| first(motion, Element::Intensity));
        let sun = sun.unwrap();
        assert!((sun[0] - 0.819).abs() < 1e-3 && sun[1] == 0.0, "{name}: {sun:?}");
        let lamp = lights
            .iter()
            .find(|m| m.keys(0, Element::Point).is_some())
            .unwrap();
        let position = first(lamp, Element::Pos).unwrap();
        // The box of sphere, cube and torus: x -2.2..2, y (up) -1..1.25, z -2.75..1.
        let centre = [-0.1, 0.125, -0.875];
        let square: f32 = position.iter().zip(centre).map(|(p, c)| (p - c).powi(2)).sum();
        let radiance = 1000.0 / (4.0 * std::f32::consts::PI.powi(2) * square);
        let shown = 1.055 * radiance.powf(1.0 / 2.4) - 0.055;
        let colour = first(lamp, Element::Rgb).unwrap();
        assert!((colour[0] - shown).abs() < 2e-3, "{name}: {colour:?}, {shown}");
        let range = first(lamp, Element::Point).unwrap();
        assert!(
            range[0] > square.sqrt() && range[1] > range[0],
            "{name}: {range:?}"
        );
    }
}

/// Without a fixed unit, the brightest light becomes full light, and the others keep their ratio.
#[test]
fn lights_that_are_too_bright_are_dimmed_together() {
    let mut glb = Glb::default();
    let mut scene = square(&mut glb, json!({}));
    scene["extensionsUsed"] = json!(["KHR_lights_punctual"]);
    let sun = |intensity: f32| json!({ "type": "directional", "intensity": intensity });
    scene["extensions"] = json!({ "KHR_lights_punctual": { "lights": [sun(8.0), sun(2.0)] } });
    for i in 0..2 {
        let node = json!({ "extensions": { "KHR_lights_punctual": { "light": i } } });
        scene["nodes"].as_array_mut().unwrap().push(node);
    }
    scene["scenes"][0]["nodes"] = json!([0, 1, 2]);
    let conversion = convert_bytes(&glb.write(&scene), &Options::default()).unwrap();
    let found: Vec<f32> = lights(&conversion)
        .iter()
        .map(|motion| first(motion, Element::Intensity).unwrap()[0])
        .collect();
    assert_eq!(found, [1.0, 0.25]);
    assert!(warnings(&conversion).contains("divided by 8.0"));
}
