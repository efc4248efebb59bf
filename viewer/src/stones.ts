// The blocks as one mesh and one set of lines; each vertex knows its block, and the shader looks its pose up.

import * as three from "three";
import { type Blocks, f32, type Packed, u32 } from "./data";
import type { Poses } from "./motion";

const WIDTH = 512;

const POSE = `
attribute float block;
uniform sampler2D poses;
vec4 poseTexel(float at) { return texelFetch(poses, ivec2(int(mod(at, ${WIDTH}.0)), int(floor(at / ${WIDTH}.0))), 0); }
vec3 turned(vec4 q, vec3 v) { return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v); }
`;

export function posed(shader: { vertexShader: string; uniforms: Record<string, three.IUniform> }, texture: three.DataTexture): void {
  shader.uniforms["poses"] = { value: texture };
  shader.vertexShader = (POSE + shader.vertexShader)
    .replace("#include <beginnormal_vertex>", "#include <beginnormal_vertex>\nobjectNormal = turned(poseTexel(2.0 * block + 1.0), objectNormal);")
    .replace("#include <begin_vertex>", "vec3 transformed = poseTexel(2.0 * block).xyz + turned(poseTexel(2.0 * block + 1.0), position);");
}

export interface Hit {
  block: number;
  distance: number;
}

export class Stones {
  readonly group = new three.Group();
  readonly mesh: three.Mesh<three.BufferGeometry, three.MeshLambertMaterial>;
  readonly supports: three.Mesh<three.BufferGeometry, three.MeshLambertMaterial>;
  readonly texture: three.DataTexture;
  readonly texels: number;
  hidden = new Set<number>();
  chosen = -1;
  /** Blocks are cut away where this is negative. */
  cut: three.Plane | null = null;
  private edges: three.LineSegments<three.BufferGeometry, three.LineBasicMaterial>;
  private vertices: Float32Array;
  /** Block, number of corners, corners; and so on. */
  private faces: Uint32Array;
  /** Triangles as vertex indices, with the first of each block. */
  private triangles: Uint32Array;
  private firsts: Uint32Array;
  private radii: Float32Array;
  private ink = { stone: "#d9c9a8", support: "#a9adb2", chosen: "#f08a24" };

  constructor(
    data: Packed,
    private blocks: Blocks,
  ) {
    const rows = Math.max(1, Math.ceil((2 * blocks.count) / WIDTH));
    this.texels = rows * WIDTH;
    this.texture = new three.DataTexture(new Float32Array(4 * this.texels), WIDTH, rows, three.RGBAFormat, three.FloatType);
    this.vertices = f32(data.mesh.vertices);
    this.faces = u32(data.mesh.faces);
    const faces = this.faces;
    const lines: number[] = [];
    const owners = new Float32Array(this.vertices.length / 3);
    this.firsts = new Uint32Array(blocks.count + 1);
    for (let i = 0; i < faces.length; i += 2 + faces[i + 1]) this.firsts[faces[i] + 1] += 3 * Math.max(faces[i + 1] - 2, 0);
    for (let b = 0; b < blocks.count; b++) this.firsts[b + 1] += this.firsts[b];
    const next = this.firsts.slice(0, blocks.count);
    this.triangles = new Uint32Array(this.firsts[blocks.count]);
    this.radii = new Float32Array(blocks.count);
    for (let i = 0; i < faces.length; i += 2 + faces[i + 1]) {
      const [block, count] = [faces[i], faces[i + 1]];
      for (let k = 0; k < count; k++) {
        const a = faces[i + 2 + k];
        const b = faces[i + 2 + ((k + 1) % count)];
        // Every edge belongs to two faces that pass it in opposite ways.
        if (a < b) lines.push(a, b);
        owners[a] = block;
        const v = 3 * a;
        this.radii[block] = Math.max(this.radii[block], Math.hypot(this.vertices[v], this.vertices[v + 1], this.vertices[v + 2]));
        if (k > 1) {
          const at = next[block];
          this.triangles[at] = faces[i + 2];
          this.triangles[at + 1] = faces[i + 1 + k];
          this.triangles[at + 2] = a;
          next[block] = at + 3;
        }
      }
    }
    this.mesh = this.surface(false);
    this.supports = this.surface(true);
    this.edges = this.outline(lines, owners);
    this.group.add(this.mesh, this.supports, this.edges);
    this.paint();
  }

