//! Programs and kernels on the interpreter: results, refusals, ends of runs.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a failing helper fails its test"
)]

use std::path::Path;

use machine::{Image, Segment, Symbols};
use roms::AICA_ELF;
use verify::arm7::{self, ARM7, Access, Arm7, KERNELS, Stop, parse};
use verify::user::{Spec, UserVerifier};
use verify::{Argument, Call, Element, Mutate, Processor, SH4, Survey, Verifier};

/// Address of the hand-made programs.
const CODE: u32 = 0x1000;
/// `mov pc, lr`.
const RETURN: u32 = 0xE1A0_F00E;

fn program(code: &[u32]) -> Arm7 {
    let bytes: Vec<u8> = code.iter().flat_map(|opcode| opcode.to_le_bytes()).collect();
    let image = Image {
        entry: CODE,
        segments: vec![Segment {
            address: CODE,
            size: bytes.len() as u32,
            bytes,
            executable: true,
        }],
        symbols: Symbols::default(),
    };
    Arm7::new(image).unwrap()
}

/// Calls the program with words. Returns R0, or the reason for the failure.
fn call_words(arm7: &mut Arm7, words: &[u32]) -> Result<u32, String> {
    let args: Vec<Argument> = words.iter().map(|word| Argument::word(*word)).collect();
    let call = Call {
        returns: Some(Element::U32),
        max_instructions: 10_000,
        ..Call::new(CODE, &args)
    };
    let returned = arm7.call(&call).map_err(|error| error.to_string())?;
    Ok(returned.result.unwrap() as u32)
}

fn stop_of(code: &[u32]) -> String {
    call_words(&mut program(code), &[0; 4]).unwrap_err()
}

#[test]
fn every_kernel_has_its_references_bits() {
    let mut verifier = Verifier::open(&ARM7).unwrap();
    for kernel in KERNELS {
        let report = verifier.run(kernel, 500, 1, |_| {});
        assert!(report.passed(), "{report:?}");
        assert!(report.instructions > 500, "{report:?}");
        println!(
            "{}: 500 cases, {} instructions",
            report.kernel, report.instructions
        );
    }
}

#[test]
fn mutants_are_caught() {
    let how = Mutate {
        changed: 48,
        cases: 200,
        seed: 11,
    };
    let survey = Survey::of(&ARM7, how).unwrap();
    println!("{survey}");
    for (kernel, mutants) in &survey.kernels {
        assert!(mutants.changed() >= 40, "{kernel}: {}", mutants.changed());
    }
    let (caught, changed) = survey.caught();
    assert!(caught * 100 >= changed * 99, "{caught} of {changed}");
}

#[test]
fn references_refuse_what_does_not_fit() {
    use sh4_kernels::{Kernels, Reference, Rng, Value};
    for kernel in KERNELS {
        assert!(Reference.call(kernel, &mut []).is_err(), "{}", kernel.name);
        // The first case with work to do.
        let mut cases = (0..).map(|seed| (kernel.generate)(&mut Rng::new(seed)));
        let mut case = cases
            .find(|case| case.0.iter().all(|v| *v != Value::Value(0)))
            .unwrap();
        for value in &mut case.0 {
            match value {
                Value::Words(words) | Value::WordsMut(words) => words.clear(),
                Value::Halfwords(halves) => halves.clear(),
                Value::Value(_) | Value::TileAccelerator(_) => {}
            }
        }
        assert!(
            Reference.call(kernel, &mut case.args()).is_err(),
            "{}",
            kernel.name
        );
    }
}

/// 4-bit samples by hand. Step 127: nibble 3 adds 127 * 7 / 8 = 111 (of 111.1); the step shrinks to 114 and
/// is limited to 127. Nibble 15 subtracts 127 * 15 / 8 = 238 (of 238.1); the step grows to 127 * 614 / 256 =
/// 304 (of 304.6).
#[test]
fn adpcm_by_hand() {
    use sh4_kernels::{Arg, Kernels, Reference};
    let (mut dst, mut state) = ([0], [0, arm7::adpcm_decode::FIRST_STEP]);
    let mut args = [
        Arg::Words(&[0xF3]),
        Arg::Value(1),
        Arg::WordsMut(&mut dst),
        Arg::WordsMut(&mut state),
        Arg::Value(arm7::adpcm_decode::NO_LIMIT),
    ];
    Reference.call(&arm7::adpcm_decode::KERNEL, &mut args).unwrap();
    assert_eq!(dst, [u32::from((111 - 238i16) as u16) << 16 | 111]);
    assert_eq!(state, [-127i32 as u32, 304]);
}

