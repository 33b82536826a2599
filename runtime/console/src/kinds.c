/* SPDX-License-Identifier: MIT OR Apache-2.0
 * The kinds of vertex and strip chunks (docs/formats/ninja.md 1.5 to 1.7). */
#include "internal.h"

/* Ids 32 to 52. */
static const struct vertex_kind VERTEX_KINDS[] = {
    {4, NO_NORMAL, NO_ATTRIBUTE, 0},          /* CV_SH */
    {8, FLOAT_NORMAL, NO_ATTRIBUTE, 0},       /* CV_VN_SH */
    {3, NO_NORMAL, NO_ATTRIBUTE, 0},          /* CV */
    {4, NO_NORMAL, ATTRIBUTE_D8, 3},          /* CV_D8 */
    {4, NO_NORMAL, NO_ATTRIBUTE, 0},          /* CV_UF */
    {4, NO_NORMAL, ATTRIBUTE_NINJA, 3},       /* CV_NF */
    {4, NO_NORMAL, ATTRIBUTE_S5, 3},          /* CV_S5 */
    {4, NO_NORMAL, ATTRIBUTE_S4, 3},          /* CV_S4 */
    {4, NO_NORMAL, ATTRIBUTE_INTENSITY, 3},   /* CV_IN */
    {6, FLOAT_NORMAL, NO_ATTRIBUTE, 0},       /* CV_VN */
    {7, FLOAT_NORMAL, ATTRIBUTE_D8, 6},       /* CV_VN_D8 */
    {7, FLOAT_NORMAL, NO_ATTRIBUTE, 0},       /* CV_VN_UF */
    {7, FLOAT_NORMAL, ATTRIBUTE_NINJA, 6},    /* CV_VN_NF */
    {7, FLOAT_NORMAL, ATTRIBUTE_S5, 6},       /* CV_VN_S5 */
    {7, FLOAT_NORMAL, ATTRIBUTE_S4, 6},       /* CV_VN_S4 */
    {7, FLOAT_NORMAL, ATTRIBUTE_INTENSITY, 6},/* CV_VN_IN */
    {4, PACKED_NORMAL, NO_ATTRIBUTE, 0},      /* CV_VNX */
    {5, PACKED_NORMAL, ATTRIBUTE_D8, 4},      /* CV_VNX_D8 */
    {5, PACKED_NORMAL, NO_ATTRIBUTE, 0},      /* CV_VNX_UF */
    {5, NO_NORMAL, ATTRIBUTE_D8_S8, 3},       /* CV_D8_S8 */
    {5, NO_NORMAL, ATTRIBUTE_NINJA_D8, 3},    /* CV_NF_D8 */
};

const struct vertex_kind *swr_vertex_kind(uint32_t id)
{
    return id >= 32 && id <= 52 ? &VERTEX_KINDS[id - 32] : 0;
}

#define UVN (1.0f / 256.0f)
#define UVH (1.0f / 1024.0f)

/* Ids 64 to 75. */
static const struct strip_kind STRIP_KINDS[] = {
    {1, 0, 0, 0, 0, 0.0f}, /* CS */
    {3, 1, 0, 0, 0, UVN},  /* CS_UVN */
    {3, 1, 0, 0, 0, UVH},  /* CS_UVH */
    {4, 0, 1, 0, 0, 0.0f}, /* CS_VN */
    {6, 1, 1, 0, 0, UVN},  /* CS_UVN_VN */
    {6, 1, 1, 0, 0, UVH},  /* CS_UVH_VN */
    {3, 0, 0, 1, 0, 0.0f}, /* CS_D8 */
    {5, 1, 0, 1, 0, UVN},  /* CS_UVN_D8 */
    {5, 1, 0, 1, 0, UVH},  /* CS_UVH_D8 */
    {1, 0, 0, 0, 1, 0.0f}, /* CS_2 */
    {5, 2, 0, 0, 1, UVN},  /* CS_UVN2 */
    {5, 2, 0, 0, 1, UVH},  /* CS_UVH2 */
};

const struct strip_kind *swr_strip_kind(uint32_t id)
{
    return id >= 64 && id <= 75 ? &STRIP_KINDS[id - 64] : 0;
}
