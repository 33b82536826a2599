//! Collects frames in bounded memory.

use super::csv::{CsvSpool, DeviceCounts};
use anyhow::Result;
use profile::program::{Frame, FunctionCycles};
use std::collections::{BTreeMap, VecDeque};

/// Maximum number of rows. With more frames, each row combines 2, 4, 8 or more of them.
const ROWS: usize = 1024;
/// Number of heaviest frames stored individually.
const HEAVIEST: usize = 8;
/// Maximum number of functions per row.
const FUNCTIONS: usize = 32;

/// A frame, or the sum of several consecutive ones.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FrameRow {
    /// Number of frames.
    pub(crate) frames: u64,
    /// Sum of the frames. Number and begin are the first frame's.
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

/// Frames of a measurement, in rows of one or several frames.
#[derive(Debug)]
pub(crate) struct FrameRows {
    /// Rows in order.
    pub(crate) rows: Vec<FrameRow>,
    /// Frames with the most work, in this order.
    pub(crate) heaviest: Vec<FrameRow>,
    /// Number of frames, and their work cycles.
    pub(crate) count: u64,
    pub(crate) work: u64,
    /// Number of whole frames in which no render began.
    pub(crate) missed: u64,
    /// Maximum bytes per frame sent to the tile accelerator.
    pub(crate) most_ta_bytes: u64,
    /// Rows of the CSV file.
    pub(crate) csv: CsvSpool,
    /// Number of frames in a full row.
    per_row: u64,
    /// Device counts of frames not added yet, and whether each frame is whole.
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

    /// Announces the next frame, with its device counts and whether it is whole.
    pub(crate) fn announce(&mut self, devices: DeviceCounts, whole: bool) {
        self.waiting.push_back((devices, whole));
    }

    /// Adds frames in the order in which they were announced.
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

    /// Merges pairs of rows.
    fn halve(&mut self) {
        let pairs = self.rows.chunks(2).map(|pair| {
            let mut row = pair[0].clone();
            pair[1..].iter().for_each(|other| row.join(other));
            row
        });
        self.rows = pairs.collect();
        self.per_row *= 2;
    }

    /// Returns the numbers of the first and the last frame.
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

    /// An hour of frames must give few rows with complete sums.
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
            // Frame 5,010 is the heaviest; each frame has different functions.
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
