//! `swirl`: the Dreamcast on the command line.

fn main() -> std::process::ExitCode {
    swirl::run()
}
