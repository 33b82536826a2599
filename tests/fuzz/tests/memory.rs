//! Checks that inputs that once broke a promise take bounded memory.

#[global_allocator]
static ALLOCATIONS: dhat::Alloc = dhat::Alloc;

/// Maximum bytes at any time: several consoles with memories of 26 MiB. `fuzz/run.sh` allows no larger block.
const MOST: usize = 256 << 20;

#[test]
fn regressions_and_repetitive_inputs_take_bounded_memory() {
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
    // One test: there is one profiler a process.
    repetitive_inputs();
}

/// Inputs of many equal parts: at most eight times the input, and 64 MiB.
fn repetitive_inputs() {
    for (name, input) in fuzz::WORST {
        let bytes = input(10_000);
        let profiler = dhat::Profiler::builder().testing().build();
        fuzz::run(name, &bytes);
        let most = dhat::HeapStats::get().max_bytes;
        drop(profiler);
        println!("{name}: {} bytes of input, {most} bytes at the most", bytes.len());
        assert!(
            most <= 8 * bytes.len() + (64 << 20),
            "{name}: {most} bytes for {}",
            bytes.len()
        );
    }
}
