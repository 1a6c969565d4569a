#!/usr/bin/env bash
# Installs everything into the project's own folders: .venv (Python packages, uv, node, npm) and node_modules.
# Everything is pinned by lock files with hashes. A second call finds the stamp and does nothing.
#   tools/setup.sh          what every target needs
#   tools/setup.sh system   what the tests need from the machine: PostgreSQL's server and Chromium
#   tools/setup.sh packages what making packages needs, and trying them on machines of their own (as root)
# SSL_CERT_FILE names the certificate authority of a TLS proxy on the way to the packages.
set -euo pipefail
cd "$(dirname "$0")/.."

say() { printf '%s\n' "$*" >&2; }
fail() { say "setup: $*"; exit 1; }

install_package() { # package, what it is for
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    say "setup: installing $1 ($2)"
    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$1"; } >/dev/null 2>&1 \
      || fail "$1 ($2) could not be installed."
  else
    fail "$1 ($2) is missing: run as root 'apt-get install -y $1', then try again."
  fi
}

system() {
  if ! compgen -G '/usr/lib/postgresql/*/bin/postgres' >/dev/null && ! command -v postgres >/dev/null; then
    # An ordinary user can run the server that comes in the virtual environment; root cannot.
    [ "$(id -u)" = 0 ] && install_package postgresql "the database of the tests"
  fi
  command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null \
    || install_package chromium "the browser of the tests"
  # The same without windows costs a third less. Where it cannot be had, the other one does.
  if [ "$(id -u)" = 0 ] && ! command -v chromium-headless-shell >/dev/null; then
    (install_package chromium-headless-shell "the browser of most tests") || say "setup: they take chromium"
  fi
}

packages() {
  command -v dh >/dev/null || install_package debhelper "the tool that makes Debian packages"
  command -v mmdebstrap >/dev/null || install_package mmdebstrap "the tool that makes the image's base"
  if [ "$(id -u)" != 0 ]; then
    command -v newuidmap >/dev/null || install_package uidmap "what lets an ordinary user make the image's base"
    return 0
  fi
  command -v systemd-nspawn >/dev/null || install_package systemd-container "machines to try the packages on"
  command -v ip >/dev/null || install_package iproute2 "the network of these machines"
}

fingerprint() {
  pwd  # a moved checkout has editable installs that point nowhere
  sha256sum tools/setup.sh tools/bootstrap.lock requirements.lock {cloud,edge,tools}/pyproject.toml
  find firmware -name '*.lock' -not -path '*/node_modules/*' -exec sha256sum {} + | sort
  find web firmware -name package-lock.json -not -path '*/node_modules/*' -exec sha256sum {} + | sort
}

python_packages() {
  python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || fail "Python 3.11 or newer is missing."
  [ -x .venv/bin/pip ] || python3 -m venv --clear .venv >/dev/null 2>&1 || {
    install_package python3-venv "virtual environments"
    python3 -m venv --clear .venv
  }
  say "setup: Python packages"
  .venv/bin/python -m pip install -q --disable-pip-version-check --require-hashes -r tools/bootstrap.lock
  # Without build isolation the few source packages are built by the locked setuptools, not by one fetched on the side.
  .venv/bin/uv pip sync -q --compile-bytecode --require-hashes --no-build-isolation requirements.lock
  .venv/bin/uv pip install -q --no-deps --no-build-isolation -e cloud -e edge -e tools
}

# Each looks for further certificate authorities under another name; uv looks at this one.
if [ -n "${SSL_CERT_FILE:-}" ]; then
  [ -r "$SSL_CERT_FILE" ] || fail "SSL_CERT_FILE names $SSL_CERT_FILE, which cannot be read."
  export NODE_EXTRA_CA_CERTS="${NODE_EXTRA_CA_CERTS:-$SSL_CERT_FILE}" PIP_CERT="${PIP_CERT:-$SSL_CERT_FILE}"
  export REQUESTS_CA_BUNDLE="${REQUESTS_CA_BUNDLE:-$SSL_CERT_FILE}"
fi

node_packages() { # folder
  [ -f "$1/package-lock.json" ] || return 0
  say "setup: node packages of $1"
  (cd "$1" && PATH="$OLDPWD/.venv/bin:$PATH" npm ci --no-audit --no-fund --loglevel=error >/dev/null)
}

stubs() { # what the boards' own modules look like, for the type checker: apart from .venv, where they would hide Python's
  local lock
  for lock in firmware/stubs/*.lock; do
    [ -f "$lock" ] || continue
    say "setup: stubs of $(basename "$lock" .lock)"
    rm -rf "firmware/typings/$(basename "$lock" .lock)"
    .venv/bin/uv pip install -q --no-deps --require-hashes --target "firmware/typings/$(basename "$lock" .lock)" -r "$lock"
  done
}

case "${1:-}" in
system) system; exit 0 ;;
packages) packages; exit 0 ;;
esac
stamp=.venv/.stempelwerk-setup
if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$(fingerprint)" ]; then exit 0; fi
python_packages
for folder in web firmware; do node_packages "$folder"; done
stubs
fingerprint >"$stamp"
say "setup: done"
