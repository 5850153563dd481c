//! heap-walk. See `man/heap-walk.1`.

fn main() -> std::process::ExitCode {
    heap_start::start("heap-walk")
}
