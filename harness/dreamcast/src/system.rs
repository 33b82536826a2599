//! Everything except the CPU: memories, devices, and their common time. The CPU's bus is in `bus`; this
//! module has the state, and the effects of one device on another.

use crate::access_log::AccessLog;
use crate::checks::{Checks, InstructionCache};
use crate::clock::Clock;
use crate::config::Config;
use crate::debug::Watches;
use crate::diagnostics::Diagnostics;
use crate::firmware::flash::Flash;
use crate::firmware::gdrom::Calls;
use crate::holly::drive::Drive;
use crate::holly::events::Events;
use crate::holly::g2;
use crate::holly::maple::Maple;
use crate::holly::registers::Registers;
use crate::holly::spg::Spg;
use crate::onchip::bsc::PortA;
use crate::onchip::dmac::Dmac;
use crate::onchip::intc::{Intc, Source};
use crate::onchip::sci::Sci;
use crate::onchip::scif::Scif;
use crate::onchip::stored::Stored;
use crate::onchip::tmu::Tmu;
use crate::onchip::wdt::{Overflow, Watchdog};
use crate::pvr_time;
use crate::scheduler::{Event, Scheduler};
use crate::settings::Settings;
use crate::sound::Sound;
use crate::time::Cycles;
use pvr::Pvr;
use sh4::Interrupt;
use sh4::watch::CodeWatch;
use state::{Error, State, Stream};

/// Bytes of main memory.
pub(crate) const RAM_BYTES: usize = 16 << 20;

/// Reason for ending the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halt {
    /// The program reset the console (005F6890 or the watchdog).
    Reset,
}

/// The memories and devices of a console.
#[derive(Debug)]
pub struct System {
    pub(crate) settings: Settings,
    /// Main memory.
    pub(crate) ram: Vec<u8>,
    pub(crate) code: CodeWatch,
    /// Epoch that changes on writes to memory other than RAM from which code was decoded.
    pub(crate) other_code: Option<u64>,
    /// The PowerVR2.
    pub(crate) pvr: Pvr,
    pub(crate) spg: Spg,
    pub(crate) sound: Sound,
    /// Frame buffer address latched by the display.
    pub(crate) shown: u32,
    pub(crate) clock: Clock,
    pub(crate) flash: Flash,
    pub(crate) drive: Drive,
    pub(crate) disc_calls: Calls,
    pub(crate) rom: &'static [u8],
    /// The program holds the ROM font's lock.
    pub(crate) font_locked: bool,
    pub(crate) queues: [[u8; 32]; 2],
    pub(crate) qacr: [u32; 2],
    pub(crate) cache: machine::cache::OperandCache,
    pub(crate) intc: Intc,
    pub(crate) tmu: Tmu,
    pub(crate) dmac: Dmac,
    pub(crate) sci: Sci,
    pub(crate) scif: Scif,
    pub(crate) watchdog: Watchdog,
    pub(crate) stored: Stored,
    pub(crate) port: PortA,
    pub(crate) events: Events,
    pub(crate) holly: Registers,
    pub(crate) g2: [g2::Channel; 4],
    pub(crate) maple: Maple,
    /// The vertical blank has started a Maple transfer, and MSYS bit 12 allows the next one only after
    /// MSHTCL.
    pub(crate) maple_held: bool,
    /// Time until which the sound block's write buffer is busy.
    pub(crate) fifo_until: Cycles,
    pub(crate) scheduler: Scheduler,
    pub(crate) diagnostics: Diagnostics,
    /// Time of the current access or event.
    pub(crate) now: Cycles,
    /// A time, and the number of instructions or of the model's cycles at that time.
    pub(crate) anchor: (Cycles, u64),
    /// True if the time is computed from the number of instructions, false for a cycle model.
    pub(crate) counts_instructions: bool,
    /// True while a deferred access is repeated.
    pub(crate) exact: bool,
    /// End of the CPU's current run.
    pub(crate) deadline: Cycles,
    /// Interrupt request last passed to the CPU.
    pub(crate) seen_request: Option<Interrupt>,
    pub(crate) halt: Option<Halt>,
    /// Address of the instruction with the repeated access.
    pub(crate) pc: u32,
    /// The checked rules.
    pub(crate) checks: Option<Box<Checks>>,
    /// The watchpoints of a debugger.
    pub(crate) watches: Option<Box<Watches>>,
    /// The accesses to a device, for a debugger.
    pub(crate) log: Option<Box<AccessLog>>,
    /// The instruction cache, if the CPU accesses memory through caches.
    pub(crate) instructions: Option<InstructionCache>,
    /// The program has written CCR.
    pub(crate) ccr_written: bool,
    /// Number of vertical blanks, or of fields without one: the number of the current frame.
    pub(crate) frame: u64,
    /// Number of renders.
    pub(crate) renders: u64,
    /// Bytes received by the tile accelerator.
    pub(crate) ta_bytes: u64,
    /// Number of drawing threads.
    pub(crate) threads: usize,
}

