! void transform_normals_and_light(const struct light *light, const float src[], uint32_t n, uint32_t colours[],
!                                  uint32_t stride)
!
!   channel = min(255, ambient + diffuse * max(0, (matrix * normal) . direction)), truncated
!   light     0 matrix, 64 direction and 0, 80 diffuse, 96 ambient, 112 alpha << 24
!   in        r4 light (8-byte aligned), r5 src, r6 n, r7 colours, stack: stride in bytes
!   FPSCR     PR = 0, SZ = 0
!   clobbers  r0-r7, fr0-fr11, XMTRX, FPUL, T

        .include "xmtrx.inc"

! r0 = channel of ambient \a and diffuse \d, incidence in fr0, 255.0 in fr15
        .macro  channel a, d
        fmov    \a,fr4
        fmac    fr0,\d,fr4
        fcmp/gt fr15,fr4
        bf      9f
        fmov    fr15,fr4
9:
        ftrc    fr4,fpul
        sts     fpul,r0
        extu.b  r0,r0
        .endm

        .text
        .align  5
        .globl  _transform_normals_and_light
        .type   _transform_normals_and_light, @function
_transform_normals_and_light:
        mov.l   @r15,r1                 ! stride
        fmov.s  fr12,@-r15
        fmov.s  fr13,@-r15
        fmov.s  fr14,@-r15
        fmov.s  fr15,@-r15
        load_xmtrx r4
        fmov.s  @r4+,fr8                ! direction
        fmov.s  @r4+,fr9
        fmov.s  @r4+,fr10
        fmov.s  @r4+,fr11
        fmov.s  @r4+,fr12               ! diffuse
        fmov.s  @r4+,fr13
        fmov.s  @r4+,fr14
        add     #4,r4
        fmov.s  @r4+,fr1                ! ambient
        fmov.s  @r4+,fr2
        fmov.s  @r4+,fr3
        add     #4,r4
        mov.l   @r4,r3                  ! alpha
        mov.w   limit,r0
        tst     r6,r6
        lds     r0,fpul
        bt/s    3f
        float   fpul,fr15
1:
        mov     r5,r2
        fmov.s  @r2+,fr4
        add     r1,r5
        fmov.s  @r2+,fr5
        fmov.s  @r2,fr6
        fldi0   fr7
        ftrv    xmtrx,fv4
        fipr    fv8,fv4                 ! fr7 = incidence
        fldi0   fr0
        fcmp/gt fr0,fr7
        bf      2f
        fmov    fr7,fr0
2:
        channel fr1,fr12                ! red
        mov     r0,r2
        channel fr2,fr13                ! green
        shll8   r2
        or      r0,r2
        channel fr3,fr14                ! blue
        shll8   r2
        or      r0,r2
        or      r3,r2
        mov.l   r2,@r7
        dt      r6
        bf/s    1b
        add     #4,r7
3:
        fmov.s  @r15+,fr15
        fmov.s  @r15+,fr14
        fmov.s  @r15+,fr13
        rts
        fmov.s  @r15+,fr12
limit:  .short  255
        .size   _transform_normals_and_light, .-_transform_normals_and_light
