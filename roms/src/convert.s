! Pixels from 5-bit blue, green, red to 5-bit red, 6-bit green, 5-bit blue.
!
! void convert_single(const uint16_t *src, uint16_t *dst, uint32_t pixels)
!   one pixel at a time
! void convert_pairs(const uint32_t *src, uint32_t *dst, uint32_t pairs)
!   two pixels in a word, one word at a time
! void convert_fours(const uint32_t *src, uint32_t *dst, uint32_t fours)
!   four such words in a loop: all are loaded, then all stored
!
!   in        r4 src, r5 dst, r6 count; src and dst aligned to what is loaded at once
!   clobbers  r0-r7, T

        .include "timing.inc"

! Converts the word in VALUE, whose halves are pixels. r7, r8 and r9 hold the masks of red, green and blue as they are
! in the end.
        .macro  convert value temp
        mov     \value,\temp
        shll8   \value
        shll2   \value
        add     \value,\value
        and     r7,\value
        mov     \temp,r3
        add     r3,r3
        and     r8,r3
        shlr8   \temp
        or      r3,\value
        shlr2   \temp
        and     r9,\temp
        or      \temp,\value
        .endm

        .macro  masks label
        mov.l   r8,@-r15
        mov.l   r9,@-r15
        mov.l   \label,r7
        mov.l   \label+4,r8
        mov.l   \label+8,r9
        .endm

        function convert_single
        masks   2f
1:
        mov.w   @r4+,r0
        dt      r6
        extu.w  r0,r0
        convert r0 r1
        mov.w   r0,@r5
        bf/s    1b
        add     #2,r5
        mov.l   @r15+,r9
        rts
        mov.l   @r15+,r8
        .align  2
2:
        .long   0xf800,0x07c0,0x001f

        function convert_pairs
        masks   2f
1:
        mov.l   @r4+,r0
        dt      r6
        convert r0 r1
        mov.l   r0,@r5
        bf/s    1b
        add     #4,r5
        mov.l   @r15+,r9
        rts
        mov.l   @r15+,r8
        .align  2
2:
        .long   0xf800f800,0x07c007c0,0x001f001f

        function convert_fours
        masks   2f
        mov.l   r10,@-r15
        mov.l   r11,@-r15
1:
        mov.l   @r4+,r0
        mov.l   @r4+,r1
        mov.l   @r4+,r2
        mov.l   @r4+,r10
        convert r0 r11
        convert r1 r11
        convert r2 r11
        convert r10 r11
        mov.l   r0,@r5
        dt      r6
        mov.l   r1,@(4,r5)
        mov.l   r2,@(8,r5)
        mov.l   r10,@(12,r5)
        bf/s    1b
        add     #16,r5
        mov.l   @r15+,r11
        mov.l   @r15+,r10
        mov.l   @r15+,r9
        rts
        mov.l   @r15+,r8
        .align  2
2:
        .long   0xf800f800,0x07c007c0,0x001f001f
