//! Checks that inputs that once broke a promise take bounded memory.

#[global_allocator]
static ALLOCATIONS: dhat::Alloc = dhat::Alloc;

/// Maximum bytes at any time: several consoles with memories of 26 MiB. `fuzz/run.sh` allows no larger block.
const MOST: usize = 256 << 20;

#[test]
fn regressions_take_bounded_memory() {
    let profiler = dhat::Profiler::builder().testing().build();
    for target in &fuzz::TARGETS {
        for path in fuzz::regressions(target) {
            fuzz::run(target.name, &std::fs::read(&path).expect("it is there"));
            let most = dhat::HeapStats::get().max_bytes;
            assert!(most <= MOST, "{}: {most} bytes, at most {MOST}", path.display());
        }
    }
    println!("{} bytes at the most", dhat::HeapStats::get().max_bytes);
    drop(profiler);
}
