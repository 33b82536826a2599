//! Artists' settings of materials and nodes, in Ninja's terms. They come from a TOML file next to the scene
//! ([`Sidecar`]), or from custom properties of the scene with the prefix `ninja_`. The file overrides the
//! properties.

mod material;
mod node;
mod sidecar;
mod value;

pub(crate) use material::MaterialSettings;
pub(crate) use node::NodeSettings;
pub use sidecar::{Sidecar, SidecarError};
pub(crate) use value::Value;

use crate::error::{Error, Warnings};

/// Prefix of custom properties.
const PREFIX: &str = "ninja_";

/// A custom property of the scene: its name and value.
pub(crate) type Property = (String, Value);

/// Settings of all materials and nodes in a scene.
pub(crate) struct Settings<'a> {
    sidecar: &'a Sidecar,
}

impl<'a> Settings<'a> {
    pub(crate) fn new(sidecar: &'a Sidecar) -> Self {
        Settings { sidecar }
    }

    /// Returns the settings of the material `name`, given its custom properties.
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
            // The parser has already validated the keys.
            let _ = settings.set(key, value);
        }
        Ok(settings)
    }

    /// Returns the settings of the node `name`, given its custom properties.
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

    /// Warns of names that are not in the scene.
    pub(crate) fn missing<'n>(
        &self,
        materials: impl Iterator<Item = &'n str>,
        nodes: impl Iterator<Item = &'n str>,
        warnings: &mut Warnings,
    ) {
        self.sidecar.missing(materials, nodes, warnings);
    }
}

/// Sets a property. A wrong value is an error. An unknown key is only a warning, because it can belong to
/// another program.
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
            warnings.add(place, format!("the property {name} is not known: left out"));
            continue;
        }
        set(key, value).map_err(|message| Error::Setting {
            place: format!("{place}, property {name}"),
            message,
        })?;
    }
    Ok(())
}
