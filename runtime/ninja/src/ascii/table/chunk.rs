//! Macros of vertex lists, polygon lists, models and objects (docs/formats/ninja.md 1.5 to 1.8, 3.2).

use super::Conv::{Bits, Degrees, Flags, Float, High, Int, Low, Negated, Percent, Ptr, Unit as Vector, Word};
use super::Role::{End, Head, None, Strip};
use super::{Macro, Out, Part, Scalar, macros};

macros! {
    /// VLIST: 32-bit words.
    VLIST:
    call CnkV_SH(flags size) = [S32: 32, 0 as Flags, 0, 1 as Int(16), 16;] Head, "vertices: x y z 1.0";
    call CnkV_VN_SH(flags size) = [S32: 33, 0 as Flags, 0, 1 as Int(16), 16;] Head, "vertices: x y z 1.0 nx ny nz 0.0";
    call CnkV(flags size) = [S32: 34, 0 as Flags, 0, 1 as Int(16), 16;] Head, "vertices: positions";
    call CnkV_D8(flags size) = [S32: 35, 0 as Flags, 0, 1 as Int(16), 16;] Head, "vertices with diffuse ARGB8888";
    call CnkV_UF(flags size) = [S32: 36, 0 as Flags, 0, 1 as Int(16), 16;] Head, "vertices with user flags";
    call CnkV_NF(flags size) = [S32: 37, 0 as Flags, 0, 1 as Int(16), 16;] Head, "vertices with NinjaFlags";
    call CnkV_S5(flags size) = [S32: 38, 0 as Flags, 0, 1 as Int(16), 16;] Head, "vertices with diffuse and specular 565";
    call CnkV_S4(flags size) = [S32: 39, 0 as Flags, 0, 1 as Int(16), 16;] Head, "vertices with diffuse 4444 and specular 565";
    call CnkV_IN(flags size) = [S32: 40, 0 as Flags, 0, 1 as Int(16), 16;] Head, "vertices with intensities";
    call CnkV_VN(flags size) = [S32: 41, 0 as Flags, 0, 1 as Int(16), 16;] Head, "vertices with normals";
    call CnkV_VN_D8(flags size) = [S32: 42, 0 as Flags, 0, 1 as Int(16), 16;] Head, "vertices with normals and diffuse";
    call CnkV_VN_UF(flags size) = [S32: 43, 0 as Flags, 0, 1 as Int(16), 16;] Head, "vertices with normals and user flags";
    call CnkV_VN_NF(flags size) = [S32: 44, 0 as Flags, 0, 1 as Int(16), 16;] Head, "vertices with normals and NinjaFlags";
    call CnkV_VN_S5(flags size) = [S32: 45, 0 as Flags, 0, 1 as Int(16), 16;] Head, "vertices with normals, diffuse and specular 565";
    call CnkV_VN_S4(flags size) = [S32: 46, 0 as Flags, 0, 1 as Int(16), 16;] Head, "vertices with normals, diffuse 4444, specular 565";
    call CnkV_VN_IN(flags size) = [S32: 47, 0 as Flags, 0, 1 as Int(16), 16;] Head, "vertices with normals and intensities";
    call CnkV_VNX(flags size) = [S32: 48, 0 as Flags, 0, 1 as Int(16), 16;] Head, "vertices with packed normals";
    call CnkV_VNX_D8(flags size) = [S32: 49, 0 as Flags, 0, 1 as Int(16), 16;] Head, "vertices with packed normals and diffuse";
    call CnkV_VNX_UF(flags size) = [S32: 50, 0 as Flags, 0, 1 as Int(16), 16;] Head, "vertices with packed normals and user flags";
    call CnkV_D8_S8(flags size) = [S32: 51, 0 as Flags, 0, 1 as Int(16), 16;] Head, "vertices with diffuse and specular ARGB8888";
    call CnkV_NF_D8(flags size) = [S32: 52, 0 as Flags, 0, 1 as Int(16), 16;] Head, "vertices with NinjaFlags and diffuse";
    call CnkVN(flags size) = [S32: 128, 0 as Flags, 0, 1 as Int(16), 16;] Head, "CompactShape: normals";
    call CnkVN_D8(flags size) = [S32: 129, 0 as Flags, 0, 1 as Int(16), 16;] Head, "CompactShape: normals and diffuse";
    call CnkD8(flags size) = [S32: 130, 0 as Flags, 0, 1 as Int(16), 16;] Head, "CompactShape: diffuse";
    call OffnbIdx(offset count) = [S32: 0, 0 as Int(16), 0, 1 as Int(16), 16;] None, "first slot, number of vertices";
    call VERT(x y z) = [S32: 0, 0 as Word, 0; S32: 0, 1 as Word, 0; S32: 0, 2 as Word, 0;] None, "position, float bits";
    call NORM(x y z) = [S32: 0, 0 as Word, 0; S32: 0, 1 as Word, 0; S32: 0, 2 as Word, 0;] None, "normal, float bits";
    call VERT_SH(x y z) = [S32: 0, 0 as Word, 0; S32: 0, 1 as Word, 0; S32: 0, 2 as Word, 0; S32: 0x3F80_0000;] None, "position and 1.0";
    call NORM_SH(x y z) = [S32: 0, 0 as Word, 0; S32: 0, 1 as Word, 0; S32: 0, 2 as Word, 0; S32: 0;] None, "normal and 0.0";
    call NORM32(x y z) = [S32: 0, 0 as Int(10), 20, 1 as Int(10), 10, 2 as Int(10), 0;] None, "normal, each part over 512";
    call D8888(a r g b) = [S32: 0, 0 as Int(8), 24, 1 as Int(8), 16, 2 as Int(8), 8, 3 as Int(8), 0;] None, "colour";
    call D565S565(dr dg db sr sg sb) = [S32: 0, 0 as Int(5), 27, 1 as Int(6), 21, 2 as Int(5), 16, 3 as Int(5), 11, 4 as Int(6), 5, 5 as Int(5), 0;] None, "diffuse and specular";
    call D4444S565(da dr dg db sr sg sb) = [S32: 0, 0 as Int(4), 28, 1 as Int(4), 24, 2 as Int(4), 20, 3 as Int(4), 16, 4 as Int(5), 11, 5 as Int(6), 5, 6 as Int(5), 0;] None, "diffuse and specular";
    call D16S16(diffuse specular) = [S32: 0, 0 as Int(16), 16, 1 as Int(16), 0;] None, "intensities";
    call UFlags(flags) = [S32: 0, 0 as Int(32), 0;] None, "user flags";
    call NFlags(flags) = [S32: 0, 0 as Int(32), 0;] None, "NinjaFlags: weight << 16 | index";
    call NFlagsW(index percent) = [S32: 0, 0 as Int(16), 0, 1 as Percent(255), 16;] None, "index, weight in percent of 255";
    call NFlagsW2(index percent) = [S32: 0, 0 as Int(16), 0, 1 as Percent(65535), 16;] None, "index, weight in percent of 65535";
}

