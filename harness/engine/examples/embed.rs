//! Embeds the engine: runs a routine, counts its instructions, logs its stores, and serves its system call.
//!
//! `cargo run -p swirl-engine --example embed`

use std::error::Error;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use engine::{Engine, Permission, Reason, Register};
use sh4::{Direction, Settings};

const CODE: u32 = 0x8C01_0000;
const DATA: u32 = 0x8C02_0000;

/// Adds the R5 words at R4, stores the sum behind them, and reports it by TRAPA #34.
const SUM: [u16; 7] = [
    0xE000, // mov #0,r0
    0x6146, // loop: mov.l @r4+,r1
    0x301C, // add r1,r0
    0x4510, // dt r5
    0x8BFB, // bf loop
    0x2402, // mov.l r0,@r4
    0xC322, // trapa #34
];

fn main() -> Result<(), Box<dyn Error>> {
    let mut engine = Engine::new(Settings::default());
    engine.mem_map(CODE, 0x1000, Permission::READ.and(Permission::EXEC))?;
    engine.mem_map(DATA, 0x1000, Permission::READ.and(Permission::WRITE))?;
    engine.mem_write(CODE, SUM.map(u16::to_le_bytes).as_flattened())?;
    engine.mem_write(DATA, [10u32, 20, 12].map(u32::to_le_bytes).as_flattened())?;
    engine.reg_write(Register::R(4), DATA)?;
    engine.reg_write(Register::R(5), 3)?;

    let count = Arc::new(AtomicU64::new(0));
    let counter = Arc::clone(&count);
    engine.hook_code(CODE..=CODE + 0xFFF, move |_, _, _| {
        counter.fetch_add(1, Ordering::Relaxed);
    });
    let stores = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&stores);
    engine.hook_memory(Some(Direction::Write), DATA..=DATA + 0xFFF, move |_, event| {
        if let Ok(mut log) = log.lock() {
            log.push((event.address, event.value));
        }
    });
    // EXPEVT 160 is TRAPA: the host prints R0, and the routine goes on behind the call.
    engine.hook_interrupt(|guest, code| {
        println!("system call {code:03X}: the sum is {}", guest.cpu.r[0]);
        code == 0x160
    });

    let end = CODE + 2 * SUM.len() as u32;
    let ended = engine.emu_start(CODE, end, Duration::from_secs(1), 1000)?;
    let stores = stores.lock().map_err(|_| "a hook failed")?;
    println!(
        "ended: {:?}, {} instructions",
        ended.reason,
        count.load(Ordering::Relaxed)
    );
    println!("stores: {stores:08X?}");
    if ended.reason == Reason::Until && engine.reg_read(Register::R(0))? == 42 {
        Ok(())
    } else {
        Err("the sum of 10, 20 and 12 is not 42".into())
    }
}