/// `ldr r0, [r0]; mov pc, lr` at each of four addresses over 44332211 88776655.
#[test]
fn an_unaligned_load_rotates() {
    let mut arm7 = program(&[0xE590_0000, RETURN]);
    Processor::write(
        &mut arm7,
        0x2000,
        &[0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88],
    )
    .unwrap();
    let loaded: Vec<u32> = (0..5)
        .map(|i| call_words(&mut arm7, &[0x2000 + i]).unwrap())
        .collect();
    assert_eq!(
        loaded,
        [0x4433_2211, 0x1144_3322, 0x2211_4433, 0x3322_1144, 0x8877_6655]
    );
}

#[test]
fn unaligned_transfers_by_hand() {
    // str r1, [r0]: the store writes r1 unrotated to the aligned word.
    let mut arm7 = program(&[0xE580_1000, RETURN]);
    call_words(&mut arm7, &[0x2003, 0xCAFE_F00D]).unwrap();
    assert_eq!(
        arm7.read(0x2000, 8).unwrap(),
        [0x0D, 0xF0, 0xFE, 0xCA, 0, 0, 0, 0]
    );
    // swp r0, r1, [r0]: reads the old word rotated, writes the new word unrotated.
    let mut arm7 = program(&[0xE100_0091, RETURN]);
    Processor::write(&mut arm7, 0x2000, &[1, 2, 3, 4]).unwrap();
    assert_eq!(call_words(&mut arm7, &[0x2002, 9]).unwrap(), 0x0201_0403);
    assert_eq!(arm7.read(0x2000, 4).unwrap(), [9, 0, 0, 0]);
    // ldr r2, [r0], #5; mov r0, r0: the base changes by the whole offset.
    let mut arm7 = program(&[0xE490_2005, RETURN]);
    assert_eq!(call_words(&mut arm7, &[0x2001]).unwrap(), 0x2006);
    // cmp r0, r0; ldrne r0, [r0]: the false condition prevents the load.
    let mut arm7 = program(&[0xE150_0000, 0x1590_0000, RETURN]);
    assert_eq!(call_words(&mut arm7, &[0x2001]).unwrap(), 0x2001);
    // ldr pc, [r0, #1]: the loaded 0x1008 is rotated by one byte; add r0, r0, #1 is there.
    let mut arm7 = program(&[0xE590_F001, 0xEAFF_FFFE, 0xE280_0001, RETURN]);
    Processor::write(&mut arm7, 0x2000, &[0, 0x08, 0x10, 0]).unwrap();
    assert_eq!(call_words(&mut arm7, &[0x2000]).unwrap(), 0x2001);
}

#[test]
fn later_instructions_are_refused_before_they_run() {
    // Opcodes that binutils assembles for later architectures.
    let cases = [
        (0xE1D0_00B0, "LDRH is ARMv4"),
        (0xE1C0_00B0, "STRH is ARMv4"),
        (0xE1D0_00D0, "LDRSB is ARMv4"),
        (0xE1D0_00F0, "LDRSH is ARMv4"),
        (0xE1C0_00D0, "LDRD is ARMv5TE"),
        (0xE1C0_00F0, "STRD is ARMv5TE"),
        (0xE081_0392, "UMULL is ARMv3M"),
        (0xE0A1_0392, "UMLAL is ARMv3M"),
        (0xE0C1_0392, "SMULL is ARMv3M"),
        (0xE0E1_0392, "SMLAL is ARMv3M"),
        (0xE12F_FF1E, "BX is ARMv4T"),
        (0xE12F_FF33, "BLX is ARMv5"),
        (0xE16F_0F11, "CLZ is ARMv5"),
        (0xE120_0070, "BKPT is ARMv5"),
        (0xE100_0051, "saturating addition is ARMv5TE"),
        (0xE160_0281, "halfword multiplication is ARMv5TE"),
        (0xE300_0000, "MOVW is ARMv6T2"),
        (0xE320_F000, "NOP or another hint is ARMv6K"),
        (0xE191_0F9F, "LDREX or STREX is ARMv6"),
        (0xE6BF_0070, "a media instruction is ARMv6"),
        (0xFA00_0000, "condition 1111"),
        (0xEE07_0F9A, "a coprocessor instruction"),
        (0xE8B0_0000, "an empty register list has no defined result"),
    ];
    for (opcode, expected) in cases {
        let message = stop_of(&[0xE1A0_0000, opcode, RETURN]);
        assert!(message.contains(expected), "{opcode:08x}: {message}");
        assert!(
            message.contains("at 00001004") && message.contains("after 1 instructions"),
            "{message}"
        );
    }
    println!("refused: {} opcodes", cases.len());
    // An instruction that does not run is not refused.
    assert_eq!(call_words(&mut program(&[RETURN, 0xE1D0_00B0]), &[5]), Ok(5));
}

