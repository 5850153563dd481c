//! heap-walk. See `man/heap-walk.1`.

fn main() -> std::process::ExitCode {
    heap_cli::main(&heap_toolbox::walk::TOOL)
}
