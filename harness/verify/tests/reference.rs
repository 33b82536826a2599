//! Checks the reference page of specifications: it must have every key that the parser knows, and no other.

#![allow(clippy::unwrap_used)]

use std::path::Path;

use verify::SH4;
use verify::user::{SPEC_TABLES, Spec};

const KERNEL: &str = "[[kernel]]\ncall = \"a\"\nagainst = \"b\"\n";

/// The error message for a specification with an unknown key.
fn message(text: &str) -> String {
    Spec::parse(text, Path::new("k.toml"), &[SH4])
        .unwrap_err()
        .message
}

/// The names in backquotes after "expected".
fn expected_names(message: &str) -> Vec<&str> {
    let names = message.split_once("expected").unwrap().1;
    let mut names: Vec<&str> = names.split('`').skip(1).step_by(2).collect();
    names.sort_unstable();
    names
}

/// serde lists the fields of a table in the message for an unknown one.
#[test]
fn the_tables_have_the_keys_of_the_parser() {
    let args = "[kernel.args]\nn = { value = \"u32\" }\n";
    for (table, text) in [
        ("[[kernel]]", format!("{KERNEL}unknown = 1\n{args}")),
        (
            "[kernel.args]",
            format!("{KERNEL}[kernel.args]\nn = {{ unknown = 1 }}\n"),
        ),
        (
            "[kernel.check]",
            format!("{KERNEL}{args}[kernel.check]\nunknown = 1\n"),
        ),
        (
            "cycles",
            format!("{KERNEL}{args}[kernel.check]\ncycles = {{ unknown = 1 }}\n"),
        ),
    ] {
        let known = SPEC_TABLES.iter().find(|t| t.name == table).unwrap();
        let mut keys: Vec<&str> = known.keys.iter().map(|key| key.name).collect();
        keys.sort_unstable();
        assert_eq!(expected_names(&message(&text)), keys, "{table}");
    }
}

/// The error message for a wrong tolerance names all tolerances.
#[test]
fn the_tolerances_are_those_of_the_parser() {
    let known = SPEC_TABLES.iter().find(|t| t.name == "compare").unwrap();
    let spec = |compare: &str| {
        format!("{KERNEL}[kernel.args]\nx = {{ out = \"f32[1]\" }}\n[kernel.check]\ncompare = {compare}\n")
    };
    let parse = |compare: &str| Spec::parse(&spec(compare), Path::new("k.toml"), &[SH4]);
    let all = message(&spec("{ unknown = 1 }"));
    for key in known.keys {
        assert!(all.contains(&format!("`{} = ", key.name)), "{all}");
        assert!(parse(&format!("{{ {} = 1 }}", key.name)).is_ok(), "{}", key.name);
    }
    assert!(parse("{ ulp = 1, relative = 1e-6, absolute = 0.5 }").is_ok());
    for wrong in [
        "\"near\"",
        "{ ulp = -1 }",
        "{ relative = 0.0 }",
        "{ absolute = nan }",
        "{}",
        "3",
        "{ ulp = 1, x = 2 }",
    ] {
        let message = parse(wrong).unwrap_err().to_string();
        let choices = [
            "k.toml:7: compare: found ",
            "\"bits\"",
            "`ulp = N`",
            "`relative = X`",
            "`absolute = X`",
        ];
        assert!(
            choices.iter().all(|choice| message.contains(choice)),
            "{wrong}: {message}"
        );
    }
}

#[test]
fn the_page_has_the_tables() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/specification.md");
    let page = std::fs::read_to_string(&path).unwrap();
    for table in SPEC_TABLES {
        assert!(
            page.contains(&table.markdown()),
            "{}: the page lacks this table of {}:\n{}",
            path.display(),
            table.name,
            table.markdown()
        );
    }
    let rows = page.lines().filter(|line| line.starts_with("| `")).count();
    let keys: usize = SPEC_TABLES.iter().map(|table| table.keys.len()).sum();
    let named = generators().len() + verify::user::element_types().len() + verify::user::fpscr_words().len();
    assert_eq!(rows, keys + named, "rows of the page");
    for name in generators()
        .into_iter()
        .chain(verify::user::element_types())
        .chain(verify::user::fpscr_words())
    {
        assert!(page.contains(&format!("\n| `{name}` |")), "the page lacks {name}");
    }
}

fn generators() -> Vec<&'static str> {
    verify::user::generators()
}

/// Every example on the page must be readable without an error.
#[test]
fn the_examples_of_the_page_are_read() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/specification.md");
    let page = std::fs::read_to_string(path).unwrap();
    let examples: Vec<&str> = page
        .split("```toml\n")
        .skip(1)
        .map(|rest| rest.split_once("```").unwrap().0)
        .collect();
    assert!(!examples.is_empty());
    for example in examples {
        Spec::parse(example, Path::new("example.toml"), &[SH4]).unwrap();
    }
}
