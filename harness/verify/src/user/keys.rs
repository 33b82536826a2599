//! Every key of a specification, for `swirl verify --help` and the reference page.

/// A table of a specification file with its keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyTable {
    /// The table as TOML writes it.
    pub name: &'static str,
    /// Keys in the order of the reference page.
    pub keys: &'static [SpecKey],
}

/// A key of a specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpecKey {
    /// The key.
    pub name: &'static str,
    /// The values that it takes.
    pub values: &'static str,
    /// Meaning and default.
    pub meaning: &'static str,
}

const fn key(name: &'static str, values: &'static str, meaning: &'static str) -> SpecKey {
    SpecKey {
        name,
        values,
        meaning,
    }
}

/// Every table with every key that the parser knows.
pub const SPEC_TABLES: &[KeyTable] = &[
    KeyTable {
        name: "[[kernel]]",
        keys: &[
            key("name", "text", "Name in reports. Default: the value of `call`."),
            key(
                "call",
                "symbol",
                "The function to verify, the candidate. The leading underscore of C may be left out. \
                 Required.",
            ),
            key(
                "against",
                "symbol or `builtin:NAME`",
                "The reference: a function of the same file, or the Rust reference of a built-in kernel. \
                 Required.",
            ),
            key(
                "fpscr",
                "words or hexadecimal",
                "FPSCR at entry of the candidate. Default: the compiler option in the debug information, \
                 else `single, nearest, flush`.",
            ),
            key(
                "against_fpscr",
                "words or hexadecimal",
                "FPSCR at entry of the reference. Default: the compiler option in the debug information, \
                 else the value of `fpscr`.",
            ),
            key(
                "returns",
                "element type",
                "Type of the result in R0, FR0 or DR0, which is compared. Default: the result is not \
                 compared.",
            ),
            key(
                "args",
                "table",
                "The arguments in the order of the prototype. Required.",
            ),
            key("check", "table", "What is checked."),
        ],
    },
    KeyTable {
        name: "[kernel.args]",
        keys: &[
            key("in", "`TYPE[COUNT]`", "A buffer that the function only reads."),
            key(
                "out",
                "`TYPE[COUNT]` or `ta`",
                "A buffer that the function writes; it holds garbage at entry. `ta`: a pointer into the \
                 store queues; the blocks that arrive at the tile accelerator are compared.",
            ),
            key(
                "inout",
                "`TYPE[COUNT]`",
                "A buffer that the function reads and writes.",
            ),
            key("value", "element type", "A number in a register or on the stack."),
            key(
                "align",
                "power of two up to 4096",
                "Alignment of a buffer in bytes. The addresses of cases are multiples of it, and often of \
                 no larger power of two. Default: the size of an element, at most 4.",
            ),
            key(
                "values",
                "name of a generator",
                "Contents at entry. Default: `finite`.",
            ),
            key(
                "range",
                "`LOW..=HIGH` or `LOW..=HIGH step N`",
                "Values from a range, both ends included. Only integers with a range may be used in counts.",
            ),
            key(
                "file",
                "path from the specification's folder",
                "Contents from a file, repeated as often as needed.",
            ),
            key(
                "reg",
                "`xmtrx`",
                "The buffer `f32[16]` is XF0 to XF15 and no argument of the prototype.",
            ),
        ],
    },
    KeyTable {
        name: "[kernel.check]",
        keys: &[
            key(
                "compare",
                "`\"bits\"` or a table",
                "When two elements are equal. Default: `bits`. See below for tolerances.",
            ),
            key(
                "abi",
                "`true` or `false`",
                "Check kept registers, stores, loads and values below R15. Default: `true`.",
            ),
            key(
                "allow",
                "list of names",
                "Actions that the ABI forbids but the function may do: change a register (`gbr`, `fr12`), \
                 change a field of FPSCR or SR (`fpscr.fr`, `sr.imask`), or keep values below R15 \
                 (`red-zone`).",
            ),
            key(
                "reads",
                "`exact`, `line`, `any`",
                "Where the function may load from, apart from its stack and the program: from its buffers, \
                 from the cache lines that hold them, from everywhere. Default: `exact`.",
            ),
            key(
                "limit",
                "instructions",
                "A call that takes more has failed. Default: 1,000 times the instructions of the reference \
                 (of a built-in one: 1,000 for each byte of the buffers), at least 100,000, at most \
                 50,000,000.",
            ),
            key(
                "alias",
                "list of `[INPUT, OUTPUT]`",
                "Pairs of buffers that may be the same. In every fourth case, such a pair has one address.",
            ),
            key(
                "cycles",
                "table",
                "The case whose cycles are counted on the modelled console. Default: the case of seed 1, \
                 warm.",
            ),
        ],
    },
    KeyTable {
        name: "compare",
        keys: &[
            key(
                "ulp",
                "integer",
                "Floats are equal if they differ by at most this number of steps between representable \
                 numbers. NaN equals NaN.",
            ),
            key(
                "relative",
                "number above 0",
                "Floats are equal if their difference divided by the reference is at most this.",
            ),
            key(
                "absolute",
                "number above 0",
                "Floats and integers are equal if their difference is at most this.",
            ),
        ],
    },
    KeyTable {
        name: "cycles",
        keys: &[
            key(
                "cache",
                "`cold` or `warm`",
                "Caches at the start: empty, or as the same call left them. Default: `warm`.",
            ),
            key(
                "at",
                "table",
                "Integer arguments by name. The others come from the seed.",
            ),
            key("seed", "integer", "Seed of the case. Default: 1."),
            key("max", "cycles", "The kernel fails if the candidate takes more."),
        ],
    },
];

impl KeyTable {
    /// The table in Markdown, as the reference page has it.
    #[must_use]
    pub fn markdown(&self) -> String {
        let mut text = "| key | values | meaning |\n|---|---|---|\n".to_owned();
        for SpecKey {
            name,
            values,
            meaning,
        } in self.keys
        {
            text += &format!("| `{name}` | {values} | {meaning} |\n");
        }
        text
    }
}
