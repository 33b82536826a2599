//! Switches where the seed and the original library part ways, or where neither says.

/// What a stream does to the work cells while it has no current stamp: before its offset, or in a gap before its first
/// stamp or after its end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IdleStream {
    /// All cells become those of the sprite again, which undoes what streams before it in the list have written in this
    /// step. Seen in the original library (facts 2.7); confidence medium.
    #[default]
    Restores,
    /// It leaves them alone: seed 003 says no more than that nothing is animated then.
    Keeps,
}

/// How far the chunks behind a time stamp are run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StampLength {
    /// Until the stamp's own count of words is used up, as the original library does (facts 2.7); confidence medium.
    #[default]
    Counted,
    /// To the next stamp, whatever the count says: the seed's sample has counts that are too small.
    Whole,
}

/// How often a user event is delivered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EventRate {
    /// In every step in which its stamp is current: the original library applies the current stamp anew in every step
    /// (facts 2.7); confidence medium.
    #[default]
    EveryStep,
    /// When its stamp becomes current, once in each repetition: what seed 003 section 4 describes.
    OncePerStamp,
}

/// How streams are played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StreamSettings {
    /// See [`IdleStream`].
    pub idle: IdleStream,
    /// See [`StampLength`].
    pub length: StampLength,
    /// See [`EventRate`].
    pub events: EventRate,
}

/// What the punch-through attribute of a cell does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PunchThrough {
    /// The cell goes to the punch-through list, even if its texture has alpha: seed 003 section 2, Ninja2; confidence medium.
    #[default]
    List,
    /// Nothing, as in the original library of Ninja1 (facts 2.7).
    Ignored,
}

/// Which parameters a cell becomes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum QuadForm {
    /// A sprite where that shows the same: all four colours agree, and the texture coordinates survive the 16 bits that
    /// sprites have for each. Else a strip.
    #[default]
    Exact,
    /// A sprite wherever the four colours agree; texture coordinates are cut to 16 bits (8 significant ones).
    Sprites,
    /// Always a strip of two triangles.
    Strips,
}

/// How cells are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellSettings {
    /// See [`PunchThrough`].
    pub punch_through: PunchThrough,
    /// See [`QuadForm`].
    pub form: QuadForm,
    /// Texture filter: cells have no flag for it, the original library takes it from its state. Bilinear by default.
    pub filter: pvr::Filter,
}

impl Default for CellSettings {
    fn default() -> Self {
        Self {
            punch_through: PunchThrough::default(),
            form: QuadForm::default(),
            filter: pvr::Filter::Bilinear,
        }
    }
}
