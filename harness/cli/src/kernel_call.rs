//! Stores one kernel call in a file, so that the call at which a frame stopped can be repeated.

use crate::exit::ExitStatus;
use crate::{input, output};
use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use sh4_kernels::{Case, Kernel, KernelError, Kernels, Kind, Param, Value, find};
use std::fmt::Write as _;
use std::path::Path;
use verify::{Checked, Failed};

/// Words per line.
const WIDTH: usize = 8;

/// Content of the file, as TOML.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct CallFile {
    kernel: String,
    argument: Vec<Argument>,
}

/// An argument; the kernel defines its kind.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Argument {
    name: String,
    /// Hexadecimal words or half-words, separated by white space; empty for the tile accelerator.
    data: String,
}

/// Writes the call of `failed`.
pub(crate) fn write(path: &Path, failed: &Failed) -> Result<()> {
    let kernel = find(failed.kernel).with_context(|| format!("no kernel {}", failed.kernel))?;
    let mut text = format!("kernel = \"{}\"\n", kernel.name);
    for (param, value) in kernel.params.iter().zip(&failed.case.0) {
        let _ = writeln!(text, "\n[[argument]]\nname = \"{}\"\ndata = \"\"\"", param.name);
        for line in words(value).chunks(WIDTH) {
            let _ = writeln!(text, "{}", line.join(" "));
        }
        text.push_str("\"\"\"\n");
    }
    output::write(path, text.as_bytes())
}

fn words(value: &Value) -> Vec<String> {
    match value {
        Value::Words(words) | Value::WordsMut(words) => words.iter().map(|w| format!("{w:08x}")).collect(),
        Value::Halfwords(halves) => halves.iter().map(|half| format!("{half:04x}")).collect(),
        Value::Value(value) => vec![format!("{value:08x}")],
        Value::TileAccelerator(_) => Vec::new(),
    }
}

fn read(text: &str) -> Result<(&'static Kernel, Case)> {
    let file: CallFile = toml::from_str(text)?;
    let kernel = find(&file.kernel).with_context(|| format!("no kernel {}", file.kernel))?;
    let (found, expected) = (file.argument.len(), kernel.params.len());
    if found != expected {
        bail!("{found} arguments, expected the {expected} of {}", kernel.name);
    }
    let values = kernel.params.iter().zip(&file.argument);
    let case = values
        .map(|(param, argument)| value(param, argument))
        .collect::<Result<_>>()?;
    Ok((kernel, Case(case)))
}

fn value(param: &Param, argument: &Argument) -> Result<Value> {
    if argument.name != param.name {
        bail!("argument {}, expected {}", argument.name, param.name);
    }
    let words = || numbers(argument, |word| u32::from_str_radix(word, 16));
    Ok(match param.kind {
        Kind::Words => Value::Words(words()?),
        Kind::WordsMut => Value::WordsMut(words()?),
        Kind::Halfwords => Value::Halfwords(numbers(argument, |word| u16::from_str_radix(word, 16))?),
        Kind::Value => match words()?[..] {
            [value] => Value::Value(value),
            ref words => bail!("argument {}: {} words, expected one", param.name, words.len()),
        },
        Kind::TileAccelerator if argument.data.trim().is_empty() => Value::TileAccelerator(Vec::new()),
        Kind::TileAccelerator => bail!("argument {}: data, expected none", param.name),
    })
}

fn numbers<T>(
    argument: &Argument,
    read: impl Fn(&str) -> Result<T, std::num::ParseIntError>,
) -> Result<Vec<T>> {
    let words = argument.data.split_whitespace().enumerate();
    words
        .map(|(i, word)| {
            read(word).with_context(|| {
                format!(
                    "argument {}, word {i}: {word}, expected hexadecimal digits",
                    argument.name
                )
            })
        })
        .collect()
}

/// Reads a call and executes it. Returns whether it equals the reference.
pub(crate) fn call(text: &str) -> Result<bool> {
    let (kernel, mut case) = read(text)?;
    Ok(Checked::new()?.call(kernel, &mut case.args()).is_ok())
}

/// Executes the call in the file at `path` on the emulated SH4 and the reference.
pub(crate) fn run(path: &Path) -> Result<ExitStatus> {
    let name = path.display();
    let text = input::read_toml(path)?;
    let (kernel, mut case) = read(&text).with_context(|| name.to_string())?;
    let mut checked = Checked::new()?;
    match checked.call(kernel, &mut case.args()) {
        Ok(()) => {
            let words = checked.tally(kernel.name).words;
            println!("{}: all {words} words are equal to the reference's", kernel.name);
            Ok(ExitStatus::Done)
        }
        Err(KernelError::Signature(error)) => Err(error).with_context(|| name.to_string()),
        Err(error) => {
            println!("{error}");
            Ok(ExitStatus::CheckFailed)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sh4_kernels::{KERNELS, Rng};

    #[test]
    fn calls_of_every_kernel_are_read_back_as_written() {
        let folder = tempfile::tempdir().unwrap();
        for kernel in KERNELS {
            let case = (kernel.generate)(&mut Rng::new(5));
            let path = folder.path().join(kernel.name);
            let failed = Failed {
                kernel: kernel.name,
                case: case.clone(),
            };
            write(&path, &failed).unwrap();
            let (found, read) = read(&std::fs::read_to_string(&path).unwrap()).unwrap();
            assert_eq!((found.name, read), (kernel.name, case));
        }
    }

    #[test]
    fn what_does_not_fit_the_kernel_is_named() {
        let message = |text: &str| format!("{:#}", read(text).unwrap_err());
        assert!(message("kernel = \"sin\"\nargument = []").contains("no kernel sin"));
        let some = "kernel = \"sincos\"\nargument = []";
        assert!(
            message(some).contains("0 arguments, expected the 3"),
            "{}",
            message(some)
        );
        let argument = |name: &str, data: &str| format!("{{ name = \"{name}\", data = \"{data}\" }}");
        let file = |first: &str| format!("kernel = \"sincos\"\nargument = [{first}, {first}, {first}]");
        assert!(message(&file(&argument("angel", ""))).contains("argument angel, expected "));
    }
}
