//! Advice on data that the file format allows but that the hardware or the runtime mishandles.

use std::fmt;

use crate::cell::{Cell, CellChunk, CellSprite, CellStream};
use crate::cshape::{CShapeList, CShapeMotion};
use crate::file::{Chunk, File};
use crate::plist::PolyChunk;
use crate::texlist::Texlist;
use crate::tree::{EvalFlags, ObjectTree};

/// One piece of advice and the chunk that it concerns.
#[derive(Debug, Clone, PartialEq)]
pub struct Advice {
    /// Index into [`File::chunks`].
    pub chunk: usize,
    /// Kind of advice.
    pub kind: AdviceKind,
}

impl fmt::Display for Advice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "chunk {}: {}", self.chunk, self.kind)
    }
}

/// Kinds of [`Advice`]; `Display` gives their texts.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum AdviceKind {
    /// Texture numbers beyond the list.
    #[error("{count} references to textures beyond the {names} of the list, the highest to {highest}")]
    NoTexture {
        /// Number of references.
        count: usize,
        /// Textures in the list.
        names: usize,
        /// The highest number.
        highest: u16,
    },
    /// UNIT flags that hide values (docs/formats/ninja.md 2.1).
    #[error("{0} nodes have a position, rotation or scale that their UNIT flags make the runtime skip")]
    HiddenValues(usize),
    /// BREAK below the root with a motion (docs/formats/chunk-model.md 2).
    #[error("{0} nodes below the root have BREAK: with a motion the entries of their children shift")]
    InnerBreak(usize),
    /// Specular exponents above 16.
    #[error("{0} materials have a specular exponent above 16")]
    Exponent(usize),
    /// A motion for another number of nodes.
    #[error("the motion has {motion} nodes, the tree has {tree} that take part")]
    NodeCount {
        /// Nodes of the motion.
        motion: usize,
        /// Nodes of the tree.
        tree: usize,
    },
    /// A shape number beyond the list.
    #[error("{count} keys name shapes beyond the {shapes} of the list")]
    NoShape {
        /// Number of keys.
        count: usize,
        /// Shapes in the list.
        shapes: usize,
    },
    /// An entry beyond a shape's vertex lists.
    #[error("entry {entry} does not exist in shape {shape}, which has {lists} vertex lists")]
    NoEntry {
        /// Entry number in the key.
        entry: u16,
        /// Index of the shape.
        shape: u32,
        /// Number of vertex lists in the shape.
        lists: usize,
    },
    /// Keys of one table that name shapes of several groups.
    #[error("a table of keys names shapes of groups {0} and {1}, which cannot be blended")]
    MixedGroups(u16, u16),
    /// Cells beyond the sprite's.
    #[error("{count} stream chunks name cells beyond the {cells} of the sprite, the highest {highest}")]
    NoCell {
        /// Number of stream chunks.
        count: usize,
        /// Cells of the sprite.
        cells: usize,
        /// The highest number.
        highest: u16,
    },
    /// A burst beyond the work buffer.
    #[error("{0} AD chunks write beyond the work buffer of the sprite")]
    BurstBeyondBuffer(usize),
    /// Time stamps that do not ascend.
    #[error("time stamp {time} follows {before}: the runtime looks for ascending times")]
    StampOrder {
        /// Time of the stamp.
        time: u16,
        /// Time of the stamp before it.
        before: u16,
    },
}

impl File {
    /// Lists the data that the hardware or the runtime mishandles. Frequent kinds are counted instead of
    /// repeated.
    pub fn advice(&self) -> Vec<Advice> {
        let mut all = Vec::new();
        let context = Context {
            texlist: self.texlist(),
            tree: self.models().next(),
            shapes: self.chunks.iter().find_map(|chunk| match chunk {
                Chunk::ShapeList(list) => Some(list),
                _ => None,
            }),
            sprite: self.chunks.iter().find_map(|chunk| match chunk {
                Chunk::CellSprite(sprite) => Some(sprite),
                _ => None,
            }),
        };
        for (i, chunk) in self.chunks.iter().enumerate() {
            let kinds = context.of(chunk);
            all.extend(kinds.into_iter().map(|kind| Advice { chunk: i, kind }));
        }
        all
    }
}

