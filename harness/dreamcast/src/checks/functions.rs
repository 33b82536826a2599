//! Functions that the rules watch, by symbol: the allocator and integer division.

/// Kind of a watched function, with the index of its first argument.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Function {
    /// Argument: size.
    Malloc(usize),
    /// Arguments: count and size.
    Calloc(usize),
    /// Arguments: block and size.
    Realloc(usize),
    /// Arguments: alignment and size.
    Memalign(usize),
    /// Argument: block.
    Free(usize),
    /// Accesses the allocator's own words.
    #[default]
    Other,
    /// Integer division, with the size of dividend and divisor in words.
    Divide(usize),
}

state::variants!(Function {
    0 Malloc(first),
    1 Calloc(first),
    2 Realloc(first),
    3 Memalign(first),
    4 Free(first),
    5 Other,
    6 Divide(words),
});

use Function::{Calloc, Divide, Free, Malloc, Memalign, Other, Realloc};

/// Allocator functions by symbol. The first argument of newlib's `_r` functions is its reentrancy state.
pub(super) const FUNCTIONS: [(&str, Function); 16] = [
    ("_malloc", Malloc(0)),
    ("_calloc", Calloc(0)),
    ("_realloc", Realloc(0)),
    ("_memalign", Memalign(0)),
    ("_aligned_alloc", Memalign(0)),
    ("_free", Free(0)),
    ("__malloc_r", Malloc(1)),
    ("__calloc_r", Calloc(1)),
    ("__realloc_r", Realloc(1)),
    ("__memalign_r", Memalign(1)),
    ("__free_r", Free(1)),
    ("_malloc_usable_size", Other),
    ("_malloc_trim", Other),
    ("_malloc_stats", Other),
    ("_mallinfo", Other),
    ("__malloc_trim_r", Other),
];

/// GCC's routines for integer division.
pub(super) const DIVISIONS: [(&str, Function); 10] = [
    ("___sdivsi3", Divide(1)),
    ("___udivsi3", Divide(1)),
    ("___sdivsi3_i4", Divide(1)),
    ("___udivsi3_i4", Divide(1)),
    ("___sdivsi3_i4i", Divide(1)),
    ("___udivsi3_i4i", Divide(1)),
    ("___divdi3", Divide(2)),
    ("___udivdi3", Divide(2)),
    ("___moddi3", Divide(2)),
    ("___umoddi3", Divide(2)),
];
