#!/bin/sh
# The tests that need jq and zstd beside Rust: examples and transcripts that use them, figures that went through jq.
# Arguments go to the test program, such as a part of a test's name.
set -eu
cd "$(dirname "$0")/.."
for program in jq zstd; do
  command -v "$program" >/dev/null || { echo "with-jq.sh: $program is not installed" >&2; exit 2; }
done
exec cargo test --locked --test it -- --ignored "$@"
