//! heap-sum. See `man/heap-sum.1`.

fn main() -> std::process::ExitCode {
    heap_cli::main(&heap_toolbox::sum::TOOL)
}
