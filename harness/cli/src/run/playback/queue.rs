//! Samples on their way from the console to the host's audio device.
//!
//! The console produces sound frame by frame by the host's timer, and the device takes it by its own clock.
//! The queue adapts the speed of playback to its length, by at most half a percent (dynamic rate control): it
//! neither runs empty nor grows while the console keeps its speed.

use std::collections::VecDeque;

/// Samples per second of the console.
const CONSOLE_HZ: f64 = 44_100.0;
/// Samples of a frame at 60 frames per second.
const FRAME: usize = 735;
/// Desired length in frames, beyond two requests of the device: 67 ms.
const FRAMES: usize = 4;
/// Maximum change of the speed: 8.6 cents.
const MOST_CHANGE: f64 = 0.005;

/// Queue of stereo samples.
#[derive(Debug)]
pub(crate) struct Queue {
    samples: VecDeque<[i16; 2]>,
    /// Samples per second of the device.
    device_hz: f64,
    /// Position of the next output between the first two samples, 0 to 1.
    part: f64,
    /// Set until the queue has its desired length for the first time, and after it ran empty.
    filling: bool,
    /// Maximum number of samples that the device has requested at once.
    request: usize,
    /// Last output, which fades out while the queue fills.
    last: [f32; 2],
    #[cfg(test)]
    underruns: u64,
}

impl Queue {
    /// Creates an empty queue for a device.
    pub(crate) fn new(device_hz: u32) -> Self {
        Self {
            samples: VecDeque::new(),
            device_hz: f64::from(device_hz),
            part: 0.0,
            filling: true,
            request: 0,
            last: [0.0; 2],
            #[cfg(test)]
            underruns: 0,
        }
    }

    /// Number of times that the queue ran empty.
    #[cfg(test)]
    pub(crate) fn underruns(&self) -> u64 {
        self.underruns
    }

    /// Desired number of samples.
    fn target(&self) -> usize {
        FRAMES * FRAME + 2 * self.request
    }

    /// Adds samples of the console. Beyond four times the desired length, drops the oldest ones: this happens
    /// if the console runs too fast.
    pub(crate) fn push(&mut self, sound: &[[i16; 2]]) {
        self.samples.extend(sound);
        let excess = self.samples.len().saturating_sub(4 * self.target());
        self.samples.drain(..excess);
        self.filling &= self.samples.len() < self.target();
    }

    /// Fills the device's request: stereo samples from -1 to 1.
    pub(crate) fn pull(&mut self, out: &mut [[f32; 2]]) {
        let needed = (out.len() as f64 * CONSOLE_HZ / self.device_hz).ceil() as usize;
        self.request = self.request.max(needed);
        let step = self.step();
        for out in out {
            *out = self.next(step);
        }
    }

    /// Console samples per sample of the device.
    fn step(&self) -> f64 {
        let target = self.target() as f64;
        let excess = (self.samples.len() as f64 - target) / (target / 2.0);
        CONSOLE_HZ / self.device_hz * (1.0 + MOST_CHANGE * excess.clamp(-1.0, 1.0))
    }

