//! heap-tree. See `man/heap-tree.1`.

fn main() -> std::process::ExitCode {
    heap_cli::main(&heap_toolbox::tree::TOOL)
}
