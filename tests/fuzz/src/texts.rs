//! Files that users write or copy from a console: cases, calls, reports, captures, sidecars, tables.

use crate::source::Source;
use convert::Sidecar;
use dreamcast::input::Script;
use std::path::Path;
use swirl::untrusted;
use verify::SH4;
use verify::user::{Spec, UserVerifier, scaffold};

/// Specifications of routines: reads them and runs a case of each kernel on the project's kernels.
pub(crate) fn specification(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let Ok(spec) = Spec::parse(&text, Path::new("fuzz.toml"), &[SH4]) else {
        return;
    };
    if let Ok(mut verifier) = UserVerifier::new(roms::KERNELS_ELF, spec, &[SH4]) {
        let count = verifier.names().count();
        verifier.set_deadline(Some(
            std::time::Instant::now() + std::time::Duration::from_secs(1),
        ));
        (0..count.min(2)).for_each(|index| drop(verifier.run(index, 1, 1)));
    }
}

/// Scripts of inputs.
pub(crate) fn input_script(bytes: &[u8]) {
    let _ = Script::parse(&String::from_utf8_lossy(bytes));
}

/// Scenes of the PowerVR2 as text.
pub(crate) fn chip_scene(bytes: &[u8]) {
    let _ = pvr_scene::run(&String::from_utf8_lossy(bytes), &pvr_scene::Options::default());
}

/// `case.toml`.
pub(crate) fn case_file(bytes: &[u8]) {
    untrusted::case_file(&String::from_utf8_lossy(bytes));
}

/// Calls of kernels as files: reads them and writes them.
pub(crate) fn call_file(bytes: &[u8]) {
    untrusted::call_file(&String::from_utf8_lossy(bytes));
}

/// JSON reports of `swirl profile`.
pub(crate) fn profile_report(bytes: &[u8]) {
    untrusted::baseline(&String::from_utf8_lossy(bytes));
}

/// Captures of the truth ROM.
pub(crate) fn capture(bytes: &[u8]) {
    untrusted::capture(&String::from_utf8_lossy(bytes));
}

/// Counts of a console's performance events as CSV.
pub(crate) fn event_counts(bytes: &[u8]) {
    if let Ok(measured) = timing::events::read_csv(&String::from_utf8_lossy(bytes)) {
        let none = timing::events::EventCounts([0; timing::events::EVENTS.len()]);
        let _ = profile::view::compare(&none, &measured);
    }
}

/// Sidecar files of FBX scenes.
pub(crate) fn sidecar(bytes: &[u8]) {
    let _ = Sidecar::parse(&String::from_utf8_lossy(bytes));
}

/// A texture list with one name per line, an empty line, and an archive.
pub(crate) fn texture_lookup(bytes: &[u8]) {
    let end = bytes.windows(2).position(|pair| pair == b"\n\n").unwrap_or(0);
    let (names, archive) = bytes.split_at(end);
    let names: Vec<String> = String::from_utf8_lossy(names)
        .lines()
        .map(str::to_owned)
        .collect();
    untrusted::texture_lookup(archive.get(2..).unwrap_or_default(), &names);
}

/// A picture file for a texture, of at most 65,536 pixels. The first byte selects the name extension `.tga`
/// or `.png`.
pub(crate) fn picture(bytes: &[u8]) {
    let (kind, bytes) = bytes.split_first().unwrap_or((&0, &[]));
    let name = if kind & 1 == 0 { "a.png" } else { "a.tga" };
    let Ok(picture) = convert::read_picture_within(bytes, name, 1 << 16) else {
        return;
    };
    assert_eq!(picture.texels.len(), (picture.width * picture.height) as usize);
}

/// Sections with debug information in an otherwise valid ELF file.
const SECTIONS: [&str; 8] = [
    ".debug_info",
    ".debug_abbrev",
    ".debug_str",
    ".debug_line",
    ".debug_ranges",
    ".debug_frame",
    ".eh_frame",
    ".debug_rnglists",
];
/// Address of the code of the ELF file.
const CODE: u32 = 0x8C01_0000;

/// Returns a program with `count` symbols at one address.
pub(crate) fn elf_with_symbols(count: usize) -> Vec<u8> {
    let names: Vec<String> = (0..count).map(|n| format!("_s{n}")).collect();
    let symbols: Vec<(&str, u32)> = names.iter().map(|name| (name.as_str(), CODE + 0x20)).collect();
    elf_with(&[&[]; SECTIONS.len()], &symbols)
}

