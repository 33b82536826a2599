//! Rules for renders: starting one during another, and overwriting memory that the core reads or the display
//! shows.

use super::Rule;
use crate::scheduler::Event;
use crate::system::System;
use pvr::{Area, PixelFormat, TextureWord, TspWord, reg};
use sh4::BusError;
use std::collections::BTreeSet;
use std::ops::Range;

/// Maximum number of tiles examined for a render.
const MAX_TILES: usize = 4096;
/// Maximum number of object words examined for a render.
const MAX_OBJECTS: usize = 200_000;
/// FPU_PARAM_CFG bit 21: region entries have six words.
const SIX_WORDS: u32 = 1 << 21;

/// Memory that the core reads during a render.
#[derive(Clone, Debug, Default)]
pub(super) struct Rendering {
    /// Region array, in the 32-bit path.
    regions: Range<u32>,
    /// Textures, in the 64-bit path: first address and size.
    textures: BTreeSet<(u32, u32)>,
}

state::fields!(Rendering { regions, textures });

impl System {
    /// Checks STARTRENDER before the core begins.
    pub(crate) fn check_render(&mut self) {
        if self.checks.is_none() {
            return;
        }
        if self.scheduler.due(Event::TspDone).is_some() {
            self.broken(Rule::RenderBusy, &[], || {
                "the end-of-render event has not occurred yet".to_owned()
            });
        }
        self.check_shown();
        if self.is_checked(Rule::RenderOverwrite) {
            let rendering = self.read_by_core();
            if let Some(checks) = &mut self.checks {
                checks.rendering = Some(rendering);
            }
        }
    }

    /// Handles the end of the render.
    pub(crate) fn render_ended(&mut self) {
        if let Some(checks) = &mut self.checks {
            checks.rendering = None;
        }
    }

    /// Checks whether the core draws into the displayed frame buffer. During vertical blanking, the relevant
    /// address is FB_R_SOF1: the display latches it at the end of blanking.
    fn check_shown(&mut self) {
        let get = |register| self.pvr.read_register(register);
        let blank = self.spg.status(self.now) >> 13 & 1 != 0;
        let shown = if blank { get(reg::FB_R_SOF1) } else { self.shown };
        let target = get(reg::FB_W_SOF1);
        let enabled = get(reg::FB_R_CTRL) & 1 != 0;
        let texture = target >> 24 & 1 != 0;
        if enabled && !texture && target & 0x007F_FFFC == shown & 0x007F_FFFC {
            self.broken(Rule::FramebufferShown, &[target], || {
                format!("FB_W_SOF1 is {target:08x}, which the display shows")
            });
        }
    }

    fn vram32(&self, address: u32) -> u32 {
        self.pvr.vram().read32(Area::Bits32, address & 0x7F_FFFF)
    }

    /// Returns the region array and the textures of a render.
    fn read_by_core(&self) -> Rendering {
        let words = match self.pvr.read_register(reg::FPU_PARAM_CFG) & SIX_WORDS {
            0 => 5,
            _ => 6,
        };
        let base = self.pvr.read_register(reg::REGION_BASE) & 0x007F_FFFC;
        let (mut at, mut lists) = (base, BTreeSet::new());
        for _ in 0..MAX_TILES {
            lists.extend(
                (1..words)
                    .map(|n| self.vram32(at + 4 * n))
                    .filter(|list| list >> 31 == 0),
            );
            let last = self.vram32(at) >> 31 != 0;
            at += 4 * words;
            if last {
                break;
            }
        }
        Rendering {
            regions: base..at,
            textures: self.textures(&lists),
        }
    }

    /// Returns the textures of all objects in the lists.
    fn textures(&self, lists: &BTreeSet<u32>) -> BTreeSet<(u32, u32)> {
        let base = self.pvr.read_register(reg::PARAM_BASE) & 0x00F0_0000;
        let (mut seen, mut textures) = (BTreeSet::new(), BTreeSet::new());
        let mut left = MAX_OBJECTS;
        for list in lists {
            let mut at = list & 0x007F_FFFC;
            while left > 0 {
                left -= 1;
                let word = self.vram32(at);
                match word >> 28 {
                    0xF => break,
                    0xE => at = word & 0x007F_FFFC,
                    _ => {
                        let object = base + 4 * (word & 0x1F_FFFF);
                        if seen.insert(object) {
                            textures.extend(self.texture(object));
                        }
                        at += 4;
                    }
                }
            }
        }
        textures
    }

    /// Returns address and size of an object's texture. The size excludes mip levels and codebooks. The check
    /// can therefore miss an overlap, but never reports a false one.
    fn texture(&self, object: u32) -> Option<(u32, u32)> {
        let [isp, tsp, tcw] = [0, 4, 8].map(|n| self.vram32(object + n));
        let textured = isp >> 25 & 1 != 0;
        let (tsp, tcw) = (TspWord(tsp), TextureWord(tcw));
        let texels = tsp.width() * tsp.height();
        let bytes = match tcw.format() {
            _ if tcw.vq() => texels / 4,
            PixelFormat::Pal4 => texels / 2,
            PixelFormat::Pal8 => texels,
            _ => texels * 2,
        };
        textured.then(|| (tcw.address(), bytes))
    }

    /// Checks a write to video memory through the 64-bit or the 32-bit path.
    pub(crate) fn check_vram_write(
        &mut self,
        path64: bool,
        address: u32,
        bytes: usize,
    ) -> Result<(), BusError> {
        let Some(rendering) = self.checks.as_ref().and_then(|checks| checks.rendering.as_ref()) else {
            return Ok(());
        };
        let (begin, end) = (address & 0x7F_FFFF, (address & 0x7F_FFFF) + bytes as u32);
        let meets = |first: u32, last: u32| begin < last && first < end;
        let what = match path64 {
            false if meets(rendering.regions.start, rendering.regions.end) => "the region array",
            // Textures have at most 2 MiB, and begin at most 4 MiB of addresses before the last byte.
            true if rendering
                .textures
                .range(..(end, 0))
                .any(|(at, size)| meets(*at, at + size)) =>
            {
                "a texture"
            }
            _ => return Ok(()),
        };
        self.exactly()?;
        self.broken(Rule::RenderOverwrite, &[address], || {
            format!("writes {bytes} bytes at {address:06x} into {what} while the core renders")
        });
        Ok(())
    }
}
