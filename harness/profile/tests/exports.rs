//! Reads every export back, with the format's own reader if it is installed.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a failing helper fails its test"
)]

use machine::{Image, Machine};
use profile::view::Paint;
use profile::{Places, Profile, Profiler, Report, export, view};
use std::process::Command;
use timing::Setup;
use timing::events::{EVENTS, read_csv};

const TIMING: &[u8] = include_bytes!("../../../roms/timing.elf");

/// Profiles a timing program, called by a small routine, so that the profile contains a call.
fn profile() -> (Profile, Places) {
    let image = Image::parse(TIMING).unwrap();
    let mut machine = Machine::new();
    machine.load(&image).unwrap();
    // sts.l pr,@-r15; jsr @r7; nop; lds.l @r15+,pr; rts; nop
    let caller: [u16; 6] = [0x4F22, 0x470B, 0x0009, 0x4F26, 0x000B, 0x0009];
    let bytes: Vec<u8> = caller.iter().flat_map(|opcode| opcode.to_le_bytes()).collect();
    machine.memory_mut().write(0x8C00_9000, &bytes).unwrap();
    let mut profiler = Profiler::new(Setup::default());
    let entry = image.symbols.address("copy_words").unwrap();
    let args = [0x8C10_0000, 0x8C20_0000, 64, entry];
    machine
        .call_hooked(0x8C00_9000, &args, 10_000, &mut profiler)
        .unwrap();
    let mut symbols: Vec<(u32, &str)> = image.symbols.iter().collect();
    symbols.push((0x8C00_9000, "_caller"));
    (profiler.finish(), Places::new(symbols))
}

#[test]
fn callgrind_annotate_reads_the_same_totals() {
    let (profile, places) = profile();
    let text = export::callgrind(&profile, &places, "copy_words");
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("callgrind.out.test");
    std::fs::write(&path, text).unwrap();
    let Ok(output) = Command::new("callgrind_annotate")
        .args(["--threshold=100", path.to_str().unwrap()])
        .output()
    else {
        println!("callgrind: 0 files read back, callgrind_annotate is not installed");
        return;
    };
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        output.status.success(),
        "{text}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let number = |line: &str| {
        line.split_whitespace()
            .next()
            .unwrap()
            .replace(',', "")
            .parse::<u64>()
            .unwrap()
    };
    let totals = text.lines().find(|line| line.contains("PROGRAM TOTALS")).unwrap();
    assert_eq!(number(totals), profile.cycles().0);
    let function = text.lines().find(|line| line.contains("_copy_words")).unwrap();
    let own: u64 = profile
        .sites
        .iter()
        .filter(|site| site.pc >= 0x8C01_0000)
        .map(|site| site.costs.cycles)
        .sum();
    assert_eq!(number(function), own);
    println!("callgrind: 1 file read back by callgrind_annotate");
}

#[test]
fn stacks_hold_all_cycles() {
    let (profile, places) = profile();
    let folded = export::folded(&profile, &places);
    let cycles: u64 = folded
        .lines()
        .map(|line| line.rsplit_once(' ').unwrap().1.parse::<u64>().unwrap())
        .sum();
    assert_eq!(cycles, profile.cycles().0);
    assert!(folded.contains("_caller;_copy_words "), "{folded}");
    let svg = String::from_utf8(export::svg(&profile, &places, "copies").unwrap()).unwrap();
    assert_eq!(well_formed(&svg), "svg");
    assert!(svg.contains("_copy_words"));

    let scope = export::speedscope(&profile, &places, "copies");
    let one = &scope["profiles"][0];
    assert_eq!(one["endValue"], profile.cycles().0);
    assert_eq!(
        one["samples"].as_array().unwrap().len(),
        one["weights"].as_array().unwrap().len()
    );
    let frames = scope["shared"]["frames"].as_array().unwrap().len() as u64;
    let indices = one["samples"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|sample| sample.as_array().unwrap());
    assert!(indices.clone().count() > 0);
    assert!(indices.into_iter().all(|index| index.as_u64().unwrap() < frames));
    println!(
        "speedscope: {} files held to its schema",
        u8::from(fits_schema(&scope))
    );
}

