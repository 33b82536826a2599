//! Sega Ninja and Ninja2 files: reading, writing and the in-memory model.
