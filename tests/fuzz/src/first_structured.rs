//! First inputs of the targets that define the structure of their bytes.

use crate::first::{archives, fbx, files, ninja, small_program, word, words};
use crate::source::Random;

/// Two files; the length of the first file precedes them.
fn pair(first: &[u8], second: &[u8]) -> Vec<u8> {
    let length = (first.len() as u16).to_le_bytes();
    [&length[..], first, second].concat()
}

/// All pairs of samples in which the first sample holds a chunk of `first` and the second a chunk of
/// `second`.
fn pairs(first: &[&[u8]], second: &[&[u8]]) -> Vec<Vec<u8>> {
    let samples = ninja();
    let holding = |ids: &[&[u8]]| -> Vec<&Vec<u8>> {
        let holds = |bytes: &&Vec<u8>| bytes.windows(4).any(|window| ids.contains(&window));
        samples.iter().filter(holds).collect()
    };
    let seconds = holding(second);
    let both = holding(first)
        .into_iter()
        .flat_map(|one| seconds.iter().map(|two| pair(one, two)).collect::<Vec<_>>());
    both.collect()
}

pub(crate) fn motions() -> Vec<Vec<u8>> {
    let mut inputs = pairs(
        &[b"NJCM", b"N2CM"],
        &[b"NMDM", b"CPSM", b"NJSL", b"NCAM", b"NLIM", b"NSSM"],
    );
    // The list and its motion may be in two files, both before the model.
    inputs.extend(pairs(&[b"NJSL"], &[b"CPSM"]));
    inputs.extend(converted());
    inputs
}

/// Models of our own FBX scenes, each with a motion of its nodes and the shapes of its vertices.
fn converted() -> Vec<Vec<u8>> {
    let mut inputs = Vec::new();
    for scene in fbx() {
        let Ok(made) = convert::convert(&scene, &convert::Options::default(), &mut |_| None) else {
            continue;
        };
        let model = made.model.write().unwrap_or_default();
        let motions = made.motions.iter().map(|motion| &motion.file);
        for file in motions.chain(&made.shapes) {
            inputs.push(pair(&model, &file.write().unwrap_or_default()));
        }
    }
    inputs
}

pub(crate) fn cells() -> Vec<Vec<u8>> {
    pairs(&[b"NJSP"], &[b"NJCS", b"NCSM", b"NJSP"])
}

/// Debugger packets, one per line.
pub(crate) fn packets() -> Vec<Vec<u8>> {
    let sessions = [
        "qSupported:multiprocess+;swbreak+;hwbreak+\n?\ng\nm8c010000,40\nvCont?\nvCont;s:1\nvCont;c\nD",
        "QStartNoAckMode\nqfThreadInfo\nqsThreadInfo\nqThreadExtraInfo,1\nHg1\nHc-1\nT1\nk",
        "Z0,8c010000,2\nZ1,8c010004,2\nZ2,8c020000,4\nZ3,8c020004,4\nZ4,8c020008,1\nc\nz0,8c010000,2\nc",
        "p10\nP10=0000018c\np18\nP16=f0000050\nM8c010000,4:09000900\nX8c010000,2:\x09\nvCont;s;c\ns\nvKill;1",
        "!\nvRun;\nvCont;c\nvRun;\nR00\nvKill;1\nqXfer:memory-map:read::0,fff\nqXfer:exec-file:read:1:0,fff",
        "Z2,8c020000,1000000\nvCont;c\nbc\nbs\nz2,8c020000,1000000\nqRcmd,7374617465206c6f61642078",
        "G0000\nqC\nqAttached\nqOffsets\nqSymbol::\nqXfer:features:read:target.xml:0,fff\nqRcmd,68656c70",
        "!\x03\n!$#00\n!$g#67+\n!-\n!++\nm0,1\nmffffffff,2\nMffffffff,1:00",
    ];
    sessions.iter().map(|text| text.as_bytes().to_vec()).collect()
}

/// Heads of state files.
pub(crate) fn state_files() -> Vec<Vec<u8>> {
    let head = b"SWST\x01\0\0\0";
    vec![head.to_vec(), [&head[..], &[0; 8], b"\x78\x01"].concat()]
}

/// An undamaged image, the description files of two discs, and the description in a CDI file.
pub(crate) fn discs() -> Vec<Vec<u8>> {
    let mut inputs: Vec<Vec<u8>> = words()
        .into_iter()
        .take(6)
        .map(|words| [&[0], &words[..]].concat())
        .collect();
    let (gdi, cue) = (include_str!("../data/disc.gdi"), include_str!("../data/disc.cue"));
    inputs.push([&[1], gdi.as_bytes()].concat());
    inputs.push([&[2], cue.as_bytes()].concat());
    inputs.push([&[3], &cdi_description()[..]].concat());
    inputs
}