#[test]
fn traces_follow_the_clock() {
    let (profile, places) = profile();
    let trace = export::perfetto(&profile, &places, "copies");
    let events = trace["traceEvents"].as_array().unwrap();
    let issued: Vec<_> = events.iter().filter(|event| event["cat"] == "issue").collect();
    assert_eq!(issued.len() as u64, profile.counts.instructions);
    for track in 1..=3 {
        let mut end = 0;
        for event in events
            .iter()
            .filter(|event| event["ph"] == "X" && event["tid"] == track)
        {
            assert!(
                event["ts"].as_u64().unwrap() >= end,
                "events of a track do not overlap: {event}"
            );
            end = event["ts"].as_u64().unwrap() + event["dur"].as_u64().unwrap();
        }
        assert!(end <= profile.cycles().0 + 1);
    }

    let log = export::konata(&profile);
    let mut lines = log.lines();
    assert_eq!(lines.next(), Some("Kanata\t0004"));
    let (mut begun, mut retired, mut open) = (0, 0, std::collections::HashSet::new());
    for line in lines {
        let cells: Vec<&str> = line.split('\t').collect();
        // C= CYCLE, C CYCLES; I ID INSTRUCTION THREAD; L ID TYPE TEXT; S ID LANE STAGE; R ID RETIRED TYPE.
        assert_eq!(
            cells.len(),
            if cells[0].starts_with('C') { 2 } else { 4 },
            "{line}"
        );
        match cells[0] {
            "C=" | "C" => assert!(cells[1].parse::<u64>().is_ok()),
            "I" => {
                begun += 1;
                assert!(open.insert(cells[1].to_owned()));
            }
            "L" | "S" => assert!(open.contains(cells[1]), "{line}"),
            "R" => {
                retired += 1;
                assert!(open.remove(cells[1]));
            }
            other => panic!("{other}"),
        }
    }
    assert_eq!(
        (begun, retired),
        (profile.counts.instructions, profile.counts.instructions)
    );
}

#[test]
fn tables_and_report_say_the_same() {
    let (profile, places) = profile();
    let csv = export::csv(&profile, &places);
    let columns = csv.lines().next().unwrap().split(',').count();
    // Operands contain commas only inside quotes.
    let unquoted = |line: &str| {
        line.split('"')
            .step_by(2)
            .map(|part| part.matches(',').count())
            .sum::<usize>()
            + 1
    };
    assert!(csv.lines().all(|line| unquoted(line) == columns));

    let report = Report::new(&profile, &places, "copies", "cold");
    let json = serde_json::to_string(&report).unwrap();
    let again: Report = serde_json::from_str(&json).unwrap();
    assert_eq!(again, report);
    assert_eq!(report.used + report.lost.values().sum::<u64>(), 2 * report.cycles);
    assert_eq!(
        report.listing.iter().map(|site| site.cycles).sum::<u64>(),
        report.cycles
    );

    let measured = read_csv(&profile.events.csv()).unwrap();
    assert_eq!((EVENTS.len(), measured.len()), (33, 33));
    let compared = view::compare(&profile.events, &measured);
    assert_eq!(compared.matches("0.0 %").count(), 33, "{compared}");
    assert_eq!(read_csv("code,event,count\n2B,x,1\n").unwrap_err().line, 2);
    assert_eq!(profile.events.get(0x23), Some(profile.cycles().0));
}

#[test]
fn every_view_is_a_table() {
    let (profile, places) = profile();
    let tables = export::tables(&profile, &places);
    let rows = |name: &str| {
        let (_, text) = tables.iter().find(|(known, _)| *known == name).unwrap();
        text.lines().skip(1).collect::<Vec<_>>()
    };
    // These cells have no quotes. The slots of the ledger are twice the cycles of the summary.
    let number = |line: &str, cell: usize| line.split(',').nth(cell).unwrap().parse::<u64>().unwrap();
    assert_eq!(rows("summary.csv")[0], format!("cycles,{}", profile.cycles()));
    let slots: u64 = rows("ledger.csv").iter().map(|line| number(line, 1)).sum();
    assert_eq!(slots, 2 * profile.cycles().0);
    assert_eq!(rows("events.csv").len(), 33);
    // copy_words: mov.l, dt, mov.l, bf/s, add; at most two pairs.
    assert_eq!(rows("timeline.csv").len(), 5);
    assert!(!rows("free_slots.csv").is_empty());
    let reads: u64 = rows("ranges.csv").iter().map(|line| number(line, 1)).sum();
    // 64 words and the return address.
    assert_eq!(reads, 65);
    for name in ["listing.csv", "prefetches.csv", "conflicts.csv"] {
        assert!(
            tables
                .iter()
                .any(|(known, text)| *known == name && text.contains(','))
        );
    }
}

