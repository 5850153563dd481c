#!/usr/bin/env bash
# Has the oldest compiler that Cargo.toml promises look at the program and the libraries.
# usage: tests/rust-version.sh
# Needs rustup, and the network the first time.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"
needs cargo rustup
cd "$root"
version=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
[ -n "$version" ] || fail 'Cargo.toml has no rust-version'
toolchain=$version.0
rustup toolchain list | grep -q "^$toolchain-" || rustup toolchain install --profile minimal "$toolchain"
SECONDS=0
CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-target/rust-version} RUSTFLAGS='-D warnings' \
  cargo "+$toolchain" check --quiet --locked --workspace
echo "$(cargo "+$toolchain" --version): $SECONDS s"
