//! Values after reading, one line for each.

use ninja::{
    CShapeList, CShapeMotion, CellChunk, CellSprite, CellStream, Chunk, File, Motion, Object, ObjectTree,
    PolyChunk, ShapeChunk, StripChunk, StripEntry, Texlist, VertexChunk, VolumeChunk,
};
use std::fmt::Debug;

pub(crate) fn lines(file: &File) -> Vec<String> {
    file.chunks.iter().flat_map(of_chunk).collect()
}

fn of_chunk(chunk: &Chunk) -> Vec<String> {
    match chunk {
        Chunk::Texlist(list) => texlist(list),
        Chunk::Model(tree) => of_tree(tree),
        Chunk::Motion(motion) => of_motion(motion),
        Chunk::ShapeList(list) => shape_list(list),
        Chunk::ShapeMotion(motion) => shape_motion(motion),
        Chunk::CellSprite(sprite) => of_sprite(sprite),
        Chunk::CellStream(stream) => of_stream(stream),
        Chunk::Raw(raw) => vec![format!("raw {} {} bytes", raw.id, raw.body.len())],
    }
}

fn texlist(list: &Texlist) -> Vec<String> {
    let names = list.names.iter();
    names
        .map(|name| {
            let (attr, address, bank) = (name.attr, name.texaddr, name.bank());
            format!(
                "texture {} attr {attr:08X} address {address:08X} bank {bank}",
                name.name_lossy()
            )
        })
        .collect()
}

/// Number of an id.
fn number<T: Debug>(id: &Option<T>) -> String {
    let text = format!("{id:?}");
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    id.as_ref()
        .map_or("None".to_owned(), |_| format!("Some({digits})"))
}

/// Omits nodes that only carry lists.
fn is_plain(tree: &ObjectTree) -> bool {
    let [object] = &tree.objects[..] else { return false };
    object.evalflags.0 == 0 && object.model.is_some()
}

fn of_tree(tree: &ObjectTree) -> Vec<String> {
    let mut lines = Vec::new();
    if !is_plain(tree) {
        lines.extend(
            tree.objects
                .iter()
                .enumerate()
                .map(|(i, object)| of_object(i, object)),
        );
        lines.extend(tree.models.iter().enumerate().map(|(i, model)| {
            let (center, radius) = (model.center, model.radius);
            format!("model {i} center {center:?} radius {radius:?}")
        }));
    }
    lines.extend(
        tree.vlists
            .iter()
            .flat_map(|list| &list.chunks)
            .flat_map(vertices),
    );
    lines.extend(
        tree.plists
            .iter()
            .flat_map(|list| &list.chunks)
            .flat_map(polygons),
    );
    lines
}

fn of_object(i: usize, object: &Object) -> String {
    let turn = match object.quaternion() {
        Some(quaternion) => format!("quaternion {quaternion:?}"),
        None => format!("angles {:?}", object.ang.map(|angle| angle.0)),
    };
    let [model, child, sibling] = [
        number(&object.model),
        number(&object.child),
        number(&object.sibling),
    ];
    let (flags, pos, scale) = (object.evalflags.0, object.pos, object.scl);
    format!(
        "object {i} flags {flags:08X} model {model} position {pos:?} {turn} scale {scale:?} child {child} \
         sibling {sibling}"
    )
}

fn vertices(chunk: &VertexChunk) -> Vec<String> {
    let mut head = format!(
        "{} headbits {:02x} slot {}",
        chunk.kind.name(),
        chunk.headbits,
        chunk.index_offset
    );
    if let Some(status) = chunk.weight_status() {
        head += &format!(" status {status:?}");
    }
    let mut lines = vec![head];
    for i in 0..usize::from(chunk.count) {
        let mut line = format!("position {:?}", chunk.position(i));
        let add = |line: &mut String, part: Option<String>| line.extend(part);
        add(&mut line, chunk.normal(i).map(|n| format!(" normal {n:?}")));
        let flags = chunk.ninja_flags(i);
        add(
            &mut line,
            flags.map(|flags| format!(" index {} weight {}", flags.index, flags.weight)),
        );
        add(
            &mut line,
            chunk.diffuse(i).map(|c| format!(" diffuse {:08X}", c.0)),
        );
        add(
            &mut line,
            chunk.specular(i).map(|c| format!(" specular {:08X}", c.0)),
        );
        add(&mut line, chunk.user_flags(i).map(|u| format!(" user {u:08X}")));
        lines.push(line);
    }
    lines
}

fn polygons(chunk: &PolyChunk) -> Vec<String> {
    match chunk {
        PolyChunk::Strip(chunk) => strips(chunk),
        PolyChunk::Volume(chunk) => volumes(chunk),
        other => vec![format!("{other:?}")],
    }
}

fn strips(chunk: &StripChunk) -> Vec<String> {
    let (name, flags, user) = (chunk.kind.name(), chunk.flags.0, chunk.user_words);
    let mut lines = vec![format!("{name} flags {flags:02x} user words {user}")];
    for strip in &chunk.strips {
        lines.push(format!("strip {}", if strip.reversed { 'R' } else { 'L' }));
        let entries = chunk.entries(strip).enumerate();
        lines.extend(entries.map(|(i, entry)| of_entry(chunk, i, &entry)));
    }
    lines
}

