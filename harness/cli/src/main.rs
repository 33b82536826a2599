//! `swirl`: Ninja models, SH4 kernels and the PowerVR2 on the command line.

fn main() -> std::process::ExitCode {
    swirl::run()
}
