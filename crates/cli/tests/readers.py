"""Other programs read what `drystone export` writes: meshio the grids, pyarrow the tables."""

import csv
import os
import subprocess
import tempfile
import xml.etree.ElementTree as xml
from pathlib import Path

import meshio
import pyarrow.parquet as parquet

root = Path(__file__).resolve().parents[3]
program = Path(os.environ.get("DRYSTONE", root / "target/debug/drystone")).resolve()
model = root / "examples/oppenheim-arch/model.toml"


def call(*arguments):
    subprocess.run([program, *map(str, arguments)], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


with tempfile.TemporaryDirectory() as folder:
    folder = Path(folder)
    call("run", model, "--out", folder / "out", "--only", "collapse")
    results = folder / "out/collapse"
    for form in ["vtu", "csv", "parquet"]:
        call("export", model, results, folder / form, "--to", form, "--every", 20)

    # Tables: the same numbers, bit by bit.
    with open(results / "history.csv") as file:
        rows = list(csv.DictReader(file))
    history = parquet.read_table(folder / "parquet/history.parquet").to_pydict()
    assert list(history) == list(rows[0]), list(history)
    for name, values in history.items():
        assert values == [float(row[name]) for row in rows], name
    forces = parquet.read_table(folder / "parquet/forces.parquet").to_pydict()
    assert {"time", "a", "b", "normal"} <= set(forces) and "arch.voussoir1" in forces["a"] + forces["b"]
    motion = parquet.read_table(folder / "parquet/motion.parquet").to_pydict()
    with open(folder / "csv/motion.csv") as file:
        assert [float(row["z"]) for row in csv.DictReader(file)] == motion["z"]

    # Grids of blocks: where the table of the motion has them.
    names = list(dict.fromkeys(motion["block"]))
    collection = xml.parse(folder / "vtu/blocks.pvd").getroot().findall("Collection/DataSet")
    times = [float(entry.get("timestep")) for entry in collection]
    assert times == sorted(set(motion["time"])) and len(times) > 10
    for frame in [0, len(times) - 1]:
        grid = meshio.read(folder / "vtu" / collection[frame].get("file"))
        blocks = [int(b) for part in grid.cell_data["block"] for b in part]
        assert sorted(blocks) == list(range(len(names))), blocks
        # Every voussoir is a prism of eight corners; the mean of those is near its centroid.
        for block in range(len(names)):
            corners = grid.points[8 * block : 8 * block + 8]
            row = frame * len(names) + block
            place = [motion[axis][row] for axis in "xyz"]
            assert max(abs(corners.mean(axis=0) - place)) < 0.2, (frame, names[block])

    # Grids of contact points: the whole vertical force on the arch at rest is its weight.
    collection = xml.parse(folder / "vtu/contacts.pvd").getroot().findall("Collection/DataSet")
    assert len(collection) > 2
    grid = meshio.read(folder / "vtu" / collection[0].get("file"))
    data = grid.point_data
    assert len(grid.points) == len(data["normal_force"]) > 20
    whole = data["normal_force"][:, None] * data["normal"] + data["shear"]
    assert abs(whole - data["force"]).max() < 1e-9 * abs(data["force"]).max()
    assert data["normal_force"].min() > -1e-6 * data["normal_force"].max()
    rows = [k for k, time in enumerate(forces["time"]) if time == float(collection[0].get("timestep"))]
    assert [forces["normal"][k] for k in rows] == list(data["normal_force"])
print("grids and tables are read back by meshio and pyarrow")
