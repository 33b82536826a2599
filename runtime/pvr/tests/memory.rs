//! A frame needs at most its video memory plus 64 MiB, even for hostile lists. A counting allocator measures
//! it.

#![allow(unsafe_code)] // an allocator is unsafe by its trait; this one only counts and passes on

#[path = "common/hostile.rs"]
mod hostile;

use hostile::*;
use pvr::*;
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

struct Counting;

static NOW: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call goes to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let now = NOW.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        PEAK.fetch_max(now, Ordering::Relaxed);
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Memory limit of a frame in addition to its video memory.
const LIMIT: usize = 64 << 20;

type Case = (&'static str, fn(u32) -> Hostile, u32);

#[test]
fn hostile_lists_are_bounded() {
    let cases: [Case; 7] = [
        ("many figures", many_figures, 4),
        ("crossing layers", crossing_layers, 3),
        ("punch-through layers", punch_through_layers, 12),
        ("long volumes", long_volumes, 8),
        ("large textures", large_textures, 2),
        ("deep pixels", deep_pixels, 8),
        ("all tiles", all_tiles, 4096),
    ];
    for (name, make, tiles) in cases {
        for threads in [1, 2, 8] {
            let before = NOW.load(Ordering::Relaxed);
            let mut hostile = make(tiles);
            PEAK.store(NOW.load(Ordering::Relaxed), Ordering::Relaxed);
            let stats = hostile.pvr.render(threads);
            let used = PEAK.load(Ordering::Relaxed) - before;
            println!(
                "{name}, {threads} threads: {:.1} MiB with video memory, {} pixels shaded",
                used as f64 / (1 << 20) as f64,
                stats.shaded_pixels()
            );
            assert!(stats.tiles > 0, "{name}: something was drawn");
            assert!(
                used <= VRAM_BYTES + LIMIT,
                "{name} with {threads} threads takes {used} bytes"
            );
        }
    }
}