macros! {
    /// PLIST: 16-bit words. Chunks with ids from 16 on have a size word after the head.
    PLIST:
    call CnkNull() = [Unit: 0;] Head, "padding";
    call CnkEnd() = [Unit: 255;] End, "end of a list";
    call CnkB_BA(flags) = [S16: 1, 0 as Flags, 0;] Head, "blending";
    call CnkB_DA(flags) = [S16: 2, 0 as Flags, 0;] Head, "mipmap adjust";
    call CnkB_CP(number) = [S16: 4, 0 as Int(8), 8;] Head, "remember the rest of the list";
    call CnkB_DP(number) = [S16: 5, 0 as Int(8), 8;] Head, "draw a remembered list";
    call CnkT_TID(flags) = [S16: 8, 0 as Flags, 0;] Head, "texture; _TID follows";
    call CnkT_TID2(flags) = [S16: 9, 0 as Flags, 0;] Head, "texture of the second parameter";
    call _TID(flags number) = [S16: 0, 0 as Flags, 0, 1 as Int(13), 0;] None, "filter, texture number";
    call CnkM_D(flags) = [S16: 17, 0 as Flags, 0;] Head, "material: diffuse";
    call CnkM_A(flags) = [S16: 18, 0 as Flags, 0;] Head, "material: ambient";
    call CnkM_DA(flags) = [S16: 19, 0 as Flags, 0;] Head, "material: diffuse, ambient";
    call CnkM_S(flags) = [S16: 20, 0 as Flags, 0;] Head, "material: specular";
    call CnkM_DS(flags) = [S16: 21, 0 as Flags, 0;] Head, "material: diffuse, specular";
    call CnkM_AS(flags) = [S16: 22, 0 as Flags, 0;] Head, "material: ambient, specular";
    call CnkM_DAS(flags) = [S16: 23, 0 as Flags, 0;] Head, "material: diffuse, ambient, specular";
    call CnkM_D2(flags) = [S16: 25, 0 as Flags, 0;] Head, "material of the second parameter: diffuse";
    call CnkM_A2(flags) = [S16: 26, 0 as Flags, 0;] Head, "material of the second parameter: ambient";
    call CnkM_DA2(flags) = [S16: 27, 0 as Flags, 0;] Head, "material of the second parameter: diffuse, ambient";
    call CnkM_S2(flags) = [S16: 28, 0 as Flags, 0;] Head, "material of the second parameter: specular";
    call CnkM_DS2(flags) = [S16: 29, 0 as Flags, 0;] Head, "material of the second parameter: diffuse, specular";
    call CnkM_AS2(flags) = [S16: 30, 0 as Flags, 0;] Head, "material of the second parameter: ambient, specular";
    call CnkM_DAS2(flags) = [S16: 31, 0 as Flags, 0;] Head, "material of the second parameter: diffuse, ambient, specular";
    call CnkM_BU(flags) = [S16: 24, 0 as Flags, 0;] Head, "bump direction and up";
    call MDiff(a r g b) = [S16: 0, 2 as Int(8), 8, 3 as Int(8), 0; S16: 0, 0 as Int(8), 8, 1 as Int(8), 0;] None, "diffuse";
    call MAmbi(a r g b) = [S16: 0, 2 as Int(8), 8, 3 as Int(8), 0; S16: 0, 0 as Int(8), 8, 1 as Int(8), 0;] None, "ambient; alpha is filler";
    call MSpec(exponent r g b) = [S16: 0, 2 as Int(8), 8, 3 as Int(8), 0; S16: 0, 0 as Int(8), 8, 1 as Int(8), 0;] None, "specular";
    call _BuDir(x y z) = [S16: 0, 0 as Vector, 0; S16: 0, 1 as Vector, 0; S16: 0, 2 as Vector, 0;] None, "bump direction";
    call _BuUp(x y z) = [S16: 0, 0 as Vector, 0; S16: 0, 1 as Vector, 0; S16: 0, 2 as Vector, 0;] None, "bump up";
    call CnkO_P3(flags) = [S16: 56, 0 as Flags, 0;] Head, "volume: triangles";
    call CnkO_P4(flags) = [S16: 57, 0 as Flags, 0;] Head, "volume: quadrilaterals";
    call CnkO_ST(flags) = [S16: 58, 0 as Flags, 0;] Head, "volume: strips";
    call CnkS(flags) = [S16: 64, 0 as Flags, 0;] Head, "strips";
    call CnkS_UVN(flags) = [S16: 65, 0 as Flags, 0;] Head, "strips with UV over 256";
    call CnkS_UVH(flags) = [S16: 66, 0 as Flags, 0;] Head, "strips with UV over 1024";
    call CnkS_VN(flags) = [S16: 67, 0 as Flags, 0;] Head, "strips with normals";
    call CnkS_UVN_VN(flags) = [S16: 68, 0 as Flags, 0;] Head, "strips with UV over 256 and normals";
    call CnkS_UVH_VN(flags) = [S16: 69, 0 as Flags, 0;] Head, "strips with UV over 1024 and normals";
    call CnkS_D8(flags) = [S16: 70, 0 as Flags, 0;] Head, "strips with colours";
    call CnkS_UVN_D8(flags) = [S16: 71, 0 as Flags, 0;] Head, "strips with UV over 256 and colours";
    call CnkS_UVH_D8(flags) = [S16: 72, 0 as Flags, 0;] Head, "strips with UV over 1024 and colours";
    call CnkS_2(flags) = [S16: 73, 0 as Flags, 0;] Head, "strips, two-parameter";
    call CnkS_UVN2(flags) = [S16: 74, 0 as Flags, 0;] Head, "strips, two-parameter, two UV over 256";
    call CnkS_UVH2(flags) = [S16: 75, 0 as Flags, 0;] Head, "strips, two-parameter, two UV over 1024";
    call _NB(user count) = [S16: 0, 0 as Flags, 0, 1 as Int(14), 0;] None, "user flag words, number of strips or polygons";
    call StripL(length) = [S16: 0, 0 as Int(16), 0;] Strip, "strip, first triangle counter-clockwise";
    call StripR(length) = [S16: 0, 0 as Negated, 0;] Strip, "strip, first triangle clockwise";
    call Uvn(u v) = [S16: 0, 0 as Int(16), 0; S16: 0, 1 as Int(16), 0;] None, "texture coordinates over 256";
    call Uvh(u v) = [S16: 0, 0 as Int(16), 0; S16: 0, 1 as Int(16), 0;] None, "texture coordinates over 1024";
    call Pvn(x y z) = [S16: 0, 0 as Vector, 0; S16: 0, 1 as Vector, 0; S16: 0, 2 as Vector, 0;] None, "normal";
    call Uf1(a) = [S16: 0, 0 as Int(16), 0;] None, "user flags";
    call Uf2(a b) = [S16: 0, 0 as Int(16), 0; S16: 0, 1 as Int(16), 0;] None, "user flags";
    call Uf3(a b c) = [S16: 0, 0 as Int(16), 0; S16: 0, 1 as Int(16), 0; S16: 0, 2 as Int(16), 0;] None, "user flags";
    call AttrF(flags) = [S16: 0, 0 as Low, 0; S16: 0, 0 as High, 0;] None, "32 user bits, low half first";
}

