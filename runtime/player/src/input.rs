//! Kinds of files, by name and content.

use crate::files::has_extension;
use std::path::Path;

/// Kind of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Input {
    /// Ninja model, texture list, or a Ninja file of several kinds.
    Model,
    /// Ninja motion.
    Motion,
    /// Shape list or shape motion.
    Shape,
    /// Cell sprite or cell stream.
    Cells,
    /// Texture of the PowerVR2.
    Texture,
    /// Texture of KallistiOS.
    KosTexture,
    /// Archive of textures.
    Archive,
    /// Palette.
    Palette,
    /// Picture of another program.
    Picture,
    /// FBX scene.
    Fbx,
    /// glTF scene.
    Gltf,
    /// OBJ scene.
    Obj,
    /// Input of the tile accelerator.
    TaDump,
    /// Scene for the PowerVR2 as text.
    PvrScene,
    /// Program or object file.
    Program,
    /// Disc image.
    Disc,
    /// Report of `roms/truth.elf`, the program that observes the hardware's behaviour.
    Capture,
    /// File of another kind.
    Other,
}

/// One kind of file: its name, its extensions and the first bytes of such files.
struct Kind {
    input: Input,
    name: &'static str,
    extensions: &'static [&'static str],
    magic: &'static [&'static [u8]],
}

const fn kind(
    input: Input,
    name: &'static str,
    extensions: &'static [&'static str],
    magic: &'static [&'static [u8]],
) -> Kind {
    Kind {
        input,
        name,
        extensions,
        magic,
    }
}

