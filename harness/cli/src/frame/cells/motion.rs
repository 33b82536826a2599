//! The motions of a sprite: one, and a second that is mixed into it.

use super::lines;
use crate::frame::motions::{MotionOptions, MotionRules, MotionSource, spline_note};
use anyhow::{Result, bail};
use ninja::{File, MotionKind};
use scene::{Kernels, LastKey, SpriteMotion, SpriteValue};
use std::path::Path;

/// What moves a sprite.
#[derive(Default)]
pub(super) struct SpriteMotions {
    motion: Option<SpriteMotion>,
    /// The second motion and its share.
    link: Option<(SpriteMotion, f32)>,
    rules: MotionRules,
}

impl SpriteMotions {
    /// The motion that `options` name, or else the one in the sprite's files, whose chunks are `whole`; the
    /// first of them is `path`.
    pub(super) fn find(path: &Path, whole: &File, options: Option<&MotionOptions>) -> Result<Self> {
        let kind = MotionKind::CellSprite;
        let named = options.and_then(|options| options.motion.as_ref());
        let motion = match named {
            Some(source) => Some(MotionSource::motion(source, path, whole, kind)?.1),
            None => own(whole, options.is_some())?,
        };
        let link = options
            .map(|options| options.linked(path, whole, kind))
            .transpose()?
            .flatten();
        let made = |motion: &ninja::Motion| SpriteMotion::new(motion, LastKey::default());
        Ok(Self {
            motion: motion.as_ref().map(made).transpose()?,
            link: link
                .map(|(motion, share)| anyhow::Ok((made(&motion)?, share)))
                .transpose()?,
            rules: MotionRules::default(),
        })
    }

    /// Plays by these rules from now on.
    pub(super) fn play(&mut self, rules: MotionRules) {
        let apply = |motion: SpriteMotion| {
            let motion = motion.with_last_key(rules.last_key);
            motion.with_spline_angles(rules.spline_angles)
        };
        self.motion = self.motion.take().map(apply);
        self.link = self.link.take().map(|(motion, share)| (apply(motion), share));
        self.rules = rules;
    }

    /// Frames of the longer motion; 0 if nothing moves.
    pub(super) fn length(&self) -> u32 {
        let link = self.link.as_ref().map_or(0, |(motion, _)| motion.length());
        self.motion.as_ref().map_or(0, SpriteMotion::length).max(link)
    }

    /// The sprite's value at `frame`, where it is `rest` without motions; `None` if a motion that plays once
    /// is over.
    pub(super) fn value(
        &self,
        frame: f32,
        rest: SpriteValue,
        kernels: &mut dyn Kernels,
    ) -> Result<Option<SpriteValue>> {
        let Some(first) = self.one(self.motion.as_ref(), frame, rest, kernels)? else {
            return Ok(None);
        };
        let Some((motion, share)) = &self.link else {
            return Ok(Some(first));
        };
        match self.one(Some(motion), frame, rest, kernels)? {
            Some(second) => Ok(Some(first.blend(&second, *share, kernels)?)),
            None => Ok(None),
        }
    }

    fn one(
        &self,
        motion: Option<&SpriteMotion>,
        frame: f32,
        rest: SpriteValue,
        kernels: &mut dyn Kernels,
    ) -> Result<Option<SpriteValue>> {
        let mut value = rest;
        if let Some(motion) = motion {
            let Some(frame) = self.rules.mode.frame(frame, motion.length()) else {
                return Ok(None);
            };
            motion.apply(frame, &mut value, kernels)?;
        }
        Ok(Some(value))
    }

    fn both(&self) -> impl Iterator<Item = &SpriteMotion> {
        self.motion
            .iter()
            .chain(self.link.iter().map(|(motion, _)| motion))
    }

    /// Whether one of them asks for splines and moves angles.
    pub(super) fn has_spline_angles(&self) -> bool {
        self.both().any(|motion| motion.spline_angles().is_some())
    }

    /// What is unusual about the motions.
    pub(super) fn warnings(&self) -> Vec<String> {
        let both = || self.both();
        let mut all: Vec<String> = both().flat_map(|motion| lines(motion.warnings())).collect();
        all.extend(both().find_map(SpriteMotion::spline_angles).map(spline_note));
        all
    }
}

/// The sprite motion among the chunks of a sprite's files.
fn own(whole: &File, can_choose: bool) -> Result<Option<ninja::Motion>> {
    let mut motions = whole
        .motions()
        .filter(|motion| motion.kind == MotionKind::CellSprite);
    let motion = motions.next().cloned();
    let more = motions.count();
    if more > 0 {
        let how = if can_choose {
            "; choose one by --motion :N"
        } else {
            ""
        };
        bail!("{} sprite motions (NCSM), expected one{how}", more + 1);
    }
    Ok(motion)
}
