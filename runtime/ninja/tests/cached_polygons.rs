//! CP and DP (docs/formats/ninja.md 2.3): census of strips drawn through another node.

// These helpers fail a test by unwrap or panic.
#![allow(clippy::unwrap_used, clippy::panic)]

use ninja::{
    Census, Chunk, File, Model, Object, ObjectTree, Plist, PolyChunk, StripChunk, StripEntry, StripFlags,
    StripKind, StripSource, VertexChunk, VertexKind, Vlist,
};

/// One triangle of the slots `first` to `first + 2`.
fn triangle(first: u16) -> PolyChunk {
    let entries = (first..first + 3)
        .map(|index| StripEntry {
            index,
            ..StripEntry::default()
        })
        .collect();
    let strips = [StripSource {
        reversed: false,
        entries,
    }];
    PolyChunk::Strip(StripChunk::build(StripKind::Cs, StripFlags(0), &strips).unwrap())
}

/// A root with children that each fill three slots from `first` on, and draw `chunks`.
fn census(children: &[(Option<u16>, &[PolyChunk])]) -> Census {
    let mut tree = ObjectTree::new();
    let root = tree.push_object(Object::default());
    for (first, chunks) in children {
        let vlist = first.map(|first| {
            let chunk = VertexChunk::from_parts(VertexKind::Cv, 0, first, vec![0; 9]).unwrap();
            tree.push_vlist(Vlist { chunks: vec![chunk] })
        });
        let plist = Some(tree.push_plist(Plist {
            chunks: chunks.to_vec(),
        }));
        let model = Some(tree.push_model(Model {
            vlist,
            plist,
            ..Model::default()
        }));
        tree.push_child(
            root,
            Object {
                model,
                ..Object::default()
            },
        )
        .unwrap();
    }
    let file = File::new(vec![Chunk::Model(tree)]);
    ninja::read(&file.write().unwrap()).unwrap().census()
}

fn resolved(census: &Census) -> [u64; 4] {
    [
        census.resolved_directly,
        census.resolved_through_dp,
        census.unresolved,
        census.bad_draws,
    ]
}

const CP: PolyChunk = PolyChunk::CachePolygons(7);
const DP: PolyChunk = PolyChunk::DrawPolygons(7);

#[test]
fn strips_wait_for_their_vertices() {
    // The first node's triangle needs the second node's vertices.
    let late = census(&[(Some(0), &[CP, triangle(3)]), (Some(3), &[DP, triangle(0)])]);
    assert_eq!(resolved(&late), [3, 3, 0, 0]);
    assert_eq!(
        (late.indices, late.poly_chunks_of(4), late.poly_chunks_of(5)),
        (6, 1, 1)
    );
    // Without CP, DP has no list to draw.
    let early = census(&[(Some(0), &[triangle(3)]), (Some(3), &[triangle(0)])]);
    assert_eq!(resolved(&early), [3, 0, 3, 0]);
}

#[test]
fn what_comes_before_cp_is_drawn_at_once() {
    let both = census(&[(Some(0), &[triangle(0), CP, triangle(0)]), (None, &[DP, DP])]);
    assert_eq!(resolved(&both), [3, 6, 0, 0]);
}

#[test]
fn numbers_that_are_not_set_and_lists_within_themselves() {
    assert_eq!(resolved(&census(&[(Some(0), &[DP, triangle(0)])])), [3, 0, 0, 1]);
    let inside = census(&[(Some(0), &[CP, DP, triangle(0)]), (None, &[DP])]);
    assert_eq!(resolved(&inside), [0, 3, 0, 1]);
}

/// Forty nested lists that each draw the next one twice would take 2^40 steps.
#[test]
fn towers_are_cut_short() {
    let lists: Vec<Vec<PolyChunk>> = (0..40u8)
        .map(|n| match n {
            0 => vec![PolyChunk::CachePolygons(0), triangle(0)],
            n => vec![
                PolyChunk::CachePolygons(n),
                PolyChunk::DrawPolygons(n - 1),
                PolyChunk::DrawPolygons(n - 1),
            ],
        })
        .chain([vec![PolyChunk::DrawPolygons(39)]])
        .collect();
    let children: Vec<_> = lists.iter().map(|list| (None, &list[..])).collect();
    assert_eq!(census(&children).cut_short, 1);
}
