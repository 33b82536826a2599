//! Emulates a tenth of a second of sound: the ARM7 in two loops, and 64 channels without the ARM7.

#![allow(missing_docs, reason = "a bench")]

use aica::{Aica, SAMPLE_RATE, register as at};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// A driver that polls: ldr r4, [r3]; str r4, [r5]; cmp r4, r6; addne r7, r7, #1; b. 10 cycles, 5
/// instructions.
const WAITING: [u32; 5] = [0xE593_4000, 0xE585_4000, 0xE154_0004, 0x1287_7001, 0xEAFF_FFFA];
/// A mixer: ldr r4, [r3], #4; mov r5, r4, asr #16; mul r6, r5, r8; add r7, r7, r6, asr #8; eor r9, r9, r7;
/// and r3, r3, #0xFF00; subs r10, r10, #1; b.
const MIXING: [u32; 8] = [
    0xE493_4004,
    0xE1A0_5844,
    0xE006_0895,
    0xE087_7446,
    0xE029_9007,
    0xE203_3CFF,
    0xE25A_A001,
    0xEAFF_FFF7,
];

fn with_program(program: &[u32]) -> Aica {
    let mut aica = Aica::default();
    let bytes: Vec<u8> = program.iter().flat_map(|word| word.to_le_bytes()).collect();
    aica.ram_mut()[..bytes.len()].copy_from_slice(&bytes);
    aica.write(at::ARM_RESET, 4, 0);
    aica
}

fn with_channels() -> Aica {
    let mut aica = Aica::default();
    for n in 0..64 {
        let base = n * at::CHANNEL;
        aica.write(base + at::channel::LOOP_END, 4, 1000 + n);
        aica.write(base + at::channel::ENVELOPE, 4, 31);
        aica.write(base + at::channel::PITCH, 4, n);
        aica.write(base, 4, 0xC200);
    }
    aica
}

/// 64 channels of 4-bit samples with filter, both LFOs, both sends and mixing. The effect program has 128
/// steps; every second one accesses memory.
fn with_everything() -> Aica {
    let mut aica = Aica::default();
    aica.set_audio(true);
    aica.write(at::MASTER, 4, 15);
    for (n, byte) in aica.ram_mut().iter_mut().enumerate() {
        *byte = ((n * 7) ^ (n >> 3)) as u8;
    }
    for n in 0..64 {
        let base = n * at::CHANNEL;
        let registers = [
            (at::channel::LOOP_END, 1000 + n),
            (at::channel::ENVELOPE, 31),
            (at::channel::PITCH, 8 * n),
            (at::channel::LFO, 20 << 10 | 2 << 8 | 3 << 5 | 2 << 3 | 3),
            (at::channel::SEND, 0xF0 | (n % 16)),
            (at::channel::DIRECT, 0xA00 | (n % 32)),
            (at::channel::LEVEL, 8),
        ];
        for (offset, value) in registers {
            aica.write(base + offset, 4, value);
        }
        for step in 0..5 {
            aica.write(base + at::channel::FILTER_LEVEL + 4 * step, 4, 0x1A00);
        }
        aica.write(base, 4, 0xC300 | n);
    }
    for n in 0..128 {
        aica.write(at::DSP_COEFFICIENTS + 4 * n, 4, 0x2000 + 64 * n);
        // X is an input or MEMS, Y the coefficient. Each step writes TEMP; odd steps access memory.
        let memory = if n % 2 == 0 { 0 } else { 0x2000 << (n / 2 % 2) };
        let words = [
            0x0100 | n << 9 | n,
            0xA000 | (n % 64) << 7 | 0x40,
            memory | 0x40,
            (n % 64) << 9,
        ];
        for (part, word) in (0..).zip(words) {
            aica.write(at::DSP_PROGRAM + 16 * n + 4 * part, 4, word & 0xFFFF);
        }
    }
    aica
}

fn advance(c: &mut Criterion) {
    let samples = SAMPLE_RATE / 10;
    let mut group = c.benchmark_group("advance");
    group.throughput(Throughput::Elements(samples.into()));
    let cases = [
        ("waiting loop", with_program(&WAITING)),
        ("mixing loop", with_program(&MIXING)),
        ("64 channels", with_channels()),
        ("64 channels, filter, LFO and DSP, mixed", with_everything()),
        ("idle", Aica::default()),
    ];
    for (name, mut aica) in cases {
        group.bench_function(name, |b| {
            b.iter(|| {
                aica.advance(samples);
                aica.take_audio()
            })
        });
    }
    group.finish();
}

criterion_group!(benches, advance);
criterion_main!(benches);