#[test]
fn views_are_coloured_only_when_asked() {
    let (profile, places) = profile();
    let views = |paint| {
        [
            view::summary(&profile, "copies", paint),
            view::listing(&profile, &places, paint),
            view::timeline(&profile, &places, view::Part::Loop, paint),
            view::ledger(&profile, paint),
            view::memory(&profile, &places, paint),
        ]
    };
    for (plain, coloured) in views(Paint::Plain).into_iter().zip(views(Paint::Ansi)) {
        assert!(!plain.contains('\x1b'));
        assert_eq!(uncoloured(&coloured), plain);
    }
    assert!(view::listing(&profile, &places, Paint::Ansi).contains("\x1b[1;31m"));
}

/// Removes escape sequences: ESC, `[`, digits and `;`, `m`.
fn uncoloured(text: &str) -> String {
    let mut parts = text.split('\x1b');
    let mut plain = parts.next().unwrap().to_owned();
    for part in parts {
        plain += part.split_once('m').unwrap().1;
    }
    plain
}

/// Returns the page as Chromium has parsed it, and its network requests. `SWIRL_CHROMIUM` names another
/// binary.
#[test]
fn the_page_opens_in_a_browser_without_network() {
    let (profile, places) = profile();
    let page = export::html(&profile, &places, "copies <1>", view::Part::Loop);
    for outside in ["http:", "https:", "<script", "src=", "url(", "@import", "<link"] {
        assert!(!page.contains(outside), "{outside}");
    }
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("page");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(folder.join("user")).unwrap();
    let (file, log) = (folder.join("page.html"), folder.join("net.json"));
    std::fs::write(&file, &page).unwrap();
    let browser = std::env::var("SWIRL_CHROMIUM").unwrap_or_else(|_| "chromium".to_owned());
    let quiet = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--dump-dom",
    ];
    let output = Command::new(browser)
        .args(quiet)
        .arg(format!("--user-data-dir={}", folder.join("user").display()))
        .arg(format!("--log-net-log={}", log.display()))
        .arg(format!("file://{}", file.display()))
        .output();
    let Ok(output) = output else {
        println!("pages: 0 opened, no chromium is installed");
        return;
    };
    let dom = String::from_utf8(output.stdout).unwrap();
    assert!(
        dom.contains(&format!("<h1>copies &lt;1&gt;: {} cycles</h1>", profile.cycles())),
        "{dom}"
    );
    // The parser has not changed the structure.
    for section in [
        "bounds", "ledger", "timeline", "listing", "memory", "events", "limits",
    ] {
        assert_eq!(
            dom.matches(&format!("<section id=\"{section}\">")).count(),
            1,
            "{section}"
        );
    }
    let ran = profile.sites.iter().filter(|site| site.costs.instructions > 0);
    assert_eq!(dom.matches("<tr style=\"background:hsl(").count(), ran.count());
    // One bar for used slots, one for each cause.
    let bars = dom
        .split("class=\"key\"")
        .next()
        .unwrap()
        .matches("<div title=")
        .count();
    assert_eq!(bars, 1 + profile.ledger.ranked().len());
    // Decode cells of the drawing: one per instruction of the loop, which has five.
    assert_eq!(dom.matches(">D</text>").count(), 5);
    let asked = requests(&std::fs::read_to_string(&log).unwrap());
    assert!(asked.iter().all(|url| own(url)), "{asked:?}");
    println!(
        "pages: 1 opened in chromium, {} requests, none by the page",
        asked.len()
    );
}

/// Returns the addresses in a browser's network log.
fn requests(log: &str) -> Vec<String> {
    let urls = log.split("\"url\":\"").skip(1);
    urls.map(|rest| rest.split('"').next().unwrap().to_owned())
        .collect()
}

/// Returns whether a request comes from the page file itself or from Chromium to its maker. The page contains
/// no address.
fn own(url: &str) -> bool {
    let host = url.split("//").nth(1).and_then(|rest| rest.split('/').next());
    let host = host.unwrap_or_default();
    url.starts_with("file://") || host.ends_with(".google.com") || host.ends_with(".googleapis.com")
}

