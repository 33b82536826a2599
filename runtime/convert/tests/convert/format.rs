//! Checks the contents of the written chunks.

use convert::{Keep, Normals, Options, UvKind};
use ninja::{Chunk, Model, ObjectTree, PolyChunk, StripFlags, StripKind, VertexKind};

use crate::scene::{Mesh, Scene};
use crate::{convert_bytes, converted, warnings};

/// Counts the triangles of a rigid model that face in the direction of their vertices' normals, and all
/// triangles.
pub(crate) fn outward(tree: &ObjectTree, model: &Model) -> (usize, usize) {
    let chunk = &tree.vlist(model.vlist.unwrap()).unwrap().chunks[0];
    let (mut out, mut all) = (0, 0);
    for poly in &tree.plist(model.plist.unwrap()).unwrap().chunks {
        let PolyChunk::Strip(strips) = poly else { continue };
        for strip in &strips.strips {
            let slots: Vec<usize> = strips.indices(strip).map(usize::from).collect();
            for (i, w) in slots.windows(3).enumerate() {
                let turned = (i % 2 == 1) != strip.reversed;
                let [a, b, c] = if turned {
                    [w[1], w[0], w[2]]
                } else {
                    [w[0], w[1], w[2]]
                };
                let [p, q, r] = [a, b, c].map(|v| chunk.position(v));
                let (u, v) = ([0, 1, 2].map(|k| q[k] - p[k]), [0, 1, 2].map(|k| r[k] - p[k]));
                let n = [
                    u[1] * v[2] - u[2] * v[1],
                    u[2] * v[0] - u[0] * v[2],
                    u[0] * v[1] - u[1] * v[0],
                ];
                let mean: f32 = [a, b, c]
                    .iter()
                    .map(|i| {
                        let m = chunk.normal(*i).unwrap();
                        n[0] * m[0] + n[1] * m[1] + n[2] * m[2]
                    })
                    .sum();
                all += 1;
                out += usize::from(mean > 0.0);
            }
        }
    }
    (out, all)
}

fn kinds(conversion: &convert::Conversion) -> Vec<VertexKind> {
    let tree = conversion.model.models().next().unwrap();
    tree.vlists
        .iter()
        .flat_map(|l| &l.chunks)
        .map(|c| c.kind)
        .collect()
}

fn strips(conversion: &convert::Conversion) -> Vec<&ninja::StripChunk> {
    let tree = conversion.model.models().next().unwrap();
    let chunks = tree.plists.iter().flat_map(|l| &l.chunks);
    chunks
        .filter_map(|c| {
            if let PolyChunk::Strip(s) = c {
                Some(s)
            } else {
                None
            }
        })
        .collect()
}

#[test]
fn the_same_file_gives_the_same_bytes() {
    let bytes = || {
        let c = converted("skin_shapes_anim.fbx", &Options::default());
        let shapes = c.shapes.as_ref().unwrap().write().unwrap();
        (
            c.model.write().unwrap(),
            c.motions[0].file.write().unwrap(),
            shapes,
            c.archive,
        )
    };
    assert!(bytes() == bytes());
}

#[test]
fn every_written_file_is_read_back_equal_and_without_warnings() {
    for name in [
        "static_uv_vcol_2mat.fbx",
        "skin_8influences.fbx",
        "skin_shapes_anim.fbx",
        "node_anim_nla_off.fbx",
    ] {
        let conversion = converted(name, &Options::default());
        let files = conversion
            .motions
            .iter()
            .map(|m| &m.file)
            .chain(&conversion.shapes);
        for file in files.chain([&conversion.model]) {
            let read = ninja::read(&file.write().unwrap()).unwrap();
            assert!(read.warnings.is_empty(), "{name}: {:?}", read.warnings);
            assert!(read.chunks == file.chunks, "{name}");
        }
        let census = ninja::read(&conversion.model.write().unwrap()).unwrap().census();
        assert_eq!((census.unresolved, census.bad_draws), (0, 0), "{name}");
        assert_eq!(census.triangles as usize, conversion.report.triangles, "{name}");
    }
}

#[test]
fn materials_are_differences_opaque_before_translucent() {
    let conversion = converted("static_uv_vcol_2mat.fbx", &Options::default());
    let tree = conversion.model.models().next().unwrap();
    let chunks = &tree.plists[0].chunks;
    let ids: Vec<u8> = chunks.iter().map(PolyChunk::id).filter(|id| *id != 0).collect();
    // Texture, diffuse and ambient, strips; then only the changes of the second material.
    assert_eq!(ids[0], 8, "{ids:?}");
    assert_eq!(ids[1], 19, "{ids:?}");
    assert_eq!(ids[2], StripKind::CsUvn.id(), "{ids:?}");
    assert_eq!(ids[3], 19, "{ids:?}");
    assert_eq!(ids[4], StripKind::Cs.id(), "{ids:?}");
    assert_eq!(ids.len(), 5);
    let [opaque, glass] = strips(&conversion)[..] else {
        panic!("two strip chunks expected")
    };
    assert!(!opaque.flags.contains(StripFlags::USE_ALPHA));
    assert!(glass.flags.contains(StripFlags::USE_ALPHA));
    let Some(PolyChunk::Material(material)) = chunks.iter().rfind(|c| c.id() == 19) else {
        panic!("no second material");
    };
    assert_eq!(material.diffuse.unwrap().a(), 128);
    // The ambient colour is the diffuse one, without its alpha.
    let colour = |c: ninja::Argb| c.0 & 0xFF_FFFF;
    assert_eq!(material.ambient.map(colour), material.diffuse.map(colour));
}

