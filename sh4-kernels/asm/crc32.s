! SPDX-License-Identifier: MIT OR Apache-2.0
! void crc32(const uint32_t data[], uint32_t n, uint32_t crc[1])
!
!   continues a CRC (0 at the start) over n bytes: polynomial EDB88320, reflected
!   in        r4 data, r5 n in bytes, r6 crc
!   FPSCR     any
!   clobbers  r0-r5, r7, T
!
!   A chain of 5 cycles per byte: EXTU, SHLL2, a load, XOR.

! processes the lowest byte of r1 with the table at r3
        .macro  byte
        extu.b  r1,r0
        shll2   r0
        mov.l   @(r0,r3),r2
        shlr8   r1
        xor     r2,r1
        .endm

        .text
        .align  5
        .globl  _crc32
        .type   _crc32, @function
_crc32:
        mov.l   @r6,r1
        mov     r5,r7
        mov.l   where,r3
        shlr2   r7                      ! words
        tst     r7,r7
        mov.l   r8,@-r15
        bt/s    2f
        not     r1,r1
        mov.l   @r4+,r8
        xor     r8,r1
1:
        byte
        dt      r7
        mov     #0,r8
        bt      7f
        mov.l   @r4+,r8                 ! the next word
7:
        byte
        byte
        pref    @r4
        extu.b  r1,r0
        shll2   r0
        mov.l   @(r0,r3),r2
        shlr8   r1
        xor     r8,r1
        bf/s    1b
        xor     r2,r1
2:
        mov     r5,r0
        and     #3,r0
        tst     r0,r0
        bt/s    4f
        mov     r0,r7
3:
        mov.b   @r4+,r2
        dt      r7
        extu.b  r2,r2
        xor     r2,r1
        byte
        bf      3b
4:
        not     r1,r1
        mov.l   @r15+,r8
        rts
        mov.l   r1,@r6

        .align  2
where:  .long   table

        .align  5
table:
        .set    number,0
        .rept   256
        .set    entry,number
        .rept   8
        .set    entry,(entry >> 1) ^ (0xedb88320 * (entry & 1))
        .endr
        .long   entry
        .set    number,number + 1
        .endr
        .size   _crc32, .-_crc32
