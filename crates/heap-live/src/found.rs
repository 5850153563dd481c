//! What is known of a process that runs a virtual machine.

/// The virtual machine that a process runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vm {
    /// Node.js.
    Node,
    /// OpenJDK, Oracle, GraalVM's JVM.
    HotSpot,
    /// Eclipse OpenJ9.
    OpenJ9,
    /// Deno.
    Deno,
    /// Bun.
    Bun,
    /// Chromium, and programs made of it.
    Chromium,
    /// Dart.
    Dart,
    /// Go.
    Go,
    /// Ruby.
    Ruby,
    /// Python.
    Python,
    /// .NET.
    DotNet,
    /// V8 in a program that is none of these.
    V8,
}

impl Vm {
    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::Node => "node",
            Self::HotSpot => "java",
            Self::OpenJ9 => "openj9",
            Self::Deno => "deno",
            Self::Bun => "bun",
            Self::Chromium => "chromium",
            Self::Dart => "dart",
            Self::Go => "go",
            Self::Ruby => "ruby",
            Self::Python => "python",
            Self::DotNet => "dotnet",
            Self::V8 => "v8",
        }
    }

    /// By what its dump is taken: the number of the process or an address; `None` where there is no way.
    pub fn by(self) -> Option<&'static str> {
        match self {
            Self::Node | Self::HotSpot => Some("number"),
            Self::Deno | Self::Bun | Self::Chromium | Self::Dart | Self::Go | Self::V8 => Some("address"),
            Self::OpenJ9 | Self::Ruby | Self::Python | Self::DotNet => None,
        }
    }
}

/// A process that runs a virtual machine.
#[derive(Debug)]
pub struct Found {
    /// Its number.
    pub pid: u32,
    /// What it runs.
    pub vm: Vm,
    /// Who runs it: a name where there is one.
    pub user: String,
    /// Bytes in memory.
    pub resident: u64,
    /// Its command line.
    pub command: String,
}
