//! heap-tree. See `man/heap-tree.1`.

fn main() -> std::process::ExitCode {
    heap_start::start("heap-tree")
}
