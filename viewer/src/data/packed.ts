// Arrays of numbers as the page holds them: base64 of little-endian numbers, frames of motion compressed.

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
