//! Checks that readers take memory in proportion to their input. The tests count allocations and measure no
//! time.

#[global_allocator]
static ALLOCATIONS: dhat::Alloc = dhat::Alloc;

/// Returns the allocations of a run and their bytes.
fn cost(run: impl FnOnce()) -> [f64; 2] {
    let before = dhat::HeapStats::get();
    run();
    let after = dhat::HeapStats::get();
    let blocks = after.total_blocks - before.total_blocks;
    // `max_bytes` covers the whole process, so the sum of all allocations replaces it.
    let bytes = after.total_bytes - before.total_bytes;
    [blocks as f64, bytes as f64]
}

/// Inputs of 100, 1,000 and 10,000 parts. Ten times the parts may take ten times as much, or thirty times
/// where vectors grow. A quadratic reader takes a hundred times as much.
#[test]
fn allocations_grow_with_the_input() {
    let profiler = dhat::Profiler::builder().testing().build();
    for (name, input) in fuzz::WORST {
        let target = fuzz::target(name).expect("a target");
        // The first run allocates data that later runs share, such as tables.
        (target.run)(&input(10));
        let costs = [100, 1_000, 10_000].map(|count| {
            let bytes = input(count);
            let cost = cost(|| (target.run)(&bytes));
            (bytes.len() as f64, cost)
        });
        let [(_, small), (middle_length, middle), (large_length, large)] = costs;
        println!("{name}: {small:?}, {middle:?}, {large:?}");
        for which in 0..2 {
            let growth = (large[which] - middle[which]) / (middle[which] - small[which]).max(1.0);
            assert!(
                growth <= 3.0 * large_length / middle_length,
                "{name}: {} of {small:?}, {middle:?}, {large:?} grows faster than the input",
                ["blocks", "bytes"][which]
            );
        }
    }
    drop(profiler);
}
