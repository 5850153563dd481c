//! heap-names. See `man/heap-names.1`.

fn main() -> std::process::ExitCode {
    heap_start::start("heap-names")
}
