//! heap-check. See `man/heap-check.1`.

fn main() -> std::process::ExitCode {
    heap_start::start("heap-check")
}
