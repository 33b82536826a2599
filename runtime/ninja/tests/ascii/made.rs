//! Files made in code with content that no real file has: every vertex and strip kind, volumes, quaternions,
//! unusual words.

use super::corpus::round_trip;
use crate::common::Random;
use ninja::*;

pub(crate) fn files() -> Vec<(&'static str, File)> {
    vec![
        ("vertices", File::new(vec![Chunk::Model(vertices())])),
        ("polygons", File::new(vec![Chunk::Model(polygons())])),
        ("wide nodes", File::new(vec![Chunk::Model(nodes())])),
        (
            "nodes",
            File::new(vec![Chunk::Model(narrow_nodes()), Chunk::Model(narrow_nodes())]),
        ),
        ("motions", File::new(motions())),
        ("flags", super::flags::file()),
        (
            "textures",
            File::new(vec![
                Chunk::Texlist(textures()),
                Chunk::Texlist(Texlist::default()),
            ]),
        ),
        (
            "shapes",
            File::new(vec![
                Chunk::ShapeList(shapes()),
                Chunk::ShapeMotion(shape_motion()),
            ]),
        ),
        (
            "cells",
            File::new(vec![Chunk::CellSprite(sprite()), Chunk::CellStream(stream())]),
        ),
    ]
}

/// A tree of one node with the given lists.
fn tree(vlist: Option<Vlist>, plist: Option<Plist>) -> ObjectTree {
    let mut tree = ObjectTree::new();
    let model = Model {
        vlist: vlist.map(|list| tree.push_vlist(list)),
        plist: plist.map(|list| tree.push_plist(list)),
        center: [0.1, -2.5e-7, 3e20],
        radius: 12.0,
    };
    let model = Some(tree.push_model(model));
    tree.push_object(Object {
        model,
        ..Object::default()
    });
    tree
}

pub(crate) fn vertices() -> ObjectTree {
    let mut random = Random(1);
    let mut list = Vlist::default();
    for kind in VertexKind::all() {
        for headbits in [0, FV_CONT, 0x81, 0x82, 0x24] {
            let words = (0..kind.stride() * 2).map(|_| random.next() as u32).collect();
            list.chunks
                .push(VertexChunk::from_parts(kind, headbits, 5, words).unwrap());
        }
        let vertices = [
            Vertex::default(),
            Vertex {
                position: [1.0, -2.0, 3.5],
                ..Vertex::default()
            },
        ];
        list.chunks
            .push(VertexChunk::build(kind, FV_CONT, 0, &vertices).unwrap());
    }
    tree(Some(list), None)
}

/// Chunks without a macro are plain numbers, also after a chunk with a size.
#[test]
fn reserved_chunks_are_kept() {
    let strips = [StripSource {
        reversed: true,
        entries: vec![StripEntry::default(); 3],
    }];
    let strip = StripChunk::build(StripKind::CsUvn, StripFlags(0), &strips).unwrap();
    let reserved = |head, words| PolyChunk::Reserved(ReservedChunk { head, words });
    let chunks = vec![
        reserved(0x0006, vec![]),
        reserved(0x550A, vec![0xFFFF]),
        PolyChunk::Strip(strip),
        reserved(0x0064, (0..20).collect()),
        PolyChunk::Exponent(Exponent(11)),
    ];
    let mut file = File::new(vec![Chunk::Model(tree(None, Some(Plist { chunks })))]);
    let text = ascii::write(&file, &ascii::WriteOptions::default()).unwrap();
    let read = ascii::read(text.as_bytes()).unwrap();
    assert_eq!(read.warnings.len(), 3, "{:?}", read.warnings);
    file.renumber();
    assert_eq!(read.file.write().unwrap(), file.write().unwrap());
}

#[test]
fn words_behind_the_vertices_are_kept() {
    let mut odd = VertexChunk::from_parts(VertexKind::CvVn, 0, 0, vec![]).unwrap();
    odd.tail = vec![7, 0xFFFF_FFFF];
    let mut file = File::new(vec![Chunk::Model(tree(Some(Vlist { chunks: vec![odd] }), None))]);
    let text = ascii::write(&file, &ascii::WriteOptions::default()).unwrap();
    let read = ascii::read(text.as_bytes()).unwrap();
    let warnings: Vec<_> = read.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(
        warnings,
        ["8:5: 2 words follow the last vertex of the chunk and are kept"]
    );
    file.renumber();
    assert_eq!(read.file.write().unwrap(), file.write().unwrap());
}

