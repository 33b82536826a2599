//! Timing of the PowerVR2: events of lists, renders and blanking, and values that the display latches.

use crate::config::Config;
use crate::firmware::screen;
use crate::holly::events::normal;
use crate::holly::spg::{Position, Timing};
use crate::scheduler::Event;
use crate::system::System;
use crate::time::Cycles;
use pvr::{Effect, Events, Pvr, RenderStats, reg};

/// Register values set by the firmware's boot block, except the screen's.
const RESET: &[(u32, u32)] = &[
    (reg::HALF_OFFSET, 0x0000_0007),
    (reg::FPU_PARAM_CFG, 0x0027_DF77),
    (reg::ISP_FEED_CFG, 0x0040_2000),
    (reg::SDRAM_REFRESH, 0x0000_0020),
    (reg::SDRAM_CFG, 0x15D1_C951),
    (reg::SCALER_CTL, 0x0000_0400),
    (reg::FB_BURSTCTRL, 0x0009_3F39),
    (reg::Y_COEFF, 0x0000_8040),
    (reg::PT_ALPHA_REF, 0x0000_00FF),
];
const SPG_STATUS: u32 = 0x10C;
const FB_C_SOF: u32 = 0x114;
/// PVR clocks are 100 MHz: two cycles of the SH4.
const CYCLES_PER_CLOCK: u64 = 2;

pub(crate) fn reset_registers(pvr: &mut Pvr, config: &Config) {
    for (offset, value) in RESET {
        pvr.write_register(*offset, *value);
    }
    screen::install(pvr, config);
}

/// Returns the registers that determine the beam's timing.
pub(crate) fn timing(pvr: &Pvr) -> Timing {
    let get = |offset| pvr.read_register(offset);
    Timing {
        fb_r_ctrl: get(0x044),
        hblank_int: get(0x0C8),
        vblank_int: get(0x0CC),
        control: get(0x0D0),
        hblank: get(0x0D4),
        load: get(0x0D8),
        vblank: get(0x0DC),
    }
}

/// Returns the PVR clocks of a render: the slower of ISP and TSP over the whole frame; confidence low.
///
/// ISP: 40 clocks per tile, and 32 for each triangle in it that is not culled: the chip tests a row of 32
/// pixels per clock. KallistiOS's example `bruces_balls` bounds the sum: a console draws its 74,400 triangles
/// 60 times a second, and half of them are culled. TSP: one clock per pixel, at least 1,024 per tile;
/// `translucent_tenths` for translucent pixels.
fn render_clocks(stats: &RenderStats, translucent_tenths: u64) -> u64 {
    let tiles = stats.tiles as u64;
    let drawn = stats.tile_triangles().saturating_sub(stats.culled);
    let isp = tiles * 40 + drawn * 32;
    let [
        opaque,
        opaque_modifier,
        translucent,
        translucent_modifier,
        punch_through,
    ] = stats.shaded;
    let plain = opaque + opaque_modifier + translucent_modifier + punch_through;
    let tsp = plain.max(tiles * 1024) + translucent * translucent_tenths / 10;
    isp.max(tsp).max(1024) + 100
}

impl System {
    /// Reads a register that is independent of the beam.
    pub(crate) fn read_steady_pvr(&self, offset: u32) -> Option<u32> {
        match offset {
            SPG_STATUS => None,
            FB_C_SOF => Some(self.shown),
            _ => Some(self.pvr.read_register(offset)),
        }
    }

    pub(crate) fn read_pvr(&mut self, offset: u32) -> u32 {
        match offset {
            SPG_STATUS => self.spg.status(self.now),
            FB_C_SOF => self.shown,
            _ => self.pvr.read_register(offset),
        }
    }

    pub(crate) fn write_pvr(&mut self, offset: u32, value: u32) {
        match offset {
            0x008 if value & 1 != 0 => self.begin_lists(true),
            0x144 | 0x160 if value >> 31 != 0 => self.begin_lists(false),
            _ => {}
        }
        match self.pvr.write_register(offset, value) {
            Effect::StartRender => self.start_render(),
            Effect::Video => {
                self.spg.set_timing(timing(&self.pvr), self.now);
                self.plan_beam();
            }
            _ => {}
        }
    }

    /// Handles STARTRENDER: draws at once with the current registers, and schedules the end event after the
    /// render's time.
    fn start_render(&mut self) {
        self.check_render();
        let stats = self.pvr.render(self.threads);
        self.renders += 1;
        let cycles = render_clocks(&stats, self.settings.translucent_tenths) * CYCLES_PER_CLOCK;
        let end = self.now + cycles;
        self.scheduler.set(Event::IspDone, end);
        self.scheduler.set(Event::TspDone, end + 64);
        self.scheduler.set(Event::RenderDone, end + 400);
    }

    /// Passes blocks to the tile accelerator at the current time.
    pub(crate) fn feed_ta(&mut self, blocks: &[[u32; 8]]) {
        self.take_blocks(blocks);
        self.ta_events_at(self.now + self.settings.ta_list_latency);
    }

    /// Passes blocks to the tile accelerator for a DMA that ends at `end`.
    pub(crate) fn feed_ta_until(&mut self, blocks: &[[u32; 8]], end: Cycles) {
        self.take_blocks(blocks);
        self.ta_events_at(end);
    }

    fn take_blocks(&mut self, blocks: &[[u32; 8]]) {
        let before = self.pvr.events();
        self.ta_bytes += size_of_val(blocks) as u64;
        self.follow_blocks(blocks);
        self.pvr.ta_blocks(blocks);
        if self.checks.is_some() {
            self.check_overflow(before);
        }
    }

