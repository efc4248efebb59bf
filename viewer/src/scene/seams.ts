// Joints of a run: how far they open and slide follows from where their blocks are; what they carry, from stored forces.

import * as three from "three";
import type { Blocks } from "../data/blocks";
import type { Motion } from "../data/motion";
import { f32 } from "../data/packed";
import type { Poses } from "../data/poses";
import * as look from "../generated/look";
import type { PackedTouching } from "../generated/scene";
import type { Forces } from "./forces";
import { Outlines } from "./outlines";
import { posed } from "./posed";
import { ramp } from "./ramp";

export type SeamMeasure = "opening" | "sliding" | "force" | "friction";

export interface Reading {
  /** Of the corner that is farthest open, and of the one that is least, m. */
  opening: number;
  closest: number;
  /** Of the corner that slid farthest, m. */
  sliding: number;
}

/** Normal and shear force, N. */
type Carried = [number, number];

/** Frames looked at to find how far joints go. */
const SAMPLES = 16;
/** A joint is a hinge if it opens by this part of the structure on one side and stays closed on the other. */
const HINGE = 1e-4;

export class Seams {
  readonly group = new three.Group();
  readonly outlines: Outlines;
  readonly area: Float32Array;
  readonly friction: Float32Array;
  hingeCount = 0;
  private faces: three.Mesh<three.BufferGeometry, three.MeshBasicMaterial>;
  private hinges: three.InstancedMesh;
  private normals: Float32Array;
  private owner: Uint32Array;
  private largest = new Map<SeamMeasure, number>();
  private places = [new three.Vector3(), new three.Vector3()];
  private turns = [new three.Quaternion(), new three.Quaternion()];
  private points = [new three.Vector3(), new three.Vector3()];
  private normal = new three.Vector3();
  private reading: Reading = { opening: 0, closest: 0, sliding: 0 };

  constructor(
    packed: PackedTouching,
    private initial: Blocks,
    private motion: Motion,
    readonly forces: Forces | null,
    private size: number,
    texture: three.DataTexture,
  ) {
    this.outlines = new Outlines(packed, initial);
    this.normals = f32(packed.normals);
    this.area = f32(packed.area);
    this.friction = f32(packed.friction);
    const { position, block, owner } = this.outlines.triangles();
    this.owner = owner;
    const geometry = new three.BufferGeometry();
    geometry.setAttribute("position", new three.BufferAttribute(position, 3));
    geometry.setAttribute("block", new three.BufferAttribute(block, 1));
    geometry.setAttribute("color", new three.BufferAttribute(new Float32Array(position.length), 3));
    const material = new three.MeshBasicMaterial({ vertexColors: true, side: three.DoubleSide, transparent: true });
    material.onBeforeCompile = (shader) => posed(shader, texture);
    this.faces = new three.Mesh(geometry, material);
    this.faces.renderOrder = 1;
    this.faces.frustumCulled = false;
    const ball = new three.SphereGeometry(1, 16, 12);
    this.hinges = new three.InstancedMesh(ball, new three.MeshBasicMaterial({ color: look.sign.hinge, depthTest: false, transparent: true }), Math.max(this.outlines.count, 1));
    this.hinges.count = 0;
    this.hinges.frustumCulled = false;
    this.hinges.renderOrder = 4;
    this.group.add(this.faces, this.hinges);
    this.faces.visible = this.hinges.visible = false;
  }

  /** Gap of a corner and how far it slid, blocks being where `places` and `turns` say. */
  private corner(joint: number, corner: number): [number, number] {
    const { points, places, turns, normal } = this;
    for (const side of [0, 1] as const) this.outlines.local(joint, corner, side, points[side]).applyQuaternion(turns[side]).add(places[side]);
    const way = points[1].sub(points[0]);
    const gap = way.dot(normal);
    return [gap, Math.sqrt(Math.max(way.lengthSq() - gap * gap, 0))];
  }

  private place(joint: number, t: number): void {
    for (const side of [0, 1] as const) {
      const block = this.outlines.blocks[2 * joint + side];
      this.motion.at(block, t, this.places[side], this.turns[side]);
      const p = this.initial.position;
      this.places[side].x += p[3 * block];
      this.places[side].y += p[3 * block + 1];
      this.places[side].z += p[3 * block + 2];
    }
    this.normal.fromArray(this.normals, 3 * joint).applyQuaternion(this.turns[0]);
  }

