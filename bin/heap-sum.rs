//! heap-sum. See `man/heap-sum.1`.

fn main() -> std::process::ExitCode {
    heap_start::start("heap-sum")
}
