//! Attributes time to frames.

use super::activity::{Activities, Activity};
use std::collections::VecDeque;

/// Maximum number of functions listed per frame; the others share one sum.
const FUNCTIONS: usize = 32;

/// The cycles of a function in a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FunctionCycles {
    /// Number of the function.
    pub function: u32,
    /// Cycles of the function in the frame.
    pub cycles: u64,
}

/// The time from one vertical blank to the next.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    /// Number of vertical blanks from power-on to the beginning of the frame.
    pub number: u64,
    /// Time of the console at the beginning, in cycles.
    pub begin: u64,
    /// Length in cycles.
    pub cycles: u64,
    /// Cycles by activity.
    pub activities: Activities,
    /// Instructions.
    pub instructions: u64,
    /// Operand cache misses.
    pub misses: u64,
    /// Instruction cache misses.
    pub instruction_misses: u64,
    /// The most expensive functions.
    pub functions: Vec<FunctionCycles>,
    /// Cycles of all other functions.
    pub other_functions: u64,
    /// Cycles outside of instructions: SLEEP, entry of exceptions and interrupts, firmware calls, and the
    /// stalls that DMA and refresh add. Other stalls count for their functions.
    pub without: u64,
}

impl Frame {
    /// Cycles in which the CPU worked for the program.
    #[must_use]
    pub fn work(&self) -> u64 {
        let all = Activity::ALL.iter().zip(self.activities);
        all.filter(|(activity, _)| activity.is_work())
            .map(|(_, cycles)| cycles)
            .sum()
    }
}

/// Collects frames during a run.
#[derive(Debug)]
pub(super) struct Frames {
    /// Frames that no caller has taken yet. The last one is the current frame.
    open: VecDeque<Frame>,
    /// Number of frames already taken: the index of the first frame in the list.
    taken: usize,
    /// All cycles by activity.
    sum: Activities,
    /// Cycles of the current frame by function, and a list of the functions with cycles.
    cycles: Vec<u64>,
    touched: Vec<u32>,
    /// Maximum cycles per frame of each function.
    most: Vec<u64>,
}

impl Frames {
    pub(super) fn new(number: u64, now: u64) -> Frames {
        Frames {
            open: VecDeque::from([Frame {
                number,
                begin: now,
                ..Frame::default()
            }]),
            taken: 0,
            sum: Activities::default(),
            cycles: Vec::new(),
            touched: Vec::new(),
            most: Vec::new(),
        }
    }

    /// Index of the current frame, counted from the first one.
    pub(super) fn present(&self) -> usize {
        self.taken + self.open.len().saturating_sub(1)
    }

    fn frame(&mut self) -> Option<&mut Frame> {
        self.open.back_mut()
    }

    /// Removes the frames before index `end`, but not the current one.
    pub(super) fn take_before(&mut self, end: usize) -> Vec<Frame> {
        let count = end.min(self.present()).saturating_sub(self.taken);
        self.taken += count;
        self.open.drain(..count).collect()
    }

    /// Adds a block of `function`: its cycles, instructions, operand misses and instruction misses.
    #[inline]
    pub(super) fn spend(&mut self, function: u32, cycles: u64, counts: [u64; 3]) {
        let place = function as usize;
        if place >= self.cycles.len() {
            self.cycles.resize(place + 1, 0);
        }
        let sum = &mut self.cycles[place];
        if *sum == 0 && cycles > 0 {
            self.touched.push(function);
        }
        *sum += cycles;
        if let Some(frame) = self.frame() {
            frame.instructions += counts[0];
            frame.misses += counts[1];
            frame.instruction_misses += counts[2];
        }
    }

    /// Adds cycles without instructions.
    pub(super) fn pass(&mut self, cycles: u64) {
        if let Some(frame) = self.frame() {
            frame.without += cycles;
        }
    }

    pub(super) fn add(&mut self, activity: Activity, cycles: u64) {
        self.add_to(self.present(), activity, cycles);
    }

    pub(super) fn add_to(&mut self, frame: usize, activity: Activity, cycles: u64) {
        self.sum[activity as usize] += cycles;
        let place = frame.checked_sub(self.taken);
        if let Some(frame) = place.and_then(|place| self.open.get_mut(place)) {
            frame.activities[activity as usize] += cycles;
        }
    }

    /// Ends the current frame and begins frame `number`.
    pub(super) fn next(&mut self, number: u64, now: u64) {
        self.close(now);
        self.open.push_back(Frame {
            number,
            begin: now,
            ..Frame::default()
        });
    }

    fn close(&mut self, now: u64) {
        let mut functions: Vec<FunctionCycles> = self
            .touched
            .drain(..)
            .map(|function| FunctionCycles {
                function,
                cycles: std::mem::take(&mut self.cycles[function as usize]),
            })
            .collect();
        self.most.resize(self.cycles.len(), 0);
        for row in &functions {
            let most = &mut self.most[row.function as usize];
            *most = row.cycles.max(*most);
        }
        functions.sort_by_key(|row| (std::cmp::Reverse(row.cycles), row.function));
        let others = functions.split_off(functions.len().min(FUNCTIONS));
        if let Some(frame) = self.open.back_mut() {
            frame.cycles = now.saturating_sub(frame.begin);
            frame.functions = functions;
            frame.other_functions = others.iter().map(|row| row.cycles).sum();
        }
    }

    /// Ends the last frame. Drops it if it took no time.
    pub(super) fn finish(mut self, now: u64) -> FinishedFrames {
        self.close(now);
        if self.open.back().is_some_and(|frame| frame.cycles == 0) {
            self.open.pop_back();
        }
        FinishedFrames {
            frames: self.open.into(),
            activities: self.sum,
            most: self.most,
        }
    }
}

/// Results of [`Frames`].
pub(super) struct FinishedFrames {
    /// Frames that no caller has taken.
    pub(super) frames: Vec<Frame>,
    /// All cycles by activity.
    pub(super) activities: Activities,
    /// Maximum cycles per frame of each function.
    pub(super) most: Vec<u64>,
}
