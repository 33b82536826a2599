//! Checks every flag's value.

use ninja::ascii::read;
use ninja::{CellChunk, Chunk};

/// Flags and values, by hand from the specification (docs/formats/chunk-model.md 2 and 3, compact-shape.md 2
/// and 3, cell-sprite.md 2, 3 and 5).
const FLAGS: [(&str, &[(&str, u32)]); 12] = [
    (
        "3.5 blending",
        &[
            ("FBS_ZER", 0x0000),
            ("FBS_ONE", 0x0800),
            ("FBS_OC", 0x1000),
            ("FBS_IOC", 0x1800),
            ("FBS_SA", 0x2000),
            ("FBS_ISA", 0x2800),
            ("FBS_DA", 0x3000),
            ("FBS_IDA", 0x3800),
            ("FBD_ZER", 0x0000),
            ("FBD_ONE", 0x0100),
            ("FBD_OC", 0x0200),
            ("FBD_IOC", 0x0300),
            ("FBD_SA", 0x0400),
            ("FBD_ISA", 0x0500),
            ("FBD_DA", 0x0600),
            ("FBD_IDA", 0x0700),
            ("FBS_SEL", 0x8000),
            ("FBD_SEL", 0x4000),
        ],
    ),
    (
        "3.5 mipmap adjust",
        &[
            ("FDA_025", 0x100),
            ("FDA_050", 0x200),
            ("FDA_075", 0x300),
            ("FDA_100", 0x400),
            ("FDA_125", 0x500),
            ("FDA_150", 0x600),
            ("FDA_175", 0x700),
            ("FDA_200", 0x800),
            ("FDA_225", 0x900),
            ("FDA_250", 0xA00),
            ("FDA_275", 0xB00),
            ("FDA_300", 0xC00),
            ("FDA_325", 0xD00),
            ("FDA_350", 0xE00),
            ("FDA_375", 0xF00),
        ],
    ),
    (
        "3.5 exponent",
        &[
            ("FEXP_00", 0x000),
            ("FEXP_01", 0x100),
            ("FEXP_02", 0x200),
            ("FEXP_03", 0x300),
            ("FEXP_04", 0x400),
            ("FEXP_05", 0x500),
            ("FEXP_06", 0x600),
            ("FEXP_07", 0x700),
            ("FEXP_08", 0x800),
            ("FEXP_09", 0x900),
            ("FEXP_10", 0xA00),
            ("FEXP_11", 0xB00),
            ("FEXP_12", 0xC00),
            ("FEXP_13", 0xD00),
            ("FEXP_14", 0xE00),
            ("FEXP_15", 0xF00),
            ("FEXP_16", 0x1000),
        ],
    ),
    (
        "3.6 textures",
        &[
            ("FFL_U", 0x8000),
            ("FFL_V", 0x4000),
            ("FCL_U", 0x2000),
            ("FCL_V", 0x1000),
            ("FFM_PS", 0x0000),
            ("FFM_BF", 0x4000),
            ("FFM_TF", 0x8000),
            ("FFM_TFA", 0x8000),
            ("FFM_TFB", 0xC000),
            ("FSS", 0x2000),
        ],
    ),
    (
        "3.8 vertices",
        &[
            ("FW_START", 0x0000),
            ("FW_MIDDLE", 0x0100),
            ("FW_END", 0x0200),
            ("FV_CONT", 0x8000),
            ("FV_SHAPE", 0x4000),
        ],
    ),
    (
        "3.10 strips",
        &[
            ("FST_IL", 0x0100),
            ("FST_IS", 0x0200),
            ("FST_IA", 0x0400),
            ("FST_UA", 0x0800),
            ("FST_DB", 0x1000),
            ("FST_FL", 0x2000),
            ("FST_ENV", 0x4000),
            ("UFO_0", 0x0000),
            ("UFO_1", 0x4000),
            ("UFO_2", 0x8000),
            ("UFO_3", 0xC000),
        ],
    ),
    (
        "2 evalflags",
        &[
            ("FEV_UT", 0x0001),
            ("FEV_UR", 0x0002),
            ("FEV_US", 0x0004),
            ("FEV_HD", 0x0008),
            ("FEV_BR", 0x0010),
            ("FEV_ZXY", 0x0020),
            ("FEV_SK", 0x0040),
            ("FEV_SSK", 0x0080),
            ("FEV_CL", 0x0100),
            ("FEV_MD", 0x0200),
            ("FEV_QU", 0x0400),
            ("FEV_EN", 0x2000),
        ],
    ),
    (
        "2.1 motion elements",
        &[
            ("FMK_POS0", 0x0001),
            ("FMK_ANG1", 0x0002),
            ("FMK_SCA2", 0x0004),
            ("FMK_VEC3", 0x0008),
            ("FMK_VEC0", 0x0010),
            ("FMK_SAN1", 0x0020),
            ("FMK_SANG1", 0x0020),
            ("FMK_TAR3", 0x0040),
            ("FMK_ROL6", 0x0080),
            ("FMK_ANG7", 0x0100),
            ("FMK_RGB8", 0x0200),
            ("FMK_INT9", 0x0400),
            ("FMK_POI9", 0x1000),
            ("FMK_PO9", 0x1000),
            ("FMK_QUA1", 0x2000),
            ("FMK_SHID", 0x4000),
            ("FMK_EVE4", 0x8000),
        ],
    ),
    (
        "2.1 interpolation",
        &[
            ("FMT_L", 0x00),
            ("FMT_S", 0x40),
            ("FMT_U", 0x80),
            ("FMD_1", 1),
            ("FMD_2", 2),
            ("FMD_3", 3),
            ("FMD_4", 4),
            ("FMD_5", 5),
            ("FEM_NONE", 0),
        ],
    ),
    (
        "3.4 cell blocks",
        &[
            ("FCB_IA0", 0x80_0000),
            ("FCB_MO1", 0x40_0000),
            ("FCB_PR2", 0x20_0000),
            ("FCB_CE3", 0x10_0000),
            ("FCB_VC4", 0x08_0000),
            ("FCB_UV5", 0x04_0000),
        ],
    ),
    (
        "2 cell attributes",
        &[
            ("FCS_ZER", 0x0000),
            ("FCS_ONE", 0x0800),
            ("FCS_OC", 0x1000),
            ("FCS_IOC", 0x1800),
            ("FCS_SA", 0x2000),
            ("FCS_ISA", 0x2800),
            ("FCS_DA", 0x3000),
            ("FCS_IDA", 0x3800),
            ("FCD_ZER", 0x0000),
            ("FCD_ONE", 0x0100),
            ("FCD_OC", 0x0200),
            ("FCD_IOC", 0x0300),
            ("FCD_SA", 0x0400),
            ("FCD_ISA", 0x0500),
            ("FCD_DA", 0x0600),
            ("FCD_IDA", 0x0700),
            ("FCA_VC", 0x80),
            ("FCA_AL", 0x40),
            ("FCA_PT", 0x20),
            ("FCA_HF", 0x10),
            ("FCA_VF", 0x08),
            ("FCA_HI", 0x04),
            ("FCA_TR", 0x02),
        ],
    ),
    (
        "2.1 of the library",
        &[
            ("NULL", 0),
            ("NJD_CN", 0),
            ("NJD_CB_EXP", 3),
            ("NJD_CE", 255),
            ("NJD_MTYPE_LINEAR", 0),
            ("NJD_MTYPE_LINER", 0),
            ("NJD_MTYPE_SPLINE", 0x40),
            ("NJD_MTYPE_USER", 0x80),
            ("NJD_MTYPE_POS_0", 0x0001),
            ("NJD_MTYPE_ANG_1", 0x0002),
            ("NJD_MTYPE_SCL_2", 0x0004),
            ("NJD_MTYPE_VEC_3", 0x0008),
            ("NJD_MTYPE_VEC_0", 0x0010),
            ("NJD_MTYPE_SANG_1", 0x0020),
            ("NJD_MTYPE_TARGET_3", 0x0040),
            ("NJD_MTYPE_ROLL_6", 0x0080),
            ("NJD_MTYPE_ANGLE_7", 0x0100),
            ("NJD_MTYPE_RGB_8", 0x0200),
            ("NJD_MTYPE_INTENSITY_9", 0x0400),
            ("NJD_MTYPE_SPOT_10", 0x0800),
            ("NJD_MTYPE_POINT_9", 0x1000),
            ("NJD_MTYPE_QUAT_1", 0x2000),
            ("NJD_MTYPE_SHAPEID", 0x4000),
            ("NJD_MTYPE_EVENT_4", 0x8000),
        ],
    ),
];

/// The words of an event are kept unchanged.
#[test]
fn flags_have_the_values_of_the_specification() {
    for (section, flags) in FLAGS {
        let names: Vec<&str> = flags
            .iter()
            .map(|(name, _)| *name)
            .filter(|name| *name != "NULL")
            .collect();
        let values: Vec<u32> = flags
            .iter()
            .filter(|(name, _)| *name != "NULL")
            .map(|(_, value)| *value)
            .collect();
        let text = format!(
            "CELLSTREAMDATA d[] START CCnk_TS( 0, {} ), CCnk_UE( {}, 0 ), {}, CCnk_TE( 1 ), END
             CELLSTREAM c START CStreamData d, CSCurrent d, CSTimeOffset 0, CSTimeMax 1, END",
            names.len() + 1,
            names.len(),
            names.join(", ")
        );
        let file = read(text.as_bytes())
            .unwrap_or_else(|error| panic!("{section}: {error}"))
            .file;
        let Chunk::CellStream(stream) = &file.chunks[0] else {
            panic!("no stream")
        };
        let event = CellChunk::Event {
            event: 0,
            data: values,
        };
        assert_eq!(stream.chunks[1], event, "{section}");
    }
}
