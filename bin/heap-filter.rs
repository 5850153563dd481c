//! heap-filter. See `man/heap-filter.1`.

fn main() -> std::process::ExitCode {
    heap_start::start("heap-filter")
}
