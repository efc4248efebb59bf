"""Free rocking of a block of 0.6 x 2.0 m, released at 15 degrees: `examples/housner-block` in Python."""

import drystone

TOP = [0.817638090205, 0.3, 1.931851652578]


def model() -> drystone.Model:
    """The block on the ground, leaning to +x."""
    made = drystone.Model("Housner block", plane="xz").material("stone", density=2000.0)
    made.interface(("stone", "stone"), friction=2.0)
    ring = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
    made.block("ground", [[3.0 * x, 1.0 * y, z] for z in (-0.5, 0.0) for x, y in ring], support=True)
    left, low, high = [-0.279555495773, 0.155291427062], [0.3, 0.0], [0.238082594432, 2.08714307964]
    corners = [(left, -0.3), (low, -0.3), (low, 0.3), (left, 0.3)]
    corners += [(high, -0.3), ([TOP[0], TOP[2]], -0.3), ([TOP[0], TOP[2]], 0.3), (high, 0.3)]
    made.block("block", [[x, y, z] for (x, z), y in corners])
    made.analysis(
        "free-rocking",
        "time_history",
        friction_law="associated",
        scheme="euler",
        dt=0.001,
        duration=6.0,
        output_every=0.01,
        forces_every=0.05,
        monitors=[{"name": "top", "block": "block", "point": TOP}],
    )
    return made.analysis(
        "equation-of-motion", "rocking", half_width=0.3, half_height=1.0, initial_angle=0.261799387799, duration=6.0
    )


if __name__ == "__main__":
    for name, result in model().run_all().items():
        print(f"{name}: {result.headline}")
