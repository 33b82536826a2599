//! Runs recorded TA test vectors: text files with register settings, TA input, and the expected memory and
//! events. Grammar and procedure: `docs/hardware/pvr2.md`, "Test vectors".
//!
//! The files are in `SWIRL_TA` or in `../shared/corpus/ta`.

use pvr::{Area, Pvr, Settings, SortDma, VRAM_BYTES, reg};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Aborted and invalid input: observations, not criteria. The listed cases (counted from 1) pass and must
/// continue to pass. The others contradict cases of other files or contain garbage (`docs/hardware/pvr2.md`,
/// "Errors").
const OBSERVED: (&str, [usize; 6]) = ("testta-fail.data", [1, 2, 3, 4, 9, 10]);

/// Filler of the memory that a case may write.
const FILLER: u8 = 0xFE;
const FILLED_BYTES: u32 = 0x9_0000;
const DEFAULT_CONFIG: [u32; 7] = [
    0x0011_1111,
    0x000E_0013,
    0x0001_0000,
    0x0002_0000,
    0x0007_0000,
    0x0006_0000,
    0x0007_0000,
];
/// Events that a case without an `error` block must not raise.
const ERRORS: [u32; 4] = [0x1F, 0x42, 0x43, 0x44];
/// Done events of lists 1 to 5.
const DONE: [u32; 5] = [0x07, 0x08, 0x09, 0x0A, 0x15];

#[derive(Default)]
struct Case {
    name: String,
    blocks: BTreeMap<String, Vec<u8>>,
}

/// Appends one token little-endian: a float if it has a decimal point, otherwise hexadecimal by its length.
fn push_token(data: &mut Vec<u8>, token: &str) {
    if token.contains('.') {
        if let Ok(value) = token.parse::<f32>() {
            data.extend(value.to_le_bytes());
        }
        return;
    }
    match (token.len(), u32::from_str_radix(token, 16)) {
        (8, Ok(value)) => data.extend(value.to_le_bytes()),
        (4, Ok(value)) => data.extend((value as u16).to_le_bytes()),
        (2, Ok(value)) => data.push(value as u8),
        _ => {}
    }
}

fn parse(text: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    let mut block: Option<String> = None;
    for line in text.lines().map(str::trim) {
        if line.starts_with('#') {
            continue;
        }
        if let Some(rest) = line.strip_prefix('[') {
            let name = rest.split(']').next().unwrap_or_default().to_owned();
            cases.push(Case {
                name,
                ..Case::default()
            });
            block = None;
            continue;
        }
        let Some(case) = cases.last_mut() else { continue };
        let data = match line.rfind('=') {
            Some(at) => {
                let name = line[..at].trim_end().to_owned();
                case.blocks.entry(name.clone()).or_default();
                block = Some(name);
                &line[at + 1..]
            }
            None => line,
        };
        if let Some(data_of) = block.as_ref().and_then(|name| case.blocks.get_mut(name)) {
            data.split_ascii_whitespace()
                .for_each(|token| push_token(data_of, token));
        }
    }
    cases
}

fn words(bytes: &[u8]) -> Vec<u32> {
    bytes
        .chunks_exact(4)
        .map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]))
        .collect()
}

/// Reads bytes through the 32-bit area, wrapping around at 8 MiB.
fn memory(pvr: &Pvr, start: u32, len: u32) -> Vec<u8> {
    (0..len)
        .map(|i| pvr.vram().read8(Area::Bits32, start.wrapping_add(i)))
        .collect()
}

fn block_bytes(alloc: u32, list: u32) -> u32 {
    match alloc >> (4 * list) & 3 {
        0 => 0,
        1 => 32,
        2 => 64,
        _ => 128,
    }
}

struct Config {
    alloc: u32,
    clip: u32,
    isp_base: u32,
    ol_base: u32,
    next_init: u32,
}

impl Config {
    fn tile_bytes(&self, pvr: &Pvr, list: u32, x: u32, y: u32) -> Vec<u8> {
        let (width, height) = ((self.clip & 0xFFFF) + 1, (self.clip >> 16) + 1);
        let before: u32 = (0..list)
            .map(|n| block_bytes(self.alloc, n) * width * height)
            .sum();
        let size = block_bytes(self.alloc, list);
        memory(pvr, self.ol_base + before + (y * width + x) * size, size)
    }
}

