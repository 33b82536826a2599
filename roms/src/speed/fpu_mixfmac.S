! fpu_mixed with FMAC instead of FTRV. QEMU runs it unchanged.
#define FMAC
#include "fpu_mixed.S"
