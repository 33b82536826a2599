//! Colours of scenes: linear values in the file, screen values (sRGB) on the chip.

use super::{Material, Scene};
use crate::error::{Warnings, plural};
use crate::math::Vec3;
use crate::options::{Ambient, Options, Specular};

/// Chooses ambient and specular colours of all materials by `options`. Reports ignored colours of the file.
pub(super) fn choose(scene: &mut Scene, options: &Options, warnings: &mut Warnings) {
    choose_ambient(&mut scene.materials, options.ambient, warnings);
    choose_specular(scene, options.specular, warnings);
    warn_of_invisible(scene, warnings);
}

/// A material's own setting overrides the file. Otherwise the file's ambient colour is used if an artist has
/// chosen it ([`Ambient::Auto`]); exporters write greys by default.
fn choose_ambient(materials: &mut [Material], choice: Ambient, warnings: &mut Warnings) {
    let is_of_scene = is_shared(materials);
    let mut ignored = 0;
    for material in materials {
        if material.settings.ambient.is_some() {
            continue;
        }
        let is_taken = |ambient: Vec3| match choice {
            Ambient::Auto => is_tinted(ambient) && !is_of_scene,
            Ambient::File => true,
            Ambient::Diffuse | Ambient::Colour(_) => false,
        };
        let of_file = material.file_ambient;
        let replacement = match choice {
            Ambient::Colour(colour) => colour,
            _ => material.diffuse,
        };
        material.ambient = of_file
            .filter(|ambient| is_taken(*ambient))
            .unwrap_or(replacement);
        let is_other = |ambient: Vec3| bytes(ambient) != bytes(material.ambient);
        ignored += usize::from(of_file.is_some_and(is_other));
    }
    if ignored > 0 && choice == Ambient::Auto {
        let materials = plural(ignored, "material", "materials");
        let message = format!(
            "the file's ambient colours of {materials} are replaced by the diffuse colours, because \
            exporters write such greys by default (--ambient file keeps them)"
        );
        warnings.notice(message);
    }
}

/// Returns whether several materials with different diffuse colours share one ambient colour. Some exporters
/// write the scene's ambient light into each material.
fn is_shared(materials: &[Material]) -> bool {
    let same = |of: &dyn Fn(&Material) -> Option<[u8; 3]>| {
        materials.windows(2).all(|pair| of(&pair[0]) == of(&pair[1]))
    };
    same(&|m| m.file_ambient.map(bytes)) && !same(&|m| Some(bytes(m.diffuse)))
}

/// Returns whether the screen colour is not grey.
fn is_tinted(colour: Vec3) -> bool {
    let [r, g, b] = bytes(colour);
    r != g || g != b
}

fn bytes(colour: Vec3) -> [u8; 3] {
    colour.map(|c| (c.clamp(0.0, 1.0) * 255.0).round() as u8)
}

/// Removes highlights without a falloff, which the format cannot show. Also removes highlights of Blender's
/// exporters, which write the faint reflection of every surface as a highlight.
fn choose_specular(scene: &mut Scene, choice: Specular, warnings: &mut Warnings) {
    let mut washed = 0;
    let is_blender = scene.exporter == super::Exporter::Blender;
    for material in &mut scene.materials {
        if material.settings.specular.is_some() {
            continue;
        }
        let shines = bytes(material.specular) != [0; 3];
        let is_flat = material.settings.exponent.is_none() && material.shininess < 0.5;
        let is_dropped = match choice {
            Specular::Auto => is_blender || is_flat,
            Specular::File => false,
            Specular::Drop => true,
        };
        if shines && is_dropped {
            washed += usize::from(is_flat && !is_blender && choice == Specular::Auto);
            material.specular = [0.0; 3];
        }
    }
    if washed > 0 {
        let materials = plural(washed, "material", "materials");
        let message = format!(
            "the specular colours of {materials} are ignored, because their exponent is 0: \
             such a highlight would cover the whole surface (--specular file keeps them)"
        );
        warnings.notice(message);
    }
}

/// Warns of a model without any visible material, such as `d 0` in all materials of an MTL file.
fn warn_of_invisible(scene: &Scene, warnings: &mut Warnings) {
    let used = scene.nodes.iter().filter(|node| node.mesh.is_some());
    let mut used = used.flat_map(|node| &node.materials);
    let mut any = false;
    let is_invisible = |number: &usize| {
        any = true;
        let material = scene.materials.get(*number);
        material.is_some_and(|m| (m.opacity * 255.0).round() == 0.0 && m.settings.use_alpha != Some(false))
    };
    if used.all(is_invisible) && any {
        warnings.add(
            "",
            "the whole model is transparent: the opacity of all its materials is 0",
        );
    }
}

#[cfg(test)]
mod tests {
    use crate::source::srgb::{linear, shown};

    #[test]
    fn every_screen_number_comes_back() {
        for byte in 0..=255_u8 {
            let number = f64::from(byte) / 255.0;
            assert!((shown(linear(number)) - number).abs() < 1e-6, "{byte}");
            let single = f64::from(linear(number) as f32);
            assert_eq!((shown(single) * 255.0).round() as u8, byte);
        }
    }
}
