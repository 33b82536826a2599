//! File formats: a reader's result must write back to the same bytes, and written files must be readable.

use ninja::ascii::{self, WriteOptions};
use ninja::{CellChunk, Chunk, Element, FV_SHAPE, File, MotionKind, NodeFormat, VertexChunk};
use pvr::container::{Pvm, read_pvp, read_pvr, write_pvp, write_pvr};

/// Binary Ninja files: writes them back byte for byte, annotates them, and writes them in canonical form.
pub(crate) fn ninja_binary(bytes: &[u8]) {
    let Ok(mut file) = ninja::read(bytes) else { return };
    file.census();
    file.advice();
    if bytes.starts_with(b"SA2MDL\0") {
        // Models of SA Tools are read, but written as NJCM.
        let _ = file.write();
        return;
    }
    assert_eq!(file.write().as_deref(), Ok(bytes));
    ninja::annotate(bytes, &ninja::Settings::default()).expect("it was read before");
    let before = file.chunks.len();
    file.forget_layout();
    // Some readable files have no canonical form, for example if they have more nodes than their counts can
    // express.
    if let Ok(anew) = file.write()
        && let Ok(again) = ninja::read(&anew)
    {
        assert_eq!(again.chunks.len(), before);
    }
}

/// Ninja text files: text that can be written must read back to the same bytes, except for numbers that the
/// text computes.
pub(crate) fn ninja_text(text: &[u8]) {
    let Ok(first) = ascii::read(text) else { return };
    let file = first.file;
    let (Ok(bytes), Ok(text)) = (file.write(), ascii::write(&file, &WriteOptions::default())) else {
        return;
    };
    let again = ascii::read(text.as_bytes()).expect("it was written here").file;
    equal_but_for_numbers(&bytes, again);
}

/// Binary Ninja files as text: text that can be written must read back to the same canonical bytes, except
/// for numbers that the text computes.
pub(crate) fn ninja_both(bytes: &[u8]) {
    let Ok(file) = ninja::read(bytes) else { return };
    let mut file = File::new(file.chunks);
    file.forget_layout();
    let (Ok(bytes), Ok(text)) = (file.write(), ascii::write(&file, &WriteOptions::default())) else {
        return;
    };
    let again = ascii::read(text.as_bytes()).expect("it was written here").file;
    equal_but_for_numbers(&bytes, again);
}

/// Checks that both files have the same canonical bytes, except for numbers that the text computes
/// (`ascii::write`).
fn equal_but_for_numbers(before: &[u8], mut again: File) {
    let mut before = ninja::read(before).expect("it was written here");
    before.renumber();
    again.renumber();
    before.chunks.iter_mut().for_each(drop_empty_tables);
    again.chunks.iter_mut().for_each(drop_empty_tables);
    before.chunks.iter_mut().for_each(compute_numbers);
    assert_eq!(again.write(), before.write());
}

/// Replaces key tables without keys by none: they occupy no bytes, so their addresses can differ.
fn drop_empty_tables(chunk: &mut Chunk) {
    let Chunk::Motion(motion) = chunk else { return };
    let tracks = &motion.tracks;
    for table in motion.nodes.iter_mut().flat_map(|node| &mut node.tables) {
        *table = table.filter(|id| !tracks[id.0 as usize].is_empty());
    }
}

/// Counts the words after the stated vertices as vertices if there are enough words for whole vertices. The
/// text of a list of shapes keeps the stated number.
fn compute_vertices(chunk: &mut VertexChunk) {
    let words = chunk.words.len() + chunk.tail.len();
    let is_shape = chunk.headbits & FV_SHAPE != 0;
    if !is_shape && !chunk.tail.is_empty() && words.is_multiple_of(chunk.stride()) {
        chunk.count = (words / chunk.stride()) as u16;
        chunk.words.append(&mut chunk.tail);
    }
}

