"""Oppenheim's arch of seven voussoirs, from standing to collapse: `examples/oppenheim-arch` in Python."""

import drystone


def model() -> drystone.Model:
    """The arch, a pulse of 1.11 g, and four questions."""
    made = drystone.Model("Oppenheim's arch", plane="xz").material("stone", density=2000.0)
    made.interface(("stone", "stone"), friction=2.0)
    made.generate(
        "arch",
        name="arch",
        material="stone",
        radius=9.25,
        angle_degrees=150.0,
        thickness=1.5,
        depth=1.0,
        voussoirs=7,
        curved_mass=True,
        mirror="x",
    )
    made.motion("pulse", "biphasic", amplitude=10.8891, half_period=0.30, direction=[-1.0, 0.0, 0.0])
    made.analysis(
        "collapse",
        "time_history",
        friction_law="associated",
        scheme="euler",
        motion="pulse",
        dt=0.0005,
        duration=4.0,
        output_every=0.01,
        forces_every=0.05,
        collapse="global",
        monitors=[{"name": f"v{k}", "block": f"arch.voussoir{k}"} for k in range(1, 8)],
    )
    made.analysis("stands", "equilibrium")
    made.analysis("limit", "limit", direction=[1.0, 0.0, 0.0])
    return made.analysis("tilted", "limit", tilt=[0.0, 1.0, 0.0])


if __name__ == "__main__":
    arch = model()
    for name in ("stands", "limit", "tilted"):
        print(f"{name}: {arch.run(name).headline}")
    shaken = arch.run("collapse")
    print(f"collapse: {shaken.headline}")
    print("report:", shaken.report("oppenheim-arch.html", overwrite=True))
