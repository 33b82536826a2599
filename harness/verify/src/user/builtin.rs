//! Runs a case on a built-in reference.

use sh4_kernels::{Arg, Kernel};

use super::case::{Input, UserCase};
use super::run::{Failure, Output};
use super::spec::{ArgKind, UserKernel};

/// Runs a built-in reference.
pub(crate) fn builtin(
    reference: &'static Kernel,
    kernel: &UserKernel,
    case: &UserCase,
) -> Result<Output, Failure> {
    let words = |bytes: &[u8]| {
        bytes
            .as_chunks()
            .0
            .iter()
            .map(|b| u32::from_le_bytes(*b))
            .collect::<Vec<u32>>()
    };
    let mut data: Vec<Vec<u32>> = Vec::new();
    let mut halves: Vec<Vec<u16>> = Vec::new();
    let mut blocks: Vec<Vec<[u32; 8]>> = Vec::new();
    for input in &case.args {
        let bytes: &[u8] = if let Input::Buffer { bytes, .. } = input {
            bytes
        } else {
            &[]
        };
        data.push(words(bytes));
        halves.push(
            bytes
                .as_chunks()
                .0
                .iter()
                .map(|b| u16::from_le_bytes(*b))
                .collect(),
        );
        blocks.push(Vec::new());
    }
    let places = data.iter_mut().zip(&halves).zip(&mut blocks);
    let mut args: Vec<Arg<'_>> = kernel
        .args
        .iter()
        .zip(&case.args)
        .zip(places)
        .map(
            |((spec, input), ((data, halves), blocks))| match (&spec.kind, input) {
                (_, Input::Value(bits)) => Arg::Value(*bits as u32),
                (ArgKind::TileAccelerator, _) => Arg::TileAccelerator(blocks),
                (ArgKind::Buffer(b), _) if b.written => Arg::WordsMut(data),
                (ArgKind::Buffer(b), _) if b.element.size() == 2 => Arg::Halfwords(halves),
                _ => Arg::Words(data),
            },
        )
        .collect();
    (reference.reference)(&mut args)?;
    drop(args);
    let outputs = kernel
        .args
        .iter()
        .zip(data.iter().zip(&blocks))
        .map(|(spec, (data, blocks))| {
            let words = match &spec.kind {
                ArgKind::TileAccelerator => blocks.as_flattened(),
                ArgKind::Buffer(b) if b.written => data,
                _ => &[],
            };
            words.iter().flat_map(|word| word.to_le_bytes()).collect()
        });
    Ok(Output {
        args: outputs.collect(),
        result: None,
        instructions: 0,
        red_zone: None,
    })
}