/// `tile N` or `tile N XxY` to list index, column and row.
fn tile_name(name: &str) -> Option<(u32, u32, u32)> {
    let mut parts = name.strip_prefix("tile")?.split_ascii_whitespace();
    let list = parts.next()?.parse::<u32>().ok()? - 1;
    let (x, y) = match parts.next() {
        Some(at) => at.split_once('x')?,
        None => ("0", "0"),
    };
    Some((list, x.parse().ok()?, y.parse().ok()?))
}

fn run(pvr: &mut Pvr, case: &Case, observed: bool) -> Result<(), String> {
    let config = case
        .blocks
        .get("config")
        .map_or(DEFAULT_CONFIG.to_vec(), |bytes| words(bytes));
    let [alloc, clip, isp_base, isp_limit, ol_base, ol_limit, next_init] = config[..] else {
        return Err("config: not seven words".into());
    };
    pvr.vram_mut().fill(Area::Bits32, 0, FILLED_BYTES, FILLER);
    pvr.take_events();
    pvr.write_register(reg::SOFTRESET, 1);
    pvr.write_register(reg::SOFTRESET, 0);
    pvr.write_register(reg::TA_ALLOC_CTRL, alloc);
    pvr.write_register(reg::TA_GLOB_TILE_CLIP, clip);
    for (offset, value) in [
        (reg::TA_ISP_BASE, isp_base),
        (reg::TA_ISP_LIMIT, isp_limit),
        (reg::TA_OL_BASE, ol_base),
        (reg::TA_OL_LIMIT, ol_limit),
        (reg::TA_NEXT_OPB_INIT, next_init),
    ] {
        pvr.write_register(offset, value & 0xFF_FFFF);
    }
    pvr.write_register(reg::TA_LIST_INIT, 0x8000_0000);
    feed(pvr, case)?;
    let config = Config {
        alloc,
        clip,
        isp_base: isp_base & 0xFF_FFFF,
        ol_base,
        next_init,
    };
    check(pvr, case, &config, observed)
}

/// Feeds `input` directly or by a sort DMA, then `input2` after TA_LIST_CONT.
fn feed(pvr: &mut Pvr, case: &Case) -> Result<(), String> {
    let input = case.blocks.get("input").ok_or("no input")?;
    match (case.blocks.get("sortconf"), case.blocks.get("sorttab")) {
        (Some(conf), Some(table)) => {
            let [entries, links] = words(conf)[..] else {
                return Err("sortconf: not two words".into());
            };
            pvr.sort_dma(&SortDma {
                table,
                data: input,
                wide_entries: entries != 0,
                block_links: links != 0,
            });
        }
        (None, None) => feed_blocks(pvr, input)?,
        _ => return Err("sortconf and sorttab come together".into()),
    }
    if let Some(more) = case.blocks.get("input2") {
        pvr.write_register(reg::TA_LIST_CONT, 0x8000_0000);
        feed_blocks(pvr, more)?;
    }
    Ok(())
}

fn feed_blocks(pvr: &mut Pvr, bytes: &[u8]) -> Result<(), String> {
    for block in words(bytes).chunks(8) {
        pvr.ta_blocks(&[block.try_into().map_err(|_| "input: not whole blocks")?]);
    }
    Ok(())
}

fn check(pvr: &Pvr, case: &Case, config: &Config, observed: bool) -> Result<(), String> {
    let events = pvr.events();
    match case.blocks.get("error") {
        Some(list) => {
            if let Some(missing) = list.iter().find(|&&n| !events.has_number(n.into())) {
                return Err(format!("event {missing:02X} was not raised"));
            }
        }
        None => {
            if let Some(raised) = ERRORS.into_iter().find(|&n| events.has_number(n)) {
                return Err(format!("event {raised:02X} was raised"));
            }
        }
    }
    check_output(pvr, case, config)?;
    let mut named = [false; 5];
    for (name, expected) in &case.blocks {
        if let Some((list, x, y)) = tile_name(name) {
            named[list as usize] = true;
            if !events.has_number(DONE[list as usize]) {
                return Err(format!("{name}: list not done"));
            }
            check_tile(&config.tile_bytes(pvr, list, x, y), expected).map_err(|e| format!("{name}: {e}"))?;
        }
    }
    // Observations may leave lists that no block of the case mentions.
    let silent = if observed { 0..0 } else { 0..5 };
    for list in silent.filter(|&list| !named[list as usize]) {
        if config.tile_bytes(pvr, list, 0, 0).iter().any(|&b| b != FILLER) {
            return Err(format!("list {} was written", list + 1));
        }
    }
    match case.blocks.get("plist") {
        Some(expected) => check_overflow(pvr, config, expected),
        None => Ok(()),
    }
}

