! An indexed mesh to the tile accelerator.
!
! void submit_indexed(const int16_t offsets[], const float records[][8], void *queue, uint32_t n)
!   sends a vertex for each offset (bytes from records): transformed positions x y z w, then u v and a colour
!
! void light_and_submit(const int16_t offsets[], const float vertices[][8], void *queue, uint32_t n,
!                       const float matrix_and_light[20])
!   transforms and lights each vertex (x y z, normal, u v) every time it is named, and prefetches the next; the light is
!   a direction and 0; one offset more than n is read
!
!   in        r4 offsets, r5 records or vertices (32-byte aligned), r6 store queue address, r7 count
!   FPSCR     PR = 0, SZ = 0
!   clobbers  r0-r7, fr0-fr11, XMTRX, T
!
! Both divide by w. From light_and_submit_begin to light_and_submit_end is what is measured: matrix and light are there
! before.

        .include "timing.inc"

! The command of a vertex, E0000000, in r2.
        .macro  vertex_command
        mov     #-32,r2
        shll16  r2
        shll8   r2
        .endm

        function submit_indexed
        vertex_command
1:
        mov.w   @r4+,r0
        mov     r6,r3
        add     r5,r0
        fldi1   fr2
        fmov.s  @r0+,fr0
        add     #28,r3
        fmov.s  @r0+,fr1
        add     #4,r0
        fmov.s  @r0+,fr3
        fdiv    fr3,fr2
        fmov.s  @r0+,fr4
        add     #32,r6
        fmov.s  @r0+,fr5
        mov.l   @r0,r1
        mov.l   r1,@-r3
        fmov.s  fr5,@-r3
        fmov.s  fr4,@-r3
        fmov.s  fr2,@-r3
        fmul    fr2,fr1
        dt      r7
        fmul    fr2,fr0
        fmov.s  fr1,@-r3
        fmov.s  fr0,@-r3
        mov.l   r2,@-r3
        bf/s    1b
        pref    @r3
        rts
        nop

        function light_and_submit
        mov.l   @r15,r0
        fschg
        load_xmtrx_pairs r0
        fmov    @r0+,dr8
        fmov    @r0+,dr10
        fschg
        vertex_command
        .globl  _light_and_submit_begin
_light_and_submit_begin:
        mov.w   @r4+,r0
        add     r5,r0
1:
        mov.w   @r4+,r1
        mov     r6,r3
        fmov.s  @r0+,fr0
        add     #28,r3
        fmov.s  @r0+,fr1
        add     r5,r1
        fmov.s  @r0+,fr2
        fldi1   fr3
        pref    @r1
        ftrv    xmtrx,fv0
        fmov.s  @r0+,fr4
        add     #32,r6
        fmov.s  @r0+,fr5
        fmov.s  @r0+,fr6
        fldi0   fr7
        fipr    fv8,fv4
        fmov.s  @r0+,fr4
        fldi1   fr2
        fdiv    fr3,fr2
        fldi0   fr6
        fmov.s  @r0,fr5
        mov     r1,r0
        fcmp/gt fr7,fr6
        bf      2f
        fldi0   fr7
2:      fmov.s  fr7,@-r3
        fmov.s  fr5,@-r3
        fmov.s  fr4,@-r3
        fmov.s  fr2,@-r3
        fmul    fr2,fr1
        dt      r7
        fmul    fr2,fr0
        fmov.s  fr1,@-r3
        fmov.s  fr0,@-r3
        mov.l   r2,@-r3
        bf/s    1b
        pref    @r3
        .globl  _light_and_submit_end
_light_and_submit_end:
        rts
        nop
