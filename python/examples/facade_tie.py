"""A facade beside a side wall, held by a tie and pushed over: `examples/facade-tie/pushover-tie.toml` in Python."""

import drystone


def corners(low: list[float], high: list[float]) -> list[list[float]]:
    """Of a box."""
    return [[x, y, z] for z in (low[2], high[2]) for y in (low[1], high[1]) for x in (low[0], high[0])]


def model(tie: bool = True) -> drystone.Model:
    """The facade, with or without its tie."""
    made = drystone.Model("facade beside a side wall", plane="xz").material("masonry", density=1800.0)
    made.interface(friction=0.6, normal_stiffness=1.0e8)
    made.block("side", corners([-4.5, 0, 0], [0, 1, 3.5]), mass=35677.88)
    made.block("facade", corners([0.001, 0, 0], [0.501, 1, 3.5]), mass=10193.68)
    made.block("ground", corners([-6, -1, -1], [3, 2, 0]), support=True)
    if tie:
        made.tie(
            ["side", "facade"],
            [[-4.5, 0.5, 3.25], [0.501, 0.5, 3.25]],
            name="rod",
            stiffness=5.0e5,
            yield_force=5.0e3,
            max_elongation=0.2,
        )
    made.load("facade", force=[100000.0, 0.0, 0.0], live=True)
    control = {"block": "facade", "point": [0.501, 0.5, 3.5]}
    return made.analysis("push", "pushover", loads="live", joints="elastic", control=control)


if __name__ == "__main__":
    for tie in (False, True):
        result = model(tie).run("push")
        print(f"{'with' if tie else 'without'} tie: {result.headline}")