#[test]
fn textures_become_a_list_and_an_archive() {
    let conversion = converted("static_uv_vcol_2mat.fbx", &Options::default());
    let names = &conversion.model.texlist().unwrap().names;
    assert_eq!(names.len(), 1);
    assert_eq!(names[0].name, b"checker");
    let textures = pvr::container::read_pvm(conversion.archive.as_ref().unwrap()).unwrap();
    assert_eq!(textures[0].name.as_deref(), Some("checker"));
    assert_eq!((textures[0].texture.width, textures[0].texture.height), (16, 16));
    let bytes = std::fs::read(crate::data("static_uv_vcol_2mat.fbx")).unwrap();
    let without = convert_bytes(&bytes, &Options::default()).unwrap();
    crate::pictures::is_checker(&without);
    assert!(warnings(&without).contains("was not found"));
    assert_eq!(without.model.texlist().unwrap().names[0].name, b"checker");
    let gif = |_: &str| Some(b"GIF89a".to_vec());
    let broken = convert::convert(&bytes, &Options::default(), &mut { gif }).unwrap();
    crate::pictures::is_checker(&broken);
    assert!(warnings(&broken).contains("checker"), "{}", warnings(&broken));
    assert_eq!(broken.model.texlist().unwrap().names[0].name, b"checker");
}

#[test]
fn the_vertex_kind_follows_the_data() {
    let with = |options: Options| kinds(&converted("static_uv_vcol_2mat.fbx", &options));
    let (keep, drop) = (Options::default(), Keep::Drop);
    assert_eq!(with(keep.clone()), [VertexKind::CvVnD8]);
    assert_eq!(
        with(Options {
            colors: drop,
            ..keep.clone()
        }),
        [VertexKind::CvVn]
    );
    assert_eq!(
        with(Options {
            normals: Normals::Drop,
            ..keep.clone()
        }),
        [VertexKind::CvD8]
    );
    let neither = Options {
        normals: Normals::Drop,
        colors: drop,
        ..keep.clone()
    };
    assert_eq!(with(neither), [VertexKind::Cv]);
    let skinned = kinds(&converted("skin_anim.fbx", &keep));
    assert!(
        skinned.contains(&VertexKind::CvVn) && skinned.contains(&VertexKind::CvVnNf),
        "{skinned:?}"
    );
    let only = kinds(&converted("skin_8influences.fbx", &keep));
    assert!(only.iter().all(|k| *k == VertexKind::CvVnNf), "{only:?}");
}

#[test]
fn weights_of_each_vertex_make_255_and_run_from_start_to_end() {
    let conversion = converted("skin_8influences.fbx", &Options::default());
    let tree = conversion.model.models().next().unwrap();
    let mut sums = std::collections::BTreeMap::new();
    for (_, _, object) in tree.walk() {
        let Some(list) = object.model.and_then(|m| tree.vlist(tree.model(m)?.vlist?)) else {
            continue;
        };
        for chunk in &list.chunks {
            for i in 0..usize::from(chunk.count) {
                let (slot, weight) = (chunk.slot(i), chunk.ninja_flags(i).unwrap().weight);
                let (sum, open) = sums.entry(slot).or_insert((0, false));
                match chunk.weight_status().unwrap() {
                    ninja::Weight::Start => assert!(!*open && *sum == 0),
                    _ => assert!(*open),
                }
                *open = chunk.weight_status() != Some(ninja::Weight::End);
                *sum += weight;
            }
        }
    }
    assert_eq!(sums.len(), conversion.report.vertices);
    assert!(sums.values().all(|(sum, open)| *sum == 255 && !open));
}

#[test]
fn few_bones_can_be_asked_for_and_the_loss_is_told() {
    let options = Options {
        max_influences: 2,
        ..Options::default()
    };
    let conversion = converted("skin_8influences.fbx", &options);
    assert!(conversion.report.loss.weight > 0.1);
    let tree = conversion.model.models().next().unwrap();
    let weighted = tree
        .vlists
        .iter()
        .flat_map(|l| &l.chunks)
        .map(|c| usize::from(c.count))
        .sum::<usize>();
    assert!(weighted <= 2 * conversion.report.vertices);
}

