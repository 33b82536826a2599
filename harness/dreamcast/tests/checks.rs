//! The rules of the checks. Each rule has a program that breaks it once, and a similar correct program.

#![allow(clippy::unwrap_used, reason = "a failing helper fails its test")]

use dreamcast::checks::{Finding, Rule, RuleSet};
use dreamcast::{Config, Dreamcast, Until};
use machine::Image;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns the findings of the checks `rules` in a program of `roms`.
fn findings(path: &str, rules: RuleSet) -> Vec<Finding> {
    let mut console = Dreamcast::new(Config {
        checks: rules,
        ..Config::default()
    });
    let elf = fs::read(root().join("roms").join(path)).unwrap();
    console.load(&Image::parse(&elf).unwrap()).unwrap();
    console.run(Until {
        frame: 30,
        ..Until::FOREVER
    });
    let (findings, more) = console.findings();
    assert_eq!(more, 0);
    findings.to_vec()
}

fn everything() -> RuleSet {
    let mut rules = RuleSet::default();
    assert!(rules.add_named("all"));
    rules
}

/// Returns the rules that are on by default, plus `rule`.
fn rules_with(rule: Rule) -> RuleSet {
    let mut rules = everything();
    rules.add(rule);
    rules
}

#[test]
fn every_rule_is_broken_by_its_program_and_not_by_the_other() {
    let mut wrong = Vec::new();
    for rule in Rule::ALL {
        let name = rule.info().name.replace('-', "_");
        let broken = findings(&format!("checks/{name}.elf"), rules_with(*rule));
        let right = findings(&format!("checks/{name}_right.elf"), rules_with(*rule));
        let of = |all: &[Finding]| {
            all.iter()
                .map(|f| (f.rule.info().name, f.count))
                .collect::<Vec<_>>()
        };
        let mut alone = RuleSet::default();
        alone.add(*rule);
        let alone = findings(&format!("checks/{name}.elf"), alone);
        let once = [(rule.info().name, 1)];
        let mut expected = once.to_vec();
        // GCC's division routine then accesses a misaligned address.
        if *rule == Rule::DivisionByZero {
            expected.push(("misaligned", 1));
        }
        if of(&broken) != expected || of(&alone) != once || !right.is_empty() {
            let (broken, alone, right) = (of(&broken), of(&alone), of(&right));
            wrong.push(format!("{name}: {broken:?}; alone: {alone:?}; right: {right:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    println!("{} rules, two programs each", Rule::ALL.len());
}

#[test]
fn the_initial_stack_must_not_reach_the_image() {
    let broken = findings("checks/stack_overflow_initial.elf", everything());
    let of = |finding: &Finding| (finding.rule, finding.count);
    assert_eq!(
        broken.iter().map(of).collect::<Vec<_>>(),
        [(Rule::StackOverflow, 1)]
    );
    assert!(
        broken[0].detail.contains("the program's image ends at"),
        "{broken:?}"
    );
    let right = findings("checks/stack_overflow_initial_right.elf", everything());
    assert!(right.is_empty(), "{right:?}");
}

#[test]
fn the_projects_own_programs_break_no_rule() {
    let console = fs::read_dir(root().join("roms/console")).unwrap();
    let names = console.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let programs: Vec<String> = names.map(|name| format!("console/{name}")).collect();
    assert!(programs.len() >= 20, "{programs:?}");
    for path in programs.iter().map(String::as_str).chain(["demo.elf"]) {
        let found = findings(path, everything());
        let rules: Vec<Rule> = found.iter().map(|finding| finding.rule).collect();
        // These programs test address errors.
        let expected: &[Rule] = match path {
            "console/exceptions.elf" | "console/fault.elf" => &[Rule::Misaligned],
            // One of its transfers goes outside RAM.
            "console/dmac_errors.elf" => &[Rule::DmaRange],
            // This program also tests FSCHG, FMAC, FIPR and FSRRA with PR = 1.
            "console/fpu_modes.elf" => &[Rule::FpuUndefined; 4],
            _ => &[],
        };
        assert_eq!(rules, expected, "{path}: {found:#?}");
    }
    println!("{} programs", programs.len() + 1);
}

#[test]
fn a_report_has_place_time_and_registers() {
    let found = findings("checks/dma_dirty_line.elf", everything());
    let finding = &found[0];
    assert_eq!(finding.rule, Rule::DirtyLine);
    assert!((0x8C01_0000..0x8C02_0000).contains(&finding.pc));
    assert!(
        finding.cycle > 0 && finding.detail.contains("64 bytes"),
        "{finding:?}"
    );
    assert_eq!(finding.registers[15] >> 20, 0x8CF, "{finding:?}");
}

/// The findings are the same with any other rules enabled: no rule's bookkeeping changes the run.
#[test]
fn checks_do_not_change_the_run() {
    let run = |rules: RuleSet| {
        let mut console = Dreamcast::new(Config {
            checks: rules,
            caches: true,
            ..Config::default()
        });
        let elf = fs::read(root().join("roms/console/spin.elf")).unwrap();
        console.load(&Image::parse(&elf).unwrap()).unwrap();
        console.run(Until {
            frame: 20,
            ..Until::FOREVER
        });
        (console.now(), console.renders(), console.picture().rgba)
    };
    let mut shadow = everything();
    shadow.add(Rule::Uninitialised);
    let plain = run(RuleSet::default());
    assert!(plain == run(everything()) && plain == run(shadow));
    assert!(plain.1 > 10, "{} renders", plain.1);
}

/// Compares the table in `docs/reference/checks.md`. `SWIRL_WRITE_DOCS=1` writes it.
#[test]
fn the_documentation_lists_every_rule_and_its_programs() {
    let path = root().join("docs/reference/checks.md");
    let page = fs::read_to_string(&path).unwrap();
    let begin = page.find("| rule |").unwrap();
    let table = table();
    if std::env::var_os("SWIRL_WRITE_DOCS").is_some() {
        fs::write(&path, format!("{}{table}", &page[..begin])).unwrap();
        return;
    }
    assert!(page[begin..] == table, "SWIRL_WRITE_DOCS=1 writes the table anew");
}

fn table() -> String {
    let mut text = String::from(
        "| rule | group | the program | a console | to mend | severity | source, confidence | programs |\n\
         |---|---|---|---|---|---|---|---|\n",
    );
    for rule in Rule::ALL {
        let info = rule.info();
        let file = info.name.replace('-', "_");
        let off = if info.by_default { "" } else { " (not in `all`)" };
        text += &format!(
            "| `{}`{off} | {} | {} | {} | {} | {} | {}; {} | `{file}`, `{file}_right` |\n",
            info.name,
            info.group,
            info.what,
            info.why,
            info.mend,
            info.severity.name(),
            info.source,
            info.confidence.name()
        );
    }
    text
}
