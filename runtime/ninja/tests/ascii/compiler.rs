//! A C compiler accepts the texts with the header of this crate and produces the same bytes.
//!
//! The test compares the object file's data with the bodies of the binary file, structure by structure. It
//! follows pointers from the top structure: relocations in the object file, the pointer list in the binary
//! file. `cc` must accept `-m32`; no linker runs.

use super::corpus::largest;
use super::seeds::{SAMPLES, data};
use goblin::elf::Elf;
use ninja::ascii::{WriteOptions, c_header, read, write};
use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Result of the compiler: sections, targets of their pointers, and the definitions in them.
struct Object {
    sections: Vec<Vec<u8>>,
    /// Target of the pointer at (section, offset).
    links: HashMap<(usize, usize), (usize, usize)>,
    /// (section, offset, size) by name.
    symbols: HashMap<String, (usize, usize, usize)>,
}

impl Object {
    fn parse(bytes: &[u8]) -> Self {
        let elf = Elf::parse(bytes).unwrap();
        let sections: Vec<Vec<u8>> = elf
            .section_headers
            .iter()
            // Sections of zeros have no bytes in the file.
            .map(|s| {
                s.file_range()
                    .map_or(vec![0; s.sh_size as usize], |range| bytes[range].to_vec())
            })
            .collect();
        let mut links = HashMap::new();
        for (index, relocations) in &elf.shdr_relocs {
            let target = elf.section_headers[*index].sh_info as usize;
            for relocation in relocations.iter() {
                // R_386_32: the address of the symbol plus the stored word.
                assert_eq!(relocation.r_type, 1, "kind of relocation");
                let at = relocation.r_offset as usize;
                let symbol = elf.syms.get(relocation.r_sym).unwrap();
                let addend = u32::from_le_bytes(*sections[target][at..].first_chunk().unwrap());
                links.insert(
                    (target, at),
                    (symbol.st_shndx, symbol.st_value as usize + addend as usize),
                );
            }
        }
        let symbols = elf.syms.iter().filter(|s| s.st_size > 0).map(|s| {
            let name = elf.strtab.get_at(s.st_name).unwrap_or_default().to_owned();
            (name, (s.st_shndx, s.st_value as usize, s.st_size as usize))
        });
        Object {
            symbols: symbols.collect(),
            sections,
            links,
        }
    }

    /// Returns the definition at a position.
    fn holder(&self, (section, at): (usize, usize)) -> Option<(usize, usize, usize)> {
        let holds =
            |(s, from, size): &&(usize, usize, usize)| *s == section && (*from..from + size).contains(&at);
        self.symbols.values().find(holds).copied()
    }
}