impl State for System {
    fn transfer(&mut self, stream: &mut Stream<'_>) -> Result<(), Error> {
        let Self {
            settings: _,
            ram: _,
            code: _,
            other_code: _,
            rom: _,
            diagnostics: _,
            counts_instructions: _,
            exact: _,
            deadline: _,
            halt: _,
            watches: _,
            log: _,
            threads: _,
            checks,
            pvr,
            spg,
            sound,
            shown,
            clock,
            flash,
            drive,
            disc_calls,
            font_locked,
            queues,
            qacr,
            cache,
            intc,
            tmu,
            dmac,
            sci,
            scif,
            watchdog,
            stored,
            port,
            events,
            holly,
            g2,
            maple,
            maple_held,
            fifo_until,
            scheduler,
            now,
            anchor,
            seen_request,
            pc,
            instructions,
            ccr_written,
            frame,
            renders,
            ta_bytes,
        } = self;
        if let Some(checks) = checks {
            checks.transfer(stream)?;
        }
        pvr.transfer(stream)?;
        spg.transfer(stream)?;
        sound.transfer(stream)?;
        shown.transfer(stream)?;
        clock.transfer(stream)?;
        flash.transfer(stream)?;
        drive.transfer(stream)?;
        disc_calls.transfer(stream)?;
        font_locked.transfer(stream)?;
        queues.transfer(stream)?;
        qacr.transfer(stream)?;
        cache.transfer(stream)?;
        intc.transfer(stream)?;
        tmu.transfer(stream)?;
        dmac.transfer(stream)?;
        sci.transfer(stream)?;
        scif.transfer(stream)?;
        watchdog.transfer(stream)?;
        stored.transfer(stream)?;
        port.transfer(stream)?;
        events.transfer(stream)?;
        holly.transfer(stream)?;
        g2.transfer(stream)?;
        maple.transfer(stream)?;
        maple_held.transfer(stream)?;
        fifo_until.transfer(stream)?;
        scheduler.transfer(stream)?;
        now.transfer(stream)?;
        anchor.transfer(stream)?;
        seen_request.transfer(stream)?;
        pc.transfer(stream)?;
        instructions.transfer(stream)?;
        ccr_written.transfer(stream)?;
        frame.transfer(stream)?;
        renders.transfer(stream)?;
        ta_bytes.transfer(stream)?;
        stream.check("System", self.is_possible())
    }
}

impl System {
    /// Creates the devices of a console, without the parts added by loaders and checks.
    pub(crate) fn new(config: &Config) -> Self {
        let settings = config.settings;
        let mut pvr = Pvr::new(config.pvr);
        pvr_time::reset_registers(&mut pvr, config);
        let spg = Spg::new(settings.cpu_hz.hz(), settings.vint_units, pvr_time::timing(&pvr));
        let shown = pvr.read_register(pvr::reg::FB_R_SOF1);
        let mut system = Self {
            settings,
            ram: vec![0; RAM_BYTES],
            code: CodeWatch::new(RAM_BYTES),
            other_code: None,
            pvr,
            spg,
            sound: Sound::new(config),
            shown,
            clock: Clock::new(config.start),
            flash: Flash::new(config.region),
            drive: Drive::new(settings.cpu_hz.hz()),
            disc_calls: Calls::default(),
            rom: crate::firmware::font::rom(),
            font_locked: false,
            queues: [[0; 32]; 2],
            qacr: [0; 2],
            cache: machine::cache::OperandCache::default(),
            intc: Intc::default(),
            tmu: Tmu::new(settings.tmu_phase),
            dmac: Dmac::default(),
            sci: Sci::default(),
            scif: Scif::default(),
            watchdog: Watchdog::default(),
            stored: Stored::default(),
            port: PortA::new(config.cable),
            events: Events::default(),
            holly: Registers::default(),
            g2: [g2::Channel::default(); 4],
            maple: Maple::default(),
            maple_held: false,
            fifo_until: Cycles(0),
            scheduler: Scheduler::default(),
            diagnostics: Diagnostics::default(),
            now: Cycles(0),
            anchor: (Cycles(0), 0),
            counts_instructions: true,
            exact: false,
            deadline: Cycles::NEVER,
            seen_request: None,
            halt: None,
            pc: 0,
            checks: None,
            watches: None,
            log: None,
            instructions: None,
            ccr_written: false,
            frame: 0,
            renders: 0,
            ta_bytes: 0,
            threads: config.threads.max(1),
        };
        system.holly.set(0x005F_74B0, config.region.system_mode());
        system.plan_beam();
        system.sound_event(Cycles(0));
        system
    }