fn polygons() -> ObjectTree {
    let mut random = Random(2);
    let mut half = move || random.next() as i16;
    let mut chunks = vec![
        PolyChunk::Blend(Blend::from_headbits(0xE5)),
        PolyChunk::MipmapAdjust(MipmapAdjust(4)),
        PolyChunk::Exponent(Exponent(11)),
        PolyChunk::Exponent(Exponent(0xFF)),
        PolyChunk::CachePolygons(3),
        PolyChunk::DrawPolygons(255),
    ];
    for second in [false, true] {
        chunks.push(PolyChunk::Texture(Tiny {
            second,
            texture: 8191,
            flip_u: true,
            clamp_v: second,
            mipmap_adjust: 15 * u8::from(second),
            filter: Filter::TrilinearB,
            supersample: true,
            ..Tiny::default()
        }));
        for colors in 1..8u8 {
            let color = |bit: u8| (colors & bit != 0).then_some(Argb::new(255, 1, 2, 3));
            chunks.push(PolyChunk::Material(Material {
                second,
                blend: Blend::ALPHA,
                diffuse: color(1),
                ambient: color(2),
                specular: color(4).map(|_| Specular {
                    exponent: 16,
                    rgb: [9, 8, 7],
                }),
            }));
        }
    }
    chunks.push(PolyChunk::Bump(Bump {
        headbits: 0,
        direction: [-32768, 32767, 1],
        up: [-1, 0, 12345],
    }));
    for kind in StripKind::all() {
        for user_words in 0..4 {
            let entry = |half: &mut dyn FnMut() -> i16| StripEntry {
                index: half() as u16,
                uv: [half(), half()],
                uv2: [half(), half()],
                normal: [half(), half(), half()],
                color: Argb((half() as u32).wrapping_mul(65539)),
                user: [half() as u16, half() as u16, half() as u16],
            };
            let strip = |n: usize, reversed, half: &mut dyn FnMut() -> i16| StripSource {
                reversed,
                entries: (0..n).map(|_| entry(half)).collect(),
            };
            let strips = [
                strip(3, false, &mut half),
                strip(20, true, &mut half),
                strip(4, false, &mut half),
            ];
            let flags = StripFlags(0x11 * (user_words + 1));
            chunks.push(PolyChunk::Strip(
                StripChunk::build_with_user(kind, flags, user_words, &strips).unwrap(),
            ));
        }
    }
    chunks.push(PolyChunk::Volume(
        VolumeChunk::build(VolumeKind::P3, 2, &[&[1, 2, 3, 7, 8], &[4, 5, 6, 9, 0]]).unwrap(),
    ));
    chunks.push(PolyChunk::Volume(
        VolumeChunk::build(VolumeKind::P4, 0, &[&[1, 2, 3, 4]]).unwrap(),
    ));
    chunks.push(PolyChunk::Volume(
        VolumeChunk::build_strips(&[(false, &[1, 2, 3, 4]), (true, &[5, 6, 7])]).unwrap(),
    ));
    let corners = [0, 1, 2].map(|index| StripEntry {
        index,
        ..StripEntry::default()
    });
    let triangle = StripSource {
        reversed: false,
        entries: corners.to_vec(),
    };
    let mut padded = StripChunk::build(StripKind::Cs, StripFlags(0), &[triangle]).unwrap();
    padded.words.push(0x1234);
    chunks.push(PolyChunk::Strip(padded));
    tree(None, Some(Plist::aligned(chunks)))
}

fn nodes() -> ObjectTree {
    let mut tree = ObjectTree::new();
    tree.kind = NodeFormat::Ninja2;
    let real = |re_quat| Object {
        re_quat: Some(re_quat),
        ..Object::default()
    };
    let root = tree.push_object(real(0.0));
    let mut turned = real(0.0);
    turned.set_quaternion([0.5, -0.5, f32::MIN_POSITIVE, f32::INFINITY]);
    let child = tree.push_child(root, turned).unwrap();
    tree.push_child(
        root,
        Object {
            evalflags: EvalFlags(0x3BFF),
            ..real(f32::from_bits(0x7FC0_1234))
        },
    );
    tree.push_child(
        child,
        Object {
            pos: [f32::NEG_INFINITY, -0.0, 1e-45],
            ..real(1.0)
        },
    );
    tree
}

fn narrow_nodes() -> ObjectTree {
    let mut tree = ObjectTree::new();
    let angles = [i32::MIN, i32::MAX, 1].map(Bams);
    tree.push_object(Object {
        ang: angles,
        evalflags: EvalFlags(0x1FF),
        ..Object::default()
    });
    tree
}

