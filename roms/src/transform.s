! Four-component vectors times XMTRX, 16 bytes each, into records of 32 bytes.
!
! void transform_in_turn(const float src[][4], float dst[][8], uint32_t fours, const float matrix[16])
! void transform_grouped(the same)
!
!   in        r4 src (8-byte aligned), r5 dst (32), r6 number of vectors / 4 (2 at least), r7 matrix (8)
!   FPSCR     PR = 0, SZ = 0
!   clobbers  r0, r4-r7, fr0-fr15, XMTRX, T
!
! The first stores a vector and loads the next one in its place, four times in a loop of 16 loads and stores: the
! transformation is always one round behind. The second loads four, transforms, then stores, and prefetches the two
! lines behind those that it reads. From NAME_begin to NAME_end is what was measured: the matrix is there before.

        .include "timing.inc"

        .macro  load_vector low, high
        fmov    @r4+,\low
        fmov    @r4+,\high
        .endm

        .macro  store_pair low, high, to
        fmov    \high,@-\to
        fmov    \low,@-\to
        .endm

        .macro  store_vector low, high
        store_pair \low,\high,r5
        .endm

! One store and one load; the vector loaded before is transformed beside the load.
        .macro  turn low, high, transform, beside="add #48,r5"
        fmov    \high,@-r5
        fmov    \low,@-r5
        fmov    @r4+,\low
        ftrv    xmtrx,\transform
        \beside
        fmov    @r4+,\high
        .endm

        .macro  save_floats
        fmov.s  fr15,@-r15
        fmov.s  fr14,@-r15
        fmov.s  fr13,@-r15
        fmov.s  fr12,@-r15
        .endm

        .macro  restore_floats
        fmov.s  @r15+,fr12
        fmov.s  @r15+,fr13
        fmov.s  @r15+,fr14
        fmov.s  @r15+,fr15
        .endm

        function transform_in_turn
        save_floats
        fschg
        load_xmtrx_pairs r7
        .globl  _transform_in_turn_begin
_transform_in_turn_begin:
        load_vector dr0,dr2
        load_vector dr4,dr6
        ftrv    xmtrx,fv0
        load_vector dr8,dr10
        ftrv    xmtrx,fv4
        load_vector dr12,dr14
        ftrv    xmtrx,fv8
        add     #-1,r6
        add     #16,r5
1:
        turn    dr0,dr2,fv12
        turn    dr4,dr6,fv0
        turn    dr8,dr10,fv4
        turn    dr12,dr14,fv8,"dt r6"
        bf/s    1b
        add     #48,r5

        ftrv    xmtrx,fv12
        store_vector dr0,dr2
        add     #48,r5
        store_vector dr4,dr6
        add     #48,r5
        store_vector dr8,dr10
        add     #48,r5
        store_vector dr12,dr14
        .globl  _transform_in_turn_end
_transform_in_turn_end:
        fschg
        restore_floats
        rts
        nop

        function transform_grouped
        save_floats
        fschg
        load_xmtrx_pairs r7
        .globl  _transform_grouped_begin
_transform_grouped_begin:
        mov     r4,r0
        add     #64,r0
        add     #16,r5
        mov     r5,r7
        add     #32,r7
1:
        pref    @r0
        add     #32,r0
        load_vector dr0,dr2
        load_vector dr4,dr6
        ftrv    xmtrx,fv0
        load_vector dr8,dr10
        ftrv    xmtrx,fv4
        load_vector dr12,dr14
        ftrv    xmtrx,fv8
        pref    @r0
        ftrv    xmtrx,fv12
        add     #32,r0
        store_pair dr0,dr2,r5
        store_pair dr4,dr6,r7
        add     #80,r5
        store_pair dr8,dr10,r5
        add     #80,r7
        dt      r6
        store_pair dr12,dr14,r7
        add     #80,r5
        bf/s    1b
        add     #80,r7
        .globl  _transform_grouped_end
_transform_grouped_end:
        fschg
        restore_floats
        rts
        nop
