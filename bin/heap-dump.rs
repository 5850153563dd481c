//! heap-dump. See `man/heap-dump.1`.

fn main() -> std::process::ExitCode {
    heap_cli::main(&heap_toolbox::dump::TOOL)
}
