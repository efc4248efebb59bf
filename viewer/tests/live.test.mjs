import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { request } from "node:http";
import { after, before, test } from "node:test";
import { browser, poses, visit, watch } from "./kit.mjs";

let chromium;
before(async () => (chromium = await browser()));
after(() => chromium?.close());

/** Status of a request made by hand. */
function ask(address, options = {}) {
  const url = new URL(address);
  return new Promise((done, fail) => {
    const made = request({ host: url.hostname, port: url.port, path: url.pathname, ...options }, (answer) => {
      answer.resume();
      done(answer.statusCode);
    });
    made.on("error", fail);
    made.end();
  });
}

test("a run streams frames to its page, and the page stops it with nothing lost", async () => {
  const run = await watch("spandrel-arch", ["self-weight", "slow-sine"], (text) =>
    text.replace("dt = 0.001\nduration = 6.0\noutput_every = 0.02", "dt = 0.002\nduration = 600.0\noutput_every = 0.004"),
  );
  try {
    const { page, faults, close } = await visit(chromium, run.address, (url) => url.startsWith(run.address));
    // The first analysis is over in no time; the page goes on to the second.
    await page.waitForFunction(() => document.title.endsWith("slow-sine") && window.drystone?.times.length > 10);
    const drawn = await page.evaluate(() => ({ times: window.drystone.times, pose: window.drystone.pose(3, window.drystone.times.at(-1)) }));
    // The newest frame is followed, from the next picture of the page on.
    await page.waitForFunction(() => window.drystone.time() > 0);
    await page.waitForFunction((count) => window.drystone.times.length > count, drawn.times.length);
    assert.ok((await page.evaluate(() => window.drystone.plots())).length >= 1);
    assert.match(await page.locator(".verdict").textContent(), /running/);

    // Who does not know the token, comes by another name or by another way gets nothing.
    const { port } = new URL(run.address);
    const root = `http://127.0.0.1:${port}`;
    assert.equal(await ask(run.address), 302);
    for (const path of ["/", "/favicon.ico", `/${"0".repeat(64)}/`, `/${"0".repeat(64)}/stop`]) assert.equal(await ask(root + path), 404, path);
    for (const path of ["summary.json", "..", "../../etc/passwd", "0/report.html", "9/", "00/"]) assert.equal(await ask(run.address, { path: new URL(run.address).pathname + path }), 404, path);
    assert.equal(await ask(run.address, { headers: { host: "example.org" } }), 403);
    assert.equal(await ask(`${run.address}stop`, { method: "POST", headers: { origin: "http://example.org" } }), 403);
    assert.equal(await ask(run.address, { method: "DELETE" }), 403);
    assert.equal(await ask(`${root}/${"0".repeat(64)}/stop`, { method: "POST" }), 404);

    await page.locator("#stop").click();
    // The report takes the place of the live page.
    await page.waitForFunction(() => window.drystone !== undefined && document.getElementById("stop") === null);
    assert.match(await page.locator(".verdict").textContent(), /interrupted/);
    const { code, told } = await run.ended;
    assert.equal(code, 130, told());
    assert.match(told(), /--resume/);
    const summary = JSON.parse(readFileSync(`${run.out}/slow-sine/summary.json`, "utf8"));
    assert.equal(summary.complete, false);
    assert.ok(existsSync(`${run.out}/slow-sine/checkpoint.bin`));
    // What was streamed is what was stored.
    const stored = (await poses(`${run.out}/slow-sine`)).find((frame) => frame.time === drawn.times.at(-1));
    for (let k = 0; k < 3; k++) assert.ok(Math.abs(stored.blocks[3][k] - drawn.pose[k]) < 1e-6);
    assert.deepEqual(faults, []);
    await close();
  } finally {
    run.end();
  }
});
