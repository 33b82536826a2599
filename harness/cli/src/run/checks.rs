//! Options of the checks: rules, ignored reports, and output.

use super::check_names::Names;
use super::debug::DebugInfo;
use super::findings::{CheckReport, CheckResults, grouped_by_function};
use super::sarif;
use crate::input;
use crate::output;
use anyhow::{Context, Result, bail};
use dreamcast::Dreamcast;
use dreamcast::checks::{Rule, RuleSet};
use serde::Serialize;
use std::path::PathBuf;

/// Options of the checks.
#[derive(clap::Args)]
#[command(next_help_heading = "Checks")]
pub(crate) struct CheckOptions {
    /// Report code that works here but fails on a console, by rules: names, groups, or `all`. `swirl checks`
    /// lists them.
    /// Enables --caches cached.
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    check: Vec<String>,
    /// Check rules like --check, and end with status 1 if one is broken.
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    deny: Vec<String>,
    /// Ignore reports of a rule, everywhere or in one function.
    #[arg(long, value_name = "RULE[@SYMBOL]")]
    allow: Vec<Allowed>,
    /// File with rules to ignore, one per line; # begins a comment.
    #[arg(long, value_name = "FILE")]
    suppressions: Option<PathBuf>,
    /// End the run at the first report.
    #[arg(long)]
    stop_at_first: bool,
    /// Write the reports as SARIF 2.1.0, for code hosts and editors.
    #[arg(long, value_name = "FILE")]
    sarif: Option<PathBuf>,
}

/// A rule to ignore: `RULE` or `RULE@SYMBOL`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Allowed {
    rule: Rule,
    symbol: Option<String>,
}

impl std::str::FromStr for Allowed {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, symbol) = match text.split_once('@') {
            Some((name, symbol)) => (name, Some(symbol.to_owned())),
            None => (text, None),
        };
        match Rule::named(name) {
            Some(rule) => Ok(Self { rule, symbol }),
            None => Err(format!(
                "found rule {name:?}, expected one that `swirl checks` lists"
            )),
        }
    }
}

impl Allowed {
    fn covers(&self, report: &CheckReport) -> bool {
        self.covers_place(report.rule, &report.function)
    }

    /// Returns whether to ignore reports of a rule in a function.
    pub(crate) fn covers_place(&self, rule: &str, function: &str) -> bool {
        let same = |symbol: &String| {
            let rest = function
                .strip_prefix('_')
                .unwrap_or(function)
                .strip_prefix(&**symbol);
            // The parameters of a C++ function can be omitted.
            let short = rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('('));
            short || function == machine::shown_name(symbol)
        };
        self.rule.info().name == rule && self.symbol.as_ref().is_none_or(same)
    }
}

fn named(names: &[String], option: &str) -> Result<RuleSet> {
    let mut set = RuleSet::default();
    for name in names {
        if !set.add_named(name) {
            bail!("{option}: found {name:?}, expected `all`, or a rule or group from `swirl checks`");
        }
    }
    Ok(set)
}

impl CheckOptions {
    /// Returns the rules to check.
    pub(crate) fn rules(&self) -> Result<RuleSet> {
        let mut rules = named(&self.check, "--check")?;
        let denied = named(&self.deny, "--deny")?;
        Rule::ALL
            .iter()
            .filter(|rule| denied.has(**rule))
            .for_each(|rule| rules.add(*rule));
        let dependent = self.sarif.is_some() || self.suppressions.is_some() || self.stop_at_first;
        if rules.is_empty() && (dependent || !self.allow.is_empty()) {
            bail!(
                "--sarif, --suppressions, --allow and --stop-at-first need rules: found none, expected \
                --check or --deny"
            );
        }
        Ok(rules)
    }

    /// Returns whether a run ends at the first report.
    pub(crate) fn stops_at_first(&self) -> bool {
        self.stop_at_first
    }

