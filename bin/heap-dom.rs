//! heap-dom. See `man/heap-dom.1`.

fn main() -> std::process::ExitCode {
    heap_start::start("heap-dom")
}
