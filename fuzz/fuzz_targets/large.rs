//! An allocator that keeps large blocks.
//!
//! AddressSanitizer marks each freed block, which takes an eighth of its bytes. For the memories of a console
//! this takes as long as the rest of a run. This allocator therefore keeps large blocks and clears them for
//! the next use: the host takes back the used pages. AddressSanitizer still finds accesses outside of a kept
//! block, but not accesses after its release.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::Mutex;

/// Smaller blocks are freed.
const LARGE: usize = 1 << 20;
/// Maximum number of kept blocks.
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

/// Keeps a block if possible. Returns whether it did.
fn keep(address: usize, layout: Layout) -> bool {
    let Ok(mut kept) = KEPT.lock() else { return false };
    let place = kept.iter_mut().find(|place| place.is_none());
    place.map(|place| *place = Some((address, layout))).is_some()
}

/// Fills a block with zeros, without touching whole pages.
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
