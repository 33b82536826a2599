//! Lists nodes, tables, shapes and cells.

use super::angles;
use crate::plural::plural;
use ninja::{
    CShapeList, CShapeMotion, Cell, CellSprite, Chunk, File, Motion, Object, ObjectId, ObjectTree, PolyChunk,
    poly_name,
};
use std::io::{self, Write};

/// Lists everything in a file, indented. With `values`, includes key frames.
pub(super) fn print(file: &File, values: bool, out: &mut dyn Write) -> io::Result<()> {
    let mut lines = Lines {
        out,
        written: Ok(()),
        values,
    };
    for chunk in &file.chunks {
        lines.add(0, format!("{}", chunk.id()));
        match chunk {
            Chunk::Texlist(list) => {
                for (i, name) in list.names.iter().enumerate() {
                    lines.add(1, format!("texture {i}: {}", name.name_lossy()));
                }
            }
            Chunk::Model(tree) => lines.tree(tree),
            Chunk::Motion(motion) => lines.motion(motion),
            Chunk::ShapeMotion(motion) => lines.shape_motion(motion),
            Chunk::ShapeList(list) => lines.shapes(list),
            Chunk::CellSprite(sprite) => lines.sprite(sprite),
            Chunk::CellStream(stream) => {
                for chunk in &stream.chunks {
                    lines.add(1, chunk.to_string());
                }
            }
            Chunk::Raw(raw) => lines.add(1, format!("{} bytes, not understood", raw.body.len())),
        }
    }
    lines.written
}

struct Lines<'a> {
    out: &'a mut dyn Write,
    /// The first error of `out`.
    written: io::Result<()>,
    /// Includes key frames.
    values: bool,
}

impl Lines<'_> {
    fn add(&mut self, depth: usize, line: String) {
        // Limits the indentation, so that a line cannot grow without bound.
        let indent = 2 * depth.min(40);
        if self.written.is_ok() {
            self.written = writeln!(self.out, "{:indent$}{}", "", line.trim_end());
        }
    }

    fn tree(&mut self, tree: &ObjectTree) {
        for (id, depth, object) in tree.walk() {
            for (line, inside) in node(tree, id, object) {
                self.add(1 + usize::from(inside) + depth, line);
            }
        }
    }

    fn motion(&mut self, motion: &Motion) {
        let elements = motion.elements();
        for (i, node) in motion.nodes.iter().enumerate() {
            let table = |(element, table): (&ninja::Element, &Option<ninja::TrackId>)| {
                let keys = motion.track((*table)?)?;
                let (first, last) = (
                    keys.frames().next().unwrap_or(0),
                    keys.frames().last().unwrap_or(0),
                );
                Some(format!(
                    "{} {}, frames {first} to {last}",
                    element.name(),
                    plural(keys.len(), &format!("{} key", keys.form().name()))
                ))
            };
            let tables: Vec<String> = elements.iter().zip(&node.tables).filter_map(table).collect();
            let tables = if tables.is_empty() {
                "none".to_owned()
            } else {
                tables.join("; ")
            };
            self.add(1, format!("node {i}: {tables}"));
            if self.values {
                self.keys(motion, &elements, &node.tables);
            }
        }
    }

    /// Lists the key frames of a node's tables.
    fn keys(&mut self, motion: &Motion, elements: &[ninja::Element], tables: &[Option<ninja::TrackId>]) {
        for (element, table) in elements.iter().zip(tables) {
            let keys = table.and_then(|table| motion.track(table));
            for text in keys.into_iter().flat_map(angles::texts) {
                self.add(2, format!("{} {text}", element.name()));
            }
        }
    }

    fn shape_motion(&mut self, motion: &CShapeMotion) {
        for (i, node) in motion.nodes.iter().enumerate() {
            self.add(1, format!("node {i}: {}", plural(node.len(), "vertex chunk")));
            for data in node {
                let keys = data.keys.and_then(|id| motion.tracks.get(id.0 as usize));
                let key = |key: &ninja::Key<u32>| format!("{} at {}", key.value, key.frame);
                let keys: Vec<String> = keys.into_iter().flatten().map(key).collect();
                self.add(
                    2,
                    format!("entry {} of the shapes {}", data.entry_id, keys.join(", ")),
                );
            }
        }
    }

    fn shapes(&mut self, list: &CShapeList) {
        for (i, shape) in list.shapes.iter().enumerate() {
            self.add(1, format!("shape {i} of group {}", shape.group_id));
            let lists = shape.cvlist.and_then(|id| list.cvlists.get(id.0 as usize));
            for (entry, id) in lists.into_iter().flatten().enumerate() {
                let chunks = id
                    .and_then(|id| list.vlists.get(id.0 as usize))
                    .map_or(&[][..], |list| &list.chunks);
                let chunk =
                    |c: &ninja::ShapeChunk| format!("{} {}", c.kind.name(), plural(c.count(), "vertex"));
                let chunks: Vec<String> = chunks.iter().map(chunk).collect();
                self.add(2, format!("entry {entry}: {}", chunks.join(", ")));
            }
        }
    }

    fn sprite(&mut self, sprite: &CellSprite) {
        let ([x, y, z], turn, [sx, sy]) = (sprite.pos, sprite.zang.degrees(), sprite.scale);
        self.add(1, format!("at {x} {y} {z}, {turn:.3} degrees, scale {sx} {sy}"));
        let (diffuse, specular) = (sprite.diffuse, sprite.specular);
        self.add(1, format!("diffuse {diffuse:?}, specular {specular:?}"));
        for (i, cell) in sprite.cells.iter().enumerate() {
            self.add(1, format!("cell {i}: {}", cell_text(cell)));
        }
    }
}

