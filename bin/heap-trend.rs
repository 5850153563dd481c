//! heap-trend. See `man/heap-trend.1`.

fn main() -> std::process::ExitCode {
    heap_start::start("heap-trend")
}
