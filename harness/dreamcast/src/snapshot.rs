//! Snapshots and saved states of the whole console.
//!
//! Snapshots divide memories into pages and share equal pages. Main and video memory record the time of the
//! last write to each page, so a snapshot compares only pages written since the previous one. Snapshots
//! contain no compiled or decoded code: a restore marks the changed lines, and the CPU decodes code there
//! again.

use crate::firmware::dcload::Host;
use crate::limits::STATE_LISTS;
use crate::pacing::Pace;
use crate::recording::TextTimes;
use crate::run::Dreamcast;
use crate::system::System;
use sh4::Cpu;
use sh4::watch::CodeWatch;
use state::{Error, State, Stream};
use std::io::{Read, Write};
use std::sync::Arc;
use timing::Counter;

/// Bytes of a page.
const PAGE: usize = 4096;

type Page = [u8; PAGE];

/// Version of saved states. It must change with the fields of a state; a test compares
/// [`Dreamcast::describe_state`].
pub const STATE_VERSION: u32 = 4;

/// Copy of a memory, in pages.
#[derive(Clone, Debug)]
struct Pages(Vec<Arc<Page>>);

impl State for Pages {
    fn transfer(&mut self, stream: &mut Stream<'_>) -> Result<(), Error> {
        for page in &mut self.0 {
            let mut bytes = **page;
            stream.bytes(&mut bytes)?;
            if stream.is_loading() {
                *page = Arc::new(bytes);
            }
        }
        Ok(())
    }
}

impl Pages {
    /// Copies `bytes`, and shares pages that are equal in `before`. `is_same` returns true for the offset of
    /// a page that was not written since.
    fn of(bytes: &[u8], before: Option<&Self>, is_same: impl Fn(usize) -> bool) -> Self {
        let pages = bytes.as_chunks::<PAGE>().0.iter().enumerate();
        Self(
            pages
                .map(
                    |(index, page)| match before.and_then(|before| before.0.get(index)) {
                        Some(old) if same(page, old, is_same(index * PAGE)) => Arc::clone(old),
                        _ => Arc::new(*page),
                    },
                )
                .collect(),
        )
    }

    /// Writes the pages that differ into `bytes`, and returns their offsets. `is_same` returns true for the
    /// offset of a page that was not written since.
    fn write(&self, bytes: &mut [u8], is_same: impl Fn(usize) -> bool) -> Vec<usize> {
        let mut changed = Vec::new();
        let pages = bytes.as_chunks_mut::<PAGE>().0.iter_mut();
        for (index, (page, saved)) in pages.zip(&self.0).enumerate() {
            if !same(page, saved, is_same(index * PAGE)) {
                *page = **saved;
                changed.push(index * PAGE);
            }
        }
        changed
    }

    /// Returns the bytes of pages not shared with `before`.
    fn new_bytes(&self, before: Option<&Self>) -> usize {
        let is_new = |(index, page): &(usize, &Arc<Page>)| {
            let old = before.and_then(|before| before.0.get(*index));
            !old.is_some_and(|old| Arc::ptr_eq(old, page))
        };
        self.0.iter().enumerate().filter(is_new).count() * PAGE
    }
}

/// Returns whether a page equals a saved one; `unwritten` if it was not written since.
fn same(page: &Page, saved: &Page, unwritten: bool) -> bool {
    debug_assert!(!unwritten || page == saved, "a write was not recorded");
    unwritten || page == saved
}

/// The end of a period of writes to the memories of a console.
struct WriteTimes {
    /// The console.
    console: Arc<()>,
    ram: u64,
    vram: u64,
}

/// The state of the console at an instant.
pub struct Snapshot {
    cpu: Cpu,
    /// The devices, without their memories.
    system: System,
    host: Host,
    model: Option<Box<Counter>>,
    pace: Pace,
    record: Option<TextTimes>,
    sleeping: bool,
    ram: Pages,
    vram: Pages,
    sound_ram: Pages,
    /// None for a state that was loaded.
    times: Option<WriteTimes>,
}