/// Sets the number of tables of a motion to the number that its text states. Reading the text of a cell
/// sprite's motion replaces bit 8 of the type by bit 9, RGB (`ascii::read`).
fn compute_tables(chunk: &mut Chunk) {
    let (angle, rgb) = (Element::Angle.bit(), Element::Rgb.bit());
    if let Chunk::Motion(motion) = chunk
        && motion.kind == MotionKind::CellSprite
        && motion.motion_type.0 & (angle | rgb) == angle
    {
        motion.motion_type.0 ^= angle | rgb;
    }
    match chunk {
        Chunk::Motion(motion) => motion.inp_fn.0 = motion.inp_fn.0 & !0xF | motion.tables() as u16,
        Chunk::ShapeMotion(motion) => motion.inp_fn.0 = motion.inp_fn.0 & !0xF | 1,
        _ => {}
    }
}

/// Sets numbers to the values that the text has: tables of a motion, vertices of a vertex chunk, and sizes of
/// stamps and cells of a stream. Also gives wide nodes the chunk name of the text.
fn compute_numbers(chunk: &mut Chunk) {
    compute_tables(chunk);
    if let Chunk::Model(tree) = chunk {
        if tree.kind == NodeFormat::Ninja1Wide {
            tree.kind = NodeFormat::Ninja2;
        }
        tree.vlists
            .iter_mut()
            .flat_map(|list| &mut list.chunks)
            .for_each(compute_vertices);
    }
    let Chunk::CellStream(stream) = chunk else { return };
    for chunk in &mut stream.chunks {
        if let CellChunk::Change(change) = chunk {
            change.size = (change.words.len() % 16) as u8;
        }
    }
    stream.count_stamps().expect("it was written as text");
}

/// `.pvr` textures: decodes, writes and reads them again.
pub(crate) fn texture(bytes: &[u8]) {
    let Ok(texture) = read_pvr(bytes) else { return };
    let _ = texture.decode(None);
    if let Ok(written) = write_pvr(&texture) {
        // The reader drops bytes after the texels.
        assert_eq!(
            read_pvr(&written).and_then(|again| write_pvr(&again)),
            Ok(written)
        );
    }
}

/// `.pvp` palettes: writes and reads them again.
pub(crate) fn palette(bytes: &[u8]) {
    let Ok(palette) = read_pvp(bytes) else { return };
    if let Ok(written) = write_pvp(&palette) {
        // The written file has no more warnings about sizes.
        assert_eq!(
            read_pvp(&written).and_then(|again| write_pvp(&again)),
            Ok(written)
        );
    }
}

/// `.pvm` archives: writes and reads them again.
pub(crate) fn archive(bytes: &[u8]) {
    let Ok(archive) = Pvm::read(bytes) else { return };
    if let Ok(written) = archive.write() {
        assert_eq!(Pvm::read(&written).and_then(|again| again.write()), Ok(written));
    }
}

/// FBX records: decodes every array and writes the file back byte for byte.
pub(crate) fn fbx_records(bytes: &[u8]) {
    let Ok(document) = fbx::read(bytes) else { return };
    document.records().for_each(decode_arrays);
    assert_eq!(document.write().as_deref(), Ok(bytes));
}

fn decode_arrays(record: &fbx::Record<'_>) {
    for property in record.properties.iter() {
        if let fbx::Property::Array(array) = property {
            let _ = array.elements();
        }
    }
    record.children.iter().for_each(decode_arrays);
}

/// FBX scenes: converts them to Ninja files with a limit of 16 MiB. The results must be writable.
pub(crate) fn fbx_scene(bytes: &[u8]) {
    let options = convert::Options {
        memory_limit: 16 << 20,
        ..convert::Options::default()
    };
    if let Ok(conversion) = convert::convert(bytes, &options, &mut |_| None) {
        let _ = conversion.model.write();
    }
}

/// Draws the models of a Ninja file with the references of the kernels.
pub(crate) fn scene(bytes: &[u8]) {
    if let Ok(file) = ninja::read(bytes) {
        let _ = tests::draw_all(&file, &mut scene::Reference);
    }
}
