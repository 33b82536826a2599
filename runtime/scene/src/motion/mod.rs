//! Motions: the keys around a frame, and their values.
//!
//! A [`Motion`] is a motion of a file bound to a tree: every key table is assigned to a node and an element.
//! [`Motion::pose`] finds the two keys (four on a spline) around a frame in each table. It passes all tables
//! of one kind to a kernel in one batch. Motions are independent of drawing.

mod bind;
mod camera;
mod error;
mod light;
mod link;
mod model;
mod pairing;
mod play;
mod track;
mod tracks;
mod view;

pub use camera::CameraMotion;
pub use error::{MotionError, MotionWarning};
pub use light::LightMotion;
pub use link::Link;
pub use model::Motion;
pub(crate) use pairing::pair;
pub use play::{PlayMode, Playback, frame_of_fixed};
pub use track::LastKey;
pub(crate) use track::{KeyInterval, Track};
pub(crate) use tracks::relative_angles;
