#!/usr/bin/env bash
# Builds the wheel, installs it into a clean environment, checks types and runs the tests, the notebooks and COMPAS.
set -euo pipefail
cd "$(dirname "$0")/.."

place="${CARGO_TARGET_DIR:-target}/python"
pip() { "$1/bin/python" -m pip install -q --disable-pip-version-check "${@:2}"; }

[ -x "$place/tools/bin/mypy" ] || { python3 -m venv "$place/tools" && pip "$place/tools" 'maturin>=1.9.4,<2' mypy numpy; }

# The same profile as that of the other tests: what they have compiled is there already.
rm -rf "$place/wheels"
"$place/tools/bin/maturin" build --profile dev --locked --interpreter python3 --out "$place/wheels" --quiet
wheel=$(echo "$place"/wheels/*.whl)

echo "== Python package: types"
"$place/tools/bin/mypy" python/drystone

echo "== Python package: tests and notebooks"
python3 -m venv --clear "$place/clean"
pip "$place/clean" "$wheel[plot,parquet,notebook]" pytest scipy h5py polars
"$place/clean/bin/python" -m pytest -q -p no:cacheprovider --ignore python/tests/test_compas.py -rs | tee "$place/told"
if grep -q "SKIPPED" "$place/told"; then
    echo "== Python package: no test may be skipped here" >&2
    exit 1
fi

echo "== Python package: beside COMPAS"
# Its packages are large: this environment is kept, and only the wheel is new.
[ -x "$place/compas/bin/pytest" ] || { python3 -m venv "$place/compas" && pip "$place/compas" compas_dem compas_assembly pandas tqdm pytest; }
pip "$place/compas" --force-reinstall --no-deps "$wheel"
"$place/compas/bin/python" -m pytest -q -p no:cacheprovider python/tests/test_compas.py