fn motions() -> Vec<Chunk> {
    let key = |frame, n: f32| Key {
        frame,
        value: [n, -n, 0.25],
    };
    let mut model = Motion::new(MotionKind::Model, MotionType(0xA005), 100);
    let pos = model.push_track(Keys::F(vec![key(0, 0.1), key(99, 1e-9)]));
    let scl = model.push_track(Keys::F(vec![key(0, 1.0)]));
    let rot = model.push_track(Keys::Quat(vec![Key {
        frame: 0,
        value: [1.0, 0.0, -0.0, 0.5],
    }]));
    let event = model.push_track(Keys::Ui16(vec![Key {
        frame: 65535,
        value: 0xABCD,
    }]));
    model.push_node(&[Some(pos), Some(rot), Some(scl), Some(event)]);
    model.push_node(&[None, None, None, None]);
    model.push_node(&[Some(pos), None, None, None]);
    let mut turning = Motion::new(MotionKind::Model, MotionType(0x2), 10);
    turning.inp_fn = InpFn::new(Interpolation::Spline, 1);
    let angles = [i32::MAX, -1, 0x4000].map(Bams);
    let wide = [0, 4, 9].map(|frame| Key { frame, value: angles });
    let wide = turning.push_track(Keys::A(wide.to_vec()));
    turning.push_node(&[Some(wide)]);
    let mut short = Motion::new(MotionKind::Model, MotionType(0x20), 10);
    let narrow = short.push_track(Keys::Sa(vec![Key {
        frame: 0,
        value: [i16::MIN, i16::MAX, 1],
    }]));
    short.push_node(&[Some(narrow)]);
    let mut camera = Motion::new(MotionKind::Camera, MotionType(0x1C1), 10);
    let place = camera.push_track(Keys::F(vec![key(0, 5.0)]));
    let target = camera.push_track(Keys::F(vec![key(0, 6.0)]));
    let roll = camera.push_track(Keys::Sa1(vec![Key { frame: 0, value: -1 }]));
    let angle = camera.push_track(Keys::Sa1(vec![Key {
        frame: 0,
        value: 0x2000,
    }]));
    camera.push_node(&[Some(place), Some(target), Some(roll), Some(angle)]);
    let mut looking = Motion::new(MotionKind::Camera, MotionType(0x18), 10);
    let from = looking.push_track(Keys::F(vec![key(0, 1.0)]));
    let to = looking.push_track(Keys::F(vec![key(0, 2.0)]));
    looking.push_node(&[Some(from), Some(to)]);
    // Only the title identifies these as a camera's.
    let mut idle = Motion::new(MotionKind::Camera, MotionType(0x40), 10);
    idle.push_node(&[None]);
    let mut lighting = Motion::new(MotionKind::Camera, MotionType(0xC00), 10);
    lighting.push_node(&[None, None]);
    let mut light = Motion::new(MotionKind::Light, MotionType(0x1201), 10);
    let place = light.push_track(Keys::F(vec![key(0, 5.0)]));
    let colour = light.push_track(Keys::F(vec![key(0, 0.5)]));
    let range = light.push_track(Keys::F2(vec![Key {
        frame: 0,
        value: [1.0, 100.0],
    }]));
    light.push_node(&[Some(place), Some(colour), Some(range)]);
    // These elements in a model's motion.
    let mut lit = Motion::new(MotionKind::Model, MotionType(0x0400), 10);
    let intensity = lit.push_track(Keys::F2(vec![Key {
        frame: 0,
        value: [0.75, 0.25],
    }]));
    lit.push_node(&[Some(intensity)]);
    let mut cells = Motion::new(MotionKind::CellSprite, MotionType(0x207), 10);
    let place = cells.push_track(Keys::F(vec![key(0, 5.0)]));
    let turn = cells.push_track(Keys::A1(vec![Key {
        frame: 0,
        value: Bams(-0x12345),
    }]));
    let size = cells.push_track(Keys::F2(vec![Key {
        frame: 0,
        value: [1.0, 2.0],
    }]));
    let color = cells.push_track(Keys::Ui32(vec![Key {
        frame: 0,
        value: 0x0123_4567,
    }]));
    cells.push_node(&[Some(place), Some(turn), Some(size), Some(color)]);
    [
        model, turning, short, camera, looking, idle, lighting, light, lit, cells,
    ]
    .map(Chunk::Motion)
    .into()
}

fn textures() -> Texlist {
    let odd = TextureName {
        name: b"\x83\x5C\"quoted\"\\".to_vec(),
        attr: 0x8001_0005,
        texaddr: 3,
    };
    let list = ["plain", "", "with space"].map(TextureName::new);
    let mut names = list.to_vec();
    names.extend([TextureName::with_bank("palette", true, 63), odd]);
    Texlist::new(names)
}