/// Other chunks of the file that a check compares with.
struct Context<'a> {
    texlist: Option<&'a Texlist>,
    tree: Option<&'a ObjectTree>,
    shapes: Option<&'a CShapeList>,
    sprite: Option<&'a CellSprite>,
}

impl Context<'_> {
    fn of(&self, chunk: &Chunk) -> Vec<AdviceKind> {
        match chunk {
            Chunk::Model(tree) => self.tree(tree),
            Chunk::Motion(motion) => {
                let nodes = self.nodes_without(EvalFlags::SKIP);
                node_count(motion.nodes.len(), nodes).into_iter().collect()
            }
            Chunk::ShapeMotion(motion) => {
                let nodes = self.nodes_without(EvalFlags::SHAPE_SKIP);
                let count = node_count(motion.nodes.len(), nodes);
                let shapes = self.shapes.into_iter().flat_map(|list| shapes(motion, list));
                count.into_iter().chain(shapes).collect()
            }
            Chunk::CellSprite(sprite) => {
                let textures = sprite
                    .cells
                    .iter()
                    .filter_map(|cell| u16::try_from(cell.tex_id).ok());
                self.textures(textures).into_iter().collect()
            }
            Chunk::CellStream(stream) => self.stream(stream),
            _ => Vec::new(),
        }
    }

    fn nodes_without(&self, flag: EvalFlags) -> Option<usize> {
        let objects = &self.tree?.objects;
        Some(
            objects
                .iter()
                .filter(|object| !object.evalflags.contains(flag))
                .count(),
        )
    }

    fn textures(&self, numbers: impl Iterator<Item = u16>) -> Option<AdviceKind> {
        let names = self.texlist?.names.len();
        let beyond: Vec<u16> = numbers.filter(|n| usize::from(*n) >= names).collect();
        let highest = beyond.iter().copied().max()?;
        Some(AdviceKind::NoTexture {
            count: beyond.len(),
            names,
            highest,
        })
    }

    fn tree(&self, tree: &ObjectTree) -> Vec<AdviceKind> {
        let chunks = || tree.plists.iter().flat_map(|list| &list.chunks);
        let textures = chunks().filter_map(|chunk| match chunk {
            PolyChunk::Texture(tiny) => Some(tiny.texture),
            _ => None,
        });
        let exponent = |chunk: &&PolyChunk| match chunk {
            PolyChunk::Material(material) => material.specular.is_some_and(|s| s.exponent > 16),
            _ => false,
        };
        let hidden = tree.objects.iter().filter(|object| {
            let skips = |flag, values: [u32; 3], unit: u32| {
                object.evalflags.contains(flag)
                    && values.iter().any(|bits| *bits != unit && *bits != unit | 1 << 31)
            };
            skips(EvalFlags::UNIT_POS, object.pos.map(f32::to_bits), 0)
                || skips(EvalFlags::UNIT_ANG, object.ang.map(|a| a.0 as u32 & 0xFFFF), 0)
                || skips(
                    EvalFlags::UNIT_SCL,
                    object.scl.map(f32::to_bits),
                    1.0f32.to_bits(),
                )
        });
        let inner = tree
            .objects
            .iter()
            .skip(1)
            .filter(|o| o.evalflags.contains(EvalFlags::BREAK) && o.child.is_some());
        let counted = |n: usize, kind: fn(usize) -> AdviceKind| (n > 0).then(|| kind(n));
        [
            self.textures(textures),
            counted(hidden.count(), AdviceKind::HiddenValues),
            counted(inner.count(), AdviceKind::InnerBreak),
            counted(chunks().filter(exponent).count(), AdviceKind::Exponent),
        ]
        .into_iter()
        .flatten()
        .collect()
    }

    fn stream(&self, stream: &CellStream) -> Vec<AdviceKind> {
        let textures = stream.chunks.iter().filter_map(|chunk| match chunk {
            CellChunk::Texture { tex_id, .. } => u16::try_from(*tex_id).ok(),
            CellChunk::Change(change) => u16::try_from(change.decode().texture?.0).ok(),
            _ => None,
        });
        let mut all: Vec<AdviceKind> = self.textures(textures).into_iter().collect();
        all.extend(
            self.sprite
                .into_iter()
                .flat_map(|sprite| beyond_sprite(stream, sprite)),
        );
        let times: Vec<u16> = stream.chunks.iter().filter_map(stamp).collect();
        let descent = times.windows(2).find(|pair| pair[1] < pair[0]);
        all.extend(descent.map(|pair| AdviceKind::StampOrder {
            time: pair[1],
            before: pair[0],
        }));
        all
    }
}

