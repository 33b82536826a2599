//! Random trees read back equal in both byte orders.

// These helpers fail a test by unwrap or panic.
#![allow(clippy::unwrap_used, clippy::panic)]

use ninja::{
    Argb, Bams, Blend, Bump, ByteOrder, Chunk, EvalFlags, Exponent, File, Filter, Material, MipmapAdjust,
    Model, ModelId, NodeFormat, Object, ObjectTree, Plist, PlistId, PolyChunk, Specular, StripChunk,
    StripEntry, StripFlags, StripKind, StripSource, Texlist, TextureName, Tiny, VertexChunk, VertexKind,
    Vlist, VlistId, VolumeChunk, VolumeKind,
};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

fn float() -> impl Strategy<Value = f32> {
    // Random bits produce infinities, NaNs and denormals too.
    prop_oneof![any::<u32>().prop_map(f32::from_bits), -10.0f32..10.0]
}

fn vertex_chunk() -> impl Strategy<Value = VertexChunk> {
    (0..21usize, any::<u8>(), any::<u16>(), 0..6usize).prop_flat_map(|(kind, headbits, offset, count)| {
        let kind = VertexKind::all().nth(kind).unwrap();
        vec(any::<u32>(), count * kind.stride())
            .prop_map(move |words| VertexChunk::from_parts(kind, headbits, offset, words).unwrap())
    })
}

fn strip_entry() -> impl Strategy<Value = StripEntry> {
    let parts = (
        any::<u16>(),
        any::<[i16; 2]>(),
        any::<[i16; 2]>(),
        any::<[i16; 3]>(),
        any::<u32>(),
        any::<[u16; 3]>(),
    );
    parts.prop_map(|(index, uv, uv2, normal, color, user)| StripEntry {
        index,
        uv,
        uv2,
        normal,
        color: Argb(color),
        user,
    })
}

fn strip_chunk() -> impl Strategy<Value = PolyChunk> {
    let strip = (any::<bool>(), vec(strip_entry(), 0..7));
    let strip = strip.prop_map(|(reversed, entries)| StripSource { reversed, entries });
    (0..12usize, any::<u8>(), 0..4u8, vec(strip, 0..4)).prop_map(|(kind, flags, user, strips)| {
        let kind = StripKind::all().nth(kind).unwrap();
        PolyChunk::Strip(StripChunk::build_with_user(kind, StripFlags(flags), user, &strips).unwrap())
    })
}

fn material() -> impl Strategy<Value = PolyChunk> {
    let specular = (any::<u8>(), any::<[u8; 3]>()).prop_map(|(exponent, rgb)| Specular { exponent, rgb });
    let color = || option::of(any::<u32>().prop_map(Argb));
    (any::<bool>(), any::<u8>(), color(), color(), option::of(specular)).prop_filter_map(
        "a material has a colour",
        |(second, blend, diffuse, ambient, specular)| {
            let blend = Blend::from_headbits(blend);
            let some = diffuse.is_some() || ambient.is_some() || specular.is_some();
            some.then_some(PolyChunk::Material(Material {
                second,
                blend,
                diffuse,
                ambient,
                specular,
            }))
        },
    )
}

fn tiny() -> impl Strategy<Value = PolyChunk> {
    let filters = [
        Filter::Point,
        Filter::Bilinear,
        Filter::TrilinearA,
        Filter::TrilinearB,
    ];
    (any::<[bool; 6]>(), 0..=Tiny::MAX_TEXTURE, 0..16u8, 0..4usize).prop_map(
        move |(bits, texture, adjust, filter)| {
            let [second, flip_u, flip_v, clamp_u, clamp_v, supersample] = bits;
            let (mipmap_adjust, filter) = (adjust, filters[filter]);
            PolyChunk::Texture(Tiny {
                second,
                texture,
                flip_u,
                flip_v,
                clamp_u,
                clamp_v,
                mipmap_adjust,
                filter,
                supersample,
            })
        },
    )
}

