#!/usr/bin/env bash
# The one command of the project: readies Python and Node packages from the lock files,
# then hands over to `python -m macros`. A second run installs nothing again.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

readonly VENV=.venv
readonly PYTHON=$VENV/bin/python
readonly LOG=build/install.log

usage() {
  cat <<'TEXT'
Usage: ./site-build.sh [COMMAND] [OPTIONS]

  build              build the whole site into site/ (the default)
  serve [--port N]   build the site and serve it on 127.0.0.1 (port 8000)
  test               run every check: format, lint, types, rule data, engine, pages, real browser
  bench [--quick]    measure the engine, the browser start and the build; writes docs/bench.json

Needs bash, Python 3.13, and Node 18 or newer with npm. Everything else is installed from the
lock files into .venv and node_modules.
TEXT
}

fail() {
  printf '%s\n' "site-build.sh: $1" >&2
  exit "${2:-1}"
}

# step TITLE HINT COMMAND...: run a long command quietly, with a dot every two seconds. When it fails,
# show the end of its log, then HINT as the closing line.
step() {
  local title=$1 hint=$2 pid
  shift 2
  mkdir -p build
  printf '%s ' "$title" >&2
  "$@" >"$LOG" 2>&1 </dev/null &
  pid=$!
  while kill -0 "$pid" 2>/dev/null; do
    printf '.' >&2
    sleep 2
  done
  if wait "$pid"; then
    printf ' done\n' >&2
  else
    printf ' failed\n' >&2
    tail -n 15 "$LOG" >&2
    fail "$hint (full log: $LOG)"
  fi
}

# A name on the PATH may be a shim that runs no Python at all, so each candidate is tried.
is_python() {
  "$1" -c 'import sys, ensurepip, venv; sys.exit(sys.version_info[:2] != (3, 13))' >/dev/null 2>&1
}

find_python() {
  local candidate
  for candidate in python3.13 python3 \
    "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.13*/bin/python3.13 \
    /usr/local/bin/python3.13 /opt/homebrew/bin/python3.13 \
    "$(uv python find 3.13 2>/dev/null || true)"; do
    if [[ -n $candidate ]] && is_python "$candidate"; then
      printf '%s\n' "$candidate"
      return
    fi
  done
  return 1
}

ready_python() {
  local python
  if ! is_python "$PYTHON"; then
    python=$(find_python) || fail "Python 3.13 with venv is missing: install it, for example with \
'pyenv install 3.13', 'uv python install 3.13' or your system's packages, and run this again"
    step "Making $VENV" "could not make $VENV: see whether '$python -m venv' works here" \
      "$python" -m venv --clear "$VENV"
  fi
  if ! cat requirements-build.txt requirements.txt | cmp -s - "$VENV/installed.txt"; then
    local hint='could not install the Python packages: check that pip reaches a package index'
    # First what builds the few packages that come as source, so that the build is pinned too.
    step 'Installing the Python build tools' "$hint" \
      "$PYTHON" -m pip install --require-hashes -r requirements-build.txt
    step 'Installing the Python packages (about a minute)' "$hint" \
      "$PYTHON" -m pip install --require-hashes --no-build-isolation -r requirements.txt
    cat requirements-build.txt requirements.txt >"$VENV/installed.txt"
  fi
}

ready_node() {
  node -e 'process.exit(parseInt(process.versions.node) < 18 ? 1 : 0)' >/dev/null 2>&1 ||
    fail 'Node 18 or newer is missing: install it from your system'"'"'s packages or nodejs.org, and run this again'
  command -v npm >/dev/null ||
    fail 'npm is missing: install it beside Node from your system'"'"'s packages, and run this again'
  if ! cmp -s package-lock.json node_modules/installed.json; then
    step 'Installing the Node packages' \
      'could not install the Node packages: check that npm reaches a package registry' \
      npm ci --no-audit --no-fund
    cp package-lock.json node_modules/installed.json
  fi
}

command=${1:-build}
case $command in
  -h | --help | help)
    usage
    exit
    ;;
  build | serve | test | bench) ;;
  *) fail "unknown command '$command': use build, serve, test or bench (--help explains)" 2 ;;
esac
shift || true

ready_python
ready_node
exec "$PYTHON" -m macros "$command" "$@"
