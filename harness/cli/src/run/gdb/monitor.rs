//! `monitor` commands.

use super::debuggee::Debuggee;
use crate::output;
use crate::plural::plural;
use crate::run::debug::Failure;
use dreamcast::access_log::{DEVICES, RegisterAccess};
use dreamcast::debug::EXCEPTION_KINDS;
use gdbstub::target::ext::monitor_cmd::{ConsoleOutput, MonitorCmd, outputln};
use std::path::Path;

/// Number of frames for which `press` holds buttons, so that programs that poll the controller every few
/// frames see them.
const FRAMES: u64 = 10;

type Command = fn(&mut Debuggee<'_>, &[&str]) -> Result<String, String>;

/// Name, arguments, help and function of each command.
const COMMANDS: [(&str, &str, &str, Command); 15] = [
    ("help", "", "lists these commands", help),
    (
        "exceptions",
        "[stop|pass NAME|all]",
        "lists the exceptions that stop the program, or changes one",
        exceptions,
    ),
    (
        "checks",
        "[on|off|stop]",
        "lists the broken rules of --check; new ones are shown, not shown, or stop the program",
        checks,
    ),
    (
        "backtrace",
        "",
        "registers and calls, also of programs without debug information",
        backtrace,
    ),
    ("time", "", "the time on the console", time),
    ("frame", "", "the number of the frame, and of renders", frame),
    (
        "screenshot",
        "FILE.png",
        "writes a picture of the screen",
        screenshot,
    ),
    (
        "press",
        "BUTTONS",
        "holds buttons for ten frames, such as start or a+left",
        press,
    ),
    (
        "interrupts",
        "",
        "pending events and requests, and what masks them",
        interrupts,
    ),
    ("dma", "", "the registers of all DMA channels", dma),
    ("pvr", "", "the registers of the PowerVR2 that renders use", pvr),
    ("tlb", "", "the valid entries of UTLB and ITLB", tlb),
    (
        "cache",
        "ADDRESS",
        "the operand cache's line of an address",
        cache,
    ),
    (
        "log",
        "[DEVICE|off]",
        "logs accesses to a device's registers, or lists the last",
        log,
    ),
    (
        "state",
        "save|load FILE.swst",
        "writes the state of the console, or goes to one",
        state,
    ),
];

fn help(_: &mut Debuggee<'_>, _: &[&str]) -> Result<String, String> {
    let line = |(name, arguments, text, _): &(_, _, _, Command)| {
        let usage = format!("{name} {arguments}");
        format!("  {usage:<36} {text}")
    };
    Ok(COMMANDS.iter().map(line).collect::<Vec<_>>().join("\n"))
}

fn exceptions(debuggee: &mut Debuggee<'_>, words: &[&str]) -> Result<String, String> {
    match words {
        [] => {}
        [what @ ("stop" | "pass"), name] => {
            if !debuggee.exceptions.set(name, *what == "stop") {
                let names = EXCEPTION_KINDS.map(|kind| kind.name).join(", ");
                return Err(format!(
                    "exceptions: found {name}, expected all or one of {names}"
                ));
            }
            let exceptions = debuggee.exceptions;
            debuggee.session.console.stop_at_exceptions(Some(exceptions));
        }
        _ => return Err("exceptions: expected stop NAME or pass NAME".to_owned()),
    }
    let line = |(index, kind): (usize, &dreamcast::debug::ExceptionKind)| {
        let what = if debuggee.exceptions.has(index) {
            "stop"
        } else {
            "pass"
        };
        let codes: Vec<String> = kind.codes.iter().map(|code| format!("{code:03x}")).collect();
        format!("  {:<20} {what}  EXPEVT {}", kind.name, codes.join(", "))
    };
    let mut lines: Vec<String> = EXCEPTION_KINDS.iter().enumerate().map(line).collect();
    lines.push("An exception without a handler, or with SR.BL = 1, always stops the program.".to_owned());
    Ok(lines.join("\n"))
}

fn checks(debuggee: &mut Debuggee<'_>, words: &[&str]) -> Result<String, String> {
    let session = &mut *debuggee.session;
    if !session.console.has_checks() {
        return Err("checks: no rule is checked: start swirl with --check all".to_owned());
    }
    match words {
        [] => {}
        [what @ ("on" | "off" | "stop")] => {
            session.stop_at_first = *what == "stop";
            session.console.stop_at_findings(session.stop_at_first);
            debuggee.tells_findings = *what != "off";
        }
        _ => return Err("checks: expected on, off, stop or no argument".to_owned()),
    }
    let (findings, more) = session.console.findings();
    let mut lines: Vec<String> = findings
        .iter()
        .map(|finding| session.describe_finding(finding))
        .collect();
    if more > 0 {
        lines.push(format!("{more} more"));
    }
    let effect = match (session.stop_at_first, debuggee.tells_findings) {
        (true, _) => "stop the program",
        (false, true) => "are shown",
        (false, false) => "are not shown",
    };
    lines.push(format!(
        "{}; new ones {effect}",
        plural(findings.len(), "finding")
    ));
    Ok(lines.join("\n"))
}

fn backtrace(debuggee: &mut Debuggee<'_>, _: &[&str]) -> Result<String, String> {
    let session = &mut *debuggee.session;
    let (registers, cpu) = (session.registers(), session.stopped_cpu().clone());
    let calls = Failure::of(&mut session.console, debuggee.elf, registers, &cpu);
    Ok(calls.text().trim_end().to_owned())
}

fn time(debuggee: &mut Debuggee<'_>, _: &[&str]) -> Result<String, String> {
    let console = &debuggee.session.console;
    let (cycles, hz) = (console.now().0, console.cpu_hz());
    let seconds = cycles as f64 / hz as f64;
    let instructions = console.cpu.retired();
    Ok(format!(
        "{seconds:.6} s, {cycles} cycles, {instructions} instructions"
    ))
}

fn frame(debuggee: &mut Debuggee<'_>, _: &[&str]) -> Result<String, String> {
    let console = &debuggee.session.console;
    Ok(format!(
        "frame {}, {} renders",
        console.frame(),
        console.renders()
    ))
}

fn screenshot(debuggee: &mut Debuggee<'_>, words: &[&str]) -> Result<String, String> {
    let [file] = words else {
        return Err("screenshot: expected a file name".to_owned());
    };
    files(debuggee)?;
    let picture = debuggee.session.console.picture();
    output::write_png(Path::new(file), &picture).map_err(|error| format!("{error:#}"))?;
    Ok(format!("{file}: {} x {} pixels", picture.width, picture.height))
}

/// Returns an error if the debugger must not use files of the host.
fn files(debuggee: &Debuggee<'_>) -> Result<(), String> {
    match debuggee.may_use_files {
        true => Ok(()),
        false => Err("this session uses no files of the host".to_owned()),
    }
}

fn press(debuggee: &mut Debuggee<'_>, words: &[&str]) -> Result<String, String> {
    let [buttons] = words else {
        return Err("press: expected buttons joined by +".to_owned());
    };
    let session = &mut *debuggee.session;
    let first = session.console.frame() + 1;
    let last = first + FRAMES - 1;
    session
        .add_input(&format!("{first}..{last} hold {buttons}"))
        .map_err(|error| format!("press: {error}"))?;
    debuggee.changed();
    Ok(format!("{buttons} in the frames {first} to {last}"))
}

/// Formats `NAME VALUE` of a register, or a note that it cannot be read.
fn register(debuggee: &Debuggee<'_>, (name, address): (&str, u32)) -> String {
    match debuggee.session.console.inspect(address) {
        Some(value) => format!("  {name:<14} {address:08x}  {value:08x}"),
        None => format!("  {name:<14} {address:08x}  cannot be read"),
    }
}

fn registers(debuggee: &Debuggee<'_>, rows: &[(&str, u32)]) -> String {
    let lines: Vec<String> = rows.iter().map(|row| register(debuggee, *row)).collect();
    lines.join("\n")
}

fn interrupts(debuggee: &mut Debuggee<'_>, _: &[&str]) -> Result<String, String> {
    let console = &debuggee.session.console;
    let sr = console.cpu.sr();
    let mut lines = vec![format!(
        "SR {sr:08x}: BL {}, IMASK {}",
        u32::from(sr & sh4::sr::BL != 0),
        sr >> 4 & 15
    )];
    lines.push(registers(
        debuggee,
        &[
            ("ISTNRM", 0x005F_6900),
            ("ISTEXT", 0x005F_6904),
            ("ISTERR", 0x005F_6908),
            ("IML2NRM", 0x005F_6910),
            ("IML2EXT", 0x005F_6914),
            ("IML2ERR", 0x005F_6918),
            ("IML4NRM", 0x005F_6920),
            ("IML4EXT", 0x005F_6924),
            ("IML4ERR", 0x005F_6928),
            ("IML6NRM", 0x005F_6930),
            ("IML6EXT", 0x005F_6934),
            ("IML6ERR", 0x005F_6938),
            ("IPRA", 0xFFD0_0004),
            ("IPRB", 0xFFD0_0008),
            ("IPRC", 0xFFD0_000C),
        ],
    ));
    lines.push(match console.cpu.pending_interrupt() {
        Some(event) => format!("the CPU takes {event} next"),
        None => "the CPU takes no interrupt next".to_owned(),
    });
    lines.extend(console.held_back());
    Ok(lines.join("\n"))
}

fn dma(debuggee: &mut Debuggee<'_>, _: &[&str]) -> Result<String, String> {
    Ok(registers(
        debuggee,
        &[
            ("SAR0", 0xFFA0_0000),
            ("DAR0", 0xFFA0_0004),
            ("DMATCR0", 0xFFA0_0008),
            ("CHCR0", 0xFFA0_000C),
            ("SAR1", 0xFFA0_0010),
            ("DAR1", 0xFFA0_0014),
            ("DMATCR1", 0xFFA0_0018),
            ("CHCR1", 0xFFA0_001C),
            ("SAR2", 0xFFA0_0020),
            ("DAR2", 0xFFA0_0024),
            ("DMATCR2", 0xFFA0_0028),
            ("CHCR2", 0xFFA0_002C),
            ("SAR3", 0xFFA0_0030),
            ("DAR3", 0xFFA0_0034),
            ("DMATCR3", 0xFFA0_0038),
            ("CHCR3", 0xFFA0_003C),
            ("DMAOR", 0xFFA0_0040),
            ("C2DSTAT", 0x005F_6800),
            ("C2DLEN", 0x005F_6804),
            ("C2DST", 0x005F_6808),
            ("MDSTAR", 0x005F_6C04),
            ("MDEN", 0x005F_6C14),
            ("MDST", 0x005F_6C18),
            ("GDSTAR", 0x005F_7404),
            ("GDLEN", 0x005F_7408),
            ("GDEN", 0x005F_7414),
            ("GDST", 0x005F_7418),
            ("ADSTAG", 0x005F_7800),
            ("ADSTAR", 0x005F_7804),
            ("ADLEN", 0x005F_7808),
            ("ADEN", 0x005F_7814),
            ("ADST", 0x005F_7818),
            ("PDSTAP", 0x005F_7C00),
            ("PDSTAR", 0x005F_7C04),
            ("PDLEN", 0x005F_7C08),
            ("PDEN", 0x005F_7C14),
            ("PDST", 0x005F_7C18),
        ],
    ))
}

fn pvr(debuggee: &mut Debuggee<'_>, _: &[&str]) -> Result<String, String> {
    Ok(registers(
        debuggee,
        &[
            ("PARAM_BASE", 0x005F_8020),
            ("REGION_BASE", 0x005F_802C),
            ("FB_R_CTRL", 0x005F_8044),
            ("FB_W_CTRL", 0x005F_8048),
            ("FB_W_LINESTRIDE", 0x005F_804C),
            ("FB_R_SOF1", 0x005F_8050),
            ("FB_R_SOF2", 0x005F_8054),
            ("FB_R_SIZE", 0x005F_805C),
            ("FB_W_SOF1", 0x005F_8060),
            ("FB_W_SOF2", 0x005F_8064),
            ("FB_X_CLIP", 0x005F_8068),
            ("FB_Y_CLIP", 0x005F_806C),
            ("ISP_BACKGND_D", 0x005F_8088),
            ("ISP_BACKGND_T", 0x005F_808C),
            ("SPG_CONTROL", 0x005F_80D0),
            ("SPG_STATUS", 0x005F_810C),
            ("TA_OL_BASE", 0x005F_8124),
            ("TA_ISP_BASE", 0x005F_8128),
            ("TA_OL_LIMIT", 0x005F_812C),
            ("TA_ISP_LIMIT", 0x005F_8130),
            ("TA_NEXT_OPB", 0x005F_8134),
            ("TA_ITP_CURRENT", 0x005F_8138),
            ("TA_GLOB_TILE_CLIP", 0x005F_813C),
            ("TA_ALLOC_CTRL", 0x005F_8140),
        ],
    ))
}

fn tlb(debuggee: &mut Debuggee<'_>, _: &[&str]) -> Result<String, String> {
    let mmu = debuggee.session.console.cpu.mmu();
    let state = if mmu.is_on() { "on" } else { "off" };
    let mut lines = vec![format!("address translation is {state}, ASID {:02x}", mmu.asid())];
    for (name, entries) in [("UTLB", mmu.utlb()), ("ITLB", mmu.itlb())] {
        for (index, entry) in entries.iter().enumerate().filter(|(_, entry)| entry.is_valid()) {
            let virt = entry.pteh & !(entry.page_bytes() - 1);
            lines.push(format!(
                "  {name} {index:2}  {virt:08x} -> {:08x}, {} bytes, PTEH {:08x}, PTEL {:08x}",
                entry.physical(virt),
                entry.page_bytes(),
                entry.pteh,
                entry.ptel
            ));
        }
    }
    if lines.len() == 1 {
        lines.push("  no valid entry".to_owned());
    }
    Ok(lines.join("\n"))
}

fn cache(debuggee: &mut Debuggee<'_>, words: &[&str]) -> Result<String, String> {
    const EXPECTED: &str = "cache: expected a hexadecimal address";
    let [word] = words else {
        return Err(EXPECTED.to_owned());
    };
    let digits = word.strip_prefix("0x").unwrap_or(word);
    let address = u32::from_str_radix(digits, 16).map_err(|_| format!("{EXPECTED}, found {word}"))?;
    let console = &debuggee.session.console;
    Ok(match console.cache_line(address) {
        None => "memory is coherent: start swirl with --caches cached".to_owned(),
        Some(None) => format!("no line holds {address:08x}"),
        Some(Some((dirty, data))) => {
            let bytes: Vec<String> = data.iter().map(|byte| format!("{byte:02x}")).collect();
            let state = if dirty { "dirty" } else { "clean" };
            format!("{:08x}, {state}: {}", address & !31, bytes.join(" "))
        }
    })
}

fn log(debuggee: &mut Debuggee<'_>, words: &[&str]) -> Result<String, String> {
    let session = &mut *debuggee.session;
    let names = DEVICES.map(|(name, _)| name).join(", ");
    match words {
        [] => {}
        ["off"] => {
            session.console.log_accesses(None);
            return Ok("no log".to_owned());
        }
        [name] => {
            let device = DEVICES.iter().find(|(known, _)| known == name);
            let (_, device) =
                device.ok_or_else(|| format!("log: found {name}, expected off or one of {names}"))?;
            session.console.log_accesses(Some(*device));
            return Ok(format!("logs accesses to {name}; log without a name lists them"));
        }
        _ => return Err("log: expected a device, off or nothing".to_owned()),
    }
    let Some((device, accesses)) = session.console.logged_accesses() else {
        return Err(format!(
            "log: no device is logged; expected log with one of {names}"
        ));
    };
    let line = |access: &RegisterAccess| {
        let RegisterAccess {
            time,
            pc,
            address,
            bytes,
            value,
            write,
        } = *access;
        let verb = if write { "write" } else { "read " };
        let digits = 2 * usize::from(bytes);
        format!(
            "  {:>12}  {verb} {address:08x}  {value:0digits$x}  {}",
            time.0,
            session.name(pc)
        )
    };
    let mut lines: Vec<String> = accesses.iter().map(line).collect();
    lines.push(format!(
        "{} accesses to {device:?}, with the cycle of each",
        accesses.len()
    ));
    Ok(lines.join("\n"))
}

fn state(debuggee: &mut Debuggee<'_>, words: &[&str]) -> Result<String, String> {
    files(debuggee)?;
    let session = &mut *debuggee.session;
    match words {
        ["save", file] => {
            let written = session
                .state_file(false)
                .and_then(|bytes| output::replace(Path::new(file), &bytes));
            written.map_err(|error| format!("state: {error:#}"))?;
            Ok(format!("{file}: the state at frame {}", session.console.frame()))
        }
        ["load", file] => {
            session
                .load_state(Path::new(file))
                .map_err(|error| format!("state: {error:#}"))?;
            let place = session.name(session.console.cpu.pc);
            debuggee.jumped();
            // gdb caches registers and memory until the program runs.
            Ok(format!("at {place}; now: maintenance flush register-cache"))
        }
        _ => Err("state: expected save FILE or load FILE".to_owned()),
    }
}

impl MonitorCmd for Debuggee<'_> {
    fn handle_monitor_cmd(&mut self, text: &[u8], mut out: ConsoleOutput<'_>) -> Result<(), anyhow::Error> {
        let text = String::from_utf8_lossy(text).into_owned();
        let words: Vec<&str> = text.split_whitespace().collect();
        let (name, rest) = words
            .split_first()
            .map_or(("help", &[][..]), |(name, rest)| (*name, rest));
        let answer = match COMMANDS.iter().find(|(known, ..)| *known == name) {
            Some((.., command)) => command(self, rest),
            None => Err(format!(
                "found the command {name}, expected one that monitor help lists"
            )),
        };
        match answer {
            Ok(text) => outputln!(out, "{text}"),
            Err(text) => outputln!(out, "swirl: error: {text}"),
        }
        Ok(())
    }
}
