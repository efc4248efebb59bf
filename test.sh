#!/usr/bin/env bash
# Installs what the tests need, then checks formatting, lints, documentation and runs every test.
set -euo pipefail
cd "$(dirname "$0")"

command -v cargo >/dev/null || { echo "Rust is needed: https://rustup.rs" >&2; exit 1; }

echo "== format"
cargo fmt --all --check
echo "== lints"
cargo clippy --workspace --all-targets --locked -- -D warnings
echo "== documentation"
RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked
echo "== tests"
cargo test --workspace --locked
