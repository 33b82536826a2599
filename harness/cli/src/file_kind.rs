//! Kinds of files by their first bytes, for messages and for standard input, which has no extension.

use crate::assets;
use crate::convert::textures;
use anyhow::{Result, bail};
use std::path::Path;

/// First bytes, extension, and what such a file is.
const KINDS: [(&[u8], &str, &str); 21] = [
    (b"\x7fELF", "elf", "an ELF file"),
    (b"\x89PNG", "png", "a PNG picture"),
    (b"\xFF\xD8\xFF", "jpg", "a JPEG picture"),
    (b"GIF8", "gif", "a GIF picture"),
    (b"DDS ", "dds", "a DDS texture"),
    (b"8BPS", "psd", "a Photoshop picture"),
    (b"qoif", "qoi", "a QOI picture"),
    (b"Kaydara FBX Binary", "fbx", "an FBX scene"),
    (b"glTF", "glb", "a glTF scene (.glb)"),
    (b"GBIX", "pvr", "a PowerVR texture (.pvr)"),
    (b"PVRT", "pvr", "a PowerVR texture (.pvr)"),
    (b"PVMH", "pvm", "an archive of PowerVR textures (.pvm)"),
    (b"PVPL", "pvp", "a palette (.pvp)"),
    (b"PK\x03\x04", "zip", "a ZIP archive"),
    (b"\x1F\x8B", "gz", "a gzip file"),
    (b"%PDF", "pdf", "a PDF document"),
    (b"RIFF", "wav", "a RIFF file, such as a WAV sound"),
    (b"OggS", "ogg", "an Ogg file"),
    (b"BM", "bmp", "a BMP picture"),
    (b"MZ", "exe", "a program for Windows"),
    (b"!<arch>", "a", "a library of object files (.a)"),
];

/// What `e_machine` means (ELF specification, registry of machines).
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

fn kind(bytes: &[u8]) -> Option<&'static (&'static [u8], &'static str, &'static str)> {
    KINDS.iter().find(|(magic, _, _)| bytes.starts_with(magic))
}

/// What a file is, if its first bytes tell.
pub(crate) fn describe(bytes: &[u8]) -> Option<String> {
    let (_, extension, what) = kind(bytes)?;
    Some(match *extension {
        "elf" => format!("an ELF file for {}", machine(bytes)),
        _ => (*what).to_owned(),
    })
}

/// The extension that fits bytes: that of a Ninja file unless they tell another.
pub(crate) fn extension(bytes: &[u8]) -> &'static str {
    match kind(bytes) {
        Some((_, extension, _)) => extension,
        None if !ninja::ascii::is_text(bytes) => "nj",
        None if is_chip_scene(bytes) => "txt",
        None => "nja",
    }
}

/// Whether a text is a scene for the PowerVR2: Ninja texts have START and END.
fn is_chip_scene(bytes: &[u8]) -> bool {
    !bytes.windows(5).any(|word| word == b"START")
}

/// The machine of an ELF file and, unless they are those of the SH-4, its word size and byte order.
fn machine(bytes: &[u8]) -> String {
    let byte = |at: usize| bytes.get(at).copied().unwrap_or_default();
    let big = byte(5) == 2;
    let half = [byte(18), byte(19)];
    let number = if big {
        u16::from_be_bytes(half)
    } else {
        u16::from_le_bytes(half)
    };
    let name = MACHINES.iter().find(|(known, _)| *known == number);
    let name = name.map_or_else(|| format!("machine {number}"), |(_, name)| (*name).to_owned());
    format!("{name}{}", if big { ", big-endian" } else { "" })
}

/// Refuses bytes that are of another kind than Ninja files.
///
/// # Errors
/// With the kind that was found and those that fit.
pub(crate) fn expect_ninja(path: &Path, bytes: &[u8]) -> Result<()> {
    let by_name = match () {
        () if assets::scene_format(path).is_some() => Some(("glb", "a scene of another program")),
        () if textures::is_picture(path) => Some(("png", "a picture of another program")),
        () => None,
    };
    let by_bytes = kind(bytes)
        .map(|(_, extension, _)| *extension)
        .zip(describe(bytes));
    if let Some((extension, found)) = by_bytes.or(by_name.map(|(e, what)| (e, what.to_owned()))) {
        let way_out = match extension {
            "elf" => "; swirl run and swirl disasm take programs",
            "pvr" | "pvm" | "pvp" => "; swirl info and swirl convert take textures by extension",
            "png" | "bmp" | "jpg" | "dds" => {
                "; swirl convert makes textures of pictures, swirl render draws them"
            }
            "fbx" | "glb" => "; swirl convert makes Ninja files of scenes, swirl render draws them",
            _ => "",
        };
        bail!(
            "{}: found {found}, expected a Ninja file (.nj, .njm, .njs, .spj, .nja …){way_out}",
            path.display()
        );
    }
    Ok(())
}

/// Refuses everything but 32-bit little-endian ELF files for the SH-4 or ARM.
///
/// # Errors
/// With the kind that was found and those that fit.
pub(crate) fn expect_program(path: &Path, bytes: &[u8]) -> Result<()> {
    let name = path.display();
    if !bytes.starts_with(b"\x7fELF") {
        let found = describe(bytes).unwrap_or_else(|| "no ELF file".to_owned());
        bail!("{name}: found {found}, expected an ELF file for SH-4 or ARM");
    }
    let machine = machine(bytes);
    // EI_CLASS 1: 32 bits.
    if !["SH-4", "ARM"].contains(&machine.as_str()) || bytes.get(4) != Some(&1) {
        bail!("{name}: found an ELF file for {machine}, expected SH-4 or ARM");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_have_extensions() {
        let of = |bytes: &[u8]| extension(bytes);
        assert_eq!(of(b"GBIX\x08\0\0\0"), "pvr");
        assert_eq!(of(b"NJCM\0\0\0\0"), "nj");
        assert_eq!(of(b"OBJECT a[]\nSTART\nEND\n"), "nja");
        assert_eq!(of(b"size 32 32\n"), "txt");
    }
}
