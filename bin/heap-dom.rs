//! heap-dom. See `man/heap-dom.1`.

fn main() -> std::process::ExitCode {
    heap_cli::main(&heap_toolbox::dom::TOOL)
}
