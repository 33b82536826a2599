//! The frames of a measurement, in memory that does not grow with them.

use super::csv::{CsvSpool, DeviceCounts};
use anyhow::Result;
use profile::program::{Frame, FunctionCycles};
use std::collections::{BTreeMap, VecDeque};

/// Rows at most. Where there are more frames, each row has as many of them as it takes: 2, 4, 8 and so on.
const ROWS: usize = 1024;
/// Heavy frames that are kept as they are.
const HEAVIEST: usize = 8;
/// Functions of a row.
const FUNCTIONS: usize = 32;

/// A frame, or the sum of several in succession.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FrameRow {
    /// How many frames.
    pub(crate) frames: u64,
    /// The sum; number and begin are those of the first frame.
    pub(crate) sum: Frame,
    pub(crate) devices: DeviceCounts,
}

impl FrameRow {
    fn join(&mut self, other: &FrameRow) {
        self.frames += other.frames;
        let (sum, more) = (&mut self.sum, &other.sum);
        sum.cycles += more.cycles;
        for (sum, cycles) in sum.activities.iter_mut().zip(more.activities) {
            *sum += cycles;
        }
        sum.instructions += more.instructions;
        sum.misses += more.misses;
        sum.instruction_misses += more.instruction_misses;
        sum.other_functions += more.other_functions;
        sum.without += more.without;
        let mut functions: BTreeMap<u32, u64> = BTreeMap::new();
        for row in sum.functions.iter().chain(&more.functions) {
            *functions.entry(row.function).or_default() += row.cycles;
        }
        let all = functions
            .into_iter()
            .map(|(function, cycles)| FunctionCycles { function, cycles });
        sum.functions = all.collect();
        sum.functions
            .sort_by_key(|row| (std::cmp::Reverse(row.cycles), row.function));
        let others = sum.functions.split_off(sum.functions.len().min(FUNCTIONS));
        sum.other_functions += others.iter().map(|row| row.cycles).sum::<u64>();
        self.devices.renders += other.devices.renders;
        self.devices.ta_bytes += other.devices.ta_bytes;
    }
}

/// The frames of a measurement: a row for each, or for as many as share one.
#[derive(Debug)]
pub(crate) struct FrameRows {
    /// In order.
    pub(crate) rows: Vec<FrameRow>,
    /// The frames with the most work, in that order.
    pub(crate) heaviest: Vec<FrameRow>,
    /// The number of frames, and their cycles of work.
    pub(crate) count: u64,
    pub(crate) work: u64,
    /// Whole frames in which no render began.
    pub(crate) missed: u64,
    /// The most bytes to the tile accelerator in a frame.
    pub(crate) most_ta_bytes: u64,
    /// Each frame, as the CSV file will have it.
    pub(crate) csv: CsvSpool,
    /// Frames of a full row.
    per_row: u64,
    /// What the devices did in frames that have not come yet, and whether the frame is whole.
    waiting: VecDeque<(DeviceCounts, bool)>,
}

impl FrameRows {
    pub(crate) fn new() -> Result<FrameRows> {
        Ok(FrameRows {
            rows: Vec::new(),
            heaviest: Vec::new(),
            count: 0,
            work: 0,
            missed: 0,
            most_ta_bytes: 0,
            csv: CsvSpool::new()?,
            per_row: 1,
            waiting: VecDeque::new(),
        })
    }

    /// Announces the next frame: what the devices did in it, and whether it is whole.
    pub(crate) fn announce(&mut self, devices: DeviceCounts, whole: bool) {
        self.waiting.push_back((devices, whole));
    }

    /// Adds frames, in the order in which they were announced.
    pub(crate) fn add(&mut self, frames: Vec<Frame>) -> Result<()> {
        for frame in frames {
            let (devices, whole) = self.waiting.pop_front().unwrap_or_default();
            self.csv.frame(&frame, devices)?;
            self.count += 1;
            self.work += frame.work();
            self.missed += u64::from(whole && devices.renders == 0);
            self.most_ta_bytes = self.most_ta_bytes.max(devices.ta_bytes);
            let row = FrameRow {
                frames: 1,
                sum: frame,
                devices,
            };
            self.keep_heavy(&row);
            self.push(row);
        }
        Ok(())
    }