    /// Copies the devices. The copy has no main memory, video memory and sound memory, no disc (which has no
    /// state), and no data of decoded code and debuggers.
    pub(crate) fn without_memory(&self) -> Self {
        Self {
            settings: self.settings,
            ram: Vec::new(),
            code: CodeWatch::new(0),
            other_code: self.other_code,
            pvr: self.pvr.without_memory(),
            spg: self.spg,
            sound: self.sound.without_memory(),
            shown: self.shown,
            clock: self.clock,
            flash: self.flash.clone(),
            drive: self.drive.without_disc(),
            disc_calls: self.disc_calls.clone(),
            rom: self.rom,
            font_locked: self.font_locked,
            queues: self.queues,
            qacr: self.qacr,
            cache: self.cache.clone(),
            intc: self.intc,
            tmu: self.tmu.clone(),
            dmac: self.dmac,
            sci: self.sci.clone(),
            scif: self.scif.clone(),
            watchdog: self.watchdog,
            stored: self.stored.clone(),
            port: self.port,
            events: self.events,
            holly: self.holly.clone(),
            g2: self.g2,
            maple: self.maple.clone(),
            maple_held: self.maple_held,
            fifo_until: self.fifo_until,
            scheduler: self.scheduler.clone(),
            diagnostics: self.diagnostics.clone(),
            now: self.now,
            anchor: self.anchor,
            counts_instructions: self.counts_instructions,
            exact: self.exact,
            deadline: self.deadline,
            seen_request: self.seen_request,
            halt: self.halt,
            pc: self.pc,
            checks: self.checks.clone(),
            watches: None,
            log: None,
            instructions: self.instructions.clone(),
            ccr_written: self.ccr_written,
            frame: self.frame,
            renders: self.renders,
            ta_bytes: self.ta_bytes,
            threads: self.threads,
        }
    }

    /// Returns false for times that no run can produce.
    fn is_possible(&self) -> bool {
        let second = self.settings.cpu_hz.hz();
        let waits = Event::ALL.iter().filter_map(|event| self.scheduler.due(*event));
        self.now < Cycles::NEVER
            && self.anchor.0 <= self.now
            && self.anchor.1 < 1 << 60
            && self.scheduler.clock <= self.now
            && waits.into_iter().all(|due| due + second >= self.now)
            && self.sound.lag(self.now) < second
            && self.spg.lag(self.now) < second
            && self.frame < 1 << 40
    }

    /// Sets bit `bit` of ISTNRM.
    pub(crate) fn raise(&mut self, bit: u32) {
        self.events.raise(bit);
        self.update_interrupts();
    }

    /// Passes the devices' requests to the interrupt controller.
    pub(crate) fn update_interrupts(&mut self) {
        self.start_triggered();
        self.intc.set_irl(self.events.level());
        for (n, source) in [Source::Tuni0, Source::Tuni1, Source::Tuni2]
            .into_iter()
            .enumerate()
        {
            self.intc.set(source, self.tmu.requests(n));
        }
        let ends = [Source::Dmte0, Source::Dmte1, Source::Dmte2, Source::Dmte3];
        for (n, source) in ends.into_iter().enumerate() {
            self.intc.set(source, self.dmac.requests(n));
        }
        self.intc.set(Source::Dmae, self.dmac.requests_error());
        self.intc.set(Source::ScifTxi, self.scif.requests_transmit());
        self.intc.set(Source::ScifRxi, self.scif.requests_receive());
        self.intc.set(Source::Iti, self.watchdog.requests());
    }

