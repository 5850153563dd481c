#!/usr/bin/env bash
# The crates as a registry would have them: all are packaged, laid beside their vendored dependencies in a folder that takes the
# place of crates.io, and `cargo install heap-tools` builds from there, with an empty cargo home and without the network. The
# programs read a dump and say what those built here say; the version names no commit.
# usage: tests/with-registry.sh [OPTION...]; further options of cargo install, such as --no-default-features --features v8
# Needs jq, sha256sum, and the network or a filled cargo home for the vendored sources. TOOLS=FOLDER has the tools built already.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"
needs cargo jq sha256sum tar
tools dev "${TOOLS:-}"
workplace
cd "$root"
# cargo publish keeps no packages of a dry run. What compiles is tried by the installation.
cargo publish --dry-run --workspace --locked --no-verify --target-dir "$work/target" > "$work/log" 2>&1 ||
  { cat "$work/log" >&2 && fail "cargo publish --dry-run"; }
cargo package --quiet --workspace --locked --no-verify --target-dir "$work/target"
grep -c '^ *Uploading' "$work/log" | sed 's/$/ crates would be published/'
largest=$(stat -c '%s %n' "$work"/target/package/*.crate | sort -n | tail -n 1)
echo "the largest package: ${largest%% *} bytes, $(basename "${largest#* }")"
[ "${largest%% *}" -le 500000 ] || fail "the package is too large"

cargo vendor --locked --versioned-dirs "$work/vendor" > "$work/config" 2> "$work/log" || fail "cargo vendor: $(tail -n 3 "$work/log")"
for crate in "$work"/target/package/*.crate; do
  tar --directory "$work/vendor" -xzf "$crate"
  name=$(basename "$crate" .crate)
  printf '{"files":{},"package":"%s"}' "$(sha256sum "$crate" | cut -d ' ' -f 1)" > "$work/vendor/$name/.cargo-checksum.json"
done
mkdir "$work/home" "$work/empty"
cat > "$work/home/config.toml" <<EOF
[source.crates-io]
replace-with = "folder"
[source.folder]
directory = "$work/vendor"
EOF
SECONDS=0
(cd "$work/empty" && CARGO_HOME=$work/home CARGO_TARGET_DIR=$work/built \
  cargo install --quiet --offline --locked --root "$work/installed" heap-tools "$@")
bin=$work/installed/bin
echo "cargo install heap-tools: $SECONDS s, $(stat -c %s "$bin/heap-tools") bytes, all programs $(du -cb "$bin"/heap-* | tail -n 1 | cut -f 1)"
dump=$data/v8/leak-3.heapsnapshot.zst
for command in 'sum --json' cat 'suspects --json'; do
  # shellcheck disable=SC2086 # a tool and its option
  cmp <("$bin"/heap-$command "$dump" 2>&1) <(heap-tools $command "$dump" 2>&1) || fail "heap-$command says something else"
done
version=$("$bin/heap-sum" --version)
[ "$version" = "heap-sum ${version##* }" ] || fail "a package names a commit: $version"
echo "$version"
