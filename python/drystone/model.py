"""Models: blocks, supports, interfaces, loads, ties, motions and questions.

A :class:`Model` is the tree of a model file, in the same words. SI units everywhere (m, kg, s, N, Pa, rad), z up.
"""

from __future__ import annotations

import copy
import json
import math
import os
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _engine, _fork
from .errors import ComputationError, InputError, Note

if TYPE_CHECKING:
    from ._progress import Progress
    from .results import Result

Vector = Sequence[float] | npt.NDArray[np.floating[Any]]
Array = npt.NDArray[np.float64]


def plain(value: Any, where: str) -> Any:
    """A value as JSON has it: numpy arrays as lists, paths as text. Numbers that are not finite have no place in a model."""
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, (np.bool_,)):
        return bool(value)
    if isinstance(value, (int, np.integer)):
        return int(value)
    if isinstance(value, (float, np.floating)):
        number = float(value)
        if not math.isfinite(number):
            raise InputError(f"{where}: {number} is not a finite number")
        return number
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, np.ndarray):
        if value.dtype.kind not in "biuf":
            raise InputError(f"{where}: an array of {value.dtype}, but numbers are needed")
        if value.dtype.kind == "f" and not np.isfinite(value).all():
            raise InputError(f"{where}: the array holds numbers that are not finite")
        return value.tolist()
    if isinstance(value, Mapping):
        for key in value:
            if not isinstance(key, str):
                raise InputError(f"{where}: the key {key!r} is not a text")
        return {key: plain(item, f"{where}.{key}") for key, item in value.items() if item is not None}
    if isinstance(value, (list, tuple, range)):
        return [plain(item, f"{where}[{index}]") for index, item in enumerate(value)]
    raise InputError(f"{where}: {type(value).__name__} has no place in a model; numbers, texts, lists and dictionaries have")


def _chosen(blocks: Iterable[Any], count: int) -> set[Any]:
    """Blocks by index or name, or a mask with a truth value per block."""
    chosen = list(blocks)
    if chosen and all(isinstance(item, (bool, np.bool_)) for item in chosen):
        if len(chosen) != count:
            raise InputError(f"supports: a mask of {len(chosen)}, but there are {count} blocks")
        return {index for index, item in enumerate(chosen) if item}
    whole = [int(item) for item in chosen if isinstance(item, (int, np.integer))]
    # Ones and zeros in the length of a mask are more likely one than a list of blocks.
    if len(whole) > len(set(whole)) or (count > 1 and len(whole) == count and set(whole) <= {0, 1}):
        raise InputError("supports: numbers are indices of blocks, each once; a mask has truth values: numpy.array(mask, dtype=bool)")
    return {int(item) if isinstance(item, np.integer) else item for item in chosen}


def _files(tree: Any) -> Iterator[str]:
    """The files that a model names."""
    if isinstance(tree, dict):
        for key, value in tree.items():
            if key == "path" and isinstance(value, str):
                yield value
            else:
                yield from _files(value)
    elif isinstance(tree, list) and tree and isinstance(tree[0], dict):
        for item in tree:
            yield from _files(item)


def _stamp(path: Path) -> tuple[int, int]:
    try:
        found = path.stat()
    except (OSError, ValueError):
        return 0, 0
    return found.st_mtime_ns, found.st_size


