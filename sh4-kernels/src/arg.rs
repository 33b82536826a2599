//! Arguments of a kernel call: borrowed for a call, or owned by a generated case.

use thiserror::Error;

/// One argument, in the order of the kernel's C prototype.
#[derive(Debug)]
pub enum Arg<'a> {
    /// `const uint32_t *` or `const float *`: read only.
    Words(&'a [u32]),
    /// `const uint16_t *`: read only.
    Halfwords(&'a [u16]),
    /// `uint32_t *` or `float *`: the kernel may read and change the contents.
    WordsMut(&'a mut [u32]),
    /// A 32-bit value.
    Value(u32),
    /// A pointer into the store queues that lead to the tile accelerator. The 32-byte blocks sent there are
    /// appended.
    TileAccelerator(&'a mut Vec<[u32; 8]>),
}

/// Error for arguments that do not match the kernel's prototype, or that are too short.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("{kernel}: {what}")]
pub struct Signature {
    /// Name of the kernel.
    pub kernel: &'static str,
    /// Description of the mismatch.
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
    /// Creates read-only floats.
    pub fn floats(values: &[f32]) -> Self {
        Self::Words(bytemuck::cast_slice(values).to_vec())
    }

    /// Creates an output of `words` words, filled with a pattern that kernels do not write by accident.
    pub fn output(words: usize) -> Self {
        Self::WordsMut(vec![0xDEAD_BEEF; words])
    }

    /// Words that a kernel may have written, including blocks for the tile accelerator.
    pub fn written(&self) -> &[u32] {
        match self {
            Self::WordsMut(words) => words,
            Self::TileAccelerator(blocks) => bytemuck::cast_slice(blocks),
            Self::Words(_) | Self::Halfwords(_) | Self::Value(_) => &[],
        }
    }

    /// The argument as floats; empty unless it consists of words.
    pub fn as_floats(&self) -> &[f32] {
        match self {
            Self::Words(words) | Self::WordsMut(words) => bytemuck::cast_slice(words),
            Self::TileAccelerator(blocks) => bytemuck::cast_slice(blocks),
            Self::Halfwords(_) | Self::Value(_) => &[],
        }
    }

    /// The argument as words; empty for half-words and values.
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
    /// Copies `args`, without the blocks that earlier calls sent to the tile accelerator.
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

    /// Borrows the arguments for a call.
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
