//! First inputs of the targets, made from the samples of the repository.

use crate::source::Random;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Returns the files below a folder of the repository that have this extension, in the order of their names.
pub(crate) fn files(folder: &str, extension: &str) -> Vec<Vec<u8>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let (mut found, mut folders) = (Vec::<PathBuf>::new(), vec![root.join(folder)]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            match path.is_dir() {
                true => folders.push(path),
                false if path.extension().is_some_and(|other| other == extension) => found.push(path),
                false => {}
            }
        }
    }
    found.sort();
    found
        .into_iter()
        .filter_map(|path| std::fs::read(path).ok())
        .collect()
}

/// Returns the bytes of a sample with annotations: `offset: bytes ; words`, and lines of comments.
fn hex(text: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(text);
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let bytes = lines.flat_map(|line| {
        let line = line.split(';').next().unwrap_or_default();
        let digits: String = line
            .split_once(':')
            .map_or(line, |(_, rest)| rest)
            .split_whitespace()
            .collect();
        let pairs = digits
            .as_bytes()
            .chunks(2)
            .map(|pair| String::from_utf8_lossy(pair).into_owned());
        pairs
            .map_while(|pair| u8::from_str_radix(&pair, 16).ok())
            .collect::<Vec<_>>()
    });
    bytes.collect()
}

/// The binary samples, and the text samples converted to bytes.
pub(crate) fn ninja() -> Vec<Vec<u8>> {
    let samples = files("runtime/ninja/tests/data/hex", "hex");
    let compiled = ninja_text().into_iter().filter_map(|text| {
        let file = ninja::ascii::read(&text).ok()?.file;
        file.write().ok().filter(|bytes| bytes.len() <= 4096)
    });
    samples.iter().map(|text| hex(text)).chain(compiled).collect()
}

pub(crate) fn ninja_text() -> Vec<Vec<u8>> {
    let seeds = ["nja", "csa", "spa", "nas", "nam", "nad", "nat", "txt"]
        .iter()
        .flat_map(|extension| files("runtime/ninja/tests/data/seeds", extension));
    seeds.chain(files("tests/data/scene", "nja")).collect()
}

/// Textures of the smallest size in each layout: the header and texels.
pub(crate) fn textures() -> Vec<Vec<u8>> {
    let header = |format: u8, layout: u8, texels: usize| {
        let mut bytes = b"PVRT".to_vec();
        bytes.extend((8 + texels as u32).to_le_bytes());
        bytes.extend([format, layout, 0, 0, 8, 0, 8, 0]);
        bytes.extend((0..texels).map(|n| n as u8));
        bytes
    };
    let formats = (0..=4).flat_map(|format| [1, 3, 9, 13].map(|layout| header(format, layout, 2048 + 128)));
    formats.chain([header(5, 5, 32), header(6, 7, 64)]).collect()
}

pub(crate) fn palettes() -> Vec<Vec<u8>> {
    let palette = |format: u8, entry: usize| {
        let mut bytes = b"PVPL".to_vec();
        bytes.extend((8 + 16 * entry as u32).to_le_bytes());
        bytes.extend([format, 0, 0, 0, 0, 0, 16, 0]);
        bytes.extend((0..16 * entry).map(|n| n as u8));
        bytes
    };
    vec![palette(0, 2), palette(1, 2), palette(2, 2), palette(6, 4)]
}

pub(crate) fn archives() -> Vec<Vec<u8>> {
    let mut bytes = b"PVMH".to_vec();
    bytes.extend(36_u32.to_le_bytes());
    bytes.extend([0x0F, 0, 1, 0, 0, 0]);
    bytes.extend(*b"a name of twenty-eight bytes");
    bytes.resize(44, 0);
    bytes.extend(textures().swap_remove(0));
    vec![bytes]
}

pub(crate) fn fbx() -> Vec<Vec<u8>> {
    let mut files = files("runtime/convert/tests/data", "fbx");
    files.retain(|file| file.len() <= 65_536);
    files
}

pub(crate) fn chip_scenes() -> Vec<Vec<u8>> {
    files("tests/data/pvr", "txt")
}

pub(crate) fn programs() -> Vec<Vec<u8>> {
    files("roms/console", "elf")
}

pub(crate) fn specifications() -> Vec<Vec<u8>> {
    let mut files = files("docs", "toml");
    files.extend(self::files("tests/data/users", "toml"));
    files
}

/// A script with every statement.
pub(crate) fn scripts() -> Vec<Vec<u8>> {
    let text = "# comment\n60 press start\n65 release start\n70..90 hold a+right\n95 stick 255 128\n\
                96 triggers 10 200\n100 port b press x+y+z\n";
    vec![text.into()]
}

/// Words that resemble parameters of the tile accelerator: control words, coordinates, small numbers.
pub(crate) fn words() -> Vec<Vec<u8>> {
    let inputs = (0..32).map(|seed| {
        let mut random = Random(seed);
        let words = 16 << random.below(6);
        (0..words).flat_map(|_| word(&mut random).to_le_bytes()).collect()
    });
    inputs.collect()
}

pub(crate) fn word(random: &mut Random) -> u32 {
    let bits = random.next() as u32;
    match random.below(8) {
        0 => bits,
        1 => bits % 64,
        2 => (bits % (1 << 20)) << 3,
        3..=5 => ((bits % 4096) as f32 / 32.0 - 16.0).to_bits(),
        6 => 0xE000_0000 | bits & 0x1000_0000,
        _ => 0x8000_0000 | bits & 0x278F_00FF,
    }
}

/// A small program for the console, because each run of a target parses it.
pub(crate) fn small_program() -> &'static [u8] {
    static PROGRAM: OnceLock<Vec<u8>> = OnceLock::new();
    PROGRAM.get_or_init(|| programs().swap_remove(0))
}

/// Register values, then opcodes of all instructions of the table, one by one.
pub(crate) fn code() -> Vec<Vec<u8>> {
    let opcode = |row: &sh4::table::Row, random: &mut Random| {
        let fill = random.next();
        let bits = row.pattern.bytes().enumerate();
        bits.fold(0_u16, |opcode, (place, letter)| {
            let free = (fill >> place & 1) as u16;
            opcode << 1 | [free, u16::from(letter == b'1')][usize::from(matches!(letter, b'0' | b'1'))]
        })
    };
    let inputs = sh4::table::TABLE.chunks(8).enumerate().map(|(number, rows)| {
        let mut random = Random(number as u64);
        let registers = (0..17).flat_map(|_| word(&mut Random(number as u64)).to_le_bytes());
        let mut bytes: Vec<u8> = registers.collect();
        bytes.extend(rows.iter().flat_map(|row| opcode(row, &mut random).to_le_bytes()));
        bytes
    });
    inputs.collect()
}

#[cfg(test)]
mod tests {
    use super::ninja;

    #[test]
    fn samples_are_files_and_some_have_models() {
        let files: Vec<ninja::File> = ninja().iter().map(|bytes| ninja::read(bytes).unwrap()).collect();
        let with_models = files.iter().filter(|file| file.models().next().is_some());
        assert!(with_models.count() >= 4, "too few of {}", files.len());
    }
}
