! Reads of 32 bytes and store queues sent, in three orders; four of each in a loop.
!
! void queue_rrrrwwww(const void *src, void *queue, uint32_t fours)
! void queue_rrwwrrww(the same)
! void queue_rwrwrwrw(the same)
!
!   in        r4 src (32-byte aligned, not cached), r5 store queue address, r6 number of pairs / 4
!   clobbers  r4-r6, T
!
! A read is a PREF, so that nothing but the bus has to be waited for; what the queues hold does not matter.

        .include "timing.inc"

        .macro  read
        pref    @r4
        add     #32,r4
        .endm

        .macro  write
        pref    @r5
        add     #32,r5
        .endm

        function queue_rrrrwwww
1:      read
        read
        read
        read
        dt      r6
        write
        write
        write
        write
        bf      1b
        rts
        nop

        function queue_rrwwrrww
1:      read
        read
        write
        write
        dt      r6
        read
        read
        write
        write
        bf      1b
        rts
        nop

        function queue_rwrwrwrw
1:      read
        write
        read
        write
        dt      r6
        read
        write
        read
        write
        bf      1b
        rts
        nop
