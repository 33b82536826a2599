//! A file with every flag that the writer names.

use ninja::*;

/// A model, motions and a stream that together have all flags.
pub(crate) fn file() -> File {
    let mut chunks = vec![Chunk::Model(model())];
    chunks.extend(motions().map(Chunk::Motion));
    chunks.push(Chunk::CellStream(stream()));
    File::new(chunks)
}

fn modes() -> impl Iterator<Item = BlendMode> {
    (0..8).map(BlendMode::from_code)
}

fn model() -> ObjectTree {
    let mut chunks = Vec::new();
    chunks.extend(modes().map(|mode| {
        PolyChunk::Blend(Blend {
            src: mode,
            dst: mode,
            ..Blend::default()
        })
    }));
    chunks.extend((1..16).map(|n| PolyChunk::MipmapAdjust(MipmapAdjust(n))));
    chunks.extend((0..=16).map(|n| PolyChunk::Exponent(Exponent(n))));
    for (n, filter) in [
        Filter::Point,
        Filter::Bilinear,
        Filter::TrilinearA,
        Filter::TrilinearB,
    ]
    .into_iter()
    .enumerate()
    {
        chunks.push(PolyChunk::Texture(Tiny {
            filter,
            flip_u: n == 0,
            flip_v: n == 1,
            clamp_u: n == 2,
            clamp_v: n == 3,
            supersample: n == 0,
            mipmap_adjust: 1 + n as u8,
            ..Tiny::default()
        }));
    }
    let corner = |index| StripEntry {
        index,
        ..StripEntry::default()
    };
    let triangle = StripSource {
        reversed: false,
        entries: [0, 1, 2].map(corner).to_vec(),
    };
    chunks.extend((0..7).map(|bit| {
        let strips = std::slice::from_ref(&triangle);
        PolyChunk::Strip(StripChunk::build(StripKind::Cs, StripFlags(1 << bit), strips).unwrap())
    }));
    let mut tree = ObjectTree::new();
    let plist = tree.push_plist(Plist::aligned(chunks));
    let model = tree.push_model(Model {
        vlist: None,
        plist: Some(plist),
        center: [0.0; 3],
        radius: 1.0,
    });
    tree.push_object(Object {
        model: Some(model),
        ..Object::default()
    });
    tree
}

/// Three and four elements, as a spline and with a function of the program.
fn motions() -> [Motion; 2] {
    let key = |value| {
        Keys::F(vec![Key {
            frame: 0,
            value: [value; 3],
        }])
    };
    let turn = Keys::A(vec![Key {
        frame: 0,
        value: [Bams(1), Bams(2), Bams(3)],
    }]);
    let event = Keys::Ui16(vec![Key { frame: 0, value: 7 }]);
    let motion = |bits, method, count, tables: Vec<Keys>| {
        let mut motion = Motion::new(MotionKind::Model, MotionType(bits), 1);
        motion.inp_fn = InpFn::new(method, count);
        let tables: Vec<_> = tables
            .into_iter()
            .map(|keys| Some(motion.push_track(keys)))
            .collect();
        motion.push_node(&tables);
        motion
    };
    [
        motion(
            0x0007,
            Interpolation::Spline,
            3,
            vec![key(1.0), turn.clone(), key(2.0)],
        ),
        motion(
            0x8007,
            Interpolation::User,
            4,
            vec![key(3.0), turn, key(4.0), event],
        ),
    ]
}

fn stream() -> CellStream {
    let mut chunks = vec![CellChunk::Stamp { words: 0, time: 0 }];
    chunks.extend(modes().zip(0..).map(|(mode, entry)| CellChunk::Attr {
        entry,
        attr: CellAttr(1 << entry & 0xFE).with_blend(mode, mode),
    }));
    chunks.push(CellChunk::End { dummy: 0, time: 1 });
    let mut stream = CellStream::new(chunks);
    stream.count_stamps().unwrap();
    stream
}

/// A motion with five tables per node; the last one is spare.
pub(crate) fn five_tables() -> File {
    let [_, mut motion] = motions();
    motion.inp_fn = InpFn::new(Interpolation::User, 5);
    File::new(vec![Chunk::Motion(motion)])
}

#[test]
fn spare_tables_survive_the_text() {
    let mut file = five_tables();
    let text = ascii::write(&file, &ascii::WriteOptions::default()).unwrap();
    assert!(text.contains("MDATA5") && text.contains("FMD_5"), "{text}");
    let read = ascii::read(text.as_bytes()).unwrap();
    assert_eq!(read.warnings.len(), 1, "{:?}", read.warnings);
    file.renumber();
    assert_eq!(read.file.write().unwrap(), file.write().unwrap());
}
