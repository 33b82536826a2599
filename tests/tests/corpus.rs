//! Draws every real model on the emulated SH4 and compares it with the references.

#![allow(clippy::unwrap_used, reason = "a helper that fails is how a test fails")]

use verify::Checked;

#[test]
fn every_model_draws_with_checked_kernels() {
    let models = tests::models(&tests::corpus());
    if models.is_empty() {
        corpus::absent("ninja");
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

/// Plays every motion for one cycle: on every model of the same file, and, for motion files, on every model
/// of the same game with as many nodes.
#[test]
fn every_motion_plays_one_cycle() {
    let corpus = tests::corpus();
    let models: Vec<_> = read_all(&corpus::files(&corpus, &["nj"]));
    let motions: Vec<_> = read_all(&corpus::files(&corpus, &["njm"]));
    if models.is_empty() {
        corpus::absent("ninja");
        return;
    }
    let (mut pairs, mut frames) = (0, 0);
    for (path, file) in &models {
        for tree in file.models() {
            let own = file.motions().map(|motion| (path, motion));
            let apart = motions
                .iter()
                .flat_map(|(path, file)| file.motions().map(move |motion| (path, motion)));
            for (source, motion) in own.chain(apart) {
                if nodes_that_take_an_entry(tree) == motion.nodes.len() {
                    frames += play(tree, motion).unwrap_or_else(|error| {
                        panic!("{} on {}: {error}", source.display(), path.display())
                    });
                    pairs += 1;
                }
            }
        }
    }
    println!(
        "{} models, {pairs} motions on models, {frames} frames",
        models.len()
    );
    assert!(pairs > 0);
}

fn read_all(paths: &[std::path::PathBuf]) -> Vec<(std::path::PathBuf, ninja::File)> {
    let read =
        |path: &std::path::PathBuf| (path.clone(), ninja::read(&std::fs::read(path).unwrap()).unwrap());
    paths.iter().map(read).collect()
}

fn nodes_that_take_an_entry(tree: &ninja::ObjectTree) -> usize {
    let skips = |object: &ninja::Object| object.evalflags.contains(ninja::EvalFlags::SKIP);
    tree.walk().filter(|(_, _, object)| !skips(object)).count()
}

/// Draws a motion and drops the output. Returns the number of frames.
fn play(tree: &ninja::ObjectTree, motion: &ninja::Motion) -> Result<u32, Box<dyn std::error::Error>> {
    let bound = scene::Motion::bind(tree, motion)?;
    let view = tests::view(tests::checker());
    for frame in 0..bound.length() {
        let pose = bound
            .pose(frame as f32, &mut scene::Reference)?
            .ok_or("no pose")?;
        for node in &pose.nodes {
            let numbers = node.position.into_iter().chain(node.scale).flatten();
            if numbers.into_iter().any(|number| !number.is_finite()) {
                return Err(format!("frame {frame}: {node:?}").into());
            }
        }
        // Computes the nodes' positions in every frame, but draws only every eighth frame, because drawing is
        // slower.
        if frame % 8 == 0 {
            let (shapes, mut lists) = (scene::Shapes::none(), scene::TaLists::default());
            scene::draw(tree, &pose, &shapes, &view, &mut scene::Reference, &mut lists)?;
        }
    }
    Ok(bound.length())
}
