//! The console runtime in the emulated SH4: one model at a time.

mod cells;
mod textures;
mod views;

use super::frame_cost::FrameCost;
use anyhow::{Context, Result, bail};
use machine::{CallError, Image, Machine};
use profile::Profiler;
use pvr::{ListType, end_of_list};
use sh4_recompiler::{Options, Recompiler};
use std::fmt;
use timing::Setup;

pub(super) use cells::Step;
pub(super) use textures::{LoadedPalette, LoadedTexture, PALETTE_WORDS, UNTOUCHED};

/// A range of addresses.
#[derive(Clone, Copy, Debug)]
struct Area {
    at: u32,
    bytes: u32,
}

impl Area {
    const fn new(at: u32, bytes: u32) -> Self {
        Self { at, bytes }
    }

    fn end(self) -> u32 {
        self.at + self.bytes
    }

    /// Returns true if the area is in RAM, which the machine maps by default.
    fn is_ram(self) -> bool {
        self.at & 0x1C00_0000 == 0x0C00_0000
    }

    /// Returns the address of the last `bytes` bytes.
    fn last(self, bytes: u32, what: &str) -> Result<u32> {
        let most = self.bytes;
        let at = most.checked_sub(bytes);
        let at = at.with_context(|| format!("a {what} of {bytes} bytes, expected at most {most}"))?;
        Ok(self.at + at)
    }
}

/// Addresses of the program's data.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    /// Area for files; the end of a file is the end of this area.
    file: Area,
    /// Area for files of motions; the end of a file is the end of this area.
    motion: Area,
    /// Work memory; the program gives all of it to the runtime.
    work: Area,
    /// The first list, to which the store queues send their blocks; the other lists follow it.
    list: Area,
}

impl Layout {
    /// All areas are separated by unmapped addresses. An access after a file or after work memory therefore
    /// stops the machine.
    pub(super) const APART: Self = Self {
        file: Area::new(0x8800_0000, 16 << 20),
        motion: Area::new(0x8900_0000, 8 << 20),
        work: Area::new(0x8A00_0000, 32 << 20),
        list: Area::new(0x9400_0000, 8 << 20),
    };
    /// All areas are in the console's RAM, so that accesses take the cycles of main memory. The program is
    /// below 8C200000, the stack begins at 8CFD0000.
    pub(super) const RAM: Self = Self {
        file: Area::new(0x8C20_0000, 1 << 20),
        motion: Area::new(0x8C30_0000, 1 << 20),
        work: Area::new(0x8C50_0000, 8 << 20),
        list: Area::new(0x8CD0_0000, 0x9_0000),
    };

    /// Bits 28 to 26 of the list addresses, in the position that they have in QACR0 and QACR1.
    fn qacr(&self) -> [u32; 2] {
        [self.list.at >> 24 & 0x1C; 2]
    }

    fn list(&self, index: u32) -> u32 {
        self.list.at + index * self.list.bytes
    }
}

/// Addresses of arguments, in the middle of RAM.
const FAULT: u32 = 0x8C40_0000;
const LIST_TABLE: u32 = 0x8C40_0100;
const SCENE: u32 = 0x8C40_1000;
/// Limit of instructions; no frame of a known file takes more.
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
    /// Offset in the file at which the runtime found the error.
    pub(super) offset: u32,
    /// Index of the node in drawing order.
    pub(super) node: u32,
}

impl Refusal {
    /// Returns true if the error comes from a limit of this program and not from the file.
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

/// The result of a call of the runtime, or its error.
pub(super) type Outcome<T> = Result<T, Refusal>;

/// The emulated machine with the runtime and its memory.
pub(super) struct Player {
    machine: Machine,
    layout: Layout,
    /// Instructions executed in all calls.
    pub(super) instructions: u64,
}

impl Player {
    /// Loads the program and maps its memory. On hosts without the recompiler, the interpreter runs the
    /// program.
    pub(super) fn new(elf: &[u8], interpreter: bool, layout: Layout) -> Result<Self> {
        let image = Image::parse(elf)?;
        let mut machine = Machine::new();
        machine.load(&image)?;
        if !interpreter && let Ok(recompiler) = Recompiler::new(Options::default()) {
            machine.accelerate(Box::new(recompiler));
        }
        let memory = machine.memory_mut();
        let lists = Area::new(layout.list.at, 5 * layout.list.bytes);
        for area in [layout.file, layout.motion, layout.work, lists] {
            if !area.is_ram() {
                memory.map(area.at, area.bytes)?;
            }
        }
        memory.set_qacr(layout.qacr());
        Ok(Self {
            machine,
            layout,
            instructions: 0,
        })
    }

    /// Returns the address of a function.
    fn entry(&self, name: &str) -> Result<u32> {
        let found = self.machine.symbols().address(name);
        found.with_context(|| format!("the program has no function {name}"))
    }

