//! Holly: the system bus controller around the PowerVR2 core.

pub(crate) mod drive;
pub mod events;
mod g1;
pub mod g2;
pub mod maple;
pub mod registers;
pub mod spg;
