//! Macros of texture lists, cell sprites and cell streams (docs/formats/ninja.md 1.4, 1.11, 3.2;
//! docs/formats/cell-sprite.md 5).

use super::Conv::{
    CellDegrees, Channel, Degrees, Flags, Flags16, Float, Int, LostDegrees, Modulo, Ptr, Text, Word,
};
use super::Role::{Block, End, Head, None};
use super::{Macro, Out, Part, Scalar, macros};

macros! {
    /// Texture lists. Attribute bit 16: texture of the entry before. Address bits 26 to 31: palette bank.
    TEXTURE:
    call TEXN(name) = [Ptr: 0, 0 as Text, 0; U32: 0; U32: 0;] None, "texture";
    call TEXN3(name attr address) = [Ptr: 0, 0 as Text, 0; U32: 0, 1 as Int(32), 0; U32: 0, 2 as Int(32), 0;] None, "texture";
    call PTEXN(name continue_ bank) = [Ptr: 0, 0 as Text, 0; U32: 0, 1 as Int(1), 16; U32: 0, 2 as Int(6), 26;] None, "palette texture";
    call PTEXN5(name attr address continue_ bank) = [Ptr: 0, 0 as Text, 0; U32: 0, 1 as Int(32), 0, 3 as Int(1), 16; U32: 0, 2 as Int(32), 0, 4 as Int(6), 26;] None, "palette texture";
    label TextureList(names) = [Ptr: 0, 0 as Ptr, 0;] None, "texture names";
    label TextureNum(count) = [U32: 0, 0 as Int(32), 0;] None, "number of textures";
}

macros! {
    /// NJS_CELL and NJS_CELL_SPRITE.
    SPRITE:
    call CellTexId(number) = [S16: 0, 0 as Int(16), 0;] None, "texture number";
    call CellAttr(flags) = [S16: 0, 0 as Flags, 0;] None, "attributes";
    call CellOffset(x y) = [F32: 0, 0 as Float, 0; F32: 0, 1 as Float, 0;] None, "offset from the sprite";
    call CellSize(x y) = [F32: 0, 0 as Float, 0; F32: 0, 1 as Float, 0;] None, "size";
    call CellZAng(angle) = [S16: 0, 0 as CellDegrees(16), 0;] None, "rotation in degrees";
    call CellPriority(priority) = [S16: 0, 0 as Int(16), 0;] None, "priority among cells";
    call CellCenter(x y) = [F32: 0, 0 as Float, 0; F32: 0, 1 as Float, 0;] None, "centre of rotation, of the size";
    call CellVColor0(a r g b) = [U32: 0, 0 as Int(8), 24, 1 as Int(8), 16, 2 as Int(8), 8, 3 as Int(8), 0;] None, "colour top left";
    call CellVColor1(a r g b) = [U32: 0, 0 as Int(8), 24, 1 as Int(8), 16, 2 as Int(8), 8, 3 as Int(8), 0;] None, "colour bottom left";
    call CellVColor2(a r g b) = [U32: 0, 0 as Int(8), 24, 1 as Int(8), 16, 2 as Int(8), 8, 3 as Int(8), 0;] None, "colour top right";
    call CellVColor3(a r g b) = [U32: 0, 0 as Int(8), 24, 1 as Int(8), 16, 2 as Int(8), 8, 3 as Int(8), 0;] None, "colour bottom right";
    call CellUV0(u v) = [F32: 0, 0 as Float, 0; F32: 0, 1 as Float, 0;] None, "texture coordinates top left";
    call CellUV2(u v) = [F32: 0, 0 as Float, 0; F32: 0, 1 as Float, 0;] None, "texture coordinates bottom right";
    label CellList(cells) = [Ptr: 0, 0 as Ptr, 0;] None, "cells";
    label CellNum(count) = [S32: 0, 0 as Int(32), 0;] None, "number of cells";
    call CSPosition(x y z) = [F32: 0, 0 as Float, 0; F32: 0, 1 as Float, 0; F32: 0, 2 as Float, 0;] None, "position";
    call CSZAngle(angle) = [S32: 0, 0 as Degrees(32), 0;] None, "rotation in degrees";
    call CSScale(x y) = [F32: 0, 0 as Float, 0; F32: 0, 1 as Float, 0;] None, "scale";
    call CSDiffuse(a r g b) = [F32: 0, 0 as Channel, 0; F32: 0, 1 as Channel, 0; F32: 0, 2 as Channel, 0; F32: 0, 3 as Channel, 0;] None, "diffuse colour, 0 to 1";
    call CSSpecular(exponent r g b) = [F32: 0, 0 as Float, 0; F32: 0, 1 as Float, 0; F32: 0, 2 as Float, 0; F32: 0, 3 as Float, 0;] None, "specular exponent and colour";
}

