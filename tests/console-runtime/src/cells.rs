//! Compares cell sprites and streams: the cells after each step, the user events, and the drawn blocks.

use super::difference::difference;
use super::player::{Player, Step};
use super::sources::{self, Source};
use super::{Counts, both, moments, scenes};
use anyhow::Result;
use ninja::{CellSprite as SpriteFile, CellStream, Motion};
use scene::{
    CellSettings, CellSprite, CellStats, Events, LastKey, PunchThrough, QuadForm, Reference, SceneError,
    SpriteMotion, SpriteSpace, SpriteValue, StreamList, TaLists, View, draw_sprite_2d, draw_sprite_3d,
};

/// Steps of a stream list in frames; large steps cover many frames at once.
const STEPS: [u32; 11] = [0, 1, 1, 1, 2, 5, 1, 30, 60, 600, 7];
/// Last step of a list with one short stream. Both runtimes skip most of its repetitions, which would
/// otherwise take seconds.
const FAR: u32 = 40_000_000;
/// Maximum length of a stream that takes the step [`FAR`], in words.
const SHORT: usize = 6;
/// Maximum number of event words that the console program keeps for one step.
const MOST_EVENT_WORDS: usize = 8192;
/// Maximum number of streams that are played one by one with a sprite.
const MOST_ALONE: usize = 16;

/// Compares every sprite, without streams and with the streams of its folder.
pub(super) fn compare(player: &mut Player, sources: &[Source], counts: &mut Counts) -> Result<()> {
    for source in sources {
        for (number, sprite) in sources::sprites(source).enumerate() {
            counts.sprites += 1;
            let place = format!("{}, sprite {number}", source.name);
            match player.load_sprite(&source.bytes, number as u32)? {
                Ok(()) => {
                    compare_sprite(player, sprite, &sources::streams(sources, source), &place, counts)?;
                    for (motion, bytes) in sources::sprite_motions(sources, source) {
                        compare_motion(player, sprite, motion, &bytes, &place, counts)?;
                    }
                }
                Err(refusal) => {
                    counts.differences += 1;
                    println!("{place}: scene reads it, the console runtime refuses it: {refusal}");
                }
            }
        }
    }
    Ok(())
}

/// Moves the sprite along its motion, without going back to its first state.
fn compare_motion(
    player: &mut Player,
    file: &SpriteFile,
    motion: &Motion,
    bytes: &[u8],
    place: &str,
    counts: &mut Counts,
) -> Result<()> {
    counts.sprite_motions += 1;
    let bound = SpriteMotion::new(motion, LastKey::default());
    let loaded = player.load_sprite_motion(bytes)?;
    let Some(bound) = both(bound, loaded, place, counts) else {
        return Ok(());
    };
    let mut value = SpriteValue::from(file);
    // The last frame is after the end of the motion, where the sprite no longer moves.
    let end = bound.length() as f32;
    for frame in moments(bound.length()).into_iter().chain([end - 0.5, end]) {
        bound.apply(frame, &mut value, &mut Reference)?;
        let (expected, found) = (value_words(&value), player.move_sprite(frame)?);
        counts.frames += 1;
        if expected != found {
            counts.differences += 1;
            println!("{place}, motion, frame {frame}: {found:x?}, expected {expected:x?}");
        }
    }
    Ok(())
}

/// Words of NJS_CELL_SPRITE that follow the cell table and the number of cells.
fn value_words(value: &SpriteValue) -> Vec<u32> {
    let mut words: Vec<u32> = value.pos.map(f32::to_bits).to_vec();
    words.push(value.zang.0 as u32);
    let floats = value.scale.iter().chain(&value.diffuse).chain(&value.specular);
    words.extend(floats.map(|float| float.to_bits()));
    words
}

/// Returns the lists of streams to play: none, each stream, all in reverse order, and all.
fn sets<'a>(streams: &[&'a CellStream]) -> Vec<Vec<&'a CellStream>> {
    let all: Vec<&CellStream> = streams.iter().copied().take(scene::MAX_STREAMS).collect();
    let mut sets = vec![Vec::new()];
    sets.extend(streams.iter().take(MOST_ALONE).map(|stream| vec![*stream]));
    if all.len() > 1 {
        sets.push(all.iter().rev().copied().collect());
        sets.push(all);
    }
    sets
}

