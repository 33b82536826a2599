//! Reads the report's file from the memory of a VMU (docs/hardware/truth.md, "The file on a VMU").

use anyhow::{Result, anyhow, bail};
use dreamcast::peripherals::VMU_BYTES;

const BLOCK: usize = 512;
const ROOT: usize = 255;
/// Name of the file, as in `roms/src/truth/vmu.c`.
const NAME: &[u8; 12] = b"SWIRL_TRUTH\0";

/// Returns whether a file is the whole memory of a formatted VMU.
pub(super) fn is_image(bytes: &[u8]) -> bool {
    bytes.len() == VMU_BYTES && bytes[ROOT * BLOCK..].starts_with(&[0x55; 16])
}

/// Returns the report's file with its header, from the memory of a VMU.
///
/// # Errors
/// If the file does not exist, or its chain of blocks is damaged.
pub(super) fn read_file(image: &[u8]) -> Result<Vec<u8>> {
    let root = block(image, ROOT)?;
    let fat = block(image, half(root, 0x46))?;
    let mut at = half(root, 0x4A);
    for _ in 0..half(root, 0x4C).min(ROOT) {
        let mut entries = block(image, at)?.chunks_exact(32);
        if let Some(entry) = entries.find(|entry| entry[0] != 0 && entry[4..16] == *NAME) {
            return follow(image, fat, half(entry, 2), half(entry, 24));
        }
        at = half(fat, 2 * at);
    }
    Err(anyhow!("found no file SWIRL_TRUTH on the VMU"))
}

/// Reads `count` blocks of the chain that begins at `first`.
fn follow(image: &[u8], fat: &[u8], first: usize, count: usize) -> Result<Vec<u8>> {
    let (mut bytes, mut at) = (Vec::new(), first);
    for n in 0..count.min(ROOT + 1) {
        bytes.extend(block(image, at).map_err(|error| error.context(format!("block {n} of SWIRL_TRUTH")))?);
        at = half(fat, 2 * at);
    }
    if at != 0xFFFA {
        bail!("SWIRL_TRUTH: found FAT entry {at:04x} after block {count}, expected fffa");
    }
    Ok(bytes)
}

fn block(image: &[u8], number: usize) -> Result<&[u8]> {
    let bytes = image.chunks_exact(BLOCK).nth(number);
    bytes.ok_or_else(|| anyhow!("found block {number:04x}, expected 0000 to 00ff"))
}

/// Returns the 16-bit value at an index of a block, such as a block's entry in the FAT.
fn half(bytes: &[u8], at: usize) -> usize {
    let pair = bytes.get(at..at + 2).unwrap_or_default();
    pair.iter()
        .rev()
        .fold(0, |value, byte| value << 8 | usize::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;
    use dreamcast::peripherals::Vmu;

    /// A memory with a file in the blocks 199, 5 and 7.
    fn image() -> Vec<u8> {
        let mut image = Vmu::formatted().bytes().to_vec();
        for (at, next) in [(199, 5_u16), (5, 7), (7, 0xFFFA)] {
            image[254 * BLOCK + 2 * at..][..2].copy_from_slice(&next.to_le_bytes());
            image[at * BLOCK..][..BLOCK].fill(at as u8);
        }
        // The last entry in the second block of the directory.
        let entry = &mut image[253 * BLOCK - 32..][..32];
        entry[..4].copy_from_slice(&[0x33, 0, 199, 0]);
        entry[4..16].copy_from_slice(NAME);
        entry[24] = 3;
        image
    }

    #[test]
    fn blocks_are_followed_by_the_fat() {
        let image = image();
        assert!(is_image(&image) && !is_image(&image[1..]));
        let file = read_file(&image).unwrap();
        let blocks: Vec<u8> = file.chunks(BLOCK).map(|block| block[100]).collect();
        assert_eq!(blocks, [199, 5, 7]);
    }

    #[test]
    fn damaged_memories_are_refused() {
        let error = |at: usize, value: u16| {
            let mut image = image();
            image[at..][..2].copy_from_slice(&value.to_le_bytes());
            read_file(&image).unwrap_err().to_string()
        };
        let fat = |block: usize| 254 * BLOCK + 2 * block;
        assert_eq!(error(253 * BLOCK - 32, 0), "found no file SWIRL_TRUTH on the VMU");
        assert_eq!(error(fat(5), 300), "block 2 of SWIRL_TRUTH");
        assert_eq!(
            error(fat(7), 199),
            "SWIRL_TRUTH: found FAT entry 00c7 after block 3, expected fffa"
        );
        assert_eq!(
            error(253 * BLOCK - 32 + 24, 2),
            "SWIRL_TRUTH: found FAT entry 0007 after block 2, expected fffa"
        );
        assert_eq!(
            error(ROOT * BLOCK + 0x46, 256),
            "found block 0100, expected 0000 to 00ff"
        );
        // A directory that forms a cycle must end.
        assert!(error(fat(253), 253).contains("found no file"));
    }

    #[test]
    fn no_damage_panics() {
        let image = image();
        for at in [
            ROOT * BLOCK + 0x46,
            ROOT * BLOCK + 0x4A,
            ROOT * BLOCK + 0x4C,
            254 * BLOCK + 506,
            253 * BLOCK - 30,
        ] {
            for value in (0..=u16::MAX).step_by(7) {
                let mut image = image.clone();
                image[at..][..2].copy_from_slice(&value.to_le_bytes());
                let _ = read_file(&image);
            }
        }
    }
}
