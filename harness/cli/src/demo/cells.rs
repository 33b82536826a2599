//! The demo's cells: a swirl and bubbles, each rotated by a stream. The bubbles send an event.

use anyhow::Result;
use ninja::{Argb, Bams, BlendMode, Cell, CellAttr, CellChunk, Chunk, Error, File};
use scene::{
    BoundTexture, CellSettings, CellSprite, Events, QuadForm, StreamList, TaLists, Textures, draw_sprite_2d,
};
use sh4_kernels::Kernels;

/// Length of both streams in frames.
const LENGTH: i32 = 60;
/// Frames between two stamps.
const STEP: i32 = 6;
/// Event that a bubble sends. Its words are the number of the bubble and a height in pixels.
const BUBBLE: u16 = 3;

/// The cell layer at a time, with the events of its streams up to then.
pub(super) struct Layer {
    sprite: CellSprite,
    list: StreamList,
    texture: BoundTexture,
}

impl Layer {
    pub(super) fn new(texture: BoundTexture) -> Result<Self> {
        let sprite = CellSprite::from(&sprite());
        let mut list = StreamList::new(&sprite);
        list.add(&turning()?)?;
        list.add(&rising()?)?;
        Ok(Self {
            sprite,
            list,
            texture,
        })
    }

    /// Plays from the start to `time`, and returns the user events as lines.
    pub(super) fn play(&mut self, time: i32) -> Vec<String> {
        let mut told = Vec::new();
        let mut events = Events::new();
        events.on(BUBBLE, |event| {
            let text = format!(
                "time {}: user event {} with the words {:?}",
                event.time, event.id, event.words
            );
            told.push(text);
        });
        self.list.reset();
        self.list.advance(0, &mut events);
        for _ in 0..time {
            self.list.advance(1, &mut events);
        }
        drop(events);
        told
    }

    pub(super) fn draw(&self, kernels: &mut dyn Kernels, lists: &mut TaLists) -> player::Result<()> {
        let textures = Textures {
            bound: vec![Some(self.texture)],
            checker: self.texture,
        };
        let settings = CellSettings {
            form: QuadForm::Strips,
            ..CellSettings::default()
        };
        let (words, value) = (self.list.words(), &self.sprite.value);
        draw_sprite_2d(words, value, &textures, &settings, kernels, lists)?;
        Ok(())
    }
}

/// Returns the sprite as the content of a `.spj` file.
pub(super) fn sprite_file() -> File {
    File::new(vec![Chunk::CellSprite(sprite())])
}

/// Returns the streams as the content of a `.csj` file.
pub(super) fn stream_file() -> Result<File, Error> {
    let streams = [turning()?, rising()?];
    Ok(File::new(streams.map(Chunk::CellStream).to_vec()))
}

fn sprite() -> ninja::CellSprite {
    let mut sprite = ninja::CellSprite::new(vec![
        cell([0.0, 0.0], 96.0, 0xFFFF_FFFF),
        cell([-62.0, 40.0], 36.0, 0xC0FF_E0C0),
        cell([-78.0, 12.0], 22.0, 0xA0C0_E0FF),
        cell([-84.0, -8.0], 14.0, 0x80C0_FFE0),
    ]);
    sprite.pos = [556.0, 84.0, -1.0];
    sprite.zang = Bams(0x0800);
    sprite
}

fn cell(offset: [f32; 2], size: f32, colour: u32) -> Cell {
    let blended = CellAttr::ALPHA.with_blend(BlendMode::SourceAlpha, BlendMode::InverseSourceAlpha);
    Cell {
        attr: blended | CellAttr::VERTEX_COLOR | CellAttr::TIME_REPEAT,
        offset,
        size: [size; 2],
        argb: [Argb(colour); 4],
        ..Cell::default()
    }
}

/// Rotates the big swirl once.
fn turning() -> Result<ninja::CellStream, Error> {
    stream(|time| {
        let zang = (time * 0x10000 / LENGTH) as i16;
        vec![CellChunk::ZAngle { entry: 0, zang }]
    })
}

/// Rotates the bubbles in the other direction; one of them sends an event.
fn rising() -> Result<ninja::CellStream, Error> {
    stream(|time| {
        let mut chunks: Vec<CellChunk> = (1..4)
            .map(|entry: u16| CellChunk::ZAngle {
                entry,
                zang: (-time * 0x10000 / LENGTH * i32::from(entry)) as i16,
            })
            .collect();
        if time == LENGTH / 5 {
            chunks.push(CellChunk::Event {
                event: BUBBLE,
                data: vec![1, 40],
            });
        }
        chunks
    })
}

/// Builds a stream from the chunks that `at` returns for each stamp.
fn stream(at: impl Fn(i32) -> Vec<CellChunk>) -> Result<ninja::CellStream, Error> {
    let mut chunks = Vec::new();
    for time in (0..LENGTH).step_by(STEP as usize) {
        chunks.push(CellChunk::Stamp {
            words: 0,
            time: time as u16,
        });
        chunks.extend(at(time));
    }
    chunks.push(CellChunk::End {
        dummy: 0,
        time: LENGTH as u16,
    });
    let mut stream = ninja::CellStream::new(chunks);
    stream.count_stamps()?;
    Ok(stream)
}