/// An ELF file with these sections and the symbols of a function and of KallistiOS's threads.
fn elf(sections: &[&[u8]; SECTIONS.len()]) -> Vec<u8> {
    let symbols = [
        ("_f", CODE),
        ("_thd_list", CODE + 0x40),
        ("_thd_current", CODE + 0x44),
        ("_g", CODE + 0x60),
    ];
    elf_with(sections, &symbols)
}

/// An ELF file with 64 instructions.
fn elf_with(sections: &[&[u8]; SECTIONS.len()], symbols: &[(&str, u32)]) -> Vec<u8> {
    let (mut names, mut strings) = (vec![0_u8], vec![0_u8]);
    let mut table = vec![0_u8; 16];
    for (name, value) in symbols {
        table.extend((strings.len() as u32).to_le_bytes());
        table.extend(value.to_le_bytes());
        table.extend([32, 0, 0, 0, 0x12, 0, 1, 0]);
        strings.extend(name.bytes().chain([0]));
    }
    let code = [[0x0B, 0x40, 9, 0]; 32].concat();
    /// A section's header and bytes.
    type Row = (&'static str, u32, u32, Vec<u8>, [u32; 3]);
    let mut rows: Vec<Row> = vec![
        ("", 0, 0, Vec::new(), [0; 3]),
        (".text", 1, CODE, code, [6, 0, 0]),
    ];
    rows.push((".symtab", 2, 0, table, [0, 3, 1]));
    rows.push((".strtab", 3, 0, strings, [0; 3]));
    for (name, bytes) in SECTIONS.iter().zip(sections) {
        rows.push((name, 1, 0, bytes.to_vec(), [0; 3]));
    }
    rows.push((".shstrtab", 3, 0, Vec::new(), [0; 3]));
    let offsets: Vec<u32> = rows
        .iter()
        .map(|row| {
            let at = names.len() as u32;
            names.extend(row.0.bytes().chain([0]));
            at
        })
        .collect();
    if let Some(last) = rows.last_mut() {
        last.3 = names;
    }
    let mut file = vec![0; 52 + 32];
    let mut headers = Vec::new();
    for ((_, kind, address, bytes, [flags, link, info]), name) in rows.iter().zip(offsets) {
        let entry = if *kind == 2 { 16 } else { 0 };
        let at = file.len() as u32;
        let fields = [
            name,
            *kind,
            *flags,
            *address,
            at,
            bytes.len() as u32,
            *link,
            *info,
            1,
            entry,
        ];
        headers.extend(fields.iter().flat_map(|field| field.to_le_bytes()));
        file.extend(bytes);
    }
    let at = file.len() as u32;
    file.extend(headers);
    let half = |words: [u16; 2]| u32::from(words[0]) | u32::from(words[1]) << 16;
    let header = [
        0x464C_457F,
        0x0001_0101,
        0,
        0,
        half([2, 42]),
        1,
        CODE,
        52,
        at,
        0,
        half([52, 32]),
        half([1, 40]),
        half([rows.len() as u16, rows.len() as u16 - 1]),
        // The program header of the code.
        1,
        84,
        CODE,
        CODE,
        128,
        128,
        5,
        4,
    ];
    for (target, word) in file.chunks_mut(4).zip(header) {
        target.copy_from_slice(&word.to_le_bytes());
    }
    file
}

/// Debug information: lengths of the sections in 16 bits each, the sections, and then words of memory.
pub(crate) fn debug_info(bytes: &[u8]) {
    let (lengths, mut rest) = bytes.split_at(bytes.len().min(2 * SECTIONS.len()));
    let mut sections: [&[u8]; SECTIONS.len()] = [&[]; SECTIONS.len()];
    for (section, length) in sections.iter_mut().zip(lengths.as_chunks::<2>().0) {
        let length = usize::from(u16::from_le_bytes(*length)).min(rest.len());
        (*section, rest) = rest.split_at(length);
    }
    let file = elf(&sections);
    let mut words = Source::new(rest);
    let memory: Vec<u32> = (0..64)
        .map(|_| match words.below(3) {
            0 => words.word(),
            1 => CODE + words.below(128),
            _ => 4 * words.below(64),
        })
        .collect();
    untrusted::debug_information(&file, &memory);
    let _ = scaffold(&file, "f", &[SH4]);
    let _ = scaffold(&file, "_g", &[SH4]);
    let _ = profile::source_lines(&file);
    let _ = profile::objects(&file);
    let _ = profile::functions(&file);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every reader must accept the file around the sections.
    #[test]
    fn the_elf_file_is_sound() {
        let image = machine::Image::parse(&elf(&[&[]; SECTIONS.len()])).expect("sound");
        assert_eq!(image.symbols.address("_g"), Some(CODE + 0x60));
        assert_eq!((image.entry, image.segments.len()), (CODE, 1));
    }
}
