//! heap-to. See `man/heap-to.1`.

fn main() -> std::process::ExitCode {
    heap_cli::main(&heap_toolbox::to::TOOL)
}
