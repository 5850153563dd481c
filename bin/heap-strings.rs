//! heap-strings. See `man/heap-strings.1`.

fn main() -> std::process::ExitCode {
    heap_start::start("heap-strings")
}
