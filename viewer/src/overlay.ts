// What is drawn over the blocks: forces, joints, hinges, thrust lines, loads, ties.

import * as three from "three";
import { type Blocks, f32, f64, locate, type Packed, u32 } from "./data";
import type { Motion, Poses } from "./motion";
import { Outlines } from "./outlines";
import { tell } from "./panel";

/** The largest force is drawn this long, as a fraction of the structure. */
const LONGEST = 0.16;

/** From green over yellow to red in steps too small to see. */
const SHADES = Array.from({ length: 129 }, (_, step) => {
  const stops = ["#2f9e6e", "#a8c545", "#f2c230", "#ee7b2c", "#c8281f"].map((c) => new three.Color(c));
  const at = (step / 128) * (stops.length - 1);
  const k = Math.min(Math.floor(at), stops.length - 2);
  return stops[k].clone().lerp(stops[k + 1], at - k);
});

interface Arrow {
  /** In the frame of the block. */
  block: number;
  local: three.Vector3;
  force: three.Vector3;
}

/** Of a force and its reaction the one that points up: then arrows of neighbouring joints agree. */
function upward(forces: Float32Array, k: number): three.Vector3 {
  const force = new three.Vector3().fromArray(forces, 3 * k);
  return force.z < 0 ? force.negate() : force;
}

/** Arrows of one colour that are as long as their forces are large. */
export class Arrows {
  readonly group = new three.Group();
  private shafts: three.InstancedMesh;
  private heads: three.InstancedMesh;
  private arrows: Arrow[] = [];

  constructor(
    private most: number,
    private size: number,
    private largest: number,
    colour: string,
    private towards: boolean,
  ) {
    const material = new three.MeshBasicMaterial({ color: colour, depthTest: false, transparent: true, opacity: 0.9 });
    const shaft = new three.CylinderGeometry(1, 1, 1, 8).translate(0, 0.5, 0);
    const head = new three.ConeGeometry(1, 1, 12).translate(0, -0.5, 0);
    this.shafts = new three.InstancedMesh(shaft, material, Math.max(most, 1));
    this.heads = new three.InstancedMesh(head, material, Math.max(most, 1));
    for (const mesh of [this.shafts, this.heads]) {
      mesh.frustumCulled = false;
      mesh.renderOrder = 3;
      mesh.count = 0;
      this.group.add(mesh);
    }
  }

  show(arrows: Arrow[]): void {
    this.arrows = arrows.slice(0, this.most);
  }

  move(poses: Poses): void {
    const [position, turn, at, along, scale] = [new three.Vector3(), new three.Quaternion(), new three.Vector3(), new three.Vector3(), new three.Vector3()];
    const up = new three.Vector3(0, 1, 0);
    const matrix = new three.Matrix4();
    let count = 0;
    for (const arrow of this.arrows) {
      const share = Math.min(arrow.force.length() / this.largest, 1.6);
      if (share < 0.004) continue;
      const length = LONGEST * this.size * share;
      const width = this.size * (0.0011 + 0.0016 * Math.sqrt(share));
      const tip = Math.min(0.45 * length, 6 * width);
      poses.get(arrow.block, position, turn);
      at.copy(arrow.local).applyQuaternion(turn).add(position);
      along.copy(arrow.force).normalize();
      // Forces between blocks are centred on their point; loads end there.
      at.addScaledVector(along, this.towards ? -length : -0.5 * length);
      turn.setFromUnitVectors(up, along);
      this.shafts.setMatrixAt(count, matrix.compose(at, turn, scale.set(width, length - tip, width)));
      at.addScaledVector(along, length);
      this.heads.setMatrixAt(count, matrix.compose(at, turn, scale.set(2.6 * width, tip, 2.6 * width)));
      count++;
    }
    for (const mesh of [this.shafts, this.heads]) {
      mesh.count = count;
      mesh.instanceMatrix.needsUpdate = true;
    }
  }
}

/** The largest force of a usual time: outliers of an impact must not make all others invisible. */
function reference(forces: Float32Array, starts: ArrayLike<number>): number {
  const largest: number[] = [];
  for (let k = 0; k + 1 < starts.length; k++) {
    let most = 0;
    for (let i = 3 * starts[k]; i < 3 * starts[k + 1]; i += 3) most = Math.max(most, Math.hypot(forces[i], forces[i + 1], forces[i + 2]));
    if (most > 0) largest.push(most);
  }
  largest.sort((a, b) => a - b);
  return largest[Math.floor(0.5 * largest.length)] ?? 1;
}

/** Contact forces of a run at the stored time nearest before the present one. */
export class Forces {
  readonly arrows: Arrows;
  readonly times: Float64Array;
  private starts: Uint32Array;
  private blocks: Uint32Array;
  private points: Float32Array;
  private forces: Float32Array;
  private shown = -1;

