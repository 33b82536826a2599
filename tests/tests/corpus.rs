//! Every real model through the emulated SH4, compared with the references.

use verify::Checked;

#[test]
fn every_model_draws_with_checked_kernels() {
    let models = tests::models(&tests::corpus());
    if models.is_empty() {
        println!("corpus not present, 0 files");
        return;
    }
    let mut kernels = Checked::new().unwrap();
    let mut triangles = 0;
    for path in &models {
        let file = ninja::read(&std::fs::read(path).unwrap()).unwrap();
        triangles += tests::draw_all(&file, &mut kernels)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
    println!("{} files, {triangles} triangles", models.len());
    for kernel in sh4_kernels::KERNELS {
        let tally = kernels.tally(kernel.name);
        println!(
            "{}: {} calls, {} words compared",
            kernel.name, tally.calls, tally.words
        );
    }
    assert!(triangles > 0);
}
