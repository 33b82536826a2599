//! The visual memory of `--vmu`.

use super::Args;
use crate::{input, output};
use anyhow::{Context, Result};
use dreamcast::Dreamcast;
use dreamcast::peripherals::{VMU_BYTES, Vmu};
use std::path::Path;

/// Reads the file; without one the memory is formatted.
pub(super) fn read(path: &Path) -> Result<Vmu> {
    if !path.exists() {
        return Ok(Vmu::formatted());
    }
    let bytes = input::read(path)?;
    Vmu::from_bytes(&bytes).with_context(|| {
        format!(
            "--vmu {}: found {} bytes, expected {VMU_BYTES}",
            path.display(),
            bytes.len()
        )
    })
}

/// Writes the VMU back, and its screen.
pub(super) fn write(args: &Args, console: &Dreamcast) -> Result<()> {
    let Some((path, vmu)) = args.vmu.as_ref().zip(console.vmu(0, 1)) else {
        return Ok(());
    };
    if vmu.is_changed() || !path.exists() {
        output::replace(path, vmu.bytes())?;
    }
    if let Some(path) = &args.vmu_screen {
        let points = (0..32).flat_map(|y| (0..48).map(move |x| (x, y)));
        let rgba = points.flat_map(|(x, y)| {
            if vmu.point(x, y) {
                [0x20, 0x28, 0x20, 255]
            } else {
                [0xB8, 0xC8, 0xB0, 255]
            }
        });
        output::write_png(
            path,
            &pvr::Image {
                width: 48,
                height: 32,
                rgba: rgba.collect(),
            },
        )?;
    }
    Ok(())
}
