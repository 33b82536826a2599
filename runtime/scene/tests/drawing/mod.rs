//! Vertices, lights, passes and volumes with numbers by hand.

#![allow(clippy::unwrap_used, reason = "a failing helper fails its test")]

mod buffer;
mod light;
mod strips;
mod volumes;
mod walk;

use ninja::{
    Argb, Bams, Blend, EvalFlags, Exponent, Filter, Material, Model, NinjaFlags, Object, ObjectId,
    ObjectTree, Plist, PolyChunk, Specular, StripChunk, StripEntry, StripFlags, StripKind, StripSource, Tiny,
    Vertex, VertexChunk, VertexKind, Vlist, VolumeChunk, VolumeKind,
};
use pvr::TextureWord;
use scene::{
    BitsChunks, BoundTexture, Camera, ColourMode, Highlight, Light, Lights, Pose, Range, Settings, Shadows,
    Shapes, Source, Stats, TaLists, Textures, View, Viewport, VolumeLists, Volumes, Warning, draw,
};
use sh4_kernels::{Reference, Rng};

/// Looking from (0, 0, 10) to the origin; a point (x, y, 0) lands on pixel (32 + 3.2 x, 24 - 3.2 y). One
/// light of half strength from the camera, no ambient light.
fn view() -> View {
    let mut viewport = Viewport::new(64, 48, 1.0, 0.5);
    viewport.words = [32.0, -32.0, 32.0, 24.0];
    View {
        camera: Camera {
            target: [0.0; 3],
            yaw: Bams(0),
            pitch: Bams(0),
            distance: 10.0,
            roll: Bams(0),
        },
        viewport,
        lights: Lights::single([0.0, 0.0, 1.0], [0.5; 3], [0.0; 3]),
        textures: Textures {
            bound: Vec::new(),
            checker: BoundTexture {
                word: TextureWord(0),
                width: 8,
                height: 8,
            },
        },
        settings: Settings::default(),
    }
}

fn drawn(tree: &ObjectTree, view: &View) -> (Vec<[u32; 8]>, Stats) {
    let mut lists = TaLists::default();
    let stats = draw(
        tree,
        &Pose::rest(tree),
        &Shapes::none(),
        view,
        &mut Reference,
        &mut lists,
    )
    .unwrap();
    (lists.blocks(), stats)
}

/// The vertex parameters of forms of 32 bytes.
fn vertices(tree: &ObjectTree, view: &View) -> Vec<[u32; 8]> {
    let (blocks, _) = drawn(tree, view);
    blocks.into_iter().filter(|block| block[0] >> 29 == 7).collect()
}

fn add_node(
    tree: &mut ObjectTree,
    chunks: Vec<VertexChunk>,
    plist: Vec<PolyChunk>,
    object: Object,
) -> ObjectId {
    let vlist = Some(tree.push_vlist(Vlist { chunks }));
    let plist = Some(tree.push_plist(Plist { chunks: plist }));
    let model = Some(tree.push_model(Model {
        vlist,
        plist,
        center: [0.0; 3],
        radius: 100.0,
    }));
    let object = Object { model, ..object };
    if tree.objects.is_empty() {
        tree.push_object(object)
    } else {
        tree.push_child(ObjectId(0), object).unwrap()
    }
}

fn one(chunks: Vec<VertexChunk>, plist: Vec<PolyChunk>) -> ObjectTree {
    let mut tree = ObjectTree::new();
    add_node(&mut tree, chunks, plist, Object::default());
    tree
}

const TRIANGLE: [[f32; 3]; 3] = [[-5.0, -5.0, 0.0], [5.0, -5.0, 0.0], [0.0, 5.0, 0.0]];

/// The triangle with one normal.
fn facing(kind: VertexKind, vertex: Vertex) -> VertexChunk {
    let vertices = TRIANGLE.map(|position| Vertex { position, ..vertex });
    VertexChunk::build(kind, 0x80, 0, &vertices).unwrap()
}

fn normal(normal: [f32; 3]) -> Vertex {
    Vertex {
        normal,
        ..Vertex::default()
    }
}

fn strip_of(kind: StripKind, flags: StripFlags, entry: StripEntry) -> PolyChunk {
    let entries = (0..3).map(|index| StripEntry { index, ..entry }).collect();
    let source = StripSource {
        reversed: false,
        entries,
    };
    PolyChunk::Strip(StripChunk::build(kind, flags, &[source]).unwrap())
}

fn strip(flags: StripFlags) -> PolyChunk {
    strip_of(StripKind::Cs, flags, StripEntry::default())
}

fn material(diffuse: u32, specular: Specular) -> PolyChunk {
    PolyChunk::Material(Material {
        blend: Blend::ALPHA,
        diffuse: Some(Argb(diffuse)),
        ambient: Some(Argb(0xFFFF_FFFF)),
        specular: Some(specular),
        ..Material::default()
    })
}

const DULL: Specular = Specular {
    exponent: 0,
    rgb: [0; 3],
};

const NONE: StripFlags = StripFlags(0);

/// Base colour of the first vertex.
fn colour(chunk: VertexChunk, plist: Vec<PolyChunk>, view: &View) -> u32 {
    vertices(&one(vec![chunk], plist), view)[0][6]
}
