//! Time of a frame of animated cells: streams, motion of every cell, tile accelerator input.
//!
//! Target: 1,000 cells in 4 ms, with cost linear in cells (1,000, 4,000 and 16,000 below).

#![allow(missing_docs, clippy::unwrap_used, reason = "a bench")]

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use ninja::{BlockMotion, Cell, CellAttr, CellBlocks, CellChange, CellChunk, CellStream};
use scene::{BoundTexture, CellSettings, CellSprite, Events, StreamList, TaLists, Textures, draw_sprite_2d};
use sh4_kernels::Reference;

/// Each cell gets a position, a size and a rotation at each of four times.
fn pattern(cells: std::ops::Range<u16>) -> CellStream {
    let mut chunks = Vec::new();
    for time in 0..4 {
        chunks.push(CellChunk::Stamp { words: 0, time });
        for entry in cells.clone() {
            let motion = BlockMotion {
                offset: [f32::from(entry % 640), f32::from(entry % 480)],
                size: [32.0, 32.0],
                zang: (entry * 7 + time * 512) as i16,
            };
            let blocks = CellBlocks {
                motion: Some(motion),
                ..CellBlocks::default()
            };
            chunks.push(CellChunk::Change(CellChange::new(entry, &blocks)));
        }
    }
    chunks.push(CellChunk::End { dummy: 0, time: 4 });
    let mut stream = CellStream::new(chunks);
    stream.count_stamps().unwrap();
    stream
}

fn frame(c: &mut Criterion) {
    let mut group = c.benchmark_group("cells");
    let word = pvr::TextureWord(0);
    let checker = BoundTexture {
        word,
        width: 64,
        height: 64,
    };
    let textures = Textures {
        bound: vec![Some(checker)],
        checker,
    };
    for n in [1_000_u16, 4_000, 16_000] {
        let cell = |i: u16| Cell {
            attr: CellAttr::TIME_REPEAT | CellAttr::ALPHA,
            priority: i as i16,
            ..Cell::default()
        };
        let sprite = CellSprite::new((0..n).map(cell).collect());
        let mut list = StreamList::new(&sprite);
        // A stamp counts up to 4,095 words, which is enough for 500 cells of six words.
        for first in (0..n).step_by(500) {
            list.add(&pattern(first..first + 500)).unwrap();
        }
        group.throughput(Throughput::Elements(n.into()));
        group.bench_function(BenchmarkId::from_parameter(n), |b| {
            b.iter(|| {
                list.advance(1, &mut Events::new());
                let mut lists = TaLists::default();
                let settings = CellSettings::default();
                let kernels = &mut Reference;
                draw_sprite_2d(
                    list.words(),
                    &sprite.value,
                    &textures,
                    &settings,
                    kernels,
                    &mut lists,
                )
                .unwrap();
                lists.blocks().len()
            });
        });
    }
    group.finish();
}

criterion_group!(benches, frame);
criterion_main!(benches);
