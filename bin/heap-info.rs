//! heap-info. See `man/heap-info.1`.

fn main() -> std::process::ExitCode {
    heap_start::start("heap-info")
}
