//! Cell streams: words without a macro.

use ninja::*;

/// Reserved chunks after counted data are kept.
#[test]
fn reserved_cell_chunks_are_kept() {
    let data = vec![1, 2];
    let stream = CellStream::new(vec![
        CellChunk::Event {
            event: 0,
            data: data.clone(),
        },
        CellChunk::Reserved {
            head: 0x8002_1234,
            data,
        },
        CellChunk::End { dummy: 0, time: 0 },
    ]);
    let file = File::new(vec![Chunk::CellStream(stream)]);
    let text = ascii::write(&file, &ascii::WriteOptions::default()).unwrap();
    let read = ascii::read(text.as_bytes()).unwrap();
    let warnings: Vec<_> = read.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(warnings, ["8:5: cell chunk 8 is reserved and is kept"]);
    assert_eq!(read.file.write().unwrap(), file.write().unwrap());
}

fn there_and_back(chunks: Vec<CellChunk>) -> (String, Vec<CellChunk>) {
    let mut stream = CellStream::new(chunks);
    stream.count_stamps().unwrap();
    let file = File::new(vec![Chunk::CellStream(stream)]);
    let text = ascii::write(&file, &ascii::WriteOptions::default()).unwrap();
    let read = ascii::read(text.as_bytes()).unwrap();
    assert_eq!(read.warnings, [], "{text}");
    assert_eq!(read.file.write().unwrap(), file.write().unwrap());
    let Chunk::CellStream(stream) = &read.file.chunks[0] else {
        panic!("{:?}", read.file.chunks[0])
    };
    (text, stream.chunks.clone())
}

/// Word 0x000a0080: an end at time 128 with 10 in bits 27-16, which CCnk_TE cannot express.
#[test]
fn the_spare_bits_of_an_end_are_kept() {
    let stamp = CellChunk::Stamp { words: 0, time: 0 };
    let end = CellChunk::End {
        dummy: 10,
        time: 0x80,
    };
    let event = CellChunk::Event {
        event: 3,
        data: vec![0xA],
    };
    let entry = CellChunk::Entry {
        entry: 0,
        offset: 0,
        data: vec![1, 2],
    };
    let texture = CellChunk::Texture { entry: 1, tex_id: 2 };
    for last in [texture, event, entry] {
        let (text, chunks) = there_and_back(vec![stamp.clone(), last, end.clone()]);
        assert!(text.contains("    0x000a0080, /* end, time 128 */\n"), "{text}");
        assert_eq!(chunks.last(), Some(&end));
    }
    let (text, _) = there_and_back(vec![CellChunk::End { dummy: 0, time: 0x80 }]);
    assert!(text.contains("CCnk_TE( 128 )"), "{text}");
}

/// A plain word 0x000000ff after all stated data is the end, as for a reader of the binary array. Within the
/// data it is data.
#[test]
fn a_plain_word_can_be_the_end() {
    let stream = |words: &str| {
        let text = format!(
            "CELLSTREAMDATA d[] START CCnk_TS( 0, 2 ), CCnk_UE( 1, 0 ), {words} END
             CELLSTREAM c START CStreamData d, CSCurrent d, CSTimeOffset 0, CSTimeMax 255, END"
        );
        let file = ascii::read(text.as_bytes()).unwrap();
        let Chunk::CellStream(stream) = &file.file.chunks[0] else {
            panic!("no stream")
        };
        (stream.chunks.clone(), file.warnings.len())
    };
    let stamp = CellChunk::Stamp { words: 2, time: 0 };
    let event = CellChunk::Event {
        event: 0,
        data: vec![7],
    };
    let end = CellChunk::End { dummy: 0, time: 255 };
    let expected = vec![stamp, event, end];
    assert_eq!(stream("7, 0x000000ff"), (expected.clone(), 0));
    assert_eq!(stream("7, CCnk_TE( 255 )"), (expected, 0));
}

/// Sizes of stamps and cells are computed. Different sizes in a binary file are lost, as `ascii::write`
/// documents.
#[test]
fn other_sizes_of_stamps_and_cells_are_lost() {
    let blocks = CellBlocks {
        priority: Some(4),
        ..CellBlocks::default()
    };
    let mut change = CellChange::new(1, &blocks);
    change.size = 9;
    let stream = CellStream::new(vec![
        CellChunk::Stamp { words: 77, time: 0 },
        CellChunk::Change(change),
        CellChunk::End { dummy: 0, time: 4 },
    ]);
    let file = File::new(vec![Chunk::CellStream(stream)]);
    let text = ascii::write(&file, &ascii::WriteOptions::default()).unwrap();
    assert!(
        text.contains("CCnk_TS( 0, 2 )") && text.contains("CCnk_CE( 1, 1, FCB_PR2 )"),
        "{text}"
    );
}
