//! heap-dump. See `man/heap-dump.1`.

fn main() -> std::process::ExitCode {
    heap_start::start("heap-dump")
}
