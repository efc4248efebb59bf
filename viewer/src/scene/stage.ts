// Camera, light and ground; draws only when something has changed.

import * as three from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import * as look from "../generated/look";

/** Pictures are computed by the processor. */
function software(): boolean {
  const context = document.createElement("canvas").getContext("webgl2");
  const names = context?.getExtension("WEBGL_debug_renderer_info");
  const name = names == null ? "" : String(context?.getParameter(names.UNMASKED_RENDERER_WEBGL));
  context?.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|software|basic render/i.test(name);
}

export class Stage {
  readonly scene = new three.Scene();
  readonly camera = new three.PerspectiveCamera(30, 1, 0.1, 1000);
  readonly renderer: three.WebGLRenderer;
  readonly controls: OrbitControls;
  /** Told whether there is time to draw edges. */
  edged: (on: boolean) => void = () => undefined;
  /** What moves with the ground. */
  readonly moved = new three.Group();
  private sun = new three.DirectionalLight(look.lamp.sun, 2.6);
  private sky = new three.HemisphereLight(look.lamp.sky, look.lamp.ground, 1.5);
  private floor = new three.Mesh(new three.PlaneGeometry(1, 1), new three.ShadowMaterial({ opacity: 0.2 }));
  private grid: three.GridHelper | null = null;
  private box = new three.Box3();
  private base = 0;
  private stale = true;
  private slow = 0;
  private rough: boolean;
  private still = 0;
  private level = 0;
  private dragged = false;

