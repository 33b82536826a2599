//! Cells: compares the angles in the expected pictures with angles computed by hand from the specification,
//! and checks the order of the files.

use crate::common::{swirl, text};
use std::path::{Path, PathBuf};

fn streams() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/scene/streams")
}

/// The pixels of a cell: 28 x 28 around (16 + 32 n, 36).
type Block = Vec<Vec<[u8; 3]>>;

fn picture(path: &Path) -> (usize, Vec<[u8; 3]>) {
    let file = std::fs::File::open(path).expect("an expected picture");
    let mut reader = png::Decoder::new(std::io::BufReader::new(file))
        .read_info()
        .unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut bytes).unwrap();
    let step = info.color_type.samples();
    let pixels = bytes
        .chunks_exact(step)
        .map(|pixel| [pixel[0], pixel[1], pixel[2]]);
    (info.width as usize, pixels.collect())
}

fn block((width, pixels): &(usize, Vec<[u8; 3]>), cell: usize) -> Block {
    let (left, top) = (16 + 32 * cell - 14, 36 - 14);
    let row = |y: usize| (left..left + 28).map(|x| pixels[(top + y) * width + x]).collect();
    (0..28).map(row).collect()
}

/// A quarter turn clockwise, which is a positive angle with y down.
fn turned(block: &Block) -> Block {
    (0..28)
        .map(|y| (0..28).map(|x| block[27 - x][y]).collect())
        .collect()
}

fn difference(a: &Block, b: &Block) -> u32 {
    let pairs = a.iter().flatten().flatten().zip(b.iter().flatten().flatten());
    pairs.map(|(a, b)| u32::from(a.abs_diff(*b))).sum()
}

/// Returns the quarter turns of each cell: the rotation of the cell at rest with the most similar picture.
fn turns(path: &Path, rest: &Block) -> [usize; 3] {
    let picture = picture(path);
    let all: Vec<Block> = std::iter::successors(Some(rest.clone()), |block| Some(turned(block)))
        .take(4)
        .collect();
    [0, 1, 2].map(|cell| {
        let found = block(&picture, cell);
        (0..4).min_by_key(|turn| difference(&found, &all[*turn])).unwrap()
    })
}

/// Frames, with the quarter turns of the three cells.
type Rows = &'static [(u32, [usize; 3])];

/// Frames and quarter turns of the three cells, from the streams' texts (docs/formats/cell-sprite.md 2, 4 and
/// 5).
#[rustfmt::skip]
const ANGLES: [(&str, Rows); 9] = [
    // early: cell 0 to 90 at 0. late, from 2 on: cell 1 to 90, then 180; without FCA_TR it stays there.
    ("order", &[(0, [1, 0, 0]), (1, [1, 0, 0]), (2, [1, 1, 0]), (3, [1, 2, 0]), (5, [1, 2, 0])]),
    // The original restores all cells while late is idle, after early.
    ("order_original", &[(0, [0, 0, 0]), (2, [1, 1, 0]), (3, [1, 2, 0])]),
    // Cell 1 to 90 at 0 by one file, to 180 at 2 by the other.
    ("later_write", &[(0, [0, 1, 0]), (1, [0, 1, 0]), (2, [0, 2, 0]), (3, [0, 2, 0])]),
    ("later_write_held", &[(0, [0, 1, 0]), (1, [0, 1, 0]), (2, [0, 1, 0]), (3, [0, 1, 0])]),
    // All to 0 at 0, to 90 at 1, period 2; cell 1 has no FCA_TR.
    ("repeat_of_a_cell", &[(0, [0, 0, 0]), (1, [1, 1, 1]), (2, [0, 1, 0]), (3, [1, 1, 1])]),
    ("repeat_of_a_stamp", &[(0, [0, 0, 0]), (1, [1, 1, 1]), (2, [0, 1, 1]), (3, [1, 1, 1])]),
    // From 3 on, period 4: cells 0 and 1 to 90, two later to 180. Cell 0 repeats at all other times.
    ("repeat_before", &[
        (0, [1, 0, 0]), (1, [2, 0, 0]), (2, [2, 0, 0]), (3, [1, 1, 0]), (5, [2, 2, 0]), (7, [1, 2, 0]),
    ]),
    ("repeat_after", &[(0, [0, 0, 0]), (1, [0, 0, 0]), (3, [1, 1, 0]), (5, [2, 2, 0]), (7, [1, 2, 0])]),
    // Both cells to 90 at 3, which is timemax: cell 1 stays there, cell 0 begins again.
    ("last_time", &[(0, [0, 0, 0]), (2, [0, 0, 0]), (3, [0, 1, 0]), (4, [0, 1, 0])]),
];

#[test]
fn cells_have_the_angles_of_the_specification() {
    let rest = block(&picture(&streams().join("order/expected/frame_0000.png")), 2);
    assert!(
        difference(&rest, &turned(&rest)) > 10_000,
        "the letter tells its turns apart"
    );
    let (mut wrong, mut frames) = (Vec::new(), 0);
    for (case, rows) in ANGLES {
        for (frame, expected) in rows {
            let path = streams().join(format!("{case}/expected/frame_{frame:04}.png"));
            let found = turns(&path, &rest);
            frames += 1;
            if found != *expected {
                wrong.push(format!("{case} frame {frame}: {found:?}, expected {expected:?}"));
            }
        }
    }
    assert!(
        wrong.is_empty() && frames > 30,
        "{frames} frames:\n{}",
        wrong.join("\n")
    );
}

/// Returns all orders of four files.
fn orders() -> Vec<[&'static str; 4]> {
    let files = ["early", "late", "from_two", "offset_three"];
    let mut orders = Vec::new();
    for (a, b, c) in (0..64).map(|n| (n / 16, n / 4 % 4, n % 4)) {
        let left: Vec<usize> = (0..4).filter(|n| ![a, b, c].contains(n)).collect();
        if let [d] = left[..] {
            orders.push([a, b, c, d].map(|n| files[n]));
        }
    }
    orders
}

/// Streams write the same cells: at equal times the order of `--cells` must decide.
#[test]
fn the_order_of_the_files_decides_at_equal_times() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("orders");
    std::fs::create_dir_all(&folder).unwrap();
    let sprite = streams().join("three.spa").display().to_string();
    let orders = orders();
    assert_eq!(orders.len(), 24);
    let picture = |order: [&str; 4]| {
        let output = folder.join("all.gif").display().to_string();
        let files = order.map(|name| streams().join(format!("{name}.csa")).display().to_string());
        let cells: Vec<&str> = files.iter().flat_map(|file| ["--cells", file.as_str()]).collect();
        let fixed = [
            "render", &sprite, "-o", &output, "--size", "96x72", "--frames", "0..11", "--play", "seed",
        ];
        let done = swirl(&[&fixed[..], &cells].concat());
        assert_eq!(done.status.code(), Some(0), "{order:?}: {}", text(&done.stderr));
        std::fs::read(&output).unwrap()
    };
    let mut pictures: Vec<Vec<u8>> = orders.iter().map(|order| picture(*order)).collect();
    assert!(pictures[0] == picture(orders[0]), "equal orders differ");
    pictures.sort();
    pictures.dedup();
    assert!((2..24).contains(&pictures.len()), "{} pictures", pictures.len());
}
