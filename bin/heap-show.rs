//! heap-show. See `man/heap-show.1`.

fn main() -> std::process::ExitCode {
    heap_start::start("heap-show")
}