#[test]
fn what_armv3_has_runs() {
    // mrs r0, cpsr; msr cpsr_flg, r0; msr cpsr_c, r0; mul r0, r1, r2; mla r0, r1, r2, r0; mov pc, lr
    let code = [
        0xE10F_0000,
        0xE128_F000,
        0xE121_F000,
        0xE000_0291,
        0xE020_0291,
        RETURN,
    ];
    assert_eq!(call_words(&mut program(&code), &[0, 6, 7]), Ok(84));
}

#[test]
fn each_bad_end_has_its_name() {
    assert!(stop_of(&[0xEAFF_FFFE]).contains("instruction limit (at 00001000"));
    assert!(stop_of(&[0xEF00_0000]).contains("software interrupt"));
    // mov r0, #0x80000000; ldr r0, [r0]
    let message = stop_of(&[0xE3A0_0102, 0xE590_0000, RETURN]);
    assert!(
        message.contains("read of 4 bytes at 80000000") && message.contains("(at 00001004"),
        "{message}"
    );
    // mov sp, #0x400000; stmfd sp!, {r0}: a stack outside of RAM
    let message = stop_of(&[0xE3A0_D501, 0xE92D_0001, RETURN]);
    assert!(message.contains("write of 4 bytes at 003ffffc"), "{message}");
    // mov pc, #0x40000000
    assert!(stop_of(&[0xE3A0_F101]).contains("fetch of 4 bytes at 40000000"));
    // mov r4, #0; mov pc, lr
    let message = stop_of(&[0xE3A0_4000, RETURN]);
    assert!(
        message.contains("returned with r4 changed from ") && message.ends_with(" to 00000000"),
        "{message}"
    );
    // A function at an odd address.
    let call = Call::new(CODE + 1, &[]);
    let message = program(&[RETURN]).call(&call).unwrap_err().to_string();
    assert!(message.contains("Thumb"), "{message}");
}

/// A store to every 16 MiB of the address space: the machine refuses all addresses except sound RAM and
/// registers.
#[test]
fn nothing_but_sound_ram_and_registers_can_be_reached() {
    let mut arm7 = program(&[0xE580_1000, RETURN]);
    for megabytes in 1..256 {
        let address = megabytes << 24 | 0x10;
        let message = call_words(&mut arm7, &[address, 1]).unwrap_err();
        assert!(
            message.contains(&format!("write of 4 bytes at {address:08x}")),
            "{message}"
        );
    }
    let edge = [0x1F_FFFC, 0x20_0000, 0x7F_FFFC, 0x80_0000, 0x80_FFFC, 0x81_0000];
    let reached = edge.map(|address| call_words(&mut arm7, &[address, 1]).is_ok());
    assert_eq!(reached, [true, false, false, true, true, false]);
}

#[test]
fn the_chips_registers_are_recorded() {
    // mov r3, #0x800000; str r1, [r3, #8]; ldrb r0, [r3, #9]; mov pc, lr
    let mut arm7 = program(&[0xE3A0_3502, 0xE583_1008, 0xE5D3_0009, RETURN]);
    assert_eq!(call_words(&mut arm7, &[0, 0xAABB_CCDD]), Ok(0xCC));
    let access = |offset, size, value, write| Access {
        offset,
        size,
        value,
        write,
    };
    assert_eq!(
        arm7.sound_registers().take_accesses(),
        [access(8, 4, 0xAABB_CCDD, true), access(9, 1, 0xCC, false)]
    );
}

