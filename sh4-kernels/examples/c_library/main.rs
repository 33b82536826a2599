//! Writes the generated files of `sh4-kernels/c`: `cargo run -p swirl-kernels --example c_library`.

mod header;

use std::path::Path;

fn main() -> Result<(), String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (name, text) in header::files(&folder.join("asm"))? {
        let path = folder.join("c").join(name);
        std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
        println!("{}", path.display());
    }
    Ok(())
}