    fn keep_heavy(&mut self, row: &FrameRow) {
        let heavier = |other: &FrameRow| other.sum.work() >= row.sum.work();
        let place = self.heaviest.partition_point(heavier);
        if place < HEAVIEST {
            self.heaviest.insert(place, row.clone());
            self.heaviest.truncate(HEAVIEST);
        }
    }

    fn push(&mut self, row: FrameRow) {
        if let Some(last) = self.rows.last_mut().filter(|last| last.frames < self.per_row) {
            return last.join(&row);
        }
        if self.rows.len() >= ROWS {
            self.halve();
        }
        self.rows.push(row);
    }

    /// Joins the rows in pairs.
    fn halve(&mut self) {
        let pairs = self.rows.chunks(2).map(|pair| {
            let mut row = pair[0].clone();
            pair[1..].iter().for_each(|other| row.join(other));
            row
        });
        self.rows = pairs.collect();
        self.per_row *= 2;
    }

    /// The numbers of the first and the last frame.
    pub(crate) fn range(&self) -> Option<(u64, u64)> {
        let (first, last) = (self.rows.first()?, self.rows.last()?);
        Some((first.sum.number, last.sum.number + last.frames - 1))
    }
}

#[cfg(test)]
mod tests {
    use super::{FUNCTIONS, FrameRows, HEAVIEST, ROWS};
    use crate::profile::program::csv::DeviceCounts;
    use profile::program::{Activity, Frame, FunctionCycles};

    /// An hour of frames: few rows, and every sum is there.
    #[test]
    fn an_hour_has_as_many_rows_as_a_minute() -> anyhow::Result<()> {
        const FRAMES: u64 = 216_000;
        let mut rows = FrameRows::new()?;
        for number in 0..FRAMES {
            let mut frame = Frame {
                number: 10 + number,
                begin: 1000 * number,
                cycles: 1000,
                instructions: 1,
                ..Frame::default()
            };
            // Frame 5,010 is the heaviest; each has functions of its own.
            let work = if number == 5000 { 900 } else { number % 100 };
            frame.activities[Activity::User as usize] = work;
            frame.activities[Activity::VerticalBlank as usize] = 1000 - work;
            frame.functions = vec![FunctionCycles {
                function: (number % 1000) as u32,
                cycles: work,
            }];
            frame.without = 1000 - work;
            let devices = DeviceCounts {
                renders: number % 2,
                ta_bytes: number,
            };
            rows.announce(devices, true);
            rows.add(vec![frame])?;
        }
        assert!(
            rows.rows.len() <= ROWS && rows.rows.len() > ROWS / 2,
            "{}",
            rows.rows.len()
        );
        assert!(rows.rows.iter().all(|row| row.sum.functions.len() <= FUNCTIONS));
        assert_eq!(rows.heaviest.len(), HEAVIEST);
        assert_eq!(
            (rows.heaviest[0].sum.number, rows.heaviest[0].sum.work()),
            (5010, 900)
        );
        assert_eq!(
            (rows.count, rows.missed, rows.most_ta_bytes),
            (FRAMES, FRAMES / 2, FRAMES - 1)
        );
        assert_eq!(rows.range(), Some((10, 10 + FRAMES - 1)));
        for row in &rows.rows {
            let functions: u64 = row.sum.functions.iter().map(|row| row.cycles).sum();
            assert_eq!(
                functions + row.sum.other_functions + row.sum.without,
                row.sum.cycles
            );
            assert_eq!(row.sum.activities.iter().sum::<u64>(), row.sum.cycles);
        }
        assert_eq!(rows.rows.iter().map(|row| row.frames).sum::<u64>(), FRAMES);
        assert_eq!(
            rows.rows.iter().map(|row| row.sum.cycles).sum::<u64>(),
            1000 * FRAMES
        );
        assert_eq!(rows.rows.iter().map(|row| row.sum.work()).sum::<u64>(), rows.work);
        Ok(())
    }
}