fn of_entry(chunk: &StripChunk, i: usize, entry: &StripEntry) -> String {
    let mut line = entry.index.to_string();
    if chunk.kind.uv_pairs() > 0 {
        line += &format!(" uv {:?}", entry.uv);
    }
    if chunk.kind.uv_pairs() > 1 {
        line += &format!(" uv2 {:?}", entry.uv2);
    }
    if chunk.kind.has_normal() {
        line += &format!(" normal {:?}", entry.normal);
    }
    if chunk.kind.has_color() {
        line += &format!(" colour {:08X}", entry.color.0);
    }
    if i >= 2 && chunk.user_words > 0 {
        line += &format!(" user {:?}", &entry.user[..usize::from(chunk.user_words)]);
    }
    line
}

fn volumes(chunk: &VolumeChunk) -> Vec<String> {
    let mut lines = vec![format!("{:?} user words {}", chunk.kind, chunk.user_words)];
    // Words of a polygon, with its user words last.
    if let Some(indices) = chunk.kind.polygon_indices() {
        let step = indices + usize::from(chunk.user_words);
        for (polygon, words) in chunk.polygons().zip(chunk.words.chunks_exact(step)) {
            let user = &words[indices..];
            let user = if user.is_empty() {
                String::new()
            } else {
                format!(" user {user:?}")
            };
            lines.push(format!("polygon {polygon:?}{user}"));
        }
    }
    for strip in &chunk.strips {
        let indices: Vec<_> = chunk.indices(strip).collect();
        lines.push(format!(
            "strip {} {indices:?}",
            if strip.reversed { 'R' } else { 'L' }
        ));
    }
    lines
}

fn of_motion(motion: &Motion) -> Vec<String> {
    let mut lines = vec![format!(
        "{} frames {} type {:04x} {:?} tables {}",
        motion.kind.chunk_id(),
        motion.nb_frame,
        motion.motion_type.0,
        motion.inp_fn.method(),
        motion.tables()
    )];
    for node in 0..motion.nodes.len() {
        for element in motion.elements() {
            if let Some(keys) = motion.keys(node, element) {
                let (name, form, texts) = (element.name(), keys.form().name(), keys.texts().join("; "));
                lines.push(format!("node {node} {name} {form} {texts}"));
            }
        }
    }
    for points in &motion.points {
        let points: Vec<String> = points.iter().map(|point| format!("{point:?}")).collect();
        lines.push(format!("points {}", points.join(" ")));
    }
    lines
}

fn shape_list(list: &CShapeList) -> Vec<String> {
    let mut lines = Vec::new();
    if list.shapes.len() > 1 {
        lines.extend(list.shapes.iter().enumerate().map(|(i, shape)| {
            let lists = shape.cvlist.and_then(|id| list.cvlists.get(id.0 as usize));
            let lists: Vec<u32> = lists.into_iter().flatten().flatten().map(|id| id.0).collect();
            format!("shape {i} group {} lists {lists:?}", shape.group_id)
        }));
    }
    lines.extend(
        list.vlists
            .iter()
            .flat_map(|list| &list.chunks)
            .flat_map(shape_vertices),
    );
    lines
}

fn shape_vertices(chunk: &ShapeChunk) -> Vec<String> {
    let mut lines = vec![format!("{} headbits {:02x}", chunk.kind.name(), chunk.headbits)];
    lines.extend((0..chunk.count()).map(|i| {
        let position = chunk.position(i).map(|v| format!("position {v:?}"));
        let normal = chunk.normal(i).map(|v| format!("normal {v:?}"));
        let diffuse = chunk.diffuse(i).map(|c| format!("diffuse {:08X}", c.0));
        let parts: Vec<String> = [position, normal, diffuse].into_iter().flatten().collect();
        parts.join(" ")
    }));
    lines
}

fn shape_motion(motion: &CShapeMotion) -> Vec<String> {
    let mut lines = vec![format!("CPSM frames {}", motion.nb_frame)];
    for (node, data) in motion.nodes.iter().enumerate() {
        lines.extend(data.iter().map(|data| {
            let track = data.keys.and_then(|id| motion.tracks.get(id.0 as usize));
            let keys = track.into_iter().flatten();
            let keys: Vec<String> = keys.map(|key| format!("{}: {}", key.frame, key.value)).collect();
            format!("node {node} entry {} keys {}", data.entry_id, keys.join("; "))
        }));
    }
    lines
}

fn of_sprite(sprite: &CellSprite) -> Vec<String> {
    let mut lines = vec![format!(
        "sprite position {:?} angle {} scale {:?} diffuse {:?} specular {:?}",
        sprite.pos, sprite.zang.0, sprite.scale, sprite.diffuse, sprite.specular
    )];
    for cell in &sprite.cells {
        lines.push(format!(
            "cell texture {} attr {:04X} offset {:?} size {:?} angle {} priority {} center {:?} uv {:?} {:?}",
            cell.tex_id,
            cell.attr.0,
            cell.offset,
            cell.size,
            cell.zang,
            cell.priority,
            cell.center,
            cell.uv0,
            cell.uv2
        ));
        let colours = cell.argb.map(|colour| format!("{:08X}", colour.0));
        lines.push(format!("colours {}", colours.join(" ")));
    }
    lines
}

fn of_stream(stream: &CellStream) -> Vec<String> {
    let mut lines = Vec::new();
    if stream.time_offset != 0 {
        let (current, offset, max) = (stream.current, stream.time_offset, stream.time_max);
        lines.push(format!("stream current {current:?} offset {offset} max {max}"));
    }
    lines.extend(stream.chunks.iter().map(|chunk| match chunk {
        CellChunk::Change(change) => format!("Change entry {}: {:?}", change.entry, change.decode()),
        other => format!("{other:?}"),
    }));
    lines
}
