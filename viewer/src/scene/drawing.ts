// Everything that is drawn in 3D, kept as the store says.

import { type Box3, Plane, Vector3 } from "three";
import type { Content } from "../data/content";
import { groundOf } from "../data/ground";
import { Poses } from "../data/poses";
import * as look from "../generated/look";
import type { Chosen, Shown, View } from "../store";
import { type Arrows, loads } from "./arrows";
import { Forces } from "./forces";
import { type JointMeasure, Joints } from "./joints";
import type { Outlines } from "./outlines";
import { lineColour, Polyline } from "./polyline";
import { type SeamMeasure, Seams } from "./seams";
import { Shapes } from "./shapes";
import { Stage } from "./stage";
import { Stones } from "./stones";
import { viewpoints } from "./viewpoints";

/** Past this many blocks shadows cost more than they show. */
const SHADOWS = 3000;
/** Past this many blocks a machine without a graphics card smooths edges only while nothing moves. */
const MANY = 800;

export class Drawing {
  readonly stage: Stage;
  readonly poses: Poses;
  /** Joints of a question of statics. */
  readonly joints: Joints | null;
  /** Contact forces and joints of a run. */
  readonly forces: Forces | null;
  readonly seams: Seams | null;
  private shapes: Shapes;
  private stones: Stones;
  private loads: Arrows;
  private lines: Polyline[];
  private ties: Polyline[];
  private box: Box3;
  private groundAt: (t: number, out: Vector3) => Vector3;

  constructor(
    place: HTMLElement,
    private content: Content,
    private view: View,
  ) {
    const { scene, blocks, motion } = content;
    this.stage = new Stage(place, blocks.count <= SHADOWS, blocks.count > MANY);
    this.shapes = new Shapes(scene.mesh, blocks);
    this.stones = new Stones(this.shapes, blocks);
    this.stage.edged = (on) => this.stones.edged(on);
    this.poses = new Poses(blocks);
    this.poses.update(motion, motion.start, 1);
    this.box = this.shapes.box(this.poses);
    const size = this.box.getSize(new Vector3()).length();
    this.joints = scene.joints === undefined ? null : new Joints(scene.joints, blocks, size);
    this.forces = scene.forces === undefined ? null : new Forces(scene.forces, motion, blocks, size);
    this.seams = scene.touching === undefined ? null : new Seams(scene.touching, blocks, motion, this.forces, size, this.stones.texture);
    this.loads = loads(scene);
    const points = (list: [number, number, number][]) => list.map((p) => new Vector3(...p));
    this.lines = (scene.lines ?? []).map((line) => new Polyline(points(line.points), line.blocks, blocks, 0.0032 * size, lineColour(line.state)));
    this.ties = scene.ties.map((tie) => new Polyline(points(tie.points), tie.blocks, blocks, 0.002 * size, look.sign.tie));
    this.groundAt = groundOf(content.table);

    const { moved } = this.stage;
    moved.add(this.stones.group);
    if (this.seams !== null) moved.add(this.seams.group);
    moved.add(this.loads.group);
    if (this.forces !== null) moved.add(this.forces.arrows.group);
    if (this.joints !== null) moved.add(this.joints.faces, this.joints.arrows.group, this.joints.hinges);
    for (const line of [...this.lines, ...this.ties]) moved.add(line.group);
    this.stage.furnish(this.box, this.shapes.box(this.poses, true).min.z);
    this.follow();
  }

  /** Where joints are, if the page has any. */
  get outlines(): Outlines | null {
    return (this.seams ?? this.joints)?.outlines ?? null;
  }

  private follow(): void {
    const { view, stage, stones, joints } = this;
    view.watch(["dark"], ({ dark }) => {
      stage.theme(dark);
      stones.theme(dark);
    });
    view.watch(["opacity"], ({ opacity }) => stones.opacity(opacity));
    view.watch(["chosen"], ({ chosen }) => stones.choose(chosen?.kind === "block" ? chosen.index : -1));
    view.watch(["measure"], ({ measure }) => {
      if (joints !== null && measure !== "none") joints.paint(measure as JointMeasure);
    });
    view.watch(["hiddenGroups"], ({ hiddenGroups }) => {
      const { group } = this.content.blocks;
      stones.hidden = new Set([...group.keys()].filter((block) => hiddenGroups.has(group[block])));
    });
    view.watch(["t", "span", "exaggeration", "ground", "cut", "depth", "hiddenGroups", "measure", "forces", "hinges", "chosen"], (now) => this.move(now));
    view.watch(["measure", "forces", "hinges", "loads", "hiddenLines"], (now) => this.reveal(now));
    view.watch(["opacity", "dark"], () => stage.touch());
  }

  /** Puts everything where it is at a time. */
  private move(now: Readonly<Shown>): void {
    const { stage, stones, poses, seams, forces } = this;
    poses.update(this.content.motion, now.t, now.exaggeration);
    stones.move(poses);
    stage.moved.position.set(0, 0, 0);
    if (now.ground) this.groundAt(now.t, stage.moved.position).multiplyScalar(now.exaggeration);
    stones.section(this.section(now), stage.moved.position);
    this.loads.move(poses);
    this.joints?.move(poses);
    // A measure of statics never meets joints of a run: a page has one or the other.
    seams?.show(now.t, poses, now.measure as SeamMeasure | "none", now.hinges, now.chosen?.kind === "joint" ? now.chosen.index : -1);
    for (const line of [...this.lines, ...this.ties]) line.move(poses);
    if (forces !== null && now.forces) {
      forces.update(now.t);
      forces.arrows.move(poses);
    }
    stage.touch();
  }

  /** Shows what is switched on. */
  private reveal(now: Readonly<Shown>): void {
    const { joints, forces } = this;
    this.loads.group.visible = now.loads;
    if (forces !== null) forces.arrows.group.visible = now.forces;
    if (joints !== null) {
      joints.faces.visible = now.measure !== "none";
      joints.arrows.group.visible = now.forces;
      joints.hinges.visible = now.hinges;
    }
    this.lines.forEach((line, k) => (line.group.visible = !now.hiddenLines.has(k)));
    this.stage.touch();
  }

  private section({ cut, depth }: Readonly<Shown>): Plane | null {
    if (cut === "none") return null;
    const axis = "xyz".indexOf(cut);
    const away = new Vector3().setComponent(axis, axis === 1 ? 1 : -1);
    return new Plane().setFromNormalAndCoplanarPoint(away, this.box.min.clone().lerp(this.box.max, depth));
  }

  /** Looks from one of the viewpoints, by its index. */
  look(k: number): void {
    this.stage.look(viewpoints(this.content.scene.free)[k][1], this.content.swings ? 1.2 : 1.3);
  }

  /** The block at a pixel, or -1. */
  blockAt(x: number, y: number): number {
    return this.shapes.pick(this.stage.ray(x, y), this.poses, this.stones.hidden, this.stones.cut)?.block ?? -1;
  }

  /** The joint at a pixel, or -1; joints can be found while they are coloured. */
  jointAt(x: number, y: number): number {
    if (this.view.now.measure === "none") return -1;
    return this.outlines?.pick(this.stage.ray(x, y), this.poses) ?? -1;
  }

  /** What is at a pixel. Joints are in front of blocks while they are coloured. */
  at(x: number, y: number): Chosen | null {
    const joint = this.jointAt(x, y);
    if (joint >= 0) return { kind: "joint", index: joint };
    const block = this.blockAt(x, y);
    return block < 0 ? null : { kind: "block", index: block };
  }
}
