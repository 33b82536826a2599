//! The console as a machine that runs until an event or limit ends the run.

use crate::checks::{Checks, Finding, InstructionCache, Rule};
use crate::config::{Config, Ended, Until};
use crate::debug::ExceptionSet;
use crate::deinterlace::{Deinterlace, lines_doubled};
use crate::diagnostics::Diagnostics;
use crate::disc::Disc;
use crate::firmware::{self, dcload::Host};
use crate::pacing::{Pace, counter};
use crate::peripherals::{Controller, Peripheral, Vmu};
use crate::recording::TextTimes;
use crate::system::System;
use crate::time::{Clock, Cycles};
use machine::Symbols;
use pvr::{Border, Field, Image as Picture, reg};
use sh4::accelerate::Accelerator;
use sh4::debug::Catch;
use sh4::{Cpu, Direction, DoublesOnly, Event, Exceptions, Fault, FaultKind, SinglesOnly, Stop};
use std::path::Path;
use timing::{ConsoleClock, Counter, Parameters};

/// SR, FPSCR, stack pointer and VBR as dcload sets them for a program (sizious/dcload-serial).
const SR: u32 = 0x5000_00F0;
const FPSCR: u32 = 0x0004_0001;
const STACK: u32 = 0x8C00_F400;
const VBR: u32 = 0x8C00_F400;
/// Offset of the general exception vector from VBR.
const EXCEPTION: u32 = 0x100;

/// A console with a program.
pub struct Dreamcast {
    /// The CPU.
    pub cpu: Cpu,
    pub(crate) system: System,
    pub(crate) host: Host,
    pub(crate) symbols: Symbols,
    pub(crate) notes: Vec<String>,
    pub(crate) accelerator: Option<Box<dyn Accelerator<System> + Send>>,
    pub(crate) caches: bool,
    deinterlace: Deinterlace,
    /// Cycle model, for [`Clock::Model`].
    pub(crate) model: Option<Box<Counter>>,
    pub(crate) pace: Pace,
    pub(crate) parameters: Parameters,
    pub(crate) record: Option<TextTimes>,
    /// Set from the execution of SLEEP to the next interrupt.
    pub(crate) sleeping: bool,
    /// Set if FPU opcodes that are undefined for the current PR are reported before they execute.
    pub(crate) reports_undefined: bool,
    /// Exceptions at which a debugger stops the program.
    pub(crate) caught: Option<ExceptionSet>,
    /// Identity of the console, shared with its snapshots.
    pub(crate) identity: std::sync::Arc<()>,
}

impl std::fmt::Debug for Dreamcast {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Dreamcast")
            .field("cpu", &self.cpu)
            .finish_non_exhaustive()
    }
}

impl Dreamcast {
    /// Creates a console in the state after a loader, with a controller in port A.
    #[must_use]
    pub fn new(config: Config) -> Self {
        let mut system = System::new(&config);
        let caches = config.caches || !config.checks.is_empty();
        system.instructions = caches.then(InstructionCache::default);
        system.checks =
            (!config.checks.is_empty()).then(|| Box::new(Checks::new(config.checks, config.stop_at_first)));
        firmware::install(&mut system);
        system.maple.ports[0].units[0] = Some(Box::new(Controller::default()));
        let mut settings = sh4::Settings {
            exceptions: Exceptions::Take,
            ..config.cpu
        };
        // The CPU stops at undefined opcodes, so that they can be reported, and then executes them.
        let executes =
            (settings.singles_only, settings.doubles_only) == (SinglesOnly::AsSingle, DoublesOnly::AsDouble);
        let reports_undefined = executes && config.checks.has(Rule::FpuUndefined);
        if reports_undefined {
            settings.singles_only = SinglesOnly::Stop;
            settings.doubles_only = DoublesOnly::Stop;
        }
        let mut cpu = Cpu::new(settings);
        cpu.catch_exceptions(Catch::Resets);
        cpu.set_sr(SR);
        cpu.set_fpscr(FPSCR);
        cpu.r[15] = STACK;
        cpu.vbr = VBR;
        cpu.pr = firmware::RETURN;
        Self {
            cpu,
            system,
            host: Host::default(),
            symbols: Symbols::default(),
            notes: Vec::new(),
            accelerator: None,
            caches,
            deinterlace: Deinterlace::default(),
            model: (config.clock == Clock::Model).then(|| counter(config.parameters, config.ccr)),
            pace: Pace::default(),
            parameters: config.parameters,
            record: None,
            sleeping: false,
            reports_undefined,
            caught: None,
            identity: std::sync::Arc::default(),
        }
    }

