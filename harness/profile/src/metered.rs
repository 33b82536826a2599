//! The counting mode under compiled code: its books are the follower's own.

use crate::counter::Counter;
use sh4::Stretch;
use sh4::meter::{Index, Meter, Noted, Part, Standing, Tables};

impl Meter for Counter {
    fn serial(&self) -> u64 {
        self.flow.serial.number()
    }

    fn index(&self) -> Index {
        self.flow.memory.index()
    }

    fn number(&mut self, whole: &Stretch<'_>) -> u32 {
        self.flow.codes.find(whole)
    }

    fn tables(&mut self) -> Tables<'_> {
        self.flow.tables()
    }

    fn catch_up(&mut self, standing: &Standing) {
        self.flow.catch_up(standing);
    }

    fn arrive(&mut self, number: u32, known: &mut u64) -> bool {
        self.flow.arrive(number, known)
    }

    fn settle(&mut self, standing: &mut Standing, part: &Part, first: usize, accesses: &[Noted]) -> bool {
        let Counter { flow, totals, .. } = self;
        let version = flow.version();
        flow.catch_up(standing);
        flow.settle(part, first, accesses, totals);
        *standing = flow.standing();
        flow.version() != version
    }

    fn wait(&mut self, way: u32, base: u64, first: usize, accesses: &[Noted]) -> Option<u64> {
        self.flow.wait(way, base, first, accesses, &mut self.totals)
    }
}
