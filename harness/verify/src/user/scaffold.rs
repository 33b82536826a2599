//! Writes a first specification of a function from its prototype in the debug information.

use machine::{Image, Symbols};
use thiserror::Error;

use super::debug_info::{CType, DebugInfo, Prototype};
use super::program::no_symbol;
use crate::{OpenError, Target};

/// The reason why no specification can be written.
#[derive(Debug, Error)]
pub enum ScaffoldError {
    /// The file cannot be read.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The program has no such symbol.
    #[error("{0}")]
    Symbol(String),
    /// There is no prototype for the symbol.
    #[error(
        "no prototype of `{0}` in the debug information; compile its declaration and a call of it with -g"
    )]
    Prototype(String),
    /// A specification cannot express the type of a parameter.
    #[error(
        "{symbol}: parameter `{parameter}` is {found}; a specification has pointers, floats and integers of \
         at most 64 bits"
    )]
    Type {
        /// The function.
        symbol: String,
        /// The parameter.
        parameter: String,
        /// Type of the parameter.
        found: String,
    },
}

/// Name endings of optimised functions, removed to guess the name of the reference.
const FAST_ENDINGS: [&str; 5] = ["_fast", "_asm", "_sh4", "_opt", "_s"];
/// Name endings of references.
const REFERENCE_ENDINGS: [&str; 5] = ["_c", "_ref", "_reference", "_plain", "_slow"];
/// Names of parameters that usually count elements.
const COUNTS: [&str; 8] = ["n", "count", "len", "length", "num", "size", "bytes", "elements"];
/// Names of parameters that a function usually only writes.
const OUTPUTS: [&str; 6] = ["dst", "dest", "out", "output", "result", "to"];

/// Returns a specification of `symbol` as TOML. `# ?` marks guesses.
///
/// # Errors
/// If the file cannot be read, has no such symbol or no prototype for it, or the prototype has a type that a
/// specification cannot express.
pub fn scaffold(elf: &[u8], symbol: &str, targets: &[Target]) -> Result<String, ScaffoldError> {
    let image = Image::parse(elf).map_err(OpenError::from)?;
    let name = symbol.strip_prefix('_').unwrap_or(symbol);
    if image.symbols.address(symbol).is_none() {
        return Err(ScaffoldError::Symbol(no_symbol(&image.symbols, symbol)));
    }
    let reference = reference(&image.symbols, name);
    let debug = DebugInfo::of(elf);
    let prototype = |of: &str| debug.as_ref().and_then(|debug| debug.prototype(of));
    let prototype = prototype(name).or_else(|| prototype(reference.as_deref()?));
    let prototype = prototype.ok_or_else(|| ScaffoldError::Prototype(name.to_owned()))?;
    let builtin = targets
        .iter()
        .flat_map(|t| t.kernels)
        .any(|kernel| kernel.name == name);
    let against = match (reference, builtin) {
        (Some(found), _) => format!("against = \"{found}\"  # ? guessed from its name"),
        (None, true) => format!("against = \"builtin:{name}\""),
        (None, false) => format!("against = \"{name}_c\"  # ? a symbol of this file, or \"builtin:NAME\""),
    };
    text(name, &against, &prototype)
}

/// The symbol that is probably the reference of `name`.
fn reference(symbols: &Symbols, name: &str) -> Option<String> {
    let stem = FAST_ENDINGS
        .iter()
        .find_map(|ending| name.strip_suffix(ending))
        .unwrap_or(name);
    let stems = [name, stem].into_iter();
    let endings = stems.flat_map(|stem| REFERENCE_ENDINGS.map(|ending| format!("{stem}{ending}")));
    let mut all = endings.chain([stem.to_owned()]).filter(|found| found != name);
    all.find(|found| symbols.address(found).is_some())
}

