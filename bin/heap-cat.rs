//! heap-cat. See `man/heap-cat.1`.

fn main() -> std::process::ExitCode {
    heap_start::start("heap-cat")
}
