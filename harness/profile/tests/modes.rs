//! Compares both modes with a plain model that caches no results. It runs each instruction through the
//! pipeline and each access through memory, in order.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a failing helper fails its test"
)]

use crate::assemble::assemble;
use machine::{Image, Machine, Observer, Retired};
use profile::{Profile, Profiler};
use proptest::prelude::*;
use std::path::Path;
use timing::memory::{Conflict, MemoryStats, Misses, Prefetches};
use timing::{Counter, CycleCounts, PlainCounter, Setup};

const CODE: u32 = 0x8C01_0000;
const DATA: u32 = 0x8C10_0000;

/// Reports single instructions to an observer instead of blocks.
struct OneByOne<O>(O);

impl<O: Observer> Observer for OneByOne<O> {
    fn retire(&mut self, event: &Retired<'_>) {
        self.0.retire(event);
    }
}

/// Results of the memory model, without the order in which they were recorded.
type MemoryResults = (
    Vec<(u32, Misses)>,
    Vec<(u32, Prefetches)>,
    Vec<Conflict>,
    [u64; 15],
);

fn told(stats: &MemoryStats) -> MemoryResults {
    let counts = [
        stats.accesses,
        stats.cached_reads,
        stats.cached_writes,
        stats.read_misses,
        stats.write_misses,
        stats.instruction_misses,
        stats.operand_fills,
        stats.operand_fill_ticks,
        stats.write_backs,
        stats.queue_flushes,
        stats.on_chip,
        stats.bus_busy,
        stats.row_hits,
        stats.row_misses,
        stats.turns,
    ];
    (stats.ranges(), stats.prefetches(), stats.conflicts(), counts)
}

fn same(name: &str, profile: &Profile, plain: &CycleCounts) {
    assert_eq!(profile.ledger, plain.ledger, "{name}: ledger");
    assert_eq!(profile.counts, plain.counts, "{name}: counts");
    assert_eq!(profile.events, plain.events, "{name}: events");
    assert_eq!(told(&profile.memory), told(&plain.memory), "{name}: memory");
}

/// Results of a profiler by instruction.
fn listing(profile: &Profile) -> Vec<(u32, profile::Costs, u64, u64)> {
    let sites = profile.sites.iter();
    sites
        .map(|site| (site.pc, site.costs, site.second, site.looped))
        .collect()
}

/// Runs a program four times: with the plain model, with the counter, and with the profiler by blocks and by
/// instructions. All results must be equal.
fn agree(name: &str, start: &Machine, limit: u64) -> u64 {
    let run = |observer: &mut dyn FnMut(&mut Machine) -> u64| observer(&mut start.clone());
    let setup = Setup::default;
    let (mut plain, mut counter) = (PlainCounter::new(setup()), Counter::new(setup()));
    let mut blocks = Profiler::new(setup());
    let mut single = OneByOne(Profiler::new(setup()));
    let pc = start.cpu.pc;
    let ran = run(&mut |machine| machine.emu_start_hooked(pc, None, limit, &mut plain).instructions);
    run(&mut |machine| {
        machine
            .emu_start_hooked(pc, None, limit, &mut counter)
            .instructions
    });
    run(&mut |machine| {
        machine
            .emu_start_hooked(pc, None, limit, &mut blocks)
            .instructions
    });
    run(&mut |machine| {
        machine
            .emu_start_hooked(pc, None, limit, &mut single)
            .instructions
    });
    let (plain, counted) = (plain.finish(), Profile::from(counter.finish()));
    let (blocks, single) = (blocks.finish(), single.0.finish());
    same(name, &counted, &plain);
    same(name, &blocks, &plain);
    assert_eq!(listing(&blocks), listing(&single), "{name}: listing");
    assert_eq!(blocks.calls.edges(), single.calls.edges(), "{name}: calls");
    assert_eq!(
        (blocks.chain, blocks.interval),
        (single.chain, single.interval),
        "{name}: chain and interval"
    );
    let steps =
        |profile: &Profile| -> Vec<String> { profile.steps.iter().map(|step| format!("{step:?}")).collect() };
    assert_eq!(steps(&blocks), steps(&single), "{name}: steps");
    let cycles: u64 = blocks.sites.iter().map(|site| site.costs.cycles).sum();
    assert_eq!(cycles, blocks.cycles().0, "{name}: parts and whole");
    ran
}

