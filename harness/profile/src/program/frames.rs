//! The time of each frame.

use super::activity::{Activities, Activity};
use std::collections::VecDeque;

/// Functions kept for each frame; the rest is one sum.
const FUNCTIONS: usize = 32;

/// The cycles of a function in a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FunctionCycles {
    /// Its number.
    pub function: u32,
    /// Its cycles.
    pub cycles: u64,
}

/// The time from one vertical blank to the next.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    /// Vertical blanks since power-on, at its beginning.
    pub number: u64,
    /// The console's time at its beginning, in cycles.
    pub begin: u64,
    /// Its length.
    pub cycles: u64,
    /// Its cycles by activity.
    pub activities: Activities,
    /// Instructions.
    pub instructions: u64,
    /// Operand cache misses.
    pub misses: u64,
    /// Instruction cache misses.
    pub instruction_misses: u64,
    /// Its most expensive functions.
    pub functions: Vec<FunctionCycles>,
    /// Cycles of all other functions.
    pub other_functions: u64,
    /// Cycles in which no instruction issued.
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

/// Frames as they come.
#[derive(Debug)]
pub(super) struct Frames {
    /// Frames that nobody has taken. The last one is the present frame.
    open: VecDeque<Frame>,
    /// Frames that were taken: the place of the first open one.
    taken: usize,
    /// All cycles by activity.
    sum: Activities,
    /// The present frame's cycles by function, and the functions with any.
    cycles: Vec<u64>,
    touched: Vec<u32>,
    /// The most cycles of each function in a frame.
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

    /// The present frame's place: how many frames were before it.
    pub(super) fn present(&self) -> usize {
        self.taken + self.open.len().saturating_sub(1)
    }

    fn frame(&mut self) -> Option<&mut Frame> {
        self.open.back_mut()
    }

    /// Removes the frames before place `end`, but not the present one.
    pub(super) fn take_before(&mut self, end: usize) -> Vec<Frame> {
        let count = end.min(self.present()).saturating_sub(self.taken);
        self.taken += count;
        self.open.drain(..count).collect()
    }

    /// A block of `function` took `cycles`; instructions, and misses of operands and instructions.
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

    /// Cycles without an instruction.
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

    /// Ends the present frame and begins frame `number`.
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

    /// Ends the last frame; one without any time is dropped.
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

/// What [`Frames`] leave.
pub(super) struct FinishedFrames {
    /// The frames that nobody has taken.
    pub(super) frames: Vec<Frame>,
    /// All cycles by activity.
    pub(super) activities: Activities,
    /// The most cycles of each function in a frame.
    pub(super) most: Vec<u64>,
}
