//! Writes the first inputs and the regressions of all targets into folders of a corpus:
//! `cargo run -p swirl-fuzz --example first_inputs -- fuzz/corpus`.

use std::path::{Path, PathBuf};

fn main() -> std::io::Result<()> {
    let Some(corpus) = std::env::args_os().nth(1).map(PathBuf::from) else {
        eprintln!("usage: first_inputs FOLDER");
        std::process::exit(2);
    };
    let regressions = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/regressions");
    for target in &fuzz::TARGETS {
        let folder = corpus.join(target.name);
        std::fs::create_dir_all(&folder)?;
        for (number, bytes) in (target.first)().into_iter().enumerate() {
            std::fs::write(folder.join(format!("first-{number}")), bytes)?;
        }
        for entry in std::fs::read_dir(regressions.join(target.name))
            .into_iter()
            .flatten()
            .flatten()
        {
            std::fs::copy(entry.path(), folder.join(entry.file_name()))?;
        }
    }
    Ok(())
}