  constructor(
    private place: HTMLElement,
    private shadows: boolean,
    many: boolean,
  ) {
    // Smoothing takes three quarters of the time then: it waits until things stand, and is done by drawing twice as large.
    this.rough = many && software();
    this.renderer = new three.WebGLRenderer({ antialias: !this.rough, alpha: true, preserveDrawingBuffer: true });
    // The first picture comes soon, the smooth one after it.
    this.level = this.rough ? 1 : 0;
    this.renderer.setPixelRatio(this.ratio(this.level));
    this.renderer.localClippingEnabled = true;
    this.renderer.shadowMap.enabled = shadows;
    this.renderer.shadowMap.type = three.PCFShadowMap;
    place.append(this.renderer.domElement);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, this.renderer.domElement);
    this.controls.addEventListener("change", () => this.touch());
    this.controls.addEventListener("start", () => (this.dragged = true));
    this.controls.addEventListener("end", () => (this.dragged = false));
    this.sun.castShadow = shadows;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.floor.receiveShadow = true;
    this.scene.add(this.sun, this.sun.target, this.sky, this.floor, this.moved);
    new ResizeObserver(() => this.resize()).observe(place);
  }

  touch(): void {
    this.stale = true;
  }

  /** The structure is being turned. */
  get turning(): boolean {
    return this.dragged;
  }

  resize(): void {
    const { clientWidth: width, clientHeight: height } = this.place;
    if (width === 0 || height === 0) return;
    this.renderer.setSize(width, height);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.touch();
  }

  /** Light and ground for a structure in this box whose lowest point, with its supports, is `base`. */
  furnish(box: three.Box3, base: number): void {
    this.box.copy(box);
    this.base = base;
    const middle = box.getCenter(new three.Vector3());
    const size = Math.max(box.getSize(new three.Vector3()).length(), 1e-6);
    this.sun.position.copy(middle).add(new three.Vector3(-0.45, -0.8, 1.1).multiplyScalar(size));
    this.sun.target.position.copy(middle);
    const shadow = this.sun.shadow;
    Object.assign(shadow.camera, { left: -size, right: size, top: size, bottom: -size, near: 0.1 * size, far: 3.5 * size });
    shadow.camera.updateProjectionMatrix();
    shadow.normalBias = 0.0006 * size;
    shadow.bias = -0.0004;
    this.floor.scale.setScalar(20 * size);
    this.floor.position.set(middle.x, middle.y, base - 0.002 * size);
    this.camera.near = 0.01 * size;
    this.camera.far = 40 * size;
    this.resize();
  }

  theme(dark: boolean): void {
    if (this.grid !== null) this.scene.remove(this.grid);
    const middle = this.box.getCenter(new three.Vector3());
    const size = this.box.getSize(new three.Vector3()).length();
    const cell = 10 ** Math.floor(Math.log10(Math.max(size, 1e-6) / 3));
    const count = 2 * Math.ceil((2 * size) / cell);
    const colour = (dark ? look.stoneDark : look.stoneLight).grid;
    this.grid = new three.GridHelper(count * cell, Math.min(count, 200), colour, colour);
    this.grid.rotation.x = Math.PI / 2;
    this.grid.position.set(Math.round(middle.x / cell) * cell, Math.round(middle.y / cell) * cell, this.base - 0.003 * size);
    const material = this.grid.material;
    material.transparent = true;
    material.opacity = dark ? 0.5 : 0.6;
    this.scene.add(this.grid);
    this.sky.intensity = dark ? 1.3 : 2.1;
    this.sun.intensity = dark ? 2.4 : 2.6;
    this.floor.material.opacity = dark ? 0.45 : 0.2;
    this.touch();
  }

  /** Looks from a direction so that the box fills the picture. */
  look(from: three.Vector3, room = 1.25): void {
    const middle = this.box.getCenter(new three.Vector3());
    const back = from.clone().normalize();
    const up = Math.abs(back.z) > 0.99 ? new three.Vector3(0, 1, 0) : new three.Vector3(0, 0, 1);
    const right = new three.Vector3().crossVectors(up, back).normalize();
    const over = new three.Vector3().crossVectors(back, right);
    const half = Math.tan((this.camera.fov * Math.PI) / 360);
    let distance = 0;
    for (let k = 0; k < 8; k++) {
      const corner = new three.Vector3(
        k & 1 ? this.box.max.x : this.box.min.x,
        k & 2 ? this.box.max.y : this.box.min.y,
        k & 4 ? this.box.max.z : this.box.min.z,
      ).sub(middle);
      const wide = Math.abs(corner.dot(right)) / (half * this.camera.aspect);
      const high = Math.abs(corner.dot(over)) / half;
      distance = Math.max(distance, room * Math.max(wide, high) + corner.dot(back));
    }
    this.controls.target.copy(middle);
    this.camera.position.copy(middle).addScaledVector(back, distance);
    this.controls.update();
    this.touch();
  }

  ray(x: number, y: number): three.Ray {
    const { clientWidth: width, clientHeight: height } = this.place;
    const caster = new three.Raycaster();
    this.camera.updateMatrixWorld();
    caster.setFromCamera(new three.Vector2((2 * x) / width - 1, 1 - (2 * y) / height), this.camera);
    caster.ray.origin.sub(this.moved.position);
    return caster.ray;
  }

  /** Pixel of a point that moves with the ground. */
  pixel(point: three.Vector3): [number, number] {
    this.camera.updateMatrixWorld();
    const p = point.clone().add(this.moved.position).project(this.camera);
    return [((p.x + 1) / 2) * this.place.clientWidth, ((1 - p.y) / 2) * this.place.clientHeight];
  }

  /**
   * Told how long the last frame took while things move, s, or that they stand. Where drawing is slow, shadows, then edges and then half of the pixels
   * wait until they do: without a graphics card a church would not play.
   */
  pace(passed: number | null): void {
    let level = this.level;
    if (passed === null && !this.dragged) {
      // Whoever drags a slider moves things too.
      this.still += 1;
      if (this.still > 40 || !this.rough) level = 0;
      this.slow = 0;
    } else if (passed !== null) {
      this.still = 0;
      if (this.rough) level = Math.max(level, 1);
      this.slow = passed > 0.07 ? this.slow + 1 : 0;
      if (this.slow >= 4 && level < 3) {
        level += 1;
        this.slow = 0;
      }
    }
    if (level === this.level) return;
    this.level = level;
    this.sun.castShadow = this.shadows && level < 1;
    this.renderer.setPixelRatio(this.ratio(level));
    this.edged(level < 2);
    this.touch();
  }

  private ratio(level: number): number {
    const full = Math.min(window.devicePixelRatio, 2);
    if (this.rough && level === 0) return Math.max(full, 2);
    return level < 3 ? full : 0.5 * full;
  }

  draw(): void {
    if (!this.stale) return;
    this.stale = false;
    this.renderer.render(this.scene, this.camera);
  }
}