    fn words(&self, at: u32, count: u32) -> Result<Vec<u32>> {
        let bytes = self.machine.memory().read(at, 4 * count)?;
        let words = bytes.as_chunks::<4>().0.iter();
        Ok(words.map(|word| u32::from_le_bytes(*word)).collect())
    }

    /// Calls a function and returns its result.
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

    /// Writes a file to the end of its area, at a multiple of `align`. Returns its address and size.
    fn put_file(&mut self, file: &[u8], align: u32) -> Result<[u32; 2]> {
        let size = u32::try_from(file.len())?;
        let at = self.layout.file.last(size.next_multiple_of(align), "file")?;
        self.machine.memory_mut().write(at, file)?;
        Ok([at, size])
    }

    /// Loads a model of a file.
    pub(super) fn load(&mut self, file: &[u8], number: u32) -> Result<Outcome<()>> {
        let [at, size] = self.put_file(file, 4)?;
        let Area { at: work, bytes } = self.layout.work;
        self.call("player_load", &[at, size, number, work, bytes, FAULT])
    }

    /// Writes a file of motions to the end of its area. Returns its address and size.
    fn put_motion(&mut self, file: &[u8]) -> Result<[u32; 2]> {
        let size = u32::try_from(file.len())?;
        let at = self.layout.motion.last(size.next_multiple_of(4), "motion file")?;
        // A file without streams is empty, and its address is after the area, where no memory is mapped.
        if size > 0 {
            self.machine.memory_mut().write(at, file)?;
        }
        Ok([at, size])
    }

    /// Loads the first motion of a file for the model and replaces the previous motion.
    pub(super) fn load_motion(&mut self, file: &[u8]) -> Result<Outcome<()>> {
        let [at, size] = self.put_motion(file)?;
        self.call("player_motion", &[at, size, 0, FAULT])
    }

    /// Loads the first motion of a file as the second motion of the model and replaces the previous second
    /// motion. The file is at the beginning of its area.
    pub(super) fn load_second(&mut self, file: &[u8]) -> Result<Outcome<()>> {
        let at = self.layout.motion.at;
        self.machine.memory_mut().write(at, file)?;
        self.call("player_second", &[at, u32::try_from(file.len())?, 0, FAULT])
    }

    /// Moves the nodes from their pose towards the second motion. Returns whether there is anything to draw.
    pub(super) fn link_to(&mut self, frame: f32, share: f32) -> Result<bool> {
        Ok(self.start("player_link", &[frame.to_bits(), share.to_bits()])? != 0)
    }

    /// Loads the first shapes of a file and their first shape motion. Replaces the previous motion.
    pub(super) fn load_shapes(&mut self, file: &[u8]) -> Result<Outcome<()>> {
        let [at, size] = self.put_motion(file)?;
        self.call("player_shapes", &[at, size, FAULT])
    }

    /// Sets the vertices to their positions at a frame. Returns whether there is anything to draw.
    pub(super) fn shape_to(&mut self, frame: f32) -> Result<bool> {
        Ok(self.start("player_shape", &[frame.to_bits()])? != 0)
    }

    /// Sets nodes and vertices to their values in the file.
    pub(super) fn rest(&mut self) -> Result<()> {
        self.start("player_rest", &[]).map(|_| ())
    }

    /// Sets the nodes to their pose at a frame. Returns whether there is anything to draw.
    pub(super) fn move_to(&mut self, frame: f32) -> Result<bool> {
        Ok(self.start("player_move", &[frame.to_bits()])? != 0)
    }

    /// Draws the loaded model. `scene` has the words of struct swr_scene and of the data that it points to,
    /// for the address [`SCENE`].
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
            .flat_map(|list| [self.layout.list(list), self.layout.list.bytes / 32, 0])
            .collect();
        self.put(LIST_TABLE, &table)
    }

    /// Returns the cycles of drawing the loaded model, of the second frame in sequence.
    pub(super) fn cost(&mut self, scene: &[u32]) -> Result<FrameCost> {
        let setup = Setup {
            qacr: self.layout.qacr(),
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
        let bytes = self.machine.memory().read(self.layout.list(index), 32 * used)?;
        let block = |block: &[u8; 32]| {
            let words = block.as_chunks::<4>().0;
            std::array::from_fn(|k| u32::from_le_bytes(words[k]))
        };
        Ok(bytes.as_chunks::<32>().0.iter().map(block).collect())
    }

    /// Returns the lists as one stream, in the order of [`scene::TaLists::blocks`].
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

/// Returns the address after a struct swr_scene of `words` words.
pub(super) fn behind(words: usize) -> u32 {
    SCENE + 4 * words as u32
}