/// Reads the trace with Perfetto's own reader: `trace_processor_shell`, or the program that
/// `SWIRL_TRACE_PROCESSOR` names.
#[test]
fn perfetto_reads_its_trace() {
    let (profile, places) = profile();
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (trace, query) = (folder.join("trace.json"), folder.join("query.sql"));
    std::fs::write(&trace, export::perfetto(&profile, &places, "copies").to_string()).unwrap();
    std::fs::write(
        &query,
        "select count(*) as slices from slice where category = 'issue';",
    )
    .unwrap();
    let reader =
        std::env::var("SWIRL_TRACE_PROCESSOR").unwrap_or_else(|_| "trace_processor_shell".to_owned());
    let Ok(output) = Command::new(reader).arg("-q").args([&query, &trace]).output() else {
        println!("perfetto: 0 traces read back, trace_processor_shell is not installed");
        return;
    };
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains(&profile.counts.instructions.to_string()), "{text}");
    println!("perfetto: 1 trace read back");
}

/// If `SWIRL_SPEEDSCOPE_SCHEMA` names speedscope's file-format-schema.json, Python's jsonschema checks the
/// file with it. Otherwise this checks no schema.
fn fits_schema(scope: &serde_json::Value) -> bool {
    let Ok(schema) = std::env::var("SWIRL_SPEEDSCOPE_SCHEMA") else {
        return false;
    };
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("scope.json");
    std::fs::write(&file, scope.to_string()).unwrap();
    let check =
        "import json,jsonschema,sys; jsonschema.validate(*(json.load(open(f)) for f in sys.argv[1:]))";
    let status = Command::new("python3")
        .args(["-c", check])
        .arg(&file)
        .arg(schema)
        .status();
    assert!(status.unwrap().success());
    true
}

/// Reads XML to its end and returns the name of the outermost element.
fn well_formed(text: &str) -> String {
    let mut reader = quick_xml::Reader::from_str(text);
    reader.config_mut().check_end_names = true;
    let (mut open, mut outermost) = (0, None);
    loop {
        match reader.read_event().unwrap() {
            quick_xml::events::Event::Start(start) => {
                open += 1;
                let name = String::from_utf8_lossy(start.name().as_ref()).into_owned();
                outermost.get_or_insert(name);
            }
            quick_xml::events::Event::End(_) => open -= 1,
            quick_xml::events::Event::Eof => break,
            _ => {}
        }
    }
    assert_eq!(open, 0);
    outermost.unwrap()
}

/// Assembles with debug information and finds the lines.
#[test]
fn source_lines_come_from_dwarf() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (source, object, image) = (
        folder.join("lines.s"),
        folder.join("lines.o"),
        folder.join("lines.elf"),
    );
    std::fs::write(
        &source,
        ".text\n.globl _start\n_start:\nnop\n\nadd #1,r0\nrts\nnop\n",
    )
    .unwrap();
    let run = |tool: &str, args: &[&str]| {
        Command::new(tool)
            .args(args)
            .status()
            .is_ok_and(|status| status.success())
    };
    let path = |path: &std::path::Path| path.to_str().unwrap().to_owned();
    let assembled = run(
        "sh4-linux-gnu-as",
        &["-little", "-g", "-o", &path(&object), &path(&source)],
    ) && run(
        "sh4-linux-gnu-ld",
        &["-EL", "-Ttext=0x8c010000", "-o", &path(&image), &path(&object)],
    );
    if !assembled {
        println!("source lines: 0 files, no SH assembler is installed");
        return;
    }
    let lines = profile::source_lines(&std::fs::read(&image).unwrap()).unwrap();
    let mut places = Places::default();
    places.set_lines(lines);
    let line = |address| places.line(address).map(|line| line.line);
    assert_eq!(
        [0x8C01_0000, 0x8C01_0002, 0x8C01_0004, 0x8C01_0006].map(line),
        [4, 6, 7, 8].map(Some)
    );
    assert_eq!(line(0x8C01_0010), None);
    assert!(places.line(0x8C01_0000).unwrap().file.ends_with("lines.s"));
    // At every alignment of the bytes.
    for shift in 0..4 {
        let shifted = [&[0; 4][..shift], TIMING].concat();
        assert!(profile::source_lines(&shifted[shift..]).unwrap().is_empty());
    }
    assert!(profile::source_lines(b"no ELF").is_err());
    println!("source lines: 1 file");
}
