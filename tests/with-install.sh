#!/usr/bin/env bash
# heap-tools install as an ordinary user: the tools run, `man heap-sum` finds its page, and Tab completes options, values and
# files in bash, zsh and fish, each on a terminal. After uninstall the folder is as it was.
# usage: tests/with-install.sh [PROGRAM]; heap-tools, built here if not given.
# Needs bash-completion, zsh, fish, man-db, python3. Root runs it as the user nobody.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"
needs bash zsh fish man python3
[ -r /usr/share/bash-completion/bash_completion ] || fail 'bash-completion is not installed'
if [ -n "${1:-}" ]; then
  program=$(realpath "$1")
else
  tools dev
  program=$(command -v heap-tools)
fi
workplace
cp "$program" "$work/heap-tools"
cp "$data/v8/leak-3.heapsnapshot.zst" "$work/leak-3.heapsnapshot.zst"
cp "$root/tests/ship/keys.py" "$work/keys.py"
mkdir -m 700 "$work/home"
chmod 755 "$work"
user=()
if [ "$(id -u)" = 0 ]; then
  chown nobody "$work/home"
  user=(setpriv --reuid=nobody --regid=nogroup --clear-groups)
fi
# Nothing of the environment that runs this but what a login has.
as() { # WORD...
  (cd "$work" && "${user[@]}" env -i HOME="$work/home" PATH="$work/home/.local/bin:/usr/bin:/bin" LANG=C.UTF-8 "$@")
}
failed=0
no() { echo "NO $*"; failed=1; }
tree() { (cd "$work/home" && find . | sort); }

before=$(tree)
as "$work/heap-tools" install
as heap-sum --json leak-3.heapsnapshot.zst | grep -q '"class":"Session","count":1200' || no "heap-sum"
for page in '1 heap-sum' '1 heap-tools' '5 heap-records' '7 heap-tools'; do
  # shellcheck disable=SC2086 # section and name
  as man -P cat $page 2> /dev/null | grep -q "^NAME" || no "man $page"
done
as man -w heap-sum 2> /dev/null | grep -q "^$work/home/.local/share/man/man1/heap-sum.1" || no "man -w heap-sum"
echo "the page: $(as man -w heap-sum)"

# Each shell as its packages set it up, with a prompt that ends in `> `.
cat > "$work/bashrc" <<'EOF'
. /usr/share/bash-completion/bash_completion
PS1='> '
bind 'set bell-style none' 'set show-all-if-ambiguous on' 'set completion-query-items 0' 'set page-completions off' \
  'set enable-bracketed-paste off' 2> /dev/null
EOF
mkdir "$work/zsh"
cat > "$work/zsh/.zshrc" <<'EOF'
fpath=("$HOME/.local/share/zsh/site-functions" $fpath)
autoload -U compinit
compinit -u -d /dev/null
unsetopt prompt_cr prompt_sp beep
PS1='> '
EOF
typed() { # SHELL TEXT
  case $1 in
    bash) as python3 keys.py 1.5 "$2" bash --rcfile "$work/bashrc" -i ;;
    zsh) as ZDOTDIR="$work/zsh" python3 keys.py 1.5 "$2" zsh -i ;;
    fish) as fish -c "complete -C '${2%%\\t*}'" ;;
  esac
}
offers() { # SHELL TEXT WORD...
  local shell=$1 text=$2 word
  shift 2
  typed "$shell" "$text\t\t" > "$work/shown" 2>&1 || true
  for word; do
    grep -qF -e "$word" "$work/shown" || no "$shell: '$text' and Tab do not offer $word: $(tr -c '[:print:]' ' ' < "$work/shown")"
  done
}
for shell in bash zsh fish; do
  offers "$shell" 'heap-sum --min' --min-size
  offers "$shell" 'heap-sum --sort ' count retained
  offers "$shell" 'heap-sum lea' leak-3.heapsnapshot.zst
  offers "$shell" 'heap-to --output lea' leak-3.heapsnapshot.zst
  offers "$shell" 'heap-redact --key-file lea' leak-3.heapsnapshot.zst
  offers "$shell" 'heap-sum --sort count lea' leak-3.heapsnapshot.zst
  offers "$shell" 'heap-tools sum lea' leak-3.heapsnapshot.zst
  offers "$shell" 'heap-tools sus' suspects
  offers "$shell" 'heap-sus' heap-suspects
  echo "$shell completes"
done

as heap-tools uninstall
rm -rf "$work/home/.cache" "$work/home/.config" "$work/home/.local/share/fish" # what the shells wrote
[ "$before" = "$(tree)" ] || no "uninstall leaves $(tree)"
# Folders above a prefix go too.
as "$work/heap-tools" install --prefix "$work/home/a/b" > /dev/null
as "$work/heap-tools" uninstall --prefix "$work/home/a/b" > /dev/null
[ "$before" = "$(tree)" ] || no "uninstall leaves $(tree)"
[ "$failed" = 0 ] || fail "failed"