    /// Installs an accelerator, which runs the code that it supports.
    pub fn accelerate(&mut self, accelerator: Box<dyn Accelerator<System> + Send>) {
        self.accelerator = Some(accelerator);
    }

    /// Returns the accelerator's counters with their names, for developers; empty without an accelerator.
    #[must_use]
    pub fn engine_report(&self) -> Vec<(&'static str, u64)> {
        let accelerator = self.accelerator.as_ref();
        accelerator.map_or(Vec::new(), |accelerator| accelerator.report())
    }

    /// Makes a folder of the host available to the program as `/pc`. The program cannot access anything
    /// outside it.
    ///
    /// # Errors
    /// If the folder does not exist.
    pub fn open_folder(&mut self, folder: &Path, writable: bool) -> std::io::Result<()> {
        self.host.set_folder(folder, writable)
    }

    /// Inserts a disc into the drive, or removes it for `None`.
    pub fn insert(&mut self, disc: Option<Disc>) {
        self.system.sync_sound();
        self.system.drive.insert(disc);
    }

    /// Returns the host's error for the last failed read of a disc file.
    #[must_use]
    pub fn disc_error(&self) -> Option<&str> {
        self.system.drive.host_error.as_deref()
    }

    /// Returns the symbols of the program.
    #[must_use]
    pub fn symbols(&self) -> &Symbols {
        &self.symbols
    }

    /// Returns the current time. Within a step of the cycle model, it lacks the bus contention of this step.
    #[must_use]
    pub fn now(&self) -> Cycles {
        match &self.model {
            Some(model) if self.pace.is_cut() => self.system.time_after(model.cycles()),
            _ => self.system.now,
        }
    }

    /// Returns CCR, if the program has written it.
    #[must_use]
    pub fn written_ccr(&self) -> Option<u32> {
        self.system.ccr_written.then(|| self.system.cache.ccr())
    }

    /// Returns the number of vertical blanks since power-on.
    #[must_use]
    pub fn frame(&self) -> u64 {
        self.system.frame
    }

    /// Returns the number of renders since power-on.
    #[must_use]
    pub fn renders(&self) -> u64 {
        self.system.renders
    }

    /// Returns the number of parameter bytes sent to the tile accelerator since power-on.
    #[must_use]
    pub fn ta_bytes(&self) -> u64 {
        self.system.ta_bytes
    }

    /// Returns the warnings of the PowerVR2 about its input, each kind once.
    #[must_use]
    pub fn chip_warnings(&self) -> &[pvr::Warning] {
        self.system.pvr.warnings()
    }

    /// Returns the program's unsupported accesses.
    #[must_use]
    pub fn diagnostics(&self) -> &Diagnostics {
        &self.system.diagnostics
    }

    /// Returns the broken rules by first occurrence, and the number of breaks after the first 1,000 places.
    #[must_use]
    pub fn findings(&self) -> (&[Finding], u64) {
        self.system.findings()
    }

    /// Returns the devices and memory.
    #[must_use]
    pub fn system(&self) -> &System {
        &self.system
    }

    /// Returns the console text since the last call: output through dcload and the serial port.
    pub fn take_console(&mut self) -> Vec<u8> {
        let mut text = std::mem::take(&mut self.host.console);
        text.extend(self.system.scif.take_sent());
        text
    }

    pub(crate) fn waiting_text(&self) -> usize {
        self.host.console.len() + self.system.scif.sent()
    }

    /// Returns the word at an address in RAM.
    #[must_use]
    pub fn word(&self, address: u32) -> Option<u32> {
        let bytes = self.system.ram_at(address & 0x1FFF_FFFF, 4)?;
        bytes.first_chunk().map(|bytes| u32::from_le_bytes(*bytes))
    }

    /// Returns the CPU's clock in Hz.
    #[must_use]
    pub fn cpu_hz(&self) -> u64 {
        self.system.settings.cpu_hz.hz()
    }

