//! heap-suspects. See `man/heap-suspects.1`.

fn main() -> std::process::ExitCode {
    heap_start::start("heap-suspects")
}
