#!/usr/bin/env bash
# Installs what the tests need, then checks formatting, lints, documentation and runs every test.
set -euo pipefail
cd "$(dirname "$0")"

command -v cargo >/dev/null || { echo "Rust is needed: https://rustup.rs" >&2; exit 1; }

node=no
if command -v node >/dev/null && command -v npm >/dev/null; then
    node=yes
    # npm leaves this file as the last one; packages may have been added since. A build of the program installs only what the page needs.
    if ! [ viewer/node_modules/.package-lock.json -nt viewer/package-lock.json ] || ! [ -x viewer/node_modules/.bin/tsc ]; then
        echo "== packages of the viewer"
        (cd viewer && npm ci --ignore-scripts --no-audit --no-fund)
    fi
fi

echo "== format"
cargo fmt --all --check
echo "== lints"
cargo clippy --workspace --all-targets --locked -- -D warnings
echo "== documentation"
RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked
echo "== tests"
cargo test --workspace --locked

# The program that the tests have built; another build would have other features, and take its time.
program="${CARGO_TARGET_DIR:-target}/debug/drystone"

echo "== files for other programs"
readers="${CARGO_TARGET_DIR:-target}/readers"
if ! command -v python3 >/dev/null; then
    echo "== reading exports: skipped, Python 3 is needed" >&2
elif [ -x "$readers/bin/meshio" ] || { python3 -m venv "$readers" && "$readers/bin/pip" install -q --disable-pip-version-check meshio pyarrow; }; then
    DRYSTONE="$program" "$readers/bin/python" crates/cli/tests/readers.py
else
    echo "== reading exports: skipped, meshio and pyarrow could not be installed" >&2
fi

echo "== Python package"
if command -v python3 >/dev/null; then
    python/test.sh
else
    echo "== Python package: skipped, Python 3.10 or newer is needed" >&2
fi

echo "== campaigns on a Slurm cluster"
if tests/slurm/cluster install; then
    tests/slurm/campaign "$program"
else
    echo "== campaigns on Slurm: skipped, slurm-wlm and munge are needed (apt-get install slurm-wlm munge)" >&2
fi

if [ "$node" = no ]; then
    echo "== viewer: skipped, Node 20 or newer and npm are needed" >&2
    exit 0
fi
echo "== viewer"
(cd viewer && npm run --silent check)
browser() { command -v "${CHROMIUM:-chromium}" >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null; }
if ! browser && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    { apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends chromium; } ||
        echo "== chromium could not be installed" >&2
fi
if browser; then
    (cd viewer && npm test --silent)
else
    echo "== browser tests: skipped, chromium is needed (apt-get install chromium)" >&2
fi
