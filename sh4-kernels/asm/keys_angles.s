! void keys_angles(float_bits frame, const uint32_t records[][8], uint32_t n, uint32_t short_way, int32_t out[][3])
!
!   out = before + t * (after - before), cut toward zero
!   in        r4 frame, r5 records (start, length, before, after), r6 n, r7 short_way, stack: out
!   FPSCR     PR = 0, SZ = 0
!   clobbers  r0-r3, r5, r6, fr0-fr2, FPUL, T

        .include "span.inc"

! One angle: before at r5, after 12 bytes on, the result to r1; r5 and r1 move on. Mark: 8.
        .macro  angle
        mov.l   @(12,r5),r2
        mov.l   @r5+,r3
        tst     r7,r7
        lds     r3,fpul
        float   fpul,fr1
        bt/s    8f
        lds     r2,fpul
        sub     r3,r2
        exts.w  r2,r2                   ! the short way round
        lds     r2,fpul
8:
        float   fpul,fr2
        bf      9f
        fsub    fr1,fr2
9:
        fmac    fr0,fr2,fr1
        ftrc    fr1,fpul
        sts     fpul,r0
        mov.l   r0,@r1
        add     #4,r1
        .endm

        .text
        .align  5
        .globl  _keys_angles
        .type   _keys_angles, @function
_keys_angles:
        tst     r6,r6
        bt/s    2f
        mov.l   @r15,r1
1:
        lds     r4,fpul
        fsts    fpul,fr0
        span_time r5
        angle
        angle
        angle
        dt      r6
        bf/s    1b
        add     #12,r5                  ! behind the second key
2:
        rts
        nop
        .size   _keys_angles, .-_keys_angles
