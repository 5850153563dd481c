//! heap-view. See `man/heap-view.1`.

fn main() -> std::process::ExitCode {
    heap_start::start("heap-view")
}
