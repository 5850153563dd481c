# shellcheck shell=sh
# What the scripts of this folder share; each sources it first. Says where things are and what is missing, and makes a
# folder to work in.

script=$(basename "$0")
root=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck disable=SC2034 # for those that source this
data=$root/tests/data

# Says what is wrong and ends the script.
fail() { # WORD...
  echo "$script: $*" >&2
  exit 1
}

# Ends the script if a program is missing.
needs() { # PROGRAM...
  for program; do
    command -v "$program" > /dev/null || { echo "$script: $program is not installed" >&2; exit 2; }
  done
}

# Puts the tools first on PATH: those in FOLDER, or else built here; PROFILE is dev or release.
tools() { # PROFILE [FOLDER]
  if [ -n "${2:-}" ]; then
    PATH=$(cd "$2" && pwd):$PATH
    return
  fi
  (cd "$root" && cargo build --locked --bins --profile "$1")
  case $1 in
    dev) set -- debug ;;
  esac
  # CARGO_TARGET_DIR may be relative to the root.
  PATH=$(cd "$root" && cd "${CARGO_TARGET_DIR:-target}/$1" && pwd):$PATH
}

# Makes $work, a folder that is gone when the script ends.
workplace() {
  work=$(mktemp -d)
  # A browser may write into its profile for a moment after it was closed.
  trap 'rm -rf "$work" 2> /dev/null || { sleep 2; rm -rf "$work"; }' EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM
}

# Has npm install packages in $cache, if NAME is not there: CACHE=FOLDER keeps them.
packages() { # NAME WORD...
  cache=${CACHE:-$work/npm}
  mkdir -p "$cache"
  cache=$(cd "$cache" && pwd)
  [ ! -d "$cache/node_modules/$1" ] || return 0
  shift
  (cd "$cache" && npm install --no-audit --no-fund --loglevel=error "$@")
}

# Retained size of the root of a snapshot that heap-to wrote, as heap-dom has it.
root_size() { # SNAPSHOT
  top=$(heap-cat "$1" | sed -n 's/.*"key":"heap.root","value":"\([-0-9]*\)".*/\1/p;/"type":"node_type"/q')
  heap-dom "$1" | grep -m 1 "^{\"type\":\"node\",\"subtype\":[0-9]*,\"identifier\":$top," |
    sed 's/.*"retained":\([0-9]*\).*/\1/'
}

# Has pip install packages into an environment in $cache, and puts its python3 first on PATH: CACHE=FOLDER keeps them.
pypi() { # PACKAGE...
  needs python3
  cache=${CACHE:-$work/pypi}
  mkdir -p "$cache"
  cache=$(cd "$cache" && pwd)
  [ -x "$cache/python/bin/python3" ] || python3 -m venv "$cache/python"
  "$cache/python/bin/pip" install --quiet --disable-pip-version-check "$@"
  PATH=$cache/python/bin:$PATH
}

# Makes ready what the worker of Chrome DevTools runs, in $cache: CACHE=FOLDER keeps it. Needs node and npm.
devtools() {
  packages chrome-devtools-frontend chrome-devtools-frontend@1.0.1705227 esbuild@0.28
  # Its own build makes this list of languages; none is needed here.
  cat > "$cache/node_modules/chrome-devtools-frontend/front_end/core/i18n/locales.js" <<'JS'
export const LOCALES = ['en-US'];
export const BUNDLED_LOCALES = ['en-US'];
export const DEFAULT_LOCALE = 'en-US';
export const REMOTE_FETCH_PATTERN = '';
export const LOCAL_FETCH_PATTERN = '';
JS
  cp "$root/tests/devtools/load.mjs" "$cache"
  (cd "$cache" && node_modules/.bin/esbuild load.mjs --bundle --platform=node --format=esm --log-level=error \
    --loader:.css=empty --outfile=bundle.mjs)
}

# Loads a snapshot into it, and compares what it shows with what the tools say: $work/shown, $work/rows. Status 1 if they
# differ.
in_devtools() { # NAME SNAPSHOT
  if ! node --max-old-space-size=6000 "$cache/bundle.mjs" "$2" > "$work/shown" 2> "$work/err"; then
    echo "NO $1: does not load: $(head -n 3 "$work/err")"
    return 1
  fi
  heap-sum --devtools --json "$2" > "$work/rows"
  top=$(root_size "$2")
  node "$root/tests/devtools/compare.mjs" "$1" "$work/shown" "$work/rows" "$top"
}
