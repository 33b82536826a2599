//! The demo's model: a shark over sand, made by formula.
//!
//! The body is one skin over three nodes (head, middle, tail): its vertices carry up to three weights, start,
//! middle and end, and its strips are remembered by the head's polygon list (CP) and drawn when the tail has
//! completed the vertex buffer (DP). Fins and eyes are nodes of their own. Below the shark is sand in vertex
//! colours, and a modifier volume that shades it.

mod base;
mod body;
mod ground;
mod parts;

use base::{JOINTS, children, node};
use body::{Skin, body, head_plist};
use ground::{sand, shadow};
use ninja::{Chunk, Error, File, ObjectId, ObjectTree, Plist, PolyChunk, Texlist, TextureName};
use parts::{caudal, eyes, fins};

/// Names of the textures, in the order of the model's texture list.
pub(crate) const TEXTURES: [&str; 3] = ["SKIN", "SAND", "SWIRL"];

/// The nodes that move.
pub(super) const SHARK: ObjectId = ObjectId(1);
pub(super) const HEAD: ObjectId = ObjectId(2);
pub(super) const MIDDLE: ObjectId = ObjectId(3);
pub(super) const TAIL: ObjectId = ObjectId(4);

/// The model with its texture list, as a file of the project's own.
pub(crate) fn file() -> Result<File, Error> {
    let texlist = Texlist::new(TEXTURES.map(TextureName::new).to_vec());
    Ok(File::new(vec![Chunk::Texlist(texlist), Chunk::Model(tree()?)]))
}

pub(super) fn tree() -> Result<ObjectTree, Error> {
    let mut tree = ObjectTree::new();
    let root = node(&mut tree, None, [0.0; 3], [0.0; 3]);
    let shark = node(&mut tree, None, [0.0, 0.2, 0.0], [-4.0, 0.0, 10.0]);
    let body = body();
    let skin = Skin::of(&body);
    let model = skin.model(&mut tree, 0, head_plist(&body)?)?;
    let head = node(&mut tree, Some(model), [0.0; 3], [0.0; 3]);
    let model = skin.model(&mut tree, 1, None)?;
    let middle = node(&mut tree, Some(model), [0.0, 0.0, JOINTS[1]], [0.0, 14.0, 0.0]);
    let draw = Plist {
        chunks: vec![PolyChunk::DrawPolygons(0)],
    };
    let tail_at = [0.0, 0.0, JOINTS[2] - JOINTS[1]];
    let model = skin.model(&mut tree, 2, Some(draw))?;
    let tail = node(&mut tree, Some(model), tail_at, [0.0, -26.0, 0.0]);
    let fins = fins(&mut tree)?;
    let eyes = eyes(&mut tree)?;
    let caudal = caudal(&mut tree)?;
    let sand = sand(&mut tree)?;
    let shadow = shadow(&mut tree)?;
    debug_assert_eq!([shark, head, middle, tail], [SHARK, HEAD, MIDDLE, TAIL]);

    children(&mut tree, root, &[shark, sand]);
    children(&mut tree, shark, &[head, shadow]);
    let mut parts = vec![middle];
    parts.extend(fins);
    parts.extend(eyes);
    children(&mut tree, head, &parts);
    children(&mut tree, middle, &[tail]);
    children(&mut tree, tail, &caudal);
    Ok(tree)
}
