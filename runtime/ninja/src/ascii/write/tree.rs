//! Writer for object trees.

use super::num::{degrees, float, floats, hex32};
use super::{Top, Writer, flags};
use crate::error::Error;
use crate::tree::{EvalFlags, Object, ObjectTree};
use std::fmt::Write as _;

const EVAL: [(u32, &str); 12] = [
    (1 << 0, "FEV_UT"),
    (1 << 1, "FEV_UR"),
    (1 << 2, "FEV_US"),
    (1 << 3, "FEV_HD"),
    (1 << 4, "FEV_BR"),
    (1 << 5, "FEV_ZXY"),
    (1 << 6, "FEV_SK"),
    (1 << 7, "FEV_SSK"),
    (1 << 8, "FEV_CL"),
    (1 << 9, "FEV_MD"),
    (1 << 10, "FEV_QU"),
    (1 << 13, "FEV_EN"),
];

impl Writer<'_> {
    /// Writes leaves first, since C needs definitions before uses. Each list precedes the last node that uses
    /// it.
    pub(super) fn tree(&mut self, tree: &ObjectTree) -> Result<Top, Error> {
        tree.check()?;
        let mut tree = tree.clone();
        tree.renumber();
        let scope = self.scope("OBJECT");
        self.put("\nCNKOBJECT_START\n");
        let mut written = Written {
            models: vec![false; tree.models.len()],
            vlists: vec![false; tree.vlists.len()],
            plists: vec![false; tree.plists.len()],
        };
        for (i, object) in tree.objects.iter().enumerate().rev() {
            if let Some(model) = object.model {
                self.model(&tree, &scope, model.index(), &mut written);
            }
            self.object(&tree, &scope, i, object);
        }
        self.put("\nCNKOBJECT_END\n");
        Ok(Top {
            title: "OBJECT",
            name: object_name(&scope, 0),
            note: String::new(),
            default: "DEFAULT_OBJECT_NAME",
        })
    }

    fn model(&mut self, tree: &ObjectTree, scope: &str, i: usize, written: &mut Written) {
        let Some(model) = tree.models.get(i) else { return };
        if std::mem::replace(&mut written.models[i], true) {
            return;
        }
        if let Some((id, list)) = model.plist.and_then(|id| Some((id.index(), tree.plist(id)?)))
            && !std::mem::replace(&mut written.plists[id], true)
        {
            self.plist(&format!("strip_{scope}_{id}[]"), list);
        }
        if let Some((id, list)) = model.vlist.and_then(|id| Some((id.index(), tree.vlist(id)?)))
            && !std::mem::replace(&mut written.vlists[id], true)
        {
            self.vlist(&format!("vertex_{scope}_{id}[]"), list);
        }
        self.open("CNKMODEL", &format!("model_{scope}_{i}[]"));
        let vlist = model.vlist.map(|id| format!("vertex_{scope}_{}", id.0));
        let plist = model.plist.map(|id| format!("strip_{scope}_{}", id.0));
        let _ = write!(
            self.out,
            "VList      {},\nPList      {},\nCenter     {},\nRadius     {},\n",
            vlist.as_deref().unwrap_or("NULL"),
            plist.as_deref().unwrap_or("NULL"),
            floats(&model.center),
            float(model.radius)
        );
        self.close();
    }

    fn object(&mut self, tree: &ObjectTree, scope: &str, i: usize, object: &Object) {
        let name = |id: Option<crate::tree::ObjectId>| {
            id.map_or("NULL".to_owned(), |id| object_name(scope, id.index()))
        };
        self.open("CNKOBJECT", &format!("{}[]", object_name(scope, i)));
        let model = object.model.map(|id| format!("model_{scope}_{}", id.0));
        let _ = write!(
            self.out,
            "EvalFlags  ( {} ),\nCNKModel   {},\nOPosition  ( {} ),\n",
            flags(object.evalflags.0, &EVAL),
            model.as_deref().unwrap_or("NULL"),
            floats(&object.pos)
        );
        self.rotation(object);
        let _ = write!(
            self.out,
            "OScale     ( {} ),\nChild      {},\nSibling    {},\n",
            floats(&object.scl),
            name(object.child),
            name(object.sibling)
        );
        if tree.kind.node_bytes() == 56 {
            let _ = writeln!(
                self.out,
                "OQuatRe    ( {} ),",
                float(object.re_quat.unwrap_or(0.0))
            );
        }
        self.close();
    }

    /// Writes angles, or the bits of a quaternion's imaginary parts: C would convert floats to the member's
    /// integer type.
    fn rotation(&mut self, object: &Object) {
        if !object.evalflags.contains(EvalFlags::QUATERNION) {
            let [x, y, z] = object.ang.map(|a| degrees(a.0));
            let _ = writeln!(self.out, "OAngle     ( {x}, {y}, {z} ),");
            return;
        }
        self.put("OQuatIm    ( ");
        for (i, part) in object.ang.iter().enumerate() {
            self.put(if i > 0 { ", " } else { "" });
            hex32(&mut self.out, part.0 as u32);
        }
        let [x, y, z] = object.ang.map(|a| float(f32::from_bits(a.0 as u32)));
        let _ = writeln!(self.out, " ), /* {x}, {y}, {z} */");
    }
}

/// Lists and models already in the text.
struct Written {
    models: Vec<bool>,
    vlists: Vec<bool>,
    plists: Vec<bool>,
}

/// Returns the name of an object; the root has no number.
fn object_name(scope: &str, i: usize) -> String {
    match i {
        0 => format!("object_{scope}"),
        _ => format!("object_{scope}_{i}"),
    }
}