fn text(name: &str, against: &str, prototype: &Prototype) -> Result<String, ScaffoldError> {
    let mut text = format!(
        "# A first specification of {name}, from its prototype. `# ?` marks what is guessed.\n\
         # Every key: docs/reference/specification.md\n\n\
         [[kernel]]\ncall    = \"{name}\"\n{against}\n"
    );
    let unknown = |parameter: &str, found: &CType| ScaffoldError::Type {
        symbol: name.to_owned(),
        parameter: parameter.to_owned(),
        found: in_words(found),
    };
    match &prototype.result {
        CType::Void => {}
        found => {
            let element = element(found).ok_or_else(|| unknown("(result)", found))?;
            text += &format!("returns = \"{element}\"\n");
        }
    }
    text += "\n[kernel.args]\n";
    let count = count(prototype);
    for (parameter, kind) in &prototype.parameters {
        let line = argument(parameter, kind, count).ok_or_else(|| unknown(parameter, kind))?;
        text += &format!("{parameter} = {line}\n");
    }
    let silent = !text.contains("out = ") && prototype.result == CType::Void;
    let hint = if silent {
        "# ? No output is compared: make an argument `out` or `inout`.\n"
    } else {
        ""
    };
    Ok(format!("{text}{hint}\n[kernel.check]\ncompare = \"bits\"\n"))
}

/// The parameter that probably counts elements, by its name.
fn count(prototype: &Prototype) -> Option<&str> {
    let counts = |(name, kind): &&(String, CType)| {
        matches!(kind, CType::Signed(_) | CType::Unsigned(_))
            && COUNTS.contains(&name.to_lowercase().as_str())
    };
    prototype
        .parameters
        .iter()
        .find(counts)
        .map(|(name, _)| name.as_str())
}

/// Returns the value of one argument's line in the specification; `None` for a type that a specification
/// cannot express.
fn argument(name: &str, kind: &CType, count: Option<&str>) -> Option<String> {
    let CType::Pointer(target, constant) = kind else {
        let value = element(kind)?;
        return Some(match count == Some(name) {
            true => format!(
                "{{ value = \"{value}\", range = \"0..=64\" }}  # ? range; from 1 if 0 is not allowed"
            ),
            false => format!("{{ value = \"{value}\" }}"),
        });
    };
    let direction = match (constant, OUTPUTS.contains(&name.to_lowercase().as_str())) {
        (true, _) => "in",
        (false, true) => "out",
        (false, false) => "inout",
    };
    let text = **target == CType::Signed(1) && direction == "in" && count.is_none();
    let elements = count.unwrap_or("16");
    Some(match &**target {
        _ if text => "{ in = \"i8[64]\", values = \"string\" }  # ? elements".to_owned(),
        CType::Void => format!("{{ {direction} = \"u8[{elements}]\" }}  # ? type and elements"),
        CType::Aggregate(bytes) => {
            let words = bytes.div_ceil(4).max(1);
            format!("{{ {direction} = \"u32[{words}*{elements}]\" }}  # ? type and elements")
        }
        target => {
            let element = element(target)?;
            format!("{{ {direction} = \"{element}[{elements}]\" }}  # ? elements")
        }
    })
}

/// The name of a type in a specification.
fn element(kind: &CType) -> Option<&'static str> {
    Some(match kind {
        CType::Float(4) => "f32",
        CType::Float(8) => "f64",
        CType::Signed(8) => "i64",
        CType::Unsigned(8) => "u64",
        CType::Signed(4) => "i32",
        CType::Signed(2) => "i16",
        CType::Signed(1) => "i8",
        CType::Unsigned(4) | CType::Pointer(..) => "u32",
        CType::Unsigned(2) => "u16",
        CType::Unsigned(1) => "u8",
        _ => return None,
    })
}

fn in_words(kind: &CType) -> String {
    match kind {
        CType::Void => "void".to_owned(),
        CType::Float(bytes) => format!("a float of {bytes} bytes"),
        CType::Signed(bytes) | CType::Unsigned(bytes) => format!("an integer of {bytes} bytes"),
        CType::Pointer(..) => "a pointer".to_owned(),
        CType::Aggregate(bytes) => format!("a structure of {bytes} bytes"),
    }
}
