//! Binds motions, shapes and cell streams to models and sprites, plays and draws them.

use ninja::{Bams, CShapeList, Chunk, File, ObjectTree};
use scene::{
    CameraMotion, CellSprite, Events, FreeCamera, LastKey, Light, LightMotion, Motion, Pose, Reference,
    Settings, ShapeMotion, Shapes, Source, SpriteMotion, SpriteSpace, StampRule, StreamList, TaLists,
};

/// Returns the chunks of two files. The input has the length of the first file in 16 bits, the first file and
/// the second.
pub(crate) fn chunks(bytes: &[u8]) -> Vec<Chunk> {
    let Some((length, rest)) = bytes.split_first_chunk::<2>() else {
        return Vec::new();
    };
    let (first, second) = rest.split_at(usize::from(u16::from_le_bytes(*length)).min(rest.len()));
    let files = [first, second]
        .into_iter()
        .filter_map(|file| ninja::read(file).ok());
    files.flat_map(|file: File| file.chunks).collect()
}

/// Frames to test of a motion of this length: between keys, at both ends, and invalid frame numbers.
fn frames(length: u32) -> [f32; 7] {
    let last = length.saturating_sub(1) as f32;
    [0.0, 0.5, 1.0, last, last + 0.75, -1.0, f32::NAN]
}

const LAST_KEYS: [LastKey; 3] = [LastKey::Original, LastKey::Hold, LastKey::Wrap];

fn draw(tree: &ObjectTree, pose: &Pose, shapes: &Shapes) {
    let view = tests::view(tests::checker());
    let _ = scene::draw(tree, pose, shapes, &view, &mut Reference, &mut TaLists::default());
}

fn motion(tree: &ObjectTree, source: &ninja::Motion) {
    let Ok(bound) = Motion::bind(tree, source) else {
        return;
    };
    for (n, frame) in frames(bound.length()).into_iter().enumerate() {
        let bound = bound.clone().with_last_key(LAST_KEYS[n % 3]);
        if let Ok(Some(pose)) = bound.pose(frame, &mut Reference) {
            draw(tree, &pose, &Shapes::none());
        }
    }
}

fn shape(tree: &ObjectTree, list: &CShapeList, source: &ninja::CShapeMotion) {
    let Ok(bound) = ShapeMotion::bind(tree, list, source) else {
        return;
    };
    for (n, frame) in frames(bound.length()).into_iter().enumerate() {
        let bound = bound.clone().with_last_key(LAST_KEYS[n % 3]);
        if let Ok(Some(shapes)) = bound.shapes(frame, &mut Reference) {
            draw(tree, &Pose::rest(tree), &shapes);
        }
    }
}

/// Plays motions of cameras and lights, which need no model.
fn views(source: &ninja::Motion) {
    let camera = FreeCamera {
        position: [0.0, 0.0, 50.0],
        target: [0.0; 3],
        roll: Bams(0),
        angle: Bams(0x2000),
    };
    if let Ok(bound) = CameraMotion::bind(camera, source) {
        for frame in frames(bound.length()) {
            let _ = bound.camera(frame, &mut Reference);
        }
    }
    let light = Light {
        source: Source::Directional {
            direction: [0.0, 0.0, 1.0],
        },
        colour: [1.0; 3],
        specular: [1.0; 3],
    };
    if let Ok(bound) = LightMotion::bind(light, source) {
        for frame in frames(bound.length()) {
            let _ = bound.light(frame, &mut Reference);
        }
    }
}

/// Plays every motion and shape motion of two files on every model.
pub(crate) fn motions(bytes: &[u8]) {
    let chunks = chunks(bytes);
    let trees = || {
        chunks.iter().filter_map(|chunk| match chunk {
            Chunk::Model(tree) => Some(tree),
            _ => None,
        })
    };
    for chunk in chunks.iter().take(8) {
        match chunk {
            Chunk::Motion(source) => {
                views(source);
                trees().take(2).for_each(|tree| motion(tree, source));
            }
            Chunk::ShapeMotion(source) => {
                let lists = chunks.iter().filter_map(|chunk| match chunk {
                    Chunk::ShapeList(list) => Some(list),
                    _ => None,
                });
                for list in lists.take(2) {
                    trees().take(2).for_each(|tree| shape(tree, list, source));
                }
            }
            _ => {}
        }
    }
}

/// Plays every stream and sprite motion of two files on their first sprite.
pub(crate) fn cells(bytes: &[u8]) {
    let chunks = chunks(bytes);
    let sprite = chunks.iter().find_map(|chunk| match chunk {
        Chunk::CellSprite(sprite) => Some(CellSprite::from(sprite)),
        _ => None,
    });
    let Some(mut sprite) = sprite else { return };
    for chunk in &chunks {
        if let Chunk::Motion(source) = chunk
            && let Ok(motion) = SpriteMotion::new(source, LastKey::Original)
        {
            for frame in frames(motion.length()) {
                let _ = motion.apply(frame, &mut sprite.value, &mut Reference);
            }
        }
    }
    for stamps in [StampRule::Reached, StampRule::Held] {
        let mut settings = Settings::default();
        settings.streams.stamps = stamps;
        let mut list = StreamList::with_settings(&sprite, settings.streams);
        for chunk in &chunks {
            if let Chunk::CellStream(stream) = chunk {
                let _ = list.add(stream);
            }
        }
        let mut count = 0_u64;
        let mut events = Events::new();
        events.on_any(|_| count += 1);
        for step in [0, 1, 1, 7, -3, 1000] {
            list.advance(step, &mut events);
        }
        let _ = list.seek(12);
        let _ = list.seek(-1);
        draw_cells(&sprite, &list, &settings);
    }
}

fn draw_cells(sprite: &CellSprite, list: &StreamList, settings: &Settings) {
    let view = tests::view(tests::checker());
    let space = SpriteSpace {
        to_view: sh4_kernels::IDENTITY,
        viewport: view.viewport,
        far: 1.0e6,
    };
    let (value, words) = (&sprite.value, list.words());
    let mut lists = TaLists::default();
    let cells = &settings.cells;
    let _ = scene::draw_sprite_2d(words, value, &view.textures, cells, &mut Reference, &mut lists);
    let _ = scene::draw_sprite_3d(
        words,
        value,
        &space,
        &view.textures,
        cells,
        &mut Reference,
        &mut lists,
    );
}
