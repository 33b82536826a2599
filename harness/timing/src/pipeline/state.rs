//! State of the pipeline without its clock.

use super::{LONGEST, Pending, Pipeline};
use crate::insn::Stages;
use crate::parameters::Parameters;
use crate::resource::Resources;
use sh4::table::Group;

/// Clock of a resumed pipeline, large enough to represent earlier cycles.
pub(crate) const START: u64 = LONGEST;

/// State of a pipeline without its clock. Equal states have equal behaviour.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PipelineState {
    used: u8,
    group: Group,
    flags: [bool; 2],
    decode: u64,
    targets: [Option<u64>; 2],
    writes: Vec<(u8, Pending)>,
    reread: (Resources, u64),
    locked: Stages,
}

impl Pipeline {
    /// Returns the state, with times relative to the current cycle, shifted so that earlier times fit. Parts
    /// that delay no later instruction are omitted.
    #[must_use]
    pub fn state(&self) -> PipelineState {
        let relative = |cycle: u64| (cycle + LONGEST).saturating_sub(self.time);
        let future = |cycle: u64| cycle.saturating_sub(self.time);
        let live = self.outstanding.iter().filter_map(|bit| {
            let write = self.writes[usize::from(bit)];
            let matters = write.last_wait() > self.time;
            matters.then_some((
                bit,
                Pending {
                    issue: relative(write.issue),
                    ..write
                },
            ))
        });
        let rereading = self.reread.1 > self.time;
        // A cycle without a free slot has ended.
        let shares = self.used == 1;
        PipelineState {
            used: self.used,
            group: if shares { self.group } else { Group::CO },
            flags: [self.branched && shares, self.slot_lost && shares],
            decode: future(self.decode),
            targets: [self.target, self.target_after_slot].map(|target| target.map(future)),
            writes: live.collect(),
            reread: if rereading {
                (self.reread.0, future(self.reread.1))
            } else {
                (Resources::NONE, 0)
            },
            locked: self.locked,
        }
    }

    /// Creates a pipeline in `state`, with a clock beyond 0.
    #[must_use]
    pub fn resume(state: &PipelineState, parameters: &Parameters) -> Pipeline {
        let mut pipeline = Pipeline::new(parameters);
        pipeline.time = LONGEST;
        pipeline.used = state.used;
        pipeline.group = state.group;
        [pipeline.branched, pipeline.slot_lost] = state.flags;
        pipeline.decode = state.decode + LONGEST;
        [pipeline.target, pipeline.target_after_slot] =
            state.targets.map(|target| target.map(|t| t + LONGEST));
        for (bit, write) in &state.writes {
            pipeline.writes[usize::from(*bit)] = *write;
            pipeline.outstanding = pipeline.outstanding | Resources::one(*bit);
        }
        pipeline.reread = (state.reread.0, state.reread.1 + LONGEST);
        pipeline.locked = state.locked;
        pipeline
    }
}
