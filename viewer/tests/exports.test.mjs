import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { exported, run } from "./kit.mjs";

const validator = createRequire(import.meta.url)("gltf-validator");

test("the animated scene is glTF without fault or warning", async () => {
  const results = run("oppenheim-arch", ["collapse"]);
  const folder = exported("oppenheim-arch", `${results}/collapse`, "glb", ["--every", "20"]);
  const report = await validator.validateBytes(new Uint8Array(readFileSync(`${folder}/motion.glb`)));
  assert.deepEqual(report.issues.messages.filter((message) => message.severity < 2), []);
  assert.equal(report.info.animationCount, 1);
  assert.ok(report.info.totalTriangleCount > 80);
});
