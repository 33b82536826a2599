/* NAS 2.00.00 Ninja2AsciiCompactShape (swirl) */
/* CSHAPELIST    : cshapelist_sc0_model0 n(6) */

CSHAPE_LIST_START

VLIST       cv0_sc0_model0_kg0_0[]
START
    CnkV_VN( FV_SHAPE, 6 ),
    VERT( 0x41d830c8, 0xbe800e2d, 0x3e2d26e2 ),
    NORM( 0x3f7ffd32, 0xbc178a51, 0x33b873d1 ),
    CnkEnd()
END

VLIST       cv0_sc0_model0_kg0_1[]
START
    CnkV_VN( FV_SHAPE, 6 ),
    VERT( 0x41d830c8, 0xbe800e2d, 0x3e2d26e2 ),
    NORM( 0x3f7ffd32, 0xbc178a51, 0x33b873d1 ),
    CnkEnd()
END

VLIST       cv0_sc0_model0_kg0_2[]
START
    CnkV_VN( FV_SHAPE, 6 ),
    VERT( 0x41d830c8, 0xbe800e2d, 0x3e2d26e2 ),
    NORM( 0x3f7ffd32, 0xbc178a51, 0x33b873d1 ),
    CnkEnd()
END

CVLIST      kg0_cvlist0_sc0_model0[]
START
    cv0_sc0_model0_kg0_0,
    cv0_sc0_model0_kg0_1,
    cv0_sc0_model0_kg0_2,
END

VLIST       cv1_sc0_model0_kg0_0[]
START
    CnkV_VN( FV_SHAPE, 6 ),
    VERT( 0x41d830c8, 0xbe800e2d, 0x3e2d26e2 ),
    NORM( 0x3f7ffd32, 0xbc178a51, 0x33b873d1 ),
    CnkEnd()
END

VLIST       cv1_sc0_model0_kg0_1[]
START
    CnkV_VN( FV_SHAPE, 6 ),
    VERT( 0x41d830c8, 0xbe800e2d, 0x3e2d26e2 ),
    NORM( 0x3f7ffd32, 0xbc178a51, 0x33b873d1 ),
    CnkEnd()
END

VLIST       cv1_sc0_model0_kg0_2[]
START
    CnkV_VN( FV_SHAPE, 6 ),
    VERT( 0x41d830c8, 0xbe800e2d, 0x3e2d26e2 ),
    NORM( 0x3f7ffd32, 0xbc178a51, 0x33b873d1 ),
    CnkEnd()
END

CVLIST      kg0_cvlist1_sc0_model0[]
START
    cv1_sc0_model0_kg0_0,
    cv1_sc0_model0_kg0_1,
    cv1_sc0_model0_kg0_2,
END

VLIST       cv2_sc0_model0_kg0_0[]
START
    CnkV_VN( FV_SHAPE, 6 ),
    VERT( 0x41d830c8, 0xbe800e2d, 0x3e2d26e2 ),
    NORM( 0x3f7ffd32, 0xbc178a51, 0x33b873d1 ),
    CnkEnd()
END

VLIST       cv2_sc0_model0_kg0_1[]
START
    CnkV_VN( FV_SHAPE, 6 ),
    VERT( 0x41d830c8, 0xbe800e2d, 0x3e2d26e2 ),
    NORM( 0x3f7ffd32, 0xbc178a51, 0x33b873d1 ),
    CnkEnd()
END

VLIST       cv2_sc0_model0_kg0_2[]
START
    CnkV_VN( FV_SHAPE, 6 ),
    VERT( 0x41d830c8, 0xbe800e2d, 0x3e2d26e2 ),
    NORM( 0x3f7ffd32, 0xbc178a51, 0x33b873d1 ),
    CnkEnd()
END

CVLIST      kg0_cvlist2_sc0_model0[]
START
    cv2_sc0_model0_kg0_0,
    cv2_sc0_model0_kg0_1,
    cv2_sc0_model0_kg0_2,
END

VLIST       cv0_sc0_model0_kg1_0[]
START
    CnkV_VN( FV_SHAPE, 6 ),
    VERT( 0x41d830c8, 0xbe800e2d, 0x3e2d26e2 ),
    NORM( 0x3f7ffd32, 0xbc178a51, 0x33b873d1 ),
    CnkEnd()
END

VLIST       cv0_sc0_model0_kg1_1[]
START
    CnkV_VN( FV_SHAPE, 6 ),
    VERT( 0x41d830c8, 0xbe800e2d, 0x3e2d26e2 ),
    NORM( 0x3f7ffd32, 0xbc178a51, 0x33b873d1 ),
    CnkEnd()
END

CVLIST      kg1_cvlist0_sc0_model0[]
START
    cv0_sc0_model0_kg1_0,
    cv0_sc0_model0_kg1_1,
END

VLIST       cv1_sc0_model0_kg1_0[]
START
    CnkV_VN( FV_SHAPE, 6 ),
    VERT( 0x41d830c8, 0xbe800e2d, 0x3e2d26e2 ),
    NORM( 0x3f7ffd32, 0xbc178a51, 0x33b873d1 ),
    CnkEnd()
END

VLIST       cv1_sc0_model0_kg1_1[]
START
    CnkV_VN( FV_SHAPE, 6 ),
    VERT( 0x41d830c8, 0xbe800e2d, 0x3e2d26e2 ),
    NORM( 0x3f7ffd32, 0xbc178a51, 0x33b873d1 ),
    CnkEnd()
END

CVLIST      kg1_cvlist1_sc0_model0[]
START
    cv1_sc0_model0_kg1_0,
    cv1_sc0_model0_kg1_1,
END

VLIST       cv2_sc0_model0_kg1_0[]
START
    CnkV_VN( FV_SHAPE, 6 ),
    VERT( 0x41d830c8, 0xbe800e2d, 0x3e2d26e2 ),
    NORM( 0x3f7ffd32, 0xbc178a51, 0x33b873d1 ),
    CnkEnd()
END

VLIST       cv2_sc0_model0_kg1_1[]
START
    CnkV_VN( FV_SHAPE, 6 ),
    VERT( 0x41d830c8, 0xbe800e2d, 0x3e2d26e2 ),
    NORM( 0x3f7ffd32, 0xbc178a51, 0x33b873d1 ),
    CnkEnd()
END

CVLIST      kg1_cvlist2_sc0_model0[]
START
    cv2_sc0_model0_kg1_0,
    cv2_sc0_model0_kg1_1,
END

CSHAPEKGLIST cshapes_sc0_model0[]
START
    CSHAPEKG( kg0_cvlist0_sc0_model0, 0 ), /* 0 */
    CSHAPEKG( kg0_cvlist1_sc0_model0, 0 ), /* 1 */
    CSHAPEKG( kg0_cvlist2_sc0_model0, 0 ), /* 2 */
    CSHAPEKG( kg1_cvlist0_sc0_model0, 1 ), /* 3 */
    CSHAPEKG( kg1_cvlist1_sc0_model0, 1 ), /* 4 */
    CSHAPEKG( kg1_cvlist2_sc0_model0, 1 ), /* 5 */
END

CSHAPELIST  cshapelist_sc0_model0
START
CShapeKgList  cshapes_sc0_model0,
CShapeNum     6,
END

CSHAPE_LIST_END

DEFAULT_START

#ifndef DEFAULT_CSHAPELIST_NAME
#define DEFAULT_CSHAPELIST_NAME cshapelist_sc0_model0
#endif

DEFAULT_END
