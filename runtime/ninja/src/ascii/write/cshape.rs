//! Writer for CompactShape lists and motions (docs/formats/compact-shape.md 3.2).

use super::motion::{inp_fn, mdata_name};
use super::{Top, Writer};
use crate::cshape::{CShapeList, CShapeMotion};
use crate::error::Error;
use std::fmt::Write as _;

impl Writer<'_> {
    pub(super) fn shape_list(&mut self, list: &CShapeList) -> Result<Top, Error> {
        let scope = self.scope("CSHAPELIST");
        self.put("\nCSHAPE_LIST_START\n");
        let mut vlists = vec![String::new(); list.vlists.len()];
        let mut cvlists = vec![String::new(); list.cvlists.len()];
        // Numbers the shapes within their group.
        let mut groups: Vec<(u16, usize)> = Vec::new();
        for shape in &list.shapes {
            let Some(id) = shape.cvlist.map(|id| id.0 as usize) else {
                continue;
            };
            let Some(members) = list.cvlists.get(id) else {
                return Err(Error::parameter(
                    "shape",
                    id,
                    "a list of vertex lists that exists",
                ));
            };
            if !cvlists[id].is_empty() {
                continue;
            }
            let group = shape.group_id;
            let number = match groups.iter_mut().find(|(known, _)| *known == group) {
                Some((_, number)) => {
                    *number += 1;
                    *number
                }
                None => {
                    groups.push((group, 0));
                    0
                }
            };
            for (entry, vlist) in members.iter().enumerate() {
                let Some(vlist) = vlist.map(|id| id.0 as usize) else {
                    continue;
                };
                let (Some(name), Some(content)) = (vlists.get_mut(vlist), list.vlists.get(vlist)) else {
                    return Err(Error::parameter("shape", vlist, "a vertex list that exists"));
                };
                if name.is_empty() {
                    *name = format!("cv{number}_{scope}_kg{group}_{entry}");
                    let name = format!("{name}[]");
                    self.shape_vlist(&name, content)?;
                }
            }
            cvlists[id] = format!("kg{group}_cvlist{number}_{scope}");
            self.open("CVLIST", &format!("{}[]", cvlists[id]));
            for vlist in members {
                let name = vlist.and_then(|id| vlists.get(id.0 as usize));
                let _ = writeln!(self.out, "    {},", name.map_or("NULL", String::as_str));
            }
            self.close();
        }
        self.key_groups(list, &cvlists, &scope)
    }

    fn key_groups(&mut self, list: &CShapeList, cvlists: &[String], scope: &str) -> Result<Top, Error> {
        self.open("CSHAPEKGLIST", &format!("cshapes_{scope}[]"));
        for (i, shape) in list.shapes.iter().enumerate() {
            if shape.reserved != 0 {
                return Err(Error::parameter("reserved word of a shape", shape.reserved, 0));
            }
            let name = shape.cvlist.and_then(|id| cvlists.get(id.0 as usize));
            let (name, group) = (name.map_or("NULL", String::as_str), shape.group_id);
            let _ = writeln!(self.out, "    CSHAPEKG( {name}, {group} ), /* {i} */");
        }
        self.close();
        let (name, count) = (format!("cshapelist_{scope}"), list.shapes.len());
        self.open("CSHAPELIST", &name);
        let _ = write!(
            self.out,
            "CShapeKgList  cshapes_{scope},\nCShapeNum     {count},\n"
        );
        self.close();
        self.put("\nCSHAPE_LIST_END\n");
        Ok(Top {
            title: "CSHAPELIST",
            name,
            note: format!(" n({count})"),
            default: "DEFAULT_CSHAPELIST_NAME",
        })
    }

    pub(super) fn shape_motion(&mut self, motion: &CShapeMotion) -> Result<Top, Error> {
        let scope = self.scope("CSHAPE MOTION");
        self.put("\nCSHAPE_MOTION_START\n");
        let mut names = vec![String::new(); motion.tracks.len()];
        let mut number = 0;
        for data in motion.nodes.iter().flatten() {
            let Some(id) = data.keys.map(|id| id.0 as usize) else {
                continue;
            };
            let (Some(keys), Some(name)) = (motion.tracks.get(id), names.get_mut(id)) else {
                return Err(Error::parameter("shape keys", id, "a table that exists"));
            };
            if !name.is_empty() {
                continue;
            }
            *name = format!("cshape_motion_kg{number}_{scope}");
            number += 1;
            self.open("CSHAPE", &format!("{name}[]"));
            for key in keys {
                let _ = writeln!(self.out, "    MKEYSHID( {}, {} ),", key.frame, key.value);
            }
            self.close();
        }
        self.shape_data(motion, &names, &scope);
        let mdata = mdata_name(motion.nodes.len(), &format!("cshape_{scope}"));
        let name = format!("cshape_motion_{scope}");
        self.open("MOTION", &format!("{name}[]"));
        let _ = write!(
            self.out,
            "MdataArray    {mdata},\nMFrameNum     {},\nMotionBitF    \
             (FMK_SHID),\nInterpolFctF  ({}),\n",
            motion.nb_frame,
            inp_fn(motion.inp_fn, 1)
        );
        self.close();
        self.put("\nCSHAPE_MOTION_END\n");
        Ok(Top {
            title: "CSHAPE MOTION",
            name,
            note: String::new(),
            default: "DEFAULT_CSHAPE_MOTION_NAME",
        })
    }

    /// Writes all entries in one array; each node refers to a part of it.
    fn shape_data(&mut self, motion: &CShapeMotion, names: &[String], scope: &str) {
        if motion.nodes.iter().any(|node| !node.is_empty()) {
            self.open("CSHAPEDATA", &format!("cshape_data_{scope}[]"));
            for (node, data) in motion.nodes.iter().enumerate() {
                for entry in data {
                    let id = entry.keys.map(|id| id.0 as usize);
                    let name = id.and_then(|id| names.get(id)).map_or("NULL", String::as_str);
                    let count = id.and_then(|id| motion.tracks.get(id)).map_or(0, Vec::len);
                    let _ = writeln!(self.out, "    {name}, {count}, {}, /* {node} */", entry.entry_id);
                }
            }
            self.close();
        }
        if motion.nodes.is_empty() {
            return;
        }
        self.open("MDATA1", &format!("mdata_cshape_{scope}[]"));
        let mut first = 0;
        for node in &motion.nodes {
            let _ = match node.len() {
                0 => writeln!(self.out, "    NULL, 0,"),
                n => writeln!(self.out, "    &cshape_data_{scope}[{first}], {n},"),
            };
            first += node.len();
        }
        self.close();
    }
}
