//! Video mode at the start of a program, as the boot ROM or a loader sets it: 640 x 480 pixels in the cable's
//! mode.
//!
//! dcload-ip 2 sets the beam as the boot ROM does, and its source names the addresses of both framebuffers.
//! The program of IP.BIN copies 640 x 480 words of 32 bits to A5200000. Programs of the repository
//! buhman/dreamcast render to 00200000 with the boot ROM's formats and strides.

use crate::config::Config;
use crate::firmware::flash::Region;
use crate::onchip::bsc::Cable;
use crate::settings::BootState;
use pvr::{Pvr, reg};

const WIDTH: u32 = 640;
const HEIGHT: u32 = 480;
/// VO_CONTROL: video output not blanked, 13.5 MHz pixels doubled; bits 22:16 as the boot ROM writes them.
const VO_CONTROL: u32 = 0x0016_0000;
/// FB_R_CTRL: the framebuffer is shown; the pixel clock is 27 MHz.
const SHOWN: u32 = 1;
const FAST_CLOCK: u32 = 1 << 23;

/// Registers of a video mode.
struct Mode {
    interlaced: bool,
    /// Offsets from 005F8000, and values.
    beam: [(u32, u32); 9],
}

const VGA: Mode = Mode {
    interlaced: false,
    beam: [
        (reg::VO_STARTX, 0xA8),
        (reg::VO_STARTY, 0x0028_0028),
        (reg::SPG_HBLANK_INT, 0x0345_0000),
        (reg::SPG_VBLANK_INT, 0x0015_0208),
        (reg::SPG_CONTROL, 0x100),
        (reg::SPG_HBLANK, 0x007E_0345),
        (reg::SPG_LOAD, 0x020C_0359),
        (reg::SPG_VBLANK, 0x0028_0208),
        (reg::SPG_WIDTH, 0x03F1_933F),
    ],
};
const NTSC: Mode = Mode {
    interlaced: true,
    beam: [
        (reg::VO_STARTX, 0xA4),
        (reg::VO_STARTY, 0x0012_0012),
        (reg::SPG_HBLANK_INT, 0x0345_0000),
        (reg::SPG_VBLANK_INT, 0x0015_0104),
        (reg::SPG_CONTROL, 0x150),
        (reg::SPG_HBLANK, 0x007E_0345),
        (reg::SPG_LOAD, 0x020C_0359),
        (reg::SPG_VBLANK, 0x0024_0204),
        (reg::SPG_WIDTH, 0x07D6_C63F),
    ],
};
const PAL: Mode = Mode {
    interlaced: true,
    beam: [
        (reg::VO_STARTX, 0xAE),
        (reg::VO_STARTY, 0x002E_002D),
        (reg::SPG_HBLANK_INT, 0x034B_0000),
        (reg::SPG_VBLANK_INT, 0x0015_0136),
        (reg::SPG_CONTROL, 0x190),
        (reg::SPG_HBLANK, 0x008D_034B),
        (reg::SPG_LOAD, 0x0270_035F),
        (reg::SPG_VBLANK, 0x002C_026C),
        (reg::SPG_WIDTH, 0x07D6_A53F),
    ],
};

fn mode(cable: Cable, region: Region) -> &'static Mode {
    match (cable, region) {
        (Cable::Vga, _) => &VGA,
        (_, Region::Europe) => &PAL,
        (_, Region::Japan | Region::America) => &NTSC,
    }
}

/// Returns the framebuffer's address, the depth for FB_R_CTRL, and the bytes per pixel.
fn framebuffer(state: BootState) -> (u32, u32, u32) {
    match state {
        BootState::BootRom => (0x0020_0000, 3, 4),
        BootState::Dcload => (0, 0, 2),
    }
}