macros! {
    /// CELLSTREAMDATA: 32-bit words.
    STREAM:
    call CCnk_TE(time) = [S32: 0, 0 as Int(16), 0;] End, "end of the stream";
    call CCnk_TS(time size) = [S32: 0x1000_0000, 1 as Int(12), 16, 0 as Int(16), 0;] Head, "time stamp, words up to the next";
    call CCnk_CE(entry size blocks) = [S32: 0x2000_0000, 1 as Modulo(4), 24, 2 as Flags, 0, 0 as Int(16), 0;] Head, "cell, words, blocks";
    call CCnk_TD(entry texture) = [S32: 0x3000_0000, 0 as Int(12), 16, 1 as Int(16), 0;] Head, "texture number of a cell";
    call CCnk_AT(entry attr) = [S32: 0x4000_0000, 0 as Int(12), 16, 1 as Flags16, 0;] Head, "attributes of a cell";
    call CCnk_CZ(entry angle) = [S32: 0x5000_0000, 0 as Int(12), 16, 1 as Degrees(16), 0;] Head, "rotation of a cell in degrees";
    call CCnk_CP(entry priority) = [S32: 0x6000_0000, 0 as Int(12), 16, 1 as Int(16), 0;] Head, "priority of a cell";
    call CCnk_UE(size event) = [S32: 0x7000_0000, 0 as Int(12), 16, 1 as Int(16), 0;] Head, "user event, words of data";
    call CBCnk_AD(address size) = [S32: 0xE000_0000, 1 as Int(12), 16, 0 as Int(16), 0;] Head, "words to an address in the work buffer";
    call CBCnk_ED(entry offset size) = [S32: 0xF000_0000, 2 as Int(4), 24, 1 as Int(8), 16, 0 as Int(16), 0;] Head, "words to an offset in a cell";
    call Bk_IA0(texture attr) = [S32: 0, 0 as Int(16), 16, 1 as Flags16, 0;] Block(0x80 << 16), "texture number, attributes";
    call Bk_MO1(cox coy csx csy angle) = [S32: 0, 0 as Word, 0; S32: 0, 1 as Word, 0; S32: 0, 2 as Word, 0; S32: 0, 3 as Word, 0; S32: 0, 4 as LostDegrees(16), 0;] Block(0x40 << 16), "offset and size as float bits, rotation in degrees";
    call Bk_MO1PR2(cox coy csx csy angle priority) = [S32: 0, 0 as Word, 0; S32: 0, 1 as Word, 0; S32: 0, 2 as Word, 0; S32: 0, 3 as Word, 0; S32: 0, 4 as CellDegrees(16), 16, 5 as Int(16), 0;] Block(0x60 << 16), "the same and the priority";
    call Bk_PR2(priority) = [S32: 0, 0 as Int(16), 0;] Block(0x20 << 16), "priority";
    call Bk_CE3(x y) = [S32: 0, 0 as Word, 0; S32: 0, 1 as Word, 0;] Block(0x10 << 16), "centre, float bits";
    call Bk_VC4_0(a r g b) = [S32: 0, 0 as Int(8), 24, 1 as Int(8), 16, 2 as Int(8), 8, 3 as Int(8), 0;] Block(0x08 << 16), "colour 0";
    call Bk_VC4_1(a r g b) = [S32: 0, 0 as Int(8), 24, 1 as Int(8), 16, 2 as Int(8), 8, 3 as Int(8), 0;] Block(0x08 << 16), "colour 1";
    call Bk_VC4_2(a r g b) = [S32: 0, 0 as Int(8), 24, 1 as Int(8), 16, 2 as Int(8), 8, 3 as Int(8), 0;] Block(0x08 << 16), "colour 2";
    call Bk_VC4_3(a r g b) = [S32: 0, 0 as Int(8), 24, 1 as Int(8), 16, 2 as Int(8), 8, 3 as Int(8), 0;] Block(0x08 << 16), "colour 3";
    call Bk_UV5(u0 v0 u2 v2) = [S32: 0, 0 as Word, 0; S32: 0, 1 as Word, 0; S32: 0, 2 as Word, 0; S32: 0, 3 as Word, 0;] Block(0x04 << 16), "texture coordinates, float bits";
    call COXY(x y) = [S32: 0, 0 as Word, 0; S32: 0, 1 as Word, 0;] None, "offset (old), float bits";
    call CSXY(x y) = [S32: 0, 0 as Word, 0; S32: 0, 1 as Word, 0;] None, "size (old), float bits";
    call CSUV0(x y) = [S32: 0, 0 as Word, 0; S32: 0, 1 as Word, 0;] None, "texture coordinates (old), float bits";
    call CSUV2(x y) = [S32: 0, 0 as Word, 0; S32: 0, 1 as Word, 0;] None, "texture coordinates (old), float bits";
    label CStreamData(data) = [Ptr: 0, 0 as Ptr, 0;] None, "stream";
    label CSCurrent(data) = [Ptr: 0, 0 as Ptr, 0;] None, "current stamp, at first the stream";
    label CSTimeOffset(time) = [S32: 0, 0 as Int(32), 0;] None, "begin";
    label CSTimeMax(time) = [S32: 0, 0 as Int(32), 0;] None, "last frame";
}
