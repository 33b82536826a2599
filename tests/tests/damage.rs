//! Checks that damaged models that are still readable are drawn or refused, without a panic.

#![allow(clippy::unwrap_used, reason = "a helper that fails is how a test fails")]

use ninja::File;
use sh4_kernels::{Reference, Rng};

/// Number of changes of one byte in all files together, from a fixed seed.
const CHANGES: usize = 10_000;

/// Returns the models to damage: the real ones if they exist, otherwise the project's own.
fn sources() -> Vec<Vec<u8>> {
    let models = tests::models(&tests::corpus());
    println!("{} corpus files", models.len());
    let mut sources: Vec<Vec<u8>> = models.iter().map(|path| std::fs::read(path).unwrap()).collect();
    sources.retain(|bytes| bytes.len() < 20_000);
    sources.push(swirl::demo_model().unwrap());
    sources
}

fn draw(file: &File) -> bool {
    tests::draw_all(file, &mut Reference).is_ok()
}

#[test]
fn changed_bytes_draw_or_are_refused() {
    let sources = sources();
    let mut rng = Rng::new(20);
    let (mut unread, mut refused, mut drawn) = (0, 0, 0);
    for _ in 0..CHANGES {
        let mut bytes = sources[rng.below(sources.len() as u32) as usize].clone();
        let at = rng.below(bytes.len() as u32) as usize;
        bytes[at] = bytes[at].wrapping_add(1 + rng.below(255) as u8);
        match ninja::read(&bytes) {
            Err(_) => unread += 1,
            Ok(file) if draw(&file) => drawn += 1,
            Ok(_) => refused += 1,
        }
    }
    println!("{CHANGES} changes: {unread} not read, {refused} not drawn, {drawn} drawn");
    assert!(unread > 0 && refused > 0 && drawn > 0);
}

#[test]
fn prefixes_draw_or_are_refused() {
    let own = swirl::demo_model().unwrap();
    let (mut unread, mut read) = (0, 0);
    for end in (0..own.len()).step_by(4) {
        match ninja::read(&own[..end]) {
            Err(_) => unread += 1,
            Ok(file) => {
                draw(&file);
                read += 1;
            }
        }
    }
    println!("{} prefixes: {unread} not read, {read} read", unread + read);
    assert!(unread > read);
}