    fn next(&mut self, step: f64) -> [f32; 2] {
        if self.filling {
            // Fades within some milliseconds.
            self.last = self.last.map(|side| side * 0.99);
            return self.last;
        }
        while self.part >= 1.0 {
            self.samples.pop_front();
            self.part -= 1.0;
        }
        let (Some(first), Some(second)) = (self.samples.front(), self.samples.get(1)) else {
            self.filling = true;
            #[cfg(test)]
            {
                self.underruns += 1;
            }
            self.part = 0.0;
            return self.last;
        };
        let part = self.part as f32;
        self.last = std::array::from_fn(|side| {
            let (first, second) = (f32::from(first[side]), f32::from(second[side]));
            (first + (second - first) * part) / 32_768.0
        });
        self.part += step;
        self.last
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Simulates a minute: frames that are late by up to 12 ms, and a device with a clock that deviates by
    /// the share `drift`. Returns the number of underruns after the first second, and the maximum lengths of
    /// the queue in the first and the second half.
    fn play(frame_hz: f64, device_hz: u32, drift: f64, request: usize) -> (u64, [usize; 2]) {
        let mut queue = Queue::new(device_hz);
        let (mut frames, mut produced, mut taken, mut seed) = (0_u64, 0.0, 0_u64, 1_u32);
        let (mut longest, mut before) = ([0; 2], 0);
        let mut out = vec![[0.0; 2]; request];
        let late = |seed: &mut u32| {
            *seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f64::from(*seed >> 16) / 65_536.0 * 0.012
        };
        let mut due = 0.0;
        while due < 60.0 {
            let request_at = taken as f64 / (f64::from(device_hz) * (1.0 + drift));
            if due <= request_at {
                // A frame of the console has 1 / 59.94 s of sound, whatever the host's frame rate is.
                produced += CONSOLE_HZ / 59.94;
                let count = produced as usize;
                produced -= count as f64;
                queue.push(&vec![[100, -100]; count]);
                frames += 1;
                due = frames as f64 / frame_hz + late(&mut seed);
            } else {
                queue.pull(&mut out);
                taken += request as u64;
            }
            if due < 1.0 {
                before = queue.underruns();
            }
            let half = &mut longest[usize::from(due >= 30.0)];
            *half = queue.samples.len().max(*half);
        }
        (queue.underruns() - before, longest)
    }

    #[test]
    fn clocks_that_differ_cause_no_underrun() {
        for frame_hz in [59.94, 60.0, 59.8] {
            for (device_hz, request) in [(44_100, 512), (48_000, 480), (48_000, 2048), (96_000, 1024)] {
                for drift in [-0.001, 0.0, 0.001] {
                    let (underruns, longest) = play(frame_hz, device_hz, drift, request);
                    let case = format!("{frame_hz} {device_hz} {request} {drift}: {longest:?} samples");
                    assert_eq!(underruns, 0, "{case}");
                    // The sound is at most a quarter of a second late.
                    assert!(longest[0].max(longest[1]) < 11_025, "{case}");
                }
            }
        }
    }

    /// Pairs of clocks that differ by up to 0.46 %: samples a second of the console and of the device. The
    /// queue has no underrun, and its second half minute is not longer than its first.
    #[test]
    fn pairs_of_clocks_cause_no_underrun_and_no_growth() {
        let mut pairs = 0;
        for console in (43_900..=44_300).step_by(50).map(f64::from) {
            for device in (43_900..=44_300).step_by(50).map(f64::from) {
                let drift = device / CONSOLE_HZ - 1.0;
                if (device / console - 1.0).abs() > 0.0046 {
                    continue;
                }
                let frame_hz = 59.94 * console / CONSOLE_HZ;
                let (underruns, [first, second]) = play(frame_hz, 44_100, drift, 512);
                let case = format!("{console} {device}: {first} and {second} samples");
                assert_eq!(underruns, 0, "{case}");
                // Late frames move the length by up to 12 ms.
                assert!(second < first + 530 && second < 11_025, "{case}");
                pairs += 1;
            }
        }
        println!("{pairs} pairs of clocks");
        assert!(pairs > 40, "{pairs}");
    }

    /// A host that is too slow: the queue runs empty, refills, and plays on without noise in between.
    #[test]
    fn a_slow_console_pauses() {
        let mut queue = Queue::new(44_100);
        queue.push(&vec![[0x4000; 2]; 8 * FRAME]);
        let mut out = vec![[0.0; 2]; 4000];
        queue.pull(&mut out);
        assert_eq!(queue.underruns(), 0);
        queue.pull(&mut out);
        assert_eq!(queue.underruns(), 1);
        assert_eq!(out[0], [0.5; 2]);
        assert!(out[3999][0] < 0.001 && out.windows(2).all(|pair| pair[1][0] <= pair[0][0]));
        // A queue below the desired length stays silent.
        queue.push(&vec![[0x4000; 2]; 2 * FRAME]);
        queue.pull(&mut out[..100]);
        assert!(out[99][0] < 0.001);
        queue.push(&vec![[0x4000; 2]; 20 * FRAME]);
        queue.pull(&mut out[..100]);
        assert_eq!((out[0], queue.underruns()), ([0.5; 2], 1));
    }

    /// If the console runs too fast, the oldest samples must be dropped.
    #[test]
    fn the_queue_is_bounded() {
        let mut queue = Queue::new(48_000);
        (0..1000).for_each(|_| queue.push(&[[1; 2]; FRAME]));
        assert_eq!(queue.samples.len(), 4 * FRAMES * FRAME);
    }
}