  constructor(
    packed: NonNullable<Packed["forces"]>,
    private motion: Motion,
    private initial: Blocks,
    size: number,
  ) {
    this.times = f64(packed.times);
    this.starts = u32(packed.starts);
    this.blocks = u32(packed.blocks);
    this.points = f32(packed.points);
    this.forces = f32(packed.forces);
    let most = 0;
    for (let k = 0; k < this.times.length; k++) most = Math.max(most, this.starts[k + 1] - this.starts[k]);
    this.arrows = new Arrows(most, size, reference(this.forces, this.starts), "#2f86d1", false);
  }

  /** The force on the second of two blocks at the stored time nearest before `t`, if they touch then. */
  between(a: number, b: number, t: number): three.Vector3 | null {
    const [k] = locate(this.times, t + 1e-9);
    if (this.times.length === 0) return null;
    // Sorted by pair within each time.
    let [low, high] = [this.starts[k], this.starts[k + 1]];
    while (low < high) {
      const middle = (low + high) >> 1;
      const [x, y] = [this.blocks[2 * middle], this.blocks[2 * middle + 1]];
      if (x < a || (x === a && y < b)) low = middle + 1;
      else high = middle;
    }
    if (low >= this.starts[k + 1] || this.blocks[2 * low] !== a || this.blocks[2 * low + 1] !== b) return null;
    return new three.Vector3().fromArray(this.forces, 3 * low);
  }

  update(t: number): void {
    const [k] = locate(this.times, t + 1e-9);
    if (k === this.shown || this.times.length === 0) return;
    this.shown = k;
    const arrows: Arrow[] = [];
    const [way, turn] = [new three.Vector3(), new three.Quaternion()];
    for (let i = this.starts[k]; i < this.starts[k + 1]; i++) {
      const block = this.blocks[2 * i + 1];
      this.motion.at(block, this.times[k], way, turn);
      const centre = new three.Vector3().fromArray(this.initial.position, 3 * block).add(way);
      const local = new three.Vector3().fromArray(this.points, 3 * i).sub(centre).applyQuaternion(turn.invert());
      arrows.push({ block, local, force: upward(this.forces, i) });
    }
    this.arrows.show(arrows);
  }
}

/** From green over yellow to red. */
export function ramp(x: number): three.Color {
  return SHADES[Math.round(Math.min(Math.max(x, 0), 1) * (SHADES.length - 1))];
}

export type Measure = "friction" | "edge";

/** Joints of a question of statics. */
export class Joints {
  readonly faces: three.Mesh<three.BufferGeometry, three.MeshBasicMaterial>;
  readonly arrows: Arrows;
  readonly hinges: three.InstancedMesh;
  private owner: number[] = [];
  private hingeOf: number[] = [];
  private values: Record<Measure, Float32Array>;
  readonly outlines: Outlines;

  constructor(
    private packed: NonNullable<Packed["joints"]>,
    private initial: Blocks,
    private size: number,
  ) {
    this.outlines = new Outlines(packed, initial);
    const outlines = this.outlines.corners;
    const starts = this.outlines.starts;
    const normal = f32(packed.normal);
    const largest = normal.reduce((m, x) => Math.max(m, x), 0);
    const edge = f32(packed.edge);
    // What carries next to nothing is near no edge and slides nowhere.
    const carries = (value: (k: number) => number) => Float32Array.from(normal, (n, k) => (n > 1e-6 * largest ? value(k) : -1));
    const friction = f32(packed.friction);
    this.values = { friction: carries((k) => friction[k]), edge: carries((k) => 1 - edge[k]) };
    const position: number[] = [];
    for (let k = 0; k + 1 < starts.length; k++) {
      for (let i = starts[k] + 1; i + 1 < starts[k + 1]; i++) {
        for (const v of [starts[k], i, i + 1]) position.push(outlines[3 * v], outlines[3 * v + 1], outlines[3 * v + 2]);
        this.owner.push(k);
      }
    }
    const geometry = new three.BufferGeometry();
    geometry.setAttribute("position", new three.Float32BufferAttribute(position, 3));
    geometry.setAttribute("color", new three.Float32BufferAttribute(new Float32Array(position.length), 3));
    this.faces = new three.Mesh(geometry, new three.MeshBasicMaterial({ vertexColors: true, side: three.DoubleSide, transparent: true }));
    this.faces.renderOrder = 1;
    const blocks = u32(packed.blocks);
    const forces = f32(packed.forces);
    const points = f32(packed.points);
    this.arrows = new Arrows(normal.length, size, reference(forces, [0, normal.length]), "#2f86d1", false);
    this.arrows.show(Array.from(normal, (_, k) => ({ block: blocks[2 * k + 1], local: this.local(points, k, blocks), force: upward(forces, k) })));
    packed.movement.forEach((movement, k) => {
      if (movement === "hinge" || movement === "sliding_hinge") this.hingeOf.push(k);
    });
    const ball = new three.SphereGeometry(0.009 * size, 20, 14);
    this.hinges = new three.InstancedMesh(ball, new three.MeshBasicMaterial({ color: "#d6322b", depthTest: false, transparent: true }), Math.max(this.hingeOf.length, 1));
    this.hinges.count = this.hingeOf.length;
    this.hinges.frustumCulled = false;
    this.hinges.renderOrder = 4;
    this.paint("friction");
  }

