use aica::{Aica, register as at};
const WAITING: [u32; 5] = [0xE593_4000, 0xE585_4000, 0xE154_0004, 0x1287_7001, 0xEAFF_FFFA];
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
fn cpu() -> f64 {
    let s = std::fs::read_to_string("/proc/self/schedstat").unwrap();
    s.split(' ').next().unwrap().parse::<f64>().unwrap() / 1e9
}
fn main() {
    for (name, program, per, ins) in [
        ("waiting", &WAITING[..], 10.0, 5.0),
        ("mixing", &MIXING[..], 0.0, 8.0),
    ] {
        let mut aica = Aica::default();
        let bytes: Vec<u8> = program.iter().flat_map(|w| w.to_le_bytes()).collect();
        aica.ram_mut()[..bytes.len()].copy_from_slice(&bytes);
        aica.write(at::ARM_RESET, 4, 0);
        aica.advance(1000);
        let (c0, r0) = (aica.arm_cycles().0, aica.arm().register(10));
        let t = cpu();
        aica.advance(44_100 * 3);
        let t = cpu() - t;
        let cycles = (aica.arm_cycles().0 - c0) as f64;
        let n = if per > 0.0 {
            cycles / per * ins
        } else {
            f64::from(r0.wrapping_sub(aica.arm().register(10))) * ins
        };
        println!(
            "{name}: {:.2}x real time, {:.2} ns/instruction, CPI {:.2}",
            3.0 / t,
            t / n * 1e9,
            cycles / n
        );
    }
}