/// Kinds by extension and first bytes (docs/formats/compact-shape.md 4.1, cell-sprite.md 5.5). If several
/// rows have the same `input`, messages use the name of the first row unless another row fits the file.
#[rustfmt::skip]
const KINDS: [Kind; 46] = [
    kind(Input::Model, "a Ninja model", &["nj", "nja", "njd", "nad", "njt", "nat", "njl", "njc"], &[]),
    kind(Input::Model, "a chunk model of SA Tools (.sa2mdl)", &["sa2mdl"], &[b"SA2MDL"]),
    kind(Input::Motion, "a Ninja motion", &["njm", "nam"], &[]),
    kind(Input::Shape, "a shape list", &["njs", "nas"], &[]),
    kind(Input::Cells, "a cell sprite", &["spj", "spa", "csj", "csa"], &[]),
    kind(Input::Texture, "a PowerVR texture (.pvr)", &["pvr"], &[b"GBIX", b"PVRT"]),
    kind(Input::KosTexture, "a KallistiOS texture (.dt, .tex)", &["dt", "tex"], &[b"DcTx", b"DTEX"]),
    kind(Input::Archive, "an archive of PowerVR textures (.pvm)", &["pvm"], &[b"PVMH"]),
    kind(Input::Palette, "a palette (.pvp)", &["pvp"], &[b"PVPL"]),
    kind(Input::Picture, "a PNG picture", &["png"], &[b"\x89PNG"]),
    kind(Input::Picture, "a JPEG picture", &["jpg", "jpeg"], &[b"\xFF\xD8\xFF"]),
    kind(Input::Picture, "a BMP picture", &["bmp"], &[b"BM"]),
    kind(Input::Picture, "a DDS texture", &["dds"], &[b"DDS "]),
    kind(Input::Picture, "a TGA picture", &["tga"], &[]),
    // Not supported: the picture reader rejects it, and its error gives the reason.
    kind(Input::Picture, "a Photoshop picture", &["psd"], &[b"8BPS"]),
    kind(Input::Fbx, "an FBX scene", &["fbx"], &[b"Kaydara FBX Binary", b"; FBX"]),
    kind(Input::Gltf, "a glTF scene", &["gltf", "glb", "vrm"], &[b"glTF"]),
    kind(Input::Obj, "an OBJ scene", &["obj"], &[]),
    kind(Input::TaDump, "input of the tile accelerator (.ta)", &["ta"], &[]),
    kind(Input::Capture, "a capture of the truth program", &[], &[b"truth "]),
    kind(Input::PvrScene, "a scene for the PowerVR2 (.txt)", &["txt"], &[]),
    kind(Input::Disc, "a disc image", &["cdi", "cue", "gdi", "iso"], &[]),
    kind(Input::Program, "an ELF file", &["elf"], &[b"\x7fELF"]),
    kind(Input::Program, "a raw binary", &["bin"], &[]),
    kind(Input::Other, "a GIF picture", &[], &[b"GIF8"]),
    kind(Input::Other, "a QOI picture", &[], &[b"qoif"]),
    kind(Input::Other, "a ZIP archive", &[], &[b"PK\x03\x04"]),
    kind(Input::Other, "a gzip file", &[], &[b"\x1F\x8B"]),
    kind(Input::Other, "a PDF document", &[], &[b"%PDF"]),
    kind(Input::Other, "a RIFF file, such as a WAV sound", &[], &[b"RIFF"]),
    kind(Input::Other, "an Ogg file", &[], &[b"OggS"]),
    kind(Input::Other, "a program for Windows", &[], &[b"MZ"]),
    kind(Input::Other, "a library of object files (.a)", &[], &[b"!<arch>"]),
    // Textures and models of later consoles and of mods of their games.
    kind(Input::Other, "a GameCube texture (.gvr)", &["gvr"], &[b"GVRT", b"GCIX"]),
    kind(Input::Other, "an archive of GameCube textures (.gvm)", &["gvm"], &[b"GVMH"]),
    kind(Input::Other, "an Xbox texture (.xvr)", &["xvr"], &[b"XVRT"]),
    kind(Input::Other, "an archive of Xbox textures (.xvm)", &["xvm"], &[b"XVMH"]),
    kind(Input::Other, "a model of SA Tools (.sa1mdl)", &["sa1mdl"], &[b"SA1MDL"]),
    kind(Input::Other, "a GameCube model of SA Tools (.sa2bmdl)", &["sa2bmdl"], &[b"SA2BMDL"]),
    kind(Input::Other, "a motion of SA Tools (.saanim)", &["saanim"], &[b"SAANIM"]),
    // Files of the original tools. No public document describes their format or structure (cell-sprite.md
    // 5.5, compact-shape.md 1.5).
    kind(Input::Other, "a vertex resource file (no public document has its format)", &["vrs", "nrv"], &[]),
    kind(Input::Other, "a motion resource file (no public document has its format)", &["mrs"], &[]),
    kind(Input::Other, "a general resource file (no public document has its format)", &["nre"], &[]),
    kind(Input::Other, "a scene file (no public document has its format)", &["nsc"], &[]),
    kind(Input::Other, "a light as text (no public document has its structure, NJLI)", &["nal"], &[]),
    kind(Input::Other, "a camera as text (no public document has its structure, NJCA)", &["nac"], &[]),
];

fn by_name(path: &Path) -> Option<&'static Kind> {
    let is_named = |kind: &&Kind| {
        kind.extensions
            .iter()
            .any(|extension| has_extension(path, extension))
    };
    KINDS.iter().find(is_named)
}

fn by_magic(bytes: &[u8]) -> Option<&'static Kind> {
    KINDS
        .iter()
        .find(|kind| kind.magic.iter().any(|magic| bytes.starts_with(magic)))
}

impl Input {
    /// Returns the kind of a file. The name decides, except for binary Ninja files and captures. An unknown
    /// extension leaves the decision to the content.
    pub fn of(path: &Path, bytes: &[u8]) -> Self {
        let named = Self::named(path);
        match named {
            Some(Self::PvrScene | Self::Program) if is_capture(bytes) => Self::Capture,
            Some(named) if !named.is_ninja() => named,
            _ => by_chunks(bytes)
                .or_else(|| Self::by_magic(bytes))
                .or(named)
                .or_else(|| by_text(bytes))
                // Some games store a motion without chunk headers.
                .or_else(|| holds_motion(bytes).then_some(Self::Motion))
                .unwrap_or(Self::Other),
        }
    }

    /// Returns the kind of a file by its first bytes.
    pub fn by_magic(bytes: &[u8]) -> Option<Self> {
        by_magic(bytes).map(|kind| kind.input)
    }

