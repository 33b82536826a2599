//! Types that mirror the keys of a specification file. [`super::reader`] checks their values.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::{MapAccess, Visitor};
use toml::Spanned;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawFile {
    #[serde(default)]
    pub(super) kernel: Vec<Spanned<RawKernel>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawKernel {
    pub(super) name: Option<String>,
    pub(super) call: Spanned<String>,
    pub(super) against: Spanned<String>,
    pub(super) fpscr: Option<Spanned<String>>,
    pub(super) against_fpscr: Option<Spanned<String>>,
    pub(super) returns: Option<Spanned<String>>,
    pub(super) args: Ordered<Spanned<RawArg>>,
    pub(super) check: Option<RawCheck>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawArg {
    #[serde(rename = "in")]
    pub(super) input: Option<Spanned<String>>,
    pub(super) out: Option<Spanned<String>>,
    pub(super) inout: Option<Spanned<String>>,
    pub(super) value: Option<Spanned<String>>,
    pub(super) align: Option<Spanned<u32>>,
    pub(super) values: Option<Spanned<String>>,
    pub(super) range: Option<Spanned<String>>,
    #[serde(rename = "file")]
    pub(super) from: Option<Spanned<String>>,
    pub(super) reg: Option<Spanned<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawCheck {
    pub(super) compare: Option<Spanned<toml::Value>>,
    pub(super) abi: Option<bool>,
    #[serde(default)]
    pub(super) allow: Vec<Spanned<String>>,
    pub(super) reads: Option<Spanned<String>>,
    pub(super) limit: Option<Spanned<u64>>,
    #[serde(default)]
    pub(super) alias: Vec<Spanned<[String; 2]>>,
    pub(super) cycles: Option<Spanned<RawCycles>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawCycles {
    pub(super) cache: Option<String>,
    #[serde(default)]
    pub(super) at: BTreeMap<String, i64>,
    pub(super) seed: Option<u64>,
    pub(super) max: Option<u64>,
}

/// A table in the order of the file.
pub(super) struct Ordered<T>(pub(super) Vec<(String, T)>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Ordered<T> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(OrderedVisitor(PhantomData))
    }
}

struct OrderedVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for OrderedVisitor<T> {
    type Value = Ordered<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a table")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry()? {
            entries.push(entry);
        }
        Ok(Ordered(entries))
    }
}