// A state file does not contain the caches of the cycle model.
state::fields!(Snapshot {
    cpu,
    system,
    host,
    pace,
    sleeping,
    ram,
    vram,
    sound_ram,
} keep { model, record, times });

impl std::fmt::Debug for Snapshot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "snapshot after {} instructions", self.cpu.retired())
    }
}

impl Snapshot {
    /// Number of instructions executed before the snapshot.
    #[must_use]
    pub fn retired(&self) -> u64 {
        self.cpu.retired()
    }

    /// Returns the approximate bytes of the snapshot that are not shared with `before`.
    #[must_use]
    pub fn bytes_after(&self, before: Option<&Snapshot>) -> usize {
        /// The devices without memories, and the tables of pages.
        const DEVICES: usize = 640 << 10;
        self.ram.new_bytes(before.map(|before| &before.ram))
            + self.vram.new_bytes(before.map(|before| &before.vram))
            + self.sound_ram.new_bytes(before.map(|before| &before.sound_ram))
            + DEVICES
    }
}

impl Dreamcast {
    /// Returns the reason why a run from a snapshot may differ from the original run, if there is one.
    #[must_use]
    pub fn why_not_repeatable(&self) -> Option<&'static str> {
        self.host
            .is_writable()
            .then_some("the program may change files of the host: leave out --files-writable")
    }

    /// Returns the reason why the state cannot be saved or loaded, if there is one.
    #[must_use]
    pub fn why_no_state(&self) -> Option<&'static str> {
        self.model
            .is_some()
            .then_some("a state does not contain the cycle model: use --clock fast")
    }

    /// Writes the state of the console to `target`: memories, CPU and devices, without settings and disc.
    ///
    /// # Errors
    /// If writing fails, or [`Self::why_no_state`] gives a reason.
    pub fn save_state(&self, target: &mut dyn Write) -> Result<(), Error> {
        let mut stream = Stream::save(target);
        self.transfer_configuration(&mut stream)?;
        self.capture(None).transfer(&mut stream)
    }

    /// Loads a state that was saved with the same program, disc and peripherals. After an error the console
    /// is unchanged.
    ///
    /// # Errors
    /// If reading fails, the bytes are not a state, or the state is from a different console.
    pub fn load_state(&mut self, source: &mut dyn Read) -> Result<(), Error> {
        let mut stream = Stream::load(source, STATE_LISTS);
        self.transfer_configuration(&mut stream)?;
        let mut snapshot = self.capture(None);
        snapshot.transfer(&mut stream)?;
        if source.read(&mut [0])? != 0 {
            return Err(Error::value("state", "more bytes", "its end"));
        }
        self.restore(&snapshot);
        Ok(())
    }

    /// Returns main memory.
    #[must_use]
    pub fn ram(&self) -> &[u8] {
        &self.system.ram
    }

    /// Returns the layout of states as text; see [`STATE_VERSION`].
    ///
    /// # Errors
    /// None.
    pub fn describe_state(&self) -> Result<String, Error> {
        let mut text = String::new();
        self.capture(None).transfer(&mut Stream::describe(&mut text))?;
        Ok(text)
    }

    /// Transfers the configuration that must be equal when a state is loaded.
    fn transfer_configuration(&self, stream: &mut Stream<'_>) -> Result<(), Error> {
        if let Some(why) = self.why_no_state() {
            return Err(Error::value("state", "a console that has none", why));
        }
        let disc = self.system.drive.disc.as_ref();
        let sound = if self.system.sound.has_audio() {
            "mixed"
        } else {
            "silent"
        };
        let checks = self.system.checks.as_ref();
        let rules = checks.map_or_else(|| "none".to_owned(), |checks| checks.rules().names());
        let parts = [
            (
                "caches",
                if self.caches { "cached" } else { "coherent" }.to_owned(),
            ),
            (
                "disc",
                disc.map_or_else(|| "no disc".to_owned(), crate::disc::Disc::describe),
            ),
            ("sound", sound.to_owned()),
            ("rules", rules),
        ];
        for (name, present) in parts {
            let mut saved = present.clone();
            saved.transfer(stream)?;
            if saved != present {
                return Err(Error::value(format!("{name} of the state"), saved, present));
            }
        }
        Ok(())
    }

    /// Takes a snapshot. Pages that are equal in `before` are shared with it.
    #[must_use]
    pub fn snapshot(&mut self, before: Option<&Snapshot>) -> Snapshot {
        let times = WriteTimes {
            console: Arc::clone(&self.identity),
            ram: self.system.code.end_period(),
            vram: self.system.pvr.vram_mut().checkpoint(),
        };
        Snapshot {
            times: Some(times),
            ..self.capture(before)
        }
    }

    /// See [`Self::snapshot`]; records no times.
    fn capture(&self, before: Option<&Snapshot>) -> Snapshot {
        let system = &self.system;
        let vram = system.pvr.vram();
        let times = self.times_of(before);
        let same_ram = |at| times.is_some_and(|times| system.code.is_unwritten_since(times.ram, at as u32));
        let same_vram = |at| times.is_some_and(|times| vram.is_unwritten_since(times.vram, at..at + PAGE));
        Snapshot {
            cpu: self.cpu.clone(),
            system: system.without_memory(),
            host: self.host.clone(),
            model: self.model.clone(),
            pace: self.pace,
            record: self.record.clone(),
            sleeping: self.sleeping,
            ram: Pages::of(&system.ram, before.map(|before| &before.ram), same_ram),
            vram: Pages::of(vram.bytes(), before.map(|before| &before.vram), same_vram),
            sound_ram: Pages::of(system.sound.ram(), before.map(|before| &before.sound_ram), |_| {
                false
            }),
            times: None,
        }
    }

    /// Returns the times of a snapshot, if it is from this console.
    fn times_of<'s>(&self, snapshot: Option<&'s Snapshot>) -> Option<&'s WriteTimes> {
        let times = snapshot?.times.as_ref()?;
        Arc::ptr_eq(&times.console, &self.identity).then_some(times)
    }

    /// Restores a snapshot of this console. The disc, host files, breakpoints, watchpoints and
    /// [`Self::stop_at_findings`] do not change.
    pub fn restore(&mut self, snapshot: &Snapshot) {
        let times = self.times_of(Some(snapshot));
        let is_ram_same =
            |code: &CodeWatch, at| times.is_some_and(|times| code.is_unwritten_since(times.ram, at as u32));
        self.cpu.restore(&snapshot.cpu);
        let mut live = std::mem::replace(&mut self.system, snapshot.system.without_memory());
        let system = &mut self.system;
        system.ram = std::mem::take(&mut live.ram);
        system.pvr.swap_memory(&mut live.pvr);
        system.code = live.code;
        system.other_code = live.other_code.map(|epoch| epoch + 1);
        system.watches = live.watches;
        system.log = live.log;
        if let (Some(checks), Some(live)) = (&mut system.checks, &live.checks) {
            checks.stop_at_first = live.stop_at_first;
        }
        if let Some(log) = &mut system.log {
            log.cut(system.now);
        }
        system.drive.disc = live.drive.disc;
        system.sound.swap_memory(&mut live.sound);
        let code = &mut system.code;
        for offset in snapshot.ram.write(&mut system.ram, |at| is_ram_same(code, at)) {
            code.written_range(offset as u32, PAGE as u32);
        }
        let vram = system.pvr.vram_mut();
        let is_same: Vec<bool> = (0..pvr::VRAM_BYTES)
            .step_by(PAGE)
            .map(|at| times.is_some_and(|times| vram.is_unwritten_since(times.vram, at..at + PAGE)))
            .collect();
        for offset in snapshot.vram.write(vram.bytes_mut(), |at| is_same[at / PAGE]) {
            vram.mark_written(offset..offset + PAGE);
        }
        snapshot.sound_ram.write(system.sound.ram_mut(), |_| false);
        self.host = snapshot.host.clone();
        self.model = snapshot.model.clone();
        self.pace = snapshot.pace;
        self.record = snapshot.record.clone();
        self.sleeping = snapshot.sleeping;
    }
}
