//! Tile accelerator input, list by list.

use crate::header::Pass;
use pvr::{ListType, end_of_list};
use sh4_kernels::KernelError;

/// Parameters of a frame, one sequence per list: the tile accelerator receives lists in succession.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TaLists {
    /// Blocks by [`ListType::index`].
    lists: [ListBlocks; 5],
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct ListBlocks {
    blocks: Vec<[u32; 8]>,
    header: Option<[u32; 8]>,
}

impl ListBlocks {
    /// Appends `header`, unless it is already current.
    fn put_header(&mut self, header: [u32; 8]) {
        if self.header != Some(header) {
            self.header = Some(header);
            self.blocks.push(header);
        }
    }
}

impl TaLists {
    /// Appends `header`, unless it is already current, and the output of `strip`.
    pub(crate) fn strip<R>(
        &mut self,
        list: ListType,
        header: [u32; 8],
        strip: impl FnOnce(&mut Vec<[u32; 8]>) -> Result<R, KernelError>,
    ) -> Result<R, KernelError> {
        let list = &mut self.lists[list.index()];
        list.put_header(header);
        strip(&mut list.blocks)
    }

    /// Appends the output of `strip` to the list of each pass, after the pass' header.
    pub(crate) fn passes<R>(
        &mut self,
        passes: &[Pass],
        strip: impl FnOnce(&mut Vec<[u32; 8]>) -> Result<R, KernelError>,
    ) -> Result<Option<R>, KernelError> {
        let Some((first, more)) = passes.split_first() else {
            return Ok(None);
        };
        let mut sent = Vec::new();
        let result = self.strip(first.list, first.header, |blocks| {
            let start = blocks.len();
            let result = strip(blocks)?;
            if !more.is_empty() {
                sent = blocks[start..].to_vec();
            }
            Ok(result)
        })?;
        for pass in more {
            self.strip(pass.list, pass.header, |blocks| {
                blocks.extend_from_slice(&sent);
                Ok(())
            })?;
        }
        Ok(Some(result))
    }

    /// Appends `header` and `triangles` to a list. The header is always sent, since it may end a volume.
    pub(crate) fn volume(&mut self, list: ListType, header: [u32; 8], triangles: &[[u32; 8]]) {
        let list = &mut self.lists[list.index()];
        list.header = Some(header);
        list.blocks.push(header);
        list.blocks.extend_from_slice(triangles);
    }

    /// True if a list is sent. Volumes for translucent polygons are omitted if the frame has no such
    /// polygons.
    fn counts(&self, list: ListType) -> bool {
        let held = |list: ListType| !self.lists[list.index()].blocks.is_empty();
        held(list) && (list != ListType::TranslucentModifier || held(ListType::Translucent))
    }

    /// Returns one stream of all blocks: each non-empty list, followed by its end.
    pub fn blocks(&self) -> Vec<[u32; 8]> {
        let order = [
            ListType::Opaque,
            ListType::OpaqueModifier,
            ListType::PunchThrough,
            ListType::Translucent,
            ListType::TranslucentModifier,
        ];
        let mut stream = Vec::new();
        for list in order.into_iter().filter(|list| self.counts(*list)) {
            stream.extend_from_slice(&self.lists[list.index()].blocks);
            stream.push(end_of_list());
        }
        stream
    }
}
