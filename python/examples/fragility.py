"""Fragility of a slender column under made-up earthquakes: `examples/fragility` in Python."""

import drystone


def model() -> drystone.Model:
    """The column as a rocking block, and three campaigns."""
    made = drystone.Model("fragility of a column")
    made.motion("quake", "stochastic", seed=1, pga=3.0, significant_duration=10.0, frequency=1.5, bandwidth=0.4)
    made.analysis("column", "rocking", half_width=0.25, half_height=1.5, motion="quake", duration=20.0)
    suite = {"of": "column", "motions": ["quake"], "realisations": 20, "after_motion": 3.0}
    made.analysis("stripes", "fragility", intensity="pga", intensities=[2.0, 3.0, 4.0, 5.0, 6.0, 8.0], **suite)
    velocities = [0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0, 1.3, 1.6, 2.0]
    made.analysis("incremental", "fragility", intensity="pgv", intensities=velocities, method="incremental", **suite)
    ranges = {"analysis.column.half_width": (0.2, 0.3), "analysis.column.half_height": (1.2, 1.8), "motion.quake.pga": (2.0, 6.0)}
    vary = [{"key": key, "from": low, "to": high} for key, (low, high) in ranges.items()]
    return made.analysis("sensitivity", "sweep", of="column", samples="latin_hypercube", count=100, vary=vary)


if __name__ == "__main__":
    result = model().run("stripes")
    print(result.headline)
    print(f"median {result['theta']:.3f} m/s², spread {result['beta']:.3f}")
