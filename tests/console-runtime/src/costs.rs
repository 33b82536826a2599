//! Cycles of the console runtime for a frame of each model, by the stage of the frame.

use super::frame_cost::{FrameCost, STAGES};
use super::player::Player;
use super::scenes;
use super::sources::Source;
use anyhow::Result;
use ninja::ObjectTree;

/// Maximum number of rows in the table of functions.
const DEAREST: usize = 12;

/// Prints a row for each model: the cycles of its frame at rest in the view 'whole'. The frame is the second
/// one in sequence, so the caches are warm. Then prints the C functions that take the most cycles in all
/// these frames.
pub(super) fn print(player: &mut Player, sources: &[Source]) -> Result<()> {
    println!("\ncycles of a frame at rest, warm caches");
    print!("{:>8} {:>7}", "vertices", "blocks");
    for (_, name) in STAGES {
        print!(" {name:>9}");
    }
    println!(" {:>10} {:>7}", "all", "C code");
    let mut total = FrameCost::default();
    for source in sources {
        for (number, tree) in source.file.models().enumerate() {
            let place = format!("{}, model {number}", source.name);
            let Some((_, view)) = scenes::views(tree).into_iter().next() else {
                continue;
            };
            let words = scenes::words(&view);
            let drawn = match player.load(&source.bytes, number as u32)? {
                Ok(()) => player.draw(&words)?,
                Err(refusal) => Err(refusal),
            };
            let blocks = match drawn {
                Ok(blocks) => blocks.len(),
                Err(refusal) => {
                    println!("not drawn: {refusal}  {place}");
                    continue;
                }
            };
            let cost = player.cost(&words)?;
            println!("{:>8} {blocks:>7}{}  {place}", vertices(tree), row(&cost));
            total.take_functions(&cost);
        }
    }
    print_dearest(&total);
    Ok(())
}

/// Number of vertices that the nodes make. A model that several nodes share counts once for each node.
fn vertices(tree: &ObjectTree) -> usize {
    let models = tree.walk().filter_map(|(_, _, object)| tree.model(object.model?));
    let lists = models.filter_map(|model| tree.vlist(model.vlist?));
    let chunks = lists.flat_map(|list| &list.chunks);
    chunks.map(|chunk| usize::from(chunk.count)).sum()
}

fn row(cost: &FrameCost) -> String {
    let mut text = String::new();
    for (stage, _) in STAGES {
        text.push_str(&format!(" {:>9}", cost.of(stage)));
    }
    text + &format!(" {:>10} {:>5.1} %", cost.all(), cost.share())
}

fn print_dearest(total: &FrameCost) {
    let mut functions: Vec<_> = total.functions.iter().collect();
    functions.sort_by_key(|(_, cycles)| std::cmp::Reverse(**cycles));
    println!("\nC code of all these frames, the dearest functions");
    for (name, cycles) in functions.into_iter().take(DEAREST) {
        println!("{cycles:>12}  {}", name.trim_start_matches('_'));
    }
}