#[test]
fn a_branch_to_itself_ends_a_program() {
    let mut arm7 = program(&[0xE3A0_002A, 0xEAFF_FFFE]);
    let halt = arm7.run(arm7.entry(), 0, 1000, true);
    assert_eq!((halt.stop, halt.pc, arm7.register(0)), (Stop::Idle, CODE + 4, 42));
}

#[test]
fn files_for_other_processors_are_refused() {
    let refusal = |bytes: &[u8]| parse(bytes).unwrap_err().to_string();
    assert!(refusal(verify::KERNELS_ELF).contains("e_machine is 42, expected 40 (ARM)"));
    let place = AICA_ELF.windows(3).position(|w| w == [5, b'3', 0]).unwrap();
    let mut later = AICA_ELF.to_vec();
    // Tag_CPU_name "3" becomes Tag_CPU_arch 2.
    later[place..place + 2].copy_from_slice(&[6, 2]);
    assert!(refusal(&later).contains("built for ARMv4T (Tag_CPU_arch 2)"));
    let mut thumb = AICA_ELF.to_vec();
    thumb[24] |= 1;
    assert!(refusal(&thumb).contains("entry 00000001 is a Thumb address"));
    let mut far = AICA_ELF.to_vec();
    // p_vaddr of the first program header.
    let header = u32::from_le_bytes(*far[28..].first_chunk().unwrap()) as usize;
    far[header + 10] = 0x40;
    assert!(
        refusal(&far).contains("is outside the sound RAM"),
        "{}",
        refusal(&far)
    );
    for cut in 0..AICA_ELF.len() {
        // An answer is sufficient: the program must load or be refused.
        let _ = parse(&AICA_ELF[..cut]);
    }
}

const SPEC: &str = r#"
[[kernel]]
call    = "adpcm_decode"
against = "builtin:adpcm_decode"

[kernel.args]
src   = { in = "u32[n+1]", values = "bits" }
n     = { value = "u32", range = "1..=40" }
dst   = { out = "u32[n]" }
state = { inout = "u32[2]", range = "127..=24576" }
limit = { value = "u32", range = "0xffff..=0xffff" }
"#;

fn user(spec: &str) -> Result<UserVerifier, String> {
    let targets = [SH4, ARM7];
    let spec = Spec::parse(spec, Path::new("k.toml"), &targets).map_err(|e| e.to_string())?;
    UserVerifier::new(AICA_ELF, spec, &targets).map_err(|e| e.to_string())
}

#[test]
fn our_own_kernel_passes_as_a_users() {
    let report = user(SPEC).unwrap().run(0, 200, 1).unwrap();
    assert_eq!(
        (report.cases, report.failures),
        (200, 0),
        "{:?}",
        report.first_problem
    );
}

#[test]
fn a_users_mistakes_are_named() {
    let short = SPEC
        .replace("u32[n]", "u32[n-1]")
        .replace("1..=40", "2..=40")
        .replace("builtin:", "");
    let problem = user(&short).unwrap().run(0, 3, 1).unwrap().first_problem.unwrap();
    assert!(problem.what.contains("of dst, which has"), "{}", problem.what);
    let message = user(&SPEC.replace("[kernel.args]", "fpscr = \"single\"\n[kernel.args]")).unwrap_err();
    assert_eq!(message, "k.toml:6: the ARM7 has no FPSCR");
    let message = user(
        &SPEC
            .replace("out = \"u32[n]\"", "out = \"ta\"")
            .replace("builtin:", ""),
    )
    .unwrap_err();
    assert_eq!(message, "k.toml:9: the ARM7 has no tile accelerator");
    let message = user(&SPEC.replace("\"adpcm_decode\"", "\"decode\"")).unwrap_err();
    assert!(
        message.contains("3: no symbol `decode` in the program; there are adpcm_decode"),
        "{message}"
    );
    // One and a half megabytes do not fit next to the stack.
    let large = SPEC
        .replace("u32[n+1]", "u32[n*150000]")
        .replace("1..=40", "4..=5")
        .replace("builtin:", "");
    let problem = user(&large).unwrap().run(0, 1, 1).unwrap().first_problem.unwrap();
    assert!(
        problem.what.contains("bytes of memory are left for arguments"),
        "{}",
        problem.what
    );
}

#[test]
fn disassembly_says_what_the_chip_lacks() {
    assert_eq!(arm7::disassemble(RETURN), "mov pc, lr");
    assert!(arm7::disassemble(0xE1D0_00B0).contains("LDRH is ARMv4"));
}
