//! All fuzz targets in one program. The environment variable `SWIRL_FUZZ_TARGET` or the program's file name
//! selects the target. `SWIRL_FUZZ_PREPARE=FOLDER` first writes the initial inputs of a campaign.

#![no_main]

mod large;

#[global_allocator]
static ALLOCATOR: large::KeepLarge = large::KeepLarge;

use std::path::Path;
use std::sync::OnceLock;

fn target() -> &'static fuzz::Target {
    static TARGET: OnceLock<&'static fuzz::Target> = OnceLock::new();
    TARGET.get_or_init(|| {
        let own = std::env::args_os().next().unwrap_or_default();
        let own = Path::new(&own)
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let name = std::env::var("SWIRL_FUZZ_TARGET").unwrap_or(own);
        fuzz::target(&name).unwrap_or_else(|| {
            let names: Vec<&str> = fuzz::TARGETS.iter().map(|target| target.name).collect();
            eprintln!("SWIRL_FUZZ_TARGET: found {name}, expected {}", names.join(", "));
            std::process::exit(2);
        })
    })
}

fn prepare() {
    let Some(folder) = std::env::var_os("SWIRL_FUZZ_PREPARE") else {
        return;
    };
    if let Err(error) = fuzz::prepare(Path::new(&folder)) {
        eprintln!("{}: {error}", Path::new(&folder).display());
        std::process::exit(2);
    }
}

libfuzzer_sys::fuzz_target!(init: prepare(), |bytes: &[u8]| fuzz::run(target().name, bytes));
