//! Modifier volumes: pixels in area 1 (`docs/hardware/pvr2.md`, "Modifier volumes").

use super::super::objects::Triangle;
use super::super::setup::{Primitive, Source};
use super::{depth_at, polygon};
use crate::ListType;
use crate::event::{Warning, Warnings};
use crate::param::{DepthMode, IspWord};
use crate::probe::{Probe, Shape, Spot, VolumeTest};
use crate::settings::OutsideUntouched;

/// Volume instruction of a triangle (bits 31:29 of its ISP word).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Instruction {
    /// A triangle that is not the last of its volume.
    Normal,
    /// Last triangle: the inside of the volume is added to area 1.
    InsideLast,
    /// Last triangle: area 1 is reduced to the inside of the volume.
    OutsideLast,
}

impl Instruction {
    /// Decodes the instruction of a triangle.
    pub(in super::super) fn of(isp: IspWord, warnings: &mut Warnings) -> Self {
        match isp.volume_instruction() {
            0 => Self::Normal,
            1 => Self::InsideLast,
            2 => Self::OutsideLast,
            _ => {
                warnings.add(Warning::VolumeInstruction);
                Self::Normal
            }
        }
    }
}

/// A triangle of a modifier volume. Even a culled triangle can end its volume.
#[derive(Debug)]
pub(super) struct Volume {
    primitive: Primitive,
    instruction: Instruction,
    triangle: Triangle,
    list: ListType,
}

impl Volume {
    pub(super) fn new(
        source: &Source<'_>,
        triangle: Triangle,
        list: ListType,
        warnings: &mut Warnings,
    ) -> Self {
        let primitive = Primitive::new(source, &triangle);
        Self {
            instruction: Instruction::of(primitive.isp, warnings),
            primitive,
            triangle,
            list,
        }
    }
}

/// Returns whether a pixel at a depth is in area 1. Each triangle that is nearer or equal inverts the parity.
/// The last one of a volume adds the inside to area 1, or removes the outside from it.
pub(super) fn area<P: Probe>(
    source: &Source<'_>,
    volumes: &[Volume],
    screen: [i32; 2],
    centre: f64,
    stored: f32,
    spot: Spot,
    probe: &mut P,
) -> bool {
    let (mut area, mut parity, mut touched) = (false, false, false);
    for volume in volumes {
        if volume.primitive.covers(screen, centre) {
            let depth = depth_at(source.settings, &volume.primitive, screen, centre);
            let passed = super::passes(DepthMode::GreaterEqual, depth, stored);
            parity ^= passed;
            touched |= passed;
            if P::ACTIVE {
                let event = VolumeTest {
                    list: volume.list,
                    polygon: polygon(source, &volume.triangle, Shape::Triangle),
                    depth,
                    stored,
                    passed,
                };
                probe.volume_test(spot, &event);
            }
        }
        match volume.instruction {
            Instruction::Normal => continue,
            Instruction::InsideLast => area |= parity,
            Instruction::OutsideLast if touched => area &= parity,
            Instruction::OutsideLast if source.settings.outside_untouched == OutsideUntouched::Clear => {
                area = false
            }
            Instruction::OutsideLast => {}
        }
        (parity, touched) = (false, false);
    }
    area
}
