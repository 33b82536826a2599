//! The console runtime in the emulated SH4: one model at a time.

mod cells;
mod textures;
mod views;

use super::costs::FrameCost;
use crate::cpu_engine::CpuEngine;
use anyhow::{Context, Result, bail};
use machine::{CallError, Image, Machine};
use profile::Profiler;
use pvr::{ListType, end_of_list};
use std::fmt;
use timing::Setup;

pub(super) use cells::Step;
pub(super) use textures::{LoadedPalette, LoadedTexture, PALETTE_WORDS, UNTOUCHED};

/// Files end at the end of this region: an access behind a file is an access to nothing.
const FILE: u32 = 0x8800_0000;
/// Bytes of it.
const FILE_BYTES: u32 = 16 << 20;
/// The same for files of motions.
const MOTION: u32 = 0x8900_0000;
const MOTION_BYTES: u32 = 8 << 20;
/// Work memory, of which the program gives all: an access behind it is an access to nothing.
const WORK: u32 = 0x8A00_0000;
const WORK_BYTES: u32 = 32 << 20;
/// The lists, where the store queues send their blocks.
const LISTS: u32 = 0x9400_0000;
const LIST_BYTES: u32 = 8 << 20;
/// Bits 28-26 of the lists' addresses, as QACR has them.
const QACR: u32 = LISTS >> 24 & 0x1C;
/// Arguments, in the middle of RAM.
const FAULT: u32 = 0x8C40_0000;
const LIST_TABLE: u32 = 0x8C40_0100;
const SCENE: u32 = 0x8C40_1000;
/// No frame of a file runs longer.
const MOST: u64 = 5_000_000_000;

/// Names of `enum swr_result`.
const RESULTS: [&str; 23] = [
    "no error",
    "a structure reaches beyond its chunk or the file",
    "no chunk of the wanted kind",
    "a pointer is not aligned or leads out of the chunk",
    "POF0 names a place outside the chunk",
    "a node is reached twice",
    "unknown vertex chunk",
    "more vertices than the chunk has words",
    "unknown polygon chunk",
    "a polygon chunk is too short",
    "a vertex goes to a slot outside 0 to 32767",
    "a polygon names a vertex that no node has made",
    "DP without a CP of this number",
    "DP inside the list that it draws",
    "more than 4,000,000 polygon chunks",
    "a volume of more than 65,535 vertices",
    "too little memory",
    "no room in the list",
    "a motion's type or tables are not as they have to be",
    "a motion has fewer entries than the model has nodes",
    "shapes are missing or cannot be blended with each other",
    "a texture's format, or a size that this format cannot have",
    "a cell sprite or stream is not as it has to be",
];

/// An error of the runtime.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Refusal {
    /// `enum swr_result`.
    pub(super) code: u32,
    /// Its place.
    pub(super) offset: u32,
    /// Number of the node in drawing order.
    pub(super) node: u32,
}

impl Refusal {
    /// Whether it tells of a limit of this test bench and not of the file.
    pub(super) fn is_limit(self) -> bool {
        matches!(self.code, 16 | 17)
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = RESULTS
            .get(self.code as usize)
            .copied()
            .unwrap_or("an unknown error");
        write!(
            f,
            "error {}, {name}, at {:#x}, node {}",
            self.code, self.offset, self.node
        )
    }
}

/// What a call of the runtime gives: a result, or its error.
pub(super) type Outcome<T> = Result<T, Refusal>;

/// The runtime, and the memory that it works with.
pub(super) struct Player {
    machine: Machine,
    /// Instructions of all calls.
    pub(super) instructions: u64,
}

impl Player {
    /// Loads the program and maps its memory.
    pub(super) fn new(elf: &[u8], engine: CpuEngine) -> Result<Self> {
        let image = Image::parse(elf)?;
        let mut machine = Machine::new();
        machine.load(&image)?;
        engine.prepare(&mut machine, true)?;
        let memory = machine.memory_mut();
        for (at, bytes) in [
            (FILE, FILE_BYTES),
            (MOTION, MOTION_BYTES),
            (WORK, WORK_BYTES),
            (LISTS, 5 * LIST_BYTES),
        ] {
            memory.map(at, bytes)?;
        }
        memory.set_qacr([QACR; 2]);
        Ok(Self {
            machine,
            instructions: 0,
        })
    }