fn check_tile(found: &[u8], given: &[u8]) -> Result<(), String> {
    let mut expected = given.to_vec();
    if expected.len() < found.len() {
        expected.extend(0xF000_0000u32.to_le_bytes());
    }
    expected.resize(expected.len().max(found.len()), FILLER);
    if found.is_empty() || found == expected {
        return Ok(());
    }
    Err(format!(
        "found {:08X?}, expected {:08X?}",
        words(found),
        words(&expected)
    ))
}

fn check_output(pvr: &Pvr, case: &Case, config: &Config) -> Result<(), String> {
    let expected = case.blocks.get("output").ok_or("no output")?;
    let end = pvr.read_register(reg::TA_ITP_CURRENT);
    let len = end.wrapping_sub(config.isp_base);
    if len as usize > VRAM_BYTES {
        return Err(format!("output ends at {end:08X}, before its start"));
    }
    let found = memory(pvr, config.isp_base, len);
    if found != *expected {
        return Err(format!(
            "output: found {:08X?}, expected {:08X?}",
            words(&found),
            words(expected)
        ));
    }
    Ok(())
}

fn check_overflow(pvr: &Pvr, config: &Config, expected: &[u8]) -> Result<(), String> {
    let next = pvr.read_register(reg::TA_NEXT_OPB);
    let size = block_bytes(config.alloc, 0);
    let init = config.next_init;
    let (from, to) = if config.alloc >> 20 & 1 != 0 {
        (next, init)
    } else {
        (init, next + size)
    };
    let found = memory(pvr, from, to.saturating_sub(from));
    if found != expected {
        return Err(format!(
            "plist at {from:06X}: found {:08X?}, expected {:08X?}",
            words(&found),
            words(expected)
        ));
    }
    if memory(pvr, from - size, size).iter().any(|&b| b != FILLER) {
        return Err("plist: the block below it was written".into());
    }
    Ok(())
}

/// All `.data` files of `SWIRL_TA` or of the shared corpus, by name. A requested folder must contain some.
/// some.
fn files() -> Vec<PathBuf> {
    let asked = std::env::var_os("SWIRL_TA").map(PathBuf::from);
    let folder = asked.clone().unwrap_or_else(|| corpus::folder("ta"));
    let entries = std::fs::read_dir(&folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|e| e == "data"))
        .collect();
    files.sort();
    assert!(
        asked.is_none() || !files.is_empty(),
        "SWIRL_TA={}: no .data files",
        folder.display()
    );
    files
}

#[test]
fn vectors() {
    let (mut passed, mut cases_run, mut observations) = (0, 0, 0);
    let mut broken = Vec::new();
    let files = files();
    for path in &files {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let text = std::fs::read_to_string(path).expect("a readable file");
        let mut pvr = Pvr::new(Settings::default());
        let cases = parse(&text);
        let observed = name == OBSERVED.0;
        let mut passed_here = 0;
        for (n, case) in (1..).zip(&cases) {
            let Err(reason) = run(&mut pvr, case, observed) else {
                passed_here += 1;
                continue;
            };
            if observed && !OBSERVED.1.contains(&n) {
                observations += 1;
                println!(
                    "{name} #{n} [{}]: observation, not a criterion, differs",
                    case.name
                );
                continue;
            }
            println!("{name} #{n} [{}]: {reason}", case.name);
            broken.push(format!("{name} #{n} [{}]", case.name));
        }
        println!("{name}: {passed_here} / {} cases", cases.len());
        passed += passed_here;
        cases_run += cases.len();
    }
    println!(
        "{} files, {cases_run} cases: {passed} passed, {} failed, {observations} observations differ",
        files.len(),
        broken.len()
    );
    assert!(broken.is_empty(), "cases that must pass: {broken:#?}");
}

/// Tests the runner with an invented example: two triangles of a strip of length 1.
#[test]
fn example() {
    let text = "
# a comment
[x.1 flat pair]
input =
80800000 80000000 20800000 DEADBEEF 00000000 00000000 00000000 00000000
E0000000 40.0 4.0  0.5  00000000 00000000 FF102030 00000000
E0000000 60.0 4.0  0.5  00000000 00000000 FF405060 00000000
E0000000 40.0 28.0 0.25 00000000 00000000 FF708090 00000000
F0000000 60.0 28.0 0.25 00000000 00000000 FFA0B0C0 00000000
00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000
output =
80200000 20800000 00000000
40.0 4.0  0.5  FF102030 60.0 4.0  0.5  FF405060 40.0 28.0 0.25 FF708090
80200000 20800000 00000000
40.0 28.0 0.25 FF708090 60.0 4.0  0.5  FF405060 60.0 28.0 0.25 FFA0B0C0
tile 1 =
tile 1 1x0 = 82204000
";
    let cases = parse(text);
    assert_eq!(cases.len(), 1);
    let mut pvr = Pvr::new(Settings::default());
    assert_eq!(run(&mut pvr, &cases[0], false), Ok(()));
    let spoilt = parse(&text.replace("82204000", "80204000"));
    assert!(run(&mut pvr, &spoilt[0], false).is_err());
}