    /// Delivers every event that is due at `now`.
    pub(crate) fn deliver(&mut self, now: Cycles) {
        while let Some((event, time)) = self.scheduler.pop(now) {
            (self.now, self.scheduler.clock) = (time, time);
            self.happen(event, time);
            self.name_watch_hit(event);
        }
        self.now = now;
    }

    fn happen(&mut self, event: Event, time: Cycles) {
        match event {
            Event::Timer0 => self.tmu.underflow(0, time, &mut self.scheduler),
            Event::Timer1 => self.tmu.underflow(1, time, &mut self.scheduler),
            Event::Timer2 => self.tmu.underflow(2, time, &mut self.scheduler),
            Event::Watchdog => {
                if self.watchdog.overflow(time, &mut self.scheduler) == Overflow::Reset {
                    self.halt = Some(Halt::Reset);
                }
            }
            Event::Dmac0 => self.finish_dmac(0),
            Event::Dmac1 => self.finish_dmac(1),
            Event::Dmac2 => self.finish_dmac(2),
            Event::Dmac3 => self.finish_dmac(3),
            Event::ListDone | Event::YuvDone | Event::IspDone | Event::TspDone | Event::RenderDone => {
                self.pvr_event(event);
            }
            Event::Channel2 => self.finish_channel2(),
            Event::SortDma => self.finish_sort_dma(),
            Event::PvrDma => self.finish_pvr_dma(),
            Event::VerticalBlankIn
            | Event::VerticalBlankOut
            | Event::HorizontalBlank
            | Event::Latch
            | Event::Field => self.beam_event(event),
            Event::MapleTrigger => self.trigger_maple(),
            Event::Maple => self.finish_maple(),
            Event::G1Dma => self.finish_g1(),
            Event::DiscCommand => crate::firmware::gdrom::finish(self),
            Event::Drive => self.drive_event(),
            Event::SerialOut | Event::SerialIn => {}
            Event::G2Dma0 => self.finish_g2(0),
            Event::G2Dma1 => self.finish_g2(1),
            Event::G2Dma2 => self.finish_g2(2),
            Event::G2Dma3 => self.finish_g2(3),
            Event::Sound => self.sound_event(time),
        }
        self.update_interrupts();
    }

    /// Returns the bytes of RAM at a physical address; `None` unless all are in RAM without wrapping.
    pub(crate) fn ram_at(&self, physical: u32, length: u32) -> Option<&[u8]> {
        let offset = ram_offset(physical)?;
        self.ram.get(offset..offset.checked_add(length as usize)?)
    }

    /// Writes bytes to RAM at a physical address, like DMA; returns false unless all are in RAM.
    pub(crate) fn write_ram(&mut self, physical: u32, bytes: &[u8]) -> bool {
        self.watch_write(physical, bytes.len() as u32);
        self.write_back_ram(physical, bytes)
    }

    /// Writes back a line of the operand cache that the CPU has modified.
    pub(crate) fn write_back_ram(&mut self, physical: u32, bytes: &[u8]) -> bool {
        let Some(offset) = ram_offset(physical) else {
            return false;
        };
        let Some(target) = self.ram.get_mut(offset..offset + bytes.len()) else {
            return false;
        };
        target.copy_from_slice(bytes);
        if !bytes.is_empty() {
            self.code.written_range(offset as u32, bytes.len() as u32);
            self.written_uncached(offset, bytes.len());
        }
        true
    }
}

/// Returns the offset in RAM of a physical address: RAM is repeated four times in area 3.
#[inline(always)]
pub(crate) fn ram_offset(physical: u32) -> Option<usize> {
    (physical & 0x1C00_0000 == 0x0C00_0000).then_some((physical as usize) & (RAM_BYTES - 1))
}

impl crate::holly::maple::Ram for System {
    fn word(&self, address: u32) -> Option<u32> {
        let bytes = self.ram_at(address & 0x1FFF_FFFF, 4)?;
        bytes.first_chunk().map(|bytes| u32::from_le_bytes(*bytes))
    }

    fn write(&mut self, address: u32, words: &[u32]) -> bool {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        self.write_ram(address & 0x1FFF_FFFF, &bytes)
    }
}
