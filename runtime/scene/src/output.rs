//! Tile accelerator input, list by list.

use pvr::{ListType, end_of_list};
use sh4_kernels::KernelError;

/// The parameters of a frame, one sequence a list: the tile accelerator takes lists one after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TaLists {
    opaque: ListBlocks,
    punch_through: ListBlocks,
    translucent: ListBlocks,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct ListBlocks {
    blocks: Vec<[u32; 8]>,
    header: Option<[u32; 8]>,
}

impl TaLists {
    /// Appends `header`, unless it is in force already, and what `strip` sends.
    pub(crate) fn strip<R>(
        &mut self,
        list: ListType,
        header: [u32; 8],
        strip: impl FnOnce(&mut Vec<[u32; 8]>) -> Result<R, KernelError>,
    ) -> Result<R, KernelError> {
        let list = match list {
            ListType::PunchThrough => &mut self.punch_through,
            ListType::Translucent | ListType::TranslucentModifier => &mut self.translucent,
            ListType::Opaque | ListType::OpaqueModifier => &mut self.opaque,
        };
        if list.header != Some(header) {
            list.header = Some(header);
            list.blocks.push(header);
        }
        strip(&mut list.blocks)
    }

    /// Everything as one stream: each list that holds something, closed by its end.
    pub fn blocks(&self) -> Vec<[u32; 8]> {
        let mut stream = Vec::new();
        for list in [&self.opaque, &self.punch_through, &self.translucent] {
            if !list.blocks.is_empty() {
                stream.extend_from_slice(&list.blocks);
                stream.push(end_of_list());
            }
        }
        stream
    }
}
