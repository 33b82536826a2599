//! Functions that JavaScript calls.
//!
//! The page writes a request and its bytes into the buffer of [`reserve`], calls [`perform`], and reads the
//! reply at [`json`] and [`data`]. The buffer is valid until the next [`reserve`] or [`perform`]. The
//! addresses from [`json`] and [`data`] are valid until the next [`perform`], which replaces the reply.
//!
//! The module imports one function, [`read_slice`], and calls it to read disc images.

#![allow(
    unsafe_code,
    reason = "`unsafe(no_mangle)` promises that no other function has the name; all are in this file. \
              `unsafe extern` promises the types of `read_slice`, which only swirl.js defines"
)]

use crate::{Reply, Session};
use std::cell::RefCell;

#[link(wasm_import_module = "page")]
unsafe extern "C" {
    /// Copies bytes of a file that the user opened to the address from [`slice_buffer`]. Returns 0, or 1 if
    /// the browser cannot read the file.
    safe fn read_slice(file: u32, offset: f64, length: usize) -> u32;
}

struct State {
    session: Session,
    input: Vec<u8>,
    reply: Reply,
}

impl Default for State {
    fn default() -> Self {
        Self {
            session: Session::new(read),
            input: Vec::new(),
            reply: Reply::default(),
        }
    }
}

fn read(file: u32, offset: u64, buffer: &mut [u8]) -> bool {
    let is_read = read_slice(file, offset as f64, buffer.len()) == 0;
    SLICE.with_borrow(|slice| match slice.get(..buffer.len()) {
        Some(slice) if is_read => {
            buffer.copy_from_slice(slice);
            true
        }
        _ => false,
    })
}

thread_local! {
    static STATE: RefCell<State> = RefCell::default();
    static SLICE: RefCell<Vec<u8>> = RefCell::default();
    // Message of a panic, which is a defect of swirl. The page shows it and starts a new module.
    static PANIC: RefCell<String> = RefCell::default();
}

fn with<T>(work: impl FnOnce(&mut State) -> T) -> T {
    STATE.with_borrow_mut(work)
}

/// Makes room for a request of some bytes and returns its address.
#[unsafe(no_mangle)]
extern "C" fn reserve(bytes: usize) -> *const u8 {
    with(|state| {
        state.input.clear();
        state.input.resize(bytes, 0);
        state.input.as_ptr()
    })
}

/// Makes room for bytes of a disc image and returns its address.
#[unsafe(no_mangle)]
extern "C" fn slice_buffer(bytes: usize) -> *const u8 {
    SLICE.with_borrow_mut(|slice| {
        slice.resize(bytes, 0);
        slice.as_ptr()
    })
}

/// Performs the request in the buffer: `text` bytes of JSON, then its data. Returns 0, or 1 for an error;
/// the reply is then its message.
#[unsafe(no_mangle)]
extern "C" fn perform(text: usize) -> u32 {
    std::panic::set_hook(Box::new(|info| PANIC.set(info.to_string())));
    with(|state| {
        let input = std::mem::take(&mut state.input);
        let (request, data) = input.split_at(text.min(input.len()));
        let request = String::from_utf8_lossy(request);
        match state.session.perform(&request, data) {
            Ok(reply) => {
                state.reply = reply;
                0
            }
            Err(failure) => {
                state.reply = Reply {
                    json: failure.0,
                    data: Vec::new(),
                };
                1
            }
        }
    })
}

/// Address of the reply's text.
#[unsafe(no_mangle)]
extern "C" fn json() -> *const u8 {
    with(|state| state.reply.json.as_ptr())
}

/// Bytes of the reply's text.
#[unsafe(no_mangle)]
extern "C" fn json_length() -> usize {
    with(|state| state.reply.json.len())
}

/// Address of the reply's data.
#[unsafe(no_mangle)]
extern "C" fn data() -> *const u8 {
    with(|state| state.reply.data.as_ptr())
}

/// Bytes of the reply's data.
#[unsafe(no_mangle)]
extern "C" fn data_length() -> usize {
    with(|state| state.reply.data.len())
}

/// Address of the message of a panic.
#[unsafe(no_mangle)]
extern "C" fn panic() -> *const u8 {
    PANIC.with_borrow(|text| text.as_ptr())
}

/// Bytes of the message of a panic.
#[unsafe(no_mangle)]
extern "C" fn panic_length() -> usize {
    PANIC.with_borrow(String::len)
}
