// The page in which a run is looked at: reads what the page holds, builds the parts, keeps them at one time.

import { Plane, Quaternion, Vector3 } from "three";
import uplotStyle from "uplot/dist/uPlot.min.css";
import { locate, readBlocks, readData, readTable, type Table } from "./data";
import { Frames, Mechanism, type Motion, Poses, Rest } from "./motion";
import { listen, LiveFrames, stop } from "./live";
import { Forces, Joints, LINE_COLOURS, loads, type Measure, Polyline } from "./overlay";
import { card, check, element, facts, keyHelp, slider, tell } from "./panel";
import { type Curves, curvesOf, diagnosticsOf, Plot } from "./plots";
import { type SeamMeasure, Seams } from "./seams";
import { Stage } from "./stage";
import { Stones } from "./stones";
import viewerStyle from "./viewer.css";

/** Past this many blocks shadows cost more than they show. */
const SHADOWS = 3000;
/** Past this many blocks a machine without a graphics card smooths edges only while nothing moves. */
const MANY = 800;
/** A mechanism goes to and fro in this time, s. */
const PERIOD = 4;

async function start(place: HTMLElement): Promise<void> {
  const data = readData();
  const blocks = readBlocks(data);
  const along = data.kind === "pushover" ? "m" : "s";
  const live = data.live === undefined ? null : new LiveFrames(data.live.columns, blocks);
  const table = live?.table ?? readTable(data.history);
  const diagnostics = readTable(data.diagnostics);
  document.head.append(element("style", { textContent: uplotStyle + viewerStyle }));
  document.documentElement.classList.add("viewing");
  place.hidden = false;

  const motion: Motion =
    live !== null ? live : data.motion !== undefined ? await Frames.read(data.motion, blocks) : data.mechanism !== undefined ? new Mechanism(data.mechanism) : new Rest();
  const swinging = data.motion === undefined && live === null;
  const moves = live === null ? motion.end > motion.start : live.table.names.length > 0;

  // Frame of the page.
  const canvas = element("div", { id: "canvas" });
  const clock = element("output", { id: "clock" });
  const play = element("button", { id: "play", textContent: "Play", title: "Space" });
  const time = element("input", { type: "range", id: "time", min: String(motion.start), max: String(motion.end), step: "any", value: "0", ariaLabel: "time" });
  const speed = element("select", { id: "speed", title: "Speed" });
  for (const rate of [0.05, 0.1, 0.25, 0.5, 1, 2, 4]) speed.append(element("option", { value: String(rate), textContent: `${rate} ×`, selected: rate === 1 }));
  const themeButton = element("button", { id: "theme", textContent: "◐", title: "Dark or light (T)" });
  const bar = element("div", { id: "bar" }, play, time, clock, speed);
  const stageCard = element("div", { id: "stage", className: "card" }, canvas, themeButton);
  if (moves) stageCard.append(bar);
  const side = element("aside", { id: "side" });
  const plotsPlace = element("div", { id: "plots" });
  place.append(stageCard, side, plotsPlace);

  const stage = new Stage(canvas, blocks.count <= SHADOWS, blocks.count > MANY);
  const stones = new Stones(data, blocks);
  const poses = new Poses(blocks, stones.texels);
  stage.edged = (on) => stones.edged(on);
  stage.moved.add(stones.group);
  poses.update(motion, motion.start, 1);
  const box = stones.box(poses);
  const size = box.getSize(new Vector3()).length();

  const joints = data.joints === undefined ? null : new Joints(data.joints, blocks, size);
  const forces = data.forces === undefined ? null : new Forces(data.forces, motion, blocks, size);
  const seams = data.touching === undefined ? null : new Seams(data.touching, blocks, motion, forces, size, stones.texture);
  if (seams !== null) stage.moved.add(seams.group);
  const loadArrows = loads(data);
  stage.moved.add(loadArrows.group);
  if (forces !== null) stage.moved.add(forces.arrows.group);
  const state = { t: motion.start, playing: false, exaggeration: 1, ground: false, forces: false, phase: 0, cut: "none", depth: 0.5, follow: live !== null };

  // One time for everything.
  const plots: Plot[] = [];
  const polylines: Polyline[] = [];
  const way = new Vector3();
  let jointNow: HTMLElement | null = null;
  const groundAt = groundOf(table);
  function show(t: number): void {
    state.t = Math.min(Math.max(t, motion.start), motion.end);
    poses.update(motion, state.t, state.exaggeration);
    stones.move(poses);
    stage.moved.position.set(0, 0, 0);
    if (state.ground) groundAt(state.t, stage.moved.position).multiplyScalar(state.exaggeration);
    if (state.cut === "none") stones.section(null, stage.moved.position);
    else {
      const axis = "xyz".indexOf(state.cut);
      const away = new Vector3().setComponent(axis, axis === 1 ? 1 : -1);
      const at = box.min.clone().lerp(box.max, state.depth);
      stones.section(new Plane().setFromNormalAndCoplanarPoint(away, at), stage.moved.position);
    }
    loadArrows.move(poses);
    joints?.move(poses);
    seams?.show(state.t, poses);
    if (seams !== null && jointNow !== null) jointNow.replaceChildren(seamNow(seams));
    for (const line of polylines) line.move(poses);
    if (forces !== null && state.forces) {
      forces.update(state.t);
      forces.arrows.move(poses);
    }
    time.value = String(state.t);
    clock.textContent = swinging ? `${(100 * state.t).toFixed(0)} %` : `${state.t.toFixed(3)} ${along}`;
    for (const plot of plots) plot.show(state.t);
    stage.touch();
  }
  function run(on: boolean): void {
    state.playing = on && moves;
    state.follow = false;
    play.textContent = state.playing ? "Pause" : "Play";
    if (state.playing && !swinging && state.t >= motion.end) show(motion.start);
  }
  function seek(t: number): void {
    run(false);
    show(t);
  }
  play.addEventListener("click", () => run(!state.playing));
  time.addEventListener("input", () => seek(Number(time.value)));

  // Controls.
  const planar = [0, 1, 2].filter((k) => !data.free[k]);
  const views: [string, Vector3][] = [
    ["3D", planar[0] === 1 ? new Vector3(0.3, -1, 0.22) : planar[0] === 0 ? new Vector3(1, -0.3, 0.22) : new Vector3(0.55, -0.8, 0.38)],
    ["Front", new Vector3(0, -1, 0)],
    ["Side", new Vector3(1, 0, 0)],
    ["Top", new Vector3(0, -0.001, 1)],
  ];
  const look = (k: number) => stage.look(views[k][1], swinging ? 1.2 : 1.3);
  const viewButtons = element("div", { className: "views" });
  views.forEach(([name], k) => {
    const button = element("button", { textContent: name, title: `Key ${k + 1}` });
    button.addEventListener("click", () => look(k));
    viewButtons.append(button);
  });
  const display = card("Display");
  if (moves) {
    display.append(
      slider("exaggerate", "Exaggerate", [0, 3, 0.01], 0, (x) => `× ${tell(10 ** x, 2)}`, (x) => {
        state.exaggeration = 10 ** x;
        show(state.t);
      }),
    );
  }
  const seeThrough = slider("opacity", "Opacity", [0.05, 1, 0.05], 1, (x) => `${Math.round(100 * x)} %`, (x) => {
    stones.opacity(x);
    stage.touch();
  });
  display.append(seeThrough);
  if (table?.names.some((name, k) => name.startsWith("ground.") && table.columns[k].some((v) => v !== 0)) === true) {
    display.append(
      check("ground", "Ground motion shown", false, (on) => {
        state.ground = on;
        show(state.t);
      }),
    );
  }
  if (forces !== null) {
    forces.arrows.group.visible = false;
    display.append(
      check("forces", "Forces in joints", false, (on) => {
        state.forces = on;
        forces.arrows.group.visible = on;
        show(state.t);
      }),
    );
  }
  if (data.loads.length > 0) {
    display.append(
      check("loads", "Loads", true, (on) => {
        loadArrows.group.visible = on;
        stage.touch();
      }),
    );
  }
  const setOpacity = (value: number) => {
    const input = seeThrough.querySelector("input");
    if (input === null) return;
    input.value = String(value);
    input.dispatchEvent(new Event("input"));
  };
  const extra: HTMLElement[] = [];
  if (joints !== null) {
    stage.moved.add(joints.faces, joints.arrows.group, joints.hinges);
    joints.faces.visible = joints.arrows.group.visible = false;
    const measure = element("select", { id: "measure" });
    for (const [value, text] of [
      ["none", "not shown"],
      ["friction", "friction used"],
      ["edge", "near an edge"],
    ]) measure.append(element("option", { value, textContent: text }));
    const legend = element("div", { hidden: true }, element("div", { className: "scale" }), element("div", { className: "ends" }, element("span", { textContent: "0" }), element("span", { textContent: "1" })));
    measure.addEventListener("change", () => {
      const shown = measure.value !== "none";
      joints.faces.visible = shown;
      legend.hidden = !shown;
      if (shown) joints.paint(measure.value as Measure);
      setOpacity(shown ? 0.25 : 1);
    });
    const parts: Node[] = [element("label", { className: "row" }, element("span", { textContent: "Joints" }), measure), legend];
    parts.push(
      check("forces", "Resultants", false, (on) => {
        joints.arrows.group.visible = on;
        stage.touch();
      }),
    );
    if (joints.hingeCount > 0) {
      parts.push(
        check("hinges", `Hinges (${joints.hingeCount})`, true, (on) => {
          joints.hinges.visible = on;
          stage.touch();
        }),
      );
    }
    for (const line of data.lines ?? []) {
      const colour = LINE_COLOURS[line.state] ?? "#2f86d1";
      const drawn = new Polyline(line.points.map((p) => new Vector3(...p)), line.blocks, blocks, 0.0032 * size, colour);
      polylines.push(drawn);
      stage.moved.add(drawn.group);
      const label = check(`line-${line.state}`, `Thrust line, ${line.state}: ${tell(line.thrust / 1000, 4)} kN`, true, (on) => {
        drawn.group.visible = on;
        stage.touch();
      });
      const key = element("span", { className: "key" });
      key.style.background = colour;
      label.append(key);
      parts.push(label);
    }
    extra.push(card("Joints", ...parts));
  }
  if (seams !== null && moves) {
    const measure = element("select", { id: "measure" });
    const offered: [string, string][] = [
      ["none", "not shown"],
      ["opening", "opening"],
      ["sliding", "sliding"],
    ];
    if (seams.carriesForces) offered.push(["force", "force"], ["friction", "friction used"]);
    for (const [value, text] of offered) measure.append(element("option", { value, textContent: text }));
    const top = element("span");
    const legend = element("div", { hidden: true }, element("div", { className: "scale" }), element("div", { className: "ends" }, element("span", { textContent: "0" }), top));
    measure.addEventListener("change", () => {
      seams.measure = measure.value as SeamMeasure | "none";
      legend.hidden = seams.measure === "none";
      if (seams.measure !== "none") {
        const most = seams.top(seams.measure);
        top.textContent = seams.measure === "friction" ? "1" : seams.measure === "force" ? `${tell(most / 1000, 3)} kN` : `${tell(1000 * most, 3)} mm`;
      }
      setOpacity(seams.measure === "none" ? 1 : 0.2);
      show(state.t);
    });
    extra.push(
      card(
        "Joints",
        element("label", { className: "row" }, element("span", { textContent: "Coloured by" }), measure),
        legend,
        check("hinges", "Hinges marked", false, (on) => {
          seams.hingesShown = on;
          show(state.t);
        }),
      ),
    );
  }
  for (const tie of data.ties) {
    const drawn = new Polyline(tie.points.map((p) => new Vector3(...p)), tie.blocks, blocks, 0.002 * size, "#7a5fb0");
    polylines.push(drawn);
    stage.moved.add(drawn.group);
  }
  const cut = element("select", { id: "cut" });
  for (const [value, text] of [
    ["none", "none"],
    ["x", "across x"],
    ["y", "across y"],
    ["z", "across z"],
  ]) cut.append(element("option", { value, textContent: text }));
  const depth = slider("depth", "Cut at", [0, 1, 0.005], 0.5, (x) => `${Math.round(100 * x)} %`, (x) => {
    state.depth = x;
    show(state.t);
  });
  depth.style.display = "none";
  cut.addEventListener("change", () => {
    state.cut = cut.value;
    depth.style.display = cut.value === "none" ? "none" : "";
    show(state.t);
  });
  display.append(element("label", { className: "row" }, element("span", { textContent: "Cut" }), cut), depth, viewButtons);

  const chosenTitle = element("h2", { textContent: "Block" });
  const chosenCard = element("section", { className: "card" }, chosenTitle);
  const chosenBody = element("div");
  chosenCard.append(chosenBody);
  let chosenPlots: Plot[] = [];
  function clearChosen(): void {
    for (const plot of chosenPlots) {
      plots.splice(plots.indexOf(plot), 1);
      plot.destroy();
    }
    chosenPlots = [];
    chosenBody.replaceChildren();
    jointNow = null;
    if (seams !== null) seams.chosen = -1;
  }
  function addPlots(curves: Curves[]): void {
    chosenPlots = curves.map((each) => new Plot(each, seek, along));
    for (const plot of chosenPlots) {
      plotsPlace.prepend(plot.element);
      plots.push(plot);
      plot.draw();
      plot.show(state.t);
    }
  }
  const seamNow = (of: Seams): HTMLElement => {
    const { opening, sliding } = of.read(of.chosen, state.t);
    const pairs: [string, string][] = [
      ["Opening", `${tell(1000 * opening, 3)} mm`],
      ["Sliding", `${tell(1000 * sliding, 3)} mm`],
    ];
    const carried = of.carried(of.chosen, state.t);
    if (carried !== null) {
      pairs.push(["Normal", `${tell(carried[0])} N`], ["Shear", `${tell(carried[1])} N`]);
      if (carried[0] > 0) pairs.push(["Friction used", `${Math.round((100 * carried[1]) / (of.friction[of.chosen] * carried[0]))} %`]);
    }
    return facts(pairs);
  };
  /** Shows a joint of a run or of a question of statics. */
  function chooseJoint(joint: number): void {
    stones.chosen = -1;
    stones.paint();
    clearChosen();
    chosenTitle.textContent = "Joint";
    const of = seams?.outlines ?? joints?.outlines;
    if (of === undefined) return;
    const names = [0, 1].map((side) => blocks.names[of.blocks[2 * joint + side]]);
    chosenBody.append(facts([["Between", names[0]], ["and", names[1]]]));
    if (seams !== null) {
      seams.chosen = joint;
      chosenBody.append(facts([["Area", `${tell(seams.area[joint])} m²`], ["Friction", tell(seams.friction[joint])]]));
      jointNow = element("div");
      chosenBody.append(jointNow);
      addPlots(seams.history(joint, names.join(" and ")));
    } else if (joints !== null) chosenBody.append(facts(joints.facts(joint)));
    show(state.t);
  }
  function choose(block: number): void {
    stones.chosen = block;
    stones.paint();
    clearChosen();
    chosenTitle.textContent = "Block";
    if (block < 0) {
      chosenBody.append(element("p", { className: "note", textContent: "Click a block to see what it is and how it moved, or, while joints are coloured, a joint." }));
    } else {
      const material = data.materials[blocks.material[block]];
      const at = [0, 1, 2].map((k) => tell(blocks.position[3 * block + k]));
      chosenBody.append(
        facts([
          ["Name", blocks.names[block]],
          ["Kind", blocks.support[block] ? "support" : "free"],
          ["Group", data.groups[blocks.group[block]]],
          ["Material", `${material.name}, ${tell(material.density)} kg/m³`],
          ["Mass", `${tell(blocks.mass[block])} kg`],
          ["Centroid", `${at.join(", ")} m`],
        ]),
      );
      addPlots(historyOf(motion, block, blocks.names[block]));
    }
    stage.touch();
  }
  const groups = element("div", { id: "groups" });
  data.groups.forEach((name, g) => {
    const count = blocks.group.filter((other) => other === g).length;
    groups.append(
      check(`group-${g}`, `${name} (${count})`, true, (on) => {
        blocks.group.forEach((other, b) => {
          if (other === g) {
            if (on) stones.hidden.delete(b);
            else stones.hidden.add(b);
          }
        });
        show(state.t);
      }),
    );
  });
  side.append(display, ...extra, chosenCard, card("Groups", groups));
  const help = keyHelp();
  const helpButton = element("button", { id: "keys", textContent: "?", title: "Keys (?)" });
  helpButton.addEventListener("click", () => help.showModal());
  stageCard.append(helpButton, help);
  side.append(element("p", { className: "note", textContent: "Drag turns, right drag or two fingers move, wheel zooms. Press ? for keys." }));

  // Choosing with the pointer: a press that does not drag.
  let pressed: [number, number] | null = null;
  const pickAt = (x: number, y: number) => stones.pick(stage.ray(x, y), poses)?.block ?? -1;
  /** Joints are in front of blocks while they are shown. */
  const jointAt = (x: number, y: number) => {
    const shown = seams !== null ? seams.measure !== "none" : joints?.faces.visible === true;
    const of = seams?.outlines ?? joints?.outlines;
    return shown && of !== undefined ? of.pick(stage.ray(x, y), poses) : -1;
  };
  canvas.addEventListener("pointerdown", (event) => (pressed = [event.clientX, event.clientY]), true);
  canvas.addEventListener("pointerup", (event) => {
    if (pressed === null || Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]) > 4) return;
    const area = canvas.getBoundingClientRect();
    const at: [number, number] = [event.clientX - area.left, event.clientY - area.top];
    const joint = jointAt(...at);
    if (joint >= 0) chooseJoint(joint);
    else choose(pickAt(...at));
  });

  // Dark or light.
  const system = window.matchMedia("(prefers-color-scheme: dark)");
  let wanted: boolean | null = null;
  function theme(): void {
    const dark = wanted ?? system.matches;
    if (wanted !== null) document.documentElement.dataset["theme"] = dark ? "dark" : "light";
    document.documentElement.classList.toggle("dark", dark);
    stage.theme(dark);
    stones.theme(dark);
    for (const plot of plots) plot.draw();
  }
  const flip = () => {
    wanted = !(wanted ?? system.matches);
    theme();
  };
  system.addEventListener("change", theme);
  themeButton.addEventListener("click", flip);

  // Keys.
  const frameStep = (direction: number) => {
    if (swinging) return seek(state.t + 0.05 * direction);
    const [k, part] = locate(motion.times, state.t + 1e-9);
    const next = direction > 0 ? k + 1 : part > 1e-6 ? k : k - 1;
    seek(motion.times[Math.min(Math.max(next, 0), motion.times.length - 1)]);
  };
  window.addEventListener("keydown", (event) => {
    const target = event.target as HTMLElement;
    if (help.open || event.ctrlKey || event.metaKey || event.altKey || ["INPUT", "SELECT", "TEXTAREA"].includes(target.tagName)) return;
    const actions: Record<string, () => void> = {
      " ": () => run(!state.playing),
      ArrowLeft: () => frameStep(-1),
      ArrowRight: () => frameStep(1),
      Home: () => seek(motion.start),
      End: () => {
        seek(motion.end);
        state.follow = live !== null;
      },
      Escape: () => choose(-1),
      t: flip,
      "?": () => help.showModal(),
      "1": () => look(0),
      "2": () => look(1),
      "3": () => look(2),
      "4": () => look(3),
    };
    const action = actions[event.key];
    if (action === undefined || (event.key === " " && target.tagName === "BUTTON")) return;
    event.preventDefault();
    action();
  });

  const tablePlots: Plot[] = [];
  function plotTable(): void {
    const all = [...(table === null ? [] : curvesOf(table)), ...(diagnostics === null ? [] : diagnosticsOf(diagnostics))];
    const shape = (list: Curves[]) => list.map((curves) => [curves.title, ...curves.names].join()).join();
    if (tablePlots.length > 0 && shape(all) === shape(tablePlots.map((plot) => plot.curves))) {
      all.forEach((curves, k) => tablePlots[k].extend(curves));
      return;
    }
    for (const plot of tablePlots.splice(0)) {
      plots.splice(plots.indexOf(plot), 1);
      plot.destroy();
    }
    for (const curves of all) {
      const plot = new Plot(curves, seek, along);
      plotsPlace.append(plot.element);
      plots.push(plot);
      tablePlots.push(plot);
      if (live !== null) plot.draw();
    }
  }
  if (live === null) plotTable();
  stage.furnish(box, stones.box(poses, true).min.z);
  theme();
  look(0);
  choose(-1);
  show(motion.start);
  if (data.mechanism !== undefined) run(true);
  if (live !== null) follow(live);

  // A run that goes on: frames are shown as they come, until somebody looks at another time.
  function follow(frames: LiveFrames): void {
    const verdict = document.querySelector(".verdict");
    const latest = element("button", { id: "latest", textContent: "Latest", title: "Follow the run (End)" });
    const halt = element("button", { id: "stop", textContent: "Stop the run", title: "As Ctrl-C: what was computed is kept, --resume goes on" });
    latest.addEventListener("click", () => (state.follow = true));
    halt.addEventListener("click", () => {
      halt.disabled = true;
      halt.textContent = "Stopping";
      stop().catch(() => false).then((done) => {
        if (!done) Object.assign(halt, { disabled: false, textContent: "Stop the run" });
      });
    });
    if (moves) bar.append(latest, halt);
    let stale = false;
    let tabulated = 0;
    listen(frames, {
      frame: () => (stale = true),
      progress: (part, message) => {
        if (verdict !== null) verdict.textContent = `running, ${(100 * part).toFixed(0)} %: ${message}`;
      },
    });
    setInterval(() => {
      if (!stale) return;
      stale = false;
      time.min = String(frames.start);
      time.max = String(frames.end);
      latest.classList.toggle("on", state.follow);
      // Plots take longer the more there is in them.
      const begin = performance.now();
      if (begin - tabulated > 400) {
        frames.tabulate();
        plotTable();
        tabulated = performance.now() + 5 * (performance.now() - begin);
      } else stale = true;
      show(state.follow ? frames.end : state.t);
    }, 100);
  }

  let before = 0;
  let drawnFrames = 0;
  function frame(now: number): void {
    const passed = Math.min((now - before) / 1000, 0.1);
    before = now;
    stage.pace(state.playing || stage.turning ? passed : null);
    drawnFrames++;
    if (state.playing) {
      const rate = Number(speed.value);
      if (swinging) {
        state.phase += (passed * rate) / PERIOD;
        show(0.5 - 0.5 * Math.cos(2 * Math.PI * state.phase));
      } else {
        show(state.t + passed * rate);
        if (state.t >= motion.end) run(false);
      }
    }
    stage.draw();
    requestAnimationFrame(frame);
  }
  requestAnimationFrame(frame);

  // For tests, and for whoever wants to look closer.
  const turn = new Quaternion();
  Object.assign(window, {
    drystone: {
      names: blocks.names,
      support: blocks.support,
      get times() {
        return Array.from(motion.times);
      },
      step: data.motion?.step ?? 0,
      setTime: seek,
      time: () => state.t,
      playing: () => state.playing,
      /** Frames the browser has shown so far. */
      frames: () => drawnFrames,
      choose,
      chosen: () => stones.chosen,
      pick: pickAt,
      jointAt,
      /** Opening, least opening and sliding of a joint, m. */
      joint: (joint: number, t: number) => ({ ...seams?.read(joint, t) }),
      jointBlocks: () => Array.from((seams?.outlines ?? joints?.outlines)?.blocks ?? []),
      chosenJoint: () => seams?.chosen ?? -1,
      hinges: () => seams?.hingeCount ?? 0,
      /** Pixel of a block's centroid in the canvas. */
      pixel: (block: number) => {
        poses.get(block, way, turn);
        return stage.pixel(way);
      },
      /** Pose as stored, not exaggerated: position, then quaternion. */
      pose: (block: number, t: number) => {
        motion.at(block, t, way, turn);
        const p = blocks.position;
        return [p[3 * block] + way.x, p[3 * block + 1] + way.y, p[3 * block + 2] + way.z, turn.x, turn.y, turn.z, turn.w];
      },
      /** Pose as drawn. */
      drawn: (block: number) => Array.from(poses.values.subarray(8 * block, 8 * block + 8)),
      cursors: () => plots.map((plot) => plot.cursor()),
      plots: () => plots.map((plot) => plot.curves.title),
      /** Mean time to draw a frame while things move, ms. */
      measure: (frames: number) => {
        stage.pace(0);
        const gl = stage.renderer.getContext();
        const begin = performance.now();
        for (let k = 0; k < frames; k++) {
          show(motion.start + ((motion.end - motion.start) * k) / frames);
          stage.draw();
          gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
        }
        return (performance.now() - begin) / frames;
      },
    },
  });
  document.documentElement.dataset["viewer"] = "ready";
  performance.mark("ready");
}

