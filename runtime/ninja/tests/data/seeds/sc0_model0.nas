/* NAS 2.00.00 NinjaAsciiCompactShape (SI) */
/* Sample of seed 001 section 3.2. Where the seed has dots, a vertex or a list of one vertex was filled in; sizes and the name given twice are left as they were. */
/* CSHAPELIST : cshapelist_sc0_model0 */
CSHAPE_LIST_START
VLIST    cv0_sc0_model0_node0[]
START
    CnkV_VN(FV_SHAPE, 120),
    VERT( 0x41d830c8, 0xbe800e2d, 0x3e2d26e2 ),
    NORM( 0x3f7ffd32, 0xbc178a51, 0x33b873d1 ),
    CnkEnd()
END
VLIST    cv0_sc0_model0_node1[]
START
    CnkV_VN(FV_SHAPE, 100),
    VERT( 0x41d830c8, 0xbe800e2d, 0x3e2d26e2 ),
    NORM( 0x3f7ffd32, 0xbc178a51, 0x33b873d1 ),
    CnkEnd()
END
VLIST    cv0_sc0_model0_node4[]
START
    CnkV_VN(FV_SHAPE, 200),
    VERT( 0x41d830c8, 0xbe800e2d, 0x3e2d26e2 ),
    NORM( 0x3f7ffd32, 0xbc178a51, 0x33b873d1 ),
    CnkEnd()
END
CVLIST    kg0_cvlist0_sc0_model0[]
START
    cv0_sc0_model0_node0,
    cv0_sc0_model0_node1,
    cv0_sc0_model0_node4,
END
VLIST    cv1_sc0_model0_node0[]
START
    CnkV_VN(FV_SHAPE, 120),
    VERT( 0x41d830c8, 0xbe800e2d, 0x3e2d26e2 ),
    NORM( 0x3f7ffd32, 0xbc178a51, 0x33b873d1 ),
    CnkEnd()
END
VLIST    cv1_sc0_model0_node1[]
START
    CnkV_VN(FV_SHAPE, 6),
    VERT( 0x41d830c8, 0xbe800e2d, 0x3e2d26e2 ),
    NORM( 0x3f7ffd32, 0xbc178a51, 0x33b873d1 ),
    CnkEnd()
END
VLIST    cv1_sc0_model0_node4[]
START
    CnkV_VN(FV_SHAPE, 6),
    VERT( 0x41d830c8, 0xbe800e2d, 0x3e2d26e2 ),
    NORM( 0x3f7ffd32, 0xbc178a51, 0x33b873d1 ),
    CnkEnd()
END
CVLIST    kg0_cvlist1_sc0_model0[]
START
    cv1_sc0_model0_node0,
    cv1_sc0_model0_node1,
    cv1_sc0_model0_node4,
END
VLIST    cv2_sc0_model0_node0[]
START
    CnkV_VN(FV_SHAPE, 50),
    VERT( 0x41d830c8, 0xbe800e2d, 0x3e2d26e2 ),
    NORM( 0x3f7ffd32, 0xbc178a51, 0x33b873d1 ),
    CnkEnd()
END
VLIST    cv2_sc0_model0_node1[]
START
    CnkV_VN(FV_SHAPE, 6),
    VERT( 0x41d830c8, 0xbe800e2d, 0x3e2d26e2 ),
    NORM( 0x3f7ffd32, 0xbc178a51, 0x33b873d1 ),
    CnkEnd()
END
VLIST    cv2_sc0_model0_node4[]
START
    CnkV_VN(FV_SHAPE, 6),
    VERT( 0x41d830c8, 0xbe800e2d, 0x3e2d26e2 ),
    NORM( 0x3f7ffd32, 0xbc178a51, 0x33b873d1 ),
    CnkEnd()
END
CVLIST    kg0_cvlist2_sc0_model0[]
START
    cv2_sc0_model0_node0,
    cv2_sc0_model0_node1,
    cv2_sc0_model0_node4,
END
VLIST    cv0_sc0_model0_node2[]
START
    CnkV_VN(FV_SHAPE, 100),
    VERT( 0x41d830c8, 0xbe800e2d, 0x3e2d26e2 ),
    NORM( 0x3f7ffd32, 0xbc178a51, 0x33b873d1 ),
    CnkEnd()
END
VLIST    cv0_sc0_model0_node3[]
START
    CnkV_VN(FV_SHAPE, 90),
    VERT( 0x41d830c8, 0xbe800e2d, 0x3e2d26e2 ),
    NORM( 0x3f7ffd32, 0xbc178a51, 0x33b873d1 ),
    CnkEnd()
END
CVLIST    kg1_cvlist0_sc0_model0[]
START
    cv0_sc0_model0_node2,
    cv0_sc0_model0_node3,
END
VLIST    cv1_sc0_model0_node2[]
START
    CnkV_VN(FV_SHAPE, 120),
    VERT( 0x41d830c8, 0xbe800e2d, 0x3e2d26e2 ),
    NORM( 0x3f7ffd32, 0xbc178a51, 0x33b873d1 ),
    CnkEnd()
END
VLIST    cv1_sc0_model0_node3[]
START
    CnkV_VN(FV_SHAPE, 6),
    VERT( 0x41d830c8, 0xbe800e2d, 0x3e2d26e2 ),
    NORM( 0x3f7ffd32, 0xbc178a51, 0x33b873d1 ),
    CnkEnd()
END
CVLIST    kg1_cvlist1_sc0_model0[]
START
    cv1_sc0_model0_node2,
    cv1_sc0_model0_node3,
END
VLIST    cv2_sc0_model0_node0[]
START
    CnkV_VN(FV_SHAPE, 50),
    VERT( 0x41d830c8, 0xbe800e2d, 0x3e2d26e2 ),
    NORM( 0x3f7ffd32, 0xbc178a51, 0x33b873d1 ),
    CnkEnd()
END
VLIST    cv2_sc0_model0_node2[]
START
    CnkV_VN(FV_SHAPE, 6),
    VERT( 0x41d830c8, 0xbe800e2d, 0x3e2d26e2 ),
    NORM( 0x3f7ffd32, 0xbc178a51, 0x33b873d1 ),
    CnkEnd()
END
VLIST    cv2_sc0_model0_node3[]
START
    CnkV_VN(FV_SHAPE, 6),
    VERT( 0x41d830c8, 0xbe800e2d, 0x3e2d26e2 ),
    NORM( 0x3f7ffd32, 0xbc178a51, 0x33b873d1 ),
    CnkEnd()
END
CVLIST    kg1_cvlist2_sc0_model0[]
START
    cv2_sc0_model0_node2,
    cv2_sc0_model0_node3,
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
CSHAPELIST cshapelist_sc0_model0
START
    CShapeKgList   cshapes_sc0_model0,
    CShapeNum      6,
END
CSHAPE_LIST_END
