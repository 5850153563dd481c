//! heap-top. See `man/heap-top.1`.

fn main() -> std::process::ExitCode {
    heap_cli::main(&heap_toolbox::top::TOOL)
}
