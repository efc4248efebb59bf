import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const { outputFiles } = await build({ entryPoints: [fileURLToPath(new URL("../src/store.ts", import.meta.url))], bundle: true, write: false, format: "esm" });
const { Store, toggled } = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);

test("views are called at once, for what they watch and only if it changed", () => {
  const store = new Store({ t: 0, playing: false });
  const seen = [];
  const stop = store.watch(["t"], ({ t }) => seen.push(t));
  store.set({ playing: true });
  store.set({ t: 1 });
  store.set({ t: 1 });
  stop();
  store.set({ t: 2 });
  assert.deepEqual(seen, [0, 1]);
  assert.deepEqual(store.now, { t: 2, playing: true });
});

test("a view may change the state that it is called with", () => {
  const store = new Store({ t: 0, playing: true });
  const seen = [];
  store.watch(["t"], ({ t }) => {
    if (t >= 1) store.set({ playing: false });
  });
  store.watch(["t", "playing"], ({ t, playing }) => seen.push([t, playing]));
  store.set({ t: 1 });
  assert.deepEqual(seen.at(-1), [1, false]);
});

test("a set is replaced, not changed", () => {
  const before = new Set([1, 2]);
  assert.deepEqual(toggled(before, 2, false), new Set([1]));
  assert.deepEqual(toggled(before, 3, true), new Set([1, 2, 3]));
  assert.deepEqual(before, new Set([1, 2]));
});