#[test]
fn speed_programs() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../roms/speed");
    let mut programs = 0;
    for name in [
        "int_crc",
        "mem_copy",
        "fpu_ftrv",
        "fpu_mixed",
        "fpu_mixfmac",
        "c_mix",
    ] {
        let bytes = std::fs::read(folder.join(format!("{name}.elf"))).unwrap();
        let image = Image::parse(&bytes).unwrap();
        let mut machine = Machine::new();
        machine.load(&image).unwrap();
        assert_eq!(agree(name, &machine, 3_000_000), 3_000_000, "{name}");
        programs += 1;
    }
    println!("speed programs: {programs} by all modes");
}

/// An instruction of a random kernel. R8 to R12 point to data, R13 counts the loop, R14 holds the address of
/// a routine.
fn instruction() -> impl Strategy<Value = String> {
    let (n, base) = (0..8_u8, 8..13_u8);
    let registers = (n.clone(), 0..8_u8);
    let pair = (n, base);
    prop_oneof![
        2 => registers.clone().prop_flat_map(|(m, n)| prop::sample::select(vec![
            format!("add r{m},r{n}"),
            format!("mov r{m},r{n}"),
            format!("cmp/gt r{m},r{n}"),
            format!("tst r{m},r{n}"),
            format!("mul.l r{m},r{n}"),
            format!("shad r{m},r{n}"),
            format!("dt r{n}"),
            format!("sts macl,r{n}"),
        ])),
        2 => pair.prop_flat_map(|(m, n)| prop::sample::select(vec![
            format!("mov.l @r{n},r{m}"),
            format!("mov.l r{m},@r{n}"),
            format!("mov.l @r{n}+,r{m}"),
            format!("mov.l r{m},@-r{n}"),
            format!("mov.b r{m},@r{n}"),
            format!("fmov.s @r{n}+,fr{m}"),
            format!("fmov.s fr{m},@-r{n}"),
            format!("pref @r{n}"),
            format!("ocbp @r{n}"),
            format!("ocbwb @r{n}"),
            format!("ocbi @r{n}"),
            format!("movca.l r0,@r{n}"),
            format!("tas.b @r{n}"),
            format!("mac.l @r{n}+,@r{n}+"),
            format!("add #96,r{n}"),
            format!("add #-128,r{n}"),
        ])),
        1 => registers.prop_flat_map(|(m, n)| prop::sample::select(vec![
            format!("fadd fr{m},fr{n}"),
            format!("fmul fr{m},fr{n}"),
            format!("fmac fr0,fr{m},fr{n}"),
            format!("fdiv fr{m},fr{n}"),
            format!("ftrv xmtrx,fv{}", 4 * (n / 4)),
            format!("fipr fv0,fv{}", 4 * (n / 4)),
            format!("lds r{m},fpul"),
            format!("float fpul,fr{n}"),
            "frchg".to_owned(),
            "nop".to_owned(),
        ])),
        // Branches over one instruction that can be cancelled, over one that cannot, and over two; also with
        // delay slots.
        1 => (0..8_u8, any::<bool>(), 0..4_u32).prop_map(|(n, when, kind)| {
            let branch = if when { "bt" } else { "bf" };
            match kind {
                0 => format!("{branch} 0x00000004;add #1,r{n}"),
                1 => format!("{branch} 0x00000004;mov.l r{n},@r8"),
                2 => format!("{branch} 0x00000002"),
                _ => format!("{branch}/s 0x00000006;cmp/pl r{n};nop"),
            }
        }),
        // A routine after the kernel.
        1 => Just("jsr @r14;add #1,r7".to_owned()),
    ]
}

/// A kernel: a loop with random code that ends in SLEEP, and a routine with a part of the code.
fn kernel(body: &[String], called: &[String]) -> (Vec<u16>, u32) {
    let flat = |lines: &[String]| -> Vec<u16> {
        let texts = lines.iter().flat_map(|line| line.split(';'));
        texts.map(|text| assemble(text).0).collect()
    };
    let mut code = flat(body);
    // DT R13, BF to the beginning. The displacement has 8 bits, so longer kernels loop over their end only.
    code.push(assemble("dt r13").0);
    let back = (code.len() as u16 + 2).min(0x80);
    code.push(0x8B00 | 0x100_u16.wrapping_sub(back) & 0xFF);
    code.push(assemble("sleep").0);
    let routine = CODE + 2 * code.len() as u32;
    let inner: Vec<String> = called
        .iter()
        .filter(|line| !line.contains("jsr"))
        .cloned()
        .collect();
    code.extend(flat(&inner));
    code.extend([assemble("rts").0, assemble("nop").0]);
    (code, routine)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]
    #[test]
    fn random_kernels(
        body in prop::collection::vec(instruction(), 1..60),
        called in prop::collection::vec(instruction(), 0..12),
        times in 1..40_u32,
        spread in 0..5_u32,
    ) {
        let (code, routine) = kernel(&body, &called);
        let bytes: Vec<u8> = code.iter().flat_map(|word| word.to_le_bytes()).collect();
        let mut machine = Machine::new();
        machine.memory_mut().write(CODE, &bytes).unwrap();
        for i in 0..8 {
            machine.cpu.r[i] = 0x0102_0304 * i as u32;
            machine.cpu.fr[i] = (1.5 + i as f32).to_bits();
            machine.cpu.xf[i] = (0.5 + i as f32).to_bits();
        }
        for i in 0..5 {
            // Addresses in one line, in neighbouring lines, in the same cache entries, and in other areas.
            let distance = [0x4, 0x20, 0x4000, 0x1_0020, 0x8000][spread as usize];
            machine.cpu.r[8 + i] = DATA + 0x2000 + i as u32 * distance;
        }
        machine.cpu.r[12] = 0x0C10_2000;
        machine.cpu.r[13] = times;
        machine.cpu.r[14] = routine;
        machine.cpu.pc = CODE;
        agree("kernel", &machine, 3_000);
    }
}

