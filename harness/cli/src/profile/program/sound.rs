//! The sound block in the measured frames: load of the ARM7, channels, samples, map of sound RAM.

use aica::RAM_BYTES;
use aica::activity::{Activity, Counts, PAGE, PAGES, Play};
use dreamcast::Dreamcast;
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Maximum number of samples with a row of their own.
const SAMPLES: usize = 1024;
/// Maximum number of rows per table of text.
const ROWS: usize = 20;

/// Address, end and format of a sample.
type Key = (u32, u32, &'static str);

/// Use of the sound block.
#[derive(Clone, Debug)]
pub(crate) struct SoundUse {
    counts: Counts,
    /// Number of key-ons by sample, and those beyond [`SAMPLES`].
    plays: BTreeMap<Key, u64>,
    other_plays: u64,
    code: [bool; PAGES],
    areas: Vec<Area>,
}

/// Consecutive pages of sound RAM with the same use.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Area {
    start: u32,
    bytes: u32,
    uses: Vec<&'static str>,
}

impl SoundUse {
    /// Starts to record.
    pub(super) fn start(console: &mut Dreamcast) -> Self {
        console.record_sound();
        Self {
            counts: Counts::default(),
            plays: BTreeMap::new(),
            other_plays: 0,
            code: [false; PAGES],
            areas: Vec::new(),
        }
    }

    /// Adds the work since the last call.
    pub(super) fn look(&mut self, console: &mut Dreamcast) {
        let Some(activity) = console.take_sound_activity() else {
            return;
        };
        self.counts.add(&activity.counts);
        for (all, page) in self.code.iter_mut().zip(activity.code) {
            *all |= page;
        }
        self.add_plays(&activity.plays);
        self.other_plays += activity.lost;
        self.areas = self.map(console, &activity);
    }

    /// Completes the record with the sounds that still play.
    pub(super) fn finish(&mut self, console: &mut Dreamcast) {
        let Some(activity) = console.take_sound_activity() else {
            return;
        };
        let playing: Vec<Play> = activity.playing.into_iter().flatten().collect();
        self.add_plays(&playing);
        self.areas = self.map(console, &activity);
    }

    fn add_plays(&mut self, plays: &[Play]) {
        for play in plays {
            let key = (play.channel.start, play.channel.end(), play.channel.format.name());
            let has_room = self.plays.len() < SAMPLES;
            match self.plays.get_mut(&key) {
                Some(count) => *count += 1,
                None if has_room => _ = self.plays.insert(key, 1),
                None => self.other_plays += 1,
            }
        }
    }

    /// Returns the areas of sound RAM.
    fn map(&self, console: &Dreamcast, activity: &Activity) -> Vec<Area> {
        let block = console.sound_block();
        let playing = activity.playing.iter().flatten();
        let samples = self.plays.keys().map(|(start, end, _)| (*start, *end));
        let samples: Vec<(u32, u32)> = samples
            .chain(playing.map(|play| (play.channel.start, play.channel.end())))
            .collect();
        let ring = block.dsp_ring().map(|(start, bytes)| (start, start + bytes));
        let mut areas: Vec<Area> = Vec::new();
        for (n, page) in block.ram().chunks_exact(PAGE).enumerate() {
            let (start, end) = ((n * PAGE) as u32, ((n + 1) * PAGE) as u32);
            let overlaps = |area: &(u32, u32)| area.0 < end && area.1 > start;
            let is_known = self.code[n] || samples.iter().any(overlaps) || ring.iter().any(overlaps);
            let is_zero = page.iter().all(|byte| *byte == 0);
            let uses = [
                (self.code[n], "arm7_code"),
                (samples.iter().any(overlaps), "samples"),
                (ring.iter().any(overlaps), "dsp_ring"),
                (!is_known && !is_zero, "other"),
                (!is_known && is_zero, "zero"),
            ];
            let uses: Vec<&str> = uses
                .iter()
                .filter(|(holds, _)| *holds)
                .map(|(_, name)| *name)
                .collect();
            match areas.last_mut() {
                Some(last) if last.uses == uses => last.bytes += PAGE as u32,
                _ => areas.push(Area {
                    start,
                    bytes: PAGE as u32,
                    uses,
                }),
            }
        }
        areas
    }

    pub(super) fn json(&self) -> Value {
        let plays = self.plays.iter().map(|((start, end, format), plays)| {
            json!({ "start": start, "bytes": end - start, "format": format, "plays": plays })
        });
        json!({
            "samples": self.counts.samples,
            "arm7": {
                "samples": self.counts.arm_samples,
                "cycles": self.counts.arm_cycles,
                "waiting": self.counts.arm_waiting,
                "load": self.counts.arm_load(),
            },
            "channels": { "mean": self.counts.mean_channels(), "most": self.counts.most_channels },
            "plays": plays.collect::<Vec<_>>(),
            "other_plays": self.other_plays,
            "ram": self.areas,
        })
    }

    /// Returns the report as text, or an empty text if the sound block was idle.
    pub(super) fn text(&self) -> String {
        let counts = &self.counts;
        if counts.arm_samples == 0 && counts.most_channels == 0 {
            return String::new();
        }
        let load = match counts.arm_load() {
            Some(load) => format!("ARM7 {:.1} % busy", 100.0 * load),
            None => "ARM7 held in reset".to_owned(),
        };
        let mut text = format!(
            "\nsound block: {load}; {:.2} channels play on average, at most {}\n",
            counts.mean_channels(),
            counts.most_channels
        );
        if !self.plays.is_empty() {
            text += "     plays   start    bytes  sample\n";
        }
        let mut plays: Vec<_> = self.plays.iter().collect();
        plays.sort_by_key(|(key, count)| (std::cmp::Reverse(**count), **key));
        for ((start, end, format), count) in plays.iter().take(ROWS) {
            let _ = writeln!(text, "{count:>10}  {start:06x} {:>8}  {format}", end - start);
        }
        let rest: u64 = plays.iter().skip(ROWS).map(|(_, count)| **count).sum();
        if rest + self.other_plays > 0 {
            let _ = writeln!(text, "{:>10}  of other samples", rest + self.other_plays);
        }
        text += "   sound RAM      KiB  use\n";
        for area in self.areas.iter().take(ROWS) {
            let last = area.start + area.bytes - 1;
            let uses = area.uses.join(", ").replace('_', " ");
            let _ = writeln!(
                text,
                "{:06x}-{last:06x} {:>7}  {uses}",
                area.start,
                area.bytes >> 10
            );
        }
        if self.areas.len() > ROWS {
            let _ = writeln!(text, "{:>22}  {} more areas", "", self.areas.len() - ROWS);
        }
        let zero = self.areas.iter().filter(|area| area.uses == ["zero"]);
        let zero: u32 = zero.map(|area| area.bytes).sum();
        let _ = writeln!(
            text,
            "{:>22}  KiB of {} hold only zeros",
            zero >> 10,
            RAM_BYTES >> 10
        );
        text
    }
}
