//! Checks kernels against their references: runs `swirl verify`.

use super::verb::Verb;
use super::{CaseOutput, Kind};
use crate::setting_options::SetOptions;
use crate::test::case::Case;
use anyhow::{Result, bail};

pub(super) const KIND: Kind = Kind {
    name: "kernel",
    keys: &["input", "spec", "names", "cases", "seed", "options"],
    run,
};

fn run(case: &Case, _: &SetOptions) -> Result<CaseOutput> {
    let file = &case.file;
    if file.input.is_some() != file.spec.is_some() {
        bail!("found only one of input (the ELF file) and spec, expected both or neither");
    }
    let mut verb = Verb::new(case, "verify")?;
    verb.option("--elf", file.input.as_ref())
        .option("--spec", file.spec.as_ref())
        .option("--cases", file.cases.map(|n| n.to_string()))
        .option("--seed", file.seed.map(|n| n.to_string()));
    for word in file.options.iter().chain(&file.names) {
        verb.arg(word);
    }
    let (_, warnings) = verb.run()?;
    Ok(CaseOutput {
        warnings,
        ..CaseOutput::default()
    })
}