fn poly_chunk() -> impl Strategy<Value = PolyChunk> {
    prop_oneof![
        Just(PolyChunk::Null),
        any::<u8>().prop_map(|b| PolyChunk::Blend(Blend::from_headbits(b))),
        any::<u8>().prop_map(|b| PolyChunk::MipmapAdjust(MipmapAdjust(b))),
        any::<u8>().prop_map(|b| PolyChunk::Exponent(Exponent(b))),
        any::<u8>().prop_map(PolyChunk::CachePolygons),
        any::<u8>().prop_map(PolyChunk::DrawPolygons),
        tiny(),
        material(),
        (any::<u8>(), any::<[i16; 3]>(), any::<[i16; 3]>()).prop_map(|(headbits, direction, up)| {
            PolyChunk::Bump(Bump {
                headbits,
                direction,
                up,
            })
        }),
        vec(any::<[u16; 3]>(), 0..4).prop_map(|p| {
            let polygons: Vec<&[u16]> = p.iter().map(|p| &p[..]).collect();
            PolyChunk::Volume(VolumeChunk::build(VolumeKind::P3, 0, &polygons).unwrap())
        }),
        vec((any::<bool>(), vec(any::<u16>(), 1..5)), 0..4).prop_map(|s| {
            let strips: Vec<(bool, &[u16])> = s
                .iter()
                .map(|(reversed, indices)| (*reversed, &indices[..]))
                .collect();
            PolyChunk::Volume(VolumeChunk::build_strips(&strips).unwrap())
        }),
        strip_chunk(),
        strip_chunk(),
    ]
}

/// The values of a node; links are made later.
fn object() -> impl Strategy<Value = Object> {
    let angles = any::<[i32; 3]>().prop_map(|a| a.map(Bams));
    (
        any::<u32>(),
        [float(), float(), float()],
        angles,
        [float(), float(), float()],
        float(),
    )
        .prop_map(|(flags, pos, ang, scl, re)| Object {
            evalflags: EvalFlags(flags),
            pos,
            ang,
            scl,
            re_quat: Some(re),
            ..Object::default()
        })
}

fn tree() -> impl Strategy<Value = ObjectTree> {
    let vlists = vec(vec(vertex_chunk(), 0..4), 0..4);
    let plists = vec(vec(poly_chunk(), 0..8), 0..4);
    let nodes = vec((object(), any::<usize>(), option::of(any::<usize>())), 1..10);
    let models = vec([float(), float(), float(), float()], 1..6);
    (any::<bool>(), vlists, plists, models, nodes).prop_map(|(wide, vlists, plists, models, nodes)| {
        let mut tree = ObjectTree::new();
        tree.kind = if wide {
            NodeFormat::Ninja2
        } else {
            NodeFormat::Ninja1
        };
        tree.vlists = vlists.into_iter().map(|chunks| Vlist { chunks }).collect();
        tree.plists = plists.into_iter().map(|chunks| Plist { chunks }).collect();
        let count = models.len().max(tree.vlists.len()).max(tree.plists.len());
        for (i, floats) in models.iter().cycle().take(count).enumerate() {
            let [x, y, z, radius] = *floats;
            // Every list is used once, and some are used twice.
            let pick = |len: usize| (len > 0 && (i < len || i % 2 == 0)).then(|| (i % len) as u32);
            let (vlist, plist) = (
                pick(tree.vlists.len()).map(VlistId),
                pick(tree.plists.len()).map(PlistId),
            );
            tree.models.push(Model {
                vlist,
                plist,
                center: [x, y, z],
                radius,
            });
        }
        for (i, (object, parent, model)) in nodes.iter().cycle().take(nodes.len().max(count)).enumerate() {
            let model = if i < count {
                Some(i)
            } else {
                model.map(|m| m % count)
            };
            let mut object = Object {
                model: model.map(|m| ModelId(m as u32)),
                ..*object
            };
            if !wide {
                object.re_quat = None;
            }
            let parent = (i > 0).then(|| ninja::ObjectId((parent % i.max(1)) as u32));
            match parent {
                None => tree.push_object(object),
                Some(parent) => tree.push_child(parent, object).unwrap(),
            };
        }
        tree
    })
}

fn texlist() -> impl Strategy<Value = Texlist> {
    let name = (vec(1..=255u8, 0..12), any::<u32>(), any::<u32>());
    vec(
        name.prop_map(|(name, attr, texaddr)| TextureName { name, attr, texaddr }),
        0..5,
    )
    .prop_map(Texlist::new)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn trees_read_back(tree in tree(), texlist in texlist(), big in any::<bool>()) {
        let byte_order = if big { ByteOrder::Big } else { ByteOrder::Little };
        let chunks = std::vec![Chunk::Texlist(texlist), Chunk::Model(tree)];
        let file = File { byte_order, ..File::new(chunks) };
        let bytes = file.write().unwrap();
        let again = ninja::read(&bytes).unwrap();
        prop_assert_eq!(&again.chunks, &file.chunks);
        prop_assert_eq!(again.byte_order, byte_order);
        prop_assert_eq!(again.write().unwrap(), bytes);
        again.census();
    }
}
