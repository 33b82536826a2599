//! Macros of motions and CompactShape lists (docs/formats/ninja.md 1.4, 1.9, 1.10, 3.2;
//! docs/formats/compact-shape.md 3.1).

use super::Conv::{Flags, Float, Int, KeyDegrees, Ptr};
use super::Role::None;
use super::{Macro, Out, Part, Scalar, macros};

macros! {
    /// Keys, motions, shape lists.
    MOTION:
    call MKEYF(frame x y z) = [U32: 0, 0 as Int(32), 0; F32: 0, 1 as Float, 0; F32: 0, 2 as Float, 0; F32: 0, 3 as Float, 0;] None, "position, scale, vector, colour";
    call MKEYF1(frame a) = [U32: 0, 0 as Int(32), 0; F32: 0, 1 as Float, 0;] None, "one float";
    call MKEYF2(frame a b) = [U32: 0, 0 as Int(32), 0; F32: 0, 1 as Float, 0; F32: 0, 2 as Float, 0;] None, "two floats";
    call MKEYA(frame x y z) = [U32: 0, 0 as Int(32), 0; S32: 0, 1 as KeyDegrees(32), 0; S32: 0, 2 as KeyDegrees(32), 0; S32: 0, 3 as KeyDegrees(32), 0;] None, "rotation in degrees";
    call MKEYA1(frame a) = [U32: 0, 0 as Int(32), 0; S32: 0, 1 as KeyDegrees(32), 0;] None, "one angle in degrees";
    call MKEYSA(frame x y z) = [U16: 0, 0 as Int(16), 0; S16: 0, 1 as KeyDegrees(16), 0; S16: 0, 2 as KeyDegrees(16), 0; S16: 0, 3 as KeyDegrees(16), 0;] None, "rotation in degrees, 16 bits";
    call MKEYSA1(frame a) = [U16: 0, 0 as Int(16), 0; S16: 0, 1 as KeyDegrees(16), 0;] None, "one angle in degrees, 16 bits";
    call MKEYAX(frame a x y z) = [U32: 0, 0 as Int(32), 0; S32: 0, 1 as Int(32), 0; F32: 0, 2 as Float, 0; F32: 0, 3 as Float, 0; F32: 0, 4 as Float, 0;] None, "binary angle and axis";
    call MKEYQ(frame re x y z) = [U32: 0, 0 as Int(32), 0; F32: 0, 1 as Float, 0; F32: 0, 2 as Float, 0; F32: 0, 3 as Float, 0; F32: 0, 4 as Float, 0;] None, "quaternion";
    call MKEYP(frame pointer) = [U32: 0, 0 as Int(32), 0; Ptr: 0, 1 as Ptr, 0;] None, "pointer";
    call MKEYUI32(frame value) = [U32: 0, 0 as Int(32), 0; U32: 0, 1 as Int(32), 0;] None, "32 bits";
    call MKEYSI32(frame value) = [U32: 0, 0 as Int(32), 0; S32: 0, 1 as Int(32), 0;] None, "32 bits, signed";
    call MKEYUI16(frame value) = [U16: 0, 0 as Int(16), 0; U16: 0, 1 as Int(16), 0;] None, "16 bits";
    call MKEYSHID(frame shape) = [U32: 0, 0 as Int(32), 0; U32: 0, 1 as Int(32), 0;] None, "number in the shape list";
    call MKEYSPOT(frame near far inner outer) = [U32: 0, 0 as Int(32), 0; F32: 0, 1 as Float, 0; F32: 0, 2 as Float, 0; S32: 0, 3 as KeyDegrees(32), 0; S32: 0, 4 as KeyDegrees(32), 0;] None, "spot light, angles in degrees";
    call ARGB(a r g b) = [U32: 0, 0 as Int(8), 24, 1 as Int(8), 16, 2 as Int(8), 8, 3 as Int(8), 0;] None, "colour";
    label MdataArray(mdata) = [Ptr: 0, 0 as Ptr, 0;] None, "key tables of the nodes";
    label MFrameNum(frames) = [U32: 0, 0 as Int(32), 0;] None, "number of frames";
    label MotionBit(bits) = [U16: 0, 0 as Flags, 0;] None, "elements";
    label MotionBitF(flags) = [U16: 0, 0 as Flags, 0;] None, "elements";
    label InterpolFct(bits) = [U16: 0, 0 as Flags, 0;] None, "interpolation and number of elements";
    label InterpolFctF(flags) = [U16: 0, 0 as Flags, 0;] None, "interpolation and number of elements";
    label ObjectHead(object) = [Ptr: 0, 0 as Ptr, 0;] None, "root object";
    label Motion(motion) = [Ptr: 0, 0 as Ptr, 0;] None, "motion";
    call CSHAPEKG(list group) = [Ptr: 0, 0 as Ptr, 0; U16: 0, 1 as Int(16), 0; U16: 0;] None, "shape of a keyframe group";
    label CShapeKgList(list) = [Ptr: 0, 0 as Ptr, 0;] None, "shapes";
    label CShapeNum(count) = [U32: 0, 0 as Int(32), 0;] None, "number of shapes";
}
