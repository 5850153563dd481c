//! heap-path. See `man/heap-path.1`.

fn main() -> std::process::ExitCode {
    heap_start::start("heap-path")
}