  /** A joint at a time. The answer is overwritten by the next. */
  read(joint: number, t: number): Reading {
    this.place(joint, t);
    const reading = this.reading;
    reading.opening = -Infinity;
    reading.closest = Infinity;
    reading.sliding = 0;
    for (let i = this.outlines.starts[joint]; i < this.outlines.starts[joint + 1]; i++) {
      const [gap, way] = this.corner(joint, i);
      reading.opening = Math.max(reading.opening, gap);
      reading.closest = Math.min(reading.closest, gap);
      reading.sliding = Math.max(reading.sliding, way);
    }
    return reading;
  }

  /** What a joint carries at the stored time nearest before `t`. */
  carried(joint: number, t: number): Carried | null {
    const force = this.forces?.between(this.outlines.blocks[2 * joint], this.outlines.blocks[2 * joint + 1], t) ?? null;
    if (force === null) return null;
    this.place(joint, t);
    const normal = force.dot(this.normal);
    return [normal, Math.sqrt(Math.max(force.lengthSq() - normal * normal, 0))];
  }

  value(joint: number, t: number, measure: SeamMeasure): number {
    if (measure === "opening") return Math.max(this.read(joint, t).opening, 0);
    if (measure === "sliding") return this.read(joint, t).sliding;
    const carried = this.carried(joint, t);
    if (carried === null) return -1;
    if (measure === "force") return Math.hypot(...carried);
    return carried[0] > 0 ? Math.min(carried[1] / (this.friction[joint] * carried[0]), 1) : -1;
  }

  /** The value that is drawn red. */
  top(measure: SeamMeasure): number {
    if (measure === "friction") return 1;
    let top = this.largest.get(measure);
    if (top === undefined) {
      top = 0;
      const { start, end } = this.motion;
      const samples = Math.max(2, Math.min(SAMPLES, Math.floor(4e5 / Math.max(this.outlines.count, 1))));
      for (let s = 1; s <= samples; s++) {
        const t = start + ((end - start) * s) / samples;
        for (let k = 0; k < this.outlines.count; k++) top = Math.max(top, this.value(k, t, measure));
      }
      // What cannot be seen is not worth all colours.
      if (measure !== "force") top = Math.min(Math.max(top, 1e-6 * this.size), 0.05 * this.size);
      this.largest.set(measure, top);
    }
    return top;
  }

  /** Colours and hinges at a time; `poses` are those drawn. */
  show(t: number, poses: Poses, measure: SeamMeasure | "none", hinges: boolean, chosen: number): void {
    this.faces.visible = measure !== "none";
    this.hinges.visible = hinges;
    if (measure !== "none") {
      const top = this.top(measure);
      const colours = this.faces.geometry.getAttribute("color") as three.BufferAttribute;
      const idle = new three.Color(look.sign.idle);
      const marked = new three.Color(look.sign.chosen);
      let [last, colour] = [-1, idle];
      this.owner.forEach((k, triangle) => {
        if (k !== last) {
          last = k;
          const value = this.value(k, t, measure);
          colour = k === chosen ? marked : value < 0 ? idle : ramp(value / top);
        }
        for (let i = 0; i < 3; i++) colours.setXYZ(3 * triangle + i, colour.r, colour.g, colour.b);
      });
      colours.needsUpdate = true;
    }
    if (hinges) this.mark(t, poses);
  }

  private mark(t: number, poses: Poses): void {
    const least = HINGE * this.size;
    const matrix = new three.Matrix4();
    const [sum, corner, position, turn] = [new three.Vector3(), new three.Vector3(), new three.Vector3(), new three.Quaternion()];
    let count = 0;
    for (let k = 0; k < this.outlines.count; k++) {
      const { opening, closest } = this.read(k, t);
      const radius = this.outlines.radii[k];
      if (!(opening > Math.max(least, 0.01 * radius) && closest < 0.15 * opening)) continue;
      poses.get(this.outlines.blocks[2 * k], position, turn);
      sum.set(0, 0, 0);
      let closed = 0;
      for (let i = this.outlines.starts[k]; i < this.outlines.starts[k + 1]; i++) {
        if (this.corner(k, i)[0] > closest + 0.2 * (opening - closest)) continue;
        sum.add(this.outlines.local(k, i, 0, corner));
        closed++;
      }
      sum.divideScalar(closed).applyQuaternion(turn).add(position);
      // Not larger than the joint that they mark.
      const width = Math.min(0.008 * this.size, 0.22 * radius);
      this.hinges.setMatrixAt(count++, matrix.makeScale(width, width, width).setPosition(sum));
    }
    this.hingeCount = this.hinges.count = count;
    this.hinges.instanceMatrix.needsUpdate = true;
  }
}
