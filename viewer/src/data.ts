// What the page holds, as the program wrote it, and its arrays.

export interface Packed {
  name: string;
  analysis: string;
  kind: string;
  status: string;
  size: number;
  free: boolean[];
  gravity: number;
  materials: { name: string; density: number }[];
  groups: string[];
  blocks: { names: string[]; material: number[]; group: number[]; support: number[]; mass: string; position: string };
  mesh: { vertices: string; faces: string };
  loads: { block: number; arm: Triple; force: Triple; live: boolean }[];
  ties: { name: string; blocks: (number | null)[]; points: [Triple, Triple] }[];
  motion?: { times: string; blocks: string; step: number; bits: number; positions: string; rotations: string; stride: number };
  history?: { names: string[]; time: string; start: (number | null)[]; values: string; stride: number };
  diagnostics?: Packed["history"];
  touching?: { blocks: string; normals: string; area: string; friction: string; starts: string; outlines: string };
  forces?: { times: string; starts: string; blocks: string; points: string; forces: string };
  joints?: {
    blocks: string;
    points: string;
    forces: string;
    normal: string;
    area: string;
    friction: string;
    edge: string;
    movement: (string | null)[];
    at: string;
    starts: string;
    outlines: string;
  };
  lines?: { state: string; thrust: number; points: Triple[]; blocks: number[] }[];
  mechanism?: string;
  /** The run is still going on; names of a frame's values after its time. */
  live?: { columns: string[] };
}

export type Triple = [number, number, number];

function bytes(text: string): ArrayBuffer {
  const native = (Uint8Array as unknown as { fromBase64?: (text: string) => Uint8Array<ArrayBuffer> }).fromBase64;
  if (native !== undefined) return native(text).buffer;
  const raw = atob(text);
  const out = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) out[i] = raw.charCodeAt(i);
  return out.buffer;
}

export const f32 = (text: string) => new Float32Array(bytes(text));
export const f64 = (text: string) => new Float64Array(bytes(text));
export const u32 = (text: string) => new Uint32Array(bytes(text));
export const i16 = (text: string) => new Int16Array(bytes(text));

/** Whole numbers as they were squeezed: inflated, their bytes put together again, changes from frame to frame added up. */
export async function unsqueezed(text: string, perFrame: number, bits: number): Promise<Int16Array | Int32Array> {
  const width = bits / 8;
  if (text === "") return bits === 16 ? new Int16Array() : new Int32Array();
  const stream = new Blob([bytes(text)]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  const planes = new Uint8Array(await new Response(stream).arrayBuffer());
  const count = planes.length / width;
  const values = bits === 16 ? new Int16Array(count) : new Int32Array(count);
  for (let p = 0; p < width; p++) {
    const from = p * count;
    for (let k = 0; k < count; k++) values[k] |= planes[from + k] << (8 * p);
  }
  for (let k = perFrame; k < count; k++) values[k] += values[k - perFrame];
  return values;
}

export interface Blocks {
  count: number;
  names: string[];
  material: number[];
  group: number[];
  support: boolean[];
  mass: Float32Array;
  /** Initial centroids, m. */
  position: Float64Array;
}

export interface Table {
  names: string[];
  time: Float64Array;
  columns: Float64Array[];
}

export function readData(): Packed {
  const element = document.getElementById("data");
  return JSON.parse(element?.textContent ?? "{}") as Packed;
}

export function readBlocks(data: Packed): Blocks {
  const b = data.blocks;
  return {
    count: b.names.length,
    names: b.names,
    material: b.material,
    group: b.group,
    support: b.support.map((s) => s === 1),
    mass: f32(b.mass),
    position: f64(b.position),
  };
}

export function readTable(h: Packed["history"]): Table | null {
  if (h === undefined) return null;
  const time = f64(h.time);
  const values = f32(h.values);
  const columns = h.names.map((_, k) => {
    const start = h.start[k] ?? NaN;
    return Float64Array.from(values.subarray(k * time.length, (k + 1) * time.length), (v) => v + start);
  });
  return { names: h.names, time, columns };
}

/** Index of the last entry not after `t`, and how far `t` is on the way to the next. */
export function locate(times: Float64Array, t: number): [number, number] {
  let low = 0;
  let high = times.length - 1;
  if (high <= 0 || !(t > times[0])) return [0, 0];
  if (t >= times[high]) return [high, 0];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= t) low = middle;
    else high = middle;
  }
  return [low, (t - times[low]) / (times[high] - times[low])];
}