/// Starts both counters, reads them, runs a loop, and reads them again. Registers hold the addresses and
/// event codes.
fn counted_loop() -> (Machine, [u32; 2]) {
    let text = [
        "mov.w r5,@r1",
        "mov.w r6,@r2",
        "mov.l @r3,r8",
        "mov.l @r4,r9",
        "mov.l @r10+,r0",
        "fdiv fr1,fr2",
        "mul.l r0,r0",
        "add #28,r10",
        "mov.l r0,@r10",
        "bt 0x00000004",
        "add #1,r14",
        "dt r7",
        "bf 0xfffffff2",
        "mov.l @r3,r11",
        "mov.l @r4,r12",
        "sleep",
    ];
    let words = text.map(|text| assemble(text).0);
    let mut machine = Machine::new();
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    machine.memory_mut().write(CODE, &bytes).unwrap();
    let r = &mut machine.cpu.r;
    // PMCR1, PMCR2, PMCTR1L, PMCTR2L.
    r[1..5].copy_from_slice(&[0xFF00_0084, 0xFF00_0088, 0xFF10_0008, 0xFF10_0010]);
    r[7] = 50;
    r[10] = DATA;
    machine.cpu.fr[1] = 3.0_f32.to_bits();
    machine.cpu.pc = CODE;
    (machine, [CODE + 4, CODE + 26])
}

/// Returns the count of each event at the program's first and second read of a counter.
fn at_the_reads(machine: &Machine, reads: [u32; 2]) -> [timing::events::EventCounts; 2] {
    reads.map(|read| {
        let mut plain = PlainCounter::new(Setup::default());
        let mut machine = machine.clone();
        let halt = machine.emu_start_hooked(CODE, Some(read), 10_000, &mut plain);
        assert_eq!(halt.stop, machine::Stop::Until);
        plain.events()
    })
}

/// PMCTR must return the same counts to the program as the report for the same span: for each event, in both
/// modes, in both counters.
#[test]
fn the_guest_reads_the_same_figures() {
    fn read<O: Observer>(machine: &Machine, code: u8, mut observer: O) -> [u32; 2] {
        let mut machine = machine.clone();
        machine.cpu.r[5] = 0xC000 | u32::from(code);
        machine.cpu.r[6] = 0xC000 | u32::from(code);
        machine.emu_start_hooked(CODE, None, 10_000, &mut observer);
        assert_eq!(machine.cpu.uncounted_events(), 0);
        let r = &machine.cpu.r;
        [r[11] - r[8], r[12] - r[9]]
    }
    let (machine, reads) = counted_loop();
    let [first, second] = at_the_reads(&machine, reads);
    let other = at_the_reads(&machine, reads.map(|read| read + 2));
    let mut not_zero = 0;
    for event in timing::events::EVENTS {
        let between = |a: &timing::events::EventCounts, b: &timing::events::EventCounts| {
            (b.get(event.code).unwrap() - a.get(event.code).unwrap()) as u32
        };
        let expected = [between(&first, &second), between(&other[0], &other[1])];
        let counted = read(&machine, event.code, Counter::new(Setup::default()));
        let explained = read(&machine, event.code, Profiler::new(Setup::default()));
        assert_eq!(counted, expected, "{}, counting", event.text);
        assert_eq!(explained, expected, "{}, explaining", event.text);
        not_zero += u32::from(expected != [0, 0]);
    }
    println!("{not_zero} events happened");
    assert!(not_zero > 15);
}
