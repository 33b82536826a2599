//! Conditions under which the keys of the viewer have an effect.

/// Condition for showing a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Needs {
    Nothing,
    /// A motion that plays.
    Motion,
    /// A motion of the camera.
    CameraMotion,
    /// A motion that fits the model, in its file or folder.
    Motions,
    /// A file that can be loaded again.
    File,
    /// Another file in the folder.
    OtherFiles,
    /// A model, which has nodes and is lit.
    Model,
    /// A scene of another program.
    Scene,
    /// A texture.
    Texture,
}

/// Met conditions for keys of the page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Conditions(u16);

/// All conditions.
#[cfg(test)]
pub(super) const ALL: Conditions = Conditions(u16::MAX);

impl Conditions {
    /// Returns the conditions with one more, if it is met.
    pub(super) fn with(self, needs: Needs, is_met: bool) -> Self {
        Self(self.0 | u16::from(is_met) << needs as u16)
    }

    /// Returns whether a condition is met.
    pub(super) fn meet(self, needs: Needs) -> bool {
        needs == Needs::Nothing || self.0 >> needs as u16 & 1 == 1
    }
}
