#![doc = include_str!("../README.md")]
#![allow(clippy::panic, reason = "a panic is how a fuzzer notices a broken promise")]

mod chip;
mod first;
mod formats;
mod machine;
mod programs;
mod source;

pub use source::Random;

/// Something that takes bytes, and must neither panic nor hang whatever they are.
pub struct Target {
    /// The name in `fuzz/fuzz_targets` and in `fuzz/regressions`.
    pub name: &'static str,
    /// What is tried, and what must be equal.
    pub about: &'static str,
    /// Runs one input. Panics where a promise is broken.
    pub run: fn(&[u8]),
    /// Inputs to begin with.
    pub first: fn() -> Vec<Vec<u8>>,
    /// Longer inputs find nothing more.
    pub longest: usize,
    /// Changed inputs of an ordinary test: a quarter of a second or so.
    pub tried: u64,
}

/// All targets.
pub const TARGETS: [Target; 19] = [
    Target {
        name: "ninja_binary",
        about: "binary Ninja files: written back byte for byte",
        run: formats::ninja_binary,
        first: first::ninja,
        longest: 4096,
        tried: 40_000,
    },
    Target {
        name: "ninja_text",
        about: "Ninja files as text: the same file when written and read again",
        run: formats::ninja_text,
        first: first::ninja_text,
        longest: 8192,
        tried: 10_000,
    },
    Target {
        name: "ninja_both",
        about: "binary Ninja files: the same file when written as text and read again",
        run: formats::ninja_both,
        first: first::ninja,
        longest: 4096,
        tried: 20_000,
    },
    Target {
        name: "texture",
        about: ".pvr textures: decoded, and the same bytes when written, read and written again",
        run: formats::texture,
        first: first::textures,
        longest: 4096,
        tried: 100_000,
    },
    Target {
        name: "palette",
        about: ".pvp palettes: written and read again",
        run: formats::palette,
        first: first::palettes,
        longest: 4096,
        tried: 200_000,
    },
    Target {
        name: "archive",
        about: ".pvm archives: written and read again",
        run: formats::archive,
        first: first::archives,
        longest: 4096,
        tried: 200_000,
    },
    Target {
        name: "fbx_records",
        about: "FBX records: written back byte for byte",
        run: formats::fbx_records,
        first: first::fbx,
        longest: 65_536,
        tried: 8000,
    },
    Target {
        name: "fbx_scene",
        about: "FBX scenes: converted within 16 MiB",
        run: formats::fbx_scene,
        first: first::fbx,
        longest: 65_536,
        tried: 2000,
    },
    Target {
        name: "scene",
        about: "models drawn by the references of the kernels",
        run: formats::scene,
        first: first::ninja,
        longest: 4096,
        tried: 200_000,
    },
    Target {
        name: "ta",
        about: "the tile accelerator: registers, bursts, the YUV converter, sort DMA",
        run: chip::ta,
        first: first::words,
        longest: 4096,
        tried: 2500,
    },
    Target {
        name: "core",
        about: "the core: the fast rasterizer on two threads equals the definition",
        run: chip::core,
        first: first::words,
        longest: 8192,
        tried: 20,
    },
    Target {
        name: "chip",
        about: "the PowerVR2 as a console drives it",
        run: chip::console,
        first: first::words,
        longest: 4096,
        tried: 250,
    },
    Target {
        name: "chip_scene",
        about: "scenes of the PowerVR2 as text",
        run: programs::chip_scene,
        first: first::chip_scenes,
        longest: 2048,
        tried: 2000,
    },
    Target {
        name: "machine",
        about: "random machines and programs by all calls of crate `engine`",
        run: machine::machine,
        first: first::words,
        longest: 8192,
        tried: 1500,
    },
    Target {
        name: "engines",
        about: "random code: interpreter and recompiler count and compute the same",
        run: programs::engines,
        first: first::code,
        longest: 512,
        tried: 500,
    },
    Target {
        name: "elf",
        about: "ELF files: 2,000 instructions on the console, the same on both engines",
        run: programs::elf,
        first: first::programs,
        longest: 65_536,
        tried: 50,
    },
    Target {
        name: "devices",
        about: "accesses to all devices of the console, the same on both engines",
        run: programs::devices,
        first: first::words,
        longest: 4096,
        tried: 30,
    },
    Target {
        name: "specification",
        about: "specifications of routines, a case of each kernel",
        run: programs::specification,
        first: first::specifications,
        longest: 4096,
        tried: 20_000,
    },
    Target {
        name: "input_script",
        about: "scripts of inputs for `swirl run --input`",
        run: programs::input_script,
        first: first::scripts,
        longest: 1024,
        tried: 200_000,
    },
];

/// The target of a name.
#[must_use]
pub fn target(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}

/// Runs an input of a target: the body of the files in `fuzz/fuzz_targets`.
///
/// # Panics
/// If there is no such target, or the input breaks a promise.
pub fn run(name: &str, bytes: &[u8]) {
    let target = target(name).expect("fuzz_targets and TARGETS have the same names");
    (target.run)(&bytes[..bytes.len().min(target.longest)]);
}
