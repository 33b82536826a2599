//! The SH-4's float arithmetic as pure functions.
