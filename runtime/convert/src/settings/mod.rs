//! What the artist says of materials and nodes in the words of the format: in a TOML file beside the scene
//! ([`Sidecar`]) or in custom properties of the scene whose names begin with `ninja_`. The file has the last
//! word.

mod material;
mod node;
mod sidecar;
mod value;

pub(crate) use material::MaterialSettings;
pub(crate) use node::NodeSettings;
pub use sidecar::{Sidecar, SidecarError};
pub(crate) use value::Value;

use crate::error::{Error, Warnings};

/// What names of custom properties begin with.
const PREFIX: &str = "ninja_";

/// A custom property of the scene: its name and value.
pub(crate) type Property = (String, Value);

/// The settings of everything in a scene.
pub(crate) struct Settings<'a> {
    sidecar: &'a Sidecar,
}

impl<'a> Settings<'a> {
    pub(crate) fn new(sidecar: &'a Sidecar) -> Self {
        Settings { sidecar }
    }

    /// Of the material `name` with its custom properties.
    pub(crate) fn material(
        &self,
        name: &str,
        properties: &[Property],
        warnings: &mut Warnings,
    ) -> Result<MaterialSettings, Error> {
        let mut settings = MaterialSettings::default();
        let place = format!("material {name:?}");
        take(&place, properties, &material::KEYS, warnings, |k, v| {
            settings.set(k, v)
        })?;
        for (key, value) in self.sidecar.of_material(name) {
            // The keys were tried when the file was read.
            let _ = settings.set(key, value);
        }
        Ok(settings)
    }

    /// Of the node `name` with its custom properties.
    pub(crate) fn node(
        &self,
        name: &str,
        properties: &[Property],
        warnings: &mut Warnings,
    ) -> Result<NodeSettings, Error> {
        let mut settings = NodeSettings::default();
        let place = format!("node {name:?}");
        take(&place, properties, &node::KEYS, warnings, |k, v| {
            settings.set(k, v)
        })?;
        for (key, value) in self.sidecar.of_node(name) {
            let _ = settings.set(key, value);
        }
        Ok(settings)
    }

    /// Warns of names that the scene does not have.
    pub(crate) fn missing<'n>(
        &self,
        materials: impl Iterator<Item = &'n str>,
        nodes: impl Iterator<Item = &'n str>,
        warnings: &mut Warnings,
    ) {
        self.sidecar.missing(materials, nodes, warnings);
    }
}

/// A wrong value is an error; a key that means nothing here may be another program's.
fn take(
    place: &str,
    properties: &[Property],
    keys: &[&str],
    warnings: &mut Warnings,
    mut set: impl FnMut(&str, &Value) -> Result<(), String>,
) -> Result<(), Error> {
    for (name, value) in properties {
        let Some(key) = name.strip_prefix(PREFIX) else {
            continue;
        };
        if !keys.contains(&key) {
            warnings.add(place, format!("the property {name} means nothing here: left out"));
            continue;
        }
        set(key, value).map_err(|message| Error::Setting {
            place: format!("{place}, property {name}"),
            message,
        })?;
    }
    Ok(())
}
