//! Material libraries (.mtl).

use super::text::lines;
use crate::error::{Error, Warnings};
use crate::settings::Settings;
use crate::source::srgb::shown;
use crate::source::{Material, TexelAlpha, Texture};
use std::collections::BTreeMap;

/// Statements of a material by keyword.
type Statements = BTreeMap<String, Vec<String>>;

/// Reads the materials of a file: those that its faces use, then the others.
pub(super) fn read(
    bytes: &[u8],
    used: &[String],
    settings: &Settings<'_>,
    warnings: &mut Warnings,
) -> Result<(Vec<Material>, Vec<Texture>), Error> {
    let mut stated: Vec<(String, Statements)> = used
        .iter()
        .map(|name| (name.clone(), Statements::new()))
        .collect();
    let mut current = None;
    for (_, line) in lines(bytes) {
        let mut words = line.split_whitespace().map(str::to_owned);
        let Some(keyword) = words.next() else { continue };
        let words: Vec<String> = words.collect();
        if keyword == "newmtl" {
            let name = words.join(" ");
            let known = stated.iter().position(|(known, _)| *known == name);
            current = Some(known.unwrap_or(stated.len()));
            if known.is_none() {
                stated.push((name, Statements::new()));
            }
        } else if let Some(current) = current {
            stated[current].1.insert(keyword, words);
        }
    }
    let (mut materials, mut textures) = (Vec::new(), Vec::new());
    for (name, statements) in stated {
        materials.push(material(name, &statements, settings, &mut textures, warnings)?);
    }
    Ok((materials, textures))
}

fn material(
    name: String,
    statements: &Statements,
    settings: &Settings<'_>,
    textures: &mut Vec<Texture>,
    warnings: &mut Warnings,
) -> Result<Material, Error> {
    let own = settings.material(&name, &[], warnings)?;
    let numbers = |key: &str| -> Vec<f64> {
        let words = statements.get(key).into_iter().flatten();
        words.map_while(|word| word.parse().ok()).collect()
    };
    let real = |key: &str| numbers(key).first().copied().filter(|value| value.is_finite());
    let color = |key: &str| match numbers(key)[..] {
        [grey] => Some([grey; 3]),
        [red, green, blue, ..] => Some([red, green, blue]),
        _ => None,
    };
    let color = |key: &str| color(key).filter(|rgb| rgb.iter().all(|value| value.is_finite()));
    let texture = statements.get("map_Kd").and_then(|words| path(words));
    // In the file a texture replaces the colour, but the chip multiplies them. The colour is therefore white.
    let diffuse = match texture {
        Some(_) => [shown(1.0); 3],
        None => color("Kd").unwrap_or([0.8; 3]).map(shown),
    };
    let diffuse = own.diffuse.unwrap_or(diffuse);
    let exponent = own.exponent.map(f64::from);
    Ok(Material {
        name,
        diffuse,
        ambient: own.ambient.unwrap_or(diffuse),
        file_ambient: color("Ka").map(|rgb| rgb.map(shown)),
        specular: own.specular.unwrap_or(color("Ks").unwrap_or([0.0; 3]).map(shown)),
        shininess: exponent.or(real("Ns")).unwrap_or(0.0),
        opacity: own.alpha.unwrap_or(real("d").unwrap_or(1.0).clamp(0.0, 1.0)),
        texture: texture.map(|path| {
            textures.push(Texture {
                paths: vec![path],
                content: Vec::new(),
                clamp: [false; 2],
                flip: [false; 2],
                point: false,
                alpha: TexelAlpha::Opacity,
            });
            textures.len() - 1
        }),
        double_side: own.double_side.unwrap_or(false),
        unlit: own.ignore_light.unwrap_or(false),
        environment: own.environment.unwrap_or(false),
        settings: own,
    })
}

/// Returns the path after the options of a map, such as `-s 2 2 1`. It can contain spaces.
fn path(words: &[String]) -> Option<String> {
    let is_option = |word: &String| {
        let mut letters = word.strip_prefix('-').unwrap_or("").chars();
        letters.next().is_some_and(|first| first.is_ascii_alphabetic())
    };
    let is_value = |word: &String| word.parse::<f64>().is_ok() || ["on", "off"].contains(&word.as_str());
    let mut at = 0;
    while words.get(at).is_some_and(is_option) && at + 1 < words.len() {
        at += 1;
        while at + 1 < words.len() && is_value(&words[at]) {
            at += 1;
        }
    }
    let path = words.get(at..)?.join(" ").replace('\\', "/");
    (!path.is_empty()).then_some(path)
}
