//! Holly: the system bus controller around the PowerVR2 core.

pub mod events;
pub mod g2;
pub mod maple;
pub mod registers;
pub mod spg;
