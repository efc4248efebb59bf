// Joints of a question of statics: coloured by what they carry, with their resultants and hinges.

import * as three from "three";
import type { Blocks } from "../data/blocks";
import { f32 } from "../data/packed";
import type { Poses } from "../data/poses";
import * as look from "../generated/look";
import type { PackedJoints } from "../generated/scene";
import { Arrows, reference, upward } from "./arrows";
import { Outlines } from "./outlines";
import { ramp } from "./ramp";

export type JointMeasure = "friction" | "edge";

/** What a joint is and carries. */
export interface Carrying {
  /** m². */
  area: number;
  /** N. */
  normal: number;
  shear: number;
  /** Parts of what is there: 1 is all the friction, or the middle of the joint. */
  friction: number;
  edge: number;
  movement: string | null;
}

export class Joints {
  readonly outlines: Outlines;
  readonly faces: three.Mesh<three.BufferGeometry, three.MeshBasicMaterial>;
  readonly arrows: Arrows;
  readonly hinges: three.InstancedMesh;
  private owner: number[] = [];
  /** Joints that are hinges, and where each is, in the frame of its second block. */
  private hingeOf: number[] = [];
  private hingeAt: three.Vector3[] = [];
  private values: Record<JointMeasure, Float32Array>;
  private normal: Float32Array;
  private forces: Float32Array;
  private area: Float32Array;
  private friction: Float32Array;
  private edge: Float32Array;
  private movement: (string | null)[];

  constructor(
    packed: PackedJoints,
    private initial: Blocks,
    size: number,
  ) {
    this.outlines = new Outlines(packed, initial);
    this.normal = f32(packed.normal);
    this.forces = f32(packed.forces);
    this.area = f32(packed.area);
    this.friction = f32(packed.friction);
    this.edge = f32(packed.edge);
    this.movement = packed.movement;
    const { normal, forces, friction, edge } = this;
    const largest = normal.reduce((m, x) => Math.max(m, x), 0);
    // What carries next to nothing is near no edge and slides nowhere.
    const carries = (value: (k: number) => number) => Float32Array.from(normal, (n, k) => (n > 1e-6 * largest ? value(k) : -1));
    this.values = { friction: carries((k) => friction[k]), edge: carries((k) => 1 - edge[k]) };
    this.faces = this.surface();
    const points = f32(packed.points);
    this.arrows = new Arrows(normal.length, size, reference(forces, [0, normal.length]), look.sign.force, false);
    this.arrows.show(Array.from(normal, (_, k) => ({ block: this.second(k), local: this.local(points, k), force: upward(forces, k) })));
    const at = f32(packed.at);
    packed.movement.forEach((movement, k) => {
      if (movement !== "hinge" && movement !== "sliding_hinge") return;
      this.hingeOf.push(k);
      this.hingeAt.push(this.local(at, k));
    });
    const ball = new three.SphereGeometry(0.009 * size, 20, 14);
    this.hinges = new three.InstancedMesh(ball, new three.MeshBasicMaterial({ color: look.sign.hinge, depthTest: false, transparent: true }), Math.max(this.hingeOf.length, 1));
    this.hinges.count = this.hingeOf.length;
    this.hinges.frustumCulled = false;
    this.hinges.renderOrder = 4;
    this.paint("friction");
  }

  private surface(): three.Mesh<three.BufferGeometry, three.MeshBasicMaterial> {
    const { corners, starts } = this.outlines;
    const position: number[] = [];
    for (let k = 0; k + 1 < starts.length; k++) {
      for (let i = starts[k] + 1; i + 1 < starts[k + 1]; i++) {
        for (const v of [starts[k], i, i + 1]) position.push(corners[3 * v], corners[3 * v + 1], corners[3 * v + 2]);
        this.owner.push(k);
      }
    }
    const geometry = new three.BufferGeometry();
    geometry.setAttribute("position", new three.Float32BufferAttribute(position, 3));
    geometry.setAttribute("color", new three.Float32BufferAttribute(new Float32Array(position.length), 3));
    const faces = new three.Mesh(geometry, new three.MeshBasicMaterial({ vertexColors: true, side: three.DoubleSide, transparent: true }));
    faces.renderOrder = 1;
    return faces;
  }

  read(k: number): Carrying {
    const normal = this.normal[k];
    const whole = Math.hypot(...this.forces.subarray(3 * k, 3 * k + 3));
    return {
      area: this.area[k],
      normal,
      shear: Math.sqrt(Math.max(whole * whole - normal * normal, 0)),
      friction: this.friction[k],
      edge: this.edge[k],
      movement: this.movement[k],
    };
  }

  get hingeCount(): number {
    return this.hingeOf.length;
  }

  private second(k: number): number {
    return this.outlines.blocks[2 * k + 1];
  }

  private local(points: Float32Array, k: number): three.Vector3 {
    return new three.Vector3().fromArray(points, 3 * k).sub(new three.Vector3().fromArray(this.initial.position, 3 * this.second(k)));
  }

  paint(measure: JointMeasure): void {
    const colours = this.faces.geometry.getAttribute("color") as three.BufferAttribute;
    const idle = new three.Color(look.sign.idle);
    this.owner.forEach((k, triangle) => {
      const value = this.values[measure][k];
      const colour = value < 0 ? idle : ramp(value);
      for (let i = 0; i < 3; i++) colours.setXYZ(3 * triangle + i, colour.r, colour.g, colour.b);
    });
    colours.needsUpdate = true;
  }

  move(poses: Poses): void {
    this.arrows.move(poses);
    const [position, turn, at] = [new three.Vector3(), new three.Quaternion(), new three.Vector3()];
    const matrix = new three.Matrix4();
    this.hingeOf.forEach((k, i) => {
      poses.get(this.second(k), position, turn);
      at.copy(this.hingeAt[i]).applyQuaternion(turn).add(position);
      this.hinges.setMatrixAt(i, matrix.makeTranslation(at));
    });
    this.hinges.instanceMatrix.needsUpdate = true;
  }
}