    /// Schedules the events raised by the tile accelerator at `time`.
    pub(crate) fn ta_events_at(&mut self, time: Cycles) {
        if self.pvr.events() != Events::default() {
            self.scheduler.set(Event::ListDone, time);
        }
    }

    /// Passes blocks to the YUV converter now: 384 bytes take 12 x 9 bus cycles (flycast).
    pub(crate) fn feed_yuv(&mut self, blocks: &[[u32; 8]]) {
        self.feed_yuv_until(blocks, self.now + 18 * blocks.len() as u64);
    }

    pub(crate) fn feed_yuv_until(&mut self, blocks: &[[u32; 8]], end: Cycles) {
        for block in blocks {
            let bytes: Vec<u8> = block.iter().flat_map(|word| word.to_le_bytes()).collect();
            self.pvr.write_yuv(&bytes);
        }
        if self.pvr.events() != Events::default() {
            self.scheduler.set(Event::YuvDone, end);
        }
    }

    pub(crate) fn pvr_event(&mut self, event: Event) {
        match event {
            Event::IspDone => self.events.raise(normal::ISP),
            Event::TspDone => {
                self.render_ended();
                self.events.raise(normal::TSP);
            }
            Event::RenderDone => self.events.raise(normal::RENDER),
            _ => {
                let [normal_events, _, errors] = self.pvr.take_events().words();
                (0..22)
                    .filter(|bit| normal_events >> bit & 1 != 0)
                    .for_each(|bit| self.events.raise(bit));
                (0..32)
                    .filter(|bit| errors >> bit & 1 != 0)
                    .for_each(|bit| self.events.raise_error(bit));
            }
        }
    }

    /// Schedules the beam's next positions.
    pub(crate) fn plan_beam(&mut self) {
        let positions = [
            (Event::VerticalBlankIn, Position::In),
            (Event::VerticalBlankOut, Position::Out),
            (Event::HorizontalBlank, Position::Horizontal),
            (Event::Latch, Position::BlankEnd),
            (Event::Field, Position::Wrap),
        ];
        let triggers = self.holly.get(0x005F_6C10) != 0;
        let before_out = triggers.then(|| self.spg.next(Position::BeforeOut, self.now));
        match before_out.flatten() {
            Some(time) => self.scheduler.set(Event::MapleTrigger, time),
            None => self.scheduler.cancel(Event::MapleTrigger),
        }
        for (event, position) in positions {
            match self.spg.next(position, self.now) {
                Some(time) => self.scheduler.set(event, time),
                None => self.scheduler.cancel(event),
            }
        }
    }

    pub(crate) fn beam_event(&mut self, event: Event) {
        match event {
            Event::VerticalBlankIn => {
                self.end_frame();
                self.events.raise(normal::VBLANK_IN);
            }
            Event::VerticalBlankOut => {
                if self.scheduler.due(Event::Maple).is_some() {
                    self.events.raise(normal::MAPLE_OVER_VBLANK);
                }
                self.events.raise(normal::VBLANK_OUT);
            }
            Event::HorizontalBlank => {
                self.events.raise(normal::HBLANK);
                if let Some(time) = self.spg.next(Position::Horizontal, self.now) {
                    self.scheduler.set(Event::HorizontalBlank, time);
                }
            }
            Event::Latch => {
                let field = u32::from(self.spg.field());
                let shown = self.pvr.read_register(reg::FB_R_SOF1 + 4 * field);
                self.shown = shown;
            }
            _ => {
                if !self.spg.has_blank() {
                    self.end_frame();
                }
                self.spg.wrap();
                self.plan_beam();
            }
        }
    }

    /// Counts a frame: a field's vertical-blank-in, or its end if no line has that event.
    fn end_frame(&mut self) {
        self.frame += 1;
        self.check_waiting_events();
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failing helper fails its test")]

    use super::*;
    use sh4::Bus;

    /// 300 tiles of 1,024 pixels: 307,200 clocks, 3.07 ms at 100 MHz.
    #[test]
    fn an_empty_screen_takes_one_clock_a_pixel() {
        let mut stats = RenderStats {
            tiles: 300,
            ..RenderStats::default()
        };
        stats.shaded[0] = 307_200;
        assert_eq!(render_clocks(&stats, 24), 307_300);
        stats.shaded[2] = 1_000_000;
        assert_eq!(render_clocks(&stats, 24), 307_300 + 2_400_000);
    }

    /// 262 lines, with vertical-blank-in at line 520: the registers of a program that expects another cable.
    #[test]
    fn frames_count_without_vertical_blank_in() {
        let mut system = System::new(&Config::default());
        system.exact = true;
        for (register, value) in [(0xD8, 0x0106_0359), (0xCC, 0x0015_0208)] {
            system.write32(0xA05F_8000 + register, value).unwrap();
        }
        let (field, before) = (system.spg.field_cycles(), system.frame);
        system.write32(0xA05F_6900, u32::MAX).unwrap();
        system.deliver(system.now + 10 * field);
        assert!((9..=11).contains(&(system.frame - before)));
        assert_eq!(system.read32(0xA05F_6900).unwrap() & 1 << 3, 0);
    }

    /// A console draws 74,400 triangles in a field (KallistiOS, `bruces_balls`). On tiles they count 86,500
    /// times here, half of them culled. A field has 1,668,000 clocks.
    #[test]
    fn culled_triangles_take_no_row_tests() {
        let mut stats = RenderStats {
            tiles: 300,
            culled: 43_250,
            ..RenderStats::default()
        };
        stats.triangles[0] = 86_500;
        assert_eq!(render_clocks(&stats, 24), 300 * 40 + 43_250 * 32 + 100);
        assert!(render_clocks(&stats, 24) < 1_668_000);
    }
}