    /// Returns the kind that a file name's extension denotes.
    pub fn named(path: &Path) -> Option<Self> {
        by_name(path).map(|kind| kind.input)
    }

    /// Returns whether this is a Ninja file.
    pub fn is_ninja(self) -> bool {
        matches!(self, Self::Model | Self::Motion | Self::Shape | Self::Cells)
    }

    /// Returns whether this is a scene of another program.
    pub fn is_scene(self) -> bool {
        matches!(self, Self::Fbx | Self::Gltf | Self::Obj)
    }

    /// Returns whether this is drawn as a rectangle: a texture, an archive, a palette or a picture.
    pub fn is_flat(self) -> bool {
        matches!(
            self,
            Self::Texture | Self::KosTexture | Self::Archive | Self::Palette | Self::Picture
        )
    }

    /// Returns the extensions of files of this kind.
    pub fn extensions(self) -> impl Iterator<Item = &'static str> {
        let rows = KINDS.iter().filter(move |kind| kind.input == self);
        rows.flat_map(|kind| kind.extensions.iter().copied())
    }

    /// Describes a file of this kind for messages: "a Ninja model".
    pub fn describe(self, path: &Path, bytes: &[u8]) -> String {
        let of_this = |kind: &&Kind| kind.input == self;
        let exact = by_magic(bytes).filter(of_this).or(by_name(path).filter(of_this));
        let any = || KINDS.iter().find(of_this).filter(|_| self != Self::Other);
        match exact.or_else(any) {
            Some(kind) if bytes.starts_with(b"\x7fELF") => format!("{} for {}", kind.name, machine(bytes)),
            Some(kind) => kind.name.to_owned(),
            None if bytes.is_empty() => "an empty file".to_owned(),
            None if ninja::ascii::is_text(bytes) => "text".to_owned(),
            None => "a file of an unknown kind".to_owned(),
        }
    }
}

/// Names of `e_machine` (ELF specification, registry of machines).
const MACHINES: [(u16, &str); 8] = [
    (3, "x86"),
    (8, "MIPS"),
    (20, "PowerPC"),
    (40, "ARM"),
    (42, "SH-4"),
    (62, "x86-64"),
    (183, "AArch64"),
    (243, "RISC-V"),
];

/// Returns the machine of an ELF file, and its byte order if it is big-endian.
pub fn machine(bytes: &[u8]) -> String {
    let byte = |at: usize| bytes.get(at).copied().unwrap_or_default();
    let (half, big) = ([byte(18), byte(19)], byte(5) == 2);
    let number = if big {
        u16::from_be_bytes(half)
    } else {
        u16::from_le_bytes(half)
    };
    let name = MACHINES.iter().find(|(known, _)| *known == number);
    let name = name.map_or_else(|| format!("machine {number}"), |(_, name)| (*name).to_owned());
    format!("{name}{}", if big { ", big-endian" } else { "" })
}

/// Returns the kind of a binary Ninja file from its chunks. A file that contains a model is a model.
fn by_chunks(bytes: &[u8]) -> Option<Input> {
    let chunks = ninja::directory(bytes).ok()?;
    let order = [
        (Input::Model, &[b"NJCM", b"N2CM"][..]),
        (Input::Cells, &[b"NJSP", b"NJCS"]),
        (Input::Motion, &[b"NMDM", b"NCAM", b"NLIM", b"NCSM"]),
        (Input::Shape, &[b"NJSL", b"CPSM", b"NSSM"]),
        (Input::Model, &[b"NJBM", b"NJTL", b"NJLI", b"NJCA"]),
    ];
    let has = |ids: &[&[u8; 4]]| chunks.iter().any(|chunk| ids.contains(&&chunk.id.0));
    order.iter().find(|(_, ids)| has(ids)).map(|(input, _)| *input)
}

/// Returns whether a binary file holds a motion.
fn holds_motion(bytes: &[u8]) -> bool {
    let is_motion = |chunk: &ninja::Chunk| matches!(chunk, ninja::Chunk::Motion(_));
    ninja::read(bytes).is_ok_and(|file| file.chunks.iter().any(is_motion))
}

