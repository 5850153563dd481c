#!/usr/bin/env bash
# Has the compiler look at the program for other systems. Nothing is linked or run, so no C compiler for them is needed: C is
# taken as compiled.
# usage: tests/targets.sh [TARGET...]; targets as rustup names them, or else those of rustup that are below.
# Needs rustup's standard library of each target: rustup target add TARGET.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"
needs cargo rustup
cd "$root"
[ "$#" -gt 0 ] || set -- aarch64-unknown-linux-gnu x86_64-unknown-linux-musl aarch64-apple-darwin x86_64-unknown-freebsd \
  x86_64-pc-windows-gnu
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-target/targets} RUSTFLAGS='-D warnings'
for target; do
  rustup target list --installed | grep -qx "$target" || rustup target add "$target" > /dev/null
  SECONDS=0
  env "CC_${target//-/_}=true" "AR_${target//-/_}=true" cargo check --quiet --locked -p heap-tools --bins --target "$target"
  echo "$target: $SECONDS s"
done
