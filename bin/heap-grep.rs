//! heap-grep. See `man/heap-grep.1`.

fn main() -> std::process::ExitCode {
    heap_cli::main(&heap_toolbox::grep::TOOL)
}