    /// The address of a function.
    fn entry(&self, name: &str) -> Result<u32> {
        let found = self.machine.symbols().address(name);
        found.with_context(|| format!("the program has no function {name}"))
    }

    fn words(&self, at: u32, count: u32) -> Result<Vec<u32>> {
        let bytes = self.machine.memory().read(at, 4 * count)?;
        let words = bytes.as_chunks::<4>().0.iter();
        Ok(words.map(|word| u32::from_le_bytes(*word)).collect())
    }

    /// Calls a function; its result.
    fn start(&mut self, name: &str, args: &[u32]) -> Result<u32> {
        let entry = self.entry(name)?;
        let called = match self.machine.call(entry, args, MOST) {
            Ok(called) => called,
            Err(CallError::Halt { name, halt }) => bail!("{name} did not return: {halt}"),
            Err(error) => return Err(error.into()),
        };
        self.instructions += called.instructions;
        Ok(called.result)
    }

    fn call(&mut self, name: &str, args: &[u32]) -> Result<Outcome<()>> {
        Ok(match self.start(name, args)? {
            0 => Ok(()),
            code => Err(Refusal {
                code,
                offset: self.word(FAULT)?,
                node: self.word(FAULT + 4)?,
            }),
        })
    }

    fn word(&self, at: u32) -> Result<u32> {
        let bytes = self.machine.memory().read(at, 4)?;
        Ok(u32::from_le_bytes(*bytes.first_chunk().context("a word")?))
    }

    fn put(&mut self, at: u32, words: &[u32]) -> Result<()> {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        Ok(self.machine.memory_mut().write(at, &bytes)?)
    }

    /// Puts a file at the end of its region, on a multiple of `align`; its address and size.
    fn put_file(&mut self, file: &[u8], align: u32) -> Result<[u32; 2]> {
        let size = u32::try_from(file.len())?;
        let Some(at) = FILE_BYTES.checked_sub(size.next_multiple_of(align)) else {
            bail!("a file of {size} bytes, expected at most {FILE_BYTES}");
        };
        self.machine.memory_mut().write(FILE + at, file)?;
        Ok([FILE + at, size])
    }

    /// Loads a model of a file.
    pub(super) fn load(&mut self, file: &[u8], number: u32) -> Result<Outcome<()>> {
        let [at, size] = self.put_file(file, 4)?;
        let args = [at, size, number, WORK, WORK_BYTES, FAULT];
        self.call("player_load", &args)
    }

    /// Puts a file of motions at the end of its region; its address and size.
    fn put_motion(&mut self, file: &[u8]) -> Result<[u32; 2]> {
        let size = u32::try_from(file.len())?;
        let Some(at) = MOTION_BYTES.checked_sub(size.next_multiple_of(4)) else {
            bail!("a motion file of {size} bytes, expected at most {MOTION_BYTES}");
        };
        // There is no memory behind the region for a file without streams.
        if size > 0 {
            self.machine.memory_mut().write(MOTION + at, file)?;
        }
        Ok([MOTION + at, size])
    }

    /// Loads the first motion of a file for the model, in the place of the last one.
    pub(super) fn load_motion(&mut self, file: &[u8]) -> Result<Outcome<()>> {
        let [at, size] = self.put_motion(file)?;
        self.call("player_motion", &[at, size, 0, FAULT])
    }

    /// Loads the first motion of a file as the second one of the model, in the place of the last second one.
    /// It lies at the beginning of its region.
    pub(super) fn load_second(&mut self, file: &[u8]) -> Result<Outcome<()>> {
        self.machine.memory_mut().write(MOTION, file)?;
        self.call("player_second", &[MOTION, u32::try_from(file.len())?, 0, FAULT])
    }

    /// Leads the nodes towards the second motion; whether anything is to be drawn then.
    pub(super) fn link_to(&mut self, frame: f32, share: f32) -> Result<bool> {
        Ok(self.start("player_link", &[frame.to_bits(), share.to_bits()])? != 0)
    }

