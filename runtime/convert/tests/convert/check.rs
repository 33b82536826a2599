//! The comparison with the source must find errors with any player.

use convert::{Error, Evaluator, Held, Options, Plain, Wanted, Written};

use crate::converted;

/// A player with an error in one vertex at one frame of a motion.
#[derive(Default)]
struct Wrong {
    plain: Plain,
    moves: bool,
    spoil: Option<fn(&mut Option<Held>)>,
}

const FRAME: u32 = 7;

impl Evaluator for Wrong {
    fn volume(&mut self, node: usize) -> Vec<[u16; 3]> {
        self.plain.volume(node)
    }

    fn open(&mut self, files: Written) -> Result<(), String> {
        self.moves = files.motion.is_some();
        self.plain.open(files)
    }

    fn evaluate(&mut self, frame: u32, wanted: &[Wanted]) -> Result<Vec<Vec<Option<Held>>>, String> {
        let mut held = self.plain.evaluate(frame, wanted)?;
        if let Some(spoil) = self.spoil.filter(|_| self.moves && frame == FRAME) {
            spoil(&mut held[0][3]);
        }
        Ok(held)
    }
}

fn checked(spoil: fn(&mut Option<Held>)) -> convert::Checked {
    let mut conversion = converted("skin_anim.fbx", &Options::default());
    let mut wrong = Wrong {
        spoil: Some(spoil),
        ..Wrong::default()
    };
    conversion.check(&mut wrong).unwrap().clone()
}

#[test]
fn a_vertex_that_is_off_is_found_with_its_node_and_frame() {
    let right = converted("skin_anim.fbx", &Options::default());
    let away = checked(|held| held.as_mut().unwrap().position[1] += 1000.0);
    let (_, deviation) = &away.motions[0];
    assert!((deviation.position - 1000.0).abs() < 1e-2, "{deviation:?}");
    let share = deviation.position / right.report.size;
    assert_eq!(
        (deviation.relative, deviation.frame),
        (share, FRAME),
        "{deviation:?}"
    );
    assert!(right.report.nodes.iter().any(|node| node.name == deviation.node));
    // Slots have the order of the source's vertices if no vertex has two normals.
    let moved = right.positions(Some((0, FRAME))).unwrap();
    assert!(
        moved[0].vertices[deviation.vertex as usize].is_some(),
        "{deviation:?}"
    );
    let missing = checked(|held| *held = None);
    assert_eq!(missing.motions[0].1.vertex, deviation.vertex);
    assert!(away.rest.relative < 1.0 / 2000.0);
}

#[test]
fn a_vertex_that_is_missing_or_no_number_is_infinitely_far() {
    let missing = checked(|held| *held = None);
    assert_eq!(missing.motions[0].1.position, f64::INFINITY);
    let none = checked(|held| held.as_mut().unwrap().position[0] = f64::NAN);
    assert_eq!(none.motions[0].1.position, f64::INFINITY);
    assert_eq!(none.motions[0].1.frame, FRAME);
}

/// A player that cannot play any file.
struct Mute;

impl Evaluator for Mute {
    fn volume(&mut self, _node: usize) -> Vec<[u16; 3]> {
        Vec::new()
    }

    fn open(&mut self, _: Written) -> Result<(), String> {
        Err("no drive".into())
    }

    fn evaluate(&mut self, _: u32, _: &[Wanted]) -> Result<Vec<Vec<Option<Held>>>, String> {
        Ok(Vec::new())
    }
}

#[test]
fn what_cannot_be_played_is_an_error() {
    let mut conversion = converted("skin_anim.fbx", &Options::default());
    let error = conversion.check(&mut Mute).unwrap_err();
    assert_eq!(error, Error::Play("no drive".into()));
    assert!(error.to_string().contains("no drive"));
    assert!(conversion.report.check.is_none());
}
