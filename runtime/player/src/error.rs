//! Errors of reading and drawing.

use sh4_kernels::Mismatch;
use std::fmt::Display;

/// Error of reading or drawing a file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Input that cannot be drawn: place, found and expected.
    #[error("{0}")]
    Invalid(String),
    /// An error with the file, frame or model in which it occurred.
    #[error("{place}")]
    At {
        /// File, frame or model.
        place: String,
        /// Cause.
        #[source]
        error: Box<Error>,
    },
    /// A file that cannot be read.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// A damaged Ninja file.
    #[error(transparent)]
    Ninja(Box<ninja::Error>),
    /// A damaged texture, archive or palette.
    #[error(transparent)]
    Container(#[from] pvr::container::ContainerError),
    /// A frame that the chip cannot draw.
    #[error(transparent)]
    Frame(#[from] pvr::FrameError),
    /// A tree that cannot be drawn.
    #[error(transparent)]
    Scene(#[from] scene::SceneError),
    /// A motion that does not fit the model.
    #[error(transparent)]
    Motion(#[from] scene::MotionError),
    /// A shape motion that does not fit the model.
    #[error(transparent)]
    Shape(#[from] scene::ShapeError),
    /// A cell stream that cannot be played.
    #[error(transparent)]
    Stream(#[from] scene::StreamError),
    /// A scene of another program that cannot be converted.
    #[error(transparent)]
    Convert(#[from] convert::Error),
    /// A PNG that cannot be written.
    #[error(transparent)]
    Png(#[from] png::EncodingError),
    /// A GIF that cannot be written.
    #[error(transparent)]
    Gif(#[from] gif::EncodingError),
}

impl Error {
    /// Returns the mismatch between SH4 and reference kernel, if one caused this error.
    pub fn mismatch(&self) -> Option<&Mismatch> {
        match self {
            Self::At { error, .. } => error.mismatch(),
            Self::Scene(error) => error.mismatch(),
            _ => None,
        }
    }
}

impl From<ninja::Error> for Error {
    fn from(error: ninja::Error) -> Self {
        Self::Ninja(Box::new(error))
    }
}

impl From<sh4_kernels::KernelError> for Error {
    fn from(error: sh4_kernels::KernelError) -> Self {
        Self::Scene(error.into())
    }
}

/// Result of this crate.
pub type Result<T> = std::result::Result<T, Error>;

/// Adds a place to an error.
pub(crate) trait At<T> {
    fn at(self, place: impl Display) -> Result<T>;
}

impl<T, E: Into<Error>> At<T> for std::result::Result<T, E> {
    fn at(self, place: impl Display) -> Result<T> {
        self.map_err(|error| Error::At {
            place: place.to_string(),
            error: Box::new(error.into()),
        })
    }
}

/// Returns [`Error::Invalid`].
macro_rules! bail {
    ($($text:tt)*) => {
        return Err(crate::Error::Invalid(format!($($text)*)))
    };
}
pub(crate) use bail;

/// Adds the number of times to a text, if it is not 1.
pub(crate) fn counted(text: impl Display, times: usize) -> String {
    match times {
        1 => text.to_string(),
        _ => format!("{text} ({times} times)"),
    }
}

/// Something unusual in a file that the player draws anyway.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// File, with line and column for texts.
    pub place: String,
    /// Description.
    pub text: String,
    /// True for a notice: a default took effect, and no data is lost.
    pub is_notice: bool,
}

impl Warning {
    pub(crate) fn new(place: impl Display, text: impl Display) -> Self {
        Self {
            place: place.to_string(),
            text: text.to_string(),
            is_notice: false,
        }
    }
}

impl Display for Warning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let label = if self.is_notice { "notice" } else { "warning" };
        write!(f, "{}: {label}: {}", self.place, self.text)
    }
}
