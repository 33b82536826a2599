/* SPDX-License-Identifier: MIT OR Apache-2.0
 * QR codes by ISO/IEC 18004: version 15, error correction L, byte mode. */
#ifndef QR_H
#define QR_H
#include "../console/console.h"

/* Modules of a side, and bytes that a code holds. */
enum { QR_SIDE = 77, QR_BYTES = 520 };

/* Gives a byte a module: bit 0 is dark. At most QR_BYTES bytes. */
void encode_qr(const u8 *bytes, u32 count, u8 modules[QR_SIDE][QR_SIDE]);

#endif
