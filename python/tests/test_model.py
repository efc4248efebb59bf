"""Models made in Python are those of model files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from conftest import EXAMPLES, call

import drystone


def test_what_is_in_it(block: drystone.Model) -> None:
    assert block.names == ["ground", "stone"]
    assert block.supports.tolist() == [True, False]
    assert block.masses[1] == pytest.approx(4000.0, rel=1e-14)
    assert block.centroids[1] == pytest.approx([0, 0, 1], abs=1e-14)
    assert block.weight == pytest.approx(4000.0 * 9.81, rel=1e-14)
    vertices, faces = block.mesh("stone")
    assert vertices.shape == (8, 3) and len(faces) == 6
    found = block.check()
    assert found["blocks"] == 2 and found["contact_points"] == 4


def test_files_keep_the_model(block: drystone.Model, tmp_path: Path) -> None:
    block.load("stone", force=np.array([1.0, 0, 0]), live=True).motion("pulse", "one_sine", amplitude=8.0, half_period=0.25, direction=[1, 0, 0])
    for name in ("model.toml", "model.json"):
        again = drystone.Model.from_file(block.to_file(tmp_path / name))
        assert again.tree == block.tree
    with pytest.raises(drystone.InputError, match="overwrite=True"):
        block.to_file(tmp_path / "model.toml")
    with pytest.raises(drystone.InputError, match="neither TOML nor JSON"):
        block.to_file(tmp_path / "model.txt")


def test_a_file_that_was_not_changed_has_the_hash_of_the_command_line(command: list[str]) -> None:
    import json

    path = EXAMPLES / "facade-tie" / "pushover.toml"
    told = json.loads(call(command, "check", str(path), "--json").stdout)
    model = drystone.Model.from_file(path)
    assert model.check() == told
    assert model.compile().sha256 == told["model_sha256"]
    model.tree["model"]["gravity"] = 9.0
    assert model.compile().sha256 != told["model_sha256"]


def test_every_example_goes_through_python_unchanged(tmp_path: Path) -> None:
    # The church and the house take seconds to compile; the others have all keys.
    paths = [path for path in sorted(EXAMPLES.glob("*/*.toml")) if path.parent.name not in ("church", "stone-house")]
    assert len(paths) > 20
    for path in paths:
        model = drystone.Model.from_file(path)
        again = drystone.Model.from_text(model.to_toml(), folder=path.parent)
        assert again.tree == model.tree, path


def test_generators_and_meshes() -> None:
    arch = drystone.Model().material("stone", density=2000.0).interface(friction=0.8)
    arch.generate("arch", radius=5.0, thickness=1.0, depth=1.0, voussoirs=7, material="stone")
    assert len(arch.names) >= 7
    meshes = [arch.mesh(name) for name in arch.names]
    twin = drystone.Model.from_meshes(
        [vertices for vertices, _ in meshes],
        [faces for _, faces in meshes],
        names=arch.names,
        supports=[name for name, support in zip(arch.names, arch.supports, strict=True) if support],
        friction=0.8,
    )
    assert twin.weight == pytest.approx(arch.weight, rel=1e-12)
    a = drystone.limit(arch, direction=[1, 0, 0]).multiplier
    b = drystone.limit(twin, direction=[1, 0, 0]).multiplier
    # Vertices of voussoirs are not exactly in their planes; 1e-8 is what limit analyses promise.
    assert a is not None and a == pytest.approx(b, rel=1e-7)


def test_faults_have_the_text_of_the_command_line(tmp_path: Path, command: list[str]) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text('[[material]]\nname = "stone"\ndensitty = 2000.0\n')
    with pytest.raises(drystone.InputError) as fault:
        drystone.Model.from_file(path)
    told = call(command, "check", str(path))
    assert told.returncode == 2
    assert str(fault.value).strip() == told.stderr.strip()
    assert "density" in str(fault.value)
    assert isinstance(fault.value, ValueError)


def test_faults_of_models_made_here(block: drystone.Model) -> None:
    with pytest.raises(drystone.InputError, match="ston"):
        block.copy().load("ston", force=[1, 0, 0]).compile()
    with pytest.raises(drystone.InputError, match="not a finite number"):
        block.copy().load("stone", force=[float("nan"), 0, 0])
    with pytest.raises(drystone.InputError, match=r"\(n, 3\)"):
        block.copy().block("b", np.zeros((4, 2)))
    with pytest.raises(drystone.InputError, match="has no place in a model"):
        block.copy().motion("m", "one_sine", amplitude=1j)
    with pytest.raises(drystone.InputError, match="overlap"):
        block.copy().box("twin", size=(1, 1, 2), centre=(0.1, 0, 1)).compile()
    with pytest.raises(drystone.InputError, match="say its material"):
        drystone.Model().box("b", size=(1, 1, 1), centre=(0, 0, 0))


def test_notes_are_warnings(block: drystone.Model) -> None:
    block.tree["interface"][0]["normal_stiffness"] = 1e9
    with pytest.warns(drystone.Note, match="have no effect"):
        block.compile()


def test_numbers_may_have_units(block: drystone.Model) -> None:
    plain, units = block.copy(), block.copy()
    plain.load("stone", [0, 0, -1500.0])
    units.load("stone", [0, 0, "-1.5 kN"])  # type: ignore[list-item]
    plain.motion("m", "one_sine", amplitude=0.19 * 9.80665, half_period=0.25)
    units.motion("m", "one_sine", amplitude="0.19 g", half_period="250 ms")
    found = [drystone.equilibrium(model).summary["reaction"] for model in (plain, units)]
    assert found[0] == found[1]
    with pytest.raises(drystone.InputError, match="is a force, not an acceleration"):
        block.motion("m", "one_sine", amplitude="0.19 kN", half_period=0.25).compile()


@pytest.mark.filterwarnings("ignore::drystone.Note")
def test_notes_are_part_of_results(block: drystone.Model) -> None:
    block.tree["interface"][0]["normal_stiffness"] = 1e9
    result = drystone.equilibrium(block)
    assert any("have no effect" in note for note in result.notes)
    assert result.notes == result["notes"]


def test_faces_and_supports_are_not_guessed() -> None:
    box = [[x, y, z] for z in (0, 1) for y in (0, 1) for x in (0, 1)]
    with pytest.raises(drystone.InputError, match="1.5"):
        drystone.Model().material("stone", density=2000.0).block("a", box, [[0, 1.5, 2]])  # type: ignore[list-item]
    with pytest.raises(drystone.InputError, match="mask"):
        drystone.Model.from_meshes([box, box], supports=np.array([1, 0]))
    with pytest.raises(drystone.InputError, match="No such file"):
        drystone.Model.from_file("/nowhere/model")
