#!/usr/bin/env bash
# What tests/ship/packages makes: twice the same bytes, from another folder too; lintian finds nothing but what is argued in
# tests/ship/lintian-overrides; in a fresh Debian the package is installed, used, and removed without a trace; the tarball
# installs itself there.
# usage: tests/with-packages.sh [DEBIAN]; a release of Debian, bookworm if not given.
# Needs root, what tests/ship/packages needs, lintian, debootstrap and the network. CACHE=FOLDER keeps the fresh Debian;
# ONCE=1 takes what is in target/packages already and builds nothing.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"
needs lintian debootstrap chroot git
workplace
[ "$(id -u)" = 0 ] || fail "debootstrap needs root"
packages=$root/target/packages
failed=0
no() { echo "NO $*"; failed=1; }

if [ -z "${ONCE:-}" ]; then
  "$root/tests/ship/packages"
  git clone --quiet "$root" "$work/elsewhere"
  SOURCE_DATE_EPOCH=$(git -C "$root" log -1 --format=%ct) CARGO_TARGET_DIR=$work/elsewhere/target \
    "$work/elsewhere/tests/ship/packages" > "$work/second"
  diff "$packages/SHA256SUMS" "$work/elsewhere/target/packages/SHA256SUMS" || no "the second time it is something else"
fi
(cd "$packages" && sha256sum --check --quiet SHA256SUMS) || no "checksums"

deb=$(ls "$packages"/*.deb)
# Without MAINTAINER nobody answers for the package, and lintian is right to say so.
unnamed=bogus-mail-host,bogus-mail-host-in-debian-changelog
[ -z "${MAINTAINER:-}" ] || unnamed=no-such-tag
lintian --allow-root --suppress-tags "$unnamed" --fail-on warning,error "$deb" || no "lintian"
lintian --allow-root --show-overrides "$deb" | grep '^O:' || true

# A fresh Debian. dpkg of a small root leaves pages and docs out; then they are not tried.
fresh=${CACHE:-$work}/debian-${1:-bookworm}
if [ ! -d "$fresh/var/lib/dpkg" ]; then
  debootstrap --variant=minbase --include=man-db,bash-completion "${1:-bookworm}" "$fresh" > "$work/log" 2>&1 ||
    fail "debootstrap: $(tail -n 3 "$work/log")"
fi
inside() { chroot "$fresh" env -i PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 HOME=/root "$@"; }
everything() { (cd "$fresh" && find . -path ./proc -prune -o -print | grep -v -e '^./var/log/' -e '^./var/cache/man/' -e '-old$' | sort); }
inside mandb --quiet || true
everything > "$work/before"
cp "$deb" "$fresh/tmp/heap-tools.deb"
inside dpkg --install /tmp/heap-tools.deb > "$work/log" 2>&1 || no "dpkg --install: $(cat "$work/log")"
rm "$fresh/tmp/heap-tools.deb"
inside dpkg -L heap-tools > "$work/files"
echo "$(wc -l < "$work/files") files, for instance:"
grep -e '/heap-sum' -e '/doc/heap-tools/' "$work/files"
while read -r file; do
  [ -e "$fresh/$file" ] || [ -L "$fresh/$file" ] || no "$file is not there"
done < "$work/files"
inside heap-suspects --json < "$data/v8/leak-3.heapsnapshot.zst" | head -n 2 | grep -q 'global.__leak' || no "heap-suspects"
inside heap-sum --version
inside man -P cat heap-sum 2> /dev/null | grep -q '^NAME' || no "man heap-sum"
inside bash -c '. /usr/share/bash-completion/bash_completion; _completion_loader heap-sum; complete -p heap-sum' ||
  no "completion"
inside dpkg --purge heap-tools > "$work/log" 2>&1 || no "dpkg --purge: $(cat "$work/log")"
everything | diff "$work/before" - || no "something is left"

tar --directory "$fresh/tmp" -xzf "$packages"/*.tar.gz
inside sh -c 'cd /tmp/heap-tools-* && ./heap-tools install && heap-sum --version && heap-tools uninstall' > "$work/log" 2>&1 ||
  no "the tarball: $(cat "$work/log")"
rm -rf "$fresh"/tmp/heap-tools-*
everything | diff "$work/before" - || no "something is left of the tarball"
[ "$failed" = 0 ] || fail "failed"
