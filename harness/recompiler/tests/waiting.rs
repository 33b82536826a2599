//! Random loops that wait for a clock: both engines give the same registers, times and counts.

use crate::random::{Random, setting};
use sh4::flat::FlatBus;
use sh4::{Bus, BusError, Cpu, Settings, TimedRead, Window};
use sh4_recompiler::{Options, Recompiler};

const BASE: u32 = 0x8C00_0000;
/// Counts down by 1 every [`Clock::period`] instructions.
const COUNTER: u32 = 0xA500_0000;
/// Changes once, at [`Clock::flag_at`].
const FLAG: u32 = 0xA500_0004;
/// First value of the counter.
const START: u32 = 1_000;

/// Memory, and two registers that depend on the number of executed instructions.
struct Clock {
    flat: FlatBus,
    /// Time of a deferred access.
    now: Option<u64>,
    /// Value of the counter at a time.
    start: (u32, u64),
    period: u64,
    flag_at: u64,
}

impl Clock {
    fn count(&self, retired: u64) -> u32 {
        let ticks = (retired - self.start.1) / self.period;
        self.start.0.wrapping_sub(ticks as u32)
    }

    fn register(&self, address: u32, retired: u64) -> Option<u32> {
        match address {
            COUNTER => Some(self.count(retired)),
            FLAG => Some(u32::from(retired >= self.flag_at)),
            _ => None,
        }
    }
}

macro_rules! flat {
    ($($read:ident $write:ident $value:ty;)+) => {$(
        fn $read(&mut self, address: u32) -> Result<$value, BusError> {
            self.flat.$read(address)
        }

        fn $write(&mut self, address: u32, value: $value) -> Result<(), BusError> {
            self.flat.$write(address, value)
        }
    )+};
}

impl Bus for Clock {
    flat! { read8 write8 u8; read16 write16 u16; read64 write64 u64; }

    fn read32(&mut self, address: u32) -> Result<u32, BusError> {
        if !matches!(address, COUNTER | FLAG) {
            return self.flat.read32(address);
        }
        let now = self.now.ok_or(BusError::Deferred)?;
        self.register(address, now).ok_or(BusError::Unmapped)
    }

    fn write32(&mut self, address: u32, value: u32) -> Result<(), BusError> {
        if address != COUNTER {
            return self.flat.write32(address, value);
        }
        self.start = (value, self.now.ok_or(BusError::Deferred)?);
        Ok(())
    }

    fn begin_deferred(&mut self, retired: u64, _: Option<u64>) {
        self.now = Some(retired);
    }

    fn end_deferred(&mut self) -> bool {
        self.now = None;
        false
    }

    fn read_timed(&mut self, address: u32, log2: u32, retired: u64) -> Option<TimedRead> {
        let value = self.register(address, retired).filter(|_| log2 == 2)?;
        let ticks = (retired - self.start.1) / self.period;
        let (until, period) = match address {
            COUNTER => (self.start.1 + (ticks + 1) * self.period, self.period),
            _ if retired < self.flag_at => (self.flag_at, 0),
            _ => (u64::MAX, 0),
        };
        Some(TimedRead {
            value: value.into(),
            until,
            period,
        })
    }

    fn fetch(&mut self, address: u32) -> Result<u16, BusError> {
        self.flat.fetch(address)
    }

    fn prefetch(&mut self, _: u32) -> Result<(), BusError> {
        Ok(())
    }

    fn window(&mut self) -> Option<Window<'_>> {
        self.flat.window()
    }

    fn code_watch(&mut self, address: u32, bytes: u32) {
        self.flat.code_watch(address, bytes);
    }

    fn code_epoch(&self) -> u64 {
        self.flat.code_epoch()
    }

    fn code_version(&self, address: u32) -> u64 {
        self.flat.code_version(address)
    }
}

/// Random loop: reads of memory and of the clock, comparisons, forward branches, and rarely a store to the
/// counter.
fn code(random: &mut Random) -> Vec<u16> {
    let length = 2 + random.below(9) as i32;
    let mut code: Vec<u16> = (0..length)
        .map(|at| {
            let (n, m) = (3 + random.below(3) as u16, 3 + random.below(3) as u16);
            // Branches inside the loop, or to the SLEEP after it.
            let forward = random.below((length - at) as u32 + 3) as u16;
            let kinds = if random.chance(10) { 14 } else { 12 };
            match random.below(kinds) {
                0 | 1 => 0x6012 | n << 8,
                2 | 3 => 0x6002 | n << 8 | (random.below(3) as u16) << 4,
                4 => 0x2008 | n << 8 | m << 4,
                5 => 0x3000 | n << 8 | m << 4,
                6 => 0x3002 | n << 8 | m << 4,
                7 => 0x6003 | n << 8 | m << 4,
                8 | 9 => [0x8900, 0x8B00][random.below(2) as usize] | forward,
                10 => 0x4610,
                11 => 0x3008 | n << 8 | m << 4,
                12 => 0x2272,
                _ => 0x7001 | n << 8,
            }
        })
        .collect();
    // bra or bt or bf to the beginning
    let back = (-length - 2) as u16;
    code.push(match random.below(3) {
        0 => 0xA000 | back & 0xFFF,
        1 => 0x8900 | back & 0xFF,
        _ => 0x8B00 | back & 0xFF,
    });
    code.extend([0x0009, 0x001B, 0x001B, 0x001B]);
    code
}

#[test]
fn random_waiting_loops_are_the_same() {
    let cases = setting("SWIRL_RECOMPILER_WAITS", 1_000);
    let mut ran = (0, 0);
    for number in 0..cases {
        let mut random = Random::new(number);
        let code: Vec<u8> = code(&mut random)
            .iter()
            .flat_map(|word| word.to_le_bytes())
            .collect();
        let (period, flag_at) = (
            1 + u64::from(random.below(60)),
            500 + u64::from(random.below(9_000)),
        );
        let registers: [u32; 8] = std::array::from_fn(|_| random.below(4));
        let slices: [u64; 6] = std::array::from_fn(|_| 1 + u64::from(random.below(4_000)));
        let states = [4, u32::MAX].map(|hot| {
            let mut clock = Clock {
                flat: FlatBus::new(BASE, 0x1000),
                now: None,
                start: (START, 0),
                period,
                flag_at,
            };
            clock.flat.load(BASE, &code);
            let mut cpu = Cpu::new(Settings::default());
            cpu.r[..8].copy_from_slice(&registers);
            (cpu.r[0], cpu.r[1], cpu.r[2]) = (FLAG, BASE + 0x800, COUNTER);
            cpu.r[6] = 3 + registers[6] * 1_000;
            cpu.pc = BASE;
            let mut recompiler = Recompiler::new(Options { hot }).unwrap();
            let runs = slices.map(|limit| {
                let run = cpu.run_accelerated(&mut clock, None, limit, &mut recompiler);
                (run, cpu.pc, cpu.r, cpu.t, cpu.retired())
            });
            let statistics = recompiler.statistics();
            ran = (ran.0 + statistics.executed, ran.1 + statistics.calls);
            (runs, clock.start)
        });
        assert_eq!(states[0], states[1], "loop {number}");
    }
    println!(
        "waiting: {cases} loops, {} compiled instructions, {} calls",
        ran.0, ran.1
    );
    assert!(ran.0 > 1_000 * cases);
}