  private vertex(v: number): [number, number, number] {
    return [this.vertices[3 * v], this.vertices[3 * v + 1], this.vertices[3 * v + 2]];
  }

  private surface(support: boolean): three.Mesh<three.BufferGeometry, three.MeshLambertMaterial> {
    const faces = this.faces;
    const vertices = this.vertices;
    let [corners, indices] = [0, 0];
    for (let i = 0; i < faces.length; i += 2 + faces[i + 1]) {
      if (this.blocks.support[faces[i]] !== support) continue;
      corners += faces[i + 1];
      indices += 3 * Math.max(faces[i + 1] - 2, 0);
    }
    const position = new Float32Array(3 * corners);
    const normal = new Float32Array(3 * corners);
    const owner = new Float32Array(corners);
    const index = new Uint32Array(indices);
    let [first, filled] = [0, 0];
    for (let i = 0; i < faces.length; i += 2 + faces[i + 1]) {
      const [block, count] = [faces[i], faces[i + 1]];
      if (this.blocks.support[block] !== support) continue;
      let [x, y, z] = [0, 0, 0];
      for (let k = 0; k < count; k++) {
        const a = 3 * faces[i + 2 + k];
        const b = 3 * faces[i + 2 + ((k + 1) % count)];
        x += vertices[a + 1] * vertices[b + 2] - vertices[a + 2] * vertices[b + 1];
        y += vertices[a + 2] * vertices[b] - vertices[a] * vertices[b + 2];
        z += vertices[a] * vertices[b + 1] - vertices[a + 1] * vertices[b];
        for (let c = 0; c < 3; c++) position[3 * (first + k) + c] = vertices[a + c];
        owner[first + k] = block;
        if (k > 1) {
          index[filled++] = first;
          index[filled++] = first + k - 1;
          index[filled++] = first + k;
        }
      }
      const length = Math.hypot(x, y, z) || 1;
      for (let k = first; k < first + count; k++) {
        normal[3 * k] = x / length;
        normal[3 * k + 1] = y / length;
        normal[3 * k + 2] = z / length;
      }
      first += count;
    }
    const geometry = new three.BufferGeometry();
    geometry.setAttribute("position", new three.BufferAttribute(position, 3));
    geometry.setAttribute("normal", new three.BufferAttribute(normal, 3));
    geometry.setAttribute("block", new three.BufferAttribute(owner, 1));
    geometry.setAttribute("color", new three.BufferAttribute(new Float32Array(3 * corners), 3));
    geometry.setIndex(new three.BufferAttribute(index, 1));
    const material = new three.MeshLambertMaterial({ vertexColors: true, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 });
    material.onBeforeCompile = (shader) => posed(shader, this.texture);
    const mesh = new three.Mesh(geometry, material);
    const depth = new three.MeshDepthMaterial();
    depth.onBeforeCompile = (shader) => posed(shader, this.texture);
    mesh.customDepthMaterial = depth;
    mesh.castShadow = !support;
    mesh.receiveShadow = true;
    mesh.frustumCulled = false;
    return mesh;
  }

  private outline(lines: number[], owners: Float32Array): three.LineSegments<three.BufferGeometry, three.LineBasicMaterial> {
    const geometry = new three.BufferGeometry();
    geometry.setAttribute("position", new three.BufferAttribute(this.vertices, 3));
    geometry.setAttribute("block", new three.BufferAttribute(owners, 1));
    geometry.setIndex(lines);
    const material = new three.LineBasicMaterial({ transparent: true, opacity: 0.55 });
    material.onBeforeCompile = (shader) => posed(shader, this.texture);
    const edges = new three.LineSegments(geometry, material);
    edges.frustumCulled = false;
    return edges;
  }

  /** Colours of blocks: a little different from each other, as stones are; hidden ones go where nobody sees them. */
  paint(): void {
    const colour = new three.Color();
    const ink = { stone: new three.Color(this.ink.stone), support: new three.Color(this.ink.support), chosen: new three.Color(this.ink.chosen) };
    for (const mesh of [this.mesh, this.supports]) {
      const owner = mesh.geometry.getAttribute("block").array;
      const colours = mesh.geometry.getAttribute("color") as three.BufferAttribute;
      let last = -1;
      for (let i = 0; i < owner.length; i++) {
        const block = owner[i];
        if (block !== last) {
          last = block;
          if (block === this.chosen) colour.copy(ink.chosen);
          else if (this.blocks.support[block]) colour.copy(ink.support);
          else {
            const noise = Math.sin(12.9898 * (block + 1)) * 43758.5453;
            colour.copy(ink.stone).offsetHSL(0, 0, 0.07 * (noise - Math.floor(noise) - 0.5));
          }
        }
        colour.toArray(colours.array, 3 * i);
      }
      colours.needsUpdate = true;
    }
  }