fn stamp(chunk: &CellChunk) -> Option<u16> {
    match chunk {
        CellChunk::Stamp { time, .. } | CellChunk::End { time, .. } => Some(*time),
        _ => None,
    }
}

fn node_count(motion: usize, tree: Option<usize>) -> Option<AdviceKind> {
    let tree = tree.filter(|tree| *tree != motion)?;
    Some(AdviceKind::NodeCount { motion, tree })
}

fn beyond_sprite(stream: &CellStream, sprite: &CellSprite) -> Vec<AdviceKind> {
    let cells = sprite.cells.len();
    let entries = stream.chunks.iter().filter_map(CellChunk::entry);
    let beyond: Vec<u16> = entries.filter(|entry| usize::from(*entry) >= cells).collect();
    let bursts = stream.chunks.iter().filter(|chunk| match chunk {
        CellChunk::Address { address, data } => usize::from(*address) + data.len() > cells * Cell::WORDS,
        _ => false,
    });
    let bursts = bursts.count();
    let no_cell = beyond.iter().copied().max().map(|highest| AdviceKind::NoCell {
        count: beyond.len(),
        cells,
        highest,
    });
    no_cell
        .into_iter()
        .chain((bursts > 0).then_some(AdviceKind::BurstBeyondBuffer(bursts)))
        .collect()
}

/// Checks keys and entries against the list. Returns the first problem of each kind.
fn shapes(motion: &CShapeMotion, list: &CShapeList) -> Vec<AdviceKind> {
    let total = list.shapes.len();
    let keys = motion.tracks.iter().flatten();
    let count = keys.filter(|key| key.value as usize >= total).count();
    let missing = (count > 0).then_some(AdviceKind::NoShape { count, shapes: total });
    let group = |shape: u32| list.shapes.get(shape as usize).map(|shape| shape.group_id);
    let mixed = motion.tracks.iter().find_map(|keys| {
        let first = group(keys.first()?.value)?;
        let other = keys
            .iter()
            .filter_map(|key| group(key.value))
            .find(|other| *other != first)?;
        Some(AdviceKind::MixedGroups(first, other))
    });
    let lists_of = |shape: u32| {
        let id = list.shapes.get(shape as usize)?.cvlist;
        Some(
            id.and_then(|id| list.cvlists.get(id.0 as usize))
                .map_or(0, Vec::len),
        )
    };
    // For each table, find the highest entry that uses it; then check each table once.
    let mut highest = vec![None; motion.tracks.len()];
    for data in motion.nodes.iter().flatten() {
        if let Some(slot) = data.keys.and_then(|id| highest.get_mut(id.0 as usize)) {
            *slot = (*slot).max(Some(data.entry_id));
        }
    }
    let entry = motion.tracks.iter().zip(highest).find_map(|(keys, entry)| {
        let entry = entry?;
        keys.iter().find_map(|key| {
            let lists = lists_of(key.value).filter(|lists| usize::from(entry) >= *lists)?;
            Some(AdviceKind::NoEntry {
                entry,
                shape: key.value,
                lists,
            })
        })
    });
    [missing, mixed, entry].into_iter().flatten().collect()
}