/// Description of a disc with audio in the first session and data in the second, four sectors each.
fn cdi_description() -> Vec<u8> {
    let mut bytes = vec![2, 0];
    // Mode, sector format, logical block.
    for (mode, kind, block) in [(0, 2, 0), (2, 1, 11_702)] {
        bytes.extend([1, 0, 0, 0, 0, 0]);
        bytes.extend([0, 0, 1, 0, 0, 0, 255, 255, 255, 255].repeat(2));
        bytes.extend([0; 4 + 1 + 19 + 4 + 2]);
        let words = |words: &[u32]| {
            words
                .iter()
                .flat_map(|word| word.to_le_bytes())
                .collect::<Vec<_>>()
        };
        bytes.extend(words(&[1, 3]));
        bytes.extend([0; 6]);
        bytes.extend(words(&[mode, 0, 0, 0, block, 4, 0, 0, 0, 0, kind]));
        bytes.resize(bytes.len() + 29 + 9 + 13, 0);
    }
    let size = bytes.len() as u32 + 8;
    bytes.extend(0x8000_0006_u32.to_le_bytes());
    bytes.extend(size.to_le_bytes());
    bytes
}

pub(crate) fn cases() -> Vec<Vec<u8>> {
    files("tests/data", "toml")
}

/// Two calls of a kernel: one with words and one with values.
pub(crate) fn calls() -> Vec<Vec<u8>> {
    let one = |word: &str, count: usize| [word].repeat(count).join(" ");
    let argument = |name: &str, data: &str| format!("\n[[argument]]\nname = \"{name}\"\ndata = \"{data}\"\n");
    let kernels = sh4_kernels::KERNELS.iter().map(|kernel| {
        let arguments = kernel.params.iter().map(|param| {
            let data = match param.kind {
                sh4_kernels::Kind::Words | sh4_kernels::Kind::WordsMut => one("3f800000", 16),
                sh4_kernels::Kind::Halfwords => one("0001", 8),
                sh4_kernels::Kind::Value => "1".to_owned(),
                sh4_kernels::Kind::TileAccelerator => String::new(),
            };
            argument(param.name, &data)
        });
        format!("kernel = \"{}\"\n{}", kernel.name, arguments.collect::<String>()).into_bytes()
    });
    kernels.collect()
}

/// Reports of both kinds, with a row in each table.
pub(crate) fn reports() -> Vec<Vec<u8>> {
    let frames = include_str!("../data/frames.json");
    let steps = words().swap_remove(9);
    let kernel = crate::counting::report(&steps);
    vec![frames.into(), kernel.into_bytes()]
}

pub(crate) fn captures() -> Vec<Vec<u8>> {
    let text = "loader\ntruth 00000001\nname cpu.one\nobs cpu.one 00000001 ffffffff\nobs time.two 00000010\n\
                end 00000002 12345678\n";
    vec![text.into()]
}

pub(crate) fn event_counts() -> Vec<Vec<u8>> {
    let text = "code,event,count\n# comment\n01,operand_read,100\n0x23,elapsed,1e6\n29,x,0.5\n";
    vec![text.into()]
}

pub(crate) fn sidecars() -> Vec<Vec<u8>> {
    let mut inputs = files("runtime/convert/tests/data", "toml");
    inputs.extend(files("docs", "toml"));
    inputs.push(b"# nothing\n".to_vec());
    inputs
}

/// A list of names and an archive.
pub(crate) fn lookups() -> Vec<Vec<u8>> {
    let archive = archives().swap_remove(0);
    let lists = [
        "",
        "a name of twenty-eight bytes",
        "one\nA NAME OF TWENTY-EIGHT BYTES\nthree",
    ];
    lists
        .iter()
        .map(|names| [names.as_bytes(), b"\n\n", &archive].concat())
        .collect()
}