/// Sets the registers of video output and framebuffer.
pub(crate) fn install(pvr: &mut Pvr, config: &Config) {
    let mode = mode(config.cable, config.region);
    let (address, depth, bytes) = framebuffer(config.settings.boot_state);
    let line = WIDTH * bytes;
    // FB_R_SIZE counts the words per line, the lines per field, and the words from the end of a line to the
    // next line.
    let (lines, skip, second, clock) = match mode.interlaced {
        true => (HEIGHT / 2, line / 4 + 1, address + line, 0),
        false => (HEIGHT, 1, address, FAST_CLOCK),
    };
    let screen = [
        (reg::FB_R_CTRL, clock | depth << 2 | SHOWN),
        (reg::FB_R_SOF1, address),
        (reg::FB_R_SOF2, second),
        (reg::FB_R_SIZE, skip << 20 | (lines - 1) << 10 | (line / 4 - 1)),
        // No loader changes the core's output format, so it is the boot ROM's 0888.
        (reg::FB_W_CTRL, 5),
        (reg::FB_W_LINESTRIDE, line / 8),
        (reg::FB_W_SOF1, 0x0020_0000),
        (reg::FB_W_SOF2, 0x0020_0000),
        (reg::FB_X_CLIP, (WIDTH - 1) << 16),
        (reg::FB_Y_CLIP, (HEIGHT - 1) << 16),
        (reg::VO_CONTROL, VO_CONTROL),
    ];
    for (offset, value) in screen.into_iter().chain(mode.beam) {
        pvr.write_register(offset, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Dreamcast;
    use crate::settings::Settings;

    fn screen(cable: Cable, region: Region, boot_state: BootState) -> Dreamcast {
        Dreamcast::new(Config {
            cable,
            region,
            settings: Settings {
                boot_state,
                ..Settings::default()
            },
            ..Config::default()
        })
    }

    /// Pixels that a program stores without setting a mode must be visible.
    #[test]
    fn a_program_finds_a_screen() {
        for (cable, region) in [
            (Cable::Vga, Region::America),
            (Cable::Composite, Region::Japan),
            (Cable::Rgb, Region::Europe),
        ] {
            let mut console = screen(cable, region, BootState::BootRom);
            // The last pixel of line 1, red, and the first one of line 2.
            let at = 0xA520_0000 + (640 + 639) * 4;
            for (n, byte) in [0, 0, 0xFF, 0, 0xFF, 0, 0, 0].into_iter().enumerate() {
                assert!(console.poke(at + n as u32, byte));
            }
            let picture = console.picture();
            assert_eq!((picture.width, picture.height), (640, 480), "{cable:?}");
            let pixel = |x: usize, y: usize| &picture.rgba[(y * 640 + x) * 4..][..3];
            assert_eq!((pixel(639, 1), pixel(0, 2)), (&[255, 0, 0][..], &[0, 0, 255][..]));
        }
    }

    #[test]
    fn dcload_has_its_own_screen() {
        let mut console = screen(Cable::Vga, Region::America, BootState::Dcload);
        console.poke(0xA500_0001, 0x7C);
        assert_eq!(console.picture().rgba[..3], [0xF8, 0, 0]);
    }

    /// Cable and region must select the mode: 525 or 625 lines, interlaced for televisions.
    #[test]
    fn the_mode_follows_cable_and_region() {
        for (cable, region, load, control) in [
            (Cable::Vga, Region::Europe, 0x020C_0359, 0x100),
            (Cable::Rgb, Region::America, 0x020C_0359, 0x150),
            (Cable::Composite, Region::Europe, 0x0270_035F, 0x190),
        ] {
            let console = screen(cable, region, BootState::BootRom);
            let get = |offset| console.system().pvr.read_register(offset);
            assert_eq!((get(reg::SPG_LOAD), get(reg::SPG_CONTROL)), (load, control));
            assert_eq!(
                get(reg::FB_R_SIZE) & 0xF_FFFF,
                if control == 0x100 {
                    479 << 10 | 639
                } else {
                    239 << 10 | 639
                }
            );
        }
    }
}