function groundOf(table: Table | null): (t: number, out: Vector3) => Vector3 {
  const columns = ["x", "y", "z"].map((axis) => table?.columns[table.names.indexOf(`ground.u${axis}`)]);
  return (t, out) => {
    if (table === null) return out.set(0, 0, 0);
    const [k, part] = locate(table.time, t);
    columns.forEach((column, axis) => {
      if (column === undefined) return;
      const next = column[Math.min(k + 1, column.length - 1)];
      out.setComponent(axis, column[k] + part * (next - column[k]));
    });
    return out;
  };
}

/** How a block moved: displacement and rotation vector at every frame. */
function historyOf(motion: Motion, block: number, name: string): Curves[] {
  if (motion.times.length < 2) return [];
  const columns = Array.from({ length: 6 }, () => new Float64Array(motion.times.length));
  const way = new Vector3();
  const turn = new Quaternion();
  motion.times.forEach((t, i) => {
    motion.at(block, t, way, turn);
    const s = Math.hypot(turn.x, turn.y, turn.z);
    const factor = s > 1e-12 ? (2 * Math.atan2(s, turn.w)) / s : 2;
    [way.x, way.y, way.z, factor * turn.x, factor * turn.y, factor * turn.z].forEach((v, k) => (columns[k][i] = v));
  });
  const some = (from: number, names: string[], title: string, unit: string): Curves[] => {
    const kept = names.map((_, k) => k).filter((k) => columns[from + k].some((v) => v !== 0));
    if (kept.length === 0) return [];
    return [{ title: `${title} of ${name}`, unit, time: motion.times, names: kept.map((k) => names[k]), columns: kept.map((k) => columns[from + k]) }];
  };
  return [...some(3, ["rx", "ry", "rz"], "Rotation", "rad"), ...some(0, ["ux", "uy", "uz"], "Displacement", "m")];
}

const place = document.getElementById("viewer");
if (place !== null) {
  start(place).catch((error: unknown) => {
    // Without WebGL the still pictures remain.
    document.documentElement.classList.remove("viewing");
    document.documentElement.dataset["viewer"] = "failed";
    place.hidden = false;
    place.replaceChildren(element("p", { className: "hint", textContent: `The 3D view cannot be shown here: ${String(error)}` }));
    console.error(error);
  });
}