  theme(dark: boolean): void {
    this.ink = dark
      ? { stone: "#cdb992", support: "#565c64", chosen: "#ff9a3c" }
      : { stone: "#dccaa6", support: "#b4b8bd", chosen: "#f08a24" };
    this.edges.material.color.set(dark ? "#15130f" : "#4a4236");
    this.paint();
  }

  /** Faces stand back behind their edges, but only where edges are drawn: otherwise what is behind shows between them. */
  edged(on: boolean): void {
    this.edges.visible = on;
    for (const { material } of [this.mesh, this.supports]) material.polygonOffset = on;
  }

  opacity(value: number): void {
    for (const { material } of [this.mesh, this.supports]) {
      material.transparent = value < 1;
      material.opacity = value;
      material.depthWrite = value >= 1;
      material.needsUpdate = true;
    }
  }

  /** Cuts with a plane given in the frame of the blocks, which the ground may have moved. */
  section(plane: three.Plane | null, moved: three.Vector3): void {
    const changed = (plane === null) !== (this.cut === null);
    this.cut = plane;
    const planes = plane === null ? null : [plane.clone().translate(moved)];
    for (const { material } of [this.mesh, this.supports, this.edges]) {
      material.clippingPlanes = planes;
      // Where a block is cut its inside is seen.
      material.side = plane === null ? three.FrontSide : three.DoubleSide;
      if (changed) material.needsUpdate = true;
    }
  }

  move(poses: Poses): void {
    const values = this.texture.image.data as Float32Array;
    values.set(poses.values);
    // A block of a hidden group collapses into a point far away.
    for (const block of this.hidden) values.fill(0, 8 * block + 4, 8 * block + 8).fill(1e9, 8 * block, 8 * block + 3);
    this.texture.needsUpdate = true;
  }

  /** The first block that a ray meets, in the frame of the group. */
  pick(ray: three.Ray, poses: Poses): Hit | null {
    let best: Hit | null = null;
    const position = new three.Vector3();
    const rotation = new three.Quaternion();
    const sphere = new three.Sphere();
    const local = new three.Ray();
    const [a, b, c, at, place] = [new three.Vector3(), new three.Vector3(), new three.Vector3(), new three.Vector3(), new three.Vector3()];
    for (let block = 0; block < this.blocks.count; block++) {
      if (this.hidden.has(block)) continue;
      poses.get(block, position, rotation);
      sphere.set(position, this.radii[block] * 1.0001);
      if (!ray.intersectsSphere(sphere)) continue;
      rotation.invert();
      local.origin.copy(ray.origin).sub(position).applyQuaternion(rotation);
      local.direction.copy(ray.direction).applyQuaternion(rotation);
      for (let i = this.firsts[block]; i < this.firsts[block + 1]; i += 3) {
        [a, b, c].forEach((p, k) => p.set(...this.vertex(this.triangles[i + k])));
        if (local.intersectTriangle(a, b, c, this.cut === null, at) === null) continue;
        const distance = at.distanceTo(local.origin);
        if (this.cut !== null && this.cut.distanceToPoint(ray.at(distance, place)) < 0) continue;
        if (best === null || distance < best.distance) best = { block, distance };
      }
    }
    return best;
  }

  /** Box around blocks that are no supports, or around all if all are or if asked. */
  box(poses: Poses, everything = false): three.Box3 {
    const box = new three.Box3();
    const all = everything || this.blocks.support.every((s) => s);
    const position = new three.Vector3();
    const rotation = new three.Quaternion();
    const corner = new three.Vector3();
    for (let block = 0; block < this.blocks.count; block++) {
      if (this.blocks.support[block] && !all) continue;
      poses.get(block, position, rotation);
      for (let i = this.firsts[block]; i < this.firsts[block + 1]; i++) {
        const v = 3 * this.triangles[i];
        box.expandByPoint(corner.set(this.vertices[v], this.vertices[v + 1], this.vertices[v + 2]).applyQuaternion(rotation).add(position));
      }
    }
    return box;
  }
}
