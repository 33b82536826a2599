//! JSON as text. A tree of values takes ten times the memory of its text.

use serde::Serialize;

/// A list of values.
#[derive(Default)]
pub(super) struct List {
    text: Vec<u8>,
    count: usize,
}

impl List {
    /// Appends a value and returns its index.
    pub(super) fn push(&mut self, value: &impl Serialize) -> usize {
        if self.count > 0 {
            self.text.push(b',');
        }
        write(&mut self.text, value);
        self.count += 1;
        self.count - 1
    }

    pub(super) fn is_empty(&self) -> bool {
        self.count == 0
    }
}

/// An object.
#[derive(Default)]
pub(super) struct Object {
    text: Vec<u8>,
}

impl Object {
    pub(super) fn insert(&mut self, name: &str, value: &impl Serialize) {
        self.key(name);
        write(&mut self.text, value);
    }

    /// Inserts a list, unless it is empty: glTF allows no empty lists.
    pub(super) fn insert_list(&mut self, name: &str, list: List) {
        if !list.is_empty() {
            self.key(name);
            self.text.push(b'[');
            self.text.extend(list.text);
            self.text.push(b']');
        }
    }

    /// Returns the text of the object.
    pub(super) fn finish(mut self) -> Vec<u8> {
        self.text.push(b'}');
        self.text
    }

    fn key(&mut self, name: &str) {
        self.text.push(if self.text.is_empty() { b'{' } else { b',' });
        write(&mut self.text, &name);
        self.text.push(b':');
    }
}

/// Appends a value. Serialization cannot fail if all map keys are strings.
fn write(text: &mut Vec<u8>, value: &impl Serialize) {
    let written = serde_json::to_writer(text, value);
    debug_assert!(written.is_ok(), "{written:?}");
}