    /// Loads the first shapes of a file and the first motion through them, in the place of the last motion.
    pub(super) fn load_shapes(&mut self, file: &[u8]) -> Result<Outcome<()>> {
        let [at, size] = self.put_motion(file)?;
        self.call("player_shapes", &[at, size, FAULT])
    }

    /// Sets the vertices as they are at a frame; whether anything is to be drawn then.
    pub(super) fn shape_to(&mut self, frame: f32) -> Result<bool> {
        Ok(self.start("player_shape", &[frame.to_bits()])? != 0)
    }

    /// Sets nodes and vertices as they stand in the file.
    pub(super) fn rest(&mut self) -> Result<()> {
        self.start("player_rest", &[]).map(|_| ())
    }

    /// Sets the nodes as they are at a frame; whether anything is to be drawn then.
    pub(super) fn move_to(&mut self, frame: f32) -> Result<bool> {
        Ok(self.start("player_move", &[frame.to_bits()])? != 0)
    }

    /// Draws the model that is loaded. `scene` is struct swr_scene and what it points at, at [`SCENE`].
    pub(super) fn draw(&mut self, scene: &[u32]) -> Result<Outcome<Vec<[u32; 8]>>> {
        self.put_scene(scene)?;
        match self.call("player_draw", &[SCENE, LIST_TABLE, FAULT])? {
            Ok(()) => Ok(Ok(self.stream()?)),
            Err(refusal) => Ok(Err(refusal)),
        }
    }

    fn put_scene(&mut self, scene: &[u32]) -> Result<()> {
        self.put(SCENE, scene)?;
        let table: Vec<u32> = (0..5)
            .flat_map(|list| [LISTS + list * LIST_BYTES, LIST_BYTES / 32, 0])
            .collect();
        self.put(LIST_TABLE, &table)
    }

    /// Cycles of drawing the model that is loaded, the second time in sequence.
    pub(super) fn cost(&mut self, scene: &[u32]) -> Result<FrameCost> {
        let setup = Setup {
            qacr: [QACR; 2],
            ..Setup::default()
        };
        let mut profiler = Profiler::new(setup).without_interval();
        for warm in [false, true] {
            self.put_scene(scene)?;
            let args = [SCENE, LIST_TABLE, FAULT];
            let draw = self.entry("player_draw")?;
            self.machine.call_hooked(draw, &args, MOST, &mut profiler)?;
            if !warm {
                profiler.restart();
            }
        }
        let mut cost = FrameCost::default();
        for site in profiler.finish().sites {
            let (symbol, _) = self.machine.symbols().before(site.pc).unwrap_or(("", 0));
            cost.add(symbol, site.costs.cycles);
        }
        Ok(cost)
    }

    fn list(&self, list: ListType) -> Result<Vec<[u32; 8]>> {
        let index = list.index() as u32;
        let used = self.word(LIST_TABLE + 12 * index + 8)?;
        let bytes = self
            .machine
            .memory()
            .read(LISTS + index * LIST_BYTES, 32 * used)?;
        let block = |block: &[u8; 32]| {
            let words = block.as_chunks::<4>().0;
            std::array::from_fn(|k| u32::from_le_bytes(words[k]))
        };
        Ok(bytes.as_chunks::<32>().0.iter().map(block).collect())
    }

    /// The lists as one stream, in the order in which [`scene::TaLists::blocks`] has them.
    fn stream(&self) -> Result<Vec<[u32; 8]>> {
        let translucent = !self.list(ListType::Translucent)?.is_empty();
        let mut stream = Vec::new();
        for list in [
            ListType::Opaque,
            ListType::OpaqueModifier,
            ListType::PunchThrough,
            ListType::Translucent,
            ListType::TranslucentModifier,
        ] {
            let blocks = self.list(list)?;
            if !blocks.is_empty() && (translucent || list != ListType::TranslucentModifier) {
                stream.extend(blocks);
                stream.push(end_of_list());
            }
        }
        Ok(stream)
    }
}

/// The address of what follows struct swr_scene of so many words.
pub(super) fn behind(words: usize) -> u32 {
    SCENE + 4 * words as u32
}
