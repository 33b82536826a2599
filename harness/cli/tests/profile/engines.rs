//! Counting on both engines.

use super::{swirl, text};
use sh4_kernels::{KERNELS, Kernel, Rng};
use sh4_recompiler::{Options, Recompiler};
use timing::{Counter, CycleCounts, Setup};
use verify::{Emulated, QACR};

/// What is printed does not depend on what has run the code.
#[test]
fn both_print_the_same() {
    for kernel in ["transform_points", "sincos", "blend_weighted"] {
        for cache in ["--cache=cold", "--cache=code-warm", "--cache=warm"] {
            let [interpreted, recompiled] = ["interpreter", "auto"].map(|engine| {
                let counted = swirl(&["profile", kernel, "--count", "--json", cache, "--engine", engine]);
                assert_eq!(counted.status.code(), Some(0), "{}", text(&counted.stderr));
                text(&counted.stdout)
            });
            assert!(interpreted == recompiled, "{kernel} {cache}");
        }
    }
}

/// Two calls of `kernel`: with empty caches, and with those that the first has left.
fn counted(emulated: &mut Emulated, kernel: &'static Kernel) -> [CycleCounts; 2] {
    let mut counter = Counter::new(Setup {
        qacr: QACR,
        ..Setup::default()
    });
    let case = (kernel.generate)(&mut Rng::new(1));
    [(); 2].map(|()| {
        emulated
            .call_hooked(kernel, &mut case.clone().args(), &mut counter)
            .unwrap();
        let profile = counter.clone().finish();
        counter.restart();
        profile
    })
}

#[test]
fn every_kernel_counts_the_same() {
    let [mut interpreted, mut recompiled] = [(); 2].map(|()| Emulated::new().unwrap());
    let Ok(recompiler) = Recompiler::new(Options { hot: 2 }) else {
        println!("engines: no recompiler on this host, 0 kernels");
        return;
    };
    recompiled.machine_mut().accelerate(Box::new(recompiler));
    for kernel in KERNELS {
        let expected = counted(&mut interpreted, kernel);
        let found = counted(&mut recompiled, kernel);
        for (expected, found) in expected.iter().zip(&found) {
            assert_eq!(expected.ledger, found.ledger, "{}", kernel.name);
            assert_eq!(
                (expected.counts, expected.events),
                (found.counts, found.events),
                "{}",
                kernel.name
            );
            assert!(expected.memory == found.memory, "{}", kernel.name);
        }
    }
    println!("engines: {} kernels count the same", KERNELS.len());
}