  /** What a joint is and carries. */
  facts(k: number): [string, string][] {
    const of = (text: string) => f32(text)[k];
    const normal = of(this.packed.normal);
    const whole = Math.hypot(...f32(this.packed.forces).subarray(3 * k, 3 * k + 3));
    const movement = this.packed.movement[k];
    return [
      ["Area", `${tell(of(this.packed.area))} m²`],
      ["Normal", `${tell(normal)} N`],
      ["Shear", `${tell(Math.sqrt(Math.max(whole * whole - normal * normal, 0)))} N`],
      ["Friction used", `${Math.round(100 * of(this.packed.friction))} %`],
      ["From an edge", `${Math.round(100 * of(this.packed.edge))} % of the middle's`],
      ...(movement === null ? [] : ([["Movement", movement.replace("_", " ")]] as [string, string][])),
    ];
  }

  get hingeCount(): number {
    return this.hingeOf.length;
  }

  private local(points: Float32Array, k: number, blocks: Uint32Array): three.Vector3 {
    return new three.Vector3().fromArray(points, 3 * k).sub(new three.Vector3().fromArray(this.initial.position, 3 * blocks[2 * k + 1]));
  }

  paint(measure: Measure): void {
    const colours = this.faces.geometry.getAttribute("color") as three.BufferAttribute;
    const idle = new three.Color("#8b9097");
    this.owner.forEach((k, triangle) => {
      const value = this.values[measure][k];
      const colour = value < 0 ? idle : ramp(value);
      for (let i = 0; i < 3; i++) colours.setXYZ(3 * triangle + i, colour.r, colour.g, colour.b);
    });
    colours.needsUpdate = true;
  }

  move(poses: Poses): void {
    this.arrows.move(poses);
    const at = f32(this.packed.at);
    const blocks = u32(this.packed.blocks);
    const [position, turn] = [new three.Vector3(), new three.Quaternion()];
    const matrix = new three.Matrix4();
    this.hingeOf.forEach((k, i) => {
      poses.get(blocks[2 * k + 1], position, turn);
      const p = this.local(at, k, blocks).applyQuaternion(turn).add(position);
      this.hinges.setMatrixAt(i, matrix.makeTranslation(p));
    });
    this.hinges.instanceMatrix.needsUpdate = true;
  }

  get scale(): number {
    return this.size;
  }
}

export const LINE_COLOURS: Record<string, string> = { equilibrium: "#2f86d1", limit: "#2f86d1", minimum: "#3aa06a", maximum: "#d8593c" };

/** A polyline with thickness whose points go with blocks; points of no block stay. */
export class Polyline {
  readonly group = new three.Group();
  private rods: three.InstancedMesh;
  private balls: three.InstancedMesh;

  constructor(
    private points: three.Vector3[],
    private owners: (number | null)[],
    private initial: Blocks,
    private width: number,
    colour: string,
  ) {
    const material = new three.MeshBasicMaterial({ color: colour, depthTest: false, transparent: true });
    this.rods = new three.InstancedMesh(new three.CylinderGeometry(1, 1, 1, 10), material, Math.max(points.length - 1, 1));
    this.balls = new three.InstancedMesh(new three.SphereGeometry(1, 12, 8), material, Math.max(points.length, 1));
    for (const mesh of [this.rods, this.balls]) {
      mesh.frustumCulled = false;
      mesh.renderOrder = 2;
      this.group.add(mesh);
    }
    this.rods.count = Math.max(points.length - 1, 0);
    this.balls.count = points.length;
  }

  move(poses: Poses): void {
    const [position, turn, scale] = [new three.Vector3(), new three.Quaternion(), new three.Vector3()];
    const up = new three.Vector3(0, 1, 0);
    const matrix = new three.Matrix4();
    const places = this.points.map((point, k) => {
      const block = this.owners[k];
      if (block === null) return point;
      poses.get(block, position, turn);
      return point.clone().sub(new three.Vector3().fromArray(this.initial.position, 3 * block)).applyQuaternion(turn).add(position);
    });
    places.forEach((place, k) => {
      this.balls.setMatrixAt(k, matrix.compose(place, turn.identity(), scale.setScalar(1.3 * this.width)));
      if (k === 0) return;
      const way = place.clone().sub(places[k - 1]);
      position.copy(places[k - 1]).addScaledVector(way, 0.5);
      const length = way.length();
      if (length > 0) turn.setFromUnitVectors(up, way.divideScalar(length));
      this.rods.setMatrixAt(k - 1, matrix.compose(position, turn, scale.set(this.width, length, this.width)));
    });
    this.rods.instanceMatrix.needsUpdate = true;
    this.balls.instanceMatrix.needsUpdate = true;
  }
}

/** Loads as arrows that end where they act. */
export function loads(data: Packed): Arrows {
  const largest = data.loads.reduce((m, load) => Math.max(m, Math.hypot(...load.force)), 1e-300);
  const arrows = new Arrows(data.loads.length, data.size, largest, "#b0457f", true);
  arrows.show(data.loads.map((load) => ({ block: load.block, local: new three.Vector3(...load.arm), force: new three.Vector3(...load.force) })));
  return arrows;
}