/// An invented case: the user clip is latched late, and a strip lists each triangle in the tiles of its box.
const BINNING: &str = "
[x.2 the last object of a polygon is binned by the clip mode of the next one]
input =
20000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000
80820000 80000000 20800000 00000000 00000000 00000000 00000000 00000000
E0000000 8.0  8.0  0.5  00000000 00000000 FF102030 00000000
E0000000 40.0 8.0  0.5  00000000 00000000 FF405060 00000000
F0000000 8.0  24.0 0.5  00000000 00000000 FF708090 00000000
80800000 80000000 20800000 00000000 00000000 00000000 00000000 00000000
E0000000 8.0  8.0  0.5  00000000 00000000 FF102030 00000000
E0000000 40.0 8.0  0.5  00000000 00000000 FF405060 00000000
F0000000 8.0  24.0 0.5  00000000 00000000 FF708090 00000000
00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000
output =
80000000 20800000 00000000 8.0 8.0 0.5 FF102030 40.0 8.0 0.5 FF405060 8.0 24.0 0.5 FF708090
80000000 20800000 00000000 8.0 8.0 0.5 FF102030 40.0 8.0 0.5 FF405060 8.0 24.0 0.5 FF708090
tile 1 0x0 = 82204000
tile 1 1x0 = 82204000
[x.3 two triangles over three tiles]
input =
80840000 80000000 20800000 00000000 00000000 00000000 00000000 00000000
E0000000 8.0  8.0  0.5  00000000 00000000 FF102030 00000000
E0000000 40.0 8.0  0.5  00000000 00000000 FF405060 00000000
E0000000 8.0  24.0 0.5  00000000 00000000 FF708090 00000000
F0000000 72.0 24.0 0.5  00000000 00000000 FFA0B0C0 00000000
00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000
output =
80000000 20800000 00000000
8.0 8.0 0.5 FF102030 40.0 8.0 0.5 FF405060 8.0 24.0 0.5 FF708090 72.0 24.0 0.5 FFA0B0C0
tile 1 0x0 = 60204000
tile 1 1x0 = 60204000
tile 1 2x0 = 20204000
";

#[test]
fn binning() {
    use pvr::settings::UserClipTiming;
    let cases = parse(BINNING);
    let mut pvr = Pvr::new(Settings::default());
    for case in &cases {
        assert_eq!(run(&mut pvr, case, false), Ok(()), "{}", case.name);
    }
    // A rectangle between an object and the next polygon applies to both; with the rectangle kept, the first
    // triangle of x.4 stays in tile 0.
    let text = BINNING.replace("[x.2", "[x.4").replace(
        "\n80800000 80000000 20800000",
        "\n20000000 00000000 00000000 00000000 00000001 00000000 00000001 00000000\n80820000 80000000 \
         20800000",
    );
    let text = &text[..text.find("[x.3").unwrap_or_default()];
    let late = text.replace("tile 1 0x0 = 82204000\n", "");
    assert_eq!(run(&mut pvr, &parse(&late)[0], false), Ok(()));
    let kept = text.replace("tile 1 0x0 = 82204000", "tile 1 0x0 = 80204000");
    let kept = kept.replace("tile 1 1x0 = 82204000", "tile 1 1x0 = 8020400F");
    let settings = Settings {
        ta_user_clip: UserClipTiming::LateMode,
        ..Settings::default()
    };
    assert_eq!(run(&mut Pvr::new(settings), &parse(&kept)[0], false), Ok(()));
    // With its own mode, the first triangle of x.2 is only in tile 0.
    let own = parse(&BINNING.replace("tile 1 1x0 = 82204000", "tile 1 1x0 = 8020400F"));
    let settings = Settings {
        ta_user_clip: UserClipTiming::Own,
        ..Settings::default()
    };
    assert_eq!(run(&mut Pvr::new(settings), &own[0], false), Ok(()));
}
