//! An SH-4 emulator to embed in other programs, with the calls of the Unicorn engine.
//!
//! | Unicorn | here |
//! |---|---|
//! | `uc_open`, `uc_close` | [`Engine::new`], dropping it |
//! | `uc_mem_map`, `uc_mem_unmap`, `uc_mem_protect` | [`Engine::mem_map`], [`Engine::mem_unmap`], [`Engine::mem_protect`] |
//! | `uc_mem_regions` | [`Mapped::regions`] of [`Engine::memory`] |
//! | `uc_mem_read`, `uc_mem_write` | [`Engine::mem_read`], [`Engine::mem_write`] |
//! | `uc_reg_read`, `uc_reg_write` | [`Engine::reg_read`], [`Engine::reg_write`]; or the fields of [`Engine::cpu`] |
//! | `uc_emu_start(begin, until, timeout, count)` | [`Engine::emu_start`] |
//! | `uc_emu_stop` | [`Engine::emu_stop`], or a [`StopHandle`] in a hook or another thread |
//! | `uc_hook_add(UC_HOOK_CODE)` | [`Engine::hook_code`] |
//! | `uc_hook_add(UC_HOOK_BLOCK)` | [`Engine::hook_block`] |
//! | `uc_hook_add(UC_HOOK_MEM_READ, _WRITE, _FETCH)` | [`Engine::hook_memory`] |
//! | `uc_hook_add(UC_HOOK_MEM_*_UNMAPPED, _PROT)` | [`Engine::hook_memory_error`] |
//! | `uc_hook_add(UC_HOOK_INTR)` | [`Engine::hook_interrupt`] |
//! | `uc_hook_add(UC_HOOK_INSN_INVALID)` | [`Engine::hook_invalid`] |
//! | `uc_hook_del` | [`Engine::hook_delete`] |
//! | `uc_context_save`, `uc_context_restore` | [`Engine::context_save`], [`Engine::context_restore`] |
//!
//! Differences: memory is mapped at physical addresses, so that P0, P1, P2 and P3 show the same (as on the
//! chip with translation off); regions need no page alignment; a branch and its delay slot are never parted,
//! so `until` is not seen in a slot and `count` may be passed by one; the hooks of a slot are called before
//! its branch runs.
//!
//! ```
//! use engine::{Engine, Permission, Register};
//! use std::time::Duration;
//!
//! let mut engine = Engine::new(sh4::Settings::default());
//! engine.mem_map(0x8C01_0000, 0x1000, Permission::ALL)?;
//! engine.mem_write(0x8C01_0000, &[0x4C, 0x34])?; // add r4,r4
//! engine.reg_write(Register::R(4), 21)?;
//! engine.emu_start(0x8C01_0000, 0x8C01_0002, Duration::ZERO, 0)?;
//! assert_eq!(engine.reg_read(Register::R(4))?, 42);
//! # Ok::<(), engine::EngineError>(())
//! ```

mod bus;
mod hooked;
mod hooks;
mod limits;
mod memory;
mod register;
mod run;

pub use hooks::{Guest, HookId, MemoryError, MemoryEvent};
pub use limits::LIMITS;
pub use memory::{Mapped, Permission, RegionInfo};
pub use register::Register;
pub use run::{Ended, Reason};

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use hooks::Hooks;
use sh4::{Cpu, Settings, Stop};

/// The reasons why a call of an engine fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EngineError {
    /// A range that is empty, wraps, lies above DFFFFFFF, or makes all regions together larger than 256 MiB.
    #[error("{size} bytes at {address:08X} cannot be mapped: {reason}")]
    Map {
        /// First address.
        address: u32,
        /// Length.
        size: u32,
        /// Why not.
        reason: &'static str,
    },
    /// Not all of the range is mapped.
    #[error("{size} bytes at {address:08X} are not all mapped")]
    Unmapped {
        /// First address.
        address: u32,
        /// Length.
        size: u32,
    },
    /// There is no such register.
    #[error("there is no register {0:?}")]
    Register(Register),
    /// The program stopped for a reason that no hook took care of.
    #[error("{stop}, after {executed} instructions")]
    Stopped {
        /// The reason.
        stop: Stop,
        /// Instructions that ran.
        executed: u64,
    },
}