/// Returns the kind of a text without a known extension. A Ninja text contains START.
fn by_text(bytes: &[u8]) -> Option<Input> {
    let has = |word: &[u8]| bytes.windows(word.len()).any(|found| found == word);
    let begins = |words: &[&[u8]]| {
        let mut lines = bytes.split(|byte| *byte == b'\n');
        lines.any(|line| words.iter().any(|word| line.starts_with(word)))
    };
    match bytes.trim_ascii_start().first() {
        Some(b'{') if has(b"\"asset\"") => Some(Input::Gltf),
        _ if !ninja::ascii::is_text(bytes) => None,
        _ if is_capture(bytes) => Some(Input::Capture),
        _ if has(b"START") => Some(Input::Model),
        _ if begins(&[b"background ", b"setting ", b"size ", b"texture "]) => Some(Input::PvrScene),
        _ if begins(&[b"v "]) && begins(&[b"f "]) => Some(Input::Obj),
        _ => None,
    }
}

/// Returns whether a file is a report of the truth program, as text or as a VMU file (docs/hardware/truth.md,
/// "Report" and "The file on a VMU").
fn is_capture(bytes: &[u8]) -> bool {
    const VMU: usize = 128 << 10;
    if bytes.len() == VMU && bytes[VMU - 512..].starts_with(&[0x55; 16]) {
        return true;
    }
    let is_report = |line: &[u8]| line.starts_with(b"truth ") || line.starts_with(b"obs ");
    ninja::ascii::is_text(bytes) && bytes.split(|byte| *byte == b'\n').any(is_report)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_follow_from_names_and_bytes() {
        let of = |name: &str, bytes: &[u8]| Input::of(Path::new(name), bytes);
        assert_eq!(of("-", b"GBIX\x08\0\0\0"), Input::Texture);
        assert_eq!(of("-", b"NJCM\x04\0\0\0\0\0\0\0"), Input::Model);
        assert_eq!(of("-", b"OBJECT a[]\nSTART\nEND\n"), Input::Model);
        assert_eq!(of("-", b"size 32 32\n"), Input::PvrScene);
        assert_eq!(of("-", b"# cube\nv 0 0 0\nv 1 0 0\nf 1 2 2\n"), Input::Obj);
        assert_eq!(of("-", b"{ \"asset\": {} }"), Input::Gltf);
        assert_eq!(
            (of("-", b"\xFF\0"), of("-", b"some words")),
            (Input::Other, Input::Other)
        );
        assert_eq!(of("a.txt", b"size 32 32\n"), Input::PvrScene);
        assert_eq!(of("a.txt", b"boot\ntruth 1 0\nobs x 0\n"), Input::Capture);
        // The chunks override the extension of Ninja files only.
        assert_eq!(of("a.njm", b"NJSP\x04\0\0\0\0\0\0\0"), Input::Cells);
        assert_eq!(of("a.nam", b"text"), Input::Motion);
        // Chunks that no Ninja file has.
        assert_eq!(of("a.dat", b"ABCD\x04\0\0\0\0\0\0\0"), Input::Other);
        let describe = |name: &str, bytes: &[u8]| {
            let path = Path::new(name);
            Input::of(path, bytes).describe(path, bytes)
        };
        assert_eq!(describe("a.gvr", b"GBIX"), "a GameCube texture (.gvr)");
        assert_eq!(of("-", b"SA2MDL\0\x03"), Input::Model);
        assert_eq!(
            describe("a.xvm", b"XVMH\x04\0\0\0\0\0\0\0"),
            "an archive of Xbox textures (.xvm)"
        );
        assert_eq!(of("A.PNG", b"NJSP\x04\0\0\0\0\0\0\0"), Input::Picture);
    }

    #[test]
    fn extensions_name_one_kind_each() {
        let mut all: Vec<&str> = KINDS.iter().flat_map(|kind| kind.extensions).copied().collect();
        all.sort_unstable();
        let count = all.len();
        all.dedup();
        assert_eq!(all.len(), count);
    }
}
