//! heap-grep. See `man/heap-grep.1`.

fn main() -> std::process::ExitCode {
    heap_start::start("heap-grep")
}
