//! Names of constants (docs/formats/ninja.md 1.5 to 1.11, 3.2).

/// A name and its value; flags are already shifted into position.
#[derive(Debug)]
pub(in crate::ascii) struct Constant {
    pub(in crate::ascii) name: &'static str,
    pub(in crate::ascii) value: u32,
}

macro_rules! constants {
    ($(#[$doc:meta] $group:ident: $($name:ident = $value:expr;)*)*) => {
        $(#[$doc] pub(in crate::ascii) const $group: &[Constant] = &[$(Constant {
            name: stringify!($name),
            value: $value,
        }),*];)*
    };
}

constants! {
    /// Blending: source in bits 13-11, destination in 10-8, buffer select in 15 and 14.
    BLEND:
    FBS_ZER = 0 << 11;
    FBS_ONE = 1 << 11;
    FBS_OC = 2 << 11;
    FBS_IOC = 3 << 11;
    FBS_SA = 4 << 11;
    FBS_ISA = 5 << 11;
    FBS_DA = 6 << 11;
    FBS_IDA = 7 << 11;
    FBD_ZER = 0 << 8;
    FBD_ONE = 1 << 8;
    FBD_OC = 2 << 8;
    FBD_IOC = 3 << 8;
    FBD_SA = 4 << 8;
    FBD_ISA = 5 << 8;
    FBD_DA = 6 << 8;
    FBD_IDA = 7 << 8;
    FBS_SEL = 1 << 15;
    FBD_SEL = 1 << 14;

    /// Mipmap adjust, quarters in bits 11-8.
    MIPMAP:
    FDA_025 = 1 << 8;
    FDA_050 = 2 << 8;
    FDA_075 = 3 << 8;
    FDA_100 = 4 << 8;
    FDA_125 = 5 << 8;
    FDA_150 = 6 << 8;
    FDA_175 = 7 << 8;
    FDA_200 = 8 << 8;
    FDA_225 = 9 << 8;
    FDA_250 = 10 << 8;
    FDA_275 = 11 << 8;
    FDA_300 = 12 << 8;
    FDA_325 = 13 << 8;
    FDA_350 = 14 << 8;
    FDA_375 = 15 << 8;

    /// Specular exponent, bits 12-8.
    EXPONENT:
    FEXP_00 = 0 << 8;
    FEXP_01 = 1 << 8;
    FEXP_02 = 2 << 8;
    FEXP_03 = 3 << 8;
    FEXP_04 = 4 << 8;
    FEXP_05 = 5 << 8;
    FEXP_06 = 6 << 8;
    FEXP_07 = 7 << 8;
    FEXP_08 = 8 << 8;
    FEXP_09 = 9 << 8;
    FEXP_10 = 10 << 8;
    FEXP_11 = 11 << 8;
    FEXP_12 = 12 << 8;
    FEXP_13 = 13 << 8;
    FEXP_14 = 14 << 8;
    FEXP_15 = 15 << 8;
    FEXP_16 = 16 << 8;

    /// Texture flip, clamp, filter and super sampling.
    TEXTURE:
    FFL_U = 1 << 15;
    FFL_V = 1 << 14;
    FCL_U = 1 << 13;
    FCL_V = 1 << 12;
    FFM_PS = 0 << 14;
    FFM_BF = 1 << 14;
    FFM_TF = 2 << 14;
    FFM_TFA = 2 << 14;
    FFM_TFB = 3 << 14;
    FSS = 1 << 13;

    /// Vertex chunks: weight status in bits 9-8, continuation, CompactShape.
    VERTEX:
    FW_START = 0 << 8;
    FW_MIDDLE = 1 << 8;
    FW_END = 2 << 8;
    FV_CONT = 0x80 << 8;
    FV_SHAPE = 0x40 << 8;

    /// Strip chunks.
    STRIP:
    FST_IL = 0x01 << 8;
    FST_IS = 0x02 << 8;
    FST_IA = 0x04 << 8;
    FST_UA = 0x08 << 8;
    FST_DB = 0x10 << 8;
    FST_FL = 0x20 << 8;
    FST_ENV = 0x40 << 8;

    /// User flag words.
    USER:
    UFO_0 = 0 << 14;
    UFO_1 = 1 << 14;
    UFO_2 = 2 << 14;
    UFO_3 = 3 << 14;

    /// Evaluation flags.
    EVAL:
    FEV_UT = 1 << 0;
    FEV_UR = 1 << 1;
    FEV_US = 1 << 2;
    FEV_HD = 1 << 3;
    FEV_BR = 1 << 4;
    FEV_ZXY = 1 << 5;
    FEV_SK = 1 << 6;
    FEV_SSK = 1 << 7;
    FEV_CL = 1 << 8;
    FEV_MD = 1 << 9;
    FEV_QU = 1 << 10;
    FEV_EN = 1 << 13;

    /// Motion elements; the number at the end of a name is the element's index among the tables.
    KEY:
    FMK_POS0 = 1 << 0;
    FMK_ANG1 = 1 << 1;
    FMK_SCA2 = 1 << 2;
    FMK_VEC3 = 1 << 3;
    FMK_VEC0 = 1 << 4;
    FMK_SAN1 = 1 << 5;
    FMK_SANG1 = 1 << 5;
    FMK_TAR3 = 1 << 6;
    FMK_ROL6 = 1 << 7;
    FMK_ANG7 = 1 << 8;
    FMK_RGB8 = 1 << 9;
    FMK_INT9 = 1 << 10;
    FMK_POI9 = 1 << 12;
    FMK_PO9 = 1 << 12;
    FMK_QUA1 = 1 << 13;
    FMK_SHID = 1 << 14;
    FMK_EVE4 = 1 << 15;

    /// Interpolation and number of elements.
    INTERPOLATION:
    FMT_L = 0x00;
    FMT_S = 0x40;
    FMT_U = 0x80;
    FMD_1 = 1;
    FMD_2 = 2;
    FMD_3 = 3;
    FMD_4 = 4;
    FMD_5 = 5;
    FEM_NONE = 0;

    /// Blocks of cell data.
    BLOCK:
    FCB_IA0 = 1 << 23;
    FCB_MO1 = 1 << 22;
    FCB_PR2 = 1 << 21;
    FCB_CE3 = 1 << 20;
    FCB_VC4 = 1 << 19;
    FCB_UV5 = 1 << 18;

    /// Cell attributes.
    CELL:
    FCS_ZER = 0 << 11;
    FCS_ONE = 1 << 11;
    FCS_OC = 2 << 11;
    FCS_IOC = 3 << 11;
    FCS_SA = 4 << 11;
    FCS_ISA = 5 << 11;
    FCS_DA = 6 << 11;
    FCS_IDA = 7 << 11;
    FCD_ZER = 0 << 8;
    FCD_ONE = 1 << 8;
    FCD_OC = 2 << 8;
    FCD_IOC = 3 << 8;
    FCD_SA = 4 << 8;
    FCD_ISA = 5 << 8;
    FCD_DA = 6 << 8;
    FCD_IDA = 7 << 8;
    FCA_VC = 1 << 7;
    FCA_AL = 1 << 6;
    FCA_PT = 1 << 5;
    FCA_HF = 1 << 4;
    FCA_VF = 1 << 3;
    FCA_HI = 1 << 2;
    FCA_TR = 1 << 1;

    /// Names from the library's own headers, for values without a macro.
    LIBRARY:
    NULL = 0;
    NJD_CN = 0;
    NJD_CB_EXP = 3;
    NJD_CE = 255;
    NJD_MTYPE_LINEAR = 0;
    NJD_MTYPE_LINER = 0;
    NJD_MTYPE_SPLINE = 0x40;
    NJD_MTYPE_USER = 0x80;
    NJD_MTYPE_POS_0 = 1 << 0;
    NJD_MTYPE_ANG_1 = 1 << 1;
    NJD_MTYPE_SCL_2 = 1 << 2;
    NJD_MTYPE_VEC_3 = 1 << 3;
    NJD_MTYPE_VEC_0 = 1 << 4;
    NJD_MTYPE_SANG_1 = 1 << 5;
    NJD_MTYPE_TARGET_3 = 1 << 6;
    NJD_MTYPE_ROLL_6 = 1 << 7;
    NJD_MTYPE_ANGLE_7 = 1 << 8;
    NJD_MTYPE_RGB_8 = 1 << 9;
    NJD_MTYPE_INTENSITY_9 = 1 << 10;
    NJD_MTYPE_SPOT_10 = 1 << 11;
    NJD_MTYPE_POINT_9 = 1 << 12;
    NJD_MTYPE_QUAT_1 = 1 << 13;
    NJD_MTYPE_SHAPEID = 1 << 14;
    NJD_MTYPE_EVENT_4 = 1 << 15;
}

/// All groups, each with a heading.
pub(in crate::ascii) const GROUPS: [(&str, &[Constant]); 13] = [
    ("Blending", BLEND),
    ("Mipmap adjust", MIPMAP),
    ("Specular exponent", EXPONENT),
    ("Textures", TEXTURE),
    ("Vertex chunks", VERTEX),
    ("Strips", STRIP),
    ("User flags", USER),
    ("Evaluation flags", EVAL),
    ("Motion elements", KEY),
    ("Interpolation and number of elements", INTERPOLATION),
    ("Blocks of cell data", BLOCK),
    ("Cell attributes", CELL),
    ("The library's own", LIBRARY),
];
