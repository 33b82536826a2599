//! Arguments of a kernel call: borrowed for a call, owned for a generated case.

use thiserror::Error;

/// One argument, in the order of the kernel's C prototype.
#[derive(Debug)]
pub enum Arg<'a> {
    /// `const uint32_t *` or `const float *`: read only.
    Words(&'a [u32]),
    /// `const uint16_t *`: read only.
    Halfwords(&'a [u16]),
    /// `uint32_t *` or `float *`: the kernel sees the contents and may change them.
    WordsMut(&'a mut [u32]),
    /// A 32-bit value.
    Value(u32),
    /// A pointer into the store queues that ends at the tile accelerator: the 32-byte blocks sent there are
    /// appended.
    TileAccelerator(&'a mut Vec<[u32; 8]>),
}

/// The arguments do not fit the kernel's prototype, or name more data than they hold.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("{kernel}: {what}")]
pub struct Signature {
    /// The kernel's name.
    pub kernel: &'static str,
    /// What does not fit.
    pub what: &'static str,
}

/// An owned argument; the same kinds as [`Arg`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// See [`Arg::Words`].
    Words(Vec<u32>),
    /// See [`Arg::Halfwords`].
    Halfwords(Vec<u16>),
    /// See [`Arg::WordsMut`].
    WordsMut(Vec<u32>),
    /// See [`Arg::Value`].
    Value(u32),
    /// See [`Arg::TileAccelerator`].
    TileAccelerator(Vec<[u32; 8]>),
}

impl Value {
    /// Read-only floats.
    pub fn floats(values: &[f32]) -> Self {
        Self::Words(bytemuck::cast_slice(values).to_vec())
    }

    /// An output of `words` words. It starts out as a pattern that no kernel writes by accident.
    pub fn output(words: usize) -> Self {
        Self::WordsMut(vec![0xDEAD_BEEF; words])
    }

    /// The words that a kernel may have written, blocks for the tile accelerator included.
    pub fn written(&self) -> &[u32] {
        match self {
            Self::WordsMut(words) => words,
            Self::TileAccelerator(blocks) => bytemuck::cast_slice(blocks),
            Self::Words(_) | Self::Halfwords(_) | Self::Value(_) => &[],
        }
    }

    /// The argument read as floats; empty for what is not made of words.
    pub fn as_floats(&self) -> &[f32] {
        match self {
            Self::Words(words) | Self::WordsMut(words) => bytemuck::cast_slice(words),
            Self::TileAccelerator(blocks) => bytemuck::cast_slice(blocks),
            Self::Halfwords(_) | Self::Value(_) => &[],
        }
    }

    /// The argument read as words; empty for half-words and values.
    pub fn as_words(&self) -> &[u32] {
        match self {
            Self::Words(words) | Self::WordsMut(words) => words,
            Self::TileAccelerator(blocks) => bytemuck::cast_slice(blocks),
            Self::Halfwords(_) | Self::Value(_) => &[],
        }
    }

    /// The argument as a value; 0 for a buffer.
    pub fn as_value(&self) -> u32 {
        if let Self::Value(value) = self { *value } else { 0 }
    }
}

/// All arguments of one call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case(pub Vec<Value>);

impl Case {
    /// A copy of `args`, without the blocks that earlier calls sent to the tile accelerator.
    pub fn of(args: &[Arg<'_>]) -> Self {
        let own = |arg: &Arg<'_>| match arg {
            Arg::Words(words) => Value::Words(words.to_vec()),
            Arg::Halfwords(halves) => Value::Halfwords(halves.to_vec()),
            Arg::WordsMut(words) => Value::WordsMut(words.to_vec()),
            Arg::Value(value) => Value::Value(*value),
            Arg::TileAccelerator(_) => Value::TileAccelerator(Vec::new()),
        };
        Self(args.iter().map(own).collect())
    }

    /// The arguments, borrowed for a call.
    pub fn args(&mut self) -> Vec<Arg<'_>> {
        self.0
            .iter_mut()
            .map(|value| match value {
                Value::Words(words) => Arg::Words(words),
                Value::Halfwords(halves) => Arg::Halfwords(halves),
                Value::WordsMut(words) => Arg::WordsMut(words),
                Value::Value(value) => Arg::Value(*value),
                Value::TileAccelerator(blocks) => Arg::TileAccelerator(blocks),
            })
            .collect()
    }

    /// Argument `index` as floats.
    pub fn floats(&self, index: usize) -> &[f32] {
        self.0.get(index).map_or(&[], Value::as_floats)
    }

    /// Argument `index` as words.
    pub fn words(&self, index: usize) -> &[u32] {
        self.0.get(index).map_or(&[], Value::as_words)
    }

    /// Argument `index` as a value.
    pub fn value(&self, index: usize) -> u32 {
        self.0.get(index).map_or(0, Value::as_value)
    }
}