/// Compiles a text.
fn compile(name: &str, text: &str, wide: bool) -> Object {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("ascii-c")
        .join(name.replace(['/', '.'], "_"));
    fs::create_dir_all(&dir).unwrap();
    let (header, source, object) = (dir.join("ninja.h"), dir.join("text.c"), dir.join("text.o"));
    fs::write(&header, c_header()).unwrap();
    fs::write(&source, text).unwrap();
    let mut cc = Command::new("cc");
    cc.args([
        "-m32",
        "-std=gnu99",
        "-ffreestanding",
        "-fno-pic",
        "-fno-common",
        "-Wall",
        "-Werror",
        "-c",
    ]);
    // Rows of structures are written without braces.
    cc.args(["-Wno-missing-braces", "-include"]).arg(&header);
    if wide {
        cc.arg("-DNINJA_WIDE_NODES");
    }
    let output = cc
        .arg(&source)
        .arg("-o")
        .arg(&object)
        .output()
        .expect("cc is needed");
    assert!(
        output.status.success(),
        "{name}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    Object::parse(&fs::read(&object).unwrap())
}

/// Names of the top structures. The text's head lists them in chunk order.
fn tops(text: &str) -> Vec<String> {
    let comments = text.lines().skip(1).take_while(|line| line.starts_with("/*"));
    let name = |line: &str| {
        line.split(" : ")
            .nth(1)
            .unwrap()
            .split_whitespace()
            .next()
            .unwrap()
            .to_owned()
    };
    comments.map(name).collect()
}

/// Compares a body with the structures reachable from its top structure. Returns the number of structures.
fn compare(name: &str, object: &Object, top: &str, body: &[u8], pointers: &HashSet<u32>) -> usize {
    let mut bases: HashMap<(usize, usize), usize> = HashMap::new();
    let (section, at, _) = object.symbols[top];
    let mut work = vec![((section, at), 0usize)];
    let (mut followed, mut covered) = (0, 0);
    while let Some((place, offset)) = work.pop() {
        let Some((section, from, size)) = object.holder(place) else {
            // A string has no symbol in the object file.
            let string: Vec<u8> = object.sections[place.0][place.1..]
                .iter()
                .copied()
                .take_while(|b| *b != 0)
                .collect();
            assert_eq!(
                body[offset..offset + string.len() + 1],
                [&string[..], &[0]].concat(),
                "{name}: string"
            );
            covered += string.len() + 1;
            continue;
        };
        let base = offset - (place.1 - from);
        if let Some(before) = bases.insert((section, from), base) {
            assert_eq!(before, base, "{name}: a definition in two places");
            continue;
        }
        covered += size;
        let mut i = 0;
        while i < size {
            match object.links.get(&(section, from + i)) {
                Some(target) => {
                    assert!(
                        pointers.contains(&((base + i) as u32)),
                        "{name}: {top}: pointer at {:#x}",
                        base + i
                    );
                    let value = u32::from_le_bytes(*body[base + i..].first_chunk().unwrap());
                    work.push((*target, value as usize));
                    followed += 1;
                    i += 4;
                }
                None => {
                    let (found, expected) = (object.sections[section][from + i], body[base + i]);
                    assert_eq!(found, expected, "{name}: {top}: byte {:#x} of the body", base + i);
                    i += 1;
                }
            }
        }
    }
    // Null entries of NJS_CSHAPECV are listed, too.
    let word = |at: &u32| u32::from_le_bytes(*body[*at as usize..].first_chunk().unwrap());
    let listed = pointers.iter().filter(|at| word(at) != 0).count();
    assert_eq!(followed, listed, "{name}: {top}: pointers");
    // The rest of the body is alignment.
    let spare = body.len() - covered;
    assert!(
        spare <= 3 * (bases.len() + 1),
        "{name}: {top}: {spare} bytes more"
    );
    bases.len()
}

/// Compiles a text and compares all its chunks. Returns the number of structures.
fn check(name: &str, text: &str) -> usize {
    let binary = read(text.as_bytes())
        .unwrap_or_else(|e| panic!("{name}: {e}"))
        .file
        .write()
        .unwrap();
    let file = ninja::read(&binary).unwrap();
    let object = compile(name, text, text.contains("OQuatRe"));
    let bodies = ninja::directory(&binary).unwrap();
    let bodies = bodies.iter().filter(|entry| entry.id != ninja::ChunkId::POF0);
    let mut structures = 0;
    for ((entry, chunk), top) in bodies.zip(&file.chunks).zip(tops(text)) {
        let body = &binary[entry.offset..entry.offset + entry.bytes];
        let pointers = chunk
            .pof0()
            .map(|pof0| pof0.offsets().collect())
            .unwrap_or_default();
        structures += compare(name, &object, &top, body, &pointers);
    }
    structures
}

#[test]
fn a_compiler_makes_the_same_bytes() {
    let (mut texts, mut structures) = (0, 0);
    for sample in SAMPLES {
        let text = fs::read_to_string(data().join("corrected").join(sample)).unwrap();
        structures += check(sample, &text);
        texts += 1;
    }
    for (name, file) in super::made::files() {
        let text = write(&file, &WriteOptions::default()).unwrap();
        structures += check(name, &text);
        texts += 1;
    }
    match largest() {
        None => println!("corpus not present, 0 real files"),
        Some((name, file)) => {
            let (file, _) = super::corpus::without_raw(file);
            let text = write(&file, &WriteOptions::default()).unwrap();
            println!("{name}: {} bytes of text", text.len());
            structures += check("largest", &text);
            texts += 1;
        }
    }
    println!("{texts} texts compiled, {structures} structures equal");
}