/// Small pictures of the project, and one in each other format.
pub(crate) fn pictures() -> Vec<Vec<u8>> {
    let mut inputs = Vec::new();
    for extension in ["png", "bmp", "jpg", "dds", "tga"] {
        for folder in ["runtime/convert/tests/data", "tests/data", "tests/fuzz/data"] {
            let mut found = files(folder, extension);
            found.retain(|bytes| bytes.len() <= 4096);
            let kind = u8::from(extension == "tga");
            inputs.extend(
                found
                    .into_iter()
                    .take(6)
                    .map(|bytes| [&[kind], &bytes[..]].concat()),
            );
        }
    }
    // TGA: 2 x 2 true colour, uncompressed and run-length encoded.
    let header = |kind: u8| vec![1, 0, 0, kind, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 2, 0, 24, 0x20];
    inputs.push([&header(2)[..], &[5; 12]].concat());
    inputs.push([&header(10)[..], &[0x83, 1, 2, 3]].concat());
    // BMP: 2 x 2, 24 bits.
    let mut bmp = b"\0BM".to_vec();
    for word in [70_u32, 0, 54, 40, 2, 2, 0x0018_0001, 0, 16, 0, 0, 0, 0] {
        bmp.extend(word.to_le_bytes());
    }
    bmp.extend([7; 16]);
    inputs.push(bmp);
    inputs
}

/// Debug information of a small C program: its sections, preceded by their lengths.
pub(crate) fn debug_info() -> Vec<Vec<u8>> {
    files("tests/fuzz/data", "dwarf")
}

/// Control words, registers and code of the ARM7: code of the project's programs, and random words that
/// mostly execute.
pub(crate) fn arm_code() -> Vec<Vec<u8>> {
    let rom = roms::AICA_ELF;
    let mut inputs: Vec<Vec<u8>> = (0..4)
        .map(|part| {
            let mut random = Random(part);
            let mut bytes: Vec<u8> = (0..18).flat_map(|_| word(&mut random).to_le_bytes()).collect();
            bytes.extend(rom.iter().skip(52 + 32 + 256 * part as usize).take(256));
            bytes
        })
        .collect();
    inputs.extend((0..12).map(|seed| {
        let mut random = Random(seed);
        let always = |random: &mut Random| 0xE000_0000 | random.next() as u32 & 0x0FFF_FFFF;
        (0..64).flat_map(|_| always(&mut random).to_le_bytes()).collect()
    }));
    inputs
}

/// The sound block: programs of the ARM7; channels of every format with filter, LFO and effect DSP that play.
pub(crate) fn sound() -> Vec<Vec<u8>> {
    let mut inputs = arm_code();
    inputs.extend((0..8).map(|seed| {
        let mut random = Random(seed);
        // Mixing; other settings than the defaults in half of the inputs.
        let mut words = vec![1 | (seed as u32 & 1) << 8];
        // The first word of an access: the remainder by 6 chooses a write, bits 9 and 8 the size, bits 11 and
        // 10 the area.
        words.extend([1 << 10 | 2 << 8, 0, 15]);
        let mut write = |offset: u32, value: u32| words.extend([2 << 8, offset, value]);
        for n in 0..4 {
            for register in (0..0x48).step_by(4) {
                write(0x80 * n + register, random.next() as u32);
            }
            write(0x80 * n + 0x0C, 1 + random.next() as u32 % 300);
            write(0x80 * n, 0xC200 | n << 7 | 0x10);
        }
        // Registers from 3000 on: the DSP's.
        for n in 0..60 {
            words.extend([0xA02, 0x3000 + 4 * n, random.next() as u32]);
            words.extend([0xA02, 0x3400 + 4 * n, random.next() as u32]);
        }
        (0..6).for_each(|_| words.extend([4, 0, 7 | random.next() as u32 & !7]));
        words.into_iter().flat_map(u32::to_le_bytes).collect()
    }));
    inputs
}

/// Executed instructions: every opcode of the table, each with an address.
pub(crate) fn steps() -> Vec<Vec<u8>> {
    let mut random = Random(1);
    let table = sh4::table::TABLE.chunks(16).map(|rows| {
        let mut bytes = 2_u32.to_le_bytes().to_vec();
        for row in rows {
            let opcode = row.pattern.bytes().fold(0_u32, |opcode, letter| {
                let free = (random.next() & 1) as u32;
                opcode << 1 | [free, u32::from(letter == b'1')][usize::from(matches!(letter, b'0' | b'1'))]
            });
            let place = (random.next() as u32 & 0x3F) << 16;
            bytes.extend((0x0100_0000 | place | opcode).to_le_bytes());
            bytes.extend((random.next() as u32).to_le_bytes());
        }
        bytes
    });
    table.collect()
}

/// Accesses to all parts of a console, for targets that read numbers.
pub(crate) fn accesses() -> Vec<Vec<u8>> {
    let mut inputs = words();
    inputs.truncate(24);
    inputs.push(small_program().to_vec());
    inputs
}
