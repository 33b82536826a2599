//! CP/DP.
