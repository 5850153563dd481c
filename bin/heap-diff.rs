//! heap-diff. See `man/heap-diff.1`.

fn main() -> std::process::ExitCode {
    heap_start::start("heap-diff")
}
