//! Cameras and lights at a time, in the scene's space.

use super::srgb::shown;
use crate::math::Vec3;

/// A camera.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Camera {
    pub(crate) position: Vec3,
    /// Direction of view, of length 1.
    pub(crate) front: Vec3,
    pub(crate) up: Vec3,
    /// Horizontal angle of view in degrees; `None` if the file has no valid one.
    pub(crate) angle: Option<f64>,
    pub(crate) orthographic: bool,
}

/// A light.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Light {
    pub(crate) kind: LightKind,
    pub(crate) position: Vec3,
    /// Direction of the light, of length 1.
    pub(crate) direction: Vec3,
    /// Colour in screen values.
    pub(crate) color: Vec3,
    pub(crate) brightness: Brightness,
    /// Full angle of the inner cone in degrees.
    pub(crate) inner: f64,
    /// Full angle of the outer cone in degrees.
    pub(crate) outer: f64,
    pub(crate) near: f64,
    /// Range; `None` if the file has none.
    pub(crate) far: Option<f64>,
}

/// Brightness of a light.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Brightness {
    /// Share of full light at any distance.
    Share(f64),
    /// Watts per square metre for directional lights, watts per steradian for others.
    Radiant(f64),
}

impl Brightness {
    /// Returns the share of full light on a white surface that faces the light, at `distance` metres. A
    /// diffuse surface reflects evenly, so its radiance is the irradiance / pi. Full light is a radiance of
    /// 1, as in Blender's renderings.
    pub(crate) fn share(self, kind: LightKind, distance: f64) -> f64 {
        use std::f64::consts::PI;
        match (self, kind) {
            (Brightness::Share(share), _) => share,
            (Brightness::Radiant(watts), LightKind::Directional) => screen(watts / PI),
            (Brightness::Radiant(watts), _) => screen(watts / (PI * distance * distance)),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LightKind {
    Point,
    Directional,
    Spot,
    /// An area or volume light.
    #[cfg_attr(not(feature = "ufbx"), allow(dead_code, reason = "only FBX files have them"))]
    Other,
}

/// Returns the screen value of a share of light. Values above full light keep their ratio to it.
fn screen(share: f64) -> f64 {
    if share.is_finite() {
        shown(share).max(share)
    } else {
        1.0
    }
}
