//! heap-suspects. See `man/heap-suspects.1`.

fn main() -> std::process::ExitCode {
    heap_cli::main(&heap_toolbox::suspects::TOOL)
}
