// The blocks as one mesh and one set of lines.

import * as three from "three";
import type { Blocks } from "../data/blocks";
import type { Poses } from "../data/poses";
import * as look from "../generated/look";
import { poseTexture, posed } from "./posed";
import type { Shapes } from "./shapes";

type Ink = Record<keyof typeof look.stoneLight, string>;

export class Stones {
  readonly group = new three.Group();
  readonly mesh: three.Mesh<three.BufferGeometry, three.MeshLambertMaterial>;
  readonly supports: three.Mesh<three.BufferGeometry, three.MeshLambertMaterial>;
  readonly texture: three.DataTexture;
  /** Blocks that are not drawn. */
  hidden: ReadonlySet<number> = new Set();
  /** Blocks are cut away where this is negative. */
  cut: three.Plane | null = null;
  private edges: three.LineSegments<three.BufferGeometry, three.LineBasicMaterial>;
  private chosen = -1;
  private ink: Ink = look.stoneLight;

  constructor(
    private shapes: Shapes,
    private blocks: Blocks,
  ) {
    this.texture = poseTexture(blocks.count);
    this.mesh = this.surface(false);
    this.supports = this.surface(true);
    this.edges = this.outline();
    this.group.add(this.mesh, this.supports, this.edges);
    this.paint();
  }

  private surface(support: boolean): three.Mesh<three.BufferGeometry, three.MeshLambertMaterial> {
    const { faces, vertices } = this.shapes;
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

  private outline(): three.LineSegments<three.BufferGeometry, three.LineBasicMaterial> {
    const geometry = new three.BufferGeometry();
    geometry.setAttribute("position", new three.BufferAttribute(this.shapes.vertices, 3));
    geometry.setAttribute("block", new three.BufferAttribute(this.shapes.owners, 1));
    geometry.setIndex(this.shapes.lines);
    const material = new three.LineBasicMaterial({ transparent: true, opacity: 0.55 });
    material.onBeforeCompile = (shader) => posed(shader, this.texture);
    const edges = new three.LineSegments(geometry, material);
    edges.frustumCulled = false;
    return edges;
  }

  /** Colours of blocks: a little different from each other, as stones are. */
  private paint(): void {
    const colour = new three.Color();
    const ink = { free: new three.Color(this.ink.free), support: new three.Color(this.ink.support), chosen: new three.Color(this.ink.chosen) };
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
            colour.copy(ink.free).offsetHSL(0, 0, 0.07 * (noise - Math.floor(noise) - 0.5));
          }
        }
        colour.toArray(colours.array, 3 * i);
      }
      colours.needsUpdate = true;
    }
  }

  choose(block: number): void {
    this.chosen = block;
    this.paint();
  }

  theme(dark: boolean): void {
    this.ink = dark ? look.stoneDark : look.stoneLight;
    this.edges.material.color.set(this.ink.edge);
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
}
