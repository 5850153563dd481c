//! heap-top. See `man/heap-top.1`.

fn main() -> std::process::ExitCode {
    heap_start::start("heap-top")
}
