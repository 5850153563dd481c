#!/bin/sh
# The tests that need jq and zstd beside Rust: examples and transcripts that use them, figures that went through jq.
# Arguments go to the test program, such as a part of a test's name.
set -eu
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"
needs jq zstd
cd "$root"
exec cargo test --locked --test it -- --ignored "$@"