    /// Returns the reports to ignore, by rule and symbol.
    pub(crate) fn allowed(&self) -> Result<Vec<Allowed>> {
        let mut allowed = self.allow.clone();
        let Some(path) = &self.suppressions else {
            return Ok(allowed);
        };
        let name = || path.display().to_string();
        let text = String::from_utf8(input::read(path)?).with_context(name)?;
        for (n, line) in (1..).zip(text.lines()) {
            let rule = line.split('#').next().unwrap_or_default().trim();
            if !rule.is_empty() {
                let parsed = rule.parse::<Allowed>().map_err(anyhow::Error::msg);
                allowed.push(parsed.with_context(|| format!("{}:{n}", path.display()))?);
            }
        }
        Ok(allowed)
    }

    /// Returns the results of a run's checks; `None` without checks.
    pub(crate) fn results(
        &self,
        console: &mut Dreamcast,
        elf: &[u8],
        program: &str,
    ) -> Result<Option<CheckResults>> {
        let rules = self.rules()?;
        if rules.is_empty() {
            return Ok(None);
        }
        let denied = named(&self.deny, "--deny")?;
        let (findings, more) = console.findings();
        let findings = findings.to_vec();
        let info = DebugInfo::of(elf);
        let mut names = Names::new(console, elf, &info);
        let all: Vec<CheckReport> = findings
            .iter()
            .map(|finding| names.report(finding, denied.has(finding.rule)))
            .collect();
        let allowed = self.allowed()?;
        let covered = |report: &CheckReport| allowed.iter().any(|rule| rule.covers(report));
        let found = all.len();
        let left: Vec<CheckReport> = all.into_iter().filter(|report| !covered(report)).collect();
        let allowed = found - left.len();
        let reports = grouped_by_function(left);
        let checked = Rule::ALL.iter().filter(|rule| rules.has(**rule));
        let of_caches = checked.clone().any(|rule| rule.info().group == "cache");
        let results = CheckResults {
            rules: checked.map(|rule| rule.info().name).collect(),
            allowed,
            reports,
            more,
            caches_off: of_caches && console.written_ccr().is_none(),
        };
        if let Some(path) = &self.sarif {
            let text = serde_json::to_string_pretty(&sarif::log(&results, program))?;
            output::write(path, text.as_bytes())?;
        }
        Ok(Some(results))
    }
}

/// List the rules of `--check`.
///
/// Each rule has a description of the mistake, its effect on a console, the correction, and the source of the
/// rule.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
        swirl checks\n  \
        swirl checks --json\n  \
        swirl run game.elf --frames 600 --check all\n\n\
    JSON: [{\"name\", \"group\", \"what\", \"why\", \"mend\", \"severity\": \"error\" | \"warning\" | \
    \"note\", \"source\",\n  \
    \"confidence\": \"high\" | \"medium\" | \"low\", \"by_default\"}]")]
pub(crate) struct ListArgs {
    /// Print the table as JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Row {
    name: &'static str,
    group: &'static str,
    what: &'static str,
    why: &'static str,
    mend: &'static str,
    severity: &'static str,
    source: &'static str,
    confidence: &'static str,
    by_default: bool,
}

impl Row {
    fn of(rule: &Rule) -> Row {
        let info = rule.info();
        Row {
            name: info.name,
            group: info.group,
            what: info.what,
            why: info.why,
            mend: info.mend,
            severity: info.severity.name(),
            source: info.source,
            confidence: info.confidence.name(),
            by_default: info.by_default,
        }
    }

    fn text(&self) -> String {
        let off = if self.by_default { "" } else { ", not in all" };
        format!(
            "{} ({}, {}{off})\n  {}\n  a console: {}\n  to mend: {}\n  source: {}; confidence {}\n",
            self.name,
            self.group,
            self.severity,
            self.what,
            self.why,
            self.mend,
            self.source,
            self.confidence
        )
    }
}

pub(crate) fn list(args: &ListArgs) -> Result<crate::exit::ExitStatus> {
    let rows: Vec<Row> = Rule::ALL.iter().map(Row::of).collect();
    if args.json {
        println!("{}", serde_json::to_string_pretty(&rows)?);
    } else {
        rows.iter().for_each(|row| print!("{}", row.text()));
    }
    Ok(crate::exit::ExitStatus::Done)
}