#[test]
fn texture_coordinates_go_down_and_take_the_scale_they_need() {
    let square = |uv: [[f64; 2]; 4]| {
        Scene::of(Mesh {
            vertices: vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]],
            polygons: vec![vec![0, 1, 2, 3]],
            uv: Some(uv.to_vec()),
            texture: Some("wall.png".to_owned()),
            ..Mesh::default()
        })
        .write()
    };
    let first_uv = |conversion: &convert::Conversion| {
        let chunk = strips(conversion)[0];
        let entry = |e: ninja::StripEntry| (e.index, e.uv);
        let mut entries: Vec<_> = chunk
            .strips
            .iter()
            .flat_map(|s| chunk.entries(s))
            .map(entry)
            .collect();
        entries.sort_unstable();
        entries.dedup();
        (chunk.kind, entries)
    };
    let plain = square([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]);
    let made = convert_bytes(&plain, &Options::default()).unwrap();
    let (kind, uvs) = first_uv(&made);
    // Without an image the test assumes 256 texels, for which UVN's step is too large.
    assert_eq!(kind, StripKind::CsUvh);
    let mut values: Vec<[i16; 2]> = uvs.iter().map(|e| e.1).collect();
    values.sort_unstable();
    assert_eq!(values, [[0, 0], [0, 1024], [1024, 0], [1024, 1024]]);
    let uvn = Options {
        uv: UvKind::Uvn,
        ..Options::default()
    };
    assert_eq!(
        first_uv(&convert_bytes(&plain, &uvn).unwrap()).0,
        StripKind::CsUvn
    );
    // 40 repeats exceed UVH's 32, but whole texture widths can be subtracted.
    let shifted = square([[40.0, 0.0], [41.0, 0.0], [41.0, 1.0], [40.0, 1.0]]);
    assert_eq!(
        first_uv(&convert_bytes(&shifted, &Options::default()).unwrap()).0,
        StripKind::CsUvh
    );
    let wide = square([[0.0, 0.0], [100.0, 0.0], [100.0, 1.0], [0.0, 1.0]]);
    let made = convert_bytes(&wide, &Options::default()).unwrap();
    assert_eq!(first_uv(&made).0, StripKind::CsUvn);
    assert_eq!(made.report.loss.uv, 0.0);
    let wider = square([[0.0, 0.0], [300.0, 0.0], [300.0, 1.0], [0.0, 1.0]]);
    let made = convert_bytes(&wider, &Options::default()).unwrap();
    assert!(
        warnings(&made).contains("exceed 127 widths"),
        "{}",
        warnings(&made)
    );
    assert!(made.report.loss.uv > 20.0);
}

#[test]
fn shapes_stand_first_and_are_stored_once() {
    let conversion = converted("shapes_anim.fbx", &Options::default());
    let Some(Chunk::ShapeList(list)) = conversion.shapes.as_ref().map(|f| &f.chunks[0]) else {
        panic!("no shape list");
    };
    let Chunk::ShapeMotion(motion) = &conversion.motions[0].file.chunks[0] else {
        panic!("no shape motion");
    };
    let tree = conversion.model.models().next().unwrap();
    assert_eq!(motion.nodes.len(), tree.objects.len());
    let base = &tree.vlists[0].chunks[0];
    for vlist in &list.vlists {
        assert_eq!(vlist.chunks[0].count(), usize::from(base.count));
        assert_eq!(vlist.chunks[0].headbits, ninja::FV_SHAPE);
    }
    let keys = &motion.tracks[0];
    assert_eq!((keys[0].frame, keys.last().unwrap().frame), (0, 30));
    let most = keys.iter().map(|k| k.value).max().unwrap();
    assert_eq!(most as usize + 1, list.shapes.len());
}

#[test]
fn quads_become_one_strip_in_the_same_direction() {
    let scene = Scene::of(Mesh {
        vertices: vec![
            [0.0, 0.0, 0.0],
            [1.0, 0.0, 0.0],
            [1.0, 1.0, 0.0],
            [0.0, 1.0, 0.0],
            [2.0, 0.0, 0.0],
            [2.0, 1.0, 0.0],
        ],
        polygons: vec![vec![0, 1, 2, 3], vec![1, 4, 5, 2]],
        ..Mesh::default()
    });
    let conversion = convert_bytes(&scene.write(), &Options::default()).unwrap();
    assert_eq!(conversion.report.strips.strips, 1);
    assert_eq!(conversion.report.strips.entries, 6);
    let tree = conversion.model.models().next().unwrap();
    assert_eq!(outward(tree, &tree.models[0]), (4, 4));
    assert_eq!(tree.models[0].center, [1.0, 0.5, 0.0]);
    assert!((tree.models[0].radius - 1.25f32.sqrt()).abs() < 1e-6);
}