fn compare_sprite(
    player: &mut Player,
    file: &SpriteFile,
    streams: &[&CellStream],
    place: &str,
    counts: &mut Counts,
) -> Result<()> {
    let sprite = CellSprite::from(file);
    for (number, set) in sets(streams).into_iter().enumerate() {
        let place = format!("{place}, list {number}");
        counts.lists += 1;
        let mut list = StreamList::new(&sprite);
        for stream in &set {
            list.add(stream)?;
        }
        let bytes = sources::streams_file(&set).unwrap_or_default();
        match player.load_streams(&bytes, set.len() as u32)? {
            Ok(()) => {
                let steps = steps(&set, counts);
                play(player, &sprite, list, &steps, &place, counts)?;
            }
            Err(refusal) => {
                counts.differences += 1;
                println!("{place}: scene reads it, the console runtime refuses it: {refusal}");
            }
        }
    }
    Ok(())
}

fn steps(streams: &[&CellStream], counts: &mut Counts) -> Vec<u32> {
    let is_short = streams.len() == 1 && streams[0].words() <= SHORT;
    let far = (is_short && counts.far_steps == 0).then_some(FAR);
    counts.far_steps += usize::from(far.is_some());
    STEPS.into_iter().chain(far).collect()
}

fn play(
    player: &mut Player,
    sprite: &CellSprite,
    mut list: StreamList,
    steps: &[u32],
    place: &str,
    counts: &mut Counts,
) -> Result<()> {
    let views = scenes::cell_views(sprite.value.pos);
    for (number, step) in steps.iter().copied().enumerate() {
        let expected = advance(&mut list, step);
        let found = player.advance(step, sprite.cells.len() as u32)?;
        let place = format!("{place}, time {}", list.time());
        if expected != found {
            counts.differences += 1;
            println!("{place}: {found:x?}, expected {expected:x?}");
            return Ok(());
        }
        let (far, view) = &views[number % views.len()];
        compare_frame(player, (sprite, &list), (view, *far), &place, counts)?;
    }
    Ok(())
}

fn advance(list: &mut StreamList, step: u32) -> Step {
    let mut told = Vec::new();
    let mut events = Events::new();
    events.on_any(|event| {
        let head = [
            event.time as u32,
            u32::from(event.id),
            event.stream.0,
            event.words.len() as u32,
        ];
        told.extend(head);
        told.extend(event.words);
    });
    list.advance(step as i32, &mut events);
    drop(events);
    told.truncate(MOST_EVENT_WORDS);
    Step {
        cells: list.words().as_flattened().to_vec(),
        events: told,
    }
}

/// struct swr_cell_settings.
fn words(settings: &CellSettings) -> [u32; 3] {
    [
        settings.form as u32,
        u32::from(settings.punch_through != PunchThrough::List),
        u32::from(settings.filter == pvr::Filter::Point),
    ]
}

fn compare_frame(
    player: &mut Player,
    playing: (&CellSprite, &StreamList),
    (view, far): (&View, Option<f32>),
    place: &str,
    counts: &mut Counts,
) -> Result<()> {
    let settings = CellSettings::default();
    let other = CellSettings {
        form: QuadForm::Sprites,
        punch_through: PunchThrough::Ignored,
        filter: pvr::Filter::Point,
    };
    let strips = CellSettings {
        form: QuadForm::Strips,
        ..settings
    };
    for settings in [settings, other, strips] {
        let mut lists = TaLists::default();
        let drawn = draw(playing, view, far, &settings, &mut lists);
        let expected: Result<Vec<[u32; 8]>, SceneError> = drawn.map(|_| lists.blocks());
        let found = player.draw_cells(&scenes::words(view), &words(&settings), far)?;
        counts.frames += 1;
        counts.blocks += expected.as_ref().map_or(0, Vec::len);
        if let Some(difference) = difference(&expected, &found) {
            counts.differences += 1;
            println!("{place}, {settings:?}: {difference}");
        }
    }
    Ok(())
}

fn draw(
    (sprite, list): (&CellSprite, &StreamList),
    view: &View,
    far: Option<f32>,
    settings: &CellSettings,
    lists: &mut TaLists,
) -> Result<CellStats, SceneError> {
    let (cells, value, kernels) = (list.words(), &sprite.value, &mut Reference);
    let Some(far) = far else {
        return draw_sprite_2d(cells, value, &view.textures, settings, kernels, lists);
    };
    let space = SpriteSpace {
        to_view: view.camera.view(kernels)?,
        viewport: view.viewport,
        far,
    };
    draw_sprite_3d(cells, value, &space, &view.textures, settings, kernels, lists)
}
