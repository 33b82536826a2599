//! Sega Ninja and Ninja2 files: reading, writing and the in-memory model.
//!
//! A file is a sequence of IFF chunks, each usually followed by a `POF0` that lists its pointers. The crate
//! reads texture lists (`NJTL`), chunk-model trees (`NJCM`, `N2CM`), motions (`NMDM`, `NLIM`, `NCAM`, `NCSM`,
//! `NSSM`), CompactShape lists and motions (`NJSL`, `CPSM`), and cell sprites and streams (`NJSP`, `NJCS`).
//! Every other chunk is kept as bytes, in place, with its `POF0`. Both byte orders are detected and kept.
//!
//! ```
//! use ninja::{Chunk, File, Object, ObjectTree};
//! let mut tree = ObjectTree::new();
//! tree.push_object(Object::default());
//! let bytes = File::new(vec![Chunk::Model(tree)]).write()?;
//! let file = ninja::read(&bytes)?;
//! assert_eq!(file.models().count(), 1);
//! assert_eq!(file.write()?, bytes);
//! # Ok::<(), ninja::Error>(())
//! ```
//!
//! Trees are arenas: an [`ObjectTree`] owns vectors of objects, models, vlists and plists, which refer to
//! each other by id. Data shared in the file therefore stays shared. A tree that was read records its layout
//! and is written back byte for byte; [`File::write`] describes the result of an edit.
//!
//! Sources of the formats: Sega's CompactShape, Chunk Model and CellSprite specifications, supplemented by
//! the behaviour of the Ninja runtime and by real game files. Comments cite the pages under docs/formats by
//! section: "docs/formats/ninja.md 1.6".

pub mod ascii;

mod advice;
mod annotate;
mod bytes;
mod cell;
mod census;
mod chunk_id;
mod color;
mod cshape;
mod error;
mod file;
mod iff;
mod layout;
mod limits;
mod motion;
mod order;
mod plist;
mod pof0;
mod resolve;
mod settings;
mod texlist;
mod tree;
mod vlist;

pub use advice::{Advice, AdviceKind};
pub use annotate::{Note, annotate};
pub use bytes::ByteOrder;
pub use cell::{
    BlockBits, BlockMotion, Cell, CellAttr, CellBlocks, CellChange, CellChunk, CellSprite, CellStream,
};
pub use census::{Census, MotionCensus, ShapeCensus};
pub use chunk_id::ChunkId;
pub use color::Argb;
pub use cshape::{
    CShapeData, CShapeKeyGroup, CShapeList, CShapeMotion, CvlistId, ShapeChunk, ShapeKind, ShapeTrackId,
    ShapeVlist, ShapeVlistId,
};
pub use error::{Error, Fault, NodePlace, Place, Warning, WarningKind};
pub use file::{Chunk, Container, DirectoryEntry, File, RawChunk, directory, read, read_with};
pub use limits::LIMITS;
pub use motion::{
    AxisAngle, Element, InpFn, Interpolation, Key, KeyForm, Keys, MAX_TABLES, Motion, MotionKind, MotionNode,
    MotionType, PointsId, Spot, TrackId,
};
pub use plist::{
    Blend, BlendMode, Bump, Exponent, Filter, Material, MipmapAdjust, Plist, PolyChunk, ReservedChunk,
    Specular, Strip, StripChunk, StripEntry, StripFlags, StripKind, StripSource, Tiny, UvScale, VolumeChunk,
    VolumeKind, poly_name,
};
pub use pof0::{Pof0, Pof0Stats};
pub use settings::{KeyForms, NjcmQuaternion, Settings, WeightScale};
pub use texlist::{Texlist, TextureName};
pub use tree::{
    Bams, EvalFlags, Model, ModelId, NodeFormat, Object, ObjectId, ObjectTree, PlistId, VlistId, Walk,
};
pub use vlist::{
    Attribute, FV_CONT, FV_SHAPE, NinjaFlags, Normal, Vertex, VertexChunk, VertexKind, Vlist, Weight,
};