macros! {
    /// NJS_CNK_MODEL and NJS_CNK_OBJECT. FBITS is an addition of swirl, for floats that have no C literal.
    OBJECT:
    call FBITS(bits) = [F32: 0, 0 as Bits, 0;] None, "an infinite or NaN float, given by its bits";
    label VList(vlist) = [Ptr: 0, 0 as Ptr, 0;] None, "vertex list";
    label PList(plist) = [Ptr: 0, 0 as Ptr, 0;] None, "polygon list";
    label Center(x y z) = [F32: 0, 0 as Float, 0; F32: 0, 1 as Float, 0; F32: 0, 2 as Float, 0;] None, "centre of the bounding sphere";
    label Radius(r) = [F32: 0, 0 as Float, 0;] None, "radius of the bounding sphere";
    call EvalFlags(flags) = [U32: 0, 0 as Flags, 0;] None, "evaluation flags";
    label CNKModel(model) = [Ptr: 0, 0 as Ptr, 0;] None, "model";
    call OPosition(x y z) = [F32: 0, 0 as Float, 0; F32: 0, 1 as Float, 0; F32: 0, 2 as Float, 0;] None, "position";
    call OAngle(x y z) = [S32: 0, 0 as Degrees(32), 0; S32: 0, 1 as Degrees(32), 0; S32: 0, 2 as Degrees(32), 0;] None, "rotation in degrees";
    call OQuatIm(x y z) = [S32: 0, 0 as Word, 0; S32: 0, 1 as Word, 0; S32: 0, 2 as Word, 0;] None, "imaginary parts of the rotation, float bits";
    call OScale(x y z) = [F32: 0, 0 as Float, 0; F32: 0, 1 as Float, 0; F32: 0, 2 as Float, 0;] None, "scale";
    label Child(object) = [Ptr: 0, 0 as Ptr, 0;] None, "first child";
    label Sibling(object) = [Ptr: 0, 0 as Ptr, 0;] None, "next sibling";
    call OQuatRe(c) = [F32: 0, 0 as Float, 0;] None, "real part of the rotation (56-byte nodes)";
}
