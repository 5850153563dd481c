//! heap-to. See `man/heap-to.1`.

fn main() -> std::process::ExitCode {
    heap_start::start("heap-to")
}