class Model:
    """A structure with its actions and analyses.

    The methods that add something return the model, so that they can be chained. Keyword arguments are the keys of model files; the
    book's page "Model file" lists them. Nothing is checked before the model is used, and then everything at once.

    >>> model = Model("two stones")
    >>> _ = model.material("stone", density=2000.0).interface(friction=0.7)
    >>> _ = model.box("ground", size=(2, 2, 1), centre=(0, 0, -0.5), support=True)
    >>> _ = model.box("stone", size=(1, 1, 2), centre=(0, 0, 1))
    >>> round(model.weight)
    39240
    """

    def __init__(
        self,
        name: str | None = None,
        *,
        gravity: float | None = None,
        plane: str | None = None,
        floating: bool | None = None,
    ) -> None:
        """A model without blocks.

        :param name: for reports
        :param gravity: along -z, m/s²; 9.81 unless said
        :param plane: ``"xz"`` or ``"yz"`` makes the model planar
        :param floating: the model has no supports on purpose
        """
        general = {"name": name, "gravity": gravity, "plane": plane, "floating": floating}
        self.tree: dict[str, Any] = {"model": plain(general, "model")}
        #: Folder in which relative paths of drawings and records are looked for.
        self.folder: Path = Path()
        self._origin: tuple[str, str, Path, dict[str, Any]] | None = None
        self._compiled: tuple[str, _engine.Compiled] | None = None

    # Making models

    @classmethod
    def from_file(cls, path: str | os.PathLike[str]) -> Model:
        """Reads a model file, TOML or JSON."""
        path = Path(path)
        text, form, tree = _engine.read(path)
        return cls._from(text, form, path, json.loads(tree))

    @classmethod
    def from_text(cls, text: str, format: str = "toml", *, folder: str | os.PathLike[str] = ".") -> Model:
        """The model that the text of a model file describes; files that it names are looked for in ``folder``."""
        tree = json.loads(_engine.as_json(text, format))
        return cls._from(text, format, Path(folder) / f"model.{format}", tree)

    @classmethod
    def _from(cls, text: str, form: str, path: Path, tree: dict[str, Any]) -> Model:
        model = cls()
        model.tree = tree
        model.folder = path.parent
        model._origin = (text, form, path, copy.deepcopy(tree))
        return model

    @classmethod
    def from_meshes(
        cls,
        vertices: Iterable[npt.ArrayLike],
        faces: Iterable[Sequence[Sequence[int]]] | None = None,
        *,
        names: Sequence[str] | None = None,
        supports: Iterable[int | str] = (),
        material: str = "stone",
        density: float = 2000.0,
        friction: float = 0.7,
        name: str | None = None,
        **general: Any,
    ) -> Model:
        """A model of one block per mesh.

        :param vertices: per block, an array (n, 3), m
        :param faces: per block, lists of indices, counter-clockwise seen from outside; without it blocks are convex hulls
        :param names: of the blocks; ``b0``, ``b1``, ... unless said
        :param supports: indices or names of the blocks that follow the ground, or a mask
        :param material: name of their material
        :param density: kg/m³
        :param friction: coefficient of all joints
        """
        model = cls(name, **general).material(material, density=density).interface(friction=friction)
        vertices = list(vertices)
        shapes: list[Any] = [None] * len(vertices) if faces is None else list(faces)
        names = [f"b{index}" for index in range(len(vertices))] if names is None else list(names)
        for what, given in (("faces", shapes), ("names", names)):
            if len(given) != len(vertices):
                raise InputError(f"{what}: {len(given)} of them, but there are {len(vertices)} blocks")
        fixed = _chosen(supports, len(names))
        unknown = sorted(map(str, fixed - set(range(len(names))) - set(names)))
        if unknown:
            raise InputError(f"supports: no block {', '.join(unknown)}")
        for index, (block, points, shape) in enumerate(zip(names, vertices, shapes, strict=True)):
            model.block(block, points, shape, material=material, support=True if {index, block} & fixed else None)
        return model

    @classmethod
    def from_compas(cls, assembly: Any, **keys: Any) -> Model:
        """The blocks of an assembly of COMPAS (``compas_assembly`` or ``compas_dem``); see :func:`drystone.compas.model_of`."""
        from .compas import model_of

        return model_of(assembly, **keys)

    def copy(self) -> Model:
        """The same model, to be changed independently."""
        twin = Model()
        twin.tree = copy.deepcopy(self.tree)
        twin.folder = self.folder
        twin._origin = self._origin
        return twin

    __copy__ = copy

    def __getstate__(self) -> dict[str, Any]:
        # The engine's own object stays here; it is made again where it is needed.
        return {**self.__dict__, "_compiled": None}

    # What a model is made of

    def _add(self, section: str, keys: Mapping[str, Any]) -> Model:
        items = self.tree.setdefault(section, [])
        items.append(plain(keys, f"{section}[{len(items)}]"))
        return self

    def material(self, name: str, *, density: float) -> Model:
        """Adds a material; density in kg/m³."""
        return self._add("material", {"name": name, "density": density})

    def interface(
        self,
        between: tuple[str, str] = ("*", "*"),
        *,
        friction: float,
        normal_stiffness: float | None = None,
        shear_stiffness: float | None = None,
        compressive_strength: float | None = None,
        kinetic_friction: float | None = None,
        cohesion: float | None = None,
        tensile_strength: float | None = None,
        **keys: Any,
    ) -> Model:
        """Defines the joint between two materials; ``"*"`` is any material, and the last matching interface applies.

        :param friction: Coulomb's coefficient
        :param normal_stiffness: per area of joint, N/m³
        :param shear_stiffness: per area of joint, N/m³
        :param compressive_strength: Pa
        :param kinetic_friction: coefficient of joints that slide, in time histories
        :param cohesion: of mortar, Pa
        :param tensile_strength: of mortar, Pa
        """
        given = {
            "between": list(between),
            "friction": friction,
            "normal_stiffness": normal_stiffness,
            "shear_stiffness": shear_stiffness,
            "compressive_strength": compressive_strength,
            "kinetic_friction": kinetic_friction,
            "cohesion": cohesion,
            "tensile_strength": tensile_strength,
        }
        return self._add("interface", {**given, **keys})

    def block(
        self,
        name: str,
        vertices: npt.ArrayLike,
        faces: Sequence[Sequence[int]] | None = None,
        *,
        material: str | None = None,
        support: bool | None = None,
        **keys: Any,
    ) -> Model:
        """Adds a block.

        :param vertices: (n, 3), m
        :param faces: lists of indices, counter-clockwise seen from outside; without it the block is the convex hull
        :param material: the only one there is unless said
        :param support: it follows the ground
        """
        try:
            points = np.asarray(vertices, dtype=float)
        except (TypeError, ValueError) as error:
            raise InputError(f"block {name!r}: vertices are no array of numbers: {error}") from None
        if points.ndim != 2 or points.shape[1] != 3:
            raise InputError(f"block {name!r}: vertices have the shape {points.shape}, but must have (n, 3)")
        if faces is not None:
            for index in (index for face in faces for index in face):
                if int(index) != index:
                    raise InputError(f"block {name!r}: faces hold {index}, which is no index of a vertex")
            faces = [[int(index) for index in face] for face in faces]
        if material is None:
            names = [item["name"] for item in self.tree.get("material", [])]
            if len(names) != 1:
                raise InputError(f"block {name!r}: say its material, one of {names}")
            material = names[0]
        given = {"name": name, "material": material, "support": support, "vertices": points, "faces": faces}
        return self._add("block", {**given, **keys})

    def box(self, name: str, *, size: Vector, centre: Vector, **keys: Any) -> Model:
        """Adds a block with sides parallel to the axes; ``size`` and ``centre`` in m, the rest as for :meth:`block`."""
        half, middle = np.asarray(size, dtype=float) / 2, np.asarray(centre, dtype=float)
        if half.shape != (3,) or middle.shape != (3,):
            raise InputError(f"block {name!r}: size and centre are three numbers each")
        corners = np.array([[x, y, z] for z in (-1, 1) for y in (-1, 1) for x in (-1, 1)])
        return self.block(name, middle + corners * half, **keys)

    def generate(self, kind: str, **keys: Any) -> Model:
        """Adds a parametric structure, such as ``generate("arch", radius=..., thickness=...)``."""
        return self._add("generate", {"kind": kind, **keys})

    def drawing(self, path: str | os.PathLike[str], **keys: Any) -> Model:
        """Adds the blocks of a drawing: DXF, OBJ, STL, PLY, COMPAS JSON."""
        return self._add("import", {"path": os.fspath(path), **keys})

    def load(
        self, block: str, force: Vector, *, point: Vector | None = None, live: bool | None = None, **keys: Any
    ) -> Model:
        """Adds a force on a block, N, at a point, m (its centroid unless said). Live loads are multiplied in limit analyses and pushovers."""
        return self._add("load", {"block": block, "force": force, "point": point, "live": live, **keys})

    def tie(
        self,
        blocks: Sequence[str],
        points: Sequence[Vector],
        *,
        stiffness: float,
        yield_force: float,
        max_elongation: float | None = None,
        **keys: Any,
    ) -> Model:
        """Adds a tie between two blocks.

        :param points: its ends, m
        :param stiffness: N/m
        :param yield_force: N; the key ``yield`` of model files, which Python keeps for itself
        :param max_elongation: at which it breaks, m
        """
        given = {
            "blocks": list(blocks),
            "points": list(points),
            "stiffness": stiffness,
            "yield": yield_force,
            "max_elongation": max_elongation,
        }
        return self._add("tie", {**given, **keys})

    def motion(self, name: str, kind: str, **keys: Any) -> Model:
        """Adds a ground motion or a settlement: ``motion("pulse", "one_sine", amplitude=8.0, half_period=0.25, direction=[1, 0, 0])``."""
        return self._add("motion", {"name": name, "kind": kind, **keys})

    def analysis(self, name: str, kind: str, **keys: Any) -> Model:
        """Adds an analysis, which :meth:`run` runs. The functions of this package define and run one at once."""
        return self._add("analysis", {"name": name, "kind": kind, **keys})

    # Files

    def _text(self) -> tuple[str, str, Path]:
        """Text, format and path for the engine; those of the file if the model is still as it was read."""
        if self._origin is not None and self._origin[3] == self.tree:
            return self._origin[:3]
        path = self._origin[2].with_suffix(".json") if self._origin else self.folder / "model.json"
        # Changed in Python: what was said by hand is checked like the rest.
        return json.dumps(plain(self.tree, "model")), "json", path

    def to_toml(self) -> str:
        """The text of the model file."""
        text, form, _ = self._text()
        return text if form == "toml" else _engine.as_toml(text, form)

    def to_file(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> Path:
        """Writes a model file, TOML or JSON by its extension. Relative paths in it hold if it lies in :attr:`folder`."""
        path = Path(path)
        text, form, _ = self._text()
        wanted = path.suffix.lower().lstrip(".")
        if wanted not in ("toml", "json"):
            raise InputError(f"{path}: the extension says neither TOML nor JSON; name the file .toml or .json")
        if wanted != form:
            text = _engine.as_toml(text, form) if wanted == "toml" else _engine.as_json(text, form)
        if path.exists() and not overwrite:
            raise InputError(f"{path}: it exists; overwrite=True replaces it")
        partial = path.with_name(path.name + ".partial")
        partial.write_text(text, encoding="utf-8")
        partial.replace(path)
        return path

    # The model, compiled

    def compile(self) -> _engine.Compiled:
        """The model as the engine has it; raises :class:`InputError` with all that is wrong."""
        _fork.check()
        text, form, path = self._text()
        stamps = [_stamp(path.parent / name) for name in _files(self.tree)]
        key = f"{form}\n{path}\n{stamps}\n{text}"
        if self._compiled is None or self._compiled[0] != key:
            compiled = _engine.Compiled(text, form, path)
            for note in compiled.notes:
                warnings.warn(note, Note, stacklevel=3)
            self._compiled = (key, compiled)
        return self._compiled[1]

    @property
    def name(self) -> str:
        """Name for reports."""
        return self.compile().name

    @property
    def names(self) -> list[str]:
        """Names of the blocks, those of structures and drawings included."""
        return self.compile().names

    @property
    def supports(self) -> npt.NDArray[np.bool_]:
        """Which blocks follow the ground."""
        return self.compile().supports

    @property
    def masses(self) -> Array:
        """Mass per block, kg."""
        return self.compile().masses

    @property
    def centroids(self) -> Array:
        """Centroid per block, m."""
        return self.compile().centroids

    @property
    def weight(self) -> float:
        """Weight of the free blocks, N."""
        return self.compile().weight

    def meshes(self) -> list[tuple[Array, list[list[int]]]]:
        """Vertices in m and faces of all blocks."""
        compiled = self.compile()
        return [compiled.mesh(index) for index in range(len(compiled.names))]

    def mesh(self, block: int | str) -> tuple[Array, list[list[int]]]:
        """Vertices in m and faces of a block, by name or index."""
        compiled = self.compile()
        if isinstance(block, str):
            names = compiled.names
            if block not in names:
                raise InputError(f"the model has no block {block!r}")
            block = names.index(block)
        if block < 0:
            raise InputError(f"block {block}: they are counted from 0")
        return compiled.mesh(block)

    def check(self) -> dict[str, Any]:
        """What is in the model: blocks, contacts, weight, overlaps, islands without support, notes."""
        found: dict[str, Any] = json.loads(self.compile().findings())
        return found

    # Answers

    def run(
        self,
        analysis: str,
        *,
        out: str | os.PathLike[str] | None = None,
        existing: str | None = None,
        progress: bool | Progress | None = None,
    ) -> Result:
        """Runs one of the model's analyses, as ``drystone run --only`` does.

        :param out: folder for results; one of the analysis' name is made in it. Without it the answer stays in memory; what Ctrl-C stops is then lost.
        :param existing: what happens to results that are there: ``"refuse"``, ``"resume"`` or ``"replace"``; unless said, analyses refuse and campaigns resume
        :param progress: a bar (True), none (False) or a function ``(done, total, message)``
        """
        from .analyses import answer

        return answer(self, analysis, out=out, existing=existing, progress=progress)

    def run_all(self, *, out: str | os.PathLike[str] | None = None, existing: str | None = None) -> dict[str, Result]:
        """Runs all analyses of the model; results by name.

        Where a computation fails the others are answered all the same, and :class:`ComputationError` is raised in the end. Whatever is raised, its
        ``results`` are those that there are.
        """
        results: dict[str, Result] = {}
        failed: list[str] = []
        for name, _ in self.compile().analyses:
            try:
                results[name] = self.run(name, out=out, existing=existing)
            except ComputationError as error:
                failed.append(str(error))
            except InputError as error:
                error.results = results
                raise
        if failed:
            fault = ComputationError("\n".join(failed))
            fault.results = results
            raise fault
        return results

    def __repr__(self) -> str:
        general = self.tree.get("model", {}).get("name")
        parts = [f"{len(self.tree[key])} {key}" for key in self.tree if isinstance(self.tree[key], list)]
        return f"<drystone.Model {general!r}: {', '.join(parts) or 'empty'}>"