/// Ends a run from a hook or another thread.
#[derive(Clone, Debug, Default)]
pub struct StopHandle(Arc<AtomicBool>);

impl StopHandle {
    /// The run ends before the next instruction where hooks are called, and within some ten thousand
    /// instructions otherwise. Without a run there is nothing to end.
    pub fn emu_stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    pub(crate) fn peek(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    pub(crate) fn take(&self) -> bool {
        self.0.swap(false, Ordering::Relaxed)
    }
}

/// The registers at some time.
#[derive(Clone, Debug, PartialEq)]
pub struct Context(Cpu);

/// A CPU, memory, and hooks.
#[derive(Debug)]
pub struct Engine {
    /// The CPU; its registers are public.
    pub cpu: Cpu,
    memory: Mapped,
    hooks: Hooks,
    stop: StopHandle,
}

impl Engine {
    /// A CPU after reset, and no memory.
    #[must_use]
    pub fn new(settings: Settings) -> Engine {
        Engine {
            cpu: Cpu::new(settings),
            memory: Mapped::default(),
            hooks: Hooks::default(),
            stop: StopHandle::default(),
        }
    }

    /// The memory.
    #[must_use]
    pub fn memory(&self) -> &Mapped {
        &self.memory
    }

    /// The memory, to be changed.
    pub fn memory_mut(&mut self) -> &mut Mapped {
        &mut self.memory
    }

    /// Adds `size` zero bytes of memory at `address`. See [`Mapped::map`].
    ///
    /// # Errors
    /// [`EngineError::Map`].
    pub fn mem_map(&mut self, address: u32, size: u32, permission: Permission) -> Result<(), EngineError> {
        self.memory.map(address, size, permission)
    }

    /// Takes memory away. See [`Mapped::unmap`].
    ///
    /// # Errors
    /// If not all of the range is mapped.
    pub fn mem_unmap(&mut self, address: u32, size: u32) -> Result<(), EngineError> {
        self.memory.unmap(address, size)
    }

    /// Changes what the program may do with memory. See [`Mapped::protect`].
    ///
    /// # Errors
    /// If not all of the range is mapped.
    pub fn mem_protect(
        &mut self,
        address: u32,
        size: u32,
        permission: Permission,
    ) -> Result<(), EngineError> {
        self.memory.protect(address, size, permission)
    }

    /// Fills `target` from `address` on, whatever the permissions.
    ///
    /// # Errors
    /// If not all of the range is mapped; `target` is unchanged then.
    pub fn mem_read(&self, address: u32, target: &mut [u8]) -> Result<(), EngineError> {
        self.memory.read(address, target)
    }

    /// Copies `source` to `address`, whatever the permissions.
    ///
    /// # Errors
    /// If not all of the range is mapped; nothing is written then.
    pub fn mem_write(&mut self, address: u32, source: &[u8]) -> Result<(), EngineError> {
        self.memory.write(address, source)
    }

    /// A register.
    ///
    /// # Errors
    /// If its number is too large.
    pub fn reg_read(&self, register: Register) -> Result<u32, EngineError> {
        register.read(&self.cpu).ok_or(EngineError::Register(register))
    }

    /// Writes a register. Writing SR and FPSCR exchanges banks as the program's own writes do.
    ///
    /// # Errors
    /// If its number is too large.
    pub fn reg_write(&mut self, register: Register, value: u32) -> Result<(), EngineError> {
        let written = register.write(&mut self.cpu, value);
        written.ok_or(EngineError::Register(register))
    }

    /// Ends the run that is under way when a hook calls it; see [`StopHandle::emu_stop`].
    pub fn emu_stop(&self) {
        self.stop.emu_stop();
    }

    /// A handle for hooks and other threads.
    #[must_use]
    pub fn stop_handle(&self) -> StopHandle {
        self.stop.clone()
    }

    /// The registers as they are. Memory is not in it.
    #[must_use]
    pub fn context_save(&self) -> Context {
        Context(self.cpu.clone())
    }

    /// Puts the registers back.
    pub fn context_restore(&mut self, context: &Context) {
        self.cpu = context.0.clone();
    }
}
