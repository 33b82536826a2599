//! Builds small glTF scenes.

use serde_json::{Value, json};

/// A buffer with its views and accessors.
#[derive(Debug, Clone, Default)]
pub(crate) struct Glb {
    bin: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

/// Component types of glTF 2.0, section 5.1.
const U16: u32 = 5123;
const F32: u32 = 5126;

impl Glb {
    /// Adds a view of bytes.
    pub(crate) fn view(&mut self, bytes: &[u8]) -> usize {
        self.bin.resize(self.bin.len().next_multiple_of(4), 0);
        self.views
            .push(json!({ "buffer": 0, "byteOffset": self.bin.len(), "byteLength": bytes.len() }));
        self.bin.extend(bytes);
        self.views.len() - 1
    }

    fn accessor(&mut self, bytes: &[u8], component: u32, kind: &str, count: usize) -> usize {
        let view = self.view(bytes);
        self.accessors
            .push(json!({ "bufferView": view, "componentType": component, "type": kind, "count": count }));
        self.accessors.len() - 1
    }

    pub(crate) fn floats<const N: usize>(&mut self, kind: &str, values: &[[f32; N]]) -> usize {
        let bytes: Vec<u8> = values.iter().flatten().flat_map(|v| v.to_le_bytes()).collect();
        let index = self.accessor(&bytes, F32, kind, values.len());
        if kind == "VEC3" {
            let by = |k: usize| values.iter().map(move |v| v[k.min(N - 1)]);
            let low: Vec<f32> = (0..3).map(|k| by(k).fold(f32::MAX, f32::min)).collect();
            let high: Vec<f32> = (0..3).map(|k| by(k).fold(f32::MIN, f32::max)).collect();
            (self.accessors[index]["min"], self.accessors[index]["max"]) = (json!(low), json!(high));
        }
        index
    }

    pub(crate) fn shorts<const N: usize>(&mut self, kind: &str, values: &[[u16; N]]) -> usize {
        let bytes: Vec<u8> = values.iter().flatten().flat_map(|v| v.to_le_bytes()).collect();
        self.accessor(&bytes, U16, kind, values.len())
    }

    /// Sets the minimum and maximum of an accessor.
    pub(crate) fn bounds(&mut self, accessor: usize, low: [u16; 3], high: [u16; 3]) {
        (self.accessors[accessor]["min"], self.accessors[accessor]["max"]) = (json!(low), json!(high));
    }

    /// Returns the JSON: `scene` with the asset, the buffer, its views and accessors.
    fn json(&self, mut scene: Value, uri: Option<&str>) -> Value {
        scene["asset"] = json!({ "version": "2.0" });
        scene["buffers"] = json!([{ "byteLength": self.bin.len() }]);
        if let Some(uri) = uri {
            scene["buffers"][0]["uri"] = json!(uri);
        }
        scene["bufferViews"] = json!(self.views);
        scene["accessors"] = json!(self.accessors);
        scene
    }

    /// Returns a `.glb` file.
    pub(crate) fn write(&self, scene: &Value) -> Vec<u8> {
        let mut text = self.json(scene.clone(), None).to_string().into_bytes();
        text.resize(text.len().next_multiple_of(4), b' ');
        let mut bin = self.bin.clone();
        bin.resize(bin.len().next_multiple_of(4), 0);
        let word = |n: usize| (n as u32).to_le_bytes();
        let parts: [&[u8]; 9] = [
            b"glTF",
            &word(2),
            &word(28 + text.len() + bin.len()),
            &word(text.len()),
            b"JSON",
            &text,
            &word(bin.len()),
            b"BIN\0",
            &bin,
        ];
        parts.concat()
    }

    /// Returns a `.gltf` file and its buffer `data.bin`.
    pub(crate) fn text(&self, scene: &Value) -> (Vec<u8>, Vec<u8>) {
        let text = self.json(scene.clone(), Some("data.bin")).to_string();
        (text.into_bytes(), self.bin.clone())
    }
}
