//! Memory and mathematics of ufbx, the C library that reads FBX scenes. `libc.h` has its other functions.
//!
//! A table keeps the memory, so that C's calls need no unsafe code here.

#![allow(
    unsafe_code,
    reason = "`unsafe(no_mangle)` promises that no other function has the name; ufbx names them"
)]

use std::cell::RefCell;
use std::collections::BTreeMap;

thread_local! {
    /// Blocks by address. 16 bytes are the largest alignment of C's types.
    static BLOCKS: RefCell<BTreeMap<usize, Vec<u128>>> = RefCell::default();
}

/// Returns a block of at least `size` bytes, or null if there is no memory.
#[unsafe(no_mangle)]
extern "C" fn ufbx_malloc(size: usize) -> *mut u128 {
    let mut block: Vec<u128> = Vec::new();
    if block.try_reserve_exact(size.div_ceil(16).max(1)).is_err() {
        return std::ptr::null_mut();
    }
    let address = block.as_mut_ptr();
    BLOCKS.with_borrow_mut(|blocks| blocks.insert(address.addr(), block));
    address
}

/// Frees a block; null has no effect.
#[unsafe(no_mangle)]
extern "C" fn ufbx_free(block: *mut u128, _size: usize) {
    BLOCKS.with_borrow_mut(|blocks| blocks.remove(&block.addr()));
}

/// Defines functions of one or two numbers by methods of `f64`.
macro_rules! functions {
    ($($name:ident($($argument:ident),+) = $value:expr;)+) => {
        $(
            #[unsafe(no_mangle)]
            extern "C" fn $name($($argument: f64),+) -> f64 {
                $value
            }
        )+
    };
}

functions! {
    ufbx_sin(x) = x.sin();
    ufbx_cos(x) = x.cos();
    ufbx_tan(x) = x.tan();
    ufbx_asin(x) = x.asin();
    ufbx_acos(x) = x.acos();
    ufbx_atan(x) = x.atan();
    ufbx_atan2(y, x) = y.atan2(x);
    ufbx_pow(x, y) = x.powf(y);
    ufbx_nextafter(x, y) = if y > x { x.next_up() } else if y < x { x.next_down() } else { y };
}
