//! `swirl view`: a model in a window.
