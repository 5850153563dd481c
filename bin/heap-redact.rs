//! heap-redact. See `man/heap-redact.1`.

fn main() -> std::process::ExitCode {
    heap_start::start("heap-redact")
}