/// Returns the lines of a node. The flag marks lines about its contents: its model and the chunks of its
/// lists.
pub(crate) fn node(tree: &ObjectTree, id: ObjectId, object: &Object) -> Vec<(String, bool)> {
    let head = format!("node {} at {:#x}: {}", id.0, object.offset, placing(object));
    let mut lines = vec![(head, false)];
    let Some(model) = object.model.and_then(|id| tree.model(id)) else {
        return lines;
    };
    let [x, y, z] = model.center;
    lines.push((
        format!("model: centre {x} {y} {z}, radius {}", model.radius),
        true,
    ));
    let vertices = model.vlist.and_then(|id| tree.vlist(id)).into_iter();
    for chunk in vertices.flat_map(|list| &list.chunks) {
        let (name, n, offset) = (chunk.kind.name(), chunk.count, chunk.index_offset);
        let bits = chunk.headbits;
        let vertices = plural(n, "vertex");
        lines.push((
            format!("{name}: {vertices} for the slots from {offset}, headbits {bits:#04x}"),
            true,
        ));
    }
    let polygons = model.plist.and_then(|id| tree.plist(id)).into_iter();
    lines.extend(
        polygons
            .flat_map(|list| &list.chunks)
            .map(|chunk| (polygon(chunk), true)),
    );
    lines
}

fn placing(object: &Object) -> String {
    let [x, y, z] = object.pos;
    let turn = match object.quaternion() {
        Some(quaternion) => format!("quaternion {quaternion:?}"),
        None => {
            let [x, y, z] = object.ang.map(|angle| angle.degrees());
            format!("degrees {x:.3} {y:.3} {z:.3}")
        }
    };
    let [sx, sy, sz] = object.scl;
    let flags = object.evalflags.names().join(" ");
    format!("pos {x} {y} {z}, {turn}, scale {sx} {sy} {sz} {flags}")
}

fn polygon(chunk: &PolyChunk) -> String {
    let name = poly_name(chunk.id()).map_or_else(|| format!("id {}", chunk.id()), str::to_owned);
    match chunk {
        PolyChunk::Strip(strips) => {
            let triangles: usize = strips.strips.iter().map(ninja::Strip::triangles).sum();
            let (n, flags) = (strips.strips.len(), strips.flags.0);
            format!(
                "{name}: {}, {}, flags {flags:#04x}, {}",
                plural(n, "strip"),
                plural(triangles, "triangle"),
                plural(chunk.file_words(), "word")
            )
        }
        PolyChunk::Volume(volume) => {
            format!(
                "{name}: {}, {}",
                plural(volume.count, "polygon"),
                plural(chunk.file_words(), "word")
            )
        }
        PolyChunk::Texture(tiny) => format!("{name}: texture {}", tiny.texture),
        PolyChunk::CachePolygons(n) | PolyChunk::DrawPolygons(n) => format!("{name}: {n}"),
        PolyChunk::Material(material) => {
            let color = |name: &str, color: Option<ninja::Argb>| {
                color
                    .map(|color| format!(" {name} {:08X}", color.0))
                    .unwrap_or_default()
            };
            let specular = material
                .specular
                .map(|s| format!(" specular {:?} exponent {}", s.rgb, s.exponent));
            let (diffuse, ambient) = (
                color("diffuse", material.diffuse),
                color("ambient", material.ambient),
            );
            let (src, dst) = (material.blend.src, material.blend.dst);
            format!(
                "{name}:{diffuse}{ambient}{}, blend {src:?} {dst:?}",
                specular.unwrap_or_default()
            )
        }
        _ => name,
    }
}

fn cell_text(cell: &Cell) -> String {
    let ([x, y], [w, h]) = (cell.offset, cell.size);
    let (texture, attr, priority) = (cell.tex_id, cell.attr.0, cell.priority);
    format!(
        "texture {texture}, attr {attr:#06x}, at {x} {y}, size {w} {h}, zang {:#06x}, priority {priority}",
        cell.zang
    )
}