fn shapes() -> CShapeList {
    let mut list = CShapeList::new();
    let mut random = Random(3);
    for (i, kind) in ShapeKind::all().enumerate() {
        let chunk = ShapeChunk {
            kind,
            headbits: FV_SHAPE,
            words: (0..kind.stride() * 2).map(|_| random.next() as u32).collect(),
        };
        list.vlists.push(ShapeVlist { chunks: vec![chunk] });
        // The pointer list gives the number of null entries.
        let shape = Some(ShapeVlistId(i as u32));
        list.cvlists.push(vec![None, shape, Some(ShapeVlistId(0)), None]);
        list.shapes.push(CShapeKeyGroup {
            cvlist: Some(CvlistId(i as u32)),
            group_id: i as u16 / 4,
            reserved: 0,
        });
    }
    list
}

fn shape_motion() -> CShapeMotion {
    let mut motion = CShapeMotion::new(31);
    motion.tracks = vec![
        vec![Key { frame: 0, value: 0 }, Key { frame: 30, value: 6 }],
        vec![Key { frame: 0, value: 4 }],
    ];
    let data = |track, entry_id| CShapeData {
        keys: Some(ShapeTrackId(track)),
        entry_id,
    };
    motion.nodes = vec![vec![data(0, 0)], vec![data(0, 1), data(1, 0)], vec![]];
    motion.nodes.push(vec![data(1, 65535)]);
    motion
}

fn sprite() -> CellSprite {
    let cell = Cell {
        tex_id: -1,
        attr: CellAttr(0xFFFF),
        offset: [10.0, -0.1],
        zang: i16::MIN,
        priority: 32767,
        argb: [Argb(0), Argb(u32::MAX), Argb(0x0102_0304), Argb(7)],
        ..Cell::default()
    };
    let mut sprite = CellSprite::new(vec![Cell::default(), cell]);
    sprite.zang = Bams(-0x1_2345);
    sprite.specular = [16.0, 0.1, 0.2, 0.3];
    sprite
}

fn stream() -> CellStream {
    let blocks = |bits: u8| {
        let has = |bit: u8| bits & bit != 0;
        CellBlocks {
            texture: has(0x80).then_some((-1, CellAttr(0x25C0))),
            motion: has(0x40).then_some(BlockMotion {
                offset: [0.5, -1.0],
                size: [64.0, 32.0],
                zang: -0x4000,
            }),
            priority: has(0x20).then_some(-5),
            center: has(0x10).then_some([0.5, 0.25]),
            argb: has(0x08).then_some([1, 2, 3, u32::MAX].map(Argb)),
            uv: has(0x04).then_some([0.0, 0.1, 0.9, 1.0]),
        }
    };
    let mut chunks = vec![CellChunk::Stamp { words: 0, time: 0 }];
    chunks.extend((1..64).map(|bits| CellChunk::Change(CellChange::new(bits, &blocks((bits << 2) as u8)))));
    chunks.extend([
        CellChunk::Stamp {
            words: 0,
            time: 65534,
        },
        CellChunk::Texture {
            entry: 4095,
            tex_id: -2,
        },
        CellChunk::Attr {
            entry: 0,
            attr: CellAttr(0x3F02),
        },
        CellChunk::ZAngle {
            entry: 1,
            zang: i16::MIN + 1,
        },
        CellChunk::Priority {
            entry: 2,
            priority: i16::MIN,
        },
        CellChunk::Event {
            event: 255,
            data: vec![1, 2, 0xFFFF_FFFF, 4, 5],
        },
        CellChunk::Event {
            event: 1,
            data: vec![],
        },
        CellChunk::Address {
            address: 0xFFFF,
            data: vec![9; 17],
        },
        CellChunk::Entry {
            entry: 7,
            offset: 1,
            data: vec![3; 15],
        },
        CellChunk::End {
            dummy: 0,
            time: 65535,
        },
    ]);
    let mut stream = CellStream::new(chunks);
    stream.count_stamps().unwrap();
    stream.time_offset = -7;
    stream
}

#[test]
fn made_files_survive_the_text() {
    let files = files();
    for (name, file) in &files {
        let text = round_trip(name, file);
        assert!(text.is_ascii(), "{name}");
    }
    println!("{} files", files.len());
}

#[test]
fn what_has_no_text_form_is_refused() {
    let simple = Motion::new(MotionKind::SimpleShape, MotionType(0x10), 1);
    let error = ascii::write(
        &File::new(vec![Chunk::Motion(simple)]),
        &ascii::WriteOptions::default(),
    )
    .unwrap_err();
    assert_eq!(
        (error.fault, error.place.chunk),
        (Fault::Parameter, Some(ChunkId::NSSM))
    );
    let mut stream = stream();
    stream.current = Some(4);
    let error = ascii::write(
        &File::new(vec![Chunk::CellStream(stream)]),
        &ascii::WriteOptions::default(),
    )
    .unwrap_err();
    assert!(
        error.to_string().contains("current stamp: found word 4"),
        "{error}"
    );
}
