#!/bin/sh
# The tests that need jq and zstd beside Rust: examples and transcripts that use them, figures that went through jq.
# usage: tests/with-jq.sh [NAME...]; parts of the names of tests, those that use them if none is given.
set -eu
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"
needs jq zstd
cd "$root"
[ $# -gt 0 ] || set -- jq transcripts_hold examples
HEAP_TESTS=everything exec cargo test --locked --test it -- --include-ignored "$@"
