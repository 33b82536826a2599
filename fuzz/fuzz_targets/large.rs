//! An allocator that keeps large blocks.
//!
//! AddressSanitizer marks each block that is freed, an eighth of its bytes: for the memories of a console
//! that takes as long as all else that a run does. These blocks are kept, and begin with zeros anew: the host
//! takes the pages back that were used. Accesses beside a block are still found, those behind its end of life
//! are not.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::Mutex;

/// Smaller blocks are freed.
const LARGE: usize = 1 << 20;
/// Blocks that are kept at most.
const MOST: usize = 32;
const PAGE: usize = 4096;

pub struct KeepLarge;

/// Address, bytes and alignment.
static KEPT: Mutex<[Option<(usize, Layout)>; MOST]> = Mutex::new([None; MOST]);

fn take(layout: Layout) -> Option<usize> {
    let mut kept = KEPT.lock().ok()?;
    let place = kept
        .iter_mut()
        .find(|place| place.is_some_and(|(_, l)| l == layout))?;
    place.take().map(|(address, _)| address)
}

/// Whether it is kept.
fn keep(address: usize, layout: Layout) -> bool {
    let Ok(mut kept) = KEPT.lock() else { return false };
    let place = kept.iter_mut().find(|place| place.is_none());
    place.map(|place| *place = Some((address, layout))).is_some()
}

/// Makes a block zeros, whole pages without touching them.
unsafe fn clear(address: usize, bytes: usize) {
    let (first, end) = (address.next_multiple_of(PAGE), (address + bytes) / PAGE * PAGE);
    unsafe {
        std::ptr::write_bytes(address as *mut u8, 0, first - address);
        std::ptr::write_bytes(end as *mut u8, 0, address + bytes - end);
        if libc::madvise(first as *mut libc::c_void, end - first, libc::MADV_DONTNEED) != 0 {
            std::ptr::write_bytes(first as *mut u8, 0, end - first);
        }
    }
}

unsafe impl GlobalAlloc for KeepLarge {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        match layout.size() >= LARGE {
            true => unsafe { self.alloc_zeroed(layout) },
            false => unsafe { System.alloc(layout) },
        }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if layout.size() >= LARGE
            && let Some(address) = take(layout)
        {
            unsafe { clear(address, layout.size()) };
            return address as *mut u8;
        }
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        if layout.size() < LARGE || !keep(pointer as usize, layout) {
            unsafe { System.dealloc(pointer, layout) };
        }
    }
}