    /// Selects the conversion of interlaced modes in [`Self::picture`].
    pub fn set_deinterlace(&mut self, deinterlace: Deinterlace) {
        self.deinterlace = deinterlace;
    }

    /// Returns the picture on the screen, without border: the displayed lines and columns of the framebuffer.
    #[must_use]
    pub fn picture(&self) -> Picture {
        let registers = self.system.pvr.registers();
        let interlaced = registers.get(reg::SPG_CONTROL) >> 4 & 1 != 0;
        let field = match (self.deinterlace, self.system.spg.field()) {
            (Deinterlace::Bob, false) if interlaced => Field::First,
            (Deinterlace::Bob, true) if interlaced => Field::Second,
            _ => Field::Both,
        };
        let picture = self.system.pvr.scan_out(registers, field, Border::Cropped);
        match field {
            Field::Both => picture,
            Field::First | Field::Second => lines_doubled(picture),
        }
    }

    /// Returns the byte at `address` as the CPU would read it, without side effects, for debuggers. Returns
    /// `None` outside memory.
    pub fn peek(&mut self, address: u32) -> Option<u8> {
        if self.caches
            && let Some(byte) = self.system.cache.held(address)
        {
            return Some(*byte);
        }
        self.system.peek(address)
    }

    /// Plugs a peripheral into port `port` (0 to 3), as the main unit (`unit` 0) or sub-unit 1 to 5. Returns
    /// false if the port or unit does not exist.
    pub fn plug(&mut self, port: usize, unit: usize, peripheral: Option<Box<dyn Peripheral>>) -> bool {
        let place = self
            .system
            .maple
            .ports
            .get_mut(port)
            .and_then(|port| port.units.get_mut(unit));
        place.map(|place| *place = peripheral).is_some()
    }

    /// Returns the visual memory in sub-unit `unit` (1 to 5) of port `port`, if there is one.
    #[must_use]
    pub fn vmu(&self, port: usize, unit: usize) -> Option<&Vmu> {
        self.system
            .maple
            .ports
            .get(port)?
            .units
            .get(unit)?
            .as_ref()?
            .as_vmu()
    }

    /// Returns the first port with a keyboard, and the first port with a mouse.
    pub fn keyboard_and_mouse(&mut self) -> [Option<usize>; 2] {
        let is_keyboard = |unit: &mut Box<dyn Peripheral>| unit.as_keyboard().is_some();
        let is_mouse = |unit: &mut Box<dyn Peripheral>| unit.as_mouse().is_some();
        [is_keyboard, is_mouse].map(|is| (0..4).find(|port| self.main_unit(*port).is_some_and(is)))
    }

    /// Runs until `until`, or until the program ends.
    pub fn run(&mut self, until: Until) -> Ended {
        self.run_observed(until, &mut ())
    }

    /// Reports the broken rule that caused an abnormal end.
    pub(crate) fn check_end(&mut self, ended: &Ended) {
        if self.system.checks.is_none() {
            return;
        }
        let cpu = &self.cpu;
        // The CPU took an exception with a vector outside memory, so no handler has read EXPEVT.
        let entered = |fault: &Fault| is_fetch(fault) && fault.pc == cpu.vbr.wrapping_add(EXCEPTION);
        match ended {
            Ended::Unhandled => self.system.exception(cpu),
            Ended::Fault(Stop::Fault(fault)) if entered(fault) => self.system.exception(cpu),
            Ended::Fault(Stop::Fault(fault)) => {
                self.system.check_fault(fault);
            }
            Ended::Fault(Stop::Reset { event, pc }) => {
                let address = match event {
                    Event::AddressError { address, .. } | Event::Tlb { address, .. } => *address,
                    _ => 0,
                };
                self.system.raised(event.code(), *pc, address);
            }
            _ => {}
        }
        self.system.settle(&self.cpu);
    }

    /// Returns the reason why a pending Holly interrupt does not reach the CPU. Without a pending one,
    /// returns the reason why the vertical blank raises none.
    #[must_use]
    pub fn held_back(&self) -> Option<String> {
        self.system.events.held_back(self.cpu.sr())
    }
}

pub(crate) fn is_fetch(fault: &Fault) -> bool {
    matches!(
        fault.kind,
        FaultKind::Bus {
            direction: Direction::Fetch,
            ..
        }
    )
}
